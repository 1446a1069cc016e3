"""Arguments that show dicts, or have an order of their own: proxies, views from behind, sets."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterable, Iterator
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from zygpy import units

TABLE = {"a": 0.8, "b": 1.3, "c": 0.6}


@pytest.fixture(autouse=True, params=[True, False], ids=["specialised", "generic"])
def switches(request: pytest.FixtureRequest) -> Iterator[None]:
    with units.options(specialise=request.param):
        yield


def derivative(f: Callable[[float], Any]) -> float:
    return float(differences(lambda step: f(step[0]), np.zeros(1))[0])


def product(a: float, b: float, c: float) -> float:
    return a * b + b * c * c


def copied_and_changed(d: Any) -> float:
    e = dict(d)
    e["a"] = e["b"] * e["c"]
    return e["a"] * d["a"]


def put_into_another(d: Any) -> float:
    e: dict[str, float] = {}
    e.update(d)
    return sum(e.values()) ** 2


def keys_from_behind(d: Any) -> float:
    total = 0.0
    for key in reversed(d):
        total = total * 1.5 + d[key] ** 2
    return total


def with_lengths_of_keys(d: Any) -> float:
    return sum(value * value * len(key) for key, value in d.items())


OF_DICTS: list[Callable[[Any], Any]] = [
    copied_and_changed,
    put_into_another,
    keys_from_behind,
    with_lengths_of_keys,
    lambda d: product(**d),
    lambda d: sum({**d, "b": 2.0}.values()) ** 2,
    lambda d: d["a"] * d.get("b") * d.get("d", 3.0),
    lambda d: sum(d.copy().values()) ** 2,
    lambda d: sum(d[key] ** 2 for key in d) if "a" in d and len(d) == 3 else 0.0,
]


@pytest.mark.parametrize("place", range(len(OF_DICTS)))
def test_what_shows_a_dict_has_the_gradient_of_the_dict(place: int) -> None:
    program = OF_DICTS[place]
    expected = {
        key: derivative(lambda step, key=key: program({**TABLE, key: TABLE[key] + step})) for key in TABLE
    }
    itself = zg.gradient(program, MappingProxyType(TABLE))[0]
    held = zg.gradient(lambda holder: program(holder[0]), [MappingProxyType(TABLE)])[0][0]
    for gradient in (itself, held):
        assert {key: gradient.get(key) or 0.0 for key in TABLE} == pytest.approx(expected, rel=1e-7)


class Settings:
    """Numbers that only the object itself changes."""

    def __init__(self, table: dict[str, float]) -> None:
        self._table = table
        self.shown = MappingProxyType(table)

    def double(self, key: str) -> None:
        self._table[key] *= 2


def test_what_is_written_to_the_dict_is_shown() -> None:
    def program(x: float) -> float:
        settings = Settings({"a": x, "b": 3.0})
        settings.double("a")
        return settings.shown["a"] * settings.shown["b"] * x

    assert zg.gradient(program, 0.7)[0] == pytest.approx(2 * 2 * 3.0 * 0.7)


def from_behind(items: Any) -> float:
    total = 0.0
    for item in reversed(items):
        total = total * 1.5 + item * item
    return total


def pairs_from_behind(items: Any) -> float:
    total = 0.0
    for key, item in reversed(items):
        total = total * 1.5 + item * item * len(key)
    return total


def test_views_are_walked_over_from_behind() -> None:
    expected = [2 * 0.8, 2 * 1.3 * 1.5, 2 * 0.6 * 1.5**2]
    assert zg.gradient(from_behind, TABLE.values())[0] == pytest.approx(expected)
    pairs = zg.gradient(pairs_from_behind, TABLE.items())[0]
    assert [bar for _, bar in pairs] == pytest.approx(expected)
    assert zg.gradient(lambda held: from_behind(held[0]), [TABLE.values()])[0][0] == pytest.approx(expected)


def numbered(items: Iterable[float]) -> float:
    return sum((place + 1) * item * item for place, item in enumerate(items))


def first_changed(items: Iterable[float]) -> float:
    listed = list(items)
    listed[0] = listed[1] * 2
    return listed[0] * listed[1] + listed[2]


def largest_by_the_rest(items: Iterable[float]) -> float:
    first, *rest = sorted(items)
    return first * rest[-1]


OF_SETS: list[Callable[[Any], Any]] = [
    numbered,
    first_changed,
    largest_by_the_rest,
    lambda items: functools.reduce(operator.mul, map(math.exp, items)),
    lambda items: product(*items),
    lambda items: [*items][1] ** 2,
    lambda items: max(items) * min(items) + len(items),
]


@pytest.mark.parametrize("of", [set, frozenset])
@pytest.mark.parametrize("place", range(len(OF_SETS)))
def test_sets_that_are_given(place: int, of: Callable[[Any], Any]) -> None:
    program, items = OF_SETS[place], of({0.8, 1.3, 0.6})
    gradient = zg.gradient(program, items)[0]
    for item in items:
        moved = lambda step, item=item: program([it + step if it == item else it for it in items])  # noqa: E731
        assert (gradient.get(item) or 0.0) == pytest.approx(derivative(moved), rel=1e-6, abs=1e-9)
