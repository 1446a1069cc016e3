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
import scipy.special as sc
import scipy.stats as st

from zygpy.errors import MissingRuleError


def told(name: str, *args: Any, **keywords: Any) -> Any:
    """What SciPy's function gives; an older one may not know a keyword, which has its default value then."""
    known = parameters(name)
    given = {key: value for key, value in keywords.items() if key in known or value}
    return getattr(st, name)(*args, **given)


@functools.cache
def parameters(name: str) -> frozenset[str]:
    """The names of a function's parameters."""
    return frozenset(inspect.signature(getattr(st, name)).parameters)


def as_given(value: Any, computed: Any) -> Any:
    """The value, whose derivative is that of what was computed."""
    return np.array(value)[()]


def check(name: str, nan_policy: Any, *given: Any) -> None:
    """Raise MissingRuleError for another way with NaN than to hand it on, and for complex numbers."""
    if nan_policy != "propagate":
        raise not_known(name, "'nan_policy' is not followed", "leave NaN out before")
    if any(np.iscomplexobj(one) for one in given):
        raise not_known(name, "it is a statistic of real numbers", "give it real numbers")


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
    """An array of floats."""
    return np.asarray(a) * 1.0


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
    check_number("moment", order)
    value = told("moment", a, order, axis, center=center, keepdims=keepdims)
    numbers = floats(a)
    if center is None:
        whole = (
            central(numbers, order, axis) if order != 1 else 0.0 * np.mean(numbers, axis=axis, keepdims=True)
        )
    else:
        whole = np.mean((numbers - center) ** order, axis=axis, keepdims=True)
    return as_given(value, reduced(whole, axis, keepdims))


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


# Quantiles and what is trimmed.


def iqr(
    x: Any,
    axis: Any = None,
    rng: Any = None,
    scale: Any = 1.0,
    nan_policy: Any = "propagate",
    interpolation: Any = "linear",
    keepdims: Any = False,
) -> Any:
    """`scipy.stats.iqr`."""
    check("iqr", nan_policy, x)
    low, high = ends(rng)
    value = told("iqr", x, axis, (low, high), scale, interpolation=interpolation, keepdims=keepdims)
    numbers = floats(x)
    whole = np.percentile(numbers, high, axis=axis, method=interpolation, keepdims=keepdims)
    whole = whole - np.percentile(numbers, low, axis=axis, method=interpolation, keepdims=keepdims)
    return as_given(value, whole / (in_units(scale) if isinstance(scale, str) else scale))


def ends(rng: Any) -> Any:
    """The percentages between which a range is, the smaller one first; the quartiles if none are given."""
    low, high = (25, 75) if rng is None else sorted(rng)
    return low, high


def in_units(scale: str) -> float:
    """The distance between the quartiles of a normal distribution in standard deviations."""
    return 2 * math.sqrt(2) * float(sc.erfinv(0.5))


def median_abs_deviation(
    x: Any,
    axis: Any = 0,
    center: Any = None,
    scale: Any = 1.0,
    nan_policy: Any = "propagate",
    *,
    keepdims: Any = False,
) -> Any:
    """`scipy.stats.median_abs_deviation` from the median."""
    check("median_abs_deviation", nan_policy, x)
    check_plain("median_abs_deviation", None if center is np.median else center)
    value = told("median_abs_deviation", x, axis, scale=scale, keepdims=keepdims)
    numbers = floats(x)
    distances = np.abs(numbers - np.median(numbers, axis=axis, keepdims=True))
    whole = np.median(distances, axis=axis, keepdims=keepdims)
    return as_given(value, whole / (in_units(scale) / 2 if isinstance(scale, str) else scale))


def quantile(
    x: Any,
    p: Any,
    *,
    method: Any = "linear",
    axis: Any = 0,
    nan_policy: Any = "propagate",
    keepdims: Any = None,
    weights: Any = None,
) -> Any:
    """`scipy.stats.quantile` for one probability."""
    check("quantile", nan_policy, x)
    check_plain("quantile", weights)
    check_number("quantile", p)
    check_method("quantile", method)
    value = told("quantile", x, p, method=method, axis=axis, keepdims=keepdims)
    whole = np.quantile(floats(x), p, axis=axis, method=method, keepdims=bool(keepdims))
    return as_given(value, whole)


def check_method(name: str, method: Any) -> None:
    """Raise MissingRuleError for a method that NumPy does not have."""
    if method == "harrell-davis" or str(method).startswith("round_"):
        raise not_known(name, "this 'method' is not followed", "take another one")


