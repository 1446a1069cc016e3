"""Calls of functions: what they are, and what they do to what they are given."""

from __future__ import annotations

import inspect
import operator
import re
from collections.abc import Sequence
from dataclasses import replace
from inspect import CO_GENERATOR
from types import BuiltinFunctionType, FunctionType, GenericAlias, MethodDescriptorType, MethodType
from typing import Any, NewType, is_typeddict

import numpy as np

from zygpy.analyse import containers, exceptions, fields, objects, replaced
from zygpy.analyse.array_writes import is_in_place
from zygpy.analyse.binding import CannotBind, bind_function
from zygpy.analyse.callees import MAKING_INERT
from zygpy.analyse.classes import class_asked_for, classes_of
from zygpy.analyse.effects import (
    escape,
    sites_by_name,
    store_into,
    store_into_field,
    unknown_effects,
)
from zygpy.analyse.facts import (
    Direct,
    Dynamic,
    Intrinsic,
    Plain,
)
from zygpy.analyse.machinery import WRITING_DOORS, is_door, is_tool
from zygpy.analyse.opaque import Arguments, call_sites, dynamic_call, forget_kinds, handed_out, through_a_door
from zygpy.analyse.paths import MISSING
from zygpy.analyse.primitives import bound_value, by_rule
from zygpy.analyse.questions import answer, lost_answer, note_questions, refuse_lost_answer
from zygpy.analyse.run import Run
from zygpy.analyse.summaries import object_made, stores_outside, user_function
from zygpy.analyse.values import (
    BY_NAME,
    OUTSIDE,
    Environment,
    Site,
    Value,
    both,
    contained,
    everything,
    make,
)
from zygpy.ir import core
from zygpy.ir.access import operands
from zygpy.ir.kinds import (
    FLOAT,
    NOTHING,
    PURE,
    STATEFUL,
    UNKNOWN,
    Array,
    Closure,
    Dict,
    Iterator,
    Kind,
    Known,
    List,
    Never,
    NumpyScalar,
    Object,
    RealScalar,
    Text,
    Tuple,
    Unknown,
    has_operators,
    is_mutable,
    is_numeric,
    is_scalar,
    kind_of,
)
from zygpy.ir.kinds import (
    INERT as INERT_CLASS,
)
from zygpy.marks import is_marked
from zygpy.rules import custom, declare
from zygpy.runtime.administration import is_administrative, makes_code
from zygpy.runtime.cells import made_class
from zygpy.runtime.lookup import in_class
from zygpy.runtime.native import GIVING_THINGS, SETS, plain_dict
from zygpy.runtime.partials import CACHED, is_generic, label
from zygpy.runtime.protocols import asked, changed_item, is_computed, stored_item
from zygpy.runtime.reads import reads_data
from zygpy.runtime.zeros import zero_tangent


def resolve_call(run: Run, statement: core.Assign, op: core.Call, env: Environment) -> Value:
    """The value of `func(...)`."""
    values = [run.value(atom, env) for atom in operands(op)]
    objects.note_things(run, values)
    for arg in op.args:
        if isinstance(arg, core.Star):
            run.note_taking_apart(run.value(arg.value, env))
    callee = _callee(run, op.func, env)
    if any(isinstance(value.kind, Never) for value in values):
        run.facts.calls[id(statement)] = Plain()
        return make(Never())
    first = values[0].kind if values else UNKNOWN
    if callee is MISSING and isinstance(first, Object) and is_marked(first.cls, PURE):
        return _pullback(run, statement, values, env)
    if callee is MISSING and isinstance(op.func, core.Var) and _makes_generators(values[0].kind):
        return _suspended(run, statement, None, values, env)
    _note_called_object(run, op, callee, values)
    if callee is MISSING:
        return _call_unknown(run, statement, op, values, env)
    return call_known(run, statement, callee, (op.args, op.keywords), values, env)


def _makes_generators(kind: Kind) -> bool:
    return isinstance(kind, Closure) and kind.generator


