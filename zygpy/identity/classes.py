"""What a class defines in Python."""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any

from zygpy.analyse.containers import may_change_a_set
from zygpy.ir import core
from zygpy.ir.access import MUTATORS
from zygpy.runtime.lookup import in_class


def python_method(value: Any, name: str) -> Any:
    """A method that a class defines in Python, else None."""
    found = in_class(type(value), name, None)
    return found if isinstance(found, FunctionType) else None


def is_walked_by_c(value: Any, classes: Any) -> bool:
    """Whether a value is of one of these builtin classes, and is iterated without running code."""
    return isinstance(value, classes) and python_method(value, "__iter__") is None


def places_of_arguments(init: Any, instance: Any, count: int, keywords: tuple[str, ...]) -> Any:
    """By parameter of an `__init__`, the position or the keyword of its argument in a call with `count`
    positional ones; None where they do not fit."""
    try:
        bound = inspect.signature(init).bind(instance, *range(count), **{name: name for name in keywords})
    except TypeError:
        return None
    return dict(list(bound.arguments.items())[1:])


MISSING = object()

CHANGES = (
    core.SetItem | core.SetAttr | core.AugmentItem | core.AugmentAttr | core.WriteCell | core.WriteGlobal
)


def changes_something(program: core.Function) -> bool:
    """Whether a program may change what others know, as far as its text tells."""
    return any(map(changes, core.walk(program.body)))


def changes(statement: core.Statement) -> bool:
    """The same of a statement."""
    op = statement.op if isinstance(statement, core.Assign) else None
    op = op.call if isinstance(op, core.Caught) else op
    if isinstance(op, core.Call) and isinstance(op.func, core.Path):
        return len(op.func.names) > 1 and _is_of_mutator(op.func.names[-1], len(op.args))
    return isinstance(statement, CHANGES) or (
        isinstance(op, core.CallMethod) and _is_of_mutator(op.name, len(op.args))
    )


def _is_of_mutator(name: str, count: int) -> bool:
    return name in MUTATORS or may_change_a_set(name, count)
