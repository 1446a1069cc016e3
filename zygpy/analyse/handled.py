"""Handlers that ask Python which exception is being handled: they find it without being given it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import lru_cache, partial
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from zygpy.analyse.run import Run
from zygpy.ir import core
from zygpy.ir.access import operands
from zygpy.ir.kinds import Known, Object
from zygpy.ir.nodes import gast
from zygpy.runtime.cells import content
from zygpy.runtime.platform_code import is_platform

NAMES = ("exc_info", "exception")
ASKING = tuple(getattr(sys, name) for name in NAMES)
"""What tells which exception is being handled."""


def note_asking(run: Run, handler: core.Block) -> None:
    """Let what is found by asking be active, where anything that a handler calls may ask."""
    if any(map(asks, _called(run, handler))) or any(map(_defines_asking, core.walk(run.facts.function.body))):
        run.everywhere()


def _called(run: Run, handler: core.Block) -> Iterator[Any]:
    """The functions that a handler may call, and objects, or their classes, of which methods."""
    for statement in core.walk(handler):
        if not isinstance(statement, core.Assign):
            continue
        op = statement.op.call if isinstance(statement.op, core.Caught) else statement.op
        path = op.func if isinstance(op, core.Call) else getattr(op, "path", None)
        if isinstance(path, core.Path):
            yield run.resolve(path).value
        for atom in operands(op):
            kind = run.facts.value(statement, atom).kind
            if isinstance(kind, Known | Object):
                yield kind.value if isinstance(kind, Known) else kind.cls


def _defines_asking(statement: core.Statement) -> bool:
    """Whether a function is defined in the program that mentions one of those by name."""
    op = getattr(statement, "op", None)
    if not isinstance(op, core.MakeFunction):
        return False
    return any(getattr(node, part, None) in NAMES for node in gast.walk(op.node) for part in ("attr", "id"))


def asks(thing: Any) -> bool:
    """Whether something that is called asks which exception is being handled, itself or by what it calls; an
    object, or a class, by any of its methods.

    >>> asks(sys.exc_info), asks(print), asks(lambda: sys.exc_info()[1])
    (True, False, True)
    """
    waiting, seen = [thing], set[int]()
    while waiting:
        found = waiting.pop()
        if any(found is asking for asking in ASKING):
            return True
        if id(found) not in seen:
            seen.add(id(found))
            waiting += _known_to(found)
    return False


def _known_to(thing: Any) -> Iterator[Any]:
    """What something may call."""
    if isinstance(thing, MethodType):
        yield thing.__func__
    elif isinstance(thing, partial):
        yield thing.func
    elif isinstance(thing, type):
        for base in thing.__mro__:
            yield from (value for value in vars(base).values() if isinstance(value, FunctionType))
    elif isinstance(thing, FunctionType) and not is_platform(thing.__code__.co_filename):
        names = _names(thing.__code__)
        known = [thing.__globals__.get(name) for name in names]
        yield from (value for value in known if not isinstance(value, ModuleType))
        yield from (content(cell) for cell in thing.__closure__ or ())
        if "sys" in names or any(value is sys for value in known):
            yield from (getattr(sys, name) for name in NAMES if name in names)
    elif not isinstance(thing, FunctionType | ModuleType):
        yield type(thing)


@lru_cache(maxsize=4096)
def _names(code: CodeType) -> frozenset[str]:
    """The globals and attributes that code mentions, and the functions in it."""
    inner = (part for part in code.co_consts if isinstance(part, CodeType))
    return frozenset(code.co_names).union(*map(_names, inner))
