"""Densities of normal vectors, `scipy.stats.multivariate_normal`, as programs that are differentiated.

The value is SciPy's own. Where the covariance C is an array, of which SciPy reads the lower triangle, the
derivative is that of -(n log(2 pi) + log det C + d^T C^-1 d) / 2 (Mardia, Kent and Bibby, Multivariate
Analysis, 1979, section 2.5). What may be singular, or is an object of SciPy's, is entered as it is written.

This module is imported with the rules of `scipy.stats`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.stats as st

from zygpy.runtime.distribution_calls import entered
from zygpy.runtime.library_values import as_given, told_by

NORMAL = st.multivariate_normal
WRITTEN = {name: entered(getattr(type(NORMAL), name)) for name in ("logpdf", "pdf")}
"""SciPy's methods, as functions with the same source."""


def logpdf(x: Any, mean: Any = None, cov: Any = 1, allow_singular: Any = False) -> Any:
    """`scipy.stats.multivariate_normal.logpdf`."""
    return WRITTEN["logpdf"](NORMAL, x, mean, cov, allow_singular)


def pdf(x: Any, mean: Any = None, cov: Any = 1, allow_singular: Any = False) -> Any:
    """`scipy.stats.multivariate_normal.pdf`."""
    return WRITTEN["pdf"](NORMAL, x, mean, cov, allow_singular)


def logpdf_by_name(x: Any, mean: Any = None, cov: Any = 1) -> Any:
    """The same of parameters by name."""
    return logpdf(x, mean, cov)


def pdf_by_name(x: Any, mean: Any = None, cov: Any = 1) -> Any:
    """The same of parameters by name."""
    return pdf(x, mean, cov)


def regular_logpdf(x: Any, mean: Any = None, cov: Any = 1) -> Any:
    """The same of a covariance that is an array, and not singular."""
    value = told_by(NORMAL.logpdf, (x, mean, cov), {})
    return as_given(value, np.reshape(normal_logarithm(x, mean, cov), np.shape(value)))


def regular_pdf(x: Any, mean: Any = None, cov: Any = 1) -> Any:
    """The same of a covariance that is an array, and not singular."""
    value = told_by(NORMAL.pdf, (x, mean, cov), {})
    return as_given(value, np.exp(np.reshape(normal_logarithm(x, mean, cov), np.shape(value))))


def normal_logarithm(x: Any, mean: Any, cov: Any) -> Any:
    """The logarithm of the density at each point."""
    n = dimension(mean, cov)
    center = np.zeros(n) if mean is None else np.reshape(np.asarray(mean) * 1.0, (n,))
    matrix = covariance(np.asarray(1 if cov is None else cov) * 1.0, n)
    apart = np.reshape(np.asarray(x) * 1.0, (-1, n)) - center
    square = np.sum(np.transpose(apart) * np.linalg.solve(matrix, np.transpose(apart)), axis=0)
    return -0.5 * (n * np.log(2.0 * np.pi) + np.linalg.slogdet(matrix)[1] + square)


def dimension(mean: Any, cov: Any) -> int:
    """How many components the vectors have."""
    if mean is not None:
        return int(np.size(mean))
    return 1 if cov is None or np.ndim(cov) < 2 else int(np.shape(cov)[0])


def covariance(cov: Any, n: int) -> Any:
    """The matrix that is meant by a number, by its diagonal, or by its lower triangle."""
    if n == 1:
        return np.reshape(cov, (1, 1))
    if np.ndim(cov) == 0:
        return cov * np.eye(n)
    return np.diag(cov) if np.ndim(cov) == 1 else np.tril(cov) + np.transpose(np.tril(cov, -1))
