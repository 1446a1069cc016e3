"""Calls of methods."""

from __future__ import annotations

from types import FunctionType, MethodDescriptorType, ModuleType
from typing import Any, cast

from zygpy.analyse import containers, fields, objects
from zygpy.analyse.array_writes import WRITING_METHODS
from zygpy.analyse.calls import by_rule_of_method, call_known, called_field
from zygpy.analyse.containers import may_change_a_set
from zygpy.analyse.dispatched import method_dispatched
from zygpy.analyse.effects import is_set_kind, store_into
from zygpy.analyse.facts import (
    Guard,
    Intrinsic,
    Plain,
)
from zygpy.analyse.opaque import call_sites, dynamic_call, through_a_door
from zygpy.analyse.paths import is_stable
from zygpy.analyse.plain_entries import note_append
from zygpy.analyse.primitives import by_rule
from zygpy.analyse.random_draws import drawn_by_method
from zygpy.analyse.replaced import has_program
from zygpy.analyse.rule_calls import method_of_set
from zygpy.analyse.run import Run
from zygpy.analyse.sites import own
from zygpy.analyse.summaries import user_function
from zygpy.analyse.values import INERT, Environment, Value, make
from zygpy.ir import core
from zygpy.ir.access import MUTATORS, operands
from zygpy.ir.classes import HEAP_TYPE, STATEFUL
from zygpy.ir.kinds import UNKNOWN, Array, Kind, Known, List, Never, Object, Unknown, is_numeric
from zygpy.marks import is_marked
from zygpy.rules import declare
from zygpy.runtime import replaced
from zygpy.runtime.writing_programs import WRITING, WRITING_ITSELF


def resolve_method(run: Run, statement: core.Assign, op: core.CallMethod, env: Environment) -> Value:
    """The value of `value.name(...)`."""
    values = [run.value(atom, env) for atom in operands(op)]
    objects.note_things(run, values)
    objects.note_conversion(run, op.name, values)
    if any(isinstance(value.kind, Never) for value in values):
        run.facts.calls[id(statement)] = Plain()
        return make(Never())
    if isinstance(values[0].kind, Unknown):
        return _of_unknown(run, statement, op, values, env)
    found = _of_known(run, statement, op, values, env) or drawn_by_method(run, statement, op, values, env)
    if found is not None:
        return found
    kind = values[0].kind
    known = _of_module(run, kind, op.name) or _of_c(run, kind, op.name) or fields.called(run, kind, op.name)
    if known is not None:
        callee, with_object = known
        args = (op.value, *op.args) if with_object else op.args
        values = values if with_object else values[1:]
        return call_known(run, statement, callee, (args, op.keywords), values, env)
    carrying = _by_class(run, statement, op, values, env) or called_field(run, statement, op, env)
    if carrying is not None:
        return carrying
    if is_set_kind(values[0].kind):
        return method_of_set(run, statement, op.value, values, env)
    if any(value.active for value in values) and objects.may_change(run, values[0], op, values):
        run.by_identity()
    return dynamic_call(run, statement, values, env)


def _by_class(
    run: Run, statement: core.Assign, op: core.CallMethod, values: list[Value], env: Environment
) -> Value | None:
    """The value of a method that is found by the class of what it is given; None of any other."""
    found = method_dispatched(run, values[0].kind, op, env)
    call = (op.value, *op.args), op.keywords
    return None if found is None else call_known(run, statement, found, call, values, env)


def _of_module(run: Run, kind: Kind, name: str) -> tuple[Any, bool] | None:
    """The function of a module that a variable holds, which is not given the module; None otherwise."""
    if not (isinstance(kind, Known) and isinstance(kind.value, ModuleType)) or name in run.scope.replaced:
        return None
    found = getattr(kind.value, name, None)
    if found is None or not is_stable(found):
        return None
    run.note(Guard(kind.value, name, found))
    return found, False


def _of_c(run: Run, kind: Kind, name: str) -> tuple[Any, bool] | None:
    """The method of a class written in C, in whose place a program stands: its objects hold nothing by a
    name of their own, and the class cannot be changed. None of anything else."""
    cls = kind.cls if isinstance(kind, Object) else object
    found = vars(cls).get(name)
    fixed = not cls.__flags__ & HEAP_TYPE and not cls.__dictoffset__
    return (found, True) if fixed and type(found) is MethodDescriptorType and has_program(found) else None


def _of_unknown(
    run: Run, statement: core.Assign, op: core.CallMethod, values: list[Value], env: Environment
) -> Value:
    """A method of what may be anything."""
    active = any(value.active for value in values)
    out = next((keyword.value for keyword in op.keywords if keyword.name == "out"), None)
    if active and (op.name in WRITING_METHODS or isinstance(out, core.Var)):
        run.by_identity()
    if active and out is not None:
        store_into(run, statement, out, make(UNKNOWN, True), env)
    if active and op.name in MUTATORS:
        return _update(run, statement, op, values, env)
    of_set = may_change_a_set(op.name, len(op.args))
    if active and of_set:
        run.by_identity()
    if (op.name in MUTATORS or of_set) and isinstance(op.value, core.Var):
        for value in values[1:]:  # which may become active later
            store_into(run, statement, op.value, value, env)
    if active and not run.facts.way.identity and objects.may_change(run, values[0], op, values):
        run.by_identity()
    return dynamic_call(run, statement, values, env)


