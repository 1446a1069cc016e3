"""Calls of which nothing is known, and what they may have changed."""

from __future__ import annotations

import dis
import sys
from functools import partial
from types import FunctionType, MethodType
from typing import Any

from zygpy.analyse import fields
from zygpy.analyse.candidates import note_needs
from zygpy.analyse.effects import escape, is_container, is_module, mingle, sites_by_name, unknown_effects
from zygpy.analyse.facts import (
    Dynamic,
    Facts,
    Intrinsic,
    Plain,
)
from zygpy.analyse.fresh import makes_a_container, makes_afresh
from zygpy.analyse.held_kinds import as_shown, casts, forgotten, holding_filled
from zygpy.analyse.replaced import is_lazy, may_act
from zygpy.analyse.run import Run
from zygpy.analyse.sites import (
    BY_NAME,
    NAMED,
    OUTSIDE,
    PARAMETER,
    Sites,
    all_of,
    contained,
    everything,
    in_it,
    made_so,
    names_of_parameters,
    or_holding,
    own,
    reachable,
    sites_of,
    with_holders,
)
from zygpy.analyse.values import (
    HELD_NAMED,
    Environment,
    Value,
    at,
    holds_inert_outside,
    is_inert_outside,
    make,
    remade,
)
from zygpy.ir import core
from zygpy.ir.access import operands
from zygpy.ir.classes import HEAP_TYPE, STATEFUL
from zygpy.ir.kinds import (
    UNKNOWN,
    Array,
    Closure,
    Dict,
    Iterator,
    Kind,
    Known,
    List,
    LocalFunction,
    Object,
    OneOf,
    Optional,
    Row,
    Text,
    Tuple,
    Unknown,
    is_mutable,
    is_numeric,
    join,
    keys_of,
    kind_of,
    may_be_anything,
)
from zygpy.marks import is_marked
from zygpy.runtime.lookup import in_class
from zygpy.runtime.partials import CARRIED

Arguments = tuple[core.Atom | core.Star, ...]


def through_a_door(run: Run, statement: core.Assign) -> None:
    """Where things are found by identity, what is done to lists and dicts is done at run time."""
    found = run.facts.calls.get(id(statement))
    if run.facts.way.identity and isinstance(found, Intrinsic) and found.name not in STATIC:
        run.found_when_run(statement)


STATIC = frozenset({"record", "replaced fields", "partial", "copy", "set field", "captured"})
"""Operations on what cannot be changed, and on fields that are known."""


def call_sites(run: Run, statement: core.Assign, values: list[Value], env: Environment) -> Sites:
    """The sites of what a call gives of which nothing is known: it may be an argument, or in one, and where
    nothing active is given to it, a thing that others find."""
    if makes_afresh(run, statement.op, env):
        return sites_of(run.allocate(statement, env))
    found = not any(value.active for value in values) and _is_of_python(run, statement.op)
    others = BY_NAME if found else sites_of(OUTSIDE)
    others = others.union(*(everything(value.sites) for value in values if not is_module(value.kind)))
    here = sites_of(run.allocate(statement, env))
    return here | (contained(others) if makes_a_container(run, statement.op, env) else or_holding(others))


def handed_out(values: list[Value], result: Value) -> Value:
    """What an operation gives that may stand for a method in Python: that is one of what it was given, or in
    one, or a thing that others find."""
    if is_numeric(result.kind) or isinstance(result.kind, Text):
        return result
    if not any(_has_methods(value.kind) for value in values):
        return result
    found = sites_of(OUTSIDE) if result.active else BY_NAME
    given = or_holding(all_of(everything(value.sites) for value in values))
    return make(result.kind, result.active, found.union(result.sites, given))


def _has_methods(kind: Kind) -> bool:
    """Whether operations on a value of this kind, or on what is in it, may run methods in Python."""
    if isinstance(kind, Tuple):
        return any(map(_has_methods, kind.items))
    if isinstance(kind, List | Row):
        return _has_methods(kind.element)
    if isinstance(kind, Known):
        return isinstance(kind.value, type) and _is_in_python(type(kind.value))
    return isinstance(kind, Object) and _is_in_python(kind.cls) and not is_marked(kind.cls, STATEFUL)


def _is_in_python(cls: type) -> bool:
    return bool(cls.__flags__ & HEAP_TYPE)


