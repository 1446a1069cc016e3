"""Abstract values: what the interpretation knows of a variable at one point of the program."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, TypeAlias

from zygpy.ir import core
from zygpy.ir.kinds import (
    NOTHING,
    Closure,
    Dict,
    Kind,
    List,
    NumberOrArray,
    Object,
    Tuple,
    Unknown,
    carries_gradient,
    is_mutable,
    join,
    widen,
)

Site: TypeAlias = "tuple[str, str | int, bool]"
"""An allocation: ("param", name, True), ("at", statement number, most recent?), OUTSIDE or NAMED."""

OUTSIDE: Site = ("outside", 0, True)
"""What others may find without being given it."""

NAMED: Site = ("named", 0, True)
"""What was read by the name of a global or captured variable, a class or a module; it is outside too. (Of
what an unknown call gives nobody knows whether it is outside.)"""

BY_NAME = frozenset({OUTSIDE, NAMED})
"""The sites of what was read by such a name."""

RETURNED: Site = ("returned", 0, True)
"""What a call has made, and what its arguments may hold since, where nobody finds that without being given
it: one such thing may be another."""

HELD = "held "
"""Begins the first word of a site that a container does not have itself: something in it may."""


class Value(NamedTuple):
    """Kind, activity and the allocations that may be reached from the value.

    `certain` is False where the variable may have no value at all (bound in one branch only);
    `never_negative` is said of real numbers, and `made` is how a function was made that this very call of the
    program has made. A `new` object is handed to the function that initialises it: no other argument
    knows it as yet. (A named tuple, as these are made and compared more often than
    anything else in an interpretation.)
    """

    kind: Kind
    active: bool = False
    sites: frozenset[Site] = frozenset()
    certain: bool = True
    never_negative: bool = False
    made: core.MakeFunction | None = None
    new: bool = False


INERT = Value(NOTHING)
Environment: TypeAlias = "dict[str, Value]"


RULING_NOTHING_OUT = frozenset({Unknown, Object, Closure, NumberOrArray})
"""Kinds whose values may have a gradient, and be changed, whatever is in them."""


def make(kind: Kind, active: bool = False, sites: frozenset[Site] = frozenset()) -> Value:
    """A value whose activity and sites are dropped where its kind rules them out."""
    if type(kind) in RULING_NOTHING_OUT:
        return Value(widen(kind) if getattr(kind, "fields", None) else kind, active, sites)
    kind = widen(kind)
    return Value(kind, active and carries_gradient(kind), sites if is_mutable(kind) else frozenset())


def remade(value: Value, kind: Kind, active: bool, sites: frozenset[Site]) -> Value:
    """The value of a variable to whose content something may have happened: where it may be unbound, it still
    may."""
    result = make(kind, active, sites)
    if value.made is not None and kind is value.kind:
        result = result._replace(made=value.made)
    return result if value.certain else uncertain(result)


def parameter_site(name: str) -> Site:
    """The allocation that a parameter holds at the call."""
    return ("param", name, True)


def fresh_site(number: int) -> Site:
    """What the statement of that number allocated most recently."""
    return ("at", number, True)


def older(site: Site) -> Site:
    """What the same statement allocated in earlier rounds."""
    return (site[0], site[1], False)


def newest(site: Site) -> Site:
    """What the same statement allocated most recently."""
    return (site[0], site[1], True)


KEPT = 4096
"""How many sets of sites the functions below remember the answers for: the same are asked for again and
again, as long as the program around does not change."""


@lru_cache(maxsize=KEPT)
def same(sites: frozenset[Site]) -> frozenset[Site]:
    """One object for all sets of the same sites, so that what is asked of it is known, and it is compared at
    once."""
    return sites


@lru_cache(maxsize=KEPT)
def both(a: frozenset[Site], b: frozenset[Site]) -> frozenset[Site]:
    """The sites of either."""
    return a if b <= a else b if a <= b else same(a | b)


@lru_cache(maxsize=KEPT)
def contained(sites: frozenset[Site]) -> frozenset[Site]:
    """What a new container can reach that holds a value with these sites."""
    return same(frozenset(map(_held, sites)))


@lru_cache(maxsize=KEPT)
def _held(site: Site) -> Site:
    return site if is_held(site) else (HELD + site[0], site[1], site[2])


@lru_cache(maxsize=KEPT)
def is_held(site: Site) -> bool:
    """Whether the site is that of something in the container, not of the container."""
    return site[0].startswith(HELD)


@lru_cache(maxsize=KEPT)
def let_go(site: Site) -> Site:
    """The site itself, of the container or of something in it."""
    return (site[0].removeprefix(HELD), site[1], site[2])


@lru_cache(maxsize=KEPT)
def reachable(sites: frozenset[Site]) -> frozenset[Site]:
    """The sites of a value and of everything in it."""
    return same(frozenset(map(let_go, sites)))


@lru_cache(maxsize=KEPT)
def allocations(sites: frozenset[Site]) -> frozenset[tuple[str, str | int]]:
    """What made a value, and what is in it, of whatever round of a loop."""
    return frozenset(map(_allocation, reachable(sites)))


@lru_cache(maxsize=KEPT)
def _allocation(site: Site) -> tuple[str, str | int]:
    return site[:2]


def container_site(number: int) -> Site:
    """What a statement allocated most recently, where that is a container that is not in itself:
    everything that it holds has sites of its own, held."""
    return (MADE, number, True)


MADE = "made"


@lru_cache(maxsize=KEPT)
def everything(sites: frozenset[Site]) -> frozenset[Site]:
    """A value and whatever is in it."""
    return both(sites, reachable(sites))


@lru_cache(maxsize=KEPT)
def or_holding(sites: frozenset[Site]) -> frozenset[Site]:
    """The sites of what may be one of these values, or a new container with one in it."""
    return both(sites, contained(frozenset([site for site in sites if site[0] == MADE])))


@lru_cache(maxsize=KEPT)
def extracted(sites: frozenset[Site]) -> frozenset[Site]:
    """The sites of what is taken out of a container (or array) with these sites."""
    return everything(frozenset([site for site in sites if site[0] != MADE]))


@lru_cache(maxsize=KEPT)
def with_newest(sites: frozenset[Site]) -> frozenset[Site]:
    """The sites, and what the same statements allocated most recently."""
    return same(sites | {newest(site) for site in sites})


@lru_cache(maxsize=KEPT)
def with_holders(sites: frozenset[Site]) -> frozenset[Site]:
    """The sites that a value may have that is one of these allocations, or holds one."""
    own = frozenset([site for site in sites if not is_held(site)])
    return same(own | contained(own))


def join_values(a: Value, b: Value) -> Value:
    """The value on a path that may come from either side."""
    if a is b or a == b:
        return a
    if a.kind is b.kind and a.active >= b.active and a.certain <= b.certain and a.sites >= b.sites:
        if a.never_negative <= b.never_negative and (a.made is None or a.made is b.made):
            return a
        made = a.made if a.made is b.made else None
        return a._replace(never_negative=a.never_negative and b.never_negative, made=made)
    sites = a.sites if a.sites is b.sites else both(a.sites, b.sites)
    joined = make(join(a.kind, b.kind), a.active or b.active, sites)
    if a.never_negative and b.never_negative:
        joined = joined._replace(never_negative=True)
    if a.made is not None and a.made is b.made:
        joined = joined._replace(made=a.made)
    return joined if a.certain and b.certain else uncertain(joined)


def is_outside(value: Value) -> bool:
    """Whether others may find what a value is, or lies in, without being given it."""
    return any(let_go(site) == OUTSIDE for site in value.sites)


HELD_OUTSIDE = _held(OUTSIDE)


def is_inert_outside(value: Value) -> bool:
    """Whether a value may be a thing that others find without being given it, and expect nothing active in:
    what was taken out of a container counts as active, as soon as anything in that is."""
    return NAMED in value.sites or (is_outside(value) and not value.active)


HELD_NAMED = _held(NAMED)


def holds_inert_outside(value: Value) -> bool:
    """The same of a value, or of something in it."""
    return HELD_NAMED in value.sites or is_inert_outside(value)


def is_change_outside(value: Value, *, inside: bool) -> bool:
    """Whether others find what changes, if a value is changed, or something `inside` it: in what is active
    itself there may be things that are not."""
    mixed = isinstance(value.kind, Tuple | List | Dict | Object) and HELD_OUTSIDE in value.sites
    return (inside and mixed) or is_inert_outside(value)


def uncertain(value: Value) -> Value:
    """The same value, of a variable that may have none."""
    if not value.certain:
        return value
    return Value(value.kind, value.active, value.sites, False, value.never_negative, value.made, value.new)


def join_environments(a: Environment, b: Environment) -> Environment:
    """Join point by point; a variable that one side lacks is uncertain."""
    result = dict(a)
    for name, value in b.items():
        other = a.get(name)
        if other is None:
            result[name] = uncertain(value)
        elif other is not value:
            result[name] = join_values(other, value)
    if len(result) > len(b):
        for name in a.keys() - b.keys():
            result[name] = uncertain(a[name])
    return result


def age(environment: Environment, site: Site) -> None:
    """Before a statement allocates again, what it allocated before becomes older (in place)."""
    recent = frozenset({site, _held(site)})
    is_apart = recent.isdisjoint
    for name in [name for name, value in environment.items() if not is_apart(value.sites)]:
        value = environment[name]
        environment[name] = value._replace(sites=_aged(value.sites, recent))


@lru_cache(maxsize=KEPT)
def _aged(sites: frozenset[Site], recent: frozenset[Site]) -> frozenset[Site]:
    return same(sites - recent | set(map(older, recent & sites)))


def cell_variable(name: str) -> str:
    """The entry of the environment that stands for the content of an explicit cell."""
    return f"<cell {name}>"


def cell_site(name: str) -> Site:
    """What functions can reach that share an explicit cell, beside what is in it."""
    return ("cell", name, True)
