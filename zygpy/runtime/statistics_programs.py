"""Statistics of samples of `scipy.stats` as programs that are differentiated; loaded with SciPy alone.

The value is SciPy's own, to the last digit: each program has SciPy compute it, and computes it once more in
plain operations, through which the derivative goes. Default values that are tuples are None here.
"""

from __future__ import annotations

import functools
import inspect
import math
from typing import Any

import numpy as np
import scipy.stats as st

from zygpy.errors import MissingRuleError
from zygpy.runtime.library_values import as_given


def told(name: str, *args: Any, **keywords: Any) -> Any:
    """What SciPy's function gives; an older one may not know a keyword, which has its default value then."""
    known = parameters(name)
    given = {key: value for key, value in keywords.items() if key in known or value}
    return getattr(st, name)(*args, **given)


@functools.cache
def parameters(name: str) -> frozenset[str]:
    """The names of a function's parameters."""
    return frozenset(inspect.signature(getattr(st, name)).parameters)


def check(name: str, nan_policy: Any, *given: Any) -> None:
    """Raise MissingRuleError for NaN that is not handed on, and for complex numbers."""
    if nan_policy != "propagate" and not (nan_policy in ("omit", "raise") and without_nan(given)):
        raise not_known(name, "'nan_policy' is not followed", "leave NaN out before")
    if any(np.iscomplexobj(one) for one in given):
        raise not_known(name, "it is a statistic of real numbers", "give it real numbers")


def without_nan(samples: Any) -> bool:
    """Whether there are samples without NaN: then it does not matter what is done with NaN.

    >>> without_nan(([1.0, 2.0], None)), without_nan(([1.0, np.nan],)), without_nan(())
    (True, False, False)
    """
    told_of = [one for one in samples if one is not None]
    return bool(told_of) and not any(np.any(np.isnan(np.asarray(one, dtype=float))) for one in told_of)


def check_plain(name: str, *given: Any) -> None:
    """Raise MissingRuleError where one of these options is used."""
    if not all(one is None for one in given):
        raise not_known(name, "not all of its options are followed", "leave them out")


def check_number(name: str, *given: Any) -> None:
    """Raise MissingRuleError where one of these is an array."""
    if any(one is None or np.ndim(one) != 0 for one in given):
        raise not_known(name, "several parameters at once are not followed", "call it for each of them")


def not_known(name: str, why: str, instead: str) -> MissingRuleError:
    return MissingRuleError(f"'scipy.stats.{name}' has no rule for this call.", why=why, instead=instead)


def floats(a: Any) -> Any:
    """An array of floats, which has an axis: SciPy takes a number for a sample of one."""
    return np.atleast_1d(np.asarray(a) * 1.0)


def reduced(whole: Any, axis: Any, keepdims: Any) -> Any:
    """A result with axes of length 1, without these unless they are to be kept."""
    return np.mean(whole, axis=axis, keepdims=keepdims)


def central(a: Any, order: Any, axis: Any) -> Any:
    """The mean of a power of the distances from the mean."""
    return np.mean((a - np.mean(a, axis=axis, keepdims=True)) ** order, axis=axis, keepdims=True)


def count(a: Any, axis: Any) -> Any:
    """How many numbers are reduced to one."""
    return np.size(a) / max(1, np.size(np.sum(np.zeros(np.shape(a)), axis=axis)))


def over(a: float, b: float) -> float:
    """The quotient of two counts, of which the second may be 0."""
    with np.errstate(all="ignore"):
        return float(np.divide(a, b))


# Means.


def gmean(
    a: Any,
    axis: Any = 0,
    dtype: Any = None,
    weights: Any = None,
    *,
    nan_policy: Any = "propagate",
    keepdims: Any = False,
) -> Any:
    """`scipy.stats.gmean`."""
    check("gmean", nan_policy, a, weights)
    check_plain("gmean", dtype)
    value = told("gmean", a, axis, weights=weights, keepdims=keepdims)
    return as_given(value, np.exp(weighted(np.log(floats(a)), weights, axis, keepdims)))


def hmean(
    a: Any,
    axis: Any = 0,
    dtype: Any = None,
    *,
    weights: Any = None,
    nan_policy: Any = "propagate",
    keepdims: Any = False,
) -> Any:
    """`scipy.stats.hmean`."""
    check("hmean", nan_policy, a, weights)
    check_plain("hmean", dtype)
    value = told("hmean", a, axis, weights=weights, keepdims=keepdims)
    return as_given(value, 1.0 / weighted(1.0 / floats(a), weights, axis, keepdims))