def _is_of_python(run: Run, op: core.Op) -> bool:
    """Whether a call may be that of a function in Python, which gives what it likes, as the `__new__` of a
    class does, and what calls a class."""
    op = op.call if isinstance(op, core.Caught) else op
    if not isinstance(op, core.Call):
        return False
    callee = None if isinstance(op.func, core.Var) else run.resolve(op.func).value
    if isinstance(callee, type):
        made_by = in_class(callee, "__new__", None), in_class(type(callee), "__call__", None)
        return any(isinstance(getattr(found, "__func__", found), FunctionType) for found in made_by)
    return isinstance(op.func, core.Var) or isinstance(callee, FunctionType)


def dynamic_call(
    run: Run, statement: core.Assign, values: list[Value], env: Environment, *, writes: bool = True
) -> Value:
    """A call that is found when it is made; with `writes` it may store what is active in any array that it
    can reach."""
    active = any(value.active for value in values) or run.facts.way.everywhere
    run.facts.calls[id(statement)] = Dynamic() if active else Plain()
    run.facts.silent.discard(id(statement))
    if active:
        run.facts.unseen.add(id(statement))
        _note_things_outside(run, statement, values)
        _note_what_may_be_called(run, statement, values)
    else:
        run.facts.quiet.add(id(statement))
    if writes:
        _note_changes(run, statement, values, env)
    if run.facts.way.identity:
        passed_on(run, values, env, active=active, writes=writes)
    else:
        fields.forget(run, env)
        _passed_on_plainly(run, values, env, active=active)
    if not active:
        kept_by_code(run, statement, values, env)
    return make(UNKNOWN, active, call_sites(run, statement, values, env))


def kept_by_code(run: Run, statement: core.Assign, values: list[Value], env: Environment) -> None:
    """A method of which nothing is known, or a function that a builtin calls, may keep what it is given, in
    which nothing varies yet, where others find it, such as in a class."""
    if run.is_own():
        return
    is_method = isinstance(statement.op, core.CallMethod) and bool(values)
    if (is_method and _is_of_the_program(values[0].kind)) or any(map(may_keep_things, values)):
        for value in values:
            if isinstance(value.kind, List | Dict | Array):
                escape(run, env, value)


def _is_of_the_program(kind: Kind) -> bool:
    """Whether a value is an object whose methods are code of the program's, not of the standard library's."""
    return isinstance(kind, Object) and _is_in_python(kind.cls) and not _is_standard(kind.cls)


def may_keep_things(value: Value) -> bool:
    """Whether a value is a function which may store what it is given."""
    if isinstance(value.kind, Unknown | Object) and value.made is None:
        return False
    return may_act(value)


def _is_standard(cls: type) -> bool:
    """Whether a class is one of the standard library's."""
    return str(cls.__module__).partition(".")[0] in sys.stdlib_module_names


def _note_what_may_be_called(run: Run, statement: core.Assign, values: list[Value]) -> None:
    """A function that is called may change what it is given, which can be followed only by identity."""
    op = statement.op.call if isinstance(statement.op, core.Caught) else statement.op
    if (
        isinstance(op, core.CallMethod)
        and op.name in CARRIED
        and isinstance(values[0].kind, Closure | Unknown)
    ):
        run.by_identity()  # what a function carries is called
    if isinstance(op, core.Call) or _is_call_of_field(op, values):
        note_needs(run, [*_called_by_name(run.facts, op), *values])


def _is_call_of_field(op: core.Op, values: list[Value]) -> bool:
    """Whether what is called is no method of an object's class, but what the object holds."""
    if not isinstance(op, core.CallMethod) or not values:
        return False
    kind = values[0].kind
    return isinstance(kind, Object) and in_class(kind.cls, op.name) is None


def _note_things_outside(run: Run, statement: core.Assign, values: list[Value]) -> None:
    """Things that others find without being given them may get what is active from code of which nothing is
    known. (Where nothing is found by identity, such a call is refused when it is made, unless what is called
    keeps that in variables of its own.)"""
    if not any(value.active for value in values):
        return
    given = [*_receivers(run.facts, statement.op), *_given_to(statement.op, values)]
    keeping = [value for value in given if _is_kept_in(value.kind)]
    run.facts.keeping |= parameters_in(keeping)
    if run.is_own() or not any(is_kept_outside(run, value) for value in keeping):
        return
    if run.facts.way.guarded:
        run.facts.guarded.add(id(statement))
    else:
        run.everywhere()