def _note_called_object(run: Run, op: core.Call, callee: Any, values: list[Value]) -> None:
    """An object that is called may change itself, as any of its methods may."""
    by_path = isinstance(op.func, core.Path)
    kind = values[0].kind if not by_path else NOTHING if callee is MISSING else kind_of(callee)
    if not isinstance(kind, Object) or not any(value.active for value in values):
        return
    if by_path and (declare.find(callee) is not None or replaced.has_program(callee)):
        return
    if isinstance(inspect.getattr_static(kind.cls, "__call__", None), FunctionType):
        receiver = make(kind, False, BY_NAME) if by_path else values[0]
        method = core.CallMethod(core.Const(None), "__call__", op.args, op.keywords)
        if objects.may_change(run, receiver, method, [receiver, *values[0 if by_path else 1 :]]):
            run.by_identity()


def _call_unknown(
    run: Run, statement: core.Assign, op: core.Call, values: list[Value], env: Environment
) -> Value:
    """A call of what is no function known by name: an object, or a function that was made here."""
    kind = values[0].kind if values else UNKNOWN
    if isinstance(kind, Object) and custom.is_ruled_object(kind.cls):
        return dynamic_call(run, statement, values, env)
    own = fields.of_class(run, kind, "__call__")
    if isinstance(own, FunctionType) and isinstance(op.func, core.Var):
        return call_known(run, statement, own, ((op.func, *op.args), op.keywords), values, env)
    known = _local_function(run, statement, op, env)
    if known is not None:
        return known
    _note_out(run, statement, op, values, env)
    return dynamic_call(run, statement, values, env)


def _local_function(run: Run, statement: core.Assign, op: core.Call, env: Environment) -> Value | None:
    """The value of a call of a function that the program has made itself; None of any other call."""
    made = run.value(op.func, env).made if isinstance(op.func, core.Var) else None
    if made is None or op.carried != made.captured:
        return None
    if not all(name in env and env[name].certain for name in made.captured):
        return None
    function = run.oracle.local(made)
    if function is None:
        return None
    args = (*map(core.Var, made.captured), *op.args)
    given = [run.value(atom, env) for atom in operands(replace(op, args=args))]
    return user_function(run, statement, function, (args, op.keywords), given, env)


def _note_out(run: Run, statement: core.Assign, op: core.Call, values: list[Value], env: Environment) -> None:
    """What a function that is not known is given as `out`, it writes to."""
    named = [keyword.value for keyword in op.keywords if keyword.name == "out"]
    active = any(value.active for value in values)
    if named and active and run.value(named[0], env).kind != NOTHING:
        run.by_identity()
        store_into(run, statement, named[0], make(UNKNOWN, True), env)


def _callee(run: Run, func: core.Path | core.Var, env: Environment) -> Any:
    if isinstance(func, core.Var):
        kind = env[func.name].kind if func.name in env else UNKNOWN
        return kind.value if isinstance(kind, Known) else MISSING
    found = run.resolve(func)
    if found.depth < len(func.names) or (run.stored and run.sets(func)):
        return MISSING
    return found.value


