"""Tests of counts and of probabilities in `scipy.stats`, as programs; loaded with SciPy alone.

Source of the formulas: N. Cressie, T. R. C. Read, Multinomial goodness-of-fit tests (Journal of the Royal
Statistical Society B 46, 1984); N. A. Heard, P. Rubin-Delanchy (Biometrika 105, 2018) for probabilities.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.special as sc

from zygpy.runtime.statistics_of_choices import as_four
from zygpy.runtime.statistics_programs import check, check_plain, count, floats, reduced, told
from zygpy.runtime.tests_of_means import as_pair

POWERS = {
    "pearson": 1.0, "log-likelihood": 0.0, "freeman-tukey": -0.5, "mod-log-likelihood": -1.0, "neyman": -2.0,
    "cressie-read": 2.0 / 3.0,
}  # fmt: skip


def combine_pvalues(
    pvalues: Any, method: Any = "fisher", weights: Any = None, *, axis: Any = 0,
    nan_policy: Any = "propagate", keepdims: Any = False,
) -> Any:  # fmt: skip
    """`scipy.stats.combine_pvalues`."""
    check("combine_pvalues", nan_policy, pvalues, weights)
    result = told("combine_pvalues", pvalues, method, weights, axis=axis, keepdims=keepdims)
    p, n = floats(pvalues), count(pvalues, axis)
    if method == "stouffer":
        found = scores(p, 1.0 + 0.0 * p if weights is None else 0.0 * p + floats(weights), axis)
    else:
        found = combined(p, n, method, axis)
    return as_pair(result, *[reduced(one, axis, keepdims) for one in found])


def combined(p: Any, n: Any, method: str, axis: Any) -> Any:
    """The statistic of several probabilities without weights, and how probable it is."""
    if method == "tippett":
        least = np.min(p, axis=axis, keepdims=True)
        return least, -np.expm1(n * np.log1p(-least))
    if method == "fisher":
        whole = -2.0 * np.sum(np.log(p), axis=axis, keepdims=True)
        return whole, sc.chdtrc(2 * n, whole)
    inverse = np.sum(np.log1p(-p), axis=axis, keepdims=True)
    if method == "pearson":
        return 2.0 * inverse, sc.chdtr(2 * n, -2.0 * inverse)
    odds, df = inverse - np.sum(np.log(p), axis=axis, keepdims=True), 5 * n + 4
    return odds, sc.stdtr(df, -odds * math.sqrt(3.0 / n * df / (df - 2.0)) / math.pi)


def scores(p: Any, w: Any, axis: Any) -> Any:
    """The mean of normal scores with weights, and how probable it is."""
    whole = -np.sum(w * sc.ndtri(p), axis=axis, keepdims=True)
    whole = whole / np.sqrt(np.sum(w * w, axis=axis, keepdims=True))
    return whole, sc.ndtr(-whole)


def power_divergence(
    f_obs: Any, f_exp: Any = None, ddof: Any = 0, axis: Any = 0, lambda_: Any = None, *,
    nan_policy: Any = "propagate", keepdims: Any = False,
) -> Any:  # fmt: skip
    """`scipy.stats.power_divergence`."""
    check("power_divergence", nan_policy, f_obs, f_exp)
    result = told("power_divergence", f_obs, f_exp, ddof, axis, lambda_, keepdims=keepdims)
    observed = floats(f_obs)
    expected = np.mean(observed, axis=axis, keepdims=True) if f_exp is None else floats(f_exp)
    terms = divergences(observed, expected, lambda_)
    whole = np.sum(terms, axis=axis, keepdims=True)
    p = sc.chdtrc(count(terms, axis) - 1 - ddof, whole)
    return as_pair(result, reduced(whole, axis, keepdims), reduced(p, axis, keepdims))


def divergences(observed: Any, expected: Any, power: Any) -> Any:
    """How far each count is from what is expected."""
    power = 1.0 if power is None else POWERS[power] if isinstance(power, str) else power
    if power == 1:
        return (observed - expected) ** 2 / expected
    if power == 0:
        return 2.0 * sc.xlogy(observed, observed / expected)
    if power == -1:
        return 2.0 * sc.xlogy(expected, expected / observed)
    return observed * ((observed / expected) ** power - 1) / (0.5 * power * (power + 1))


def chi2_contingency(
    observed: Any, correction: Any = True, lambda_: Any = None, *, method: Any = None
) -> Any:
    """`scipy.stats.chi2_contingency`."""
    check("chi2_contingency", "propagate", observed)
    check_plain("chi2_contingency", method)
    result = told("chi2_contingency", observed, correction, lambda_)
    table, df = floats(observed), result[2]
    expected = independent(table)
    if df == 0:
        return as_four(result, 0.0, 1.0, 0, expected)
    if df == 1 and correction:
        apart = expected - table
        table = table + np.where(np.abs(apart) < 0.5, apart, 0.5 * np.sign(apart))
    whole = np.sum(divergences(table, expected, lambda_))
    return as_four(result, whole, sc.chdtrc(df, whole), 0, expected)


def independent(table: Any) -> Any:
    """The counts that are expected with the sums of a table along each axis."""
    rank = np.ndim(table)
    found = np.ones((1,) * rank)
    for axis in range(rank):
        rest = tuple(one for one in range(rank) if one != axis)
        found = found * np.sum(table, axis=rest, keepdims=True)
    return found / np.sum(table) ** (rank - 1)
