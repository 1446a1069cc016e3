"""Matrices of `scipy.linalg` that are given by their diagonals, as programs for the whole matrices.

This module is imported with the rules of `scipy.linalg`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg as sl

from zygpy.runtime.decompositions import adjoint, hermitian_of
from zygpy.runtime.library_values import as_given, told_by
from zygpy.runtime.scipy_functions import check_band
from zygpy.runtime.scipy_told import check_found, check_phases, gathered, in_form_of, matrices, rounding
from zygpy.runtime.tridiagonal import nearest


def whole_triangle(band: Any, lower: Any) -> Any:
    """The triangle of a matrix, with its diagonal, of which the diagonals are given.

    >>> whole_triangle(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 9.0]]), True)
    array([[1., 0., 0.],
           [4., 2., 0.],
           [0., 5., 3.]])
    """
    diagonals, count = np.shape(band)[-2:]
    rows, columns = np.indices((count, count))
    places = rows - columns if lower else rows - columns + diagonals - 1
    inside = (places >= 0) & (places < diagonals) & ((rows >= columns) if lower else (rows <= columns))
    return np.where(inside, band[..., np.where(inside, places, 0), columns], 0)


def diagonals_of(triangle: Any, band: Any, lower: Any) -> Any:
    """The diagonals of a triangle in the form of `band`, whose corners they leave as they are."""
    diagonals, count = np.shape(band)[-2:]
    places, columns = np.indices((diagonals, count))
    rows = columns + places if lower else columns + places - diagonals + 1
    inside = (rows >= 0) & (rows < count)
    return np.where(inside, triangle[..., np.where(inside, rows, 0), columns], band)


def hermitian(band: Any, lower: Any) -> Any:
    """The Hermitian matrices of which the diagonals of one triangle are given."""
    triangle = whole_triangle(np.asarray(band), lower)
    return hermitian_of(triangle if lower else adjoint(triangle))


def as_read(band: Any, select: Any) -> Any:
    """What LAPACK reads: for all eigenvalues of matrices of one row, the first that is given."""
    all_of_one = np.shape(band)[-1] == 1 and str(select).lower() in ("a", "all", "0")
    return np.asarray(band)[..., :1, :] if all_of_one else np.asarray(band)


def eig_banded(
    a_band: Any, lower: Any = False, eigvals_only: Any = False, overwrite_a_band: Any = False,
    select: Any = "a", select_range: Any = None, max_ev: Any = 0, check_finite: Any = True,
) -> Any:  # fmt: skip
    """`scipy.linalg.eig_banded`, with the derivatives of `numpy.linalg.eigh` of the whole matrices."""
    options = (lower, eigvals_only, False, select, select_range, max_ev, check_finite)
    value = told_by(sl.eig_banded, (a_band, *options), {})
    every, vectors = np.linalg.eigh(hermitian(as_read(a_band, select), lower))
    if eigvals_only:
        return chosen_values(value, every)
    stack = np.shape(value[0])[:-1]
    every, vectors = np.reshape(every, (-1, every.shape[-1])), matrices(vectors, stack)
    some, given = np.reshape(value[0], (len(every), -1)), matrices(value[1], stack)
    found = [chosen(some[k], given[k], every[k], vectors[k]) for k in range(len(every))]
    return in_form_of(value, (gathered(value[0], found, 0), gathered(value[1], found, 1)))


def eigvals_banded(
    a_band: Any, lower: Any = False, overwrite_a_band: Any = False, select: Any = "a",
    select_range: Any = None, check_finite: Any = True,
) -> Any:  # fmt: skip
    """`scipy.linalg.eigvals_banded`."""
    return eig_banded(a_band, lower, True, False, select, select_range, 0, check_finite)


def chosen_values(value: Any, every: Any) -> Any:
    """The eigenvalues that the library gave, which may be some of all."""
    every = np.reshape(every, (-1, every.shape[-1]))
    some = np.reshape(value, (len(every), -1))
    found = [(every[k][nearest(some[k], every[k])],) for k in range(len(every))]
    return gathered(value, found, 0)


def chosen(some: Any, given: Any, every: Any, vectors: Any) -> Any:
    """The eigenvalues and vectors of one matrix that the library gave, with its phases."""
    which = nearest(some, every)
    check_found("eig_banded", some, every[which])
    turned = vectors[:, which] * phases(given, vectors[:, which])
    return every[which], free_of_phases(turned)


def phases(given: Any, computed: Any) -> Any:
    """What columns are multiplied by to be those that are given."""
    inner = np.sum(np.conj(computed) * given, axis=0)
    return np.where(inner == 0, 1, inner / np.where(inner == 0, 1, np.abs(inner)))


def free_of_phases(vectors: Any) -> Any:
    """Vectors, of which nothing has a derivative that depends on their phases, where they are complex."""
    return np.array(vectors)


def free_of_phases_cotangent(vectors: Any, bar: Any) -> Any:
    """What comes back to them."""
    size = np.sqrt(np.sum(np.abs(bar) ** 2, axis=0))
    check_phases("eig_banded", np.sum(np.conj(vectors) * bar, axis=0), 1e3 * rounding(vectors) * size)
    return bar


def cholesky_banded(ab: Any, overwrite_ab: Any = False, lower: Any = False, check_finite: Any = True) -> Any:
    """`scipy.linalg.cholesky_banded`, of which the corners stay as they are."""
    check_band("cholesky_banded", ab)
    value = told_by(sl.cholesky_banded, (ab, False, lower, check_finite), {})
    factor = np.linalg.cholesky(hermitian(ab, lower))
    return as_given(value, diagonals_of(factor if lower else adjoint(factor), np.asarray(ab), lower))


def cho_solve_banded(cb_and_lower: Any, b: Any, overwrite_b: Any = False, check_finite: Any = True) -> Any:
    """`scipy.linalg.cho_solve_banded`."""
    band, lower = cb_and_lower
    check_band("cho_solve_banded", band)
    value = told_by(sl.cho_solve_banded, ((band, lower), b, False, check_finite), {})
    triangle = whole_triangle(np.asarray(band), lower)
    if lower:
        return as_given(value, solved(adjoint(triangle), solved(triangle, b)))
    return as_given(value, solved(triangle, solved(adjoint(triangle), b)))


def solved(a: Any, b: Any) -> Any:
    """The solutions of linear equations, for vectors or matrices."""
    b = np.asarray(b)
    return np.linalg.solve(a, np.expand_dims(b, -1))[..., 0] if b.ndim == 1 else np.linalg.solve(a, b)