def scoreatpercentile(
    a: Any, per: Any, limit: Any = None, interpolation_method: Any = "fraction", axis: Any = None
) -> Any:
    """`scipy.stats.scoreatpercentile` for one percentage."""
    check("scoreatpercentile", "propagate", a)
    check_plain("scoreatpercentile", limit or None)
    check_number("scoreatpercentile", per)
    value = told("scoreatpercentile", a, per, (), interpolation_method, axis)
    method = {"fraction": "linear"}.get(interpolation_method, interpolation_method)
    return as_given(value, np.percentile(floats(a), per, axis=axis, method=method))


def trim_mean(
    a: Any, proportiontocut: Any, axis: Any = 0, *, nan_policy: Any = "propagate", keepdims: Any = False
) -> Any:
    """`scipy.stats.trim_mean`."""
    check("trim_mean", nan_policy, a)
    value = told("trim_mean", a, proportiontocut, axis, keepdims=keepdims)
    numbers = np.reshape(floats(a), (-1,)) if axis is None else floats(a)
    along = 0 if axis is None else axis
    left = kept(np.shape(numbers)[along], proportiontocut)
    whole = np.mean(np.take(np.sort(numbers, axis=along), left, axis=along), axis=along, keepdims=True)
    return as_given(value, np.reshape(whole, np.shape(value)))


def kept(size: int, share: Any) -> Any:
    """The places that are left of sorted numbers where a share of them is cut off at both ends."""
    cut = int(share * size)
    return np.arange(cut, size - cut)


# Within limits.


def both(inclusive: Any) -> Any:
    """Whether the limits belong to what is between them; both do if nothing is said."""
    return (True, True) if inclusive is None else inclusive


def inside(a: Any, limits: Any, inclusive: Any) -> Any:
    """Which of the numbers are between the limits, either of which may be None."""
    array = np.asarray(a)
    mask = np.ones(array.shape, bool)
    low, high = (None, None) if limits is None else limits
    if low is not None:
        mask &= array >= low if inclusive[0] else array > low
    if high is not None:
        mask &= array <= high if inclusive[1] else array < high
    return mask


def tmean(
    a: Any,
    limits: Any = None,
    inclusive: Any = None,
    axis: Any = None,
    *,
    nan_policy: Any = "propagate",
    keepdims: Any = False,
) -> Any:
    """`scipy.stats.tmean`."""
    check("tmean", nan_policy, a)
    value = told("tmean", a, limits, both(inclusive), axis, keepdims=keepdims)
    return as_given(
        value, reduced(mean_of(floats(a), inside(a, limits, both(inclusive)), axis), axis, keepdims)
    )


def mean_of(a: Any, mask: Any, axis: Any) -> Any:
    """The mean of the numbers that are not masked out, with axes of length 1."""
    total = np.sum(np.where(mask, a, 0.0), axis=axis, keepdims=True)
    return total / np.sum(mask, axis=axis, keepdims=True)


def variance_of(a: Any, mask: Any, axis: Any, ddof: Any) -> Any:
    """The variance of the numbers that are not masked out, with axes of length 1."""
    squares = np.where(mask, a - mean_of(a, mask, axis), 0.0) ** 2
    total = np.sum(squares, axis=axis, keepdims=True)
    return total / (np.sum(mask, axis=axis, keepdims=True) - ddof)


def tvar(
    a: Any,
    limits: Any = None,
    inclusive: Any = None,
    axis: Any = 0,
    ddof: Any = 1,
    *,
    nan_policy: Any = "propagate",
    keepdims: Any = False,
) -> Any:
    """`scipy.stats.tvar`."""
    check("tvar", nan_policy, a)
    value = told("tvar", a, limits, both(inclusive), axis, ddof, keepdims=keepdims)
    whole = variance_of(floats(a), inside(a, limits, both(inclusive)), axis, ddof)
    return as_given(value, reduced(whole, axis, keepdims))


def tstd(
    a: Any,
    limits: Any = None,
    inclusive: Any = None,
    axis: Any = 0,
    ddof: Any = 1,
    *,
    nan_policy: Any = "propagate",
    keepdims: Any = False,
) -> Any:
    """`scipy.stats.tstd`."""
    check("tstd", nan_policy, a)
    value = told("tstd", a, limits, both(inclusive), axis, ddof, keepdims=keepdims)
    whole = np.sqrt(variance_of(floats(a), inside(a, limits, both(inclusive)), axis, ddof))
    return as_given(value, reduced(whole, axis, keepdims))


