"""A loop that ends when the data say so: a square root by damped Newton iteration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.case import Case

DAMPING = 0.05
TOLERANCE = 1e-12


def newton(a: float) -> float:
    x = a
    step = 1.0
    while abs(step) > TOLERANCE:
        step = DAMPING * (x * x - a) / (2.0 * x)
        x = x - step
    return x


def hand(a: float) -> tuple[float, tuple[float]]:
    tape = []
    x = a
    step = 1.0
    while abs(step) > TOLERANCE:
        tape.append(x)
        step = DAMPING * (x * x - a) / (2.0 * x)
        x = x - step
    a_bar = 0.0
    x_bar = 1.0
    for before in reversed(tape):
        residual_bar = -x_bar * DAMPING / (2.0 * before)
        a_bar -= residual_bar
        residual = before * before - a
        x_bar += residual_bar * (2.0 * before - residual / before)
    return x, (a_bar + x_bar,)


def over(np: Any) -> Callable[..., Any]:
    del np  # arithmetic and a comparison are all it needs
    return newton


CASE = Case("Newton iteration", newton, hand, lambda: (3.0,), over, 1.2, 3.5)
