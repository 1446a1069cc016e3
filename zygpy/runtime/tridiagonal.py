"""Eigenvalues of symmetric matrices with three diagonals, in programs for `scipy.linalg`."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg as sl

from zygpy.runtime.library_values import as_given
from zygpy.runtime.scipy_functions import check_flat


def eigh_tridiagonal(
    d: Any, e: Any, eigvals_only: Any = False, select: Any = "a", select_range: Any = None,
    check_finite: Any = True, tol: Any = 0.0, lapack_driver: Any = "auto",
) -> Any:  # fmt: skip
    """`scipy.linalg.eigh_tridiagonal`, with the derivatives of `numpy.linalg.eigh` of the whole matrix."""
    check_flat("eigh_tridiagonal", d, e)
    options = (select, select_range, check_finite, tol, lapack_driver)
    values, vectors = np.linalg.eigh(dense(d, e))
    if eigvals_only:
        found = values_told(d, e, options)
        return as_given(found, values[nearest(found, values)])
    some, turned = told(d, e, options)
    which = nearest(some, values)
    chosen = vectors[:, which]
    return as_given(some, values[which]), as_given(turned, chosen * signs(turned, chosen))


def dense(d: Any, e: Any) -> Any:
    """The whole matrix."""
    return on_diagonal(d) + on_diagonal(e, 1) + on_diagonal(e, -1)


def on_diagonal(v: Any, k: Any = 0) -> Any:
    """A matrix with a vector on a diagonal, which never shares memory with that, as `np.diag` may.

    >>> on_diagonal(np.array([4.0, 5.0]))
    array([[4., 0.],
           [0., 5.]])
    """
    return np.diag(v, k)


def told(d: Any, e: Any, options: Any) -> Any:
    """The eigenvalues and eigenvectors as SciPy finds them, without gradients."""
    return sl.eigh_tridiagonal(d, e, False, *options)


def values_told(d: Any, e: Any, options: Any) -> Any:
    """The eigenvalues alone, without gradients."""
    return sl.eigh_tridiagonal(d, e, True, *options)


def eigvalsh_tridiagonal(
    d: Any, e: Any, select: Any = "a", select_range: Any = None, check_finite: Any = True, tol: Any = 0.0,
    lapack_driver: Any = "auto",
) -> Any:  # fmt: skip
    """`scipy.linalg.eigvalsh_tridiagonal`."""
    return eigh_tridiagonal(d, e, True, select, select_range, check_finite, tol, lapack_driver)


def nearest(some: Any, sorted_values: Any) -> Any:
    """Where the selected eigenvalues, which are neighbours, stand among all.

    >>> nearest(np.array([2.0, 3.0]), np.array([0.0, 1.0, 2.0, 3.0, 4.0]))
    array([2, 3])
    """
    count = len(sorted_values) - len(some) + 1
    rests = [np.sum(np.abs(sorted_values[first : first + len(some)] - some)) for first in range(count)]
    return np.argmin(rests) + np.arange(len(some))


def signs(some: Any, others: Any) -> Any:
    """By what columns are multiplied to point where others do."""
    return np.where(np.sum(some * others, axis=0) < 0, -1.0, 1.0)
