"""Tests that samples have equal variances, or equal means with variances of their own, of `scipy.stats`.

They are programs that are differentiated in place of SciPy's functions; loaded with SciPy alone. Sources of
the formulas: G. W. Snedecor, W. G. Cochran, Statistical Methods (Bartlett's test); H. Levene (1960) and
M. B. Brown, A. B. Forsythe (1974); B. L. Welch (1938 and 1951); K. K. Yuen (1974); R. A. Alexander,
D. M. Govern (1994).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.special as sc

from zygpy.runtime.statistics_programs import (
    central,
    check,
    check_plain,
    count,
    floats,
    over,
    reduced,
    told,
    variance,
)
from zygpy.runtime.tests_of_means import as_object, as_pair, probability


def bartlett(*samples: Any, axis: Any = 0, nan_policy: Any = "propagate", keepdims: Any = False) -> Any:
    """`scipy.stats.bartlett`."""
    check("bartlett", nan_policy, *samples)
    result = told("bartlett", *samples, axis=axis, keepdims=keepdims)
    pooled, logarithms, inverses, df, groups = 0.0, 0.0, 0.0, 0.0, len(samples)
    for one in samples:
        numbers = floats(one)
        free, spread = count(numbers, axis) - 1, variance(numbers, axis, 1)
        pooled, logarithms = pooled + free * spread, logarithms + free * np.log(spread)
        inverses, df = inverses + over(1.0, free), df + free
    whole = df * np.log(pooled * over(1.0, df)) - logarithms
    whole = whole / (1 + (inverses - over(1.0, df)) / (3.0 * np.float64(groups - 1)))
    p = sc.chdtrc(groups - 1.0, whole)
    return as_pair(result, reduced(whole, axis, keepdims), reduced(p, axis, keepdims))


def levene(
    *samples: Any, center: Any = "median", proportiontocut: Any = 0.05, axis: Any = 0,
    nan_policy: Any = "propagate", keepdims: Any = False,
) -> Any:  # fmt: skip
    """`scipy.stats.levene`: the analysis of variance of distances from the centres."""
    check("levene", nan_policy, *samples)
    result = told(
        "levene", *samples, center=center, proportiontocut=proportiontocut, axis=axis, keepdims=keepdims
    )
    rows = [lines(floats(one), axis) for one in samples]
    f, groups, n = between_groups([distances(one, center, proportiontocut) for one in rows], -1)
    if center == "trimmed" and not np.allclose(np.ravel(f), np.ravel(result[0]), equal_nan=True):
        rows = [without_ends(one, proportiontocut) for one in rows]  # as in older versions
        f, groups, n = between_groups([distances(one, "mean", 0) for one in rows], -1)
    p = sc.fdtrc(groups - 1.0, n - groups, f)
    return as_pair(result, np.reshape(f, np.shape(result[0])), np.reshape(p, np.shape(result[0])))


def lines(a: Any, axis: Any) -> Any:
    """The numbers that are reduced to one along the last axis."""
    if axis is None:
        return np.ravel(a)
    axes = [one % np.ndim(a) for one in (axis if isinstance(axis, tuple) else (axis,))]
    rest = [one for one in range(np.ndim(a)) if one not in axes]
    length = math.prod([np.shape(a)[one] for one in axes])
    return np.reshape(np.transpose(a, rest + axes), [np.shape(a)[one] for one in rest] + [length])


def distances(rows: Any, center: Any, proportion: Any) -> Any:
    """How far numbers are from the centre of their row."""
    if center == "median":
        return np.abs(rows - np.median(rows, axis=-1, keepdims=True))
    kept = without_ends(rows, proportion) if center == "trimmed" else rows
    return np.abs(rows - np.mean(kept, axis=-1, keepdims=True))


def without_ends(rows: Any, proportion: Any) -> Any:
    """The numbers of each row in order, without a share of the smallest and of the largest."""
    n = np.shape(rows)[-1]
    cut = int(proportion * n)
    return np.sort(rows, axis=-1)[..., cut : n - cut]


def between_groups(arrays: Any, axis: Any) -> Any:
    """The quotient of the variances between groups and inside of them; how many groups, and numbers."""
    sums, inside, between, n, groups = 0.0, 0.0, 0.0, 0.0, len(arrays)
    for one in arrays:
        sums, n = sums + count(one, axis) * np.mean(one, axis=axis, keepdims=True), n + count(one, axis)
    for one in arrays:
        size = count(one, axis)
        between = between + size * (np.mean(one, axis=axis, keepdims=True) - sums * over(1.0, n)) ** 2
        inside = inside + size * central(one, 2, axis)
    return between / inside * over(n - groups, groups - 1), groups, n


def between_groups_by_weights(arrays: Any, axis: Any) -> Any:
    """Welch's quotient of variances, and the two degrees of freedom."""
    weights, sums, between, rest, groups = 0.0, 0.0, 0.0, 0.0, len(arrays)
    for one in arrays:
        weight = count(one, axis) / variance(one, axis, 1)
        weights, sums = weights + weight, sums + weight * np.mean(one, axis=axis, keepdims=True)
    for one in arrays:
        n, mean = count(one, axis), np.mean(one, axis=axis, keepdims=True)
        weight = n / variance(one, axis, 1)
        between = between + weight * (mean - sums / weights) ** 2
        rest = rest + (1 - weight / weights) ** 2 * over(1.0, n - 1)
    rest = rest / (groups**2 - 1)
    f = between / (groups - 1) / (1 + 2 * (groups - 2) * rest)
    return f, groups - 1.0, over(1.0, 3.0) / rest


