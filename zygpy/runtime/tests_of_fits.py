"""Tests of `scipy.stats` that samples are of a distribution, as programs; loaded with SciPy alone.

Sources of the formulas: R. B. D'Agostino (1971), F. J. Anscombe, W. J. Glynn (1983) for skewness and kurtosis
of normal samples; J. P. Royston, Algorithm AS R94 (Applied Statistics 44, 1995) for Shapiro and Wilk's test;
M. A. Stephens (1974) for distances between distribution functions; T. W. Epps, K. J. Singleton (1986).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.special as sc
import scipy.stats as st

from zygpy.runtime.statistics_programs import (
    check,
    count,
    excess,
    floats,
    not_known,
    over,
    reduced,
    skewness,
    told,
    variance,
)  # fmt: skip
from zygpy.runtime.tests_of_means import as_object, as_pair
from zygpy.runtime.tests_of_spreads import lines

# Skewness and kurtosis.


def skewtest(
    a: Any, axis: Any = 0, nan_policy: Any = "propagate", alternative: Any = "two-sided", *,
    keepdims: Any = False,
) -> Any:  # fmt: skip
    """`scipy.stats.skewtest`."""
    check("skewtest", nan_policy, a)
    result = told("skewtest", a, axis, alternative=alternative, keepdims=keepdims)
    z = score_of_skewness(floats(a), axis)
    p = normal_probability(z, alternative)
    return as_pair(result, reduced(z, axis, keepdims), reduced(p, axis, keepdims))


def kurtosistest(
    a: Any, axis: Any = 0, nan_policy: Any = "propagate", alternative: Any = "two-sided", *,
    keepdims: Any = False,
) -> Any:  # fmt: skip
    """`scipy.stats.kurtosistest`."""
    check("kurtosistest", nan_policy, a)
    result = told("kurtosistest", a, axis, alternative=alternative, keepdims=keepdims)
    z = score_of_kurtosis(floats(a), axis)
    p = normal_probability(z, alternative)
    return as_pair(result, reduced(z, axis, keepdims), reduced(p, axis, keepdims))


def normaltest(a: Any, axis: Any = 0, nan_policy: Any = "propagate", *, keepdims: Any = False) -> Any:
    """`scipy.stats.normaltest`: the sum of the squares of both scores."""
    check("normaltest", nan_policy, a)
    result = told("normaltest", a, axis, keepdims=keepdims)
    whole = score_of_skewness(floats(a), axis) ** 2 + score_of_kurtosis(floats(a), axis) ** 2
    p = np.exp(-whole / 2)
    return as_pair(result, reduced(whole, axis, keepdims), reduced(p, axis, keepdims))


def normal_probability(z: Any, alternative: Any) -> Any:
    """How probable a normal score is, or what is farther away."""
    if alternative == "less":
        return sc.ndtr(z)
    if alternative == "greater":
        return sc.ndtr(-z)
    return 2 * sc.ndtr(-np.abs(z))


def score_of_skewness(a: Any, axis: Any) -> Any:
    """The normal score of the skewness, with axes of length 1; nan of less than 8 numbers."""
    n = count(a, axis)
    scale, alpha = of_skewness(n) if n >= 8 else (math.nan, math.nan)
    return np.arcsinh(skewness(a, axis, True) * (scale / alpha)) / math.sqrt(math.log1p(2 / alpha**2) / 2)


def of_skewness(n: float) -> tuple[float, float]:
    """What the skewness of so many numbers is multiplied by to have the variance 1, and the scale of the
    arcsinh that makes it normal."""
    fourth = 3 * (n * n + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2) * (n + 5) * (n + 7) * (n + 9))
    square = math.sqrt(2 * (fourth - 1)) - 1
    return math.sqrt((n + 1) * (n + 3) / (6 * (n - 2))), math.sqrt(2 / (square - 1))


def score_of_kurtosis(a: Any, axis: Any) -> Any:
    """The normal score of the kurtosis, with axes of length 1; nan of less than 5 numbers."""
    n = count(a, axis)
    mean, scale, df = of_kurtosis(n) if n >= 5 else (math.nan, math.nan, math.nan)
    ratio = 1 + (excess(a, axis, True) + 3 - mean) * (math.sqrt(2 / (df - 4)) * scale)
    root = np.sign(ratio) * ((1 - 2 / df) / np.abs(ratio)) ** (1 / 3)
    return (1 - 2 / (9 * df) - root) / math.sqrt(2 / (9 * df))


def of_kurtosis(n: float) -> tuple[float, float, float]:
    """The mean of the kurtosis of so many normal numbers, one over its deviation, and the degrees of freedom
    of the chi squared distribution that is like its own."""
    mean = 3 * (n - 1) / (n + 1)
    spread = 24 * n * (n - 2) * (n - 3) / ((n + 1) ** 2 * (n + 3) * (n + 5))
    skew = 6 * (n * n - 5 * n + 2) / ((n + 7) * (n + 9))
    skew = skew * math.sqrt(6 * (n + 3) * (n + 5) / (n * (n - 2) * (n - 3)))
    return mean, 1 / math.sqrt(spread), 6 + 8 / skew * (2 / skew + math.sqrt(1 + 4 / skew**2))


# Shapiro and Wilk.


def shapiro(x: Any, *, axis: Any = None, nan_policy: Any = "propagate", keepdims: Any = False) -> Any:
    """`scipy.stats.shapiro`: the squared correlation of the numbers in order with normal ones in order."""
    check("shapiro", nan_policy, x)
    result = told("shapiro", x, axis=axis, keepdims=keepdims)
    rows = np.sort(lines(floats(x), axis), axis=-1)
    n = np.shape(rows)[-1]
    along = np.sum(rows * normal_order(n), axis=-1) ** 2
    w = along / (variance(rows, -1, 0)[..., 0] * n)
    p = probability_of_correlation(w, n)
    return as_pair(result, np.reshape(w, np.shape(result[0])), np.reshape(p, np.shape(result[0])))


def normal_order(n: int) -> Any:
    """Royston's approximation to the direction of so many normal numbers in order, a unit vector."""
    if n < 3:
        return np.full(n, math.nan)
    m = sc.ndtri((np.arange(1, n + 1) - 0.375) / (n + 0.25))
    a, u = m / math.sqrt(np.sum(m * m)), 1 / math.sqrt(n)
    ends = 1 if n <= 5 else 2
    if n == 3:
        a[-1] = math.sqrt(0.5)
    else:
        a[-1] += np.polyval(OF_LAST, u)
        a[-2] += np.polyval(OF_LAST_BUT_ONE, u) if ends == 2 else 0.0
        inner = slice(ends, n - ends)
        a[inner] = m[inner] * math.sqrt((1 - 2 * np.sum(a[-ends:] ** 2)) / np.sum(m[inner] ** 2))
    a[:ends] = -a[::-1][:ends]
    return a / math.sqrt(np.sum(a * a))


