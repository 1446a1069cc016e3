"""Calls: what is called, and what that does."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from inspect import CO_GENERATOR
from types import FunctionType, GenericAlias, MethodDescriptorType, MethodType
from typing import Any, NewType, is_typeddict

from zygpy.analyse import consumed, containers, fields, objects, replaced
from zygpy.analyse.binding import CannotBind, bind_function
from zygpy.analyse.classes import classes_of
from zygpy.analyse.constructions import bare, construct, reads_with_effects
from zygpy.analyse.dispatched import implementation
from zygpy.analyse.effects import escape, sites_by_name, store_into, unknown_effects
from zygpy.analyse.facts import Direct, Dynamic, Kept, Plain
from zygpy.analyse.inherited import function_value
from zygpy.analyse.inner_text import changes_something
from zygpy.analyse.known_iterators import iterator_value
from zygpy.analyse.known_replacements import replaced_value
from zygpy.analyse.lost_in_calls import (
    SETTING,
    is_known_outside,
    note_attribute_outside,
    note_out,
    refuse_lost_matches,
    refuse_lost_numbers,
)
from zygpy.analyse.opaque import Arguments, call_sites, dynamic_call, may_keep_things, through_a_door
from zygpy.analyse.outside import calls_functions_alone, kind_of_function_outside
from zygpy.analyse.own_calls import (
    captured_value,
    class_of_thing,
    field_set,
    function_of_class,
    kept_value,
    labelled,
    own_call,
    pullback,
    value_captured,
)
from zygpy.analyse.paths import MISSING
from zygpy.analyse.primitives import bound_value
from zygpy.analyse.questions import answer, lost_answer, note_questions, refuse_lost_answer
from zygpy.analyse.random_draws import drawn_by_function
from zygpy.analyse.rule_calls import method_of_set, ruled_call
from zygpy.analyse.run import Run
from zygpy.analyse.sites import BY_NAME, KEPT, all_of, contained, everything, extracted, sites_of
from zygpy.analyse.summaries import stores_outside, user_function
from zygpy.analyse.values import Environment, Value, join_values, make, replace_by_joined
from zygpy.ir import core
from zygpy.ir.access import operands
from zygpy.ir.classes import PURE
from zygpy.ir.kinds import (
    NOTHING,
    UNKNOWN,
    Closure,
    Dict,
    Iterator,
    Kind,
    Known,
    LocalFunction,
    Never,
    Nothing,
    Object,
    OneOf,
    Text,
    Unknown,
    carries_gradient,
    is_scalar,
    kind_of,
    options_of,
)
from zygpy.marks import is_marked
from zygpy.rules import custom, declare
from zygpy.runtime.asked_again import Under, under_cache
from zygpy.runtime.lookup import in_class, is_among
from zygpy.runtime.native import SETS, plain_dict
from zygpy.runtime.partials import CACHED, is_generic, position_in
from zygpy.runtime.protocols import asked, changed_item, stored_item
from zygpy.runtime.reads import reads_data


def _is_of_known_fields(callee: Any) -> bool:
    """Whether a call is that of a rule for objects of a library's that are containers, too."""
    return any(callee is function for function in declare.WITH_FIELDS)


def resolve_call(run: Run, statement: core.Assign, op: core.Call, env: Environment) -> Value:
    """The value of `func(...)`."""
    values = [run.value(atom, env) for atom in operands(op)]
    callee = _callee(run, op.func, env)
    if not _is_of_known_fields(callee):
        objects.note_things(run, values)
    for arg in op.args:
        if isinstance(arg, core.Star):
            run.note_taking_apart(run.value(arg.value, env))
    if any(isinstance(value.kind, Never) for value in values):
        run.facts.calls[id(statement)] = Plain()
        return make(Never())
    first = values[0].kind if values else UNKNOWN
    if callee is MISSING and isinstance(first, Object) and is_marked(first.cls, PURE):
        return pullback(run, statement, values, env)
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
    if isinstance(in_class(kind.cls, "__call__"), FunctionType):
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
    if own is None and isinstance(kind, Object):
        own = replaced.method_with_program(run, kind.cls, "__call__")
    if isinstance(own, FunctionType) and isinstance(op.func, core.Var):
        return call_known(run, statement, own, ((op.func, *op.args), op.keywords), values, env)
    known = _local_function(run, statement, op, env)
    if known is not None:
        return known
    note_out(run, statement, op, values, env)
    return dynamic_call(run, statement, values, env)


