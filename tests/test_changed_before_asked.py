# ruff: noqa: C417 (as programs may)
"""Lazy iterators over lazy iterators, of things that change before an item is asked for."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate, chain, islice, pairwise, takewhile
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import units

X = np.array([1.1, 0.7, 1.3])


def section(x: Any) -> Any:
    d = [x[0], x[1], x[2]]
    items = map(lambda p: p * 2.0, islice(d, 1, None))
    d[1] = d[1] * x[2]
    return sum(items)


def numbered(x: Any) -> Any:
    d = [x[0], x[1], x[2]]
    items = map(lambda p: p[0] * p[1], enumerate(d, 1))
    d.append(x[0] * 5.0)
    return sum(items)


def numbered_array(x: Any) -> Any:
    d = x * 1.5
    items = map(lambda p: p[1], enumerate(d))
    next(items)
    d[1] = d[1] * x[2]
    return next(items)


def backwards(x: Any) -> Any:
    d = x * 1.5
    items = map(lambda v: v * 2.0, reversed(d))
    d *= x[2]
    return sum(items)


def backwards_of_what_grows(x: Any) -> Any:
    d = [x[0], x[1], x[2]]
    items = reversed(d)
    d.append(x[0] * x[1])
    return sum(v * v for v in items)


def backwards_of_what_shrinks(x: Any) -> Any:
    d = [x[0], x[1], x[2]]
    items = reversed(d)
    first = next(items)
    d.pop()
    d.pop()
    return first * x[1] + sum(items)


def neighbours(x: Any) -> Any:
    d = x * 1.5
    items = accumulate(pairwise(d), lambda a, b: b)
    d[1] = d[1] * x[2]
    return sum(e[1] ** 2 for e in items)


def taken_while(x: Any) -> Any:
    d = x * 1.5
    items = takewhile(lambda v: v < 50.0, reversed(d))
    d[1] *= x[0]
    return sum(items)


def rearranged_twice(x: Any) -> Any:
    d = [x[0], x[1], x[2]]
    items = enumerate(islice(d, 1, None))
    d[1] = d[1] * x[2]
    return sum([p[1] for p in items])


def three_deep(x: Any) -> Any:
    d = [x[0], x[1], x[2]]
    items = zip(enumerate(chain(d, d)), reversed(d), strict=False)
    d.append(x[1] * x[2])
    return sum(p[0][1] * p[1] for p in items)


def in_a_loop(x: Any) -> Any:
    d, total = x * 1.5, 0.0
    for v in map(lambda p: p[1] * p[0], enumerate(d)):
        total += v
        d[-1] *= x[1]
    return total


def in_a_loop_over_a_list(x: Any) -> Any:
    d, total = [x[0], x[1], x[2]], 0.0
    for p in enumerate(islice(d, 0, 3)):
        total += p[1] * (p[0] + 1)
        d[2] = d[2] * x[1]
    return total


def left_alone(x: Any) -> Any:
    d = [x[0], x[1], x[2]]
    return sum(map(lambda p: p[1] * p[0], enumerate(islice(d, 1, None)))) * max(islice(reversed(d), 2))


def looked_at_by_any(x: Any) -> Any:
    seen: list[Any] = []

    def see(v: Any) -> Any:
        seen.append(v * v)
        return v > 0.8

    items = map(see, x)
    some = any(items)
    every = all(map(lambda v: not see(v * 2.0), x))
    return sum(v * (i + 1) for i, v in enumerate(seen)) + x[0] * (some + every)


def looked_at_in_a_function(x: Any) -> Any:
    seen: list[Any] = []

    def see(v: Any) -> Any:
        seen.append(v * v)
        return v < 0.0

    def some(items: Any) -> Any:
        return any(items)

    some(see(v) for v in x)
    some(filter(see, x))
    return sum(v * (i + 1) for i, v in enumerate(seen))


def unpacked_into_whole_numbers(x: Any) -> Any:
    seen: list[Any] = []

    def see(v: Any) -> Any:
        seen.append(v * v)
        return 5

    return sum(range(*map(see, x[:2]))) + sum(seen)


MADE: list[Any] = []


class Made:
    def __init__(self, value: Any) -> None:
        MADE.append(value * value)


def made_while_it_is_looked_at(x: Any) -> Any:
    MADE.clear()
    all(map(Made, x))
    return sum(MADE)


PROGRAMS = (
    looked_at_by_any,
    looked_at_in_a_function,
    unpacked_into_whole_numbers,
    section,
    numbered,
    numbered_array,
    backwards,
    backwards_of_what_grows,
    backwards_of_what_shrinks,
    neighbours,
    taken_while,
    rearranged_twice,
    three_deep,
    in_a_loop,
    in_a_loop_over_a_list,
    left_alone,
)


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "unspecialised"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_gradient(program: Callable[[Any], Any], specialise: bool) -> None:
    with units.options(specialise=specialise):
        zg.testing.check_gradient(program, X, order=1)


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "unspecialised"])
def test_objects_that_are_made_for_all_are_refused_where_they_keep_something(specialise: bool) -> None:
    match = "that others may find without being given it"
    with units.options(specialise=specialise), pytest.raises(zg.UnsupportedSyntaxError, match=match):
        zg.gradient(made_while_it_is_looked_at, X)
