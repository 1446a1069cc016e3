"""Functions that a program makes and that share variables with it run in place, as Python runs them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.in_place.judge import LOG, Program, check_first_order, check_second_order


def summed(x: Any) -> Any:
    total = 0.0

    def add(t: Any) -> None:
        nonlocal total
        total += t * t

    for k in range(3):
        add(x * k)
    return total * x


def counter(x: Any) -> Any:
    level, calls = x, 0

    def step(by: Any, *, _: None = None) -> Any:
        nonlocal level
        level = level * by
        return level

    return step(2.0) + step(x) * level + calls


def two_of_them(x: Any) -> Any:
    level, best = x, 0.0

    def rise(by: Any) -> Any:
        nonlocal level, best
        level = level + by
        if level > best:
            best = level
        return level * by

    def fall() -> None:
        nonlocal level
        level = level * 0.5

    total = rise(x) + rise(0.5)
    fall()
    total = total * level + rise(x * x)
    fall()
    return total + level * best


def one_calls_the_other(x: Any) -> Any:
    total = x

    def put(t: Any) -> None:
        nonlocal total
        LOG.append("put")
        total = total * t

    def twice(t: Any) -> Any:
        put(t)
        LOG.append("between")
        put(t + 1.0)
        return total

    return twice(x) + twice(2.0) * total


def three_deep(x: Any) -> Any:
    total = x

    def outer(t: Any) -> Any:
        def inner(u: Any) -> None:
            nonlocal total
            total = total + u * t

        inner(t)
        inner(x)
        return total * t

    return outer(x) * outer(2.0) + total


def early_return(x: Any) -> Any:
    level = x

    def clipped(most: float) -> Any:
        nonlocal level
        for k in range(5):
            if level > most:
                return k * level
            level = level * 1.5
        return level

    return clipped(2.0) + clipped(100.0) * level


def arguments_of_its_own(x: Any) -> Any:
    k, total = 2.0, 0.0

    def add(t: Any, k: float = 3.0) -> Any:
        nonlocal total
        t = t * k
        k = k + 1.0
        total = total + t * k
        return t

    t = x
    for t in (x, x * x):
        add(t)
        add(t, k)
        add(k=k, t=x)
    return total * k + t


def made_in_a_loop(x: Any) -> Any:
    total = x
    for k in range(1, 4):

        def add(t: Any) -> None:
            nonlocal total
            total = total + t * k  # noqa: B023

        add(x)
        add(total)
    return total


def in_a_branch(x: Any) -> Any:
    total = x
    if x > 1.0:

        def add(t: Any) -> None:
            nonlocal total
            total = total + t * t

    else:

        def add(t: Any) -> None:
            nonlocal total
            total = total * t

    add(x)
    add(x + 1.0)
    return total


def in_attempts(x: Any) -> Any:
    total = x

    def take(t: Any) -> Any:
        nonlocal total
        total = total + t
        if total > 3.0:
            raise ValueError
        return total * t

    found = 0.0
    for k in range(4):
        try:
            found = found + take(x * k)
        except ValueError:
            total = total * 0.5
        else:
            LOG.append(k)
    return found + total


def a_variable_before_it_is_bound(x: Any) -> Any:
    def add(t: Any) -> None:
        nonlocal total
        total = total + t

    total = x
    add(x * x)
    return total * x


def handed_on(x: Any) -> Any:
    total = x

    def add(t: Any) -> Any:
        nonlocal total
        total = total + t
        return total

    return sum(map(add, (x, 2.0 * x))) + total


def calling_itself(x: Any) -> Any:
    total = x

    def add(k: int) -> None:
        nonlocal total
        total = total * x + k
        if k:
            add(k - 1)

    add(3)
    return total


def expressions(x: Any) -> Any:
    scale = x
    scaled = lambda t: t * scale  # noqa: E731
    first = scaled(x)
    scale = scale + 1.0
    return first * scaled(x * x)


def a_list_of_its_own(x: Any) -> Any:
    kept, total = [x], x

    def keep(t: Any) -> int:
        nonlocal total
        kept.append(t * total)
        total = total + kept[-1]
        return len(kept)

    count = 0
    for k in range(3):
        count = count + keep(x + k)
    return total * count + kept[1] * kept[-1]


PROGRAMS: tuple[Program, ...] = (
    *(summed, counter, two_of_them, one_calls_the_other, three_deep, early_return, arguments_of_its_own),
    *(made_in_a_loop, in_a_branch, in_attempts, a_variable_before_it_is_bound, handed_on, calling_itself),
    *(expressions, a_list_of_its_own),
)
IN_PLACE = frozenset(
    (
        *(summed, two_of_them, one_calls_the_other, three_deep, early_return, arguments_of_its_own),
        *(made_in_a_loop, in_attempts, expressions, a_list_of_its_own),
    )
)

HANDED_ON = frozenset((calling_itself,))
"""Programs whose functions are given the variables, as items of lists."""


@pytest.mark.parametrize("x", [0.7, 1.3, 2.1])
@pytest.mark.parametrize("f", PROGRAMS)
def test_values_effects_and_gradients(f: Program, x: float) -> None:
    check_first_order(f, x)


@pytest.mark.parametrize("f", PROGRAMS)
def test_second_derivatives_and_tangents(f: Program) -> None:
    check_second_order(f, 1.3)


@pytest.mark.parametrize("f", PROGRAMS)
def test_those_that_may_are_in_place(f: Program) -> None:
    text = zg.show_adjoint(f, 1.3)
    assert bool(re.search(r"nonlocal|_cell\b|def .*\(t\b", text)) != (f in IN_PLACE | HANDED_ON)


def test_variables_that_the_call_before_has_bound_are_not_bound() -> None:
    def f(x: Any) -> Any:
        total = x

        def add(k: int) -> None:
            nonlocal total
            if k == 0:
                y = x * x
            total = total + y

        add(0)
        add(1)
        return total

    with pytest.raises(UnboundLocalError):
        f(1.0)
    with pytest.raises(UnboundLocalError):
        zg.gradient(f, 1.0)


def test_arrays() -> None:
    def f(x: Any) -> Any:
        y, norm = x.copy(), 0.0

        def sweep(i: int) -> None:
            nonlocal norm
            y[i] = 0.5 * (y[i - 1] + y[i]) * x[i]
            norm = norm + y[i] ** 2

        for _ in range(2):
            for i in range(len(y)):
                sweep(i)
        return norm + np.sum(y)

    x = np.array([0.4, 1.2, 0.9])
    slopes = [(f(x + 1e-6 * unit) - f(x - 1e-6 * unit)) / 2e-6 for unit in np.eye(3)]
    np.testing.assert_allclose(zg.gradient(f, x)[0], slopes, rtol=1e-6)
