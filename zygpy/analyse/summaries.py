"""Calls of functions whose source is known: what their summaries tell of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any

import numpy as np

from zygpy.analyse import fields
from zygpy.analyse.binding import Bindings, CannotBind, bind_function
from zygpy.analyse.candidates import note_needs
from zygpy.analyse.effects import (
    activate,
    escape,
    is_container,
    is_own_thing,
    let_hold,
    mark_reachable,
    mark_written,
    mingle,
    note_given_away,
    note_held,
    note_inside,
    note_write,
    unknown_effects,
)
from zygpy.analyse.facts import Bound, Direct, Guard, Made, Plain, Summary
from zygpy.analyse.gathered import gathers
from zygpy.analyse.handed_around import handed_around
from zygpy.analyse.machinery import is_own
from zygpy.analyse.opaque import (
    Arguments,
    activate_arrays,
    change_kinds,
    dynamic_call,
    forget_kinds,
    is_changed_by_operators,
    is_kept_outside,
    look_at,
    parameters_in,
    widen_items,
)
from zygpy.analyse.primitives import bound_value
from zygpy.analyse.run import Run
from zygpy.analyse.sites import (
    BY_NAME,
    CALLED,
    KEPT,
    OUTSIDE,
    PARAMETER,
    RETURNED,
    Sites,
    aged,
    contained,
    everything,
    is_held,
    let_go,
    made_so,
    or_holding,
    reachable,
    sites_of,
    with_holders,
)
from zygpy.analyse.values import Environment, Value, holds_inert_outside, is_change_outside, make
from zygpy.ir import core
from zygpy.ir.access import operands
from zygpy.ir.classes import class_around
from zygpy.ir.kinds import (
    UNKNOWN,
    Kind,
    Known,
    List,
    LocalFunction,
    Never,
    Nothing,
    Object,
    Row,
    Text,
    Tuple,
    Unknown,
    is_numeric,
    kind_of,
    without_local_functions,
)
from zygpy.runtime.instead import INSTEAD

MUTABLE = (list, dict, np.ndarray)
"""Default values that a function may change."""


def user_function(
    run: Run,
    statement: core.Assign,
    function: FunctionType,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
    *,
    widened: bool = False,
) -> Value:
    """A call of a function of this source; if `widened`, one pair serves all kinds of arguments but the
    first."""
    signature = run.oracle.parameters(function)
    if signature is None:
        return dynamic_call(run, statement, values, env)
    try:
        bound = bind_function(*signature, *call)
    except CannotBind:
        _note_needs_of_defaults(run, function, signature, call, env)
        return dynamic_call(run, statement, values, env)
    if run.facts.way.identity and not gathers(run, statement, function, bound):
        return dynamic_call(run, statement, values, env)
    _note_code(run, function)
    given = tuple(bound_value(run, item, env) for _, item in bound)
    if is_ours(function):
        given = tuple(_known_by_its_text(run, value) for value in given)
    if run.oracle.is_entered(function) or is_solver(function):
        given = tuple(_without_new_functions(run, value) for value in given)
    if widened:
        given = (*given[:1], *[make(UNKNOWN, True, value.sites) for value in given[1:]])
    summary = run.oracle.summary(function, given)
    if summary is None:
        return dynamic_call(run, statement, values, env)
    return _summarised(run, statement, function, bound, given, summary, env)


def _note_code(run: Run, function: FunctionType) -> None:
    """What a function does rests on its code, its defaults, and the class in whose text it stands."""
    run.note(Guard(function, "__code__", function.__code__))
    run.note(Guard(function, "__defaults__", function.__defaults__))
    run.note(Guard(function, "__kwdefaults__", function.__kwdefaults__))
    around = class_around(function)
    if around is not None and function.__closure__:
        run.note(Guard(function.__closure__[0], "cell_contents", around))


def is_ours(function: FunctionType) -> bool:
    """Whether a function is a program of zygpy's, which calls what it is given and asks nothing of it."""
    return str(function.__module__).startswith("zygpy.runtime.")


def is_solver(function: FunctionType) -> bool:
    """Whether a function is a program of zygpy's that stands for a solver or an integral: it makes functions
    of what it is given in many ways, each of which would be looked at by itself."""
    return str(function.__module__).startswith("zygpy.solvers.")


