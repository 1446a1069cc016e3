"""What compares the keys of a sort may not change what has a gradient: code that is not in Python runs it."""

from __future__ import annotations

import functools
from typing import Any

import pytest

import zygpy as zg

LOG: list[Any] = []


def noting(a: float, b: float) -> float:
    LOG.append(a)
    return a - b


class Slotted:
    """A key that compares by a function in a slot."""

    __slots__ = ("compare", "value")

    def __init__(self, compare: Any, value: Any) -> None:
        self.compare, self.value = compare, value

    def __lt__(self, other: Slotted) -> bool:
        return bool(self.compare(self.value, other.value) < 0)


def by_a_global_list(x: float) -> Any:
    LOG.clear()
    return sorted([x, x * x], key=functools.cmp_to_key(noting))[0] + LOG[0]


def by_a_captured_list(x: float) -> Any:
    log: list[Any] = []

    def comparing(a: float, b: float) -> float:
        log.append(a * b)
        return a - b

    return sorted([x, x * x], key=functools.cmp_to_key(comparing))[0] * log[0]


def by_a_slot(x: float) -> Any:
    log: list[Any] = []

    def comparing(a: float, b: float) -> float:
        log.append(a * b)
        return a - b

    return sorted([x, x * x], key=lambda value: Slotted(comparing, value))[0] * log[0]


@pytest.mark.parametrize("function", [by_a_global_list, by_a_captured_list, by_a_slot])
def test_comparisons_that_change_something_are_refused(function: Any) -> None:
    with pytest.raises(zg.UnsupportedSyntaxError, match="may change something"):
        zg.gradient(function, 1.5)


def test_a_slot_that_changes_nothing() -> None:
    def f(x: float) -> Any:
        return sorted([x, x * x], key=lambda value: Slotted(lambda a, b: b - a, value))[0]

    assert zg.gradient(f, 1.5) == (3.0,)
