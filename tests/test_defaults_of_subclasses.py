"""Default values that are more than the text, or the number, that they are equal to."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient


class Unit(enum.StrEnum):
    """Units by their names."""

    KILOMETRE = "km"
    METRE = "m"


class Level(enum.IntEnum):
    """Places in an array."""

    LOW = 0
    HIGH = 1


class Named(str):
    """A text that knows a number."""

    def factor(self) -> float:
        return 3.0


FACTORS = {Unit.KILOMETRE: 2.0, Unit.METRE: 2000.0}


def in_units(x: Any, unit: Any = Unit.KILOMETRE) -> Any:
    return x * x * FACTORS[unit] * (5.0 if unit is Unit.KILOMETRE else 1.0)


def at_a_level(x: Any, level: Any = Level.HIGH, *, other: Any = Level.LOW) -> Any:
    return x[level] ** 2 * x[other] * (3.0 if level is Level.HIGH else 1.0)


def named(x: Any, name: Any = Named("n")) -> Any:  # noqa: B008 (it cannot be changed)
    return x * name.factor()


def times(x: Any, factor: Any = np.float64(2.0), power: Any = np.int64(3)) -> Any:  # noqa: B008 (nor can these)
    return x**power * factor


class Scaled:
    """An object whose constructor and methods have such defaults."""

    def __init__(self, x: Any, unit: Any = Unit.METRE) -> None:
        self.x, self.unit = x, unit

    def value(self, level: Any = Level.HIGH) -> Any:
        return self.x * FACTORS[self.unit] * (2.0 if level is Level.HIGH else 1.0)


def of_units(x: Any) -> Any:
    return in_units(x[0]) + in_units(x[1], Unit.METRE) + in_units(x[1], unit=Unit.KILOMETRE)


def of_levels(x: Any) -> Any:
    return at_a_level(x) + at_a_level(x, Level.LOW) * at_a_level(x, other=Level.HIGH)


def of_names(x: Any) -> Any:
    return named(x[0]) * named(x[1], Named("m"))


def of_numbers_of_numpy(x: Any) -> Any:
    return times(x[0]) * times(x[1], 3.0)


def of_objects(x: Any) -> Any:
    return Scaled(x[0]).value() * Scaled(x[1], Unit.KILOMETRE).value(Level.LOW)


@pytest.mark.parametrize("function", [of_units, of_levels, of_names, of_numbers_of_numpy, of_objects])
def test_defaults_keep_their_classes(function: Any) -> None:
    point = np.array([0.7, 1.3])
    assert zg.pullback(function, point)[0] == function(point)
    check_gradient(function, point)
