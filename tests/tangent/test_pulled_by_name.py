"""Products with Hessians of programs that call operators by their names, ask enumerations for their members'
values, and make arrays of nested lists, where all of this is found when the code runs."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from enum import Enum, IntEnum
from functools import reduce
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.runtime.zeros import CannotPush
from zygpy.tangents_pulled import tangent_pull


class Pair:
    """A number with operators in Python."""

    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = a, b

    def __mul__(self, o: Any) -> Any:
        if not isinstance(o, Pair):
            return NotImplemented
        return Pair(self.a * o.a - self.b * o.b, self.a * o.b + self.b * o.a)

    def __rmul__(self, o: Any) -> Any:
        return Pair(o * self.a, o * self.b)

    def __neg__(self) -> Any:
        return Pair(-self.a, -self.b * self.a)

    def __abs__(self) -> Any:
        return math.sqrt(self.a**2 + self.b**2)

    def __round__(self) -> Any:
        return self.a * self.b

    def __divmod__(self, o: Any) -> Any:
        return self.a / o, self.b * o

    def __pow__(self, n: Any) -> Any:
        return self.a**n * self.b


class Kind(Enum):
    """Members with numbers, texts and tuples."""

    CALL = 1
    PUT = -2.5
    NAMED = "abc"
    BOTH = (1.0, 2.0)


class Level(IntEnum):
    """Members that are numbers."""

    LOW = 2


class Own(Enum):
    """Members whose values are asked of a property."""

    A = 1

    @property
    def value(self) -> Any:
        return 7.0


TABLE: dict[str, Any] = {"mul": operator.mul, "neg": operator.neg, "abs": abs, "round": round}


def called(functions: Any, *args: Any) -> Any:
    """What it calls is not known when it is derived."""
    return functions[0](*args)


def product_of_all(x: Any) -> Any:
    q = reduce(operator.mul, [Pair(x, x * x), Pair(2.0, x), Pair(x, 1.0)])
    return q.a * q.b + abs(q)


def operators_of_a_table(x: Any) -> Any:
    v, w = Pair(x, x * x), Pair(2.0 * x, 3.0)
    t = called([TABLE["mul"]], 2.0, called([TABLE["mul"]], v, w))
    n = called([TABLE["neg"]], t)
    d, e = called([divmod], n, 2.0)
    return called([TABLE["abs"]], n) * called([TABLE["round"]], t) + d * e + called([pow], v, 3)


def operators_of_lists(x: Any) -> Any:
    a = called([operator.add], [x, x * x], [1.0])
    b = called([operator.mul], (x, x * x), 2)
    a[0] = a[0] * a[1]
    return sum(a) * b[3] * len(called([operator.mul], "ab", 2))


def values_of_members(x: Any) -> Any:
    total = called([lambda k: k.value[1] * x**3], Kind.BOTH)
    for k in (Kind.CALL, Kind.PUT, Level.LOW, Own.A):
        total = total + called([lambda m: m.value * len(m.name)], k) * x**3
    return total + called([lambda k: len(k.value)], Kind.NAMED) * x * x


def value_of_a_member(x: Any) -> Any:
    return called([lambda k: k.value], Kind.PUT) * x**3


def member_that_is_changed(x: Any) -> Any:
    old = Kind.CALL._value_
    try:
        Kind.CALL._value_ = x * x
        return called([lambda k: k.value * x], Kind.CALL)
    finally:
        Kind.CALL._value_ = old


def nested_lists(x: Any) -> Any:
    row = [x, 1.0]
    m = called([np.array], [row, [x * x, 2]])
    row[0] = 5.0
    m[0, 0] = m[0, 0] * m[1, 0]
    deep = called([np.array], [[[x, 1], [2, x * x]], [(1.0, x), (0, 0)]])
    return np.sum(m * m) * row[1] + np.sum(deep**3)


def arrays_in_lists(x: Any) -> Any:
    a = np.array([x, 2.0])
    m = called([np.array], [[a, a * x], [a * a, np.ones(2)]])
    a[0] = 9.0
    return np.sum(m**2)


def integers_in_lists(x: Any) -> Any:
    m = called([np.array], [[1, 2], [3, 4]])
    m[0, 0] = x * 3
    return np.sum(m) * x**3


def rows_that_are_handed_back(x: Any) -> Any:
    rows = [[x * x, 1.0], [x, x]]
    ordered = called([sorted], rows)
    ordered[0][0] = x * 7
    return rows[0][0] * rows[1][0] + ordered[0][1] * ordered[1][0]


def told_what_to_make(x: Any) -> Any:
    a = called([np.asarray], [x, x * x], float)
    b = called([np.asarray], [x * 10 + 0.5, x * x], int)
    c = called([np.array], [[x, 2], [3, 4]], np.dtype("float64"))
    d = called([np.array], [x, 2], complex)
    return np.sum(a**3) * b[0] + np.sum(c**2) + np.sum(abs(d) ** 2) + called([np.full], 2, x**3, float)[1]


def shared_with_what_was_given(x: Any) -> Any:
    a = np.array([x, x * x])
    b = called([np.asarray], a, float)
    b[0] = b[0] * 2
    return np.sum(a**3)


PROGRAMS = [
    product_of_all,
    operators_of_a_table,
    operators_of_lists,
    value_of_a_member,
    values_of_members,
    nested_lists,
    arrays_in_lists,
    told_what_to_make,
    shared_with_what_was_given,
]


def second_difference(f: Callable[[Any], Any], x: float) -> float:
    """The second derivative by central differences with Richardson's extrapolation."""

    def at(step: float) -> float:
        return float(f(x + step) - 2 * f(x) + f(x - step)) / step**2

    return (4 * at(1e-3) - at(2e-3)) / 3


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_the_tangent_is_pulled_back(f: Callable[[Any], Any]) -> None:
    pull = tangent_pull(f, 1.3)
    assert pull is not None
    for _ in range(2):
        assert pull.product(1.0) == pytest.approx(second_difference(f, 1.3), rel=1e-6)


def test_members_that_are_changed_are_left_to_reverse_mode() -> None:
    pull = tangent_pull(member_that_is_changed, 1.3)
    assert pull is not None
    with pytest.raises(CannotPush):
        pull.product(1.0)


@pytest.mark.parametrize(
    "f", [member_that_is_changed, integers_in_lists, rows_that_are_handed_back], ids=lambda f: f.__name__
)
def test_what_is_changed_meanwhile_is_followed(f: Callable[[Any], Any]) -> None:
    assert zg.hvp(f, 1.3, 1.0) == pytest.approx(second_difference(f, 1.3), rel=1e-6)
    assert Kind.CALL._value_ == 1
