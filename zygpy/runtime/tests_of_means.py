"""Correlation, regression and tests of means of `scipy.stats` as programs; loaded with SciPy alone.

The results are SciPy's own objects, of whose first fields the derivatives are those of what is computed here.
Source of the formulas: M. G. Kendall and A. Stuart, The Advanced Theory of Statistics, volume 2.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import scipy.special as sc
import scipy.stats as st

from zygpy.runtime.library_values import as_given
from zygpy.runtime.statistics_programs import (
    central,
    check,
    check_plain,
    count,
    excess,
    floats,
    over,
    reduced,
    skewness,
    told,
    variance,
)


def as_pair(result: Any, first: Any, second: Any) -> Any:
    """The result, of whose two fields the derivatives are those of what was computed."""
    return result


def as_object(result: Any, statistic: Any, pvalue: Any) -> Any:
    """The same of an object with two fields."""
    return copy.copy(result)


def field(fields: Any, name: str, like: Any) -> Any:
    """The part of an object's cotangent, a dict or `Record`, that belongs to a field."""
    known = {} if fields is None else fields if isinstance(fields, dict) else fields._asdict()
    value = known.get(name)
    return np.zeros(np.shape(like)) + (0.0 if value is None else value)


def of_field(name: str, value: Any) -> Any:
    """The cotangent of an object of which one field has one.

    >>> of_field("statistic", 2.0)
    {'statistic': 2.0}
    """
    return {name: value}


def as_line(result: Any, slope: Any, intercept: Any, rvalue: Any, pvalue: Any, stderr: Any) -> Any:
    """The same of a regression."""
    return result


def probability(t: Any, df: Any, alternative: Any) -> Any:
    """How probable Student's t is, or what is farther away."""
    if alternative == "less":
        return sc.stdtr(df, t)
    if alternative == "greater":
        return sc.stdtr(df, -t)
    return 2 * sc.stdtr(df, -np.abs(t))


def covariance(x: Any, y: Any, axis: Any) -> Any:
    """The mean product of the distances from the means, with an axis of length 1."""
    products = (x - np.mean(x, axis=axis, keepdims=True)) * (y - np.mean(y, axis=axis, keepdims=True))
    return np.mean(products, axis=axis, keepdims=True)


def correlation(x: Any, y: Any, axis: Any) -> Any:
    """Pearson's coefficient, with an axis of length 1."""
    return covariance(x, y, axis) / np.sqrt(central(x, 2, axis) * central(y, 2, axis))


TINY = 1e-300
"""What stands for 0 in a denominator, where all pairs lie on a line."""


def student(r: Any, n: Any) -> Any:
    """Student's t of a correlation of so many pairs."""
    return r * np.sqrt((n - 2) / np.maximum((1 - r) * (1 + r), TINY))


def pearsonr(x: Any, y: Any, *, alternative: Any = "two-sided", method: Any = None, axis: Any = 0) -> Any:
    """`scipy.stats.pearsonr`."""
    check("pearsonr", "propagate", x, y)
    check_plain("pearsonr", method)
    result = told("pearsonr", x, y, alternative=alternative, axis=axis)
    a, b = floats(x), floats(y)
    r = correlation(a, b, axis)
    n = count(a, axis)
    p = probability(student(r, n), n - 2, alternative)
    return as_pair(result, reduced(r, axis, False), reduced(p, axis, False))


