"""Objects whose `__iter__` is plain - it gives the items of a field, or a few fields - are walked over, taken
apart and handed to builtins; builtins of lists that are found by identity; operators that are decorated."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing.numeric import slope

Program = Callable[[float, float], float]


class Pair:
    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = x, y

    def __iter__(self) -> Iterator[Any]:
        yield self.x
        yield self.y


class Fixed(Pair):
    def __iter__(self) -> Iterator[Any]:
        return iter((self.x, self.y))


class Scaled(Pair):
    def __iter__(self) -> Iterator[Any]:
        scale = self.x
        yield scale * 2
        yield self.y * scale


class Vector:
    def __init__(self, items: Any) -> None:
        self.items, self.asked = items, 0

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    def __len__(self) -> int:
        self.asked += 1
        return len(self.items)


class Lazy(Vector):
    def __iter__(self) -> Iterator[Any]:
        for item in self.items:  # noqa: UP028
            yield item


def lifting(method: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def lifted(self: Any, other: Any) -> Any:
        return method(self, other if isinstance(other, Number) else Number(other))

    return lifted


def scaled(factor: float) -> Callable[[Any], Any]:
    return lambda method: lambda self: Number(method(self).x * factor)


class Number:
    def __init__(self, x: Any) -> None:
        self.x = x

    @lifting
    def __add__(self, other: Any) -> Any:
        return Number(self.x + other.x)

    @lifting
    def __radd__(self, other: Any) -> Any:
        return Number(other.x * 2 + self.x)

    @lifting
    def __mul__(self, other: Any) -> Any:
        return Number(self.x * other.x)

    @lifting
    def __sub__(self, other: Any) -> Any:
        return Number(self.x - other.x)

    @scaled(3.0)
    def __neg__(self) -> Any:
        return Number(-self.x)


class Other(Number):
    @lifting
    def __radd__(self, other: Any) -> Any:
        return Number(self.x * other.x)


def taken(x: float, y: float) -> float:
    a, b = Pair(x, y)
    total = a * b
    for c, d in zip(Lazy([x, y, 1.0]), Vector([y, x, x])):  # noqa: B905
        total += c * d
    for i, c in enumerate(Fixed(y, x)):
        total += c * i
    return float(total)


def taken_by_builtins(x: float, y: float) -> float:
    pair, vector = Pair(x, y), Vector([x, y, x * y])
    total = sum(vector) + max(Lazy([x, y])) * min(pair) + math.prod(Fixed(x, y)) + list(vector)[1]
    return float(total + sum(a * b for a, b in zip(vector, pair)) + vector.asked)  # noqa: B905


def changed_while_walked(x: float, y: float) -> float:
    total = 0.0
    for pair in (Pair(x, y), Fixed(x, y)):
        for c in pair:
            pair.y = pair.y * c
            total += c
    vector = Vector([x, y])
    for c in vector:
        total += c * len(vector.items)
        if len(vector.items) < 4:
            vector.items.append(total)
    lazy = Lazy([x, y])
    for c in lazy:
        lazy.items = [c, c]
    return total * sum(lazy)


def bound_anew(x: float, y: float) -> float:
    pair, total = Pair(x, y), 0.0
    for c in pair:
        pair = Pair(y, total + 1.0)
        total += c * pair.y
    return total + pair.x


def left(x: float, y: float) -> float:
    total = 0.0
    for k in range(3):
        for c in Pair(x * k, y):
            if c > 1.0:
                break
            total += c
        else:
            total += y
        for i, c in enumerate(Scaled(x, y), 1):
            if i != k:
                total += c * i
        for both in zip(Scaled(y, x), Pair(x, k)):  # noqa: B905
            total += both[0] * both[1]
    return total


def of_other_lengths(x: float, y: float) -> float:
    total = 0.0
    for thing in (Pair(x, y), Vector([x]), Lazy([x, y, x]), Scaled(x, y)):
        try:
            a, b = thing  # type: ignore[misc]
            total += a * b
        except ValueError:
            total += x
    first, *rest = Lazy([x, y, x * y])
    return total + float(first * rest[1])


def of_arrays_and_dicts(x: float, y: float) -> float:
    vector, table = Vector(np.array([x, y])), Lazy({"a": x, "b": y})
    a, b = vector
    return float(a * b * max(vector) + sum(table.items[k] * len(k) for k in table))


def lists_that_change(x: float, y: float) -> float:
    held, total = Vector([x, y * 1.5, x * y]), 0.0
    for i in range(3):
        total += max(held.items) * y + min(held.items) + sum(held.items) + math.fsum(held.items)
        total += float(np.dot(held.items, held.items)) + list(held.items)[1]
        held.items[0] = held.items[-1] * y + i
        held.items.append(total * 0.01)
        held.items[1] += x
        held.items.pop(0)
    return total


def decorated(x: float, y: float) -> float:
    v = Number(x)
    for _ in range(3):
        v = 2.0 + v * Number(y) - x
    return (-v).x * (v * x).x  # type: ignore[no-any-return]


def of_a_subclass(x: float, y: float) -> float:
    return (Number(x) + Other(y)).x + (Other(x) + y).x + (x + Other(y)).x  # type: ignore[no-any-return]


def some_of_endless(x: float, y: float) -> float:
    def powers(start: float) -> Iterator[float]:
        value = 1.0
        while True:
            yield value
            value = value * start

    total, kept = sum(itertools.islice(powers(x), 4)), iter([x, y, x * y])
    for value in itertools.islice(kept, 1):
        total += value * y
    for i in itertools.count(2):
        if i > 4:
            break
        total += x**i
    for value in itertools.accumulate([x, y, 2, x]):
        total += value * value
    return total + sum(kept)


FOLLOWED = [decorated, taken, taken_by_builtins, bound_anew]
"""Programs in which no iterator, and no operator, is asked when the program runs."""


def gradient_of(program: Program) -> tuple[float, float]:
    x = slope(lambda t: program(0.7 + t, 1.3)).value
    return x, slope(lambda t: program(0.7, 1.3 + t)).value


@pytest.mark.parametrize(
    "program",
    [
        *FOLLOWED,
        some_of_endless,
        of_a_subclass,
        changed_while_walked,
        left,
        of_other_lengths,
        of_arrays_and_dicts,
        lists_that_change,
    ],
    ids=lambda program: str(program.__name__),
)
def test_gradient(program: Program) -> None:
    _, back = zg.pullback(program, 0.7, 1.3)
    for _ in range(2):
        np.testing.assert_allclose(back(1.0), gradient_of(program), rtol=1e-6)


@pytest.mark.parametrize("program", FOLLOWED, ids=lambda program: str(program.__name__))
def test_items_are_known_beforehand(program: Program) -> None:
    assert "pull(" not in str(zg.show_adjoint(program, 0.7, 1.3))


def test_class_that_gets_another_iteration(monkeypatch: pytest.MonkeyPatch) -> None:
    def given(self: Pair) -> Iterator[Any]:
        yield self.y
        yield self.x * 3

    before = zg.gradient(taken, 0.7, 1.3)
    monkeypatch.setattr(Pair, "__iter__", given)
    np.testing.assert_allclose(zg.gradient(taken, 0.7, 1.3), gradient_of(taken), rtol=1e-6)
    monkeypatch.undo()
    assert zg.gradient(taken, 0.7, 1.3) == before
