"""Writes: who else may see them, and what becomes active through them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from types import ModuleType
from typing import Any, TypeAlias

from zygpy.analyse import fields
from zygpy.analyse.facts import Dynamic, Facts
from zygpy.analyse.held_kinds import as_shown, forgotten, holding_changed, is_another, with_content
from zygpy.analyse.own_methods import holds_own_methods
from zygpy.analyse.run import Run
from zygpy.analyse.sites import (
    BY_NAME,
    CALLED,
    FRESH,
    KEPT,
    MADE,
    NAMED,
    NOWHERE,
    OUTSIDE,
    PARAMETER,
    RETURNED,
    Sites,
    all_of,
    allocations,
    both,
    cell_site,
    contained,
    everything,
    in_it,
    made_so,
    names_of_parameters,
    newest,
    of_any_round,
    own,
    parameter_site,
    reachable,
    sites_of,
    with_holders,
    with_newest,
)
from zygpy.analyse.values import Environment, Value, at, make, remade
from zygpy.ir import core
from zygpy.ir.access import index_atoms
from zygpy.ir.kinds import (
    INT,
    NEVER,
    UNKNOWN,
    Again,
    Array,
    Closure,
    Dict,
    Iterator,
    Itself,
    Kind,
    Known,
    List,
    LocalFunction,
    Member,
    NumberOrArray,
    Object,
    OneOf,
    Optional,
    Row,
    Tuple,
    Unknown,
    as_closure,
    carries_gradient,
    exact,
    join_all,
    keys_of,
    may_lie_in,
)
from zygpy.runtime.changes import keeps_nothing
from zygpy.runtime.native import CONTAINERS, SETS

NO_CONTENT = Value(NEVER)
"""What is stored where something is only taken away."""


def store_into(
    run: Run,
    statement: core.Statement,
    target: core.Atom,
    stored: Value,
    env: Environment,
    key: core.Index | None = None,
    *,
    keys: Kind = UNKNOWN,
) -> None:
    """`target[...] = stored`: the content of `target`, and of all that may be it, changes."""
    if not isinstance(target, core.Var) or target.name not in env:
        return
    value = env[target.name]
    if comes_to_hold_itself(value, stored):
        stored = _held_by_itself(run, stored)
    keys = keys if key is None else _key_kind(run, key, env)
    if stored.kind == NEVER:
        keys = NEVER
    filled = _is_filled(run, value, key, env)
    if not (isinstance(value.kind, Array) or is_apart(run, value) or _is_held_by_nothing(run, value, env)):
        fields.store_items(run, env, stored.kind, fields.changed_one(value.kind, keys, filled=filled))
    _store(run, statement, target.name, stored, env, with_content, keys=keys, filled=filled)
    env[target.name] = _with_key(value, env[target.name], stored, key)


def _key_kind(run: Run, key: core.Index, env: Environment) -> Kind:
    """The kind of a key under which something is stored."""
    if isinstance(key, core.Const | core.Var):
        return exact(run.value(key, env).kind)
    if isinstance(key, core.IndexTuple) and not any(isinstance(item, core.Slice) for item in key.items):
        return exact(Tuple(tuple(run.value(atom, env).kind for atom in index_atoms(key))))
    return UNKNOWN


def _is_filled(run: Run, value: Value, key: core.Index | None, env: Environment) -> bool:
    """Whether an item of a list takes the place of another one, so that it has some."""
    if not isinstance(value.kind, List) or not isinstance(key, core.Const | core.Var):
        return False
    return run.value(key, env).kind == INT


def changed_one(run: Run, value: Value, key: core.Index, env: Environment) -> Kind | None:
    """What is known of a list or dict of which an item is changed: under its key there was one before."""
    keys = keys_of(value.kind) if isinstance(value.kind, Dict) else UNKNOWN
    return fields.changed_one(value.kind, keys, filled=_is_filled(run, value, key, env))


def is_apart(run: Run, value: Value) -> bool:
    """Whether a list or dict was made by the function itself, which has not stored it anywhere, or given it
    to others who might: then nothing holds it of which something is known."""
    itself = own(value.sites)
    return bool(itself) and itself == made_so(itself, MADE, FRESH) and _are_apart(itself, run.facts.held)


def _is_held_by_nothing(run: Run, value: Value, env: Environment) -> bool:
    """Whether a list or dict is what the function has made most recently, nothing that it knows holds it as
    yet, and it has not given away any that was made there."""
    itself = own(value.sites)
    if not itself or itself != newest(made_so(itself, MADE, FRESH)):
        return False
    holders = contained(itself)
    known = all(other.sites.isdisjoint(holders) for other in env.values())
    return known and _are_apart(itself, run.facts.given_away)


def _are_apart(sites: Sites, noted: Sites) -> bool:
    """Whether none of the sites, of whatever round, is among the allocations that were noted."""
    return allocations(sites).isdisjoint(noted)


def note_held(run: Run, sites: Sites) -> None:
    """Something may hold these from now on, and what is in them."""
    run.facts.held |= allocations(sites)


def note_given_away(run: Run, sites: Sites) -> None:
    """Others may find these from now on, and what is in them, without being given them by this function."""
    run.facts.given_away |= allocations(sites)


def is_own_thing(run: Run, value: Value) -> bool:
    """Whether something was made by the function, or for it, which has not given it away."""
    itself = own(value.sites)
    here = made_so(itself, MADE, FRESH, CALLED, RETURNED[0])
    return bool(itself) and itself == here and _are_apart(itself, run.facts.given_away)


def store_into_field(
    run: Run, statement: core.Statement, target: str, field: str, stored: Value, env: Environment
) -> None:
    """`target.field = stored`, where nothing stands between the object and the field."""
    bound = holds_own_methods(run.facts.function, statement, env[target].kind, stored.kind)
    if bound:
        run.by_identity()
    elif comes_to_hold_itself(env[target], stored):
        stored = _held_by_itself(run, stored)
    _store(run, statement, target, stored, env, lambda holder, held, _: _holding(holder, held))
    fields.store_field(run, env, target, field, stored.kind, bound=bound)


def _store(
    run: Run,
    statement: core.Statement,
    target: str,
    stored: Value,
    env: Environment,
    changed_by: Callable[[Value, Value, Kind], Value],
    *,
    keys: Kind = UNKNOWN,
    filled: bool = False,
) -> None:
    value = env[target]
    note_held(run, stored.sites)
    if not is_own_thing(run, value):
        note_given_away(run, stored.sites)
    run.facts.links |= NAMED in stored.sites and is_container(stored.kind) and not stored.active
    if OUTSIDE in value.sites and stored.active:
        _store_outside(run, statement, target, found_by_name=NAMED in value.sites)
    if OUTSIDE in value.sites:
        escape(run, env, stored)
    changed = with_holders(value.sites)
    note_write(run, statement, target, env, changed)
    for name, other in list(env.items()):
        itself = not (isinstance(other.kind, LocalFunction | OneOf) or own(other.sites).isdisjoint(changed))
        itself = itself and not is_another(other.kind, value.kind, filled=filled)
        if name == target or itself:
            env[name] = as_shown(changed_by(other, stored, keys), value.kind, stored.kind, keys)
        if name != target and may_hold(other, changed, itself=itself):
            env[name] = holding_changed(env[name], value.kind, stored, keys, filled=filled)


def may_hold(value: Value, changed: Sites, *, itself: bool) -> bool:
    """Whether something that was changed, with its holders, may lie in a value, which may be that `itself`,
    too: what was found in a thing that code handed out of which nothing is known may be either."""
    return not (in_it(value.sites) if itself else value.sites).isdisjoint(changed)


def comes_to_hold_itself(value: Value, stored: Value) -> bool:
    """Whether what is stored in a container may reach that container: its cotangent would hold itself.
    (Of what is taken out of something that a caller gives, that is not to be known.)"""
    if not is_container(stored.kind) or is_module(stored.kind) or not may_lie_in(value.kind, stored.kind):
        return False
    reached = everything(stored.sites) - BY_NAME
    if not (stored == value or _is_new_with_things(stored.kind)):
        reached -= made_so(reached, PARAMETER)
    return bool(own(reached & value.sites))


def _held_by_itself(run: Run, stored: Value) -> Value:
    """What is stored in something that it reaches: what its kind says of that is about to change."""
    run.by_identity()
    kind = as_closure(stored.kind) if isinstance(stored.kind, Closure) else UNKNOWN
    return make(kind, stored.active, stored.sites)


def _is_new_with_things(kind: Kind) -> bool:
    """Whether a value is a function, which reaches its variables, or has things in it that are no numbers,
    and was made to be stored."""
    if isinstance(kind, Tuple):
        return any(is_container(item) for item in kind.items)
    if isinstance(kind, Row):
        return is_container(kind.element)
    return isinstance(kind, Closure) or (isinstance(kind, List) and _is_new_with_things(kind.element))


def _store_outside(run: Run, statement: core.Statement, target: str, *, found_by_name: bool) -> None:
    """What is active is stored where others may find it. Where a caller does not expect that, it may only be
    something that he has given, which is known when the program runs (unless the function itself puts things
    there that others find)."""
    if run.facts.way.guarded and not (run.is_own() or run.facts.links):
        run.facts.given.setdefault(id(statement), set()).add(target)
    elif run.facts.way.identity or found_by_name:
        run.everywhere()
    else:  # which tells whether an object that a call gives is outside
        run.by_identity()


def escape(run: Run, env: Environment, stored: Value) -> None:
    """What is stored outside, and everything in it, is outside from now on: others find it without being
    given it, and what becomes active in it later they read. They may change it, too, at any time."""
    note_held(run, stored.sites)
    note_given_away(run, stored.sites)
    reached = reachable(stored.sites) - BY_NAME
    run.facts.escaped |= reached
    everywhere = run.facts.way.everywhere and not run.is_own()
    for name, value in env.items():
        found = reached & reachable(value.sites)
        if found:
            inert = isinstance(value.kind, Array) and not stored.active
            own = BY_NAME if inert else sites_of(OUTSIDE)
            more = own if found & value.sites else contained(own)
            if not more <= value.sites or (everywhere and not value.active):
                kind = forgotten(value.kind)
                env[name] = remade(value, kind, value.active or everywhere, value.sites | more)


def let_hold(env: Environment, holder: Value, sites: Sites) -> None:
    """A value, what is in it, and whatever shares their storage, may hold something with these sites."""
    changed = with_holders(reachable(holder.sites))
    for name, other in at(env, changed):
        if not (sites <= other.sites or isinstance(other.kind, Array | NumberOrArray)):
            env[name] = remade(other, other.kind, other.active, both(other.sites, sites))


def _holding(holder: Value, stored: Value) -> Value:
    """What may hold a value now, in something that its kind says what is in it."""
    active = holder.active or stored.active
    return remade(holder, holder.kind, active, holder.sites | contained(stored.sites))


def _with_key(before: Value, after: Value, stored: Value, key: core.Index | None) -> Value:
    """A dict of known keys keeps them where the key that is written is a literal."""
    kind = before.kind
    if not isinstance(kind, Dict) or kind.items is None:
        return after
    if not (isinstance(key, core.Const) and type(key.value) is str):
        return after
    items = {**dict(kind.items), key.value: stored.kind}
    return make(Dict(tuple(items.items()), join_all(items.values())), after.active, after.sites)


def note_write(
    run: Run,
    statement: core.Statement,
    name: str,
    env: Environment,
    changed: Sites | None = None,
) -> None:
    """`statement` changes the content of variable `name`, or of these allocations alone: note who
    shares the storage."""
    facts, value = run.facts, env[name]
    if not value.sites:
        return
    if KEPT in value.sites:
        run.everywhere()  # which refuses what can be changed
    if changed is None:
        changed = both(everything(value.sites), with_holders(everything(value.sites)))
    facts.writes[id(statement)] = facts.writes.get(id(statement), frozenset()) | {name}
    others = {
        other
        for other in (*run.live[id(statement)], *(entry for entry in env if entry.startswith("<cell")))
        if other != name and other in env and not env[other].sites.isdisjoint(changed)
    }
    mark_written(run, changed)
    facts.written_inside |= _known_under_others(run, name, names_of_parameters(reachable(changed)))
    shared = bool(others) or bool(_known_under_others(run, name, names_of_parameters(changed)))
    if shared:
        facts.shared |= reachable(changed)


def note_inside(run: Run, variable: str, env: Environment) -> None:
    """A call may change something in what a variable holds, which may be a parameter's."""
    run.facts.written_inside |= names_of_parameters(reachable(env[variable].sites))


