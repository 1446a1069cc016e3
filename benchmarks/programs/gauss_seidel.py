"""Poisson's equation on a square by Gauss-Seidel sweeps, point by point in place."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.case import Case

Array = NDArray[np.float64]

SIDE, SWEEPS = 18, 12


def relax(start: Array, source: Array) -> Any:
    u = start.copy()
    rows, columns = u.shape
    for _ in range(SWEEPS):
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - source[i, j])
    return np.sum(u * u)


def hand(start: Array, source: Array) -> tuple[Any, tuple[Array, Array]]:
    u = start.copy()
    rows, columns = u.shape
    for _ in range(SWEEPS):
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - source[i, j])
    u_bar = 2.0 * u
    source_bar = np.zeros_like(source)
    for _ in range(SWEEPS):
        for i in range(rows - 2, 0, -1):
            for j in range(columns - 2, 0, -1):
                bar = 0.25 * u_bar[i, j]
                u_bar[i, j] = 0.0
                u_bar[i - 1, j] += bar
                u_bar[i + 1, j] += bar
                u_bar[i, j - 1] += bar
                u_bar[i, j + 1] += bar
                source_bar[i, j] -= bar
    return np.sum(u * u), (u_bar, source_bar)


def _arguments() -> tuple[Array, Array]:
    random = np.random.default_rng(0)
    return random.normal(size=(SIDE, SIDE)), random.normal(size=(SIDE, SIDE))


CASE = Case("stencil: Gauss-Seidel", relax, hand, _arguments, None, 1.5)
