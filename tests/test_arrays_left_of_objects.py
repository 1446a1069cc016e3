"""Arrays and numbers of NumPy to the left of objects with reflected operators: what NumPy does then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy
from zygpy.testing.numeric import slope

X = 0.7


class Vector:
    def __init__(self, v: Any) -> None:
        self.v = list(v)

    def __len__(self) -> int:
        return len(self.v)

    def __getitem__(self, place: int) -> Any:
        return self.v[place]

    def __rmul__(self, other: Any) -> Vector:
        return Vector([other * item for item in self.v])


class Quantity:
    def __init__(self, v: Any) -> None:
        self.v = v

    def __rmul__(self, other: Any) -> Any:
        return type(self)(self.v * other)

    def __radd__(self, other: Any) -> Any:
        return type(self)(self.v + other)


class Whole(Quantity):
    __array_ufunc__ = None


class Before(Quantity):
    __array_priority__ = 10.0


def arrays_of_items(x: Any) -> Any:
    return np.sum((np.array([x, 2.0]) * Vector([x, 1.0]))[0])


def numbers_and_items(x: Any) -> Any:
    return (np.float64(2.0) * Vector([x, 1.0]))[0]


def arrays_of_objects(x: Any) -> Any:
    return (np.array([1.0, 2.0]) * Quantity(x))[1].v


def added_objects(x: Any) -> Any:
    return (np.array([1.0, x]) + Quantity(x))[1].v


@pytest.mark.parametrize(
    "program",
    [arrays_of_items, numbers_and_items, arrays_of_objects, added_objects],
    ids=lambda f: f.__name__,
)
def test_what_is_done_with_every_item_is_refused(program: Callable[[Any], Any]) -> None:
    """The class was given the whole array: another value, and its gradient."""
    with pytest.raises(zygpy.UnsupportedSyntaxError, match="meant for every item"):
        zygpy.gradient(program, X)


def numbers(x: Any) -> Any:
    return (np.float64(2.0) * Quantity(x)).v * (3.0 * Quantity(x)).v + (np.array([x, x])[0] + Quantity(x)).v


def left_to_the_class(x: Any) -> Any:
    return (np.array([1.0, x]) * Whole(x)).v.sum() + (np.array([1.0, x]) + Before(x)).v.sum()


def lists(x: Any) -> Any:
    return (x * Vector([x, 1.0]))[0]


@pytest.mark.parametrize("program", [numbers, left_to_the_class, lists], ids=lambda f: f.__name__)
def test_what_is_left_to_the_class(program: Callable[[Any], Any]) -> None:
    value, (found,) = zygpy.withgradient(program, X)
    assert value == program(X)
    assert found == pytest.approx(slope(lambda t: program(X + t), 0.02).value, rel=1e-8)