def _local_function(run: Run, statement: core.Assign, op: core.Call, env: Environment) -> Value | None:
    """The value of a call of a function that a program has made itself; None of any other call."""
    if not isinstance(op.func, core.Var):
        return None
    called = run.value(op.func, env)
    if called.made is None or op.stand_in is not None:
        return _made_elsewhere(run, statement, op, called, env)
    if not op.carried:  # what it carries is about to be named in the call
        if not all(name in env for name in called.made.captured):
            return _made_elsewhere(run, statement, op, called, env)
        op = replace(op, carried=called.made.captured)
    function = _made_here(run, op, called, env)
    if function is None:
        return None
    args = (*map(core.Var, op.carried), *op.args)
    given = [run.value(atom, env) for atom in operands(replace(op, args=args))]
    result = user_function(run, statement, function, (args, op.keywords), given, env)
    if isinstance(run.facts.calls.get(id(statement)), Dynamic) and changes_something(called.made.node):
        run.by_identity()
    return result


def _made_here(run: Run, op: core.Call, called: Value, env: Environment) -> FunctionType | None:
    """What stands for a function that this very call of the program has made."""
    made = called.made
    if made is None or op.carried != made.captured:
        return None
    if not all(name in env and env[name].certain for name in made.captured):
        return None
    function: FunctionType | None = run.oracle.local(made)
    return function


def _made_elsewhere(
    run: Run, statement: core.Assign, op: core.Call, called: Value, env: Environment
) -> Value | None:
    """The value of a call of a function that the program was given, or found in something."""
    kind = called.kind
    if not isinstance(kind, LocalFunction) or not called.certain:
        return None
    unread: dict[str, Value] = {}
    if kind.captured and not op.carried:  # what it carries is about to be read in front of the call
        unread = {f"<captured {name}>": value_captured(called, kind, name) for name, _ in kind.captured}
        op = replace(op, carried=tuple(unread), stand_in=kind.function)
    if [len(op.carried), op.stand_in] != [len(kind.captured), kind.function if kind.captured else None]:
        return None
    env.update(unread)
    call = _with_carried(kind, op)
    values = [run.value(atom, env) for atom in operands(replace(op, args=call[0], keywords=call[1]))]
    result = call_known(run, statement, kind.function, call, values, env)
    for name in unread:
        env.pop(name, None)
    return result


def called_field(run: Run, statement: core.Assign, op: core.CallMethod, env: Environment) -> Value | None:
    """The value of `o.f(x)`, where a field of the object has a function that is known, or one of several;
    None of any other call. (The field is about to be read in front of the call.)"""

    owner = run.value(op.value, env)
    kind = fields.field_of(run, owner.kind, op.name)
    if not isinstance(kind, Known | LocalFunction | OneOf):
        return None
    name, call = "<function>", core.Call(core.Var("<function>"), op.args, op.keywords)
    results, left = [], []
    for option in options_of(kind):
        arm = {**env, name: make(option, owner.active, extracted(owner.sites))}
        results.append(resolve_call(run, statement, call, arm))
        del arm[name]
        left.append(arm)
    replace_by_joined(env, left)
    return functools.reduce(join_values, results)


def _with_carried(kind: LocalFunction, op: core.Call) -> tuple[Arguments, tuple[core.Keyword, ...]]:
    """What a function that carries something is called with: what is given by name takes the place of what is
    carried."""
    positional: list[core.Atom] = []
    named = {keyword.name: keyword for keyword in op.keywords}
    for (name, _), variable in zip(kind.captured, op.carried, strict=True):
        if kind.partial and position_in(name) is None:
            named.setdefault(name, core.Keyword(name, core.Var(variable)))
        else:
            positional.append(core.Var(variable))
    return (*positional, *op.args), tuple(named.values())


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
    found = implementation(run, callee, call[0], env)
    if found is not None and found is not callee:
        return call_known(run, statement, found, call, values, env)
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
    refuse_lost_numbers(run, statement, callee, values)
    refuse_lost_matches(run, statement, callee, call, values, env)
    note_attribute_outside(run, callee, values)
    note_questions(run, statement.op, callee, env)
    if lost_answer(statement.op, callee, lambda atom: run.value(atom, env)):
        refuse_lost_answer(run, statement)
    intrinsic = (
        replaced_value(run, statement, callee, values, env)
        or captured_value(run, statement, callee, values, call)
        or field_set(run, statement, callee, call, env)
        or labelled(run, statement, callee, call, values, env)
        or class_of_thing(run, statement, callee, values)
        or function_of_class(run, statement, callee, values, call)
        or function_value(run, statement, callee, values)
        or kept_value(run, statement, callee, env)
        or containers.call_value(run, statement, callee, call, env)
        or iterator_value(run, statement, callee, values)
        or drawn_by_function(run, statement, callee, call, values, env)
    )
    if intrinsic is not None:
        through_a_door(run, statement)
        return intrinsic
    active = any(value.active for value in values) or (run.facts.way.identity and replaced.is_lazy(callee))
    acts = replaced.changes_a_heap(callee, [value.kind for value in values]) or _sorts(run, callee, call)
    if active or acts or _hands_to_code(run, callee, values):
        standing = _replaced(run, statement, callee, call, values, env)
        if standing is not None:
            return standing
    rule = declare.find(callee)
    if rule is not None:
        return ruled_call(run, statement, callee, rule, call, values, env)
    return _found(run, statement, callee, call, values, env)


