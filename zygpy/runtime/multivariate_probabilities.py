"""Probabilities of boxes under normal vectors of `scipy.stats`, and the density of inverse Wishart matrices.

The value is SciPy's own; the derivative is that of distribution functions in standard form, of which those by
a limit are a density times the distribution function of the others given it, and those by a correlation a
bivariate density times that of the others given both (R. L. Plackett, A reduction formula for normal
multivariate integrals, Biometrika 41, 1954). Bivariate probabilities follow from D. B. Owen, Tables for
computing bivariate normal probabilities, Annals of Mathematical Statistics 27, 1956, section 2.

This module is imported with the rules of `scipy.stats`, never by zygpy itself.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import scipy.special as sc

from zygpy.errors import MissingRuleError
from zygpy.runtime.distribution_calls import entered
from zygpy.runtime.library_values import as_given, told_by
from zygpy.runtime.multivariate_densities import NORMAL, covariance, dimension
from zygpy.runtime.special_derivatives import in_precision_of

FARTHEST = 40.0
"""So many standard deviations away from the mean nothing is left in double precision."""
MOST = 3
NODES, WEIGHTS = np.polynomial.legendre.leggauss(96)


def box(
    self: Any,
    x: Any,
    mean: Any,
    cov: Any,
    maxpts: Any,
    abseps: Any,
    releps: Any,
    lower_limit: Any,
    rng: Any,
) -> Any:
    """What `scipy.stats.multivariate_normal.cdf` is made of: probabilities of boxes."""
    value = told_by(written(self), (x, mean, cov, maxpts, abseps, releps, lower_limit, rng), {})
    check_size(np.size(mean))
    return as_given(value, np.reshape(of_corners(x, mean, cov, lower_limit), np.shape(value)))


def written(normal: Any) -> Any:
    """SciPy's own method."""
    return normal._cdf


def check_size(n: int) -> None:
    """Raise MissingRuleError for vectors that are too long."""
    if n > MOST:
        raise MissingRuleError(
            f"there is no derivative of probabilities of normal vectors of {n} components.",
            why="their distribution functions have no closed form, and those of three others would be needed",
            instead=f"use at most {MOST} components, or independent ones, whose probabilities are products",
        )


def of_corners(x: Any, mean: Any, cov: Any, lower_limit: Any) -> Any:
    """The probability of each box from the distribution function at its corners."""
    n = np.size(mean)
    deviations = np.sqrt(np.diagonal(cov))
    above = standardised(x, mean, deviations)
    if lower_limit is None:
        return below(above, cov, deviations)
    low = standardised(lower_limit + 0.0 * x, mean, deviations)
    total = 0.0
    for choice in itertools.product((False, True), repeat=n):
        corner = np.where(np.array(choice), low, above)
        total = total + (-1.0) ** sum(choice) * below(corner, cov, deviations)
    return total


def standardised(x: Any, mean: Any, deviations: Any) -> Any:
    """Points in standard form, those that are far away nearer."""
    return np.clip((x - mean) / deviations, -FARTHEST, FARTHEST)


def below(points: Any, cov: Any, deviations: Any) -> Any:
    """The distribution function at points in standard form."""
    if np.shape(points)[-1] == 1:
        return sc.ndtr(points[..., 0])
    first = cov[0, 1] / (deviations[0] * deviations[1])
    if np.shape(points)[-1] == 2:
        return bivariate(points[..., 0], points[..., 1], first)
    second = cov[2, 0] / (deviations[0] * deviations[2])
    third = cov[2, 1] / (deviations[1] * deviations[2])
    first = cov[1, 0] / (deviations[0] * deviations[1])
    return trivariate(points[..., 0], points[..., 1], points[..., 2], first, second, third)


def bivariate(h: Any, k: Any, r: Any) -> Any:
    """The probability that one of two standard normal numbers of correlation `r` is below `h`, and the other
    below `k`.

    >>> round(float(bivariate(0.0, 0.0, 0.5)), 12)  # 1 / 3
    0.333333333333
    """
    with np.errstate(all="ignore"):
        root = np.sqrt((1 - r) * (1 + r))
        halves = (sc.ndtr(h) + sc.ndtr(k)) / 2 - _tail(h, k, r, root) - _tail(k, h, r, root)
        opposite = (np.multiply(h, k) < 0) | ((np.multiply(h, k) == 0) & (np.add(h, k) < 0))
        middle = 0.25 + np.arcsin(r) / (2 * math.pi)
        at_middle = np.equal(h, 0) & np.equal(k, 0)
        return in_precision_of(h, np.where(at_middle, middle, halves - np.where(opposite, 0.5, 0.0)))


def _tail(h: Any, k: Any, r: Any, root: Any) -> Any:
    """Owen's function for one of the two numbers."""
    slope = (k - r * h) / (h * root)
    return sc.owens_t(h, np.where(np.equal(h, 0), np.copysign(np.inf, k), slope))


def trivariate(h: Any, k: Any, m: Any, first: Any, second: Any, third: Any) -> Any:
    """The same of three numbers, with the correlations of the first and second, first and third, second and
    third: the integral over the first, by Gauss's rule.

    >>> round(float(trivariate(0.0, 0.0, 0.0, 0.5, 0.5, 0.5)), 10)
    0.25
    """
    low, high = -9.0, np.clip(h, -9.0, 9.0)
    half = np.asarray((high - low) / 2)[..., None]
    x = low + half * (NODES + 1)
    roots = [np.sqrt((1 - r) * (1 + r)) for r in (first, second)]
    rest = np.asarray((third - first * second) / (roots[0] * roots[1]))[..., None]
    near = (np.asarray(k)[..., None] - np.asarray(first)[..., None] * x) / np.asarray(roots[0])[..., None]
    far = (np.asarray(m)[..., None] - np.asarray(second)[..., None] * x) / np.asarray(roots[1])[..., None]
    return np.sum(half * WEIGHTS * normal_density(x) * bivariate(near, far, rest), axis=-1)[()]