def _known_under_others(run: Run, name: str, parameters: set[str]) -> set[str]:
    """Those of the parameters that the caller knows under another name than this."""
    return parameters if name in run.rebound else parameters - {name}


def mark_written(run: Run, sites: Sites) -> None:
    """The content of these allocations may change."""
    facts = run.facts
    mark_reachable(run, sites)
    reached = reachable(sites)
    facts.written_parameters |= names_of_parameters(reached)
    facts.outside |= OUTSIDE in reached
    facts.fills |= OUTSIDE in reached


def unknown_effects(run: Run, values: list[Value]) -> None:
    """A call of which nothing is known may write whatever it can reach."""
    for value in values:
        note_held(run, value.sites)
        note_given_away(run, value.sites)
        mark_reachable(run, value.sites)
        if not (value.active and run.facts.way.identity):
            run.facts.handed |= names_of_parameters(reachable(value.sites))
        if run.facts.way.identity:
            run.facts.shared |= reachable(value.sites)
    run.facts.written |= sites_of(OUTSIDE)


def mingle(
    env: Environment,
    values: list[Value],
    *,
    active: bool,
    holders: type[Kind] | tuple[()] = (),
    stored: Sites | None = None,
) -> None:
    """A call may have stored any of these values in any other: what can hold something may hold it.

    With `holders`, only values of such kinds have had others stored in them; with `stored`, only what has
    these sites was.
    """
    values = [value for value in values if not is_module(value.kind)]
    given = all_of(everything(value.sites) for value in values) if stored is None else stored
    holding = [value for value in values if is_container(value.kind) and _is_one_of(value, holders)]
    reached = with_holders(all_of(everything(value.sites) for value in holding))
    held = contained(
        given - sites_of(NAMED) if given <= BY_NAME else given
    )  # which are in themselves already
    wider: dict[int, Sites] = {}  # than each set of sites, which many variables may have in common
    for name, other in at(env, reached):
        if not (type(other.kind) in HOLDING or is_container(other.kind)) or not _is_one_of(other, holders):
            continue
        sites = wider.get(id(other.sites))
        if sites is None:
            sites = wider[id(other.sites)] = both(other.sites, held)
        if sites is not other.sites or (active and not other.active):
            kind = _able_to_carry(other.kind) if active else other.kind
            env[name] = remade(other, kind, other.active or active, sites)