def linregress(
    x: Any,
    y: Any,
    alternative: Any = "two-sided",
    *,
    axis: Any = 0,
    nan_policy: Any = "propagate",
    keepdims: Any = False,
) -> Any:
    """`scipy.stats.linregress`."""
    check("linregress", nan_policy, x, y)
    result = told("linregress", x, y, alternative, axis=axis, keepdims=keepdims)
    a, b = floats(x), floats(y)
    n = count(a, axis)
    slope = covariance(a, b, axis) / central(a, 2, axis)
    intercept = np.mean(b, axis=axis, keepdims=True) - slope * np.mean(a, axis=axis, keepdims=True)
    r = correlation(a, b, axis)
    p = probability(student(r, n), n - 2, alternative)
    error = np.sqrt((1 - r) * (1 + r) * central(b, 2, axis) / central(a, 2, axis) * over(1.0, n - 2))
    return as_line(
        result,
        reduced(slope, axis, keepdims),
        reduced(intercept, axis, keepdims),
        reduced(r, axis, keepdims),
        reduced(p, axis, keepdims),
        reduced(error, axis, keepdims),
    )


def ttest_1samp(
    a: Any,
    popmean: Any,
    axis: Any = 0,
    nan_policy: Any = "propagate",
    alternative: Any = "two-sided",
    *,
    keepdims: Any = False,
) -> Any:
    """`scipy.stats.ttest_1samp`."""
    check("ttest_1samp", nan_policy, a, popmean)
    result = told("ttest_1samp", a, popmean, axis, alternative=alternative, keepdims=keepdims)
    t, n = of_one_sample(floats(a) - popmean, axis)
    p = probability(t, n - 1, alternative)
    return as_pair(result, reduced(t, axis, keepdims), reduced(p, axis, keepdims))


def of_one_sample(a: Any, axis: Any) -> Any:
    """Student's t of a mean, and how many numbers it is of."""
    n = count(a, axis)
    return np.mean(a, axis=axis, keepdims=True) / np.sqrt(variance(a, axis, 1) * over(1.0, n)), n


def ttest_rel(
    a: Any,
    b: Any,
    axis: Any = 0,
    nan_policy: Any = "propagate",
    alternative: Any = "two-sided",
    *,
    keepdims: Any = False,
) -> Any:
    """`scipy.stats.ttest_rel`."""
    check("ttest_rel", nan_policy, a, b)
    result = told("ttest_rel", a, b, axis, alternative=alternative, keepdims=keepdims)
    t, n = of_one_sample(floats(a) - floats(b), axis)
    p = probability(t, n - 1, alternative)
    return as_pair(result, reduced(t, axis, keepdims), reduced(p, axis, keepdims))


def describe(a: Any, axis: Any = 0, ddof: Any = 1, bias: Any = True, nan_policy: Any = "propagate") -> Any:
    """`scipy.stats.describe`."""
    check("describe", nan_policy, a)
    result = told("describe", a, axis, ddof, bias)
    numbers = floats(a)
    return as_description(
        result,
        np.min(numbers, axis=axis),
        np.max(numbers, axis=axis),
        np.mean(numbers, axis=axis),
        reduced(variance(numbers, axis, ddof), axis, False),
        reduced(skewness(numbers, axis, bias), axis, False),
        reduced(excess(numbers, axis, bias), axis, False),
    )


def as_description(result: Any, low: Any, high: Any, mean: Any, spread: Any, skew: Any, kurtosis: Any) -> Any:
    """The same of a description."""
    return result


def jarque_bera(x: Any, *, axis: Any = None, nan_policy: Any = "propagate", keepdims: Any = False) -> Any:
    """`scipy.stats.jarque_bera`."""
    check("jarque_bera", nan_policy, x)
    result = told("jarque_bera", x, axis=axis, keepdims=keepdims)
    a = floats(x)
    whole = count(a, axis) / 6 * (skewness(a, axis, True) ** 2 + excess(a, axis, True) ** 2 / 4)
    p = np.exp(-whole / 2)
    return as_pair(result, reduced(whole, axis, keepdims), reduced(p, axis, keepdims))


