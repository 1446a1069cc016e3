"""Quotients and solutions of linear equations that are nan, and raise nothing, where there are none."""

from __future__ import annotations

from typing import Any

import numpy as np


def solved_or_nan(a: Any, b: Any) -> Any:
    """The vector that solves linear equations, 0 where `b` is 0, nan where the matrix is singular.

    >>> solved_or_nan(np.zeros((1, 1)), np.ones(1)), solved_or_nan(np.zeros((1, 1)), np.zeros(1))
    (array([nan]), array([0.]))
    """
    dtype = np.result_type(a, b)
    if not np.any(b):
        return np.zeros(np.shape(b), dtype)
    try:
        return np.linalg.solve(a, b)
    except np.linalg.LinAlgError:
        return np.full(np.shape(b), np.nan, dtype)


def products_of(a: Any, b: Any) -> Any:
    """The matrix of the products of the entries of two vectors."""
    return np.expand_dims(a, -1) * b


def quotient_or_nan(a: Any, b: Any) -> Any:
    """The quotients of arrays of one shape, 0 where `a` is 0, nan where `b` alone is.

    >>> quotient_or_nan(np.array([1.0, 0.0, 1.0]), np.array([2.0, 0.0, 0.0]))
    array([0.5, 0. , nan])
    """
    divided = np.where(np.equal(b, 0), np.nan, a) / np.where(np.equal(b, 0), 1, b)
    found = np.where(np.equal(a, 0), 0 * a, divided)
    return found if np.ndim(found) else found[()]
