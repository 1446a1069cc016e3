"""Programs whose bodies may run in place, against plain calls and differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg

LOG: list[Any] = []
"""What programs have done, in order."""

Program = Callable[[Any], Any]


def observed(call: Callable[[], Any]) -> tuple[Any, list[Any]]:
    """What a call gives and does."""
    LOG.clear()
    value = call()
    return value, list(LOG)


def check_first_order(f: Program, x: float) -> None:
    """Value, effects, `back` twice and the gradient are those of the plain program."""
    expected = observed(lambda: f(x))
    assert observed(lambda: zg.pullback(f, x)[0]) == expected
    slope = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
    _, back = zg.pullback(f, x)
    assert back(2.0) == back(2.0) == pytest.approx((2.0 * slope,), rel=1e-6)
    assert zg.gradient(f, x)[0] == pytest.approx(slope, rel=1e-6)


def check_second_order(f: Program, x: float) -> None:
    """The tangent is the gradient's, and the second derivative that of its differences."""
    assert zg.pushforward(f, x)(1.0) == pytest.approx(zg.gradient(f, x)[0], rel=1e-9)
    bend = (zg.gradient(f, x + 1e-5)[0] - zg.gradient(f, x - 1e-5)[0]) / 2e-5
    assert zg.hessian(f, x) == pytest.approx(bend, rel=1e-5, abs=1e-8)