def tsem(
    a: Any,
    limits: Any = None,
    inclusive: Any = None,
    axis: Any = 0,
    ddof: Any = 1,
    *,
    nan_policy: Any = "propagate",
    keepdims: Any = False,
) -> Any:
    """`scipy.stats.tsem`."""
    check("tsem", nan_policy, a)
    value = told("tsem", a, limits, both(inclusive), axis, ddof, keepdims=keepdims)
    mask = inside(a, limits, both(inclusive))
    whole = variance_of(floats(a), mask, axis, ddof) / np.sum(mask, axis=axis, keepdims=True)
    return as_given(value, reduced(np.sqrt(whole), axis, keepdims))


def tmin(
    a: Any,
    lowerlimit: Any = None,
    axis: Any = 0,
    inclusive: Any = True,
    nan_policy: Any = "propagate",
    *,
    keepdims: Any = False,
) -> Any:
    """`scipy.stats.tmin`."""
    check("tmin", nan_policy, a)
    value = told("tmin", a, lowerlimit, axis, inclusive, keepdims=keepdims)
    mask = inside(a, (lowerlimit, None), (inclusive, True))
    return as_given(value, np.min(np.where(mask, floats(a), np.inf), axis=axis, keepdims=keepdims))


def tmax(
    a: Any,
    upperlimit: Any = None,
    axis: Any = 0,
    inclusive: Any = True,
    nan_policy: Any = "propagate",
    *,
    keepdims: Any = False,
) -> Any:
    """`scipy.stats.tmax`."""
    check("tmax", nan_policy, a)
    value = told("tmax", a, upperlimit, axis, inclusive, keepdims=keepdims)
    mask = inside(a, (None, upperlimit), (True, inclusive))
    return as_given(value, np.max(np.where(mask, floats(a), -np.inf), axis=axis, keepdims=keepdims))


# Of angles.


def resultant(samples: Any, high: Any, low: Any, axis: Any) -> Any:
    """The means of the sines and of the cosines, with axes of length 1."""
    angles = (floats(samples) - low) * (2 * math.pi / (high - low))
    sines = np.mean(np.sin(angles), axis=axis, keepdims=True)
    return sines, np.mean(np.cos(angles), axis=axis, keepdims=True)


def circmean(
    samples: Any,
    high: Any = 2 * math.pi,
    low: Any = 0,
    axis: Any = None,
    nan_policy: Any = "propagate",
    *,
    keepdims: Any = False,
) -> Any:
    """`scipy.stats.circmean`."""
    check("circmean", nan_policy, samples)
    value = told("circmean", samples, high, low, axis, keepdims=keepdims)
    sines, cosines = resultant(samples, high, low, axis)
    angle = np.arctan2(sines, cosines) / (2 * math.pi)
    whole = reduced((angle + turns(angle)) * (high - low) + low, axis, keepdims)
    return as_given(value, whole)


def turns(angle: Any) -> Any:
    """How many turns bring an angle, in turns, to between 0 and 1."""
    return -np.floor(angle)


def circvar(
    samples: Any,
    high: Any = 2 * math.pi,
    low: Any = 0,
    axis: Any = None,
    nan_policy: Any = "propagate",
    *,
    keepdims: Any = False,
) -> Any:
    """`scipy.stats.circvar`."""
    check("circvar", nan_policy, samples)
    value = told("circvar", samples, high, low, axis, keepdims=keepdims)
    sines, cosines = resultant(samples, high, low, axis)
    return as_given(value, reduced(1.0 - np.hypot(sines, cosines), axis, keepdims))


def circstd(
    samples: Any,
    high: Any = 2 * math.pi,
    low: Any = 0,
    axis: Any = None,
    nan_policy: Any = "propagate",
    *,
    normalize: Any = False,
    keepdims: Any = False,
) -> Any:
    """`scipy.stats.circstd`."""
    check("circstd", nan_policy, samples)
    value = told("circstd", samples, high, low, axis, normalize=normalize, keepdims=keepdims)
    sines, cosines = resultant(samples, high, low, axis)
    whole = np.sqrt(-2 * np.log(np.hypot(sines, cosines)))
    whole = whole if normalize else whole * ((high - low) / (2 * math.pi))
    return as_given(value, reduced(whole, axis, keepdims))