def f_oneway(
    *samples: Any, axis: Any = 0, equal_var: Any = True, nan_policy: Any = "propagate", keepdims: Any = False
) -> Any:
    """`scipy.stats.f_oneway`; with variances of their own by Welch's formula."""
    check("f_oneway", nan_policy, *samples)
    if equal_var:  # which older versions do not name
        result = told("f_oneway", *samples, axis=axis, keepdims=keepdims)
        f, groups, n = between_groups([floats(one) for one in samples], axis)
        p = sc.fdtrc(groups - 1.0, n - groups, f)
    else:
        result = told("f_oneway", *samples, axis=axis, equal_var=False, keepdims=keepdims)
        f, first, second = between_groups_by_weights([floats(one) for one in samples], axis)
        p = sc.fdtrc(first, second, f)
    return as_pair(result, reduced(f, axis, keepdims), reduced(p, axis, keepdims))


def ttest_ind(
    a: Any, b: Any, *, axis: Any = 0, equal_var: Any = True, nan_policy: Any = "propagate",
    alternative: Any = "two-sided", trim: Any = 0, method: Any = None, keepdims: Any = False,
) -> Any:  # fmt: skip
    """`scipy.stats.ttest_ind`; of trimmed samples by Yuen's formula."""
    check("ttest_ind", nan_policy, a, b)
    check_plain("ttest_ind", method)
    result = told(
        "ttest_ind",
        a,
        b,
        axis=axis,
        equal_var=equal_var,
        alternative=alternative,
        trim=trim,
        keepdims=keepdims,
    )
    (first, square, n), (second, other, m) = (trimmed(lines(floats(one), axis), trim) for one in (a, b))
    if equal_var:
        df = n + m - 2
        spread = (square * (n - 1) + other * (m - 1)) * over(1.0, df) * (over(1.0, n) + over(1.0, m))
    else:
        square, other = square * over(1.0, n), other * over(1.0, m)
        spread = square + other
        df = spread**2 / (square**2 * over(1.0, n - 1) + other**2 * over(1.0, m - 1))
    t = (first - second) / np.sqrt(spread)
    p = probability(t, df, alternative)
    return as_pair(result, np.reshape(t, np.shape(result[0])), np.reshape(p, np.shape(result[0])))


def trimmed(rows: Any, trim: Any) -> Any:
    """The mean of each row without its ends, the variance, with what is cut replaced by what is left at the
    ends, and how many numbers are left."""
    n = np.shape(rows)[-1]
    if not trim:
        return np.mean(rows, axis=-1, keepdims=True), variance(rows, -1, 1), n
    kept = without_ends(rows, trim)
    left = np.shape(kept)[-1]
    cut = (n - left) // 2
    ends = np.repeat(kept[..., :1], cut, axis=-1), np.repeat(kept[..., -1:], cut, axis=-1)
    spread = variance(np.concatenate([ends[0], kept, ends[1]], axis=-1), -1, 2 * cut + 1)
    return np.mean(kept, axis=-1, keepdims=True), spread, left


def alexandergovern(
    *samples: Any, nan_policy: Any = "propagate", axis: Any = 0, keepdims: Any = False
) -> Any:
    """`scipy.stats.alexandergovern`."""
    check("alexandergovern", nan_policy, *samples)
    result = told("alexandergovern", *samples, axis=axis, keepdims=keepdims)
    weights, sums, whole = 0.0, 0.0, 0.0
    for one in samples:
        mean, spread, _ = of_mean(floats(one), axis)
        weights, sums = weights + 1 / spread, sums + mean / spread
    for one in samples:
        mean, spread, n = of_mean(floats(one), axis)
        whole = whole + squared_score((mean - sums / weights) ** 2 / spread, n - 1)
    p = sc.chdtrc(len(samples) - 1.0, whole)
    return as_object(result, reduced(whole, axis, keepdims), reduced(p, axis, keepdims))


def of_mean(a: Any, axis: Any) -> Any:
    """The mean, its variance, and how many numbers it is of."""
    n = count(a, axis)
    return np.mean(a, axis=axis, keepdims=True), variance(a, axis, 1) * over(1.0, n), n


def squared_score(square: Any, df: Any) -> Any:
    """The square of the normal score of Student's t, by the square of that (G. W. Hill, 1970)."""
    a = df - 0.5
    b, c = 48 * a**2, a * np.log1p(square / df)
    term = (4 * c**3 + 33 * c**2 + 240 * c + 855) / (b * (10 * b + 8 * c**2 + 1000))
    return c * (1 + (c + 3) / b - term) ** 2
