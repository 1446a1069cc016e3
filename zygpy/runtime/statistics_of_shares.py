"""Statistics of angles, entropies and transformations of `scipy.stats` as programs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.special as sc

from zygpy.runtime.library_values import as_given
from zygpy.runtime.statistics_programs import (
    central,
    check,
    check_number,
    count,
    floats,
    reduced,
    told,
)

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
    check_number("circmean", high, low)
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
    check_number("circvar", high, low)
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
    check_number("circstd", high, low)
    value = told("circstd", samples, high, low, axis, normalize=normalize, keepdims=keepdims)
    sines, cosines = resultant(samples, high, low, axis)
    length = np.hypot(sines, cosines)
    apart = length < 1  # at 0 the root has no derivative: it is 0 there
    whole = np.where(apart, np.sqrt(-2 * np.log(np.where(apart, length, 0.5))), 0.0 * length)
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
