"""Members of enumerations that are numbers, and ranges, where they are computed with."""

from __future__ import annotations

import enum
import math
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient

POINT = np.array([0.7, 1.3, 0.4])


class Level(enum.IntEnum):
    """Powers, and places."""

    LOW = 1
    HIGH = 2


class Constant(float, enum.Enum):
    """Constants of nature."""

    GRAVITY = 9.81


class Flags(enum.IntFlag):
    """What is combined."""

    ONE = 1
    TWO = 2


class Money(enum.IntEnum):
    """A number with a product of its own."""

    CENT = 1

    def __mul__(self, other: Any) -> Any:
        return other * other * 100.0

    __rmul__ = __mul__


def of_powers(x: Any) -> Any:
    return x[0] ** Level.HIGH + Level.HIGH / x[1] - Level.LOW * x[2]


def of_constants(x: Any) -> Any:
    return np.sqrt(2.0 * x[0] / Constant.GRAVITY) * Constant.GRAVITY + math.sqrt(Constant.GRAVITY) * x[1]


def of_arrays(x: Any) -> Any:
    return np.sum(x * Level.HIGH + Constant.GRAVITY * x * x) + np.dot(x * Flags.TWO, x)


def of_items(x: Any) -> Any:
    items = [x[0], x[1], x[2]]
    return items[Level.HIGH] * (x[0], x[1] * x[1])[Level.LOW] * x[Level.HIGH]


def of_keys(x: Any) -> Any:
    table = {Level.LOW: x[0], 2: x[1]}
    return table[1] * table[Level.HIGH] ** table[Level.LOW]


def of_flags(x: Any) -> Any:
    both = Flags.ONE | Flags.TWO
    return x[0] * both if Flags.TWO in both else x[1]


def of_its_own_product(x: Any) -> Any:
    return x[0] * Money.CENT + Money.CENT * x[1]


class Grid:
    """What keeps a range."""

    def __init__(self, values: Any, x: Any) -> None:
        self.values, self.x = values, x

    def steps(self) -> Any:
        return np.sum(np.diff(self.values) * self.x)


def of_a_kept_range(x: Any) -> Any:
    grid = Grid(range(3), x)
    grid.x = grid.x[:2] * grid.x[1:]
    return np.sum(np.diff(grid.values) * grid.x)


FUNCTIONS = [
    of_powers,
    of_constants,
    of_arrays,
    of_items,
    of_keys,
    of_flags,
    of_its_own_product,
    of_a_kept_range,
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_numbers_that_have_names(function: Any) -> None:
    assert zg.pullback(function, POINT)[0] == function(POINT)
    check_gradient(function, POINT)
