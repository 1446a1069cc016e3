"""Functions and classes of a program that take all items of what they are given before they do anything else.

def __init__(self, items):          takes `items` first of all, so that it may as well be given a list of them
    self.items = list(items)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zygpy.analyse.facts import Guard
from zygpy.ir import core
from zygpy.ir.access import assigned, read
from zygpy.rules import declare
from zygpy.rules.custom import is_ruled
from zygpy.runtime.lookup import in_class

FIRST = (list, tuple, set, frozenset, sum, min, max, sorted)
"""Builtins that take all items of the one thing they are given before they do anything else."""

Named = Callable[[core.Path], Any]


def takes_first(program: core.Function, name: str, named: Named) -> core.Path | None:
    """The builtin by which a function takes all items of a parameter before it does anything that could be
    seen outside, or go wrong; None if it does not, or knows the parameter behind that. `named` tells what a
    path leads to.

    Requires: the program is flat.
    """
    statements = list(core.walk(program.body))
    knowing = [one for one in statements if name in read(one) or name in _captured(one)]
    if name in program.cells or len(knowing) != 1 or any(name in assigned(one) for one in statements):
        return None
    for statement in program.body:
        if statement is knowing[0]:
            return _taking(statement, name, named)
        if not isinstance(statement, core.Assign) or not isinstance(statement.op, core.Copy):
            return None
    return None


def _taking(statement: core.Statement, name: str, named: Named) -> core.Path | None:
    op = statement.op if isinstance(statement, core.Assign) else None
    if not isinstance(op, core.Call) or not isinstance(op.func, core.Path) or op.keywords:
        return None
    called = named(op.func)
    return op.func if op.args == (core.Var(name),) and any(called is one for one in FIRST) else None


def _captured(statement: core.Statement) -> tuple[str, ...]:
    op = statement.op if isinstance(statement, core.Assign) else None
    return op.captured if isinstance(op, core.MakeFunction) else ()


def constructor_of(cls: Any) -> tuple[Any, tuple[Guard, ...]] | None:
    """The `__init__` that a call of a class made in Python goes to, or the builtin class that makes its
    objects out of items, and what that rests on; None where anything else is called first."""
    if type(cls) is not type or is_ruled(cls) or declare.find(cls) is not None:
        return None
    new: Any = cls.__new__
    init = in_class(cls, "__init__")
    guards = (Guard(cls, "__new__", new), Guard(cls, "__init__", init))
    if new is object.__new__:
        return init, guards
    by_tuple = cls is not tuple and new is tuple.__new__ and init is object.__init__
    return (tuple, guards) if by_tuple else None
