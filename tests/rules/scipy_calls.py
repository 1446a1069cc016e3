"""Calls of the functions of `scipy.linalg` that have rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy
import scipy.linalg as sl

from tests.rules.calls import Call, call, hermitian, square
from tests.rules.decomposition_calls import SHAPES, array, spread
from zygpy.runtime import scipy_factors as factors
from zygpy.runtime import scipy_functions as functions

OF_STACKS = bool(np.lib.NumpyVersion(scipy.__version__) >= "1.15.0")
"""Whether this SciPy takes stacks of matrices, and solves systems with structures of all sorts."""


def sides(count: int) -> tuple[Any, ...]:
    return array(count, start=40), array(count, 2, start=40)


def solvers() -> Iterator[Call]:
    a = square(3, 3)
    for b in sides(3):
        yield call(sl.solve, a, b)
        for lower in (True, False):
            for structure in ("sym", "her", "pos"):
                yield call(sl.solve, hermitian(3, 3), b, lower, assume_a=structure)
        yield call(sl.solve, a, b, assume_a="gen")
    if OF_STACKS:
        yield from structured_solvers()


def structured_solvers() -> Iterator[Call]:
    """Of stacks, and of matrices of the sorts that SciPy knows since 1.15."""
    a = square(3, 3)
    for b in sides(3):
        yield call(sl.solve, square(2, 3, 3), b)
        for structure in ("diagonal", "tridiagonal", "upper triangular", "lower triangular", "banded"):
            matrix = {
                "diagonal": np.diag(np.diag(a)), "tridiagonal": np.tril(np.triu(a, -1), 1),
                "upper triangular": np.triu(a), "lower triangular": np.tril(a),
            }.get(structure, a)  # fmt: skip
            yield call(sl.solve, matrix, b, assume_a=structure)


def triangular_solvers() -> Iterator[Call]:
    a = square(3, 3)
    for b in sides(3):
        for lower in (True, False):
            for trans in (0, 1, 2, "N", "T", "C"):
                yield call(sl.solve_triangular, a, b, trans, lower)
            yield call(sl.solve_triangular, a, b, lower=lower, unit_diagonal=True)
            yield call(factors.cho_solved, sl.cholesky(hermitian(3, 3), lower), lower, b)


def banded_solvers() -> Iterator[Call]:
    for bands in ((1, 1), (0, 1), (2, 1), (1, 0), (0, 0)):
        diagonals = array(sum(bands) + 1, 5)
        diagonals[bands[1]] += 5
        for right in sides(5):
            yield call(sl.solve_banded, bands, diagonals, right)
    for b in sides(5):
        upper = array(3, 5) + np.array([[0], [0], [6]])
        yield call(sl.solveh_banded, upper, b)
        yield call(sl.solveh_banded, upper[::-1], b, lower=True)


def transposed_solvers() -> Iterator[Call]:
    """Of real matrices alone."""
    for b in sides(3):
        yield call(sl.solve, square(3, 3), b, transposed=True)


def equations() -> Iterator[Call]:
    a, b = square(3, 3), square(2, 2, start=20)
    yield call(sl.solve_sylvester, a, b, array(3, 2))
    yield call(sl.solve_continuous_lyapunov, a, array(3, 3, start=20))
    yield call(sl.solve_continuous_lyapunov, 1.3, 2.0)
    for method in (None, "direct", "bilinear"):
        yield call(sl.solve_discrete_lyapunov, a / 9, array(3, 3, start=20), method)


def factorisations() -> Iterator[Call]:
    for lower in (True, False):
        yield call(sl.cholesky, hermitian(3, 3), lower)
        yield call(factors.factored, hermitian(3, 3), lower)
    for shape in ((3, 3), (4, 2), (2, 4)):
        yield call(factors.lu_factored, array(*shape))
        yield call(factors.in_three, array(*shape))
        for mode in ("economic", "r") if shape != (3, 3) else ("full", "economic", "r"):
            yield call(factors.in_mode, array(*shape), mode)
            yield call(factors.in_mode, array(*shape), mode, pivoting=True)
        yield call(factors.whole, array(*shape))
        yield call(sl.polar, array(*shape))
        yield call(sl.polar, array(*shape), side="left")
    lu, pivots = sl.lu_factor(array(3, 3))
    for b in sides(3):
        for trans in (0, 1, 2):
            yield call(factors.lu_solved, lu, pivots, b, trans)


def spectra() -> Iterator[Call]:
    for shape in SHAPES:
        if len(shape) == 2:
            yield call(sl.svd, array(*shape), False)
            yield call(sl.svd, array(*shape), compute_uv=False)
            yield call(sl.svdvals, array(*shape))
            yield call(sl.pinv, array(*shape))
            yield call(sl.pinv, array(*shape), rtol=0.3, return_rank=True)
    for lower in (True, False):
        yield call(sl.eigvalsh, hermitian(3, 3), lower=lower)
        yield call(sl.eigh, hermitian(3, 3), lower=lower, eigvals_only=True)
    yield call(factors.pairs, spread(4))
    yield call(factors.values_alone, array(4, 4))
    for b in sides(4):
        yield call(sl.lstsq, array(4, 3), b)
        yield call(sl.lstsq, array(4, 3), b, 0.3)


def pencils() -> Iterator[Call]:
    """Hermitian problems whose vectors have a phase that LAPACK does not tell."""
    for lower in (True, False):
        yield call(sl.eigh, hermitian(3, 3), lower=lower, driver="ev")
        yield call(sl.eigh, array(3, 3), hermitian(3, 3), lower=lower, driver="gv")
        yield call(sl.eigvalsh, array(3, 3), hermitian(3, 3), lower=lower)


def matrix_functions() -> Iterator[Call]:
    for matrix in (square(3, 3), hermitian(2, 2)):
        yield call(sl.inv, matrix)
        yield call(sl.det, matrix)
        yield call(sl.expm, matrix / 4)
        yield call(sl.logm, matrix)
        yield call(sl.sqrtm, matrix)
    yield call(sl.expm, array(2, 3, 3))
    if OF_STACKS:
        yield call(sl.sqrtm, square(2, 3, 3))
    yield call(functions.frechet, array(3, 3), array(3, 3, start=20))
    yield call(functions.frechet, array(2, 3, 3), array(2, 3, 3, start=20))
    yield call(functions.with_frechet, array(3, 3), array(3, 3, start=20))
    for order in (None, "fro", 1, -1, 2, -2, np.inf, -np.inf):
        yield call(sl.norm, array(3, 4), order)
        yield call(sl.norm, array(2, 3, 4), order, (0, 2), True)
    for order in (None, 1, 3, np.inf, 0):
        yield call(sl.norm, array(5), ord=order)


GROUPS = (
    solvers,
    triangular_solvers,
    banded_solvers,
    transposed_solvers,
    equations,
    factorisations,
    spectra,
    pencils,
    matrix_functions,
)
REAL = {sl.eigh, sl.eigvalsh, sl.cholesky, factors.factored, factors.cho_solved, sl.solveh_banded}
"""Functions of real numbers here: of complex ones they read a Hermitian matrix, or choose phases."""
