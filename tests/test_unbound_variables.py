"""Functions that capture variables which have no value: allowed, as long as nobody reads them."""

from __future__ import annotations

import contextlib
import functools
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


def called(function: Callable[..., Any], *arguments: Any) -> Any:
    return function(*arguments)


def loop_of_no_iterations(x: float, full: bool) -> Any:
    for factor in [2.0, 3.0] if full else []:
        scale = factor * x
    return called(lambda y: scale * y * factor if full else y * y, x)


def function_of_a_loop(x: float, full: bool) -> Any:
    for factor in [2.0, 3.0][: 2 * full]:

        def inner(y: float) -> float:
            return factor * y * x  # noqa: B023

    return called(lambda y: inner(y) if full else y, x)


def loop_left_or_done(x: float, full: bool) -> Any:
    while full:
        left = x
        break
    else:
        done = x * x
    return functools.partial(lambda a, b: left * a * b if full else done * a, x)(2.0)


def loop_that_goes_on(x: float, full: bool) -> Any:
    for number in range(2):
        if number > full - 2:
            continue
        late = x * number
    return called(lambda: late if full > 2 else x * x)


def recursion_behind_a_loop(x: float, full: bool) -> Any:
    for _ in range(full):
        scale = x * x

    def inner(depth: int) -> float:
        return inner(depth - 1) * scale if depth and full else x

    return inner(2)


def endless_loop(x: float, full: bool) -> Any:
    while True:
        if full:
            first = x * x
            break
        second = x * 2
        if second:
            break
    return called(lambda: first if full else second * x)


def made_behind_a_loop(factors: list[float], x: float) -> Callable[[float], float]:
    for factor in factors:
        scale = factor * x
    return lambda y: scale * y if factors else y


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
    loop_of_no_iterations,
    function_of_a_loop,
    loop_left_or_done,
    loop_that_goes_on,
    recursion_behind_a_loop,
    endless_loop,
    lambda x, full: made_behind_a_loop([2.0, 3.0] if full else [], x)(x),
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


@pytest.mark.parametrize("full", [True, False])
def test_second_derivatives_and_tangents(full: bool) -> None:
    assert zg.hessian(lambda x: loop_of_no_iterations(x, full), 2.0) == pytest.approx(18.0 if full else 2.0)
    assert zg.pushforward(lambda x: loop_of_no_iterations(x, full), 2.0)(1.0) == pytest.approx(
        36.0 if full else 4.0
    )


@pytest.mark.parametrize("entry", [lambda f: f(2.0), lambda f: zg.gradient(f, 2.0)])
def test_a_variable_that_is_read_has_to_be_there(entry: Callable[[Any], Any]) -> None:
    def program(x: float) -> float:
        for factor in [1.0] * int(x - 2):
            scale = factor * x
        return called(lambda: scale * x)

    with pytest.raises(NameError, match="'scale'"):
        entry(program)
