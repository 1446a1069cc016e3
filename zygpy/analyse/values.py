"""Abstract values: what the interpretation knows of a variable at one point of the program."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from zygpy.analyse.sites import NAMED, NOWHERE, OUTSIDE, Site, Sites, aged, both, held, sites_of
from zygpy.ir import core
from zygpy.ir.kinds import (
    NOTHING,
    Closure,
    Dict,
    Kind,
    List,
    LocalFunction,
    Member,
    NumberOrArray,
    Object,
    Optional,
    Row,
    Tuple,
    Unknown,
    carries_gradient,
    is_mutable,
    join,
    widen,
)


class Value(NamedTuple):
    """Kind, activity and the allocations that may be reached from the value.

    `certain` is False where the variable may have no value at all (bound in one branch only);
    `never_negative` is said of real numbers, and `made` is how a function was made that this very call of the
    program has made. A `new` object is handed to the function that initialises it: no other argument
    knows it as yet.
    `text` is a text that is known, as it was made of the name of a class. (A named tuple, as these are
    made and compared more often than anything else in an interpretation.)
    """

    kind: Kind
    active: bool = False
    sites: Sites = NOWHERE
    certain: bool = True
    never_negative: bool = False
    made: core.MakeFunction | None = None
    new: bool = False
    text: str | None = None


INERT = Value(NOTHING)
Environment: TypeAlias = "dict[str, Value]"


RULING_NOTHING_OUT = frozenset({Unknown, Optional, Object, Member, Closure, LocalFunction, NumberOrArray})
"""Kinds whose values may have a gradient, and be changed, whatever is in them."""


def make(kind: Kind, active: bool = False, sites: Sites = NOWHERE) -> Value:
    """A value whose activity and sites are dropped where its kind rules them out."""
    if type(kind) in RULING_NOTHING_OUT:
        nested = isinstance(kind, Optional | LocalFunction) or getattr(kind, "fields", None)
        unchangeable = isinstance(kind, Optional) and not is_mutable(kind)
        return Value(widen(kind) if nested else kind, active, NOWHERE if unchangeable else sites)
    kind = widen(kind)
    return Value(kind, active and carries_gradient(kind), sites if is_mutable(kind) else NOWHERE)


def remade(value: Value, kind: Kind, active: bool, sites: Sites) -> Value:
    """The value of a variable to whose content something may have happened: where it may be unbound, it still
    may."""
    if kind is value.kind and type(kind) is Unknown:  # most of what unknown calls are given
        return Value(kind, active, sites, value.certain, False, value.made)
    result = make(kind, active, sites)
    if value.made is not None and _is_same_function(kind, value.kind):
        result = result._replace(made=value.made)
    return result if value.certain else uncertain(result)


def _is_same_function(kind: Kind, before: Kind) -> bool:
    """Whether a function of a kind is the one that it was before, whatever is in what it carries."""
    if isinstance(kind, LocalFunction) and isinstance(before, LocalFunction):
        return kind.function is before.function
    return kind is before


def join_values(a: Value, b: Value) -> Value:
    """The value on a path that may come from either side."""
    if a is b or a == b:
        return a
    if a.text is not None:
        a = a._replace(text=None)
    if a.kind is b.kind and a.active >= b.active and a.certain <= b.certain and b.sites <= a.sites:
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


def inert(value: Value) -> Value:
    """The same value, where its gradient is not asked for."""
    return value._replace(active=False)


def is_outside(value: Value) -> bool:
    """Whether others may find what a value is, or lies in, without being given it."""
    return OUTSIDE in value.sites or HELD_OUTSIDE in value.sites


HELD_OUTSIDE = held(OUTSIDE)


def is_inert_outside(value: Value) -> bool:
    """Whether a value may be a thing that others find without being given it, and expect nothing active in:
    what was taken out of a container counts as active, as soon as anything in that is."""
    return NAMED in value.sites or (is_outside(value) and not value.active)


HELD_NAMED = held(NAMED)


def holds_inert_outside(value: Value) -> bool:
    """The same of a value, or of something in it."""
    return HELD_NAMED in value.sites or is_inert_outside(value)


def is_change_outside(value: Value, *, inside: bool) -> bool:
    """Whether others find what changes, if a value is changed, or something `inside` it: in what is active
    itself there may be things that are not."""
    mixed = isinstance(value.kind, Tuple | List | Row | Dict | Object) and HELD_OUTSIDE in value.sites
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


def replace_by_joined(environment: Environment, arms: Sequence[Environment]) -> None:
    """What is known where one of several paths was taken, in place of what is known in front of them."""
    joined = functools.reduce(join_environments, arms)
    environment.clear()
    environment.update(joined)


def at(environment: Environment, sites: Sites) -> list[tuple[str, Value]]:
    """The variables that have one of these sites. (Environments are gone through at every call of which
    nothing is known: nothing is called here for each variable.)"""
    bits = sites.bits
    return [entry for entry in environment.items() if entry[1].sites.bits & bits]


def age(environment: Environment, site: Site) -> None:
    """Before a statement allocates again, what it allocated before becomes older (in place)."""
    recent = sites_of(site, held(site))
    older: dict[int, Sites] = {}  # than each set of sites, which many variables may have in common
    for name, value in at(environment, recent):
        kind, active, sites, certain, never_negative, made, new, _ = value
        found = older.get(id(sites))
        if found is None:
            found = older[id(sites)] = aged(sites, recent)
        environment[name] = Value(kind, active, found, certain, never_negative, made, new)


def cell_variable(name: str) -> str:
    """The entry of the environment that stands for the content of an explicit cell."""
    return f"<cell {name}>"
