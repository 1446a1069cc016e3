"""Functions that capture variables which have no value: allowed, as long as nobody reads them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg
from zygpy import units


def dict_of_a_recursive_function(x: float, full: bool) -> Any:
    if full:
        answer = {"a": x}

    def inner(c: float, n: int) -> float:
        if n < 3:
            c = inner(c * x, n + 1)
        if full:
            answer["k"] = c * answer["a"]
        return c

    return inner(x, 0) + (answer["k"] if full else 0.0)


def list_by_a_loop(x: float, full: bool) -> Any:
    for _ in range(2):
        if full:
            seen = [x]
        else:
            continue
        seen.append(x * x)

    def inner(c: float) -> float:
        return seen[1] * c if full else c * x

    return inner(x) * inner(2.0)


def number_of_a_lambda(x: float, full: bool) -> Any:
    match full:
        case True:
            scale = x * 3
    inner = lambda c: scale * c if full else c * x  # noqa: E731
    return inner(x)


def in_an_attempt(x: float, full: bool) -> Any:
    try:
        bound = x * 3 if full else int("no number")
    except ValueError:
        other = x
    inner = [lambda: bound * 2, lambda: other * 5]
    return inner[0 if full else 1]() * x


def two_functions_further_in(x: float, full: bool) -> Any:
    with contextlib.nullcontext():
        if full:
            kept = x * x

    def outer(c: float) -> Callable[[float], float]:
        def inner(d: float) -> float:
            return kept * d if full else c * d

        return inner

    return outer(x)(x)


def one_branch_raises(x: float, full: bool) -> Any:
    if full:
        power = 3
    elif x < 100:
        power = 2
    else:
        raise ValueError
    return (lambda c: c**power)(x)


def made_elsewhere(full: bool) -> Callable[[float], float]:
    if full:
        factor = 3.0

    def inner(c: float) -> float:
        return c * factor if full else c * c

    return inner


PROGRAMS = [
    dict_of_a_recursive_function,
    list_by_a_loop,
    number_of_a_lambda,
    in_an_attempt,
    two_functions_further_in,
    one_branch_raises,
    lambda x, full: made_elsewhere(full)(x),
]


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_not_read_need_not_be_there(program: Any, full: bool, *, specialise: bool) -> None:
    with units.options(specialise=specialise):
        value, back = zg.pullback(program, 2.0, full)
    assert value == program(2.0, full)
    ends = [program(2.0 + step, full) for step in (1e-3, -1e-3, 2e-3, -2e-3)]
    slope = (8 * (ends[0] - ends[1]) - (ends[2] - ends[3])) / 12e-3
    assert back(1.0) == (pytest.approx(slope, rel=1e-9), None)
    assert back(1.0) == back(1.0)


@pytest.mark.parametrize("full", [True, False])
def test_functions_that_were_made_outside(full: bool) -> None:
    assert zg.gradient(made_elsewhere(full), 2.0) == (3.0 if full else 4.0,)
