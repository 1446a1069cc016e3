"""Quantiles, trimmed statistics and those within limits of `scipy.stats` as programs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.special as sc

from zygpy.runtime.library_values import as_given
from zygpy.runtime.statistics_programs import (
    check,
    check_number,
    check_plain,
    floats,
    not_known,
    reduced,
    told,
)

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
    numbers = one_or_more(floats(x), axis)
    whole = np.percentile(numbers, high, axis=axis, method=interpolation, keepdims=keepdims)
    whole = whole - np.percentile(numbers, low, axis=axis, method=interpolation, keepdims=keepdims)
    return as_given(value, whole / (in_units(scale) if isinstance(scale, str) else scale))


def one_or_more(a: Any, axis: Any) -> Any:
    """The numbers, or NaN where there are none, as SciPy has it."""
    return a if np.size(a) > 0 else np.sum(a, axis=axis, keepdims=True) * np.nan


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
    """`scipy.stats.quantile` for probabilities that are the same ones in all rows."""
    check("quantile", nan_policy, x)
    check_plain("quantile", weights)
    check_along("quantile", x, p, axis)
    check_method("quantile", method)
    value = told("quantile", x, p, method=method, axis=axis, keepdims=keepdims)
    whole = np.quantile(one_or_more(floats(x), axis), np.reshape(p, (-1,)), axis=axis, method=method)
    along = 0 if axis is None else axis
    return as_given(value, np.reshape(np.moveaxis(whole, 0, along), np.shape(value)))


def check_along(name: str, x: Any, p: Any, axis: Any) -> None:
    """Raise MissingRuleError for several probabilities that do not lie along the axis of a sample."""
    if axis is None or np.ndim(p) == 0:
        return
    lengths = [1] * (np.ndim(x) - np.ndim(p)) + list(np.shape(p))
    if np.ndim(p) > np.ndim(x) or math.prod(lengths) != lengths[axis]:
        raise not_known(name, "a probability for each row is not followed", "call it for each of them")


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
    numbers = one_or_more(np.where(mask, floats(a), np.inf), axis)
    return as_given(value, np.min(numbers, axis=axis, keepdims=keepdims))


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
    numbers = one_or_more(np.where(mask, floats(a), -np.inf), axis)
    return as_given(value, np.max(numbers, axis=axis, keepdims=keepdims))