def pmean(
    a: Any,
    p: Any,
    *,
    axis: Any = 0,
    dtype: Any = None,
    weights: Any = None,
    nan_policy: Any = "propagate",
    keepdims: Any = False,
) -> Any:
    """`scipy.stats.pmean`, whose power is not 0 where there is a derivative by it."""
    check("pmean", nan_policy, a, weights)
    check_plain("pmean", dtype)
    value = told("pmean", a, p, axis=axis, weights=weights, keepdims=keepdims)
    if p == 0:
        logarithms = weighted(np.log(floats(a)), weights, axis, keepdims)
        return as_given(value, np.exp(logarithms) + at_zero(p))
    return as_given(value, weighted(floats(a) ** p, weights, axis, keepdims) ** (1.0 / p))


def at_zero(power: Any) -> Any:
    """The power 0, by which the derivative of a mean has another form."""
    return power


def weighted(a: Any, weights: Any, axis: Any, keepdims: Any) -> Any:
    """The mean, or the weighted one; weights are broadcast."""
    if weights is None:
        return np.mean(a, axis=axis, keepdims=keepdims)
    shares = weights + np.zeros_like(a)
    whole = np.sum(shares * a, axis=axis, keepdims=keepdims)
    return whole / np.sum(shares + np.zeros_like(a), axis=axis, keepdims=keepdims)


# Moments.


def moment(
    a: Any,
    order: Any = 1,
    axis: Any = 0,
    nan_policy: Any = "propagate",
    *,
    center: Any = None,
    keepdims: Any = False,
) -> Any:
    """`scipy.stats.moment`."""
    check("moment", nan_policy, a, center)
    value = told("moment", a, order, axis, center=center, keepdims=keepdims)
    numbers = floats(a)
    if np.ndim(order) == 0:
        return as_given(value, reduced(around(numbers, order, axis, center), axis, keepdims))
    each = [reduced(around(numbers, one, axis, center), axis, keepdims) for one in np.asarray(order).tolist()]
    return as_given(value, np.stack(each))


def around(numbers: Any, order: Any, axis: Any, center: Any) -> Any:
    """A moment around a center, the mean if there is none, with axes of length 1."""
    if center is not None:
        return np.mean((numbers - center) ** order, axis=axis, keepdims=True)
    if order == 1:
        return 0.0 * np.mean(numbers, axis=axis, keepdims=True)
    return central(numbers, order, axis)


def skewness(a: Any, axis: Any, bias: Any) -> Any:
    """The third standardised moment, with axes of length 1."""
    whole = central(a, 3, axis) / central(a, 2, axis) ** 1.5
    n = count(a, axis)
    return whole if bias or n <= 2 else whole * (math.sqrt((n - 1) * n) / (n - 2))


def skew(
    a: Any, axis: Any = 0, bias: Any = True, nan_policy: Any = "propagate", *, keepdims: Any = False
) -> Any:
    """`scipy.stats.skew`."""
    check("skew", nan_policy, a)
    value = told("skew", a, axis, bias, keepdims=keepdims)
    return as_given(value, reduced(skewness(floats(a), axis, bias), axis, keepdims))


def excess(a: Any, axis: Any, bias: Any) -> Any:
    """The fourth standardised moment less that of a normal distribution, with axes of length 1."""
    whole = central(a, 4, axis) / central(a, 2, axis) ** 2
    n = count(a, axis)
    if bias or n <= 3:
        return whole - 3
    return ((n * n - 1) * whole - 3 * (n - 1) ** 2) / ((n - 2) * (n - 3))


def kurtosis(
    a: Any,
    axis: Any = 0,
    fisher: Any = True,
    bias: Any = True,
    nan_policy: Any = "propagate",
    *,
    keepdims: Any = False,
) -> Any:
    """`scipy.stats.kurtosis`."""
    check("kurtosis", nan_policy, a)
    value = told("kurtosis", a, axis, fisher, bias, keepdims=keepdims)
    return as_given(value, reduced(excess(floats(a), axis, bias), axis, keepdims))


def variance(a: Any, axis: Any, ddof: Any) -> Any:
    """The variance, with axes of length 1."""
    n = count(a, axis)
    return central(a, 2, axis) * over(n, n - ddof)


