"""Variables that one iteration binds for the next: nothing is known of them where they have no value yet."""

# ruff: noqa: F821, F841, SIM108

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg

Program = Callable[[Any], Any]


def smoothed(x: Any) -> Any:
    total = 0.0
    for i in range(5):
        if i:
            mean = 0.8 * mean + 0.2 * x * i
        else:
            mean = math.sin(x)
        total += mean * mean
    return total


def of_other_kinds(x: Any) -> Any:
    for i in range(4):
        if i == 3:
            last = last + np.array([x, 1.0])
        elif i == 2:
            last = last * x
        elif i == 1:
            last = last + 0.5
        else:
            last = 2
    return last.sum() * x


def in_inner_loops(x: Any) -> Any:
    total, rounds = 0.0, 0
    while rounds < 3:
        for j in range(3):
            if rounds + j:
                part = part * 0.5 + x * j
            else:
                part = x * x
            total += part
        rounds += 1
    return total


def list_that_grows(x: Any) -> Any:
    total = 0.0
    for i in range(5):
        if i % 3:
            kept.append(x * i)
        else:
            kept = [x]
        total += sum(kept) * kept[-1]
    return total


def other_names(x: Any) -> Any:
    total = 0.0
    for i in range(4):
        if i:
            before[0] = before[0] * x
            total += now[0] * i
        else:
            before = now = [x]
    return total


def never_reached(x: Any) -> Any:
    total = x
    for i in range(3):
        if i > 5:
            nothing = nothing * 2.0
            total += nothing
        total = total * x
    return total


def caught(x: Any) -> Any:
    total = 0.0
    for i in range(3):
        try:
            value = value * x + i
        except NameError:
            value = x
        total += value
    return total


def deleted(x: Any) -> Any:
    total = 0.0
    for i in range(6):
        if i % 3 == 0:
            value = x + i
        elif i % 3 == 1:
            value = value * value
        else:
            total += value
            del value
    return total


def left_unbound(x: Any) -> Any:
    found = None
    for i in range(4):
        if i == 2:
            found = value * x
            break
        value = x * i
    return found if found is not None else x


PROGRAMS = (
    *(smoothed, of_other_kinds, in_inner_loops, list_that_grows, other_names, never_reached, caught, deleted),
    left_unbound,
)


@pytest.mark.parametrize("f", PROGRAMS)
def test_gradients_and_tangents(f: Program) -> None:
    x = 0.8
    slope = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
    value, back = zg.pullback(f, x)
    assert value == f(x)
    assert back(2.0) == back(2.0) == pytest.approx((2.0 * slope,), rel=1e-6)
    assert zg.pushforward(f, x)(1.0) == pytest.approx(slope, rel=1e-6)


@pytest.mark.parametrize("f", PROGRAMS)
def test_single_precision_and_whole_numbers(f: Program) -> None:
    for x in (np.float32(0.8), 2):
        slope = (f(float(x) + 1e-6) - f(float(x) - 1e-6)) / 2e-6
        assert zg.pullback(f, x)[0] == f(x)
        assert zg.gradient(f, x)[0] == pytest.approx(slope, rel=1e-5)


def test_second_derivatives() -> None:
    bend = (zg.gradient(smoothed, 0.8 + 1e-5)[0] - zg.gradient(smoothed, 0.8 - 1e-5)[0]) / 2e-5
    assert zg.hvp(smoothed, 0.8, 1.0) == pytest.approx(bend, rel=1e-6)


def test_numbers_are_computed_with_as_numbers() -> None:
    assert "pull(" not in zg.show_adjoint(smoothed, 0.8)
    assert "pull(" not in zg.show_adjoint(in_inner_loops, 0.8)


def unbound(x: Any) -> Any:
    for _ in range(3):
        value = value * x
    return value


def unbound_later(x: Any) -> Any:
    for i in range(3):
        if i < 2:
            value = x * i
        if i == 1:
            del value
    return value


@pytest.mark.parametrize("f", [unbound, unbound_later])
def test_what_has_no_value_raises_as_it_does(f: Program) -> None:
    with pytest.raises(UnboundLocalError):
        f(0.8)
    with pytest.raises(UnboundLocalError):
        zg.gradient(f, 0.8)
