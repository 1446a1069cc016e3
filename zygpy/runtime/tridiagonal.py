"""Eigenvalues of symmetric matrices with three diagonals, in programs for `scipy.linalg`."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg as sl

from zygpy.runtime.library_values import as_given, told_by


def eigh_tridiagonal(
    d: Any, e: Any, eigvals_only: Any = False, select: Any = "a", select_range: Any = None,
    check_finite: Any = True, tol: Any = 0.0, lapack_driver: Any = "auto",
) -> Any:  # fmt: skip
    """`scipy.linalg.eigh_tridiagonal`, with the derivatives of `numpy.linalg.eigh` of the whole matrix."""
    given = (d, e, eigvals_only, select, select_range, check_finite, tol, lapack_driver)
    found = told_by(sl.eigh_tridiagonal, given, {})
    values, vectors = np.linalg.eigh(np.diag(d) + np.diag(e, 1) + np.diag(e, -1))
    if eigvals_only:
        return as_given(found, values[nearest(found, values)])
    which = nearest(found[0], values)
    turned = vectors[:, which] * signs(found[1], vectors[:, which])
    return as_given(found[0], values[which]), as_given(found[1], turned)


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
