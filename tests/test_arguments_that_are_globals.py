"""Arguments that a function changes, and reads by global variables as well."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import zygpy

GRID = np.zeros(3)
ITEMS = [0.0, 0.0]
TABLE: dict[str, Any] = {"k": 0.0}


class Thing:
    def __init__(self, value: Any) -> None:
        self.value = value


ONE = Thing(0.0)
KEPT = [ONE]


def grid(target: Any, x: float) -> Any:
    target[0] = x
    return np.sum(GRID) * x


def view(target: Any, x: float) -> Any:
    target[1:] = x
    return np.sum(GRID) * x


def items(target: Any, x: float) -> Any:
    target[0] = x
    return ITEMS[0] * x


def table(target: Any, x: float) -> Any:
    target["k"] = x
    return TABLE["k"] * x


def thing(target: Any, x: float) -> Any:
    target.value = x
    return ONE.value * x


def thing_in_a_list(target: Any, x: float) -> Any:
    target.value = x
    return KEPT[0].value * x


def in_an_argument(target: Any, x: float) -> Any:
    target[0].value = x
    return ONE.value * x


CASES: dict[str, tuple[Any, Any, float]] = {
    "array": (grid, lambda: GRID, 1.0),
    "view": (view, lambda: GRID[:2], 1.0),
    "list": (items, lambda: ITEMS, 1.0),
    "dict": (table, lambda: TABLE, 1.0),
    "object": (thing, lambda: ONE, 1.0),
    "object in a global list": (thing_in_a_list, lambda: ONE, 1.0),
    "object in an argument": (in_an_argument, lambda: [ONE], 1.0),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_read_by_the_global_has_its_gradient(case: str) -> None:
    function, target, factor = CASES[case]
    GRID[:], ITEMS[:], TABLE["k"], ONE.value = 0.0, [0.0, 0.0], 0.0, 0.0
    value, (_, x_bar) = zygpy.withgradient(function, target(), 1.5)
    assert value == factor * 1.5 * 1.5
    assert x_bar == 2 * factor * 1.5


def test_another_array_than_the_global_is_derived_as_before() -> None:
    GRID[:] = 2.0
    _, x_bar = zygpy.gradient(grid, np.zeros(3), 1.5)
    assert x_bar == 6.0


def twice(value: Any) -> Any:
    return 2.0 * value


CHOICES = {"twice": twice}


def test_a_function_that_an_argument_and_a_global_have_in_common_changes_nothing() -> None:
    def chosen(target: Any, x: float) -> Any:
        target.value = x
        return target.function(target.value) * len(CHOICES)

    target = Thing(0.0)
    target.function = twice  # type: ignore[attr-defined]
    assert zygpy.gradient(chosen, target, 1.5)[1] == 2.0
