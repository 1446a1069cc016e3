"""A loop over numbers: the recurrence r = r*x + sin(r), a thousand times."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from benchmarks.case import Case

STEPS = 1000


def scalar_loop(x: float, r: float) -> float:
    for _ in range(STEPS):
        r = r * x + math.sin(r)
    return r


def forward(x: float, r: float) -> tuple[float, tuple[float, list[float]]]:
    tape = []
    for _ in range(STEPS):
        tape.append(r)
        r = r * x + math.sin(r)
    return r, (x, tape)


def adjoint(stash: tuple[float, list[float]], r_bar: float) -> tuple[float, float]:
    x, tape = stash
    x_bar = 0.0
    for r in reversed(tape):
        x_bar += r_bar * r
        r_bar = r_bar * x + r_bar * math.cos(r)
    return x_bar, r_bar


def hand(x: float, r: float) -> tuple[float, tuple[float, float]]:
    y, stash = forward(x, r)
    return y, adjoint(stash, 1.0)


def over(np: Any) -> Callable[..., Any]:
    def program(x: Any, r: Any) -> Any:
        for _ in range(STEPS):
            r = r * x + np.sin(r)
        return r

    return program


CASE = Case("scalar loop", scalar_loop, hand, lambda: (0.5, 1.0), over, 1.2, 3.5)
