"""The heat equation on a rod and on a square, a whole step at a time by slices."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.case import Case

Array = NDArray[np.float64]

POINTS, SIDE, STEPS = 10_000, 200, 30


def rod(start: Array, r: float) -> Any:
    u = start.copy()
    for _ in range(STEPS):
        u[1:-1] += r * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return u @ u


def rod_hand(start: Array, r: float) -> tuple[Any, tuple[Array, Any]]:
    u = start.copy()
    tape = []
    for _ in range(STEPS):
        bend = u[2:] - 2.0 * u[1:-1] + u[:-2]
        tape.append(bend)
        u[1:-1] += r * bend
    r_bar = 0.0
    u_bar = 2.0 * u
    for bend in reversed(tape):
        inner = u_bar[1:-1]
        r_bar += inner @ bend
        bar = r * inner
        u_bar[2:] += bar
        u_bar[:-2] += bar
        bar *= 2.0
        inner -= bar
    return u @ u, (u_bar, r_bar)


def square(start: Array, r: float) -> Any:
    u = start.copy()
    for _ in range(STEPS):
        u[1:-1, 1:-1] += r * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1])
    return np.sum(u * u)


def square_hand(start: Array, r: float) -> tuple[Any, tuple[Array, Any]]:
    u = start.copy()
    tape = []
    for _ in range(STEPS):
        bend = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        tape.append(bend)
        u[1:-1, 1:-1] += r * bend
    r_bar = 0.0
    u_bar = 2.0 * u
    for bend in reversed(tape):
        inner = u_bar[1:-1, 1:-1]
        r_bar += np.sum(inner * bend)
        bar = r * inner
        u_bar[2:, 1:-1] += bar
        u_bar[:-2, 1:-1] += bar
        u_bar[1:-1, 2:] += bar
        u_bar[1:-1, :-2] += bar
        bar *= 4.0
        inner -= bar
    return np.sum(u * u), (u_bar, r_bar)


def _field(*shape: int) -> tuple[Array, float]:
    return np.random.default_rng(0).normal(size=shape), 0.2


ROD = Case("stencil: heat by slices", rod, rod_hand, lambda: _field(POINTS), None, 1.5)
SQUARE = Case("stencil: heat on a square", square, square_hand, lambda: _field(SIDE, SIDE), None, 1.5)