def _hands_to_code(run: Run, callee: Any, values: list[Value]) -> bool:
    """Whether a builtin calls a function that may keep what it is given where others find it."""
    return is_among(callee, replaced.ASKING) and any(map(may_keep_things, values)) and not run.is_own()


def _sorts(run: Run, callee: Any, call: tuple[Arguments, tuple[core.Keyword, ...]]) -> bool:
    """Whether a call is `sorted(xs, key=f)`, whose program tells what is in the new list also where nothing
    varies, and that the function is handed to nobody else."""
    return callee is sorted and any(keyword.name == "key" for keyword in call[1]) and not run.is_own()


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
        run.facts.cached[id(statement)] = callee
        kept = _kept_by_a_cache(run, statement, callee, call, values, env) if everywhere else None
        return dynamic_call(run, statement, values, env) if kept is None and everywhere else kept
    of_numbers = run.facts.way.identity and callee.cache_parameters()["maxsize"] == 0
    if of_numbers or isinstance(callee.__wrapped__, CACHED):
        return dynamic_call(run, statement, values, env)  # which finds such functions once, and notes each
    result = call_known(run, statement, callee.__wrapped__, call, values, env)
    found = run.facts.calls.get(id(statement))
    if isinstance(found, Direct) and (found.summary.writes or found.summary.outside):
        run.refuse(statement, *CHANGING_CACHED)
    if type(found) is Direct:
        under = _under(callee, call, len(found.arguments))
        run.facts.calls[id(statement)] = Kept(
            found.function, found.arguments, found.values, found.summary, found.result, under
        )
    if _is_settled(result.kind):
        return result
    if everywhere:
        return dynamic_call(run, statement, values, env)  # which refuses what can be changed
    same = sites_of(KEPT)
    return make(result.kind, result.active, result.sites | BY_NAME | same | contained(same))


def _under(cache: Any, call: tuple[Arguments, tuple[core.Keyword, ...]], parameters: int) -> Under:
    """What a cache looks a call up by; where arguments are unpacked, as if they were all there are."""
    args, keywords = call
    spread = any(isinstance(arg, core.Star) for arg in args)
    count = parameters - len(keywords) if spread else len(args)
    return under_cache(cache, count, [str(keyword.name) for keyword in keywords])


def _is_settled(kind: Kind) -> bool:
    """Whether nobody can tell that a value of this kind was computed again."""
    return is_scalar(kind) or isinstance(kind, Text | Nothing)


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


