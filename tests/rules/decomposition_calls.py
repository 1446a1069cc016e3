"""Calls of the decompositions of `np.linalg`, of norms of matrices and of products of many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.rules.calls import Call, call, hermitian, square
from zygpy.runtime import decompositions, finite_differences, least_squares, linear_algebra, matrix_norms


def array(*shape: int, start: int = 0) -> Any:
    """Distinct numbers between -2 and 2, in matrices of full rank."""
    places = np.arange(start, start + int(np.prod(shape)))
    return (1.9 * np.sin(1.0 + 2.3 * places + 0.17 * places * places)).reshape(shape)


def distinct(*shape: int) -> Any:
    """Numbers of both signs whose sizes differ by a tenth at least."""
    count = int(np.prod(shape))
    order = np.argsort(array(count))
    return (np.where(order % 2, 1, -1) * (0.5 + 0.1 * order)).reshape(shape)


SHAPES: tuple[tuple[int, ...], ...] = ((3, 3), (4, 3), (3, 4), (2, 3, 3), (2, 4, 2), (7, 2), (2, 7))


def singular_values() -> Iterator[Call]:
    for shape in SHAPES:
        yield call(np.linalg.svd, array(*shape), full_matrices=False)
        yield call(np.linalg.svd, array(*shape), False, True)
        yield call(np.linalg.svd, array(*shape), compute_uv=False)
        yield call(np.linalg.svdvals, array(*shape))
        yield call(np.linalg.pinv, array(*shape))
        yield call(np.linalg.pinv, array(*shape), rcond=0.3)
        yield call(np.linalg.pinv, array(*shape), rtol=0.3)
    yield call(np.linalg.svd, square(3, 3))
    for matrix in (hermitian(3, 3), hermitian(2, 3, 3)):
        yield call(np.linalg.svd, matrix, hermitian=True)
        yield call(np.linalg.svd, matrix, True, False, True)
        yield call(np.linalg.pinv, matrix, hermitian=True)
        yield call(np.linalg.pinv, matrix - 1.3 * np.eye(3), 0.3, hermitian=True)


def eigenvalues() -> Iterator[Call]:
    """Vectors of real eigenvalues: of complex ones of a real matrix LAPACK may change the sign."""
    for matrix in (spread(3), spread(4), np.stack([spread(3), -spread(3)]), hermitian(3, 3), square(1, 1)):
        yield call(np.linalg.eig, matrix)
        yield call(np.linalg.eigvals, matrix)
    yield call(np.linalg.eigvals, array(3, 3, start=5))
    yield call(np.linalg.eigvals, array(2, 3, 3))


def spread(count: int) -> Any:
    """A matrix whose eigenvalues are real and far from each other."""
    return 0.3 * array(count, count, start=5) + np.diag(2.0 * np.arange(count))


def triangles() -> Iterator[Call]:
    for shape in SHAPES:
        yield call(decompositions.qr, array(*shape))
        yield call(decompositions.qr, array(*shape), "r")
    yield call(decompositions.qr, array(3, 3), mode="complete")
    for matrix in (hermitian(3, 3), hermitian(2, 3, 3)):
        yield call(np.linalg.cholesky, matrix, upper=True)


def solutions() -> Iterator[Call]:
    for rows, columns in ((5, 3), (3, 3), (3, 5)):
        for right in (array(rows), array(rows, 2), array(rows, 1)):
            yield call(np.linalg.lstsq, array(rows, columns), right)
            yield call(np.linalg.lstsq, array(rows, columns), right, rcond=0.3)
    yield call(np.linalg.lstsq, array(3, 3), array(3), -1)


def tensors() -> Iterator[Call]:
    yield call(np.linalg.tensorinv, array(2, 3, 6))
    yield call(np.linalg.tensorinv, array(6, 3, 2), ind=1)
    yield call(np.linalg.tensorsolve, array(2, 3, 6), array(2, 3, start=50))
    yield call(np.linalg.tensorsolve, array(6, 2, 3), array(6, start=50))
    yield call(np.linalg.tensorsolve, array(2, 6, 3), array(2, 3, start=50), axes=(1,))
    yield call(np.linalg.multi_dot, [array(3), array(3, 4), array(4)])
    yield call(np.linalg.multi_dot, [array(2, 3), array(3, 4), array(4, 5), array(5, 2)])
    yield call(np.linalg.multi_dot, (array(3), array(3, 4)))
    yield call(np.linalg.multi_dot, [array(2, 3), array(3, 4), array(4)])


def norms() -> Iterator[Call]:
    x = array(3, 4, 2)
    for order in (None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
        yield call(np.linalg.norm, x[0], order)
        yield call(matrix_norms.weights, x[0], order)
        yield call(matrix_norms.weights, x, order, (-1, 0))
        yield call(np.linalg.norm, x, order, (0, 1))
        yield call(np.linalg.norm, x, ord=order, axis=(-1, 0), keepdims=True)
        yield call(np.linalg.cond, square(3, 3), order)
        yield call(np.linalg.cond, square(2, 3, 3), p=order)
        if order is not None:
            yield call(np.linalg.matrix_norm, x, ord=order)
            yield call(np.linalg.matrix_norm, x, keepdims=True, ord=order)
    yield call(np.linalg.matrix_norm, x)
    yield call(np.linalg.cond, array(4, 2))
    x = distinct(3, 4, 2)
    for order in (2, 1, 3, 0.5, -1, 0, np.inf, -np.inf):
        yield call(np.linalg.vector_norm, x, ord=order)
        yield call(matrix_norms.weights_of_vectors, x, order)
        yield call(matrix_norms.weights_of_vectors, x, order, 1)
        yield call(np.linalg.vector_norm, x, axis=(0, 2), ord=order)
        yield call(np.linalg.vector_norm, x, axis=1, keepdims=True, ord=order)
    for shape in SHAPES:
        yield call(matrix_norms.unitary_factor, array(*shape))


def products() -> Iterator[Call]:
    x = array(2, 3, 3)
    yield call(np.linalg.cross, array(2, 3), array(3, start=9))
    yield call(np.linalg.cross, array(3, 2), array(3, 1, start=9), axis=0)
    yield call(np.linalg.tensordot, x, array(3, 3, 2, start=9))
    yield call(np.linalg.tensordot, x, array(3, 3, 2, start=9), axes=1)
    yield call(np.linalg.vecdot, array(2, 3), array(3, start=9))
    yield call(np.linalg.vecdot, array(3, 2), array(3, 2, start=9), axis=0)
    for offset in (0, 1, -1):
        yield call(np.linalg.diagonal, x, offset=offset)
        yield call(np.linalg.trace, x, offset=offset)
    if hasattr(np, "matvec"):
        for a, b in (((2, 3), (3,)), ((5, 2, 3), (3,)), ((2, 3), (5, 3)), ((5, 1, 2, 3), (4, 3))):
            yield call(np.matvec, array(*a), array(*b, start=9))
            yield call(np.vecmat, array(*b, start=9), np.swapaxes(array(*a), -1, -2))


def moments() -> Iterator[Call]:
    for shape in ((3, 5), (2, 4)):
        yield call(np.cov, array(*shape))
        yield call(np.cov, array(*shape), rowvar=False, ddof=0)
        yield call(np.cov, array(*shape), array(2, shape[1], start=30), bias=True)
        yield call(np.corrcoef, array(*shape))
        yield call(np.corrcoef, array(*shape), array(shape[1], start=30))
    yield call(np.cov, array(5), array(5, start=30))
    yield call(np.corrcoef, array(5, 2), array(5, 3, start=30), rowvar=False)
    for count in (2, 3, 6):
        yield call(np.gradient, array(count))
        yield call(np.gradient, array(count), 0.3)
        yield call(finite_differences.slopes_transpose, array(count), 0.3)
    yield call(linear_algebra.in_floats, array(3, 2))
    yield call(least_squares.chained, [array(2, 3), array(3, 4), array(4, 2)])


GROUPS = (singular_values, eigenvalues, triangles, solutions, tensors, norms, products, moments)
