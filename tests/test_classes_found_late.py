"""Classes that are found in tables and lists when a program runs, and called there."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg
from zygpy import units
from zygpy.testing import check_gradient


class Plain:
    def __init__(self, v: Any) -> None:
        self.v = v

    def __call__(self, x: Any) -> Any:
        return max(self.v * x, 0.0)


@dataclasses.dataclass
class Written:
    v: Any

    def __call__(self, x: Any) -> Any:
        return self.v * x * x


LAYERS = {"plain": Plain, "written": Written}


def of_a_table(x: float, y: float) -> float:
    result = y
    for count, name in enumerate(["plain", "written", "plain"], 1):
        result = LAYERS[name](x * count)(result)
    return result


def of_a_display(x: float, y: float) -> float:
    return {"a": Plain, "b": Written}["a" if x < y else "b"](x).v * (Plain, Written)[int(y)](y).v


def chosen(x: float, y: float) -> float:
    cls = Plain if x > y else Written
    return cls(x).v * y


def walked_over(x: float, y: float) -> float:
    return sum(cls(v)(y) for cls, v in zip((Plain, Written), (x, x * y), strict=True))


def found_elsewhere(name: str) -> Any:
    return LAYERS[name]


def of_another_function(x: float, y: float) -> float:
    return found_elsewhere("plain")(x).v * y


class Weight:
    """Stores in its class."""

    last: Any = 1.0

    def __init__(self, w: Any) -> None:
        Weight.last = w
        self.w = w


class Other(Weight):
    """Does the same."""


def that_stores_in_itself(x: float, y: float) -> float:
    made = (Weight if x > 0 else Other)(x * y)
    return made.w * Weight.last


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize(
    "program", [of_a_table, of_a_display, chosen, walked_over, of_another_function, that_stores_in_itself]
)
def test_gradients(program: Callable[..., Any], specialise: bool) -> None:
    with units.options(specialise=specialise):
        check_gradient(program, 0.7, 1.3)


class Cubed:
    """A class whose objects are numbers."""

    def __new__(cls, x: Any, y: Any = 2.0) -> Any:
        return x**3 * y


CLASSES_GIVEN = {
    "derivative": lambda x: zg.derivative(zg.derivative(Cubed))(x),
    "gradient inside": lambda x: zg.gradient(lambda x: zg.gradient(Cubed, x, x * 0.0 + 2.0)[0], x)[0],
}


@pytest.mark.parametrize("name", CLASSES_GIVEN)
def test_entry_points_take_classes_in_differentiated_code(name: str) -> None:
    assert abs(CLASSES_GIVEN[name](1.5) - 12.0 * 1.5) < 1e-12
