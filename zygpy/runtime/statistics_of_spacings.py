"""Statistics of sorted numbers in `scipy.stats`, as programs; loaded with SciPy alone.

Source of the formulas: J. R. M. Hosking (Journal of the Royal Statistical Society B 52, 1990); H. A.
Noughabi, Entropy estimation using numerical methods (Annals of Data Science 2, 2015).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.special as sc

from zygpy.runtime.library_values import as_given
from zygpy.runtime.statistics_programs import check, floats, told


def lmoment(
    sample: Any, order: Any = None, *, axis: Any = 0, sorted: Any = False, standardize: Any = True,
    nan_policy: Any = "propagate", keepdims: Any = False,
) -> Any:  # fmt: skip
    """`scipy.stats.lmoment`: sums of sorted numbers with constant weights, the later ones over the second."""
    check("lmoment", nan_policy, sample)
    given = {"axis": axis, "sorted": sorted, "standardize": standardize, "keepdims": keepdims}
    value = told("lmoment", sample, order, **given)
    x = np.ravel(floats(sample)) if axis is None else np.moveaxis(floats(sample), axis, -1)
    x = x if sorted else np.sort(x, axis=-1)
    orders = np.atleast_1d([1, 2, 3, 4] if order is None else order)
    rows = [weighted(x, int(one), standardize) for one in orders]
    return as_given(value, np.reshape(np.stack(rows), np.shape(value)))


def weighted(x: Any, order: int, standardize: Any) -> Any:
    """One of these sums, of sorted numbers along the last axis."""
    found = np.sum(x * weights(np.shape(x)[-1], order), axis=-1)
    if standardize and order > 2:
        return found / np.sum(x * weights(np.shape(x)[-1], 2), axis=-1)
    return found


def weights(count: int, order: int) -> Any:
    """The weights of so many sorted numbers in the moment of this order; nan if there are too few."""
    if count < order:
        return np.full(count, np.nan)
    places, found = np.arange(count), np.zeros(count)
    for k in range(order):
        factor = (-1) ** (order - 1 - k) * sc.comb(order - 1, k) * sc.comb(order - 1 + k, k)
        found += factor * sc.comb(places, k) / sc.comb(count - 1, k)
    return found / count


def differential_entropy(
    values: Any, *, window_length: Any = None, base: Any = None, axis: Any = 0, method: Any = "auto",
    nan_policy: Any = "propagate", keepdims: Any = False,
) -> Any:  # fmt: skip
    """`scipy.stats.differential_entropy`."""
    check("differential_entropy", nan_policy, values)
    given = {"window_length": window_length, "base": base, "axis": axis, "method": method}
    value = told("differential_entropy", values, keepdims=keepdims, **given)
    x = np.ravel(floats(values)) if axis is None else np.moveaxis(floats(values), axis, -1)
    count = np.shape(x)[-1]
    m = math.floor(math.sqrt(count) + 0.5) if window_length is None else int(window_length)
    found = by_spacings(np.sort(x, axis=-1), m, chosen(method.lower(), count))
    return as_given(value, np.reshape(found if base is None else found / np.log(base), np.shape(value)))


def chosen(method: str, count: int) -> str:
    """The estimate that is taken for so many numbers."""
    if method != "auto":
        return method
    return "van es" if count <= 10 else "ebrahimi" if count <= 1000 else "vasicek"


def by_spacings(x: Any, m: int, method: str) -> Any:
    """The entropy of sorted numbers by the distances between those that are so many places apart."""
    count = np.shape(x)[-1]
    if method == "van es":
        rest = math.log(m / (count + 1)) + np.sum(1.0 / np.arange(m, count + 1))
        return np.mean(np.log((count + 1) / m * (x[..., m:] - x[..., :-m])), axis=-1) + rest
    if method == "correa":
        return by_slopes(x, m)
    apart = x[..., np.minimum(np.arange(count) + m, count - 1)] - x[..., np.maximum(np.arange(count) - m, 0)]
    return np.mean(np.log(apart * count / (m * widths(count, m, method))), axis=-1)


def by_slopes(x: Any, m: int) -> Any:
    """The estimate by slopes of lines that are fitted to neighbours."""
    count, steps = np.shape(x)[-1], np.arange(-m, m + 1)[:, np.newaxis]
    near = x[..., np.clip(np.arange(count) + steps, 0, count - 1)]
    apart = near - np.mean(near, axis=-2, keepdims=True)
    slope = np.sum(apart * steps, axis=-2) / (count * np.sum(apart**2, axis=-2))
    return -np.mean(np.log(slope), axis=-1)


def widths(count: int, m: int, method: str) -> Any:
    """How many spacings of `m` places there are in the one around each number: less at the ends."""
    if method == "vasicek":
        return np.full(count, 2.0)
    places = np.arange(1, count + 1)
    found = np.where(places <= m, 1 + (places - 1) / m, 2.0)
    return np.where(places >= count - m + 1, 1 + (count - places) / m, found)
