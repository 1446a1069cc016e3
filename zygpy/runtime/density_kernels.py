"""Sums of Gaussian kernels, as `scipy.stats.gaussian_kde` computes them in C, as programs.

Source: D. W. Scott, Multivariate Density Estimation (1992), chapter 6.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.linalg as sl
from scipy.stats import _stats

from zygpy.runtime.library_values import as_given


def evaluated(self: Any, points: Any) -> Any:
    """`scipy.stats.gaussian_kde.evaluate`."""
    at = in_columns(points, self.d)
    exponents, height = kernels(self.dataset, at, self.cho_cov)
    found = height * np.matmul(np.exp(exponents), self._weights)
    return as_given(told("gaussian_kernel_estimate", self, at), found)


def log_evaluated(self: Any, x: Any) -> Any:
    """`scipy.stats.gaussian_kde.logpdf`."""
    at = in_columns(x, self.d)
    exponents, height = kernels(self.dataset, at, self.cho_cov)
    most = greatest(exponents)
    found = np.log(np.matmul(np.exp(exponents - most[:, None]), self._weights)) + most + np.log(height)
    return as_given(told("gaussian_kernel_estimate_log", self, at), found)


def in_columns(points: Any, count: int) -> Any:
    """The places as columns of so many rows."""
    at = np.atleast_2d(np.asarray(points))
    check_rows(at, count)
    return np.reshape(at, (count, 1)) if np.shape(at)[0] != count else at


def check_rows(at: Any, count: int) -> None:
    """Raise what SciPy raises for places in another number of dimensions."""
    d, m = np.shape(at)
    if d != count and not (d == 1 and m == count):
        raise ValueError(f"points have dimension {d}, dataset has dimension {count}")


def kernels(dataset: Any, at: Any, cho_cov: Any) -> Any:
    """The exponents of all kernels, a row for each place, and their height."""
    factor = np.asarray(cho_cov)
    centres = sl.solve_triangular(factor, dataset * 1.0, lower=True)
    places = sl.solve_triangular(factor, at * 1.0, lower=True)
    away = np.expand_dims(places, 2) - np.expand_dims(centres, 1)
    height = (2 * math.pi) ** (-0.5 * len(factor)) / np.prod(np.diagonal(factor))
    return -0.5 * np.sum(away * away, axis=0), height


def greatest(exponents: Any) -> Any:
    """The greatest exponent at each place, which does not change the result."""
    return np.max(exponents, axis=1)


def told(name: str, kde: Any, at: Any) -> Any:
    """What SciPy gives."""
    dtype = np.common_type(kde.covariance, at)
    spec = {4: "float", 8: "double"}.get(np.dtype(dtype).itemsize, "long double")
    given = (kde.dataset.T, kde._weights[:, None], at.T, kde.cho_cov, dtype)
    return getattr(_stats, name)[spec](*given)[:, 0]
