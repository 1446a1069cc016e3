"""Augmented assignments of objects that are arguments, for which a class says what that means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import zygpy
from zygpy import units


@dataclass
class Sum:
    """Takes what is added to it."""

    total: Any

    def __iadd__(self, other: Any) -> Sum:
        self.total = self.total * 0.5 + other
        return self


@dataclass
class Greedy:
    """Changes what it is given."""

    factor: Any

    def __iadd__(self, other: Any) -> Greedy:
        other[0] = self.factor * other[1]
        return self


@dataclass
class Passing:
    """Gives away what it is given."""

    factor: Any

    def __iadd__(self, other: Any) -> Any:
        return other


@dataclass
class Undecided:
    """Leaves it to the operator that makes something new."""

    factor: Any

    def __iadd__(self, other: Any) -> Any:
        return NotImplemented

    def __add__(self, other: Any) -> Any:
        return other * self.factor


def takes(a: Any, v: Any, s: Any) -> Any:
    s += v
    return np.sum(s.total) * a


def takes_twice(a: Any, v: Any, s: Any) -> Any:
    other = s
    for _ in range(2):
        s += v
        other += a
    return np.sum(s.total) * a


def is_given_more(a: Any, v: Any, g: Any) -> Any:
    g += v
    return (v[0] * 2.0 + v[1]) * a * g.factor


def becomes(a: Any, v: Any, p: Any) -> Any:
    p += v
    v[0] = v[1] * a
    return p[0] * a


def makes(a: Any, v: Any, u: Any) -> Any:
    u += v
    return u * a


Make = Callable[[Any], Any]
NUMBER, ARRAY, LIST = (lambda x: x), (lambda x: np.array([x, 2.0])), (lambda x: [x, 2.0])
CASES: list[tuple[Callable[..., Any], Make, Make]] = [
    (takes, NUMBER, Sum),
    (takes, ARRAY, Sum),
    (takes_twice, NUMBER, Sum),
    (takes_twice, ARRAY, Sum),
    (is_given_more, LIST, Greedy),
    (is_given_more, ARRAY, Greedy),
    (becomes, LIST, Passing),
    (becomes, ARRAY, Passing),
    (makes, NUMBER, Undecided),
]
POINT = (2.0, 1.5, 0.7)


def numbers(bars: tuple[Any, ...]) -> list[float]:
    """The cotangents of the three numbers that the arguments are made of."""
    a, v, thing = bars
    first = v[0] if isinstance(v, list | np.ndarray) else v
    held = None if thing is None else getattr(thing, "total", None) or getattr(thing, "factor", None)
    return [float(bar or 0.0) for bar in (a, first, held)]


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_gradient_is_right_or_refused(case: tuple[Any, Make, Make], *, specialise: bool) -> None:
    program, second, third = case

    def plain(*point: float) -> Any:
        return program(point[0], second(point[1]), third(point[2]))

    with units.options(specialise=specialise):
        try:
            found = zygpy.gradient(program, POINT[0], second(POINT[1]), third(POINT[2]))
        except zygpy.UnsupportedSyntaxError:
            assert not specialise, "what is known beforehand is followed by identity"
            return
    step = 1e-6
    for position, bar in enumerate(numbers(found)):
        above, below = list(POINT), list(POINT)
        above[position] += step
        below[position] -= step
        assert bar == pytest.approx((plain(*above) - plain(*below)) / (2 * step), rel=1e-7, abs=1e-7)
