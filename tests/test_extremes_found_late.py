"""`max` and `min` that are found when they are called, with and without a key."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import zygpy as zg
from zygpy.units import options

FOUND = {"max": max, "min": min}
KEPT: dict[str, Any] = {}


def negative(v: Any) -> Any:
    return -v


ARGUMENTS: dict[str, Callable[[Any, Any], Any]] = {
    "two": lambda x, y: (x * 0.5, y),
    "three": lambda x, y: (x * 0.5, y, x * 3.0),
    "of both signs": lambda x, y: (x * -2.0, y),
    "a constant": lambda x, y: (x * 0.5, 3.0),
    "a list": lambda x, y: ([x * 0.5, y],),
    "a tuple": lambda x, y: ((x * 0.5, y),),
}
KEYWORDS: dict[str, dict[str, Any]] = {
    "no key": {},
    "None": {"key": None},
    "negative": {"key": negative},
    "abs": {"key": abs},
}
ALL = list(itertools.product(FOUND, ARGUMENTS, KEYWORDS))
CASES = ALL if "ZYGPY_ALL_CASES" in os.environ else ALL[2::3]


@pytest.fixture(params=[True, False], ids=["specialised", "generic"], autouse=True)
def _both_ways(request: pytest.FixtureRequest) -> Iterator[None]:
    with options(specialise=request.param):
        yield


@pytest.mark.parametrize(("name", "given", "keyword"), CASES)
def test_the_one_that_is_chosen_has_the_gradient(name: str, given: str, keyword: str) -> None:
    make, keywords = ARGUMENTS[given], KEYWORDS[keyword]

    def program(x: Any) -> Any:
        KEPT["y"] = x * 1.5
        return FOUND[name](*make(x, KEPT["y"]), **keywords)

    def squared(x: Any) -> Any:
        return program(x) ** 2

    slope = (program(1.3 + 1e-3) - program(1.3 - 1e-3)) / 2e-3  # they are linear, and not tied
    assert zg.gradient(program, 1.3)[0] == pytest.approx(slope)
    assert zg.pushforward(program, 1.3)(1.0) == pytest.approx(slope)
    assert zg.hvp(squared, 1.3, 1.0) == pytest.approx(2.0 * slope**2)


def by_keyword(x: Any) -> Any:
    KEPT["y"] = x * 1.5
    return FOUND["max"](x * 0.5, KEPT["y"], key=negative)


def in_a_try(x: Any) -> Any:
    KEPT["y"] = x * 1.5
    try:
        return max(x * 0.5, KEPT["y"], key=lambda v: -v)
    except ZeroDivisionError:
        return x


@pytest.mark.parametrize("program", [by_keyword, in_a_try], ids=["found", "in a try"])
def test_a_key_by_its_name(program: Callable[[Any], Any]) -> None:
    assert zg.withgradient(program, 1.3) == (0.65, (0.5,))