OF_LAST = (-2.706056, 4.434685, -2.07119, -0.147981, 0.221157, 0.0)
OF_LAST_BUT_ONE = (-3.582633, 5.682633, -1.752461, -0.293762, 0.042981, 0.0)
"""What is added to the two greatest normal numbers in order, by one over the root of their count."""


def probability_of_correlation(w: Any, n: int) -> Any:
    """How probable such a squared correlation is, or a smaller one."""
    if n == 3:
        return 6 / math.pi * (np.arcsin(np.sqrt(w)) - math.asin(math.sqrt(0.75)))
    if n <= 11:
        score = -np.log(0.459 * n - 2.273 - np.log1p(-w))
        by, mean, spread = n, (-6.714e-4, 0.025054, -0.39978, 0.544), (-0.0020322, 0.062767, -0.77857, 1.3822)
        return sc.ndtr((np.polyval(mean, by) - score) / math.exp(np.polyval(spread, by)))
    logarithm = math.log(n)
    middle = np.polyval((0.0038915, -0.083751, -0.31082, -1.5861), logarithm)
    return sc.ndtr((middle - np.log1p(-w)) / math.exp(np.polyval((0.0030302, -0.082676, -0.4803), logarithm)))


# Distances from a distribution function.


def ks_1samp(
    x: Any, cdf: Any, args: Any = (), alternative: Any = "two-sided", method: Any = "auto", *, axis: Any = 0,
    nan_policy: Any = "propagate", keepdims: Any = False,
) -> Any:  # fmt: skip
    """`scipy.stats.ks_1samp`; the exact probability of both sides has no derivative."""
    check("ks_1samp", nan_policy, x)
    result = told("ks_1samp", x, cdf, args, alternative, method, axis=axis, keepdims=keepdims)
    d, p = farthest(result, np.sort(lines(floats(x), axis), axis=-1), cdf, args, alternative, method)
    return as_pair(result, np.reshape(d, np.shape(result[0])), np.reshape(p, np.shape(result[0])))