def _able_to_carry(kind: Kind) -> Kind:
    """The kind of a container in which something with a gradient may have been stored."""
    return kind if carries_gradient(kind) else forgotten(kind)


def _is_one_of(value: Value, kinds: type[Kind] | tuple[()]) -> bool:
    return not kinds or isinstance(value.kind, kinds)


def hand_to_sharers(cell: str, stored: Value, env: Environment) -> None:
    """What a variable holds that functions share, all of them may change, and whoever holds or calls them."""
    shared = with_holders(sites_of(cell_site(cell)))
    for name, value in at(env, shared):
        env[name] = remade(value, value.kind, value.active, both(value.sites, contained(stored.sites)))


def is_container(kind: Kind) -> bool:
    """Whether a value of this kind may hold others, and be changed."""
    if type(kind) in HOLDING:
        return True
    if isinstance(kind, Row):
        return is_container(kind.element)
    if isinstance(kind, OneOf):
        return any(map(is_container, kind.options))
    return isinstance(kind, Tuple) and any(map(is_container, kind.items))


HOLDING: frozenset[type[Kind]] = frozenset(
    {List, Dict, Object, Again, Itself, Member, Unknown, Optional, Closure, LocalFunction, Iterator}
)
"""Kinds of what may hold others, and be changed."""


