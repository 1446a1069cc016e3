"""The heat equation on a rod, swept point by point in place."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.case import Case

Array = NDArray[np.float64]

POINTS, SWEEPS = 300, 20


def sweep(start: Array, r: float) -> Any:
    u = start.copy()
    for _ in range(SWEEPS):
        for i in range(1, len(u) - 1):
            u[i] += r * (u[i - 1] - 2.0 * u[i] + u[i + 1])
    return u @ u


def hand(start: Array, r: float) -> tuple[Any, tuple[Array, Any]]:
    u = start.copy()
    tape = []
    for _ in range(SWEEPS):
        for i in range(1, len(u) - 1):
            bend = u[i - 1] - 2.0 * u[i] + u[i + 1]
            tape.append(bend)
            u[i] += r * bend
    r_bar = 0.0
    u_bar = 2.0 * u
    bends = reversed(tape)
    for _ in range(SWEEPS):
        for i in range(len(u) - 2, 0, -1):
            bar = u_bar[i]
            r_bar += bar * next(bends)
            bar *= r
            u_bar[i - 1] += bar
            u_bar[i] -= 2.0 * bar
            u_bar[i + 1] += bar
    return u @ u, (u_bar, r_bar)


def _arguments() -> tuple[Array, float]:
    return np.random.default_rng(0).normal(size=POINTS), 0.3


CASE = Case("stencil: heat by elements", sweep, hand, _arguments, None, 1.5)