def call_known(
    run: Run,
    statement: core.Assign,
    callee: Any,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value:
    """A call whose callee is known now."""
    ruled = _by_custom_rule(run, statement, callee, call, values, env)
    if ruled is not None:
        return ruled
    if objects.makes_array_of_objects(run, callee, values):
        return dynamic_call(run, statement, values, env)
    return _call_known(run, statement, callee, call, values, env)


def _call_known(
    run: Run,
    statement: core.Assign,
    callee: Any,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value:
    """The same of what no user has declared a rule for."""
    kept = _cached(run, statement, callee, call, values, env) if isinstance(callee, CACHED) else None
    if kept is not None:
        return kept
    if is_typeddict(callee):
        callee = dict
    _refuse_lost_numbers(run, statement, callee, values)
    _refuse_lost_matches(run, statement, callee, call, values, env)
    _note_attribute_outside(run, callee, values)
    note_questions(run, statement.op, callee, env)
    if lost_answer(statement.op, callee, lambda atom: run.value(atom, env)):
        refuse_lost_answer(run, statement)
    intrinsic = (
        _field_set(run, statement, callee, call, env)
        or _labelled(run, statement, callee, call, values, env)
        or _class_asked_for(run, statement, callee, values)
        or containers.call_value(run, statement, callee, call, env)
    )
    if intrinsic is not None:
        through_a_door(run, statement)
        return intrinsic
    if any(value.active for value in values) or (run.facts.way.identity and replaced.is_lazy(callee)):
        standing = _replaced(run, statement, callee, call, values, env)
        if standing is not None:
            return standing
    rule = declare.find(callee)
    if rule is not None:
        return _primitive(run, statement, callee, rule, call, values, env)
    return _found(run, statement, callee, call, values, env)


def _cached(
    run: Run,
    statement: core.Assign,
    callee: Any,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value | None:
    """A call of a function under a cache, which is not asked if values are active: the function may change
    nothing."""
    everywhere = run.facts.way.everywhere
    if not any(value.active for value in values):
        kept = _kept_by_a_cache(run, statement, callee, call, values, env) if everywhere else None
        return dynamic_call(run, statement, values, env) if kept is None and everywhere else kept
    result = call_known(run, statement, callee.__wrapped__, call, values, env)
    found = run.facts.calls.get(id(statement))
    if isinstance(found, Direct) and (found.summary.writes or found.summary.outside):
        run.refuse(statement, *CHANGING_CACHED)
    if _is_settled(result.kind):
        return result
    if everywhere:
        return dynamic_call(run, statement, values, env)  # which refuses what can be changed
    return make(result.kind, result.active, both(result.sites, BY_NAME))


def _is_settled(kind: Kind) -> bool:
    """Whether nobody can tell that a value of this kind was computed again."""
    return is_scalar(kind) or isinstance(kind, Text) or kind == NOTHING


def _kept_by_a_cache(
    run: Run,
    statement: core.Assign,
    callee: Any,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value | None:
    """What a cache gives that is asked for nothing active: a thing that others find there, as long as the
    function computes nothing from what is active elsewhere."""
    function = callee.__wrapped__
    if not isinstance(function, FunctionType):
        return None
    summary = objects.summary_of(run, function, call, values)
    if (summary is None or summary.result.active) and reads_data(function):
        return None
    run.facts.calls[id(statement)] = Plain()
    unknown_effects(run, values)
    fields.forget(run, env)
    return make(UNKNOWN, True, BY_NAME)


CHANGING_CACHED = (
    "a function under a cache, which is entered whenever values are differentiated, changes something",
    "call it without the cache, by `__wrapped__`",
)


def by_rule_of_method(
    run: Run, statement: core.Assign, op: core.CallMethod, values: list[Value], env: Environment
) -> Value | None:
    """The value of a call of an array's or a number's method for which a user has declared a rule; None of
    any other."""
    if not custom.RULES or not any(value.active for value in values):
        return None
    try:
        found = custom.of_method(classes_of(values[0].kind), op.name)
    except custom.Undecided:
        return dynamic_call(run, statement, values, env)
    call = (op.value, *op.args), op.keywords
    return None if found is None else _by_custom_rule(run, statement, found, call, values, env)


def _by_custom_rule(
    run: Run,
    statement: core.Assign,
    callee: Any,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value | None:
    """The value of a call for which a user has declared how it is differentiated; None of any other."""
    if not custom.is_ruled(callee) or not any(value.active for value in values):
        return None
    args, keywords = call
    try:
        if run.facts.way.identity or any(isinstance(arg, core.Star) for arg in args):
            raise custom.Undecided
        positional = [run.value(arg, env).kind for arg in args if not isinstance(arg, core.Star)]
        named = {str(keyword.name): run.value(keyword.value, env).kind for keyword in keywords}
        stand_in = run.oracle.stand_in(callee, positional, named)
    except custom.Undecided:
        return dynamic_call(run, statement, values, env)
    return None if stand_in is None else user_function(run, statement, stand_in, call, values, env)


def _own(
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
        return _new_thing(run, statement, zeros, env)
    if not is_tool(callee):
        return None
    run.facts.calls[id(statement)] = Plain()
    given = frozenset[Site]().union(*(everything(value.sites) for value in values))
    return make(UNKNOWN, callee in GIVING_THINGS and any(value.active for value in values), given)


def _field_set(
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


def _labelled(
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
    wrapper, wrapped = call[0][:2]
    assert not isinstance(wrapper, core.Star)
    assert not isinstance(wrapped, core.Star)
    store_into(run, statement, wrapper, run.value(wrapped, env), env)
    return dynamic_call(run, statement, values, env, writes=False)


def _refuse_lost_numbers(run: Run, statement: core.Assign, callee: Any, values: list[Value]) -> None:
    """Refuse slices of numbers, and classes made of them, which nothing is known to read again."""
    if callee is slice and any(value.active and _is_floating(value.kind) for value in values):
        run.refuse(statement, "a slice has no cotangent for its bounds", "use a tuple")
    if callee is made_class:
        _note_class(run, statement, values[1:])
    if callee is type and len(values) > 1 and any(value.active for value in values):
        run.refuse(statement, "a class made at every call has no derivative", "define it at the top level")


def _refuse_lost_matches(
    run: Run,
    statement: core.Assign,
    callee: Any,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> None:
    """Refuse `re.sub(pattern, function, string)`, where something active may reach the function."""
    if callee is not re.sub or not any(value.active for value in values):
        return
    args, keywords = call
    written = [arg for arg in args if not isinstance(arg, core.Star)]
    plain = len(args) == len(written) > 1 and not keywords
    if not (plain and isinstance(run.value(written[1], env).kind, Text)):
        why = "what the function that is given to 're.sub' does is not recorded"
        run.refuse(statement, why, "put the text together in a loop over 're.finditer'")


def _note_class(run: Run, statement: core.Assign, read: list[Value]) -> None:
    """A class that the program makes holds its variables, and what is stored in it later."""
    run.everywhere()
    if any(value.active for value in read):
        why = "what a class computes from active values while it is made is not followed"
        run.refuse(statement, why, "compute it before, and store it in the class when it is made")


def _class_asked_for(run: Run, statement: core.Assign, callee: Any, values: list[Value]) -> Value | None:
    """`type(x)`: a class, in which what is stored is outside."""
    if callee is not type or len(values) != 1:
        return None
    found = class_asked_for(values[0].kind, everywhere=run.facts.way.everywhere)
    if found is not None:
        run.facts.calls[id(statement)] = Plain()
    return found


def _note_attribute_outside(run: Run, callee: Any, values: list[Value]) -> None:
    """`setattr` may store what is active in a class, a module or a global object."""
    if callee is not setattr or len(values) != 3 or not values[2].active:
        return
    if _is_known_outside(values[0]):
        run.everywhere()


def _is_floating(kind: Kind) -> bool:
    return (
        isinstance(kind, Array | RealScalar)
        or kind == FLOAT
        or (isinstance(kind, NumpyScalar) and kind.dtype[0] == "f")
    )


def _primitive(
    run: Run,
    statement: core.Assign,
    callee: Any,
    rule: declare.Rule,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value:
    if is_in_place(callee) and not all(is_scalar(value.kind) for value in values):
        return _in_place(run, statement, call, values, env)
    kinds = [value.kind for value in values]
    if callee is slice and any(value.active and isinstance(value.kind, Unknown) for value in values):
        return dynamic_call(run, statement, values, env)  # which refuses bounds that have a cotangent
    if any(value.active for value in values) and (joins_things(rule, kinds) or _meets_objects(callee, kinds)):
        if not all(isinstance(value.kind, Unknown) or is_numeric(value.kind) for value in values):
            run.by_identity()
        return dynamic_call(run, statement, values, env)
    return handed_out(values, by_rule(run, statement, rule, call, values, env))


def method_of_set(
    run: Run, statement: core.Assign, owner: core.Atom | core.Star, values: list[Value], env: Environment
) -> Value:
    """A method of a set, which may put what it is given into the set."""
    if any(value.active for value in values):
        run.by_identity()
    for value in values[1:]:
        store_into(run, statement, owner.value if isinstance(owner, core.Star) else owner, value, env)
    return dynamic_call(run, statement, values, env)


def _meets_objects(callee: Any, kinds: list[Kind]) -> bool:
    """Whether a callee is an operator that is given an object, whose class may say what it means."""
    if type(callee) is not BuiltinFunctionType or callee not in MEANT_BY_CLASSES:
        return False
    return any(map(_is_meant_by_class, kinds))


def _is_meant_by_class(kind: Kind) -> bool:
    if isinstance(kind, Tuple):
        return kind.cls is not None and has_operators(kind.cls)
    return isinstance(kind, Object) and not issubclass(kind.cls, NUMBERS)


def joins_things(rule: declare.Rule, kinds: list[Kind]) -> bool:
    """Whether a function is an operator without a gradient for numbers (`operator.or_`), and is given what
    may be dicts, sets or objects."""
    return (
        rule.style == "none"
        and type(rule.function) is BuiltinFunctionType
        and rule.function in JOINING
        and not all(map(is_numeric, kinds))
    )


JOINING: frozenset[Any] = frozenset(
    {operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift, operator.invert}
)
"""Operators without a gradient for numbers, which classes may give another meaning."""

MEANT_BY_CLASSES: frozenset[Any] = frozenset(
    {
        *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod),
        *(operator.pow, operator.matmul, operator.neg, operator.pos, abs, pow, divmod),
    }
)
"""Operators, called by a name, which mean what the classes of their operands say."""

NUMBERS = (int, float, complex, np.ndarray, np.generic)
"""Classes of which subclasses are still numbers."""


def _found(
    run: Run,
    statement: core.Assign,
    callee: Any,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value:
    """A call of what has no rule."""
    own = _own(run, statement, callee, values, env) or _bare(run, statement, callee, call, values, env)
    if own is not None:
        return own
    if _is_made_another_way(callee) and any(value.active for value in values):
        run.everywhere()
        return dynamic_call(run, statement, values, env)
    if isinstance(callee, FunctionType) and run.oracle.differentiates(callee):
        objects.note_needs_of_inner(run, statement, call[0], values, env)
        return dynamic_call(run, statement, values, env)
    if isinstance(callee, FunctionType) and callee.__code__.co_flags & CO_GENERATOR:
        return _suspended(run, statement, callee, values, env)
    if isinstance(callee, FunctionType) and isinstance(kind_of(callee), Known):
        return user_function(run, statement, callee, call, values, env)
    if isinstance(callee, type):
        return _construct(run, statement, callee, call, values, env)
    if isinstance(callee, MethodDescriptorType) and callee.__objclass__ in SETS and values:
        return method_of_set(run, statement, call[0][0], values, env)
    _note_needs_of_closure(run, callee, call, values, env)
    return dynamic_call(run, statement, values, env)


def _note_needs_of_closure(
    run: Run,
    function: Any,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> None:
    """A function that carries variables, such as one that a decorator has made, or a method of a class, is
    found when it is called:
    where it changes what it is given, the caller follows that by identity, and where it keeps that in its
    variables, in whatever others find."""
    receiver: tuple[Any, ...] = ()
    if isinstance(function, MethodType):
        function, receiver = function.__func__, (function.__self__,)
    if not isinstance(function, FunctionType) or not any(value.active for value in values):
        return
    signature = run.oracle.parameters(function)
    carried = None if signature is None else run.oracle.carried(function)
    if signature is None or carried is None:
        return
    args = (*[core.Const(None)] * len(receiver), *call[0])
    try:
        bound = {name: bound_value(run, item, env) for name, item in bind_function(*signature, args, call[1])}
    except CannotBind:
        return
    owners = [make(kind_of(owner), False, sites_by_name(owner)) for owner in receiver]
    given = {**carried, **bound, **dict(zip(bound, owners))}  # noqa: B905 (the receiver comes first)
    summary = run.summary(function, tuple(given.values()))
    if summary is None:
        return
    if summary.writes or summary.needs.identity:
        run.by_identity()
    if stores_outside(run, summary, given) or summary.keeps_variables or summary.needs.everywhere:
        run.everywhere()


def _is_made_another_way(callee: Any) -> bool:
    """Whether a callee is a type of `NewType`, a class with parameters, one whose metaclass says what it
    makes, or a function of `singledispatch`."""
    own = isinstance(callee, type) and isinstance(in_class(type(callee), "__call__"), FunctionType)
    return own or is_generic(callee) or isinstance(callee, NewType | GenericAlias)


def _suspended(
    run: Run, statement: core.Assign, function: Any, values: list[Value], env: Environment
) -> Value:
    """A generator, or a builtin that is one: its body runs while its items are asked for, and may become
    active by then."""
    if any(value.active for value in values):
        run.by_identity()
        if isinstance(function, FunctionType):
            objects.note_needs_of_generator(run, function)
    run.facts.generators.add(id(statement))
    result = dynamic_call(run, statement, values, env)
    if run.facts.way.identity:
        run.found_when_run(statement)
        return make(UNKNOWN, True, result.sites)
    return result


def _in_place(
    run: Run,
    statement: core.Assign,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value:
    """`operator.iadd` and its like, called by another name."""
    active = any(value.active for value in values)
    if active:
        run.by_identity()
    if call[0] and isinstance(call[0][0], core.Var):
        store_into(run, statement, call[0][0], make(UNKNOWN, active), env)
    return dynamic_call(run, statement, values, env)


SETTING = (setattr, object.__setattr__, type.__setattr__)


def _is_known_outside(value: Value) -> bool:
    """Whether a value is a class or a module, or may be something else that others find."""
    return isinstance(value.kind, Known) or OUTSIDE in value.sites


def _followed(
    run: Run, statement: core.Assign, values: list[Value], env: Environment, callee: Any = None
) -> Value:
    """A builtin on things that are found by identity: what it gives is made of what it is given."""
    run.by_identity()
    result = dynamic_call(run, statement, values, env)
    if callee in SETTING and len(values) == 3 and _is_known_outside(values[0]):
        escape(run, env, values[2])
    sites = frozenset[Site]().union(*(everything(value.sites) for value in values))
    if callee is plain_dict:
        return make(Dict(None, UNKNOWN), result.active, contained(sites) | {run.allocate(statement, env)})
    return make(result.kind, result.active, sites | {run.allocate(statement)})


def _construct(
    run: Run,
    statement: core.Assign,
    cls: type,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value:
    """An object is made; what it is made of may become active later, and the object with it."""
    active = any(value.active for value in values)
    if cls in MAKING_INERT and not active:
        run.facts.calls[id(statement)] = Plain()
        return make(Object(cls), False, frozenset({run.allocate(statement, env)}))
    return _object_made(run, statement, cls, call, values, env)


def _object_made(
    run: Run,
    statement: core.Assign,
    cls: type,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value:
    """The same of a class whose objects may hold something that has a gradient."""
    active = any(value.active for value in values)
    reached = call_sites(run, statement, values, env)
    is_exception = issubclass(cls, BaseException)
    run.facts.brings |= is_exception and active
    if is_marked(cls, INERT_CLASS) or (
        is_exception and not (active and exceptions.is_looked_at(run, statement))
    ):
        run.facts.calls[id(statement)] = Plain()
        forget_kinds(env, values if is_exception else [])
        return make(NOTHING if is_marked(cls, INERT_CLASS) else Object(cls), False, reached)
    whole = is_exception or replaced.has_program(cls)  # which is made as it stands, of constants
    made = None if whole else _initialised(run, statement, cls, call, env, active=active)
    if made is not None:
        return made
    in_python = is_exception or cls is super or objects.is_filled(cls)
    if is_marked(cls, STATEFUL) or (active and in_python):
        run.by_identity()
    if active and not run.facts.way.guarded and objects.stores_elsewhere(run, cls, call, values):
        run.everywhere()
    of_data = not active and objects.is_made_of_plain_data(cls, values)
    if active or (run.facts.way.everywhere and not of_data):
        result = dynamic_call(run, statement, values, env)
    else:
        run.facts.calls[id(statement)] = Plain()
        unknown_effects(run, values)
        fields.forget(run, env)
        forget_kinds(env, values)
        result = make(Object(cls), False, reached)
    if cls is super:  # what is done to it is done to the object
        return make(result.kind, result.active, frozenset[Site]().union(*(value.sites for value in values)))
    if not objects.is_plain(cls) or objects.makes_known(run, cls, call, values):
        return result
    held = frozenset[Site]().union(*(contained(value.sites) for value in values))
    return make(Object(cls), result.active, held | {run.allocate(statement, env)})


def _initialised(
    run: Run,
    statement: core.Assign,
    cls: type,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    env: Environment,
    *,
    active: bool,
) -> Value | None:
    """The value of an object whose initialisation is followed beforehand; None where it is not."""
    if objects.is_made_empty(run, cls, call):
        return _without_fields(run, statement, cls, env)
    function = objects.initialiser(run, cls, call)
    if function is None or (active and not run.by_identity()):
        return None
    return object_made(run, statement, cls, function, call, env)


def _bare(
    run: Run,
    statement: core.Assign,
    callee: Any,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value | None:
    """The value of `object.__new__(cls)`; None of anything else."""
    if not objects.is_bare(run, callee, call, values):
        return None
    kind = values[-1].kind
    assert isinstance(kind, Known)
    return _without_fields(run, statement, kind.value, env)


def _without_fields(run: Run, statement: core.Assign, cls: type, env: Environment) -> Value:
    """An object that has just been made, and has no fields."""
    return _new_thing(run, statement, Object(cls, ()), env)


def _new_thing(run: Run, statement: core.Assign, kind: Object | List, env: Environment) -> Value:
    """A thing that was made without anything that others know, or any code of theirs."""
    run.facts.entered.add(id(statement))
    run.facts.calls[id(statement)] = Plain()
    site = frozenset({run.allocate(statement, env, container=True)})
    held = [kind.element] if isinstance(kind, List) else [item for _, item in kind.fields or ()]
    if any(map(is_mutable, held)):
        site |= contained(frozenset({run.allocate(statement, env)}))
    return make(kind, run.facts.way.everywhere, site)


def _replaced(
    run: Run,
    statement: core.Assign,
    callee: Any,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value | None:
    """The value of a builtin on containers that a program or a run-time door stands for, else None."""
    if callee is asked:
        _followed(run, statement, values, env)
        return make(answer(getattr(call[0][0], "value", "")))
    if callee is stored_item or callee is changed_item:
        owner = call[0][-3]
        assert not isinstance(owner, core.Star)
        store_into(run, statement, owner, values[-1], env)
    runs_code = callee is hasattr and _reads_with_effects(call[0], values)
    if runs_code or objects.is_followed_by_identity(callee) or _asks_an_iterator(run, callee, values):
        return _followed(run, statement, values, env, callee)
    kinds = [run.value(arg, env).kind for arg in call[0] if not isinstance(arg, core.Star)]
    found = _chosen(run, callee, call, kinds, env) or replaced.program_for(callee, call, kinds)
    looked_at = replaced.is_lazy(callee) and replaced.is_only_looked_at(run, statement)
    if looked_at and not any(map(replaced.may_act, values)):
        run.facts.calls[id(statement)] = Plain()
        unknown_effects(run, values)
        fields.forget(run, env)
        return make(Iterator(UNKNOWN), False, call_sites(run, statement, values, env))
    if replaced.is_lazy(callee) and (
        found is None or not replaced.is_consumed_at_once(run, statement, callee, env)
    ):
        return _suspended(run, statement, callee, values, env)
    if found is None:
        return None
    program, (args, keywords) = found
    return user_function(run, statement, program, (args, keywords), values, env)


def _chosen(
    run: Run,
    callee: Any,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    kinds: Sequence[Kind],
    env: Environment,
) -> tuple[FunctionType, tuple[Arguments, tuple[core.Keyword, ...]]] | None:
    """The program for `max` or `min`, and its arguments."""
    given = {keyword.name: keyword.value for keyword in call[1]}
    if None in given:
        return None
    key = run.value(given["key"], env).kind if "key" in given else NOTHING
    program = replaced.chosen(callee, kinds, set(map(str, given)), key)
    return None if program is None else (program, call)


def _reads_with_effects(args: Arguments, values: list[Value]) -> bool:
    """Whether asking for an attribute runs code that may change something."""
    name = getattr(args[1], "value", "") if len(args) > 1 else ""
    owners = [value.kind for value in values[:1] if value.active and isinstance(value.kind, Object)]
    return any(is_computed(kind.cls, name if isinstance(name, str) else "") for kind in owners)


def _asks_an_iterator(run: Run, callee: Any, values: list[Value]) -> bool:
    """Whether `any` or `all` may take items from a generator."""
    asks = callee is any or callee is all
    return (
        asks and run.facts.way.identity and any(isinstance(value.kind, Unknown | Object) for value in values)
    )


def _pullback(run: Run, statement: core.Assign, values: list[Value], env: Environment) -> Value:
    """The call of a pullback: it writes nothing, and what it returns is fresh or comes from the seed,
    never from what it carries."""
    active = any(value.active for value in values)
    run.facts.calls[id(statement)] = Dynamic() if active else Plain()
    if active:
        run.facts.unseen.add(id(statement))
    site = frozenset({run.allocate(statement, env)})
    given = frozenset[Site]().union(*(everything(value.sites) for value in values[1:]))
    return make(UNKNOWN, active, site | given | contained(site | given))