def is_module(kind: Kind) -> bool:
    """Whether a kind is that of a module, or of what a library has put in the place of one."""
    if isinstance(kind, Known):
        return isinstance(kind.value, ModuleType)
    return isinstance(kind, Object) and _is_class_of_module(kind.cls, len(sys.modules))


@lru_cache(maxsize=4096)
def _is_class_of_module(cls: type, imported: int) -> bool:
    """Whether a class is that of a module, of which so many are `imported`."""
    return issubclass(cls, ModuleType) or any(type(module) is cls for module in list(sys.modules.values()))


def sites_by_name(value: Any) -> Sites:
    """The sites of a value that is found by its name. (In a function that keeps nothing nobody finds
    anything.)"""
    return NOWHERE if keeps_nothing(value) else BY_NAME


def is_of_containers(kind: Kind) -> bool:
    """Whether a value is a container of another class than `list` and `dict`."""
    return isinstance(kind, Object) and issubclass(kind.cls, CONTAINERS)


def is_set_kind(kind: Kind) -> bool:
    """Whether a value is a set, whose elements are found by identity alone."""
    return isinstance(kind, Object) and issubclass(kind.cls, SETS)


def mark_reachable(run: Run, sites: Sites) -> None:
    """The content of these allocations may change, so that what is stashed of them is copied.

    What is an older allocation now may have been stashed when it was the most recent one.
    """
    run.facts.written |= with_newest(reachable(sites))


