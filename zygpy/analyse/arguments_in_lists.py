"""Calls that are given the items of a list as arguments, where the function takes so many: spelled out.

y = f(a, *xs)       ->      n = len(xs)
                            if n != 2: raise TypeError(...)
                            t, u = xs
                            y = f(a, t, u)
"""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any

from zygpy.analyse.facts import Guard
from zygpy.analyse.items_by_methods import Spelling
from zygpy.analyse.run import Run
from zygpy.analyse.takers import constructor_of
from zygpy.analyse.values import Environment
from zygpy.ir import core
from zygpy.ir.kinds import List
from zygpy.ir.names import Names
from zygpy.rules import declare
from zygpy.rules.custom import is_ruled

MOST_ITEMS = 16
"""So many arguments at most are told one by one."""


def spelling(run: Run, statement: core.Statement, env: Environment) -> Spelling | None:
    """The statements that stand for such a call; None of any other."""
    match statement:
        case core.Assign(op=core.Call(core.Path() as path, (*before, core.Star(core.Var(name))), ())):
            pass
        case _:
            return None
    value = run.value(core.Var(name), env)
    plain = isinstance(value.kind, List) and value.certain and name not in run.facts.function.cells
    if not plain or any(isinstance(arg, core.Star) for arg in before):
        return None
    found = _taken(run, run.resolve(path).value)
    count = -1 if found is None else found[0] - len(before)
    if found is None or not 0 < count <= MOST_ITEMS:
        return None
    for guard in found[1]:
        run.note_lasting(guard)
    return Spelling(lambda names: _spelled(names, statement, name, count), (name, count))


def _taken(run: Run, called: Any) -> tuple[int, tuple[Guard, ...]] | None:
    """How many arguments something takes, if it takes just so many, and what that rests on."""
    if not run.scope.replaced.isdisjoint(("__init__", "__new__", "__code__", "__defaults__")):
        return None
    if not isinstance(called, type):
        return _count(called)
    made = constructor_of(called)
    found = None if made is None else _count(made[0])
    return None if made is None or found is None else (found[0] - 1, (*made[1], *found[1]))


def _count(function: Any) -> tuple[int, tuple[Guard, ...]] | None:
    if type(function) is not FunctionType or is_ruled(function) or declare.find(function) is not None:
        return None
    code = function.__code__
    if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS) or code.co_kwonlyargcount:
        return None
    if function.__defaults__:
        return None
    return code.co_argcount, (Guard(function, "__code__", code), Guard(function, "__defaults__", None))


def _spelled(names: Names, statement: core.Statement, name: str, count: int) -> list[core.Statement]:
    assert isinstance(statement, core.Assign) and isinstance(statement.op, core.Call)
    loc, op = statement.loc, statement.op
    assert isinstance(op.func, core.Path)
    length, differs, error = names.temporary(), names.temporary(), names.temporary()
    items = tuple([names.temporary() for _ in range(count)])
    message = f"{op.func.names[-1]}() takes {count + len(op.args) - 1} positional arguments"
    failing = (
        core.Assign(error, core.Call(core.Path(("TypeError",), "builtin"), (core.Const(message),)), loc),
        core.Raise(core.Var(error), None, loc),
    )
    args = (*op.args[:-1], *map(core.Var, items))
    called = core.Call(op.func, args)
    return [
        core.Assign(length, core.Call(core.Path(("len",), "builtin"), (core.Var(name),)), loc),
        core.Assign(differs, core.Compare("!=", core.Var(length), core.Const(count)), loc),
        core.If(core.Var(differs), failing, (), loc),
        core.Unpack(items, None, core.Var(name), loc),
        core.Assign(statement.target, called, loc),
    ]