def _found(
    run: Run,
    statement: core.Assign,
    callee: Any,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value:
    """A call of what has no rule."""
    own = own_call(run, statement, callee, values, env) or bare(run, statement, callee, call, values, env)
    if own is not None:
        return own
    if _is_made_another_way(callee) and any(value.active for value in values):
        return _made_another_way(run, statement, callee, values, env)
    if isinstance(callee, FunctionType) and run.oracle.differentiates(callee):
        objects.note_needs_of_inner(run, statement, call[0], values, env)
        return dynamic_call(run, statement, values, env)
    if isinstance(callee, FunctionType) and callee.__code__.co_flags & CO_GENERATOR:
        return _suspended(run, statement, callee, values, env)
    if isinstance(callee, FunctionType) and isinstance(kind_of(callee), Known):
        return user_function(run, statement, callee, call, values, env)
    if isinstance(callee, type):
        return construct(run, statement, callee, call, values, env)
    if isinstance(callee, MethodDescriptorType) and callee.__objclass__ in SETS and values:
        return method_of_set(run, statement, call[0][0], values, env)
    return _carrying(run, statement, callee, call, env) or _closure(run, statement, callee, call, values, env)


def _finds(op: core.Op) -> bool:
    """Whether an operation calls what it finds by a name, global or of a class."""
    return isinstance(op, core.CallMethod | core.GetAttr) or (
        isinstance(op, core.Call) and isinstance(op.func, core.Path)
    )


def _closure(
    run: Run,
    statement: core.Assign,
    callee: Any,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value:
    """A call of anything else, which is found when it is made."""
    _note_needs_of_closure(run, callee, call, values, env)
    return dynamic_call(run, statement, values, env)


def _carrying(
    run: Run,
    statement: core.Assign,
    callee: Any,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    env: Environment,
) -> Value | None:
    """The value of a call of a function that carries something, such as one that a decorator has made, and
    that is found by a name; None of any other. (It is about to be read in front of the call.)"""
    kind = None if run.is_own() or not _finds(statement.op) else kind_of_function_outside(run, callee)
    if kind is None or not calls_functions_alone(kind):
        return None
    run.facts.read_in_front[id(statement)] = call[0]
    arm = {**env, "<function>": make(kind, False, BY_NAME)}
    result = resolve_call(run, statement, core.Call(core.Var("<function>"), *call), arm)
    del arm["<function>"]
    replace_by_joined(env, [arm])
    return result


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
    if summary.writes or summary.needs.identity or _changes_if_all_varies(run, function, given):
        run.by_identity()
    if stores_outside(run, summary, given) or summary.keeps_variables or summary.needs.everywhere:
        run.everywhere()


def _changes_if_all_varies(run: Run, function: FunctionType, given: dict[str, Value]) -> bool:
    """Whether a function changes what it is given if all of that may have a gradient, which is how it is
    derived where it is found when it is called."""
    if run.facts.way.identity:
        return False
    varying = [value._replace(active=carries_gradient(value.kind)) for value in given.values()]
    summary = run.summary(function, tuple(varying))
    return summary is not None and bool(summary.writes)


def _made_another_way(
    run: Run, statement: core.Assign, callee: Any, values: list[Value], env: Environment
) -> Value:
    """The value of a call of such a thing, which may do anything; by identity it may be known by which class
    one of `singledispatch` finds what it calls."""
    if not is_generic(callee) or run.by_identity():
        run.everywhere()
    return dynamic_call(run, statement, values, env)


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


def _followed(
    run: Run, statement: core.Assign, values: list[Value], env: Environment, callee: Any = None
) -> Value:
    """A builtin on things that are found by identity: what it gives is made of what it is given."""
    run.by_identity()
    result = dynamic_call(run, statement, values, env)
    if callee in SETTING and len(values) == 3 and is_known_outside(values[0]):
        escape(run, env, values[2])
    sites = all_of(everything(value.sites) for value in values)
    if callee is plain_dict:
        return make(
            Dict(None, UNKNOWN), result.active, contained(sites) | sites_of(run.allocate(statement, env))
        )
    return make(result.kind, result.active, sites | sites_of(run.allocate(statement)))


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
        owner = call[0][-3] if len(call[0]) >= 3 else call[0][0]
        if isinstance(owner, core.Star):  # the arguments are unpacked
            return _followed(run, statement, values, env, callee)
        store_into(run, statement, owner, values[-1], env)
    unknown = run.facts.way.identity and not run.is_own()
    runs_code = callee is hasattr and reads_with_effects(call[0], values, unknown=unknown)
    if runs_code or objects.is_followed_by_identity(callee) or _asks_an_iterator(run, callee, values):
        return _followed(run, statement, values, env, callee)
    kinds = [run.value(arg, env).kind for arg in call[0] if not isinstance(arg, core.Star)]
    found = _chosen(run, callee, call, kinds, env)
    found = found or replaced.program_for(callee, call, kinds, _unpacked(run, call[0], env))
    looked_at = replaced.is_lazy(callee) and consumed.is_only_looked_at(run, statement)
    if looked_at and not any(map(replaced.may_act, values)):
        run.facts.calls[id(statement)] = Plain()
        unknown_effects(run, values)
        fields.forget(run, env)
        return make(Iterator(UNKNOWN), False, call_sites(run, statement, values, env))
    if replaced.is_lazy(callee) and (
        found is None or not consumed.is_consumed_at_once(run, statement, callee, env)
    ):
        return _suspended(run, statement, callee, values, env)
    if found is None:
        return None
    program, (args, keywords) = found
    return user_function(run, statement, program, (args, keywords), values, env)


def _unpacked(run: Run, args: Arguments, env: Environment) -> list[Kind]:
    """The kinds of what is unpacked for a call; found by identity, nothing is said of what is in it."""
    kinds = [run.value(arg.value, env).kind for arg in args if isinstance(arg, core.Star)]
    return [UNKNOWN] * len(kinds) if run.facts.way.identity else kinds


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


def _asks_an_iterator(run: Run, callee: Any, values: list[Value]) -> bool:
    """Whether `any` or `all` may take items from a generator."""
    asks = callee is any or callee is all
    return (
        asks and run.facts.way.identity and any(isinstance(value.kind, Unknown | Object) for value in values)
    )