def activate(env: Environment, sites: Sites) -> None:
    """An active value was stored in these allocations: all that may be one, or hold one, is active."""
    for name, value in at(env, with_holders(sites)):
        if not value.active:
            env[name] = remade(value, value.kind, True, value.sites)


def settle_shared_storage(run: Run) -> None:
    """What lies in storage that is shared is found by memory as long as it is arrays whose kinds are
    known, and by identity otherwise."""
    facts = run.facts
    found = [*facts.values.values(), *facts.results.values()]
    if facts.way.identity:
        facts.shared |= sites_of(OUTSIDE, RETURNED).union(*map(_kept_in_store, found))
        facts.shared |= sites_of(*map(parameter_site, facts.written_parameters))
        facts.unseen |= {key for key, call in facts.calls.items() if isinstance(call, Dynamic)}
        _share_what_doors_are_given(facts)
        _share_alike(facts, found)
        return
    if any(value.active and is_set_kind(value.kind) for value in found):
        run.by_identity()
    _share_alike(facts, found)
    if not all(_can_be_shared(value) for value in found if value.active and facts.is_shared(value)):
        run.by_identity()


def _share_what_doors_are_given(facts: Facts) -> None:
    """What run-time doors are given, they find by memory."""
    writes = [statement for statement in core.walk(facts.function.body) if isinstance(statement, Write)]
    through = {id(statement) for statement in writes if not _to_array(facts, statement)}
    for (key, _), value in facts.values.items():
        if key in facts.unseen or key in through:
            facts.shared |= reachable(value.sites)


Write: TypeAlias = core.SetItem | core.AugmentItem | core.SetAttr | core.AugmentAttr | core.AugmentName


def _to_array(facts: Facts, statement: Write) -> bool:
    """Whether a statement writes to what is known to be an array."""
    target = statement.target
    name = target if isinstance(target, str) else getattr(target, "name", "")
    return isinstance(facts.values.get((id(statement), name), NO_CONTENT).kind, Array)


def _share_alike(facts: Facts, found: list[Value]) -> None:
    """Where a variable may hold what is shared, all that it may hold is; and what a statement made is shared
    all the same in the iteration in which it is made and in those after it."""
    size = -1
    while facts.shared and size != len(facts.shared):
        facts.shared = of_any_round(facts.shared)
        size = len(facts.shared)
        for value in found:
            if facts.is_shared(value):
                facts.shared |= reachable(value.sites)


def _kept_in_store(value: Value) -> Sites:
    """The allocations that are found by identity because of what a variable holds: all that lie in
    other things, and all that can be reached from what is neither number, array nor tuple."""
    if isinstance(value.kind, Array | NumberOrArray | Tuple):
        return in_it(value.sites)
    return reachable(value.sites)


def _can_be_shared(value: Value) -> bool:
    return isinstance(value.kind, Array) and value.kind.rank is not None
