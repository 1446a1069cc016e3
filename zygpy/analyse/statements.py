"""Statements without blocks."""

from __future__ import annotations

from zygpy.analyse import fields, options, transfer
from zygpy.analyse.calls import resolve_call
from zygpy.analyse.classes import shares_data, with_members
from zygpy.analyse.effects import (
    comes_to_hold_itself,
    escape,
    hand_to_sharers,
    is_apart,
    note_given_away,
    note_held,
    note_write,
)
from zygpy.analyse.facts import Dynamic, Plain
from zygpy.analyse.held_kinds import as_shown, with_content
from zygpy.analyse.iterated import parts_of, starred_parts
from zygpy.analyse.known_texts import with_text
from zygpy.analyse.methods import resolve_method
from zygpy.analyse.opaque import dynamic_call, run_by_an_operation
from zygpy.analyse.operations import operation_value
from zygpy.analyse.operators import bound_anew, by_method
from zygpy.analyse.questions import lost_answer, refuse_lost_answer
from zygpy.analyse.run import Run
from zygpy.analyse.signs import gives_no_negative, real_power
from zygpy.analyse.sites import OUTSIDE, contained, everything, reachable, sites_of, with_holders
from zygpy.analyse.something import note_checked
from zygpy.analyse.unseen import note_unseen_code
from zygpy.analyse.values import (
    INERT,
    Environment,
    Value,
    cell_variable,
    holds_inert_outside,
    is_inert_outside,
    make,
    remade,
    replace_by_joined,
)
from zygpy.analyse.writes import grown_by, note_escape, write, write_outside
from zygpy.ir import core
from zygpy.ir.access import operands
from zygpy.ir.kinds import (
    BOOL,
    NEVER,
    UNKNOWN,
    Array,
    Dict,
    Kind,
    List,
    Never,
    NumberOrArray,
    Object,
    Optional,
    Tuple,
    Unknown,
    is_numeric,
    is_scalar,
)


def simple(run: Run, statement: core.Statement, env: Environment) -> None:
    """A statement without blocks: update the environment in place."""
    for spelled in (run.facts.gathered, run.facts.read_in_front):
        spelled.pop(id(statement), None)
    arms = options.arms(run, statement, env)
    if not arms:
        _simple(run, statement, env)
        return
    for arm in arms:
        _simple(run, statement, arm)
    replace_by_joined(env, arms)


def _simple(run: Run, statement: core.Statement, env: Environment) -> None:
    match statement:
        case core.Assign(target, op, _):
            _assign(run, statement, target, op, env)
        case core.Unpack():
            _unpack(run, statement, env)
        case core.AugmentName():
            _augment_name(run, statement, env)
        case core.DelName(name):
            env.pop(name, None)
        case core.DelCell():
            pass
        case core.WriteCell(name, value):
            stored = run.value(value, env)
            note_held(run, stored.sites)
            note_given_away(run, stored.sites)
            _note_readers(run, name, stored)
            note_escape(run, stored)
            run.facts.keeps_variables |= stored.active and name in run.facts.function.captured
            env[cell_variable(name)] = make(UNKNOWN, True, stored.sites | sites_of(OUTSIDE))
            hand_to_sharers(name, stored, env)
        case core.WriteGlobal(_, value):
            note_escape(run, run.value(value, env))
            escape(run, env, run.value(value, env))
            write_outside(run, statement, run.value(value, env))
        case _:
            write(run, statement, env)


def _note_readers(run: Run, name: str, stored: Value) -> None:
    """Who reads a variable that the function has from outside finds by memory what it holds of arrays."""
    if name in run.facts.function.captured and stored.active and not is_scalar(stored.kind):
        run.by_identity()


def _assign(run: Run, statement: core.Assign, target: str, op: core.Op, env: Environment) -> None:
    if isinstance(op, core.Call) and options.is_question(run, op):
        run.facts.calls[id(statement)] = Plain()
        note_checked(run, op, env)
        env[target] = make(BOOL)
        return
    values = [run.value(atom, env) for atom in operands(op)]
    if lost_answer(op, None, lambda atom: run.value(atom, env)):
        refuse_lost_answer(run, statement)
    match op:
        case core.Call():
            value = resolve_call(run, statement, op, env)
        case core.CallMethod():
            value = resolve_method(run, statement, op, env)
        case _:
            none = _of_no_value_yet(run, statement, op, values)
            value = none or by_method(run, statement, op, env) or operation_value(run, statement, op, env)
            run.facts.calls.setdefault(id(statement), Plain())
    if _is_done_for_its_effect(run, statement, values) and run.by_identity():
        value = dynamic_call(run, statement, values, env)
    env[target] = with_text(run, op, with_shared_data(run, value), env)
    note_unseen_code(run, statement, values, env)


def _of_no_value_yet(run: Run, statement: core.Assign, op: core.Op, values: list[Value]) -> Value | None:
    """The value of an operator, an item or an attribute where there is no value yet, as of a recursive call
    that is being interpreted: no method is entered with that. None of anything else."""
    if not isinstance(op, core.Binary | core.Unary | core.GetItem | core.GetAttr):
        return None
    if not any(isinstance(value.kind, Never) for value in values):
        return None
    active = any(value.active for value in values)
    if active and run.facts.way.identity:
        run.found_when_run(statement)
    else:
        run.facts.calls[id(statement)] = Dynamic() if active else Plain()
    return make(NEVER, active)