def kstest(
    rvs: Any, cdf: Any, args: Any = (), N: Any = 20, alternative: Any = "two-sided",  # noqa: N803
    method: Any = "auto", *,
    axis: Any = 0, nan_policy: Any = "propagate", keepdims: Any = False,
) -> Any:  # fmt: skip
    """`scipy.stats.kstest` of one sample that is given."""
    check("kstest", nan_policy)
    if isinstance(rvs, str) or callable(rvs):
        raise not_known("kstest", "it draws random numbers", "draw them yourself")
    result = told("kstest", rvs, cdf, args, N, alternative, method, axis=axis, keepdims=keepdims)
    function = getattr(st, cdf).cdf if isinstance(cdf, str) else cdf
    rows = np.sort(lines(floats(rvs), axis), axis=-1)
    d, p = farthest(result, rows, function, args, alternative, method)
    return as_pair(result, np.reshape(d, np.shape(result[0])), np.reshape(p, np.shape(result[0])))


def kstest_of_two(
    rvs: Any, cdf: Any, args: Any = (), N: Any = 20, alternative: Any = "two-sided",  # noqa: N803
    method: Any = "auto", *,
    axis: Any = 0, nan_policy: Any = "propagate", keepdims: Any = False,
) -> Any:  # fmt: skip
    """The same of two samples, which is a step."""
    return st.ks_2samp(rvs, cdf, alternative, method, axis=axis, nan_policy=nan_policy, keepdims=keepdims)


def farthest(result: Any, rows: Any, cdf: Any, args: Any, alternative: Any, method: Any) -> Any:
    """The greatest distance between the distribution of numbers in order and another one, and how probable
    it is."""
    n, levels = np.shape(rows)[-1], levels_of(cdf, rows, args)
    above = np.max(np.arange(1, n + 1) / n - levels, axis=-1)
    below = np.max(levels - np.arange(n) / n, axis=-1)
    side = alternative[:1].lower()
    if side in ("g", "l"):
        d = above if side == "g" else below
        return d, sc.smirnov(n, d)
    d = np.where(above > below, above, below)
    if method == "asymp":
        return d, sc.kolmogorov(d * math.sqrt(n))
    if method == "approx":
        return d, np.minimum(2 * sc.smirnov(n, d), 1.0)
    return d, given(np.reshape(result[1], np.shape(d)), d)


def levels_of(cdf: Any, rows: Any, args: Any) -> Any:
    """What a distribution function gives."""
    return cdf(*[rows, *args])


def given(probability: Any, statistic: Any) -> Any:
    """The probability of a statistic that SciPy gives, without derivative."""
    return probability