def _known_by_its_text(run: Run, value: Value) -> Value:
    """A function that the program has made itself, and that has captured nothing, is known by its text:
    `key=lambda p: p.x` is called like what is found by a name."""
    made = value.made
    if made is None or made.captured or made.defaults or value.active:
        return value
    function = run.oracle.local(made)
    return value if function is None else make(Known(function), False, value.sites)


def _without_new_functions(run: Run, value: Value) -> Value:
    """What a function gives itself, by whatever way: of functions that are made for that nothing is known, or
    there would be ever new ones to know."""
    if any(value.kind == given.kind for given in run.facts.arguments.values()):
        return value
    kind = without_local_functions(value.kind)
    return value if kind == value.kind else value._replace(kind=kind, made=None)


def _note_needs_of_defaults(
    run: Run,
    function: FunctionType,
    signature: tuple[core.Params, Mapping[str, Any]],
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    env: Environment,
) -> None:
    """A default that can be changed is kept from call to call, and is found by all of them."""
    params, defaults = signature
    kept = {name: default for name, default in defaults.items() if isinstance(default, MUTABLE)}
    if not kept:
        return
    run.by_identity()
    try:
        bound = bind_function(params, {**defaults, **dict.fromkeys(kept)}, *call)
    except CannotBind:
        return
    given = {name: bound_value(run, item, env) for name, item in bound}
    if not any(value.active for value in given.values()):
        return
    outside = [name for name, item in bound if name in kept and item == core.Const(None)]
    given |= {name: make(kind_of(kept[name]), False, BY_NAME) for name in outside}
    summary = run.summary(function, tuple(given.values()))
    if summary is not None and stores_outside(run, summary, given):
        run.everywhere()


def _summarised(
    run: Run,
    statement: core.Assign,
    function: FunctionType,
    bound: Bindings,
    given: tuple[Value, ...],
    summary: Summary,
    env: Environment,
) -> Value:
    if run.facts.way.guarded and _is_stored_outside(run, bound, given, summary):
        run.facts.guarded.add(id(statement))
        values = [run.value(atom, env) for atom in operands(statement.op)]
        return dynamic_call(run, statement, values, env)
    active, acts, result = _effects(run, statement, bound, given, summary, env)
    (run.facts.silent.add if is_silent(summary) else run.facts.silent.discard)(id(statement))
    if active and acts:
        run.facts.calls[id(statement)] = Direct(function, bound, given, summary, result)
    else:
        _plainly(run, statement, function, given, summary)
        if function.__code__ in INSTEAD:  # what it gives itself has captured something else
            result = result._replace(kind=without_local_functions(result.kind), made=None)
    return result


def is_silent(summary: Summary) -> bool:
    """Whether a call surely changes nothing that was there before, as far as it comes."""
    changes = summary.exits or summary.writes or summary.inside or summary.outside or summary.stores
    hands_on = summary.handed or summary.mingles or summary.keeping or summary.mixed or summary.looks
    leaves = summary.escapes or summary.keeps_variables or summary.replacing or summary.raised
    return not (changes or hands_on or leaves or summary.forgets or summary.refuses) and (
        not summary.needs.everywhere
    )


def _plainly(
    run: Run, statement: core.Assign, function: Any, given: tuple[Value, ...], summary: Summary
) -> None:
    """A call in which nothing varies is made as it is. (Of our own functions, only those hand anything on
    that are given what may have code of its own.)"""
    run.facts.calls[id(statement)] = Plain()
    if is_own(function) and all(_is_data(value.kind) for value in given):
        return
    if summary.handed or summary.mixed or summary.mingles or summary.inside:
        run.facts.quiet.add(id(statement))


def _is_data(kind: Kind) -> bool:
    """Whether a value of a kind brings no code."""
    if isinstance(kind, Tuple):
        return all(map(_is_data, kind.items))
    if isinstance(kind, List | Row):
        return _is_data(kind.element)
    return is_numeric(kind) or isinstance(kind, Text | Nothing)


def _note_what_is_handed_on(run: Run, summary: Summary, given: tuple[Value, ...]) -> None:
    """A callee may call a function that it is given, or that it finds in what it is given."""
    if summary.carries or summary.mingles:
        note_needs(run, list(given))


def _is_stored_outside(run: Run, bound: Bindings, given: tuple[Value, ...], summary: Summary) -> bool:
    """Whether a call may store what is active in things that others find, where the caller does not expect
    that."""
    names = dict(zip((name for name, _ in bound), given, strict=True))
    active = any(value.active for value in given)
    return active and not run.is_own() and (summary.needs.everywhere or stores_outside(run, summary, names))


