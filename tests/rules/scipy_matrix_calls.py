"""Calls of functions of matrices, Riccati equations and special systems of `scipy.linalg`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.linalg as sl

from tests.rules.calls import Call, call, hermitian, square
from tests.rules.decomposition_calls import array
from zygpy.runtime import scipy_matrices as matrices
from zygpy.runtime import unsolvable
from zygpy.runtime.tridiagonal import on_diagonal


def powers_and_signs() -> Iterator[Call]:
    for exponent in (0.3, 2, 1.7):
        yield call(sl.fractional_matrix_power, hermitian(3, 3), exponent)
    yield call(sl.signm, square(3, 3) - 4.2 * np.eye(3))


def special_systems() -> Iterator[Call]:
    column, row = array(4) + np.array([6.0, 0.0, 0.0, 0.0]), array(4, start=20)
    for right in (array(4, start=40), array(4, 2, start=40)):
        yield call(matrices.toeplitz_solved, column, row, right)
        yield call(matrices.toeplitz_applied, column, row, right)
    yield call(matrices.toeplitz_applied, column, row[:3], array(3))
    yield call(unsolvable.solved_or_nan, square(3, 3), array(3))
    yield call(unsolvable.products_of, array(3), array(2))
    yield call(unsolvable.quotient_or_nan, array(3), array(3, start=7))


def tridiagonal() -> Iterator[Call]:
    yield call(sl.eigvalsh_tridiagonal, array(4), array(3, start=9))
    yield call(on_diagonal, array(4))
    yield call(on_diagonal, array(4), -1)


GROUPS = (powers_and_signs, special_systems, tridiagonal)
REAL = {sl.eigvalsh_tridiagonal, sl.signm, sl.fractional_matrix_power}
"""Functions of real numbers here; a power has a real exponent."""
