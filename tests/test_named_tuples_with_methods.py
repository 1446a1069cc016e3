"""Named tuples whose classes say what operators mean, and other containers that make their own values."""

from __future__ import annotations

import functools
import operator
from collections import defaultdict, namedtuple
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

import zygpy as zg
from zygpy.errors import MissingRuleError


class Vector(NamedTuple):
    x: Any
    y: Any

    def __add__(self, other: Any) -> Vector:  # type: ignore[override]
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, factor: Any) -> Vector:  # type: ignore[override]
        return Vector(self.x * factor, self.y * factor)

    def __rmul__(self, factor: Any) -> Vector:  # type: ignore[override]
        return self * factor

    def __neg__(self) -> Vector:
        return Vector(-self.x, -self.y)

    def __sub__(self, other: Any) -> Vector:
        return self + -other

    def norm(self) -> Any:
        return (self.x**2 + self.y**2) ** 0.5


class Other(NamedTuple):
    """One with operators that tuples do not have, and one that changes what `+=` means."""

    x: Any
    y: Any

    def __iadd__(self, other: Any) -> Other:
        return Other(self.x + other.x * 2, self.y + other.y)

    def __abs__(self) -> Any:
        return self.x * 2

    def __matmul__(self, other: Any) -> Any:
        return self.x * other.x + self.y * other.y

    def __truediv__(self, factor: Any) -> Other:
        return Other(self.x / factor, self.y / factor)

    def __pow__(self, power: int) -> Other:
        return Other(self.x**power, self.y)


class Plain(NamedTuple):
    x: Any
    y: Any

    def dot(self, other: Plain) -> Any:
        return self.x * other.x + self.y * other.y


class Compared(NamedTuple):
    x: Any

    def __lt__(self, other: Any) -> bool:  # type: ignore[override]
        return bool(self.x > other.x)

    def __gt__(self, other: Any) -> bool:  # type: ignore[override]
        return bool(self.x < other.x)

    def __bool__(self) -> bool:
        return False


class Held:
    place: Any = None


PROGRAMS: dict[str, Callable[[Any], Any]] = {}