def _of_known(
    run: Run, statement: core.Assign, op: core.CallMethod, values: list[Value], env: Environment
) -> Value | None:
    """A method of a number, an array, a container or a store; None where it is that of another object."""
    receiver, call = values[0], ((op.value, *op.args), op.keywords)
    ruled = by_rule_of_method(run, statement, op, values, env) if is_numeric(receiver.kind) else None
    if ruled is not None:
        return ruled
    if (
        run.facts.way.identity
        and isinstance(receiver.kind, Object)
        and is_marked(receiver.kind.cls, STATEFUL)
    ):
        return _method_of_store(run, statement, op, receiver.kind.cls, values, env)
    if isinstance(receiver.kind, List) and op.name == "sort" and receiver.active:
        return user_function(run, statement, _program_of_sort(receiver.kind, op), call, values, env)
    intrinsic = containers.method_value(run, statement, op, receiver, env)
    if intrinsic is not None:
        if not note_append(run, statement, op, env):
            through_a_door(run, statement)
        return intrinsic
    writing = _program_of_write(receiver.kind, op.name)
    if writing is not None:
        return user_function(run, statement, writing, call, values, env)
    reading = _program_of_read(op, values) if is_numeric(receiver.kind) else None
    if reading is not None:
        return user_function(run, statement, reading, call, values, env)
    rule = declare.find(declare.METHODS.get(op.name)) if is_numeric(receiver.kind) else None
    return None if rule is None else by_rule(run, statement, rule, call, values, env)


def _program_of_write(kind: Kind, name: str) -> FunctionType | None:
    """The program for a method of an array that writes into it; None of any other method."""
    programs = WRITING_ITSELF if isinstance(kind, Array) else WRITING
    return cast(FunctionType | None, programs.get(name)) if is_numeric(kind) else None


def _program_of_read(op: core.CallMethod, values: list[Value]) -> FunctionType | None:
    """The program for a method of an array that reads it in an order which may be told by memory; None of any
    other."""
    function = declare.METHODS.get(op.name)
    if function not in declare.PROGRAMS or not any(value.active for value in values):
        return None
    names = frozenset(keyword.name for keyword in op.keywords if keyword.name is not None)
    spread = len(names) < len(op.keywords) or any(isinstance(arg, core.Star) for arg in op.args)
    if spread or _order_of(op) in ("C", "F"):
        return None
    return declare.PROGRAMS[function].program_for([value.kind for value in values[: 1 + len(op.args)]], names)


def _order_of(op: core.CallMethod) -> Any:
    """The order in which a method reads an array, if it is written down; None of any other."""
    named = [keyword.value for keyword in op.keywords if keyword.name == "order"]
    given = named or op.args[-1:]
    return given[0].value if given and isinstance(given[0], core.Const) else None


def _program_of_sort(kind: Kind, op: core.CallMethod) -> FunctionType:
    """The program for `xs.sort(...)`."""
    plain = not fields.may_have_code(kind) and all(keyword.name == "reverse" for keyword in op.keywords)
    return cast(FunctionType, replaced.put_in_order_of_items if plain else replaced.put_in_order)


def _method_of_store(
    run: Run,
    statement: core.Assign,
    op: core.CallMethod,
    cls: type,
    values: list[Value],
    env: Environment,
) -> Value:
    """What keeps cotangents is differentiated as any program is; what it gives of its arrays, the writes
    to which are its own, has its place by memory."""
    if op.name in getattr(cls, STATEFUL):
        run.facts.calls[id(statement)] = Plain()
        return make(UNKNOWN, True, own(values[0].sites))
    return dynamic_call(run, statement, values, env)


def _update(
    run: Run, statement: core.Assign, op: core.CallMethod, values: list[Value], env: Environment
) -> Value:
    """A method that may change its receiver, whose kind is not known."""
    for value in values[1:] or [INERT]:
        store_into(run, statement, op.value, value, env)
    spread = op.keywords or any(isinstance(arg, core.Star) for arg in op.args)
    if run.facts.way.identity or (spread and run.by_identity()):
        return dynamic_call(run, statement, values, env)
    if isinstance(op.value, core.Var) and op.value.name in env:
        current = env[op.value.name]
        env[op.value.name] = make(UNKNOWN, True, current.sites)
    run.facts.calls[id(statement)] = Intrinsic("update")
    return make(UNKNOWN, True, call_sites(run, statement, values, env))