def normal_density(x: Any) -> Any:
    """The density of the standard normal distribution."""
    return np.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def given(h: Any, k: Any, r: Any) -> Any:
    """`k` in standard form, given that the other number is `h`."""
    return (k - r * h) / np.sqrt((1 - r) * (1 + r))


def given_pair(h: Any, k: Any, r: Any) -> Any:
    """The density of two standard normal numbers of correlation `r`."""
    return normal_density(h) * normal_density(given(h, k, r)) / np.sqrt((1 - r) * (1 + r))


def partial(first: Any, second: Any, third: Any) -> Any:
    """The correlation `third` of two numbers, given another with which they have the others."""
    return (third - first * second) / np.sqrt((1 - first) * (1 + first) * (1 - second) * (1 + second))


def by_limit(h: Any, k: Any, m: Any, first: Any, second: Any, third: Any) -> Any:
    """The derivative of `trivariate` by its first limit."""
    return normal_density(h) * bivariate(
        given(h, k, first), given(h, m, second), partial(first, second, third)
    )


def by_correlation(h: Any, k: Any, m: Any, first: Any, second: Any, third: Any) -> Any:
    """The derivative of `trivariate` by its first correlation."""
    rest = given(given(h, k, first), given(h, m, second), partial(first, second, third))
    return given_pair(h, k, first) * sc.ndtr(rest)


def inverse_wishart(self: Any, x: Any, dim: Any, df: Any, log_det_scale: Any, root: Any) -> Any:
    """The logarithm of the density of inverse Wishart matrices, which `x` holds along its last axis; of each
    the lower triangle counts. `root` is Cholesky's factor of the scale."""
    value = told_by(written_logarithm(self), (x, dim, df, log_det_scale, root), {})
    matrices = np.moveaxis(x * 1.0, -1, 0)
    matrices = np.tril(matrices) + np.swapaxes(np.tril(matrices, -1), -1, -2)
    trace = np.sum(root * np.linalg.solve(matrices, root + np.zeros(np.shape(matrices))), axis=(-2, -1))
    computed = (
        0.5 * df * log_det_scale
        - 0.5 * trace
        - 0.5 * df * dim * math.log(2)
        - 0.5 * (df + dim + 1) * np.linalg.slogdet(matrices)[1]
        - sc.multigammaln(0.5 * df, dim)
    )
    return as_given(value, computed)


def written_logarithm(distribution: Any) -> Any:
    """SciPy's own method."""
    return distribution._logpdf


WRITTEN = {name: entered(getattr(type(NORMAL), name)) for name in ("cdf", "logcdf")}
"""SciPy's methods, as functions with the same source."""


def cdf(
    x: Any,
    mean: Any = None,
    cov: Any = 1,
    allow_singular: Any = False,
    maxpts: Any = None,
    abseps: Any = 1e-5,
    releps: Any = 1e-5,
    *,
    lower_limit: Any = None,
    rng: Any = None,
) -> Any:
    """`scipy.stats.multivariate_normal.cdf`."""
    return WRITTEN["cdf"](
        NORMAL, x, mean, cov, allow_singular, maxpts, abseps, releps, lower_limit=lower_limit, rng=rng
    )


def logcdf(
    x: Any,
    mean: Any = None,
    cov: Any = 1,
    allow_singular: Any = False,
    maxpts: Any = None,
    abseps: Any = 1e-5,
    releps: Any = 1e-5,
    *,
    lower_limit: Any = None,
    rng: Any = None,
) -> Any:
    """`scipy.stats.multivariate_normal.logcdf`."""
    return WRITTEN["logcdf"](
        NORMAL, x, mean, cov, allow_singular, maxpts, abseps, releps, lower_limit=lower_limit, rng=rng
    )


def regular_cdf(x: Any, mean: Any = None, cov: Any = 1, lower_limit: Any = None) -> Any:
    """The same of a covariance that is an array, and not singular."""
    value = told_by(NORMAL.cdf, (x, mean, cov), {"lower_limit": lower_limit})
    return as_given(value, np.reshape(of_arrays(x, mean, cov, lower_limit), np.shape(value)))


def regular_logcdf(x: Any, mean: Any = None, cov: Any = 1, lower_limit: Any = None) -> Any:
    """The same of a covariance that is an array, and not singular."""
    value = told_by(NORMAL.logcdf, (x, mean, cov), {"lower_limit": lower_limit})
    computed = np.reshape(of_arrays(x, mean, cov, lower_limit), np.shape(value))
    return as_given(value, np.log(as_given(np.exp(value), computed)))


def of_arrays(x: Any, mean: Any, cov: Any, lower_limit: Any) -> Any:
    """The probability of the box below each point."""
    n = dimension(mean, cov)
    check_size(n)
    center = np.zeros(n) if mean is None else np.reshape(np.asarray(mean) * 1.0, (n,))
    matrix = np.asarray(1 if cov is None else cov) * 1.0
    if np.ndim(matrix) != 2:
        matrix = covariance(matrix, n)
    low = None if lower_limit is None else np.reshape(np.asarray(lower_limit) * 1.0, (-1, n))
    return of_corners(np.reshape(np.asarray(x) * 1.0, (-1, n)), center, matrix, low)
