"""Lists that hold numbers at one point, and perhaps arrays at another.

The cotangent of a list is made where it is needed first, going backwards, in the form that belongs to its
kind there, and used everywhere else. So what may be one list has one kind of items throughout: where they may
be arrays somewhere, nobody takes the entries of the cotangent for numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zygpy.analyse.facts import Facts
from zygpy.analyse.sites import NOWHERE
from zygpy.analyse.values import Environment, Value
from zygpy.ir.kinds import NEVER, Kind, List, Never, NumberOrArray, Unknown, is_scalar, join


def settle_lists(facts: Facts) -> None:
    """Widen the kinds of lists of numbers that are, at another point, lists of what may be something else."""
    mixed = {name for name, value in _values(facts) if _is_mixed(value)}
    if not mixed:
        return
    widest: Kind = NEVER
    for _, value in _values(facts):
        if isinstance(value.kind, List) and _is_mixed(value):
            widest = join(widest, value.kind.element)
    sites = NOWHERE
    known = -1
    while known != (known := len(mixed) + len(sites)):
        sites = sites.union(
            *(value.sites for name, value in _values(facts) if _is_list(value) and name in mixed)
        )
        mixed |= {
            name for name, value in _values(facts) if _is_list(value) and not sites.isdisjoint(value.sites)
        }
    for table in _tables(facts):
        for key, value in table.items():
            name = key[1] if isinstance(key, tuple) else key
            if name in mixed and isinstance(value.kind, List) and is_scalar(value.kind.element):
                table[key] = value._replace(kind=List(join(value.kind.element, widest)))


def _is_mixed(value: Value) -> bool:
    return isinstance(value.kind, List) and isinstance(value.kind.element, NumberOrArray | Unknown)


def _is_list(value: Value) -> bool:
    return isinstance(value.kind, List) and not isinstance(value.kind.element, Never)


def _tables(facts: Facts) -> list[dict[Any, Value]]:
    """What is known of variables, by statement and name, or by name."""
    environments: list[Environment] = [*facts.entries.values(), *facts.exits.values()]
    return [facts.values, facts.results, *environments]


def _values(facts: Facts) -> Iterator[tuple[str, Value]]:
    for table in _tables(facts):
        for key, value in table.items():
            yield (key[1] if isinstance(key, tuple) else key), value
