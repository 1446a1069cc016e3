"""Questions that methods of an object's class answer, spelled out as calls of these.

n = len(o)          ->      u = o.__len__(); n = as_length(u)
t = bool(o)         ->      u = o.__bool__(); v = as_truth(u); t = bool(v)
t = x in o          ->      u = o.__contains__(x); t = bool(u)
y = abs(o)          ->      y = o.__abs__()
"""

from __future__ import annotations

import functools
from dataclasses import replace
from types import FunctionType

from zygpy.analyse import fields
from zygpy.analyse.items_by_methods import Spelling
from zygpy.analyse.operators import is_of_python_alone
from zygpy.analyse.run import Run
from zygpy.analyse.values import Environment
from zygpy.ir import core
from zygpy.ir.kinds import Object
from zygpy.ir.names import Names

LENGTH, TRUTH = core.Path(("as_length",), "helper"), core.Path(("as_truth",), "helper")


def spelling(run: Run, statement: core.Statement, env: Environment) -> Spelling | None:
    """The statements that stand for one, where it is known which method of an object answers;
    None otherwise."""
    if not isinstance(statement, core.Assign):
        return None
    match statement.op:
        case core.Call(core.Path() as path, (core.Var() as owner,), ()):
            return _called(run, statement, run.resolve(path).value, owner, env)
        case core.Truth(core.Var() as owner) | core.Unary("not", core.Var() as owner):
            return _truth(run, statement, owner, statement.op, env)
        case core.Compare("in" | "not in" as symbol, sought, core.Var() as owner):
            if not _answers(run, owner, "__contains__", env):
                return None
            return Spelling(lambda names: _found(names, statement, owner, sought, symbol))
    return None


def _answers(run: Run, owner: core.Var, name: str, env: Environment) -> bool:
    """Whether it is the method of an object's class that is asked."""
    kind = run.value(owner, env).kind
    if not isinstance(kind, Object) or kind.fields is None or not is_of_python_alone(kind.cls):
        return False
    return isinstance(fields.of_class(run, kind, name), FunctionType)


def _called(
    run: Run, statement: core.Assign, callee: object, owner: core.Var, env: Environment
) -> Spelling | None:
    if callee is len and _answers(run, owner, "__len__", env):
        return Spelling(lambda names: _length(names, statement, owner))
    if callee is abs and _answers(run, owner, "__abs__", env):
        return Spelling(lambda _: [replace(statement, op=core.CallMethod(owner, "__abs__", ()))])
    return _truth(run, statement, owner, core.Truth(owner), env) if callee is bool else None


def _length(names: Names, statement: core.Assign, owner: core.Var) -> list[core.Statement]:
    count = names.temporary()
    asked = core.Assign(count, core.CallMethod(owner, "__len__", ()), statement.loc)
    return [asked, replace(statement, op=core.Call(LENGTH, (core.Var(count),)))]


def _truth(
    run: Run, statement: core.Assign, owner: core.Var, op: core.Truth | core.Unary, env: Environment
) -> Spelling | None:
    """The truth of an object, which its `__bool__` tells, or else its `__len__`."""
    for name, checked in (("__bool__", TRUTH), ("__len__", LENGTH)):
        if _answers(run, owner, name, env):
            make = functools.partial(
                _told, statement=statement, owner=owner, op=op, name=name, checked=checked
            )
            return Spelling(make, name)
        if hasattr(getattr(run.value(owner, env).kind, "cls", None), name):
            return None
    return None


def _told(
    names: Names,
    statement: core.Assign,
    owner: core.Var,
    op: core.Truth | core.Unary,
    name: str,
    checked: core.Path,
) -> list[core.Statement]:
    answer, truth, loc = names.temporary(), names.temporary(), statement.loc
    return [
        core.Assign(answer, core.CallMethod(owner, name, ()), loc),
        core.Assign(truth, core.Call(checked, (core.Var(answer),)), loc),
        replace(statement, op=_on(op, core.Var(truth))),
    ]


def _on(op: core.Truth | core.Unary, value: core.Var) -> core.Op:
    return core.Truth(value) if isinstance(op, core.Truth) else core.Unary(op.op, value)


def _found(
    names: Names, statement: core.Assign, owner: core.Var, sought: core.Atom, symbol: str
) -> list[core.Statement]:
    answer = names.temporary()
    asked = core.Assign(answer, core.CallMethod(owner, "__contains__", (sought,)), statement.loc)
    told = core.Truth(core.Var(answer)) if symbol == "in" else core.Unary("not", core.Var(answer))
    return [asked, replace(statement, op=told)]
