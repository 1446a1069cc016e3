"""Statistics in bins of `scipy.stats`, as programs; loaded with SciPy alone.

Which numbers are in which bin is found by SciPy and counts as constant.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

from zygpy.errors import MissingRuleError
from zygpy.runtime.library_values import depending
from zygpy.runtime.statistics_of_choices import as_four, as_three
from zygpy.runtime.statistics_programs import check, check_plain, floats, told

BY_WEIGHT = np.lib.NumpyVersion(scipy.__version__) >= "1.18.0"
"""Whether relative frequencies are parts of the sum of all weights, and not of how many numbers there are."""

STATISTICS = ("mean", "std", "median", "count", "sum", "min", "max")


def binned_statistic(
    x: Any, values: Any, statistic: Any = "mean", bins: Any = 10, range: Any = None
) -> Any:  # fmt: skip
    """`scipy.stats.binned_statistic`."""
    check("binned_statistic", "propagate", x, values)
    check_statistic("binned_statistic", statistic)
    result = told("binned_statistic", x, values, statistic, bins, range)
    found = in_bins(result[0], values, statistic, np.asarray(result[2]), (len(result[1]) + 1,))
    return as_three(result, found, depending(result[1], (x, bins, range)), 0)


def binned_statistic_2d(
    x: Any, y: Any, values: Any, statistic: Any = "mean", bins: Any = 10, range: Any = None,
    expand_binnumbers: Any = False,
) -> Any:  # fmt: skip
    """`scipy.stats.binned_statistic_2d`."""
    check("binned_statistic_2d", "propagate", x, y, values)
    check_statistic("binned_statistic_2d", statistic)
    result = told("binned_statistic_2d", x, y, values, statistic, bins, range, expand_binnumbers)
    form = (len(result[1]) + 1, len(result[2]) + 1)
    found = in_bins(result[0], values, statistic, flat_places(result[3], form), form)
    given = (x, y, bins, range)
    return as_edges(result, found, depending(result[1], given), depending(result[2], given))


def binned_statistic_dd(
    sample: Any, values: Any, statistic: Any = "mean", bins: Any = 10, range: Any = None,
    expand_binnumbers: Any = False, binned_statistic_result: Any = None,
) -> Any:  # fmt: skip
    """`scipy.stats.binned_statistic_dd`."""
    check("binned_statistic_dd", "propagate", values)
    check_statistic("binned_statistic_dd", statistic)
    check_plain("binned_statistic_dd", binned_statistic_result)
    result = told("binned_statistic_dd", sample, values, statistic, bins, range, expand_binnumbers)
    form = tuple([len(edges) + 1 for edges in result[1]])
    found = in_bins(result[0], values, statistic, flat_places(result[2], form), form)
    return as_bins(result, found, depending(np.concatenate(result[1]), (sample, bins, range)))


def cumfreq(a: Any, numbins: Any = 10, defaultreallimits: Any = None, weights: Any = None) -> Any:
    """`scipy.stats.cumfreq`."""
    result = told("cumfreq", a, numbins, defaultreallimits, weights)
    if weights is None:
        return of_limits(result, result[0], (a, defaultreallimits))
    counts = np.cumsum(in_equal_bins(a, numbins, defaultreallimits) @ np.ravel(floats(weights)))
    return of_limits(result, counts, (a, defaultreallimits))


def relfreq(a: Any, numbins: Any = 10, defaultreallimits: Any = None, weights: Any = None) -> Any:
    """`scipy.stats.relfreq`."""
    result = told("relfreq", a, numbins, defaultreallimits, weights)
    if weights is None:
        return of_limits(result, result[0], (a, defaultreallimits))
    given = np.ravel(floats(weights))
    counts = in_equal_bins(a, numbins, defaultreallimits) @ given
    whole = np.sum(given) if BY_WEIGHT else np.shape(a)[0]
    return of_limits(result, counts / whole, (a, defaultreallimits))


def of_limits(result: Any, counts: Any, given: Any) -> Any:
    """The result, whose first field has derivatives; where bins begin and how wide they are has none."""
    return as_four(result, counts, depending(result[1], given), depending(result[2], given), result[3])


def in_equal_bins(a: Any, count: Any, limits: Any) -> Any:
    """For each of so many bins of one width a 1 where a number is in it."""
    numbers = np.ravel(a)
    if limits is None:
        margin = (numbers.max() - numbers.min()) / (2.0 * (count - 1.0))
        limits = (numbers.min() - margin, numbers.max() + margin)
    edges = np.histogram_bin_edges(numbers, count, limits)
    places = np.where(numbers == edges[-1], count - 1, np.searchsorted(edges, numbers, "right") - 1)
    return np.equal(places, np.arange(count)[:, np.newaxis]) * 1.0


def as_bins(result: Any, statistic: Any, edges: Any) -> Any:
    """The result, of whose first field the derivative is that of the statistic; the edges are one array."""
    return result


def asked_for(edges: Any, like: Any) -> Any:
    """What stands for cotangents of edges, which are refused where they are not zero."""
    given = edges if isinstance(edges, list | tuple) else []
    return np.full(np.shape(like), float(any(one is not None and np.any(one) for one in given)))


def as_edges(result: Any, statistic: Any, first: Any, second: Any) -> Any:
    """The result, of whose three first fields the derivatives are those of these."""
    return result


def in_bins(value: Any, values: Any, statistic: str, bins: Any, form: Any) -> Any:
    """A statistic of the values in each bin, in the order of the bins that have values."""
    numbers = floats(values)
    rows = np.reshape(numbers, (-1, np.shape(numbers)[-1]))
    filled, places, there = filled_bins(bins, form)
    if statistic == "count" or len(filled) == 0:
        return np.sum(numbers) * 0.0 + np.zeros(np.shape(value))
    found = np.stack([reduced_to(rows[:, inside], statistic) for inside in filled], axis=-1)
    return np.reshape(np.where(there, found[:, places], 0.0), np.shape(value))


def reduced_to(rows: Any, statistic: str) -> Any:
    """A statistic of each row; numbers that are all equal have a spread without slope."""
    if statistic == "std":
        square = np.mean((rows - np.mean(rows, axis=-1, keepdims=True)) ** 2, axis=-1)
        there = np.greater(square, 0)
        return np.where(there, np.sqrt(np.where(there, square, 1.0)), 0.0)
    if statistic == "mean":
        return np.mean(rows, axis=-1)
    if statistic == "median":
        return np.median(rows, axis=-1)
    if statistic == "sum":
        return np.sum(rows, axis=-1)
    return np.min(rows, axis=-1) if statistic == "min" else np.max(rows, axis=-1)


def filled_bins(bins: Any, form: Any) -> tuple[list[Any], Any, Any]:
    """The places of values in each bin that has some; for each bin which of these it is, and if it is one.

    Along each axis there is a bin more at both ends, for what is outside.
    """
    names, where = np.unique(bins, return_inverse=True)
    which = np.full(int(np.prod(form)), -1)
    which[names] = np.arange(len(names))
    which = which.reshape(form)[tuple(slice(1, -1) for _ in form)].reshape(-1)
    return [np.nonzero(where == one)[0] for one in range(len(names))], np.maximum(which, 0), which >= 0


def flat_places(bins: Any, form: Any) -> Any:
    """The numbers of bins, counted along all axes."""
    if np.ndim(bins) == 1:
        return np.asarray(bins)
    return np.ravel_multi_index(tuple(bins), form)


def check_statistic(name: str, statistic: Any) -> None:
    """Refuse functions of a program's own."""
    if not isinstance(statistic, str):
        raise MissingRuleError(
            f"'scipy.stats.{name}' has no rule for a function as the statistic.",
            why="it is called for each bin in code that is not followed",
            instead=f"use one of {', '.join(STATISTICS)}",
        )
