"""Lazy builtins ask objects for iterators when they are called, not when the first item is asked for."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import zygpy
from zygpy.testing.numeric import slope

X = 0.7


class Items:
    def __init__(self, items: Any) -> None:
        self.items, self.asked = items, 0

    def __iter__(self) -> Iterator[Any]:
        self.asked += 1
        return iter(self.items)


def twice(value: Any) -> Any:
    return value, value


LAZY: dict[str, Callable[[Any], Any]] = {
    "zip": lambda o: zip(o, [1.0, 2.0], strict=True),
    "map": lambda o: map(twice, o),
    "filter": lambda o: ((v, 1.0) for v in filter(lambda v: v > 0.0, o)),
    "enumerate": lambda o: enumerate(o),
    "starmap": lambda o: itertools.starmap(lambda i, v: (v, v), zip([0, 1], o, strict=True)),
    "islice": lambda o: zip(itertools.islice(o, 2), [3.0, 4.0], strict=True),
    "accumulate": lambda o: zip(itertools.accumulate(o), [3.0, 4.0], strict=True),
    "pairwise": lambda o: itertools.pairwise(o),
    "takewhile": lambda o: zip(itertools.takewhile(lambda v: v < 9.0, o), [3.0, 4.0], strict=True),
    "zip_longest": lambda o: itertools.zip_longest(o, [1.0, 2.0]),
    "cycle": lambda o: zip(itertools.cycle(o), [1.0, 2.0, 3.0], strict=False),
}


@pytest.mark.parametrize("name", LAZY)
def test_what_is_walked_over_is_chosen_at_the_call(name: str) -> None:
    def f(x: Any) -> Any:
        owner = Items([x, x * x])
        walk = LAZY[name](owner)
        asked = owner.asked
        owner.items = [1.0, x * 3.0]
        total = asked * x
        for first, second in walk:
            total = total + first * second
        return total

    value, back = zygpy.pullback(f, X)
    assert value == f(X)
    expected = slope(lambda t: f(X + t), 0.02).value
    assert back(1.0)[0] == pytest.approx(expected, rel=1e-8)
    assert back(1.0)[0] == pytest.approx(expected, rel=1e-8)


class Symbol:
    """Something to be called that makes an equation of a comparison."""

    def __init__(self, weight: Any) -> None:
        self.weight = weight

    def __eq__(self, other: object) -> Any:
        return (self, other)

    def __hash__(self) -> int:
        return hash(len)

    def __call__(self, *args: Any) -> Any:
        return sum(args) * self.weight


def test_callables_are_not_compared() -> None:
    def f(x: Any) -> Any:
        symbol = Symbol(x)
        table = {"symbol": symbol}
        return sum(map(symbol, [x, 2.0])) + table["symbol"](x, 3.0) * apply(symbol, x)

    assert zygpy.gradient(f, X)[0] == pytest.approx(slope(lambda t: f(X + t), 0.02).value, rel=1e-8)


def apply(function: Any, *args: Any) -> Any:
    return function(*args) if function is not None else 0.0


@pytest.mark.parametrize("numbers", [range(1, 4), {1: "a", 2: "b"}.keys()], ids=["range", "keys"])
def test_arguments_that_only_give_integers(numbers: Any) -> None:
    def f(x: Any, given: Any) -> Any:
        return sum([number * x for number in given])

    assert zygpy.gradient(f, X, numbers) == (sum(numbers), None)


class Bag(list):  # type: ignore[type-arg]
    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[Any]:
        return iter([10.0 * item for item in super().__iter__()])


class Closed(dict):  # type: ignore[type-arg]
    def items(self) -> Any:
        return []

    def get(self, key: Any, default: Any = None) -> Any:
        return default


def test_gradients_of_arguments_that_hide_what_they_hold() -> None:
    def f(bag: Any, table: Any) -> Any:
        return sum(bag) + bag[2] * table["a"] + table["b"] * 2.0

    found = zygpy.gradient(f, Bag([1.0, 2.0, 3.0]), Closed(a=4.0, b=5.0))
    assert found == ([10.0, 10.0, 14.0], {"a": 3.0, "b": 2.0})