def _effects(
    run: Run,
    statement: core.Assign,
    bound: Bindings,
    given: tuple[Value, ...],
    summary: Summary,
    env: Environment,
) -> tuple[bool, bool, Value]:
    """What a call does to an environment; whether it takes part, does something, and what it gives."""
    active = any(value.active for value in given)
    run.facts.entered.add(id(statement))
    run.facts.bringing |= {id(statement)} if summary.brings else set()
    names = dict(zip((name for name, _ in bound), given, strict=True))
    _note_held(run, summary, names)
    _take_over(run, summary, active)
    active = active or run.facts.way.everywhere
    result = _result(run, statement, summary, names, env)
    written = [(name, item) for name, item in bound if name in summary.writes]
    if active and not run.is_own() and stores_outside(run, summary, names):
        run.everywhere()
    elif active and any(_is_unknown_outside(names[name]) for name in summary.operated):
        look_at(run, statement)
    if active:
        _note_taking_part(run, summary, names)
    if summary.mingles and run.facts.way.identity:
        _mingled(run, list(given), active, env)
    for name, kind in summary.exits:  # first, as what was empty cannot become active
        change_kinds(env, names[name].sites, kind)
    _change_items(env, [names[name] for name, _ in summary.exits], summary)
    if summary.raised:
        _note_failure(run, statement, summary, names, active, env)
    _note_writes(run, statement, bound, names, summary, env)
    _note_returned(result, given, env)
    _handed_on(run, [names[name] for name in summary.handed], env)
    _mixed(run, [names[name] for name in summary.mixed], env)
    for name in summary.shared:
        run.facts.shared |= reachable(names[name].sites)
    _change_fields(run, bound, summary, env)
    return active, bool(result.active or written or _acts(run, summary, names)), result


def _note_returned(result: Value, given: tuple[Value, ...], env: Environment) -> None:
    """What a call gives that others may find, the arguments may hold as well."""
    if sites_of(RETURNED, OUTSIDE) <= reachable(result.sites):
        for value in given:
            let_hold(env, value, contained(sites_of(RETURNED)))


def _note_held(run: Run, summary: Summary, names: dict[str, Value]) -> None:
    """A call that stores anything may store what it is given, where that is written to or others find it."""
    inside = {*summary.writes, *dict(summary.exits), *summary.inside}
    elsewhere = summary.escapes or summary.mingles or summary.outside or summary.keeps_variables
    if inside or elsewhere or summary.stores or summary.keeping:
        own = not (elsewhere or summary.keeping) and all(is_own_thing(run, names[name]) for name in inside)
        for value in names.values():
            note_held(run, value.sites)
            if not own:
                note_given_away(run, value.sites)


def _note_taking_part(run: Run, summary: Summary, names: dict[str, Value]) -> None:
    """What a caller's caller has to know of a call that takes part."""
    run.facts.keeping |= parameters_in([names[name] for name in summary.keeping])
    run.facts.operated |= parameters_in([names[name] for name in summary.operated])
    _note_what_is_handed_on(run, summary, tuple(names.values()))


def _acts(run: Run, summary: Summary, names: dict[str, Value]) -> bool:
    """Whether a call does something besides what it gives, and what it changes when it returns."""
    unknown = summary.mingles if run.facts.way.identity else summary.carries  # code that may do anything
    spoils = any(active for _, _, active in summary.raised)
    if summary.refuses or summary.needs.identity or unknown or summary.always or summary.looks or spoils:
        return True
    if summary.outside and run.facts.way.everywhere:  # what was active there may be replaced by what is not
        return True
    kinds = [names[name].kind for name in summary.operated] if run.facts.way.everywhere else []
    return any(isinstance(kind, Unknown) or is_changed_by_operators(kind) for kind in kinds)


def _handed_on(run: Run, handed: list[Value], env: Environment) -> None:
    """A callee gives arguments to code of which nothing is known, which may change them, and store one in
    another: what varies may come into one of them later."""
    unknown_effects(run, handed)
    mingle(env, handed, active=False)
    if not run.is_own():
        forget_kinds(env, handed)


def _mixed(run: Run, mixed: list[Value], env: Environment) -> None:
    """Operations of a callee may have stored arguments in each other, while nothing in them varied."""
    if len(mixed) > 1:
        run.facts.mixed |= parameters_in(mixed)
        mingle(env, mixed, active=False)


