"""The factorisation of A. L. Cholesky, element by element, and the logarithm of the determinant."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.case import Case

Array = NDArray[np.float64]

SIZE = 20


def log_determinant(a: Array) -> Any:
    n = len(a)
    factor = np.zeros((n, n))
    total = 0.0
    for j in range(n):
        for i in range(j, n):
            rest = a[i, j]
            for k in range(j):
                rest -= factor[i, k] * factor[j, k]
            if i == j:
                factor[j, j] = math.sqrt(rest)
            else:
                factor[i, j] = rest / factor[j, j]
        total += 2.0 * math.log(factor[j, j])
    return total


def forward(a: Array) -> tuple[Any, Array]:
    n = len(a)
    factor = np.zeros((n, n))
    total = 0.0
    for j in range(n):
        for i in range(j, n):
            rest = a[i, j]
            for k in range(j):
                rest -= factor[i, k] * factor[j, k]
            if i == j:
                factor[j, j] = math.sqrt(rest)
            else:
                factor[i, j] = rest / factor[j, j]
        total += 2.0 * math.log(factor[j, j])
    return total, factor


def adjoint(factor: Array) -> Array:
    n = len(factor)
    a_bar, factor_bar = np.zeros((n, n)), np.zeros((n, n))
    for j in range(n - 1, -1, -1):
        factor_bar[j, j] += 2.0 / factor[j, j]
        for i in range(n - 1, j - 1, -1):
            if i == j:
                bar = 0.5 * factor_bar[j, j] / factor[j, j]
            else:
                bar = factor_bar[i, j] / factor[j, j]
                factor_bar[j, j] -= bar * factor[i, j]
            for k in range(j - 1, -1, -1):
                factor_bar[i, k] -= bar * factor[j, k]
                factor_bar[j, k] -= bar * factor[i, k]
            a_bar[i, j] += bar
    return a_bar


def hand(a: Array) -> tuple[Any, tuple[Array]]:
    total, factor = forward(a)
    return total, (adjoint(factor),)


def _arguments() -> tuple[Array]:
    rows = np.random.default_rng(0).normal(size=(SIZE, SIZE))
    return (rows @ rows.T + SIZE * np.eye(SIZE),)


CASE = Case("stencil: Cholesky", log_determinant, hand, _arguments, None, 1.5)
