"""Reads of what `functools.cached_property` computes once, spelled out.

                        t = is_kept(o, "area")
y = o.area      ->      if t:
                            u = note_kept(o, "area")
                            y = o.area
                        else:
                            f = called_in_class(o, "area")
                            v = f(o)
                            o.area = v
                            y = v
"""

from __future__ import annotations

import functools
from collections.abc import Set
from dataclasses import replace
from types import FunctionType
from typing import Any

from zygpy.analyse import fields
from zygpy.analyse.facts import Facts, Guard
from zygpy.analyse.operators import is_of_python_alone
from zygpy.ir import core
from zygpy.ir.access import mentioned
from zygpy.ir.kinds import Kind, Known, Object, kind_of
from zygpy.ir.names import Names
from zygpy.runtime.lookup import in_class

IS_KEPT, NOTE_KEPT, IN_CLASS = (
    core.Path((name,), "helper") for name in ("is_kept", "note_kept", "called_in_class")
)


def with_cached_properties(program: core.Function, facts: Facts) -> core.Function:
    """The same program with such reads spelled out; the very same if there are none."""
    apart = _elsewhere(program)
    wanted = {
        id(one): found
        for one in core.walk(program.body)
        if id(one) not in apart and (found := _found(one, facts)) is not None
    }
    if not wanted:
        return program
    for guard in (guard for found in wanted.values() for guard in found):
        facts.guards.setdefault((id(guard.owner), guard.name), guard)
        facts.lasting.append(guard)
    names = Names(mentioned(program) | {*program.captured, *program.cells})

    def spelled(statement: core.Statement) -> core.Block:
        return _spelled(statement, names) if id(statement) in wanted else (statement,)

    return replace(program, body=core.rewritten(program.body, spelled))


def _elsewhere(program: core.Function) -> Set[int]:
    """The statements in attempts, where a function that fails may have changed something, and those that have
    been spelled out."""
    found: set[int] = set()
    for statement in core.walk(program.body):
        if isinstance(statement, core.Attempt):
            found |= {id(inner) for inner in core.walk(statement.body)}
        if isinstance(statement, core.If) and statement.then and _notes(statement.then[0]):
            found |= {id(inner) for inner in statement.then}
    return found


def _notes(statement: core.Statement) -> bool:
    op = statement.op if isinstance(statement, core.Assign) else None
    return isinstance(op, core.Call) and op.func == NOTE_KEPT


def _found(statement: core.Statement, facts: Facts) -> tuple[Guard, ...] | None:
    """What it rests on that a statement reads a cached property; None of any other."""
    match statement:
        case core.Assign(op=core.GetAttr(core.Var() as owner, name)):
            kind = facts.value(statement, owner).kind
            function = cached_function(kind, name)
            if not facts.way.replaced.isdisjoint((name, "func")) or function is None:
                return None
            assert isinstance(kind, Object)
            found = in_class(kind.cls, name)
            plain = ("__getattribute__", "__setattr__")
            return (
                Guard(kind.cls, name, found, raw=True),
                Guard(found, "func", function),
                *[Guard(kind.cls, one, getattr(object, one)) for one in plain],
            )
    return None


def cached_function(kind: Kind, name: str) -> FunctionType | None:
    """The function whose value an object keeps by a name when it is asked for; None where that is not what
    the name means."""
    if not isinstance(kind, Object) or not is_of_python_alone(kind.cls) or not kind.cls.__dictoffset__:
        return None
    found: Any = in_class(kind.cls, name)
    if type(found) is not functools.cached_property or found.attrname != name:
        return None
    plain = not fields.asks_next(kind.cls) and fields.is_read_plainly(kind.cls)
    plain = plain and in_class(kind.cls, "__setattr__") is object.__setattr__
    function: Any = found.func
    known = type(function) is FunctionType and isinstance(kind_of(function), Known)
    return function if plain and known and getattr(kind.cls, name, None) is found else None


def _spelled(statement: core.Statement, names: Names) -> core.Block:
    assert isinstance(statement, core.Assign) and isinstance(statement.op, core.GetAttr)
    owner, name, loc = statement.op.value, core.Const(statement.op.name), statement.loc
    test, function, value = (core.Var(names.temporary()) for _ in range(3))

    def bound(variable: str, op: core.Op) -> core.Assign:
        return core.Assign(variable, op, loc)

    kept = (bound(names.temporary(), core.Call(NOTE_KEPT, (owner, name))), statement)
    made = (
        bound(function.name, core.Call(IN_CLASS, (owner, name))),
        bound(value.name, core.Call(function, (owner,))),
        core.SetAttr(owner, statement.op.name, value, loc),
        bound(statement.target, core.Copy(value)),
    )
    return bound(test.name, core.Call(IS_KEPT, (owner, name))), core.If(test, kept, made, loc)