def _note_failure(
    run: Run,
    statement: core.Assign,
    summary: Summary,
    names: dict[str, Value],
    active: bool,
    env: Environment,
) -> None:
    """What the arguments of a call hold if it ends with an exception, where that is something else."""
    failed = dict(env)
    for name, kind, changed in summary.raised:
        change_kinds(failed, names[name].sites, kind)
        if active and changed:
            activate(failed, everything(names[name].sites))
    run.facts.failed[id(statement)] = failed
    run.facts.note_raised(failed)


def _note_writes(
    run: Run,
    statement: core.Assign,
    bound: Bindings,
    names: dict[str, Value],
    summary: Summary,
    env: Environment,
) -> None:
    """What becomes of the arguments that a call may change, or store in each other or outside."""
    written = [(name, item) for name, item in bound if name in summary.writes]
    if written:
        _written_arguments(run, statement, written, names, summary, env)
    unnoticed = dict(summary.exits).keys() - summary.writes
    if any(is_container(names[name].kind) for name in unnoticed):
        mingle(env, list(names.values()), active=False)
    for name, item in bound:
        if name in unnoticed:
            _note_inactive_write(run, statement, names[name], item, env)
    for name in summary.escapes:
        escape(run, env, names[name])
    for name, sites in summary.holding:
        let_hold(env, names[name], sites)


def _change_fields(run: Run, bound: Bindings, summary: Summary, env: Environment) -> None:
    """What the call stores in fields; of the objects that it was given is known what they have then."""
    for store in summary.stores:
        fields.apply(run, env, store)
    if summary.forgets:
        fields.forget(run, env)
    atoms = dict(bound)
    for name, kind in summary.states:
        atom = atoms.get(name)
        if isinstance(atom, core.Var) and atom.name in env:
            fields.set_kind(env, atom.name, kind)


INSTANCE = "<instance>"
"""Stands in an environment for the object that is being made."""


def object_made(
    run: Run,
    statement: core.Assign,
    cls: type,
    function: FunctionType,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    env: Environment,
) -> Value | None:
    """The value of `cls(...)` where `function` initialises the object; None where it is not known."""
    signature = run.oracle.parameters(function)
    if signature is None:
        return None
    args, keywords = call
    try:
        bound = bind_function(*signature, (core.Var(INSTANCE), *args), keywords)
    except CannotBind:
        return None
    if bound[0][1] != core.Var(INSTANCE) or not gathers(run, statement, function, bound):
        return None
    others = [bound_value(run, item, env) for _, item in bound[1:]]
    site = run.allocate(statement, env, container=True)
    known = run.facts.way.everywhere  # what its class holds may be active
    env[INSTANCE] = make(Object(cls, ()), known, sites_of(site))
    given = (env[INSTANCE]._replace(new=True), *others)
    summary = run.oracle.summary(function, given)
    if summary is None or not isinstance(
        summary.result.kind, Nothing | Never
    ):  # what it gives, Python refuses
        del env[INSTANCE]
        return None
    _note_code(run, function)
    active, _, result = _effects(run, statement, bound, given, summary, env)
    run.facts.writes[id(statement)] = run.facts.writes.get(id(statement), frozenset()) - {INSTANCE}
    made = Made(function, bound, given, summary, result)
    if active or run.facts.way.everywhere:
        run.facts.calls[id(statement)] = made
    else:
        _plainly(run, statement, function, given, summary)
    return env.pop(INSTANCE)


def _is_unknown_outside(value: Value) -> bool:
    return isinstance(value.kind, Unknown) and holds_inert_outside(value)


def stores_outside(run: Run, summary: Summary, given: Mapping[str, Value]) -> bool:
    """Whether a callee may store what is active in things that others find, given these arguments."""
    written = any(is_change_outside(given[name], inside=name in summary.inside) for name in summary.writes)
    operated = {name for name in summary.operated if is_changed_by_operators(given[name].kind)}
    return written or any(is_kept_outside(run, given[name]) for name in summary.keeping | operated)


def _mingled(run: Run, given: list[Value], active: bool, env: Environment) -> None:
    """Unknown code may have stored any of the arguments in any other."""
    run.facts.mingles = True
    forget_kinds(env, given)  # first, as what holds nothing but text cannot become active
    mingle(env, given, active=active)
    for value in given:
        mark_reachable(run, value.sites)
    if active:
        activate_arrays(env, given)


