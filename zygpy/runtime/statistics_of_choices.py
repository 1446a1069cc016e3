"""Statistics of `scipy.stats` that choose some of the numbers, as programs; loaded with SciPy alone.

Which numbers are chosen is found by SciPy, or as SciPy does it, and counts as constant; of equal numbers one
is chosen. Source of the formulas: P. K. Sen (Journal of the American Statistical Association 63, 1968);
A. F. Siegel (Biometrika 69, 1982); Y. Benjamini, D. Yekutieli (Annals of Statistics 29, 2001).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.runtime.library_values import as_given
from zygpy.runtime.statistics_programs import check, check_plain, floats, told
from zygpy.runtime.tests_of_means import as_pair


def as_three(result: Any, first: Any, second: Any, third: Any) -> Any:
    """The result, of whose three fields the derivatives are those of what was computed."""
    return result


def as_four(result: Any, first: Any, second: Any, third: Any, fourth: Any) -> Any:
    """The same of four fields."""
    return result


# What is trimmed.


def trimboth(a: Any, proportiontocut: Any, axis: Any = 0) -> Any:
    """`scipy.stats.trimboth`."""
    check("trimboth", "propagate", a)
    value = told("trimboth", a, proportiontocut, axis)
    return trimmed(value, a, axis, int(proportiontocut * along(a, axis)))


def trim1(a: Any, proportiontocut: Any, tail: Any = "right", axis: Any = 0) -> Any:
    """`scipy.stats.trim1`."""
    check("trim1", "propagate", a)
    value = told("trim1", a, proportiontocut, tail, axis)
    if isinstance(value, list):  # where nothing is left
        return value
    return trimmed(value, a, axis, int(proportiontocut * along(a, axis)) if tail.lower() == "left" else 0)


def along(a: Any, axis: Any) -> int:
    """How many numbers there are along an axis, or in all."""
    return int(np.size(a) if axis is None else np.shape(a)[axis])


def trimmed(value: Any, a: Any, axis: Any, cut: int) -> Any:
    """The value, in whose order stand the sorted numbers from this one on."""
    x, line = (np.ravel(floats(a)), 0) if axis is None else (floats(a), axis)
    left = np.take(np.sort(x, axis=line), np.arange(cut, cut + np.shape(value)[line]), axis=line)
    return as_given(value, np.take_along_axis(left, ranks(value, line), axis=line))


def ranks(value: Any, axis: int) -> Any:
    """Where each number stands if they are sorted."""
    return np.argsort(np.argsort(value, axis=axis, kind="stable"), axis=axis)


def sigmaclip(a: Any, low: Any = 4.0, high: Any = 4.0, *, nan_policy: Any = "propagate") -> Any:
    """`scipy.stats.sigmaclip`."""
    check("sigmaclip", nan_policy, a)
    result = told("sigmaclip", a, low, high)
    left = np.ravel(floats(a))[clipped_places(a, low, high)]
    middle, spread = np.mean(left), np.std(left)
    return as_three(result, left, middle - spread * low, middle + spread * high)


def clipped_places(a: Any, low: Any, high: Any) -> Any:
    """Which numbers are left if those far from the mean are left out, until there are none."""
    x = np.ravel(np.asarray(a))
    places = np.arange(np.size(x))
    count = -1
    while count != np.size(places):
        count, left = np.size(places), x[places]
        middle, spread = np.mean(left), np.std(left)
        places = places[(left >= middle - spread * low) & (left <= middle + spread * high)]
    return places


def mode(a: Any, axis: Any = 0, nan_policy: Any = "propagate", keepdims: Any = False) -> Any:
    """`scipy.stats.mode`: of the numbers that are equal to it the first has the derivative."""
    check("mode", nan_policy, a)
    result = told("mode", a, axis, keepdims=keepdims)
    kept = told("mode", a, axis, keepdims=True)
    x = np.ravel(floats(a)) if axis is None else floats(a)
    line = 0 if axis is None else axis
    places = first_equal(x, np.reshape(kept[0], (1,)) if axis is None else kept[0], line)
    found = np.reshape(np.take_along_axis(x, places, axis=line), np.shape(result[0]))
    return as_pair(result, found, 0.0 * found)


def first_equal(x: Any, value: Any, axis: int) -> Any:
    """Where the first number along an axis stands that is equal to the value."""
    return np.argmax(x == value, axis=axis, keepdims=True)


def false_discovery_control(ps: Any, *, axis: Any = 0, method: Any = "bh") -> Any:
    """`scipy.stats.false_discovery_control`."""
    check("false_discovery_control", "propagate", ps)
    value = told("false_discovery_control", ps, axis=axis, method=method)
    x, line = (np.ravel(floats(ps)), 0) if axis is None else (floats(ps), axis)
    if np.ndim(x) == 0 or np.shape(x)[line] <= 1:
        return as_given(value, x)
    rows = np.moveaxis(x, line, -1)
    order = np.argsort(rows, axis=-1)
    scaled = np.take_along_axis(rows, order, axis=-1) * factors(np.shape(rows)[-1], method)
    least = np.take_along_axis(scaled, least_behind(scaled), axis=-1)
    found = np.take_along_axis(least, np.argsort(order, axis=-1), axis=-1)
    return as_given(value, np.moveaxis(np.where(found < 1, found, 1.0), -1, line))


def factors(count: int, method: str) -> Any:
    """What sorted probabilities are multiplied by."""
    places = np.arange(1, count + 1)
    return count / places * (np.sum(1.0 / places) if method.lower() == "by" else 1.0)


def least_behind(x: Any) -> Any:
    """For each number where the least one stands from there on."""
    places = np.empty(np.shape(x), int)
    places[..., -1] = best = np.full(np.shape(x)[:-1], np.shape(x)[-1] - 1)
    for place in range(np.shape(x)[-1] - 2, -1, -1):
        least = np.take_along_axis(x, best[..., np.newaxis], axis=-1)[..., 0]
        places[..., place] = best = np.where(x[..., place] < least, place, best)
    return places


# Lines through medians of slopes.


def theilslopes(
    y: Any, x: Any = None, alpha: Any = 0.95, method: Any = "separate", *, axis: Any = None,
    nan_policy: Any = "propagate", keepdims: Any = False,
) -> Any:  # fmt: skip
    """`scipy.stats.theilslopes`; the limits are two of the slopes."""
    check("theilslopes", nan_policy, y, x)
    check_plain("theilslopes", axis, keepdims or None)
    result = told("theilslopes", y, x, alpha, method)
    b = np.ravel(floats(y))
    a = np.arange(len(b)) * 1.0 if x is None else np.ravel(floats(x))
    first, second = pairs(a)
    slopes = np.sort((b[first] - b[second]) / (a[first] - a[second]))
    slope = np.median(slopes)
    intercept = np.median(b - slope * a) if method == "joint" else np.median(b) - slope * np.median(a)
    low, high = slopes[nearest(slopes, result[2])], slopes[nearest(slopes, result[3])]
    return as_four(result, slope, intercept, low, high)


def pairs(x: Any) -> Any:
    """Pairs of samples of which the first is the greater one."""
    return np.nonzero(np.subtract.outer(x, x) > 0)


def nearest(sorted_numbers: Any, value: Any) -> int:
    """Where a number stands among others."""
    return int(np.argmin(np.abs(sorted_numbers - value))) if np.isfinite(value) else 0


def siegelslopes(
    y: Any, x: Any = None, method: Any = "hierarchical", *, axis: Any = None,
    nan_policy: Any = "propagate", keepdims: Any = False,
) -> Any:  # fmt: skip
    """`scipy.stats.siegelslopes`."""
    check("siegelslopes", nan_policy, y, x)
    check_plain("siegelslopes", axis, keepdims or None)
    result = told("siegelslopes", y, x, method)
    b = np.ravel(floats(y))
    a = np.arange(len(b)) * 1.0 if x is None else np.ravel(floats(x))
    others = [apart(a, place) for place in range(len(a))]
    lines = [(b[place] - b[rest]) / (a[place] - a[rest]) for place, rest in enumerate(others) if len(rest)]
    slope = np.median(np.stack([np.median(one) for one in lines]))
    if method == "hierarchical":
        return as_pair(result, slope, np.median(b - slope * a))
    crossings = [
        (b[rest] * a[place] - b[place] * a[rest]) / (a[place] - a[rest])
        for place, rest in enumerate(others)
        if len(rest)
    ]
    return as_pair(result, slope, np.median(np.stack([np.median(one) for one in crossings])))


def apart(x: Any, place: int) -> Any:
    """The samples that are at another place."""
    return np.nonzero(x != x[place])[0]
