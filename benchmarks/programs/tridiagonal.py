"""A tridiagonal system by Thomas's elimination, element by element."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.case import Case

Array = NDArray[np.float64]

SIZE = 2000


def thomas(lower: Array, diagonal: Array, upper: Array, right: Array) -> Any:
    n = len(right)
    d = diagonal.copy()
    x = right.copy()
    for i in range(1, n):
        factor = lower[i] / d[i - 1]
        d[i] -= factor * upper[i - 1]
        x[i] -= factor * x[i - 1]
    x[n - 1] /= d[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = (x[i] - upper[i] * x[i + 1]) / d[i]
    return x @ x


def hand(lower: Array, diagonal: Array, upper: Array, right: Array) -> tuple[Any, tuple[Array, ...]]:
    n = len(right)
    d = diagonal.copy()
    x = right.copy()
    tape = []
    for i in range(1, n):
        factor = lower[i] / d[i - 1]
        tape.append((factor, x[i - 1]))
        d[i] -= factor * upper[i - 1]
        x[i] -= factor * x[i - 1]
    x[n - 1] /= d[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = (x[i] - upper[i] * x[i + 1]) / d[i]
    lower_bar, d_bar, upper_bar = np.zeros_like(lower), np.zeros_like(d), np.zeros_like(upper)
    x_bar = 2.0 * x
    for i in range(n - 1):
        bar = x_bar[i] / d[i]
        d_bar[i] -= bar * x[i]
        upper_bar[i] -= bar * x[i + 1]
        x_bar[i + 1] -= bar * upper[i]
        x_bar[i] = bar
    x_bar[n - 1] /= d[n - 1]
    d_bar[n - 1] -= x_bar[n - 1] * x[n - 1]
    for i in range(n - 1, 0, -1):
        factor, before = tape[i - 1]
        bar, pivot_bar = x_bar[i], d_bar[i]
        x_bar[i - 1] -= factor * bar
        upper_bar[i - 1] -= factor * pivot_bar
        factor_bar = -(bar * before + pivot_bar * upper[i - 1]) / d[i - 1]
        lower_bar[i] += factor_bar
        d_bar[i - 1] -= factor_bar * factor
    return x @ x, (lower_bar, d_bar, upper_bar, x_bar)


def _arguments() -> tuple[Array, Array, Array, Array]:
    random = np.random.default_rng(0)
    lower, upper, right = random.normal(size=(3, SIZE))
    return lower, 5.0 + random.normal(size=SIZE), upper, right


CASE = Case("stencil: tridiagonal solve", thomas, hand, _arguments, None, 1.5)
