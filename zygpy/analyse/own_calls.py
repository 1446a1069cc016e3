"""Calls that mean something of their own: fields that are set, classes asked for, doors of zygpy's."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from zygpy.analyse import fields
from zygpy.analyse.classes import class_asked_for
from zygpy.analyse.constructions import new_thing
from zygpy.analyse.effects import store_into, store_into_field
from zygpy.analyse.facts import Dynamic, Intrinsic, Plain
from zygpy.analyse.machinery import WRITING_DOORS, is_door, is_tool
from zygpy.analyse.opaque import Arguments, call_sites, dynamic_call
from zygpy.analyse.outside import kind_of_function_outside
from zygpy.analyse.run import Run
from zygpy.analyse.sites import BY_NAME, all_of, both, contained, everything, extracted, sites_of
from zygpy.analyse.values import Environment, Value, make
from zygpy.codes import own_name
from zygpy.ir import core
from zygpy.ir.kinds import (
    BOOL,
    NEVER,
    NOTHING,
    UNKNOWN,
    Known,
    LocalFunction,
    Nothing,
    Object,
    Perhaps,
    Tuple,
    carries_gradient,
    kind_of,
    unfolded,
)
from zygpy.runtime.administration import is_administrative, makes_code
from zygpy.runtime.inherited import (
    called_in_class,
    descriptor_in_class,
    is_kept,
    note_kept,
    setter_in_class,
)
from zygpy.runtime.native import GIVING_THINGS
from zygpy.runtime.partials import captured, label
from zygpy.runtime.zeros import zero_tangent


def own_call(
    run: Run, statement: core.Assign, callee: Any, values: list[Value], env: Environment
) -> Value | None:
    """The value of a call of a door, or of a function of zygpy's own through which no gradient goes; None
    for any other."""
    if isinstance(callee, FunctionType) and callee in WRITING_DOORS and any(value.active for value in values):
        run.by_identity()
        return dynamic_call(run, statement, values, env)
    if is_door(callee):
        result = dynamic_call(run, statement, values, env)
        return make(Tuple((UNKNOWN, UNKNOWN)), result.active, result.sites | contained(result.sites))
    if makes_code(callee) and (run.facts.way.identity or not any(value.active for value in values)):
        return dynamic_call(run, statement, values, env)
    if is_administrative(callee) and not any(value.active for value in values):
        run.facts.calls[id(statement)] = Plain()
        return make(UNKNOWN, False, call_sites(run, statement, values, env))
    zeros = fields.kind_of_zeros(values[0].kind) if callee is zero_tangent else None
    if zeros is not None:
        return new_thing(run, statement, zeros, env)
    if not is_tool(callee):
        return None
    run.facts.calls[id(statement)] = Plain()
    given = all_of(everything(value.sites) for value in values)
    return make(UNKNOWN, callee in GIVING_THINGS and any(value.active for value in values), given)


def field_set(
    run: Run,
    statement: core.Assign,
    callee: Any,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    env: Environment,
) -> Value | None:
    """The value of `object.__setattr__(o, "name", v)`, where the fields of the object are known."""
    args, keywords = call
    run.facts.fields.discard(id(statement))
    if callee is not object.__setattr__ or len(args) != 3 or keywords:
        return None
    holder, name, stored = args
    if not isinstance(holder, core.Var) or not isinstance(name, core.Const) or isinstance(stored, core.Star):
        return None
    value, given = run.value(holder, env), run.value(stored, env)
    if not fields.may_set(run, value.kind, str(name.value), past=True):
        return None
    if (value.active or given.active) and not run.by_identity():
        return None
    run.facts.fields.add(id(statement))
    run.facts.entered.add(id(statement))
    store_into_field(run, statement, holder.name, str(name.value), given, env)
    run.facts.calls[id(statement)] = Intrinsic("set field") if env[holder.name].active else Plain()
    return make(NOTHING)


def captured_value(
    run: Run,
    statement: core.Assign,
    callee: Any,
    values: list[Value],
    call: tuple[Arguments, tuple[core.Keyword, ...]],
) -> Value | None:
    """What a function has captured that a program has made; None of any other call."""
    if callee is not captured:
        return None
    function, name = values[0], call[0][1]
    if not isinstance(function.kind, LocalFunction) or not isinstance(name, core.Const):
        return None
    result = value_captured(function, function.kind, name.value)
    run.facts.calls[id(statement)] = Intrinsic("captured") if result.active else Plain()
    return result


def function_of_class(
    run: Run,
    statement: core.Assign,
    callee: Any,
    values: list[Value],
    call: tuple[Arguments, tuple[core.Keyword, ...]],
) -> Value | None:
    """`called_in_class(o, name)`, `setter_in_class(o, name)`: a function that is known; None of any other
    call."""
    name = getattr(call[0][1], "value", "") if len(call[0]) > 1 else ""
    if callee is descriptor_in_class and isinstance(values[0].kind, Object):
        run.facts.calls[id(statement)] = Plain()
        kind = fields.descriptor_in(run, values[0].kind, name)
        return make(kind) if isinstance(kind, Nothing) else make(kind, False, BY_NAME)
    if callee is not called_in_class and callee is not setter_in_class:
        return None
    if callee is called_in_class:
        found = fields.called_in(run, values[0].kind, name)
    else:
        found = fields.setter_in(run, values[0].kind, name)
    kind = kind_of_function_outside(run, found) or kind_of(found)
    if not isinstance(kind, Known | LocalFunction):
        return None
    run.facts.calls[id(statement)] = Plain()
    return make(kind, False, BY_NAME)


def kept_value(run: Run, statement: core.Assign, callee: Any, env: Environment) -> Value | None:
    """The value of `is_kept(o, name)` and of `note_kept(o, name)`, behind which the object surely has the
    field; None of any other call."""
    op = statement.op
    if callee not in (is_kept, note_kept) or not isinstance(op, core.Call):
        return None
    owner, name = op.args[0], getattr(op.args[1], "value", "")
    run.facts.calls[id(statement)] = Plain()
    if callee is is_kept or not isinstance(owner, core.Var) or owner.name not in env:
        return make(BOOL if callee is is_kept else NOTHING)
    kind = env[owner.name].kind
    if isinstance(kind, Object) and kind.fields is not None:
        known = dict(unfolded(kind).fields or ())
        found = known.get(name, NEVER)  # nothing gets here if there is none
        known[name] = found.kind if isinstance(found, Perhaps) else found
        fields.set_kind(env, owner.name, fields.of_fields(kind.cls, known))
    return make(NOTHING)


def value_captured(function: Value, kind: LocalFunction, name: str) -> Value:
    """What is known of what a function carries by a name: it may be that itself."""
    if name == own_name(kind.function):
        return function
    found = dict(kind.captured).get(name, UNKNOWN)
    active = function.active and carries_gradient(found)
    return make(found, active, both(function.sites, extracted(function.sites)))


def labelled(
    run: Run,
    statement: core.Assign,
    callee: Any,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value | None:
    """What wraps a function gets the fields that the function has, which may have a gradient; None of any
    other call, and where nothing is found by identity."""
    if callee is not label or not run.facts.way.identity:
        return None
    if any(isinstance(arg, core.Star) for arg in call[0]):
        return dynamic_call(run, statement, values, env)  # which of them is the wrapper is not known
    wrapper, wrapped = call[0][:2]
    assert not isinstance(wrapper, core.Star)
    assert not isinstance(wrapped, core.Star)
    store_into(run, statement, wrapper, run.value(wrapped, env), env)
    return dynamic_call(run, statement, values, env, writes=False)


def class_of_thing(run: Run, statement: core.Assign, callee: Any, values: list[Value]) -> Value | None:
    """`type(x)`: a class, in which what is stored is outside."""
    if callee is not type or len(values) != 1:
        return None
    found = class_asked_for(run, values[0].kind)
    if found is not None:
        run.facts.calls[id(statement)] = Plain()
    return found


def pullback(run: Run, statement: core.Assign, values: list[Value], env: Environment) -> Value:
    """The call of a pullback: it writes nothing, and what it returns is fresh or comes from the seed,
    never from what it carries."""
    active = any(value.active for value in values)
    run.facts.calls[id(statement)] = Dynamic() if active else Plain()
    if active:
        run.facts.unseen.add(id(statement))
    site = sites_of(run.allocate(statement, env))
    given = all_of(everything(value.sites) for value in values[1:])
    return make(UNKNOWN, active, site | given | contained(site | given))
