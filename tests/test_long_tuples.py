"""Tuples of more items than a kind tells apart: numbers, arrays and rows of numbers in any number."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.ir.kinds import MAXIMUM_ITEMS

COUNT = MAXIMUM_ITEMS + 16
NUMBERS = tuple(0.5 + 0.125 * (7 * i % 11) for i in range(COUNT))
Many = namedtuple("Many", [f"x{i}" for i in range(COUNT)])


def squares(*items):
    total = 0.0
    for item in items:
        total = total + item * item
    return total


def mean_of(*items):
    return np.mean(items)


def unpacked(t):
    first, second, *others, last = t
    return first * second + np.sum(others) * last


def grown(t):
    result = ()
    for item in t:
        result += (item * item,)
    return np.sum(result)


def stored(t):
    values = np.zeros(len(t))
    values[:] = t
    return values @ values


def compared(t):
    more = (1.0,)
    return t[2] if t < t + more else t[1]


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "array": lambda t: (np.array(t) ** 2).sum(),
    "mean": lambda t: np.mean(t),
    "stack": lambda t: (np.stack(t) ** 2).sum(),
    "cov": lambda t: np.cov(t),
    "cov of two": lambda t: np.cov(t, t[::-1])[0, 1],
    "dot": lambda t: np.dot(t, t),
    "einsum": lambda t: np.einsum("i,i", t, t),
    "polyval": lambda t: np.polyval(t, 0.9),
    "norm": lambda t: np.linalg.norm(t),
    "where": lambda t: np.where(np.arange(COUNT) > 3, t, 2.0).sum(),
    "ufunc": lambda t: np.multiply(t, t).sum(),
    "array times tuple": lambda t: (np.arange(float(COUNT)) * t).sum(),
    "concatenate": lambda t: (np.concatenate([t, t]) ** 2).sum(),
    "sum": lambda t: sum(t),
    "item": lambda t: t[3] * t[-2] * t[70],
    "slice": lambda t: np.sum(t[3:76]) * t[0],
    "length": lambda t: t[0] * len(t),
    "star": lambda t: squares(*t),
    "star, and one array": lambda t: mean_of(*t),
    "star of a lambda": lambda t: (lambda *a: a[3] * a[70])(*t),
    "unpacked": unpacked,
    "zipped": lambda t: sum(a * b for a, b in zip(t, t[2:], strict=False)),
    "comprehension": lambda t: sum([item * i for i, item in enumerate(t)]),
    "joined": lambda t: np.prod((t + t)[:COUNT]),
    "repeated": lambda t: np.sum((t[0], t[1]) * 50),
    "made": lambda t: np.array(tuple([item**2 for item in t])).sum(),
    "made by a generator": lambda t: np.sum(tuple(item**2 for item in t)),
    "made again": lambda t: np.sum(tuple(t)),
    "grown": grown,
    "stored": stored,
    "compared": compared,
    "nested": lambda t: np.sum(np.array((t, t)) ** 2),
}


def differences(program: Callable[[Any], Any], t: tuple[Any, ...], place: int) -> float:
    step = 1e-5
    above, below = list(t), list(t)
    above[place] += step
    below[place] -= step
    return (program(tuple(above)) - program(tuple(below))) / (2 * step)


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_are_differences(name):
    program = PROGRAMS[name]
    value, (gradient,) = zg.withgradient(program, NUMBERS)
    assert value == program(NUMBERS)
    assert type(gradient) is tuple and len(gradient) == COUNT
    for place in (0, 1, 2, 3, 40, 63, 64, 70, COUNT - 2, COUNT - 1):
        expected = differences(program, NUMBERS, place)
        found = gradient[place]
        assert found is None or type(found) is float
        assert (found or 0.0) == pytest.approx(expected, rel=1e-6, abs=1e-7), place


@pytest.mark.parametrize("count", [MAXIMUM_ITEMS, MAXIMUM_ITEMS + 1, 1000])
def test_both_sides_of_the_limit(count):
    t = tuple(float(i) for i in range(count))
    assert zg.gradient(lambda t: squares(*t), t)[0] == tuple(2.0 * item for item in t)
    assert zg.gradient(lambda t: np.array(t) @ np.array(t), t)[0] == tuple(2.0 * item for item in t)


def test_items_of_several_types_have_gradients_of_their_own():
    t = (1, 2.5, np.float32(3), np.float64(4)) * 20
    (gradient,) = zg.gradient(lambda t: (np.array(t) ** 2).sum(), t)
    assert gradient == tuple(2.0 * float(item) for item in t)
    assert [type(item) for item in gradient[:4]] == [float, float, np.float32, np.float64]
    fractions = tuple(Fraction(i, 7) for i in range(COUNT))
    assert zg.gradient(lambda t: sum(x * x for x in t), fractions)[0] == tuple(2 * x for x in fractions)
    numbers = tuple(complex(i, 1) for i in range(COUNT))
    (gradient,) = zg.gradient(lambda t: (abs(np.array(t)) ** 2).sum(), numbers)
    assert {type(z) for z in gradient} == {complex}
    np.testing.assert_allclose(gradient, 2 * np.array(numbers), rtol=1e-14)


def test_arrays_and_rows():
    arrays = tuple(np.arange(3.0) + i for i in range(COUNT))
    (gradient,) = zg.gradient(lambda t: (np.stack(t) ** 2).sum(), arrays)
    assert type(gradient) is tuple
    np.testing.assert_array_equal(np.stack(gradient), 2 * np.stack(arrays))
    rows = tuple((float(i), 2.0 * i) for i in range(COUNT))
    (gradient,) = zg.gradient(lambda t: (np.array(t) ** 2).sum(), rows)
    assert gradient == tuple((2 * a, 2 * b) for a, b in rows)


def test_named_tuples():
    t = Many(*NUMBERS)
    (gradient,) = zg.gradient(lambda t: t.x3 * t[70] + np.sum(t), t)
    assert type(gradient) is Many
    assert gradient.x3 == 1 + t.x70 and gradient.x70 == 1 + t.x3 and gradient.x5 == 1.0


def test_results():
    value, back = zg.pullback(lambda t: tuple([item * item for item in t]), NUMBERS)
    assert value == tuple(item * item for item in NUMBERS)
    for _ in range(2):
        (gradient,) = back((1.0,) * COUNT)
        assert gradient == tuple(2 * item for item in NUMBERS)


def test_second_order_and_tangents():
    def third(t):
        return zg.gradient(lambda u: sum(x**3 for x in u), t)[0][5]

    assert zg.gradient(third, NUMBERS)[0][5] == pytest.approx(6 * NUMBERS[5])
    tangents = tuple(float(i) for i in range(COUNT))
    found = zg.pushforward(lambda t: np.mean(np.multiply(t, t)), NUMBERS)(tangents)
    assert found == pytest.approx(2 * np.dot(NUMBERS, tangents) / COUNT)