def variation(
    a: Any, axis: Any = 0, nan_policy: Any = "propagate", ddof: Any = 0, *, keepdims: Any = False
) -> Any:
    """`scipy.stats.variation`."""
    check("variation", nan_policy, a)
    value = told("variation", a, axis, ddof=ddof, keepdims=keepdims)
    numbers = floats(a)
    whole = np.sqrt(variance(numbers, axis, ddof)) / np.mean(numbers, axis=axis, keepdims=True)
    return as_given(value, reduced(whole, axis, keepdims))


def sem(a: Any, axis: Any = 0, ddof: Any = 1, nan_policy: Any = "propagate", *, keepdims: Any = False) -> Any:
    """`scipy.stats.sem`."""
    check("sem", nan_policy, a)
    value = told("sem", a, axis, ddof, keepdims=keepdims)
    numbers = floats(a)
    whole = np.sqrt(variance(numbers, axis, ddof) / count(numbers, axis))
    return as_given(value, reduced(whole, axis, keepdims))


def gstd(
    a: Any, axis: Any = 0, ddof: Any = 1, *, keepdims: Any = False, nan_policy: Any = "propagate"
) -> Any:
    """`scipy.stats.gstd`."""
    check("gstd", nan_policy, a)
    value = told("gstd", a, axis, ddof, keepdims=keepdims)
    whole = np.exp(np.sqrt(variance(np.log(floats(a)), axis, ddof)))
    return as_given(value, reduced(whole, axis, keepdims))


def kstat(
    data: Any, n: Any = 2, *, axis: Any = None, nan_policy: Any = "propagate", keepdims: Any = False
) -> Any:
    """`scipy.stats.kstat`."""
    check("kstat", nan_policy, data)
    value = told("kstat", data, n, axis=axis, keepdims=keepdims)
    return as_given(value, reduced(cumulant(floats(data), n, axis), axis, keepdims))


def cumulant(a: Any, order: Any, axis: Any) -> Any:
    """The unbiased estimate of a cumulant (Kendall and Stuart, The Advanced Theory of Statistics)."""
    n = count(a, axis)
    if order == 1:
        return np.mean(a, axis=axis, keepdims=True)
    if order == 2:
        return variance(a, axis, 1)
    if order == 3:
        return central(a, 3, axis) * over(n * n, (n - 1) * (n - 2))
    whole = (n + 1) * central(a, 4, axis) - 3 * (n - 1) * central(a, 2, axis) ** 2
    return whole * over(n * n, (n - 1) * (n - 2) * (n - 3))


def kstatvar(
    data: Any, n: Any = 2, *, axis: Any = None, nan_policy: Any = "propagate", keepdims: Any = False
) -> Any:
    """`scipy.stats.kstatvar`."""
    check("kstatvar", nan_policy, data)
    value = told("kstatvar", data, n, axis=axis, keepdims=keepdims)
    a = floats(data)
    size = count(a, axis)
    if n == 1:
        whole = cumulant(a, 2, axis) / size
    else:
        whole = 2 * size * cumulant(a, 2, axis) ** 2 + (size - 1) * cumulant(a, 4, axis)
        whole = whole / (size * (size + 1))
    return as_given(value, reduced(whole, axis, keepdims))


# Scores.


def zscore(a: Any, axis: Any = 0, ddof: Any = 0, nan_policy: Any = "propagate") -> Any:
    """`scipy.stats.zscore`."""
    check("zscore", nan_policy, a)
    value = told("zscore", a, axis, ddof)
    return as_given(value, scores(floats(a), floats(a), axis, ddof))


def zmap(scores_: Any, compare: Any, axis: Any = 0, ddof: Any = 0, nan_policy: Any = "propagate") -> Any:
    """`scipy.stats.zmap`."""
    check("zmap", nan_policy, scores_, compare)
    value = told("zmap", scores_, compare, axis, ddof)
    return as_given(value, scores(floats(scores_), floats(compare), axis, ddof))


def gzscore(a: Any, *, axis: Any = 0, ddof: Any = 0, nan_policy: Any = "propagate") -> Any:
    """`scipy.stats.gzscore`."""
    check("gzscore", nan_policy, a)
    value = told("gzscore", a, axis=axis, ddof=ddof)
    return as_given(value, scores(np.log(floats(a)), np.log(floats(a)), axis, ddof))


def scores(a: Any, compare: Any, axis: Any, ddof: Any) -> Any:
    """Distances from the mean in standard deviations."""
    return (a - np.mean(compare, axis=axis, keepdims=True)) / np.sqrt(variance(compare, axis, ddof))