def _called_by_name(facts: Facts, op: core.Op) -> list[Value]:
    """What is called by a name, where that may keep something: a function that carries variables, a method
    with its object, or a function with arguments. (What objects do that are called is known.)"""
    callee = _path_of(facts, op)
    of_class = isinstance(callee, MethodType) and isinstance(callee.__self__, type)
    if of_class or not isinstance(callee, FunctionType | MethodType | partial):
        return []
    return [make(kind_of(callee), False, sites_by_name(callee))]


def _receivers(facts: Facts, op: core.Op) -> list[Value]:
    """The same but for functions, whose variables tell what they keep."""
    called = _called_by_name(facts, op)
    return [] if called and isinstance(_path_of(facts, op), FunctionType) else called


def _path_of(facts: Facts, op: core.Op) -> Any:
    """What is called by a name; None of other operations."""
    op = op.call if isinstance(op, core.Caught) else op
    path = op.func if isinstance(op, core.Call) else None
    return facts.objects.get(path.names) if isinstance(path, core.Path) else None


def makes_lazily(facts: Facts, statement: core.Assign) -> bool:
    """Whether a call makes an iterator that calls what it is given later."""
    return is_lazy(_path_of(facts, statement.op))


def things_outside(facts: Facts, statement: core.Assign | core.AugmentName) -> list[core.Atom | core.Path]:
    """What a statement is given, or calls, that may keep what is active where others find it."""
    if isinstance(statement, core.AugmentName):
        parts: tuple[core.Atom, ...] = (core.Var(statement.target), statement.value)
        return [part for part in parts if may_keep(facts.value(statement, part))]
    op = statement.op.call if isinstance(statement.op, core.Caught) else statement.op
    called = any(map(may_keep, _receivers(facts, op)))
    things = [part for part in operands(op) if may_keep(facts.value(statement, part))]
    return [*([op.func] if called and isinstance(op, core.Call) else []), *things]


def _given_to(op: core.Op, values: list[Value]) -> list[Value]:
    """What a call gives to code of which nothing is known."""
    op = op.call if isinstance(op, core.Caught) else op
    if isinstance(op, core.CallMethod):
        kind = values[0].kind
        own = isinstance(kind, List | Dict) and not is_inert_outside(values[0])  # nothing in it is changed
        return values[1:] if own or _is_received_by_none(kind, op.name) else values
    if isinstance(op, core.Call) and isinstance(op.func, core.Var) and values:
        return values if _is_found(values[0]) else values[1:]
    return values


def is_kept_outside(run: Run, value: Value) -> bool:
    """Whether what is active may be kept in a value by whoever is given it, and others find it there."""
    if run.facts.way.identity:
        return holds_inert_outside(value)
    return isinstance(value.kind, Closure) and not value.sites.isdisjoint(sites_of(NAMED, HELD_NAMED))


def _is_found(value: Value) -> bool:
    """Whether what is called may be something else than a function that was made here."""
    given = bool(made_so(value.sites, PARAMETER))
    return given or isinstance(value.kind, Object) or NAMED in value.sites or HELD_NAMED in value.sites


def may_keep(value: Value) -> bool:
    """Whether a value may be a thing that others find, and that had nothing active in it."""
    return holds_inert_outside(value) and _is_kept_in(value.kind)


def _is_kept_in(kind: Kind) -> bool:
    """Whether something can be stored in a thing of this kind."""
    if isinstance(kind, Object):
        return kind.cls is not object and not is_module(kind)
    return is_container(kind)


def parameters_in(values: list[Value]) -> set[str]:
    """The parameters that values are, or lie in."""
    sites = all_of(reachable(value.sites) for value in values)
    return names_of_parameters(sites)


def _is_received_by_none(kind: Kind, name: str) -> bool:
    """Whether what is called by this name on an object is not given the object."""
    if not isinstance(kind, Object):
        return False
    return isinstance(in_class(kind.cls, name), classmethod | staticmethod)


def _passed_on_plainly(run: Run, values: list[Value], env: Environment, *, active: bool) -> None:
    """Values are given to code of which nothing is known, and nothing is found by identity."""
    unknown_effects(run, values)
    if not active:
        mingle(env, values, active=False)
    elif any(
        isinstance(value.kind, Closure) for value in values
    ):  # it may keep what it is given in a variable
        mingle(env, values, active=False, holders=Closure)
    for value in values:
        if isinstance(value.kind, List | Dict | Tuple | Row):
            change_kinds(env, value.sites, UNKNOWN)
    forget_kinds(env, values)