def cramervonmises(
    rvs: Any, cdf: Any, args: Any = (), *, axis: Any = 0, nan_policy: Any = "propagate", keepdims: Any = False
) -> Any:
    """`scipy.stats.cramervonmises`; its probability has no derivative."""
    check("cramervonmises", nan_policy, rvs)
    result = told("cramervonmises", rvs, cdf, args, axis=axis, keepdims=keepdims)
    function = getattr(st, cdf).cdf if isinstance(cdf, str) else cdf
    rows = np.sort(lines(floats(rvs), axis), axis=-1)
    n, levels = np.shape(rows)[-1], levels_of(function, rows, args)
    middles = (2 * np.arange(n) + 1) / (2 * n)
    w = over(1.0, 12 * n) + np.sum((middles - levels) ** 2, axis=-1)
    w = np.reshape(w, np.shape(result.statistic))
    return as_object(result, w, given(result.pvalue, w))


def anderson(x: Any, dist: Any = "norm", *, method: Any = None) -> Any:
    """`scipy.stats.anderson` for distributions whose parameters are found by a formula."""
    check("anderson", "propagate", x)
    if dist not in ("norm", "expon"):
        raise not_known("anderson", "the parameters of this distribution are found by a search", "use 'norm'")
    result = told("anderson", x, dist, method=method)
    y = np.sort(floats(x))
    n = np.size(y)
    if dist == "norm":
        z = (y - np.mean(y)) / np.sqrt(variance(y, 0, 1))
        below, above = sc.log_ndtr(z), sc.log_ndtr(-z)
    else:
        z = y / np.mean(y)
        below, above = np.log(-np.expm1(-z)), -z
    whole = -n - np.sum((2 * np.arange(n) + 1) / n * (below + above[::-1]))
    return as_pair(result, whole, result[1] if method is None else given(result[1], whole))


# Characteristic functions.


def epps_singleton_2samp(
    x: Any, y: Any, t: Any = None, *, axis: Any = 0, nan_policy: Any = "propagate", keepdims: Any = False
) -> Any:
    """`scipy.stats.epps_singleton_2samp`."""
    check("epps_singleton_2samp", nan_policy, x, y, t)
    places = (0.4, 0.8) if t is None else t
    result = told("epps_singleton_2samp", x, y, places, axis=axis, keepdims=keepdims)
    a, b = lines(floats(x), axis), lines(floats(y), axis)
    low, high = np.quantile(np.concatenate([a, b], axis=-1), np.array([0.25, 0.75]), axis=-1)
    scaled = np.expand_dims(floats(places), -1) / np.expand_dims((high - low) / 2, (-2, -1))
    (n, first, cov), (m, second, other) = waves(a, scaled), waves(b, scaled)
    pooled = (n + m) * (cov / n + other / m)
    apart, df = first - second, rank_of(pooled)
    if np.all(df == np.shape(pooled)[-1]):
        whole = (n + m) * np.sum(apart * np.linalg.solve(pooled, apart), axis=(-2, -1))
    else:
        whole = (n + m) * np.sum(apart * np.matmul(np.linalg.pinv(pooled), apart), axis=(-2, -1))
    if max(n, m) < 25:
        whole = whole / (1 + (n + m) ** -0.45 + 10.1 * (n**-1.7 + m**-1.7))
    p = sc.chdtrc(df, whole)
    return as_pair(result, np.reshape(whole, np.shape(result[0])), np.reshape(p, np.shape(result[0])))


def waves(rows: Any, places: Any) -> Any:
    """How many numbers a row has, the means of their cosines and sines, and the covariances of these."""
    angles = places * np.expand_dims(rows, -2)
    values = np.concatenate([np.cos(angles), np.sin(angles)], axis=-2)
    mean = np.mean(values, axis=-1, keepdims=True)
    apart, n = values - mean, np.shape(rows)[-1]
    return n, mean, np.matmul(apart, np.swapaxes(apart, -1, -2)) / n


def rank_of(matrix: Any) -> Any:
    """The rank of the inverse, as far as it is one, in floats."""
    return np.linalg.matrix_rank(np.linalg.pinv(matrix)) * 1.0
