"""What a generator does that is left in the middle: its handlers run then, and somebody may see it."""

from __future__ import annotations

import builtins
import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np

from zygpy.identity.classes import changes
from zygpy.ir import core
from zygpy.ir.access import assigned
from zygpy.runtime.attempts import is_caught
from zygpy.units import Unit


def is_watchful(function: FunctionType, unit: Unit) -> bool:
    """Whether handlers of a generator's own may change something when it is left in the middle."""
    handlers = unit.asked_when_left
    return bool(handlers) and _may_change(function, unit.program, handlers)


def _may_change(function: FunctionType, program: core.Function, handlers: Sequence[core.Handle]) -> bool:
    """Whether one of these handlers may change something then."""
    managers = _suppressing(function, program)
    running = [item for item in handlers if not _passes_on(function, item, managers)]
    if all(isinstance(item.body[-1], core.Raise) for item in running):
        return any(not _is_quiet(function, item.body) for item in running)
    return not _is_quiet(function, program.body)  # it may go on behind the handler


def _is_quiet(function: FunctionType, block: core.Block) -> bool:
    """Whether statements change nothing that others know, and call nobody who might."""
    return not any(
        isinstance(item, MORE_CHANGES) or changes(item) or _calls_somebody(function, item)
        for item in core.walk(block)
    )


MORE_CHANGES = core.AugmentName | core.DelItem | core.DelAttr


def _calls_somebody(function: FunctionType, statement: core.Statement) -> bool:
    """Whether a statement calls code in Python, or something that is not known."""
    op = statement.op if isinstance(statement, core.Assign) else None
    op = op.call if isinstance(op, core.Caught) else op
    if not isinstance(op, core.Call) or not isinstance(op.func, core.Path):
        return isinstance(op, core.Call | core.CallMethod)
    found = list(_named(function, op.func))
    return op.func.scope != "helper" and not (found and isinstance(found[0], WITHOUT_EFFECTS))


WITHOUT_EFFECTS = (BuiltinFunctionType, np.ufunc)
"""Functions that are not written in Python (those that change their arguments go by their names)."""


def _suppressing(function: FunctionType, program: core.Function) -> dict[str, Any]:
    """The variables that hold a `contextlib.suppress`, and whether it keeps `GeneratorExit` back."""
    made = [item for item in core.walk(program.body) if isinstance(item, core.Assign)]
    counts = Counter(name for item in core.walk(program.body) for name in assigned(item))
    classes = {item.target: _exceptions(function, item.op) for item in made if counts[item.target] == 1}
    return {
        item.target: is_caught(GeneratorExit(), tuple([cls for name in names for cls in classes[name]]))
        for item in made
        if counts[item.target] == 1 and (names := _suppressed(function, item.op)) is not None
        if all(classes.get(name) for name in names)
    }


def _exceptions(function: FunctionType, op: core.Op) -> list[Any]:
    """The class of exceptions that is read, if it is one."""
    return (
        [cls for cls in _named(function, op.path) if _is_exception(cls)] if isinstance(op, core.Read) else []
    )


def _suppressed(function: FunctionType, op: core.Op) -> list[str] | None:
    """The variables that `contextlib.suppress` is given; None for any other operation."""
    if not isinstance(op, core.Call) or not isinstance(op.func, core.Path) or op.keywords:
        return None
    names = [arg.name for arg in op.args if isinstance(arg, core.Var)]
    known = len(names) == len(op.args) and contextlib.suppress in _named(function, op.func)
    return names if known else None


def _passes_on(function: FunctionType, handler: core.Handle, managers: dict[str, Any]) -> bool:
    """Whether a handler does nothing about `GeneratorExit` but pass it on."""
    known = dict(managers)
    waiting = list(handler.body)
    while waiting:
        statement = waiting.pop(0)
        if isinstance(statement, core.Raise) and statement.exception is None:
            return True
        if isinstance(statement, core.If) and isinstance(statement.test, core.Var):
            if statement.test.name not in known:
                return False
            waiting = [*(statement.then if known[statement.test.name] else statement.orelse), *waiting]
        elif not isinstance(statement, core.Assign) or not _is_question(function, statement, known):
            return False
    return False


def _is_question(function: FunctionType, statement: core.Assign, known: dict[str, Any]) -> bool:
    """Whether a statement belongs to an `except` clause or to a `with`; what it finds is noted."""
    match statement.op:
        case core.Read(path):
            found = [cls for cls in _named(function, path) if _is_exception(cls)]
        case core.Display("tuple", parts) if all(getattr(part, "name", None) in known for part in parts):
            found = [tuple([known[part.name] for part in parts if isinstance(part, core.Var)])]
        case core.Call(core.Path(("is_caught",), "helper"), (_, core.Var(name))) if name in known:
            found = [is_caught(GeneratorExit(), known[name])]
        case core.Truth(core.Var(name)) if name in known:
            found = [known[name]]
        case core.CallMethod(core.Var(name), "__exit__") if name in known:
            found = [known[name]]
        case core.Unary("not", core.Var(name)) if name in known:
            found = [not known[name]]
        case core.Call(core.Path(("type",) | ("traceback_of",), "builtin" | "helper")):
            found = [None]
        case _:
            found = []
    known.update((statement.target, value) for value in found)
    return bool(found)


def _named(function: FunctionType, path: core.Path) -> Iterator[Any]:
    """What a global name stands for."""
    first, *rest = path.names
    if path.scope in ("global", "builtin"):
        value = function.__globals__.get(first, getattr(builtins, first, None))
        for name in rest:
            value = getattr(value, name, None)
        yield value


def _is_exception(value: Any) -> bool:
    """Whether something is a class of exceptions."""
    return isinstance(value, type) and issubclass(value, BaseException)