def _note_changes(run: Run, statement: core.Statement, values: list[Value], env: Environment) -> None:
    """Arrays that a call may have changed: what is read from them afterwards is something else."""
    reached = with_holders(all_of(everything(value.sites) for value in values))
    changed = {name for name, value in at(env, reached) if not is_container(value.kind)}
    run.facts.writes[id(statement)] = run.facts.writes.get(id(statement), frozenset()) | changed


def passed_on(run: Run, values: list[Value], env: Environment, *, active: bool, writes: bool = True) -> None:
    """Values are given to code of which nothing is known, and things are found by identity."""
    unknown_effects(run, values)
    run.facts.mingles = True
    fields.forget(run, env)
    forget_kinds(env, values)
    mingle(env, values, active=active)
    if active and writes:
        activate_arrays(env, values)


def run_by_an_operation(run: Run, statement: core.Statement, values: list[Value], env: Environment) -> None:
    """An operator, an index or an attribute may stand for a method in Python, which may do with what it is
    given whatever a call may do."""
    note_objects_outside(run, statement, values)
    if _may_be_methods([value.kind for value in values]):
        run_by_methods(run, statement, values, env)


def changed_by_constants(env: Environment, values: list[Value]) -> None:
    """An operator on constants may stand for a method in Python, which may store some of them."""
    if _may_be_methods([value.kind for value in values]):
        forget_kinds(env, values)


def kept_by_methods(run: Run, op: core.Op, env: Environment) -> None:
    """An operation on what does not vary may stand for a method in Python that stores one operand in another:
    what varies may come into either of them later."""
    if run.is_own() or not isinstance(op, core.Binary | core.Compare | core.GetItem):
        return
    values = [run.value(atom, env) for atom in operands(op)]
    things = [value for value in values if is_mutable(value.kind)]
    if len(things) < 2 or any(value.active for value in values) or not _may_keep(op, values):
        return
    run.facts.mixed |= parameters_in(things)
    mingle(env, things, active=False)


def _may_keep(op: core.Op, values: list[Value]) -> bool:
    """Whether an operation may call a method that stores what it is given."""
    match op:
        case core.GetItem():
            asked = values[:1]
        case core.Compare("in" | "not in"):
            asked = values[1:]
        case core.Compare("is" | "is not"):
            asked = []
        case _:
            asked = values
    return any(may_be_anything(value.kind) or is_changed_by_operators(value.kind) for value in asked)


def run_by_methods(run: Run, statement: core.Statement, values: list[Value], env: Environment) -> None:
    """Code in Python runs that classes bring, of which nothing is known."""
    if run.facts.way.identity and any(value.active for value in values):
        _note_changes(run, statement, values, env)
        passed_on(run, values, env, active=True)
    elif run.facts.way.identity or any(isinstance(value.kind, Object) for value in values):
        forget_kinds(env, values)


def note_objects_outside(run: Run, statement: core.Statement, values: list[Value]) -> None:
    """An operator, a question or an index may have an object that others find keep what is active. What is
    not known to be one is looked at before and after it."""
    if not any(value.active for value in values):
        return
    run.facts.operated |= parameters_in([value for value in values if is_container(value.kind)])
    outside = [value for value in values if is_inert_outside(value)]
    if any(isinstance(value.kind, Object) and is_changed_by_operators(value.kind) for value in outside):
        run.everywhere()
    elif any(isinstance(value.kind, Unknown) and OUTSIDE in value.sites for value in outside):
        look_at(run, statement)


def look_at(run: Run, statement: core.Statement) -> None:
    """What a statement does to things outside is looked at, where nobody expects that it does anything."""
    followed = run.facts.way.identity or isinstance(statement, core.AugmentName)
    if followed and not (run.is_own() or run.facts.way.everywhere):
        run.facts.guarded.add(id(statement))


def is_changed_by_operators(kind: Kind) -> bool:
    """Whether a value of this kind may be changed by an operator, or hold something that is."""
    if isinstance(kind, Tuple):
        return any(map(is_changed_by_operators, kind.items))
    if isinstance(kind, List | Row):
        return is_changed_by_operators(kind.element)
    if not isinstance(kind, Object):
        return False
    methods = (found for cls in kind.cls.__mro__ for found in vars(cls).items())
    return any(name in OPERATORS and _stores(function) for name, function in methods)