def _take_over(run: Run, summary: Summary, active: bool) -> None:
    """What holds of a callee, and of its caller therefore."""
    for guard in summary.guards:
        run.note(guard)
    if summary.needs.identity and active:
        run.by_identity()
    if summary.needs.everywhere:
        run.everywhere()
    run.facts.replacing |= summary.replacing
    run.facts.trusts = run.facts.trusts or summary.trusts
    run.facts.trusted |= summary.trusted
    run.facts.keeps_variables |= summary.keeps_variables
    if summary.outside:
        run.facts.outside = True
        run.facts.fills |= summary.fills
        run.facts.written |= sites_of(OUTSIDE)


def _result(
    run: Run, statement: core.Assign, summary: Summary, names: dict[str, Value], env: Environment
) -> Value:
    sites = sites_of(run.allocate(statement, env))
    if made_so(summary.result.sites, CALLED) and run.facts.way.identity:
        sites |= _made_by_call(run, statement, env)
    for site in summary.result.sites:
        base = let_go(site)
        if base[0] == PARAMETER:
            found = everything(names[str(site[1])].sites)  # the argument, or something in it
            unknown = isinstance(summary.result.kind, Unknown)
            sites |= contained(found) if is_held(site) else or_holding(found) if unknown else found
        elif base in BY_NAME or base in (RETURNED, KEPT):
            sites |= sites_of(site)
    return make(summary.result.kind, summary.result.active, sites)


def _made_by_call(run: Run, statement: core.Assign, env: Environment) -> Sites:
    """The site of what a call alone has made, whose cotangents are in the store, in whatever round."""
    made = sites_of(run.allocate(statement, env, called=True))
    run.facts.shared |= made | aged(made, made)
    return made


def _written_arguments(
    run: Run,
    statement: core.Assign,
    written: list[tuple[str, Bound]],
    names: dict[str, Value],
    summary: Summary,
    env: Environment,
) -> None:
    active = any(value.active for value in names.values()) or run.facts.way.everywhere
    if any(is_container(names[name].kind) for name, _ in written):
        getting = [value for name, value in names.items() if _may_get(name, value, summary)]
        mingle(env, getting, active=active, stored=handed_around(getting, summary))
        if run.facts.way.identity and summary.forgets:
            forget_kinds(env, [names[name] for name, _ in written])
        for value in names.values():
            mark_reachable(run, value.sites)
    for name, item in written:
        inside = name in summary.inside
        if isinstance(item, core.Var) and inside:
            note_write(run, statement, item.name, env)
            note_inside(run, item.name, env)
        elif isinstance(item, core.Var):
            note_write(run, statement, item.name, env, with_holders(env[item.name].sites))
        else:
            mark_written(run, names[name].sites)
        if active:
            _activate_argument(run, names, name, item, env, inside=inside)


def _may_get(name: str, value: Value, summary: Summary) -> bool:
    """Whether a call may have stored something in an argument: in a function that carries nothing it may have
    set a field, and says so."""
    bare = isinstance(value.kind, LocalFunction) and not value.kind.captured
    return not bare or bool(summary.inside) or name in summary.writes


def _change_items(env: Environment, written: list[Value], summary: Summary) -> None:
    """What lists and dicts hold that can be reached from what a call changes, with a gradient or not."""
    for store in summary.stores:
        if store[1] is None:
            widen_items(env, written, store)


def _note_inactive_write(
    run: Run, statement: core.Assign, value: Value, item: Bound, env: Environment
) -> None:
    """What an argument holds has changed, but has no gradient."""
    if isinstance(item, core.Var) and item.name in env:
        note_write(run, statement, item.name, env)
    else:
        mark_written(run, value.sites)


def _activate_argument(
    run: Run, names: Mapping[str, Value], name: str, item: Bound, env: Environment, *, inside: bool
) -> None:
    """What an argument holds has become active, or something in that; by which variables it is known must be
    known."""
    if not isinstance(item, core.Var):
        if run.by_identity():
            activate(env, everything(names[name].sites))
        return
    if _overlaps_another(names, name):
        run.by_identity()
    sites = env[item.name].sites
    activate(env, everything(sites) if inside else sites)


def _overlaps_another(names: Mapping[str, Value], written: str) -> bool:
    """Whether what an argument can reach can be reached from another argument too."""
    reached = reachable(names[written].sites)
    return any(
        key != written and not reachable(other.sites).isdisjoint(reached) for key, other in names.items()
    )
