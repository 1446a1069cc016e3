"""Attributes that a class's own descriptors give and set, spelled out as calls of these.

                        d = descriptor_in_class(o, "width")
y = o.width     ->      k = type(o)
                        f = called_in_class(o, "width")
                        y = f(d, o, k)

                        d = descriptor_in_class(o, "width")
o.width = v     ->      f = setter_in_class(o, "width")
                        u = f(d, o, v)

The texts that a descriptor holds, such as the name of the field in which it keeps the value, are known where
its functions ask for them.
"""

from __future__ import annotations

from collections.abc import Iterator
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
from zygpy.runtime.platform_code import is_platform

DESCRIPTOR, GETTER, SETTER = (
    core.Path((name,), "helper") for name in ("descriptor_in_class", "called_in_class", "setter_in_class")
)
TYPE = core.Path(("type",), "builtin")


def with_descriptors(program: core.Function, facts: Facts) -> core.Function:
    """The same program with such attributes spelled out; the very same if there are none. (Elsewhere nothing
    is known of what the objects hold.)"""
    if facts.way.everywhere or not facts.way.identity:
        return program
    attempts = [one for one in core.walk(program.body) if isinstance(one, core.Attempt)]
    apart = {id(inner) for one in attempts for inner in core.walk(one.body)}
    wanted = {
        id(one): guards
        for one in core.walk(program.body)
        if id(one) not in apart and (guards := _found(one, facts)) is not None
    }
    if not wanted:
        return program
    for guard in (guard for guards in wanted.values() for guard in guards):
        facts.guards.setdefault((id(guard.owner), guard.name), guard)
        facts.lasting.append(guard)
    names = Names(mentioned(program) | {*program.captured, *program.cells})

    def spelled(statement: core.Statement) -> core.Block:
        return tuple(_spelled(statement, names)) if id(statement) in wanted else (statement,)

    return replace(program, body=core.rewritten(program.body, spelled))


def _found(statement: core.Statement, facts: Facts) -> tuple[Guard, ...] | None:
    """What it rests on that a statement asks a descriptor; None of any other."""
    match statement:
        case core.Assign(op=core.GetAttr(core.Var() as owner, name)):
            access = "__get__"
        case core.SetAttr(core.Var() as owner, name) | core.AugmentAttr(core.Var() as owner, name):
            access = "__set__"
        case _:
            return None
    kind = facts.value(statement, owner).kind
    if name in facts.way.replaced or described_by(kind, name, access) is None:
        return None
    assert isinstance(kind, Object)
    plain = [Guard(kind.cls, one, getattr(object, one)) for one in ("__getattribute__", "__setattr__")]
    return (Guard(kind.cls, name, in_class(kind.cls, name), raw=True), *plain)


def described_by(kind: Kind, name: str, access: str) -> FunctionType | None:
    """The function of a descriptor that an attribute of an object calls, if that comes before what the object
    has itself; None of any other."""
    if not isinstance(kind, Object) or not is_of_python_alone(kind.cls):
        return None
    if access == "__get__" and fields.asks_next(kind.cls):
        return None
    sort: Any = type(in_class(kind.cls, name))
    function = in_class(sort, access)
    if not isinstance(function, FunctionType) or not isinstance(in_class(sort, "__set__"), FunctionType):
        return None
    plain = fields.is_read_plainly(kind.cls) and in_class(kind.cls, "__setattr__") is object.__setattr__
    own = not function.__closure__ and not is_platform(function.__code__.co_filename)
    known = isinstance(kind_of(function), Known) and own
    return function if plain and known and fields.has_fields(sort) else None


def _spelled(statement: core.Statement, names: Names) -> Iterator[core.Statement]:
    loc = statement.loc
    if isinstance(statement, core.AugmentAttr):
        item = statement.before or names.temporary()
        if not statement.before:
            yield core.Assign(item, core.GetAttr(statement.target, statement.name), loc)
        yield core.AugmentName(item, statement.op, statement.value, loc)
        yield core.SetAttr(statement.target, statement.name, core.Var(item), loc)
        return
    descriptor, function = (core.Var(names.temporary()) for _ in range(2))
    if isinstance(statement, core.SetAttr):
        owner, name = statement.target, core.Const(statement.name)
        yield core.Assign(descriptor.name, core.Call(DESCRIPTOR, (owner, name)), loc)
        yield core.Assign(function.name, core.Call(SETTER, (owner, name)), loc)
        yield core.Assign(names.temporary(), core.Call(function, (descriptor, owner, statement.value)), loc)
        return
    assert isinstance(statement, core.Assign) and isinstance(statement.op, core.GetAttr)
    owner, name, cls = statement.op.value, core.Const(statement.op.name), core.Var(names.temporary())
    yield core.Assign(descriptor.name, core.Call(DESCRIPTOR, (owner, name)), loc)
    yield core.Assign(cls.name, core.Call(TYPE, (owner,)), loc)
    yield core.Assign(function.name, core.Call(GETTER, (owner, name)), loc)
    yield replace(statement, op=core.Call(function, (descriptor, owner, cls)))