def program(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    PROGRAMS[function.__name__] = function
    return function


@program
def added(x: Any) -> Any:
    return (Vector(x, x) + Vector(1.0, x)).y


@program
def multiplied_by_a_whole_number(x: Any) -> Any:
    return (Vector(x, x * x) * 2).y + (3 * Vector(x, 1.0)).x


@program
def subtracted(x: Any) -> Any:
    return (Vector(x, 1.0) - Vector(x * x, x)).x


@program
def orbit(x: Any) -> Any:
    place, speed = Vector(x, 1.0), Vector(0.5, x)
    for _ in range(5):
        pull = -place * (1.0 / place.norm() ** 3)
        speed = speed + pull * 0.1
        place += 0.1 * speed
    return place.norm() + 2.0 * speed.norm()


@program
def summed(x: Any) -> Any:
    return sum([Vector(x, 1.0), Vector(x * x, x)], Vector(0.0, 0.0)).x


@program
def reduced(x: Any) -> Any:
    return functools.reduce(operator.add, [Vector(x, 1.0), Vector(x * x, x)]).x


@program
def negated_by_map(x: Any) -> Any:
    return sum([v.x for v in map(operator.neg, [Vector(x, 1.0), Vector(x * x, 2.0)])])


@program
def by_operators_called_by_name(x: Any) -> Any:
    return operator.add(Vector(x, 1.0), Vector(x, 2.0)).x + operator.neg(Vector(x, 1.0)).x * x


@program
def by_methods_called_by_name(x: Any) -> Any:
    return Vector(x, 1.0).__add__(Vector(x, 2.0)).x * Vector.__mul__(Vector(x, 1.0), 3).x


@program
def in_a_field(x: Any) -> Any:
    held = Held()
    held.place = Vector(x, x)
    held.place = held.place + Vector(x * x, 1.0)
    return held.place.x * held.place.y


@program
def perhaps_a_plain_tuple(x: Any) -> Any:
    pair: Any = Vector(x, 1.0) if x > 0 else (x, 1.0)
    return (pair * 2)[0]


@program
def other_operators(x: Any) -> Any:
    return (
        abs(Other(x, 2.0)) * (Other(x, 1.0) @ Other(x * x, x)) / (Other(x, x) / x**2).x + (Other(x, x) ** 3).x
    )


@program
def augmented(x: Any) -> Any:
    a = Other(x, 1.0)
    a += Other(x * x, x)
    return a.x * a.y


@program
def by_tuples_own_operators(x: Any) -> Any:
    more = (x,)
    return sum(Plain(x, x * x) * 2) + (Plain(x, x) + more)[2] + Plain(x, x * x).dot(Plain(1.0, x))


@program
def compared(x: Any) -> Any:
    chosen = x if Compared(x) < Compared(2 * x) else 3 * x
    return chosen * (x if Compared(x) else 2.0 * x)


@program
def largest_of_several(x: Any) -> Any:
    return (
        max(Plain(x, 1.0), Plain(x, 2.0)).y * x + min(Plain(x, 1.0), Plain(2 * x, 2.0), key=lambda p: -p[1]).x
    )


@program
def largest_so_far(x: Any) -> Any:
    best = Plain(0.0, 0.0)
    for k in range(3):
        best = max(best, Plain(x * k, x))
    return best.x * best.y if isinstance(best, Plain) else 0.0


@program
def largest_of_one(x: Any) -> Any:
    return max(Plain(x, x * x)) + min(Plain(3.0 * x, x))


@program
def of_an_array(x: Any) -> Any:
    return np.sum(np.array(Plain(x, 2 * x)) * 3.0)


class KeyDefault(defaultdict):  # type: ignore[type-arg]
    def __missing__(self, key: Any) -> Any:
        made = self[key] = self.default_factory(key)  # type: ignore[misc,call-arg]
        return made


@program
def made_by_key(x: Any) -> Any:
    table = KeyDefault(lambda key: x * len(key))  # type: ignore[misc,arg-type]
    table["z"] = x
    return table["abc"] * table["z"]


@program
def made_by_another_factory(x: Any) -> Any:
    table = KeyDefault(lambda key: x * len(key))  # type: ignore[misc,arg-type]
    table.default_factory = lambda key: x * x * len(key)  # type: ignore[misc,assignment]
    return table["abc"]


@program
def made_without_asking(x: Any) -> Any:
    table: Any = defaultdict(lambda: [x])
    table.__missing__("a").append(x * x)
    return table["a"][1] * table["a"][0]


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_gradient(name: str) -> None:
    function, x = PROGRAMS[name], 0.6
    expected = (function(x + 1e-5) - function(x - 1e-5)) / 2e-5
    value, back = zg.pullback(function, x)
    assert value == function(x)
    assert back(1.0) == pytest.approx((expected,), rel=1e-8)
    assert zg.gradient(function, x) == pytest.approx((expected,), rel=1e-8)
    assert zg.pushforward(function, x)(1.0) == pytest.approx(expected, rel=1e-8)


def test_the_gradient_of_an_argument() -> None:
    a_bar, b_bar = zg.gradient(lambda a, b: (a + b).x * a.y, Vector(1.0, 2.0), Vector(3.0, 4.0))
    assert isinstance(a_bar, Vector)
    assert tuple(a_bar) == (2.0, 4.0)
    assert b_bar.x == 2.0
    assert not b_bar.y


class Tenfold(NamedTuple):
    x: Any
    y: Any

    def __getitem__(self, index: Any) -> Any:
        return 10 * tuple.__getitem__(self, index)


class Walked(NamedTuple):
    x: Any
    y: Any

    def __iter__(self) -> Iterator[Any]:
        yield self.y * 2
        yield self.x * 3


class Backwards(NamedTuple):
    x: Any
    y: Any

    def __reversed__(self) -> Iterator[Any]:
        return iter([self.x * 7, self.y])


class Hidden(namedtuple("Hidden", "x y")):
    @property
    def x(self) -> Any:
        return super().x * 3


@pytest.mark.parametrize(
    "function",
    [
        lambda x: Tenfold(x, x)[1],
        lambda x: sum(Walked(x, x * x)),
        lambda x: next(iter(Walked(x, x * x))),
        lambda x: next(reversed(Backwards(x, x * x))),
        lambda x: Hidden(x, x).x,
        lambda x: Hidden(x, x).y,
    ],
)
def test_classes_that_say_what_the_items_are_are_refused(function: Callable[[Any], Any]) -> None:
    with pytest.raises(MissingRuleError, match="says itself what their items or fields are"):
        zg.gradient(function, 0.6)


def test_they_may_take_no_part() -> None:
    assert zg.gradient(lambda x: x * Hidden(1.0, 2.0).x + x * sum(Walked(1.0, 2.0)), 0.6) == (10.0,)
