"""Covariances and coefficients of correlation of rows of numbers: what comes back, and tangents.

Rules mention these programs as `moments.NAME`. They are differentiated through their source.
"""

from __future__ import annotations

from types import NoneType
from typing import Any

import numpy as np

from zygpy.runtime.decompositions import adjoint, in_diagonal


def rows_of(one: Any, rowvar: Any) -> Any:
    """An operand of `np.cov` as a matrix, of which the rows are the variables."""
    rows = np.atleast_2d(one)
    return rows if rowvar or np.ndim(one) == 1 else np.transpose(rows)


def centred(m: Any, other: Any, rowvar: Any) -> Any:
    """What is left of all variables without their means."""
    if isinstance(other, NoneType):
        rows = rows_of(m, rowvar)
        return rows - np.mean(rows, axis=1, keepdims=True)
    rows = np.concatenate([rows_of(m, rowvar), rows_of(other, rowvar)], axis=0)
    return rows - np.mean(rows, axis=1, keepdims=True)


def share(count: Any, bias: Any = False, ddof: Any = None) -> float:
    """What a sum of products is multiplied by."""
    freedom = count - ((0 if bias else 1) if ddof is None else ddof)
    return 1.0 / freedom if freedom > 0 else np.inf


def covariances_back(m: Any, other: Any, bar: Any, rowvar: Any, scale: Any) -> Any:
    """What comes back to all variables in `np.cov(m, other, ...)`."""
    left = centred(m, other, rowvar)
    whole = as_square(bar)
    return np.matmul(whole + adjoint(whole), left) * scale


def first_of(back: Any, m: Any, rowvar: Any) -> Any:
    """The part of the first operand of what comes back to all variables, in its shape."""
    count = rows_of(m, rowvar).shape[0]
    return np.reshape(rows_of(back[:count], rowvar if np.ndim(m) == 2 else True), np.shape(m))


def last_of(back: Any, other: Any, rowvar: Any) -> Any:
    """The same of the last operand."""
    count = rows_of(other, rowvar).shape[0]
    return np.reshape(rows_of(back[-count:], rowvar if np.ndim(other) == 2 else True), np.shape(other))


def covariances_along(m: Any, other: Any, dots: Any, rowvar: Any, scale: Any, y: Any) -> Any:
    """The tangent of `np.cov(m, other, ...)` along those of both operands."""
    left, moved = centred(m, other, rowvar), centred(dots[0], dots[1], rowvar)
    product = np.matmul(moved, adjoint(left)) * scale
    return np.reshape(product + adjoint(product), np.shape(y))


def normed_back(m: Any, other: Any, y: Any, bar: Any, rowvar: Any) -> Any:
    """What comes back to all variables in `np.corrcoef(m, other, ...)`."""
    sizes, y, bar = _sizes(m, other, rowvar), as_square(y), as_square(bar)
    products = np.real(np.conj(bar) * y)
    sums = np.sum(products, axis=1) + np.sum(products, axis=0)
    scaled = bar / (np.expand_dims(sizes, -1) * sizes) - in_diagonal(sums / (2 * sizes**2))
    return covariances_back(m, other, scaled, rowvar, 1.0)


def normed_along(m: Any, other: Any, dots: Any, rowvar: Any, y: Any) -> Any:
    """The tangent of `np.corrcoef(m, other, ...)` along those of both operands."""
    sizes, whole = _sizes(m, other, rowvar), as_square(y)
    moved = covariances_along(m, other, dots, rowvar, 1.0, whole)
    moved = moved / (np.expand_dims(sizes, -1) * sizes)
    own = np.real(np.diagonal(moved)) / 2
    return np.reshape(moved - whole * (np.expand_dims(own, -1) + own), np.shape(y))


def _sizes(m: Any, other: Any, rowvar: Any) -> Any:
    """The roots of the sums of squares of all variables without their means."""
    return np.sqrt(np.sum(np.abs(centred(m, other, rowvar)) ** 2, axis=1))


def as_square(matrix: Any) -> Any:
    """A new matrix, also of what has no axes as it has one element."""
    return np.add(np.atleast_2d(matrix), 0.0)