def with_shared_data(run: Run, value: Value) -> Value:
    """A value by which something is found that has a gradient, though it holds nothing of the sort: what its
    class has, or what the methods of its class read."""
    if value.active or not run.facts.way.everywhere or not shares_data(value.kind):
        return value
    return remade(value, value.kind, True, value.sites)


def _is_done_for_its_effect(run: Run, statement: core.Assign, values: list[Value]) -> bool:
    """Whether nobody reads what an operation gives that is found when it is made, and a thing outside may
    keep what it is given then."""
    if not isinstance(run.facts.calls.get(id(statement)), Dynamic) or id(statement) in run.facts.unseen:
        return False
    dead = statement.target not in run.live[id(statement)] and not run.is_own()
    outside = [value for value in values if holds_inert_outside(value) and fields.may_have_code(value.kind)]
    return dead and bool(outside) and any(value.active for value in values)


def _unpack(run: Run, statement: core.Unpack, env: Environment) -> None:
    value = with_members(run.value(statement.value, env), everywhere=run.facts.way.everywhere)
    if isinstance(value.kind, Optional):  # None has no parts
        value = value._replace(kind=value.kind.kind)
    run.note_taking_apart(value)
    if fields.may_run(value):
        fields.forget(run, env)
    count = len(statement.targets)
    if statement.star is None:
        parts = parts_of(value, count)
    else:
        parts = starred_parts(run, statement, value, statement.star)
    for name, part in zip(statement.targets, parts, strict=True):
        env[name] = part


def _augment_name(run: Run, statement: core.AugmentName, env: Environment) -> None:
    name = statement.target
    current, value = env.get(name, INERT), run.value(statement.value, env)
    anew = bound_anew(run, statement.op, [current, value])
    if anew is not None:  # which is spelled out then
        sites = everything(current.sites | value.sites) | sites_of(run.allocate(statement, env))
        env[name] = make(anew.kind, current.active or value.active, sites)
        return
    run_by_an_operation(run, statement, [current, value], env)
    current, value = env.get(name, INERT), run.value(statement.value, env)
    _note_augmented(run, current, value.kind, env)
    note_held(run, value.sites)
    active = current.active or value.active
    if active and _is_followed_by_identity(current.kind, value.kind, statement.op):
        run.by_identity()
    exponent = statement.value.value if isinstance(statement.value, core.Const) else None
    kind = transfer.binary(statement.op, current.kind, value.kind, exponent)
    if isinstance(current.kind, Array) and is_numeric(value.kind):
        # In place: the array keeps its dtype and shape.
        kind = current.kind
    if active and _may_change_outside(run, current):
        run.everywhere()
    if current.sites:
        note_write(run, statement, name, env, with_holders(current.sites))
        sites = current.sites | contained(value.sites)
        env[name] = make(kind, active, sites | sites_of(run.allocate(statement, env)))
        _activate_aliases(env, current, active)
        if isinstance(current.kind, List | Dict | Unknown) and statement.op in ("+", "|"):
            added = grown_by(statement.op, value)
            _grow_aliases(name, current, added, env)
            if not isinstance(value.kind, Unknown) and comes_to_hold_itself(current, added):
                run.by_identity()
    else:
        kind = real_power(current, value.kind, kind) if statement.op == "**" else kind
        result = make(kind, active, contained(value.sites) | sites_of(run.allocate(statement, env)))
        positive = gives_no_negative(statement.op, [current, value], statement.value)
        env[name] = result._replace(never_negative=True) if positive else result


def _grow_aliases(name: str, current: Value, added: Value, env: Environment) -> None:
    """A list or dict that has grown in place has more in it by all of its names."""
    changed = with_holders(current.sites)
    for other, value in list(env.items()):
        if other != name and not value.sites.isdisjoint(changed):
            grown = with_content(value, added, UNKNOWN)
            env[other] = as_shown(grown, current.kind, added.kind, UNKNOWN)


def _may_change_outside(run: Run, current: Value) -> bool:
    """Whether an augmented assignment may change in place what others find: an array, say, as which a value
    of unknown kind counts unless it is looked at as the program runs."""
    if isinstance(current.kind, Unknown) and not (run.facts.way.guarded or run.is_own()):
        return is_inert_outside(current)
    return OUTSIDE in current.sites and isinstance(current.kind, Array | NumberOrArray | List | Dict)


def _note_augmented(run: Run, current: Value, added: Kind, env: Environment) -> None:
    """What `x op= v` does to the fields of objects: a list grows, or code runs."""
    kind = current.kind
    if isinstance(kind, List | Dict) and not fields.may_run(make(added)):
        if not is_apart(run, current):
            fields.store_items(run, env, transfer.element(added))
    elif fields.may_have_code(kind) or fields.may_have_code(added):
        fields.forget(run, env)


def _is_followed_by_identity(current: Kind, added: Kind, symbol: str) -> bool:
    """Whether an augmented assignment changes a container, or runs code of a class."""
    if (is_numeric(current) and is_numeric(added)) or isinstance(current, Tuple):
        return False
    if isinstance(current, List):
        return not isinstance(added, List | Unknown) or symbol != "+"
    return isinstance(current, Array | Dict | Object) and not isinstance(added, Unknown)


def _activate_aliases(env: Environment, current: Value, active: bool) -> None:
    if not active:
        return
    for name, value in env.items():
        if not value.active and not current.sites.isdisjoint(reachable(value.sites)):
            env[name] = remade(value, value.kind, True, value.sites)