def chisquare(
    f_obs: Any,
    f_exp: Any = None,
    ddof: Any = 0,
    axis: Any = 0,
    *,
    sum_check: Any = True,
    nan_policy: Any = "propagate",
    keepdims: Any = False,
) -> Any:
    """`scipy.stats.chisquare`."""
    check("chisquare", nan_policy, f_obs, f_exp)
    if sum_check:  # which older versions do not name, and do
        result = told("chisquare", f_obs, f_exp, ddof, axis, keepdims=keepdims)
    else:
        result = told("chisquare", f_obs, f_exp, ddof, axis, sum_check=sum_check, keepdims=keepdims)
    observed = floats(f_obs)
    expected = np.mean(observed, axis=axis, keepdims=True) if f_exp is None else floats(f_exp)
    terms = (observed - expected) ** 2 / expected
    whole = np.sum(terms, axis=axis, keepdims=True)
    p = sc.chdtrc(count(terms, axis) - 1 - ddof, whole)
    return as_pair(result, reduced(whole, axis, keepdims), reduced(p, axis, keepdims))


def pointbiserialr(
    x: Any, y: Any, *, axis: Any = 0, nan_policy: Any = "propagate", keepdims: Any = False
) -> Any:
    """`scipy.stats.pointbiserialr`, which is the correlation of Pearson."""
    check("pointbiserialr", nan_policy, x, y)
    result = told("pointbiserialr", x, y, axis=axis, keepdims=keepdims)
    a, b = floats(x), floats(y)
    r = correlation(a, b, axis)
    n = count(a, axis)
    p = probability(student(r, n), n - 2, "two-sided")
    return as_pair(result, reduced(r, axis, keepdims), reduced(p, axis, keepdims))


def energy_distance(u_values: Any, v_values: Any, u_weights: Any = None, v_weights: Any = None) -> Any:
    """`scipy.stats.energy_distance`."""
    check("energy_distance", "propagate", u_values, v_values)
    value = told("energy_distance", u_values, v_values, u_weights=u_weights, v_weights=v_weights)
    u, v = np.ravel(floats(u_values)), np.ravel(floats(v_values))
    together = np.sort(np.concatenate([u, v]))
    steps = together[1:] - together[:-1]
    apart = shares(u, u_weights, together) - shares(v, v_weights, together)
    return as_given(value, np.sqrt(2 * np.sum(apart**2 * steps)))


def shares(values: Any, weights: Any, together: Any) -> Any:
    """The empirical distribution function of some numbers between those of a larger sorted set."""
    before = np.searchsorted(np.sort(values), together[:-1], "right")
    if weights is None:
        return before / np.size(values)
    sums = np.concatenate([np.zeros(1), np.cumsum(np.ravel(floats(weights))[np.argsort(values)])])
    return sums[before] / sums[-1]


def dirichlet_logpdf(x: Any, alpha: Any) -> Any:
    """`scipy.stats.dirichlet.logpdf`."""
    check("dirichlet.logpdf", "propagate", x, alpha)
    value = told_by("logpdf", x, alpha)
    return as_given(value, dirichlet_density(floats(x), floats(alpha)))


def dirichlet_pdf(x: Any, alpha: Any) -> Any:
    """`scipy.stats.dirichlet.pdf`."""
    check("dirichlet.pdf", "propagate", x, alpha)
    value = told_by("pdf", x, alpha)
    return as_given(value, np.exp(dirichlet_density(floats(x), floats(alpha))))


def told_by(name: str, x: Any, alpha: Any) -> Any:
    """What a method of SciPy's gives."""
    return getattr(st.dirichlet, name)(x, alpha)


def dirichlet_density(x: Any, alpha: Any) -> Any:
    """The logarithm of the density; the last number may be left out."""
    if np.shape(x)[0] == np.size(alpha) - 1:
        x = np.concatenate([x, 1.0 - np.sum(x, axis=0, keepdims=True)])
    terms = np.sum(np.transpose(sc.xlogy(alpha - 1, np.transpose(x))), axis=0)
    return terms + sc.gammaln(np.sum(alpha)) - np.sum(sc.gammaln(alpha))