# Entropy, expectiles and transformations.


def entropy(
    pk: Any,
    qk: Any = None,
    base: Any = None,
    axis: Any = 0,
    *,
    nan_policy: Any = "propagate",
    keepdims: Any = False,
) -> Any:
    """`scipy.stats.entropy`, also relative to other probabilities."""
    check("entropy", nan_policy, pk, qk)
    value = told("entropy", pk, qk, base, axis, keepdims=keepdims)
    if qk is None:
        a = floats(pk)
        whole = np.sum(sc.entr(a), axis=axis, keepdims=True) / total(a, axis) + np.log(total(a, axis))
    else:
        a, b = pk + np.zeros_like(floats(qk)), qk + np.zeros_like(floats(pk))
        whole = np.sum(sc.rel_entr(a, b), axis=axis, keepdims=True) / total(a, axis)
        whole = whole + np.log(total(b, axis)) - np.log(total(a, axis))
    whole = reduced(whole, axis, keepdims)
    return as_given(value, whole if base is None else whole / np.log(base))


def total(a: Any, axis: Any) -> Any:
    """The sum, with axes of length 1."""
    return np.sum(a, axis=axis, keepdims=True)


def expectile(a: Any, alpha: Any = 0.5, *, weights: Any = None) -> Any:
    """`scipy.stats.expectile`: the mean with other weights above it than below it."""
    check("expectile", "propagate", a, weights)
    value = told("expectile", a, alpha, weights=weights)
    numbers = floats(a)
    shares = np.where(np.asarray(a) > value, alpha, 1.0 - alpha)
    shares = shares if weights is None else shares * weights
    return as_given(value, np.sum(shares * numbers) / np.sum(shares))


def boxcox(x: Any, lmbda: Any = None, alpha: Any = None, optimizer: Any = None) -> Any:
    """`scipy.stats.boxcox` with a given parameter."""
    check_number("boxcox", lmbda)
    check_plain("boxcox", alpha)
    return as_given(told("boxcox", x, lmbda), sc.boxcox(floats(x), lmbda))


def boxcox_llf(
    lmb: Any, data: Any, *, axis: Any = 0, keepdims: Any = False, nan_policy: Any = "propagate"
) -> Any:
    """`scipy.stats.boxcox_llf`."""
    check("boxcox_llf", nan_policy, lmb, data)
    check_number("boxcox_llf", lmb)
    value = told("boxcox_llf", lmb, data, axis=axis, keepdims=keepdims)
    numbers = floats(data)
    spread = np.log(central(sc.boxcox(numbers, lmb), 2, axis)) * (count(numbers, axis) / 2)
    whole = (lmb - 1) * np.sum(np.log(numbers), axis=axis, keepdims=True) - spread
    return as_given(value, reduced(whole, axis, keepdims))


def signed_boxcox(x: Any, lmbda: Any) -> Any:
    """Yeo and Johnson's transformation."""
    up = sc.boxcox1p(np.where(np.asarray(x) >= 0, x, 0.0), lmbda)
    down = -sc.boxcox1p(np.where(np.asarray(x) >= 0, 0.0, -x), 2.0 - lmbda)
    return np.where(np.asarray(x) >= 0, up, down)


def yeojohnson(x: Any, lmbda: Any = None) -> Any:
    """`scipy.stats.yeojohnson` with a given parameter."""
    check("yeojohnson", "propagate", x, lmbda)
    check_number("yeojohnson", lmbda)
    return as_given(told("yeojohnson", x, lmbda), signed_boxcox(floats(x), lmbda))


def yeojohnson_llf(
    lmb: Any, data: Any, *, axis: Any = 0, nan_policy: Any = "propagate", keepdims: Any = False
) -> Any:
    """`scipy.stats.yeojohnson_llf`."""
    check("yeojohnson_llf", nan_policy, lmb, data)
    check_number("yeojohnson_llf", lmb)
    value = told("yeojohnson_llf", lmb, data, axis=axis, keepdims=keepdims)
    numbers = floats(data)
    spread = np.log(central(signed_boxcox(numbers, lmb), 2, axis)) * (count(numbers, axis) / 2)
    logarithms = np.sign(np.asarray(data)) * np.log1p(np.abs(numbers))
    whole = (lmb - 1) * np.sum(logarithms, axis=axis, keepdims=True) - spread
    return as_given(value, reduced(whole, axis, keepdims))