def _stores(function: Any) -> bool:
    """Whether a method's code stores something in an object, or may have a container do so."""
    if not isinstance(function, FunctionType):
        return False
    names = KEEPING.intersection(function.__code__.co_names)
    return bool(names) or any(step.opname in STORING for step in dis.get_instructions(function))


_SYMBOLS = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "divmod"),
    *("and", "or", "xor", "lshift", "rshift"),
)
OPERATORS = frozenset(
    [f"__{kind}{symbol}__" for symbol in _SYMBOLS for kind in ("", "r", "i")]
    + [f"__{name}__" for name in ("neg", "pos", "abs", "invert", "getitem", "missing", "contains")]
    + [f"__{name}__" for name in ("eq", "ne", "lt", "le", "gt", "ge")]
)
"""The methods that operators, comparisons and indices call."""

KEEPING = frozenset({"append", "appendleft", "extend", "insert", "add", "update", "setdefault", "setattr"})
"""Names of what stores something in a container or an object."""

STORING = frozenset({"STORE_ATTR", "STORE_SUBSCR", "STORE_SLICE", "STORE_GLOBAL"})
"""Instructions that change something besides a variable."""


def _may_be_methods(kinds: list[Kind]) -> bool:
    """Whether an operation may run code that its operands bring: that of an object's class, given anything
    that code may be called with or kept in. (Numbers that an unknown method is given, it can only keep.)"""
    if any(isinstance(kind, Object) and kind.cls.__flags__ & HEAP_TYPE for kind in kinds):
        return not any(isinstance(kind, Object) and is_marked(kind.cls, STATEFUL) for kind in kinds)
    if len(kinds) == 1 or any(is_numeric(kind) or isinstance(kind, Text) for kind in kinds):
        return False
    return any(map(may_be_anything, kinds))


def activate_arrays(env: Environment, values: list[Value]) -> None:
    """Arrays in which a call may have stored something."""
    reached = with_holders(all_of(everything(value.sites) for value in values))
    moving = [value for value in values if value.active]
    for name, value in at(env, reached):
        if value.active or is_container(value.kind):
            continue
        whole = isinstance(value.kind, Array) and value.kind.dtype in ("i", "b")
        kept = whole and all(casts(value.kind, given.kind) for given in moving)
        if not kept:
            env[name] = remade(value, value.kind, True, value.sites)


def change_kinds(env: Environment, sites: Sites, kind: Kind) -> None:
    """A callee may have stored other kinds of values in a list or dict than were in it."""
    if isinstance(kind, Object) and kind.fields is not None:
        return  # what was stored in its fields, and in what they hold, is known
    reached = with_holders(sites)
    for name, value in at(env, reached):
        if isinstance(value.kind, Iterator):
            stored = kind.element if isinstance(kind, List | Dict) else UNKNOWN
            keys = keys_of(kind) if isinstance(kind, Dict) else UNKNOWN
            env[name] = as_shown(value, kind, stored, keys)
            continue
        held = value.kind
        if isinstance(held, LocalFunction | OneOf) or not in_it(value.sites).isdisjoint(reached):
            held = holding_filled(held, kind)
        itself = not own(value.sites).isdisjoint(reached)
        if itself and isinstance(held, List | Dict | Tuple | Row | Optional):
            same = isinstance(kind, List | Dict) and type(kind) is type(held)
            held = join(held, kind) if same else UNKNOWN
        env[name] = remade(value, held, value.active, value.sites)


def forget_kinds(env: Environment, values: list[Value]) -> None:
    """A call may have stored anything in whatever can be reached from these."""
    reached = with_holders(all_of(everything(value.sites) for value in values))
    for name, value in at(env, reached):
        kind = forgotten(value.kind)
        if kind is not value.kind:
            env[name] = remade(value, kind, value.active, value.sites)


def widen_items(env: Environment, values: list[Value], store: fields.Store) -> None:
    """A call has stored something in lists or dicts that can be reached from these."""
    reached = with_holders(all_of(everything(value.sites) for value in values))
    for name, value in at(env, reached):
        kind = fields.weakened(value.kind, store, inside=True)
        if kind is not value.kind:
            env[name] = remade(value, kind, value.active, value.sites)
