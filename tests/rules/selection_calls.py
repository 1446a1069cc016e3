"""Calls of the functions that select elements, and of order statistics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.rules.calls import Call, array, call
from zygpy.runtime import helpers as h

HOLES = np.array([[np.nan, 2.0, 3.0], [1.0, np.nan, -1.0], [0.5, 1.7, 2.2]])
METHODS = (
    *("linear", "hazen", "weibull", "median_unbiased", "normal_unbiased", "interpolated_inverted_cdf"),
    *(
        "averaged_inverted_cdf",
        "midpoint",
        "lower",
        "higher",
        "nearest",
        "inverted_cdf",
        "closest_observation",
    ),
)


def quantiles() -> Iterator[Call]:
    x = array(2, 3, 4)
    for function, scale in ((np.quantile, 1), (np.nanquantile, 1), (np.percentile, 100)):
        yield call(function, x, 0.37 * scale)
        yield call(function, x, np.array([[0.37, 0.8]]) * scale, axis=1)
        yield call(function, x, np.array([0.37, 0.8]) * scale, axis=(0, -1), keepdims=True)
        yield call(function, array(7), 0.9 * scale, keepdims=True)
        yield call(function, np.float64(1.5), 0.3 * scale)
    for method in METHODS:
        yield call(np.quantile, x, 0.43, axis=-1, method=method)
        yield call(np.quantile, array(5), np.array([0.01, 0.43, 0.77, 0.98]), method=method)
    for axis in (None, 0, 1):
        yield call(np.nanquantile, HOLES, 0.43, axis=axis)
        yield call(np.nanpercentile, HOLES, np.array([43.0, 71.0]), axis=axis, keepdims=True)
        yield call(np.nanmedian, HOLES, axis=axis)
        yield call(np.nanmedian, x, axis=axis, keepdims=True)


def without_nan() -> Iterator[Call]:
    for function in (np.nanprod, np.nanvar, np.nanstd):
        for axis in (None, 0, 1, (1, 0)):
            yield call(function, HOLES, axis=axis)
            yield call(function, array(2, 3, 4), axis=axis, keepdims=True)
        yield call(function, array(3), dtype=np.float64)
    for function in (np.nanvar, np.nanstd):
        yield call(function, HOLES, axis=1, ddof=1)
        yield call(function, array(2, 3, 4), ddof=0.5)
    for function in (np.nancumsum, np.nancumprod):
        for axis in (None, 0, -1):
            yield call(function, HOLES, axis=axis)
        yield call(function, array(3), dtype=np.float64)
    yield call(h.mean_of_numbers, HOLES, 1)
    yield call(h.mean_of_numbers, array(3, 4))


def selections() -> Iterator[Call]:
    x, m = array(2, 3, 4), array(3, 4)
    for obj in (1, -1, [0, 2], slice(None, None, 2), np.array([True, False, True])):
        yield call(np.delete, m, obj, axis=0)
        yield call(np.delete, array(3), obj)
    yield call(np.delete, x, 5)
    yield call(np.delete, x, [1, 3], -1)
    yield call(np.insert, m, 1, array(4, start=30), axis=0)
    yield call(np.insert, m, [0, 2, 2], array(3, start=30), axis=1)
    yield call(np.insert, m, [0, 2], array(3, 1, start=30), axis=1)
    yield call(np.insert, m, 2, array(3, start=30))
    yield call(np.insert, m, slice(0, 2), 1.5)
    yield call(np.insert, array(3), -1, 1.5)
    for kth, axis in ((1, -1), (0, 0), ((0, 2), 1), (5, None)):
        yield call(np.partition, m, kth, axis=axis)
    yield call(np.sort_complex, array(5))
    yield call(np.sort_complex, m)
    yield call(np.trim_zeros, array(6), "f")
    window_view = np.lib.stride_tricks.sliding_window_view
    yield call(window_view, array(5), 3)
    yield call(window_view, m, (2, 2))
    yield call(window_view, x, 2, axis=1)
    yield call(window_view, m, (2, 2), axis=(1, 1))
    turns = 5 * array(2, 6)
    for axis in (0, -1):
        yield call(np.unwrap, turns, axis=axis)
        yield call(np.unwrap, turns, 4.0, axis, period=3.7)


def movements() -> Iterator[Call]:
    x, m = array(2, 3, 4), array(3, 4)
    for axis, start in ((2, 0), (0, 3), (-1, 1), (1, -1), (1, 1)):
        yield call(np.rollaxis, x, axis, start)
    yield call(np.rollaxis, x, 2)
    if hasattr(np, "unstack"):
        yield call(np.unstack, x)
        yield call(np.unstack, x, axis=-1)
    yield call(np.block, [array(3), array(2, start=30)])
    yield call(np.block, [[m, array(3, 1, start=30)], [array(5, start=50)]])
    yield call(np.block, [array(2), 1.5])
    yield call(np.block, m)
    for mode, index in (("raise", 2), ("wrap", -4), ("clip", 7)):
        a = np.array([[0, index, 1]])
        yield call(np.choose, a, [array(2, 1), array(3, start=9), array(2, 3, start=20)], mode=mode)
        yield call(np.choose, a, array(3, 3), mode=mode)
    yield call(np.choose, 1, (1.5, 2.5))
    yield call(np.real_if_close, m)


def scans() -> Iterator[Call]:
    if not hasattr(np, "cumulative_sum"):
        return
    for function in (np.cumulative_sum, np.cumulative_prod):
        for included in (False, True):
            yield call(function, array(5), include_initial=included)
            yield call(function, array(2, 3, 4), axis=1, include_initial=included)
        yield call(function, array(3, 4), axis=-1, dtype=np.float64)


def polynomials() -> Iterator[Call]:
    for coefficients in (array(4), [1.0, -6.0, 11.0, -6.0, 0.0], np.array([2.0, 1.0, 0.0]), array(3) + 1j):
        yield call(np.roots, np.asarray(coefficients))
    yield call(np.polymul, array(4), array(3, start=9))
    yield call(np.polymul, array(1), array(3, start=9))
    yield call(np.polymul, 1.5, array(3, start=9))


def sets() -> Iterator[Call]:
    m = np.array([[3.0, 1.0, 2.0], [2.5, 0.5, 1.5]])
    other = np.array([0.7, 1.7, -0.5])
    yield call(np.unique, m)
    yield call(np.unique, m, axis=0)
    yield call(np.unique, m, axis=1)
    yield call(np.unique, m, True)
    yield call(np.unique, m, return_index=True, return_inverse=True, return_counts=True)
    yield call(np.unique, m, return_counts=True, axis=0)
    for function in (np.unique_all, np.unique_counts, np.unique_inverse, np.unique_values):
        yield call(function, m)
    for function in (np.union1d, np.setxor1d):
        yield call(function, m, other)
    yield call(np.setdiff1d, m, other)
    yield call(np.setxor1d, m[0], other, assume_unique=True)


def helper_calls() -> Iterator[Call]:
    places = np.array([[2, -1, 0], [0, 2, 1]])
    yield call(h.elements_at, array(3), places)
    yield call(h.elements_at, array(3, 1), 2)
    yield call(h.elements_transpose, array(2, 3), (3,), places)
    yield call(h.elements_transpose, 1.5, (3, 1), places)
    choice = h.choice_of_ranks(array(2, 5), np.array([[0.3, 2.5]]), 1)
    yield call(h.interpolated, array(2, 5), choice)
    yield call(h.interpolated_transpose, array(1, 2), choice, (2, 5))
    yield call(h.values_of, array(3))
    yield call(h.beside_others, array(3), array(3))
    yield call(h.trailing_sums, array(2, 3, 4), 1)
    for axis in (0, -1):
        yield call(h.without_initial, array(2, 3), axis, True)
        yield call(h.with_initial, array(2, 3), axis, True)
    yield call(h.with_initial, array(3), None, True)
    yield call(h.with_initial, array(3), None, False)
    yield call(h.with_leading_zeros, array(3), 5)
    yield call(h.without_leading_terms, array(5), array(3))
    nested = [[array(3), array(2)], [array(5)]]
    yield call(h.block_parts, array(2, 5), nested)
    yield call(h.block_of_parts, nested, nested)
    outlines = ((3,), (2, 1))
    yield call(h.choice_transpose, array(2, 3), np.array([0, 1, 1]), outlines)
    yield call(h.choice_of_parts, [array(3), array(2, 1)], np.array([0, 1, 1]), outlines)
    yield call(h.trailing_sums, array(2, 3), 2)
    yield call(h.trailing_spread, array(2), (2, 3, 4))
    yield call(h.with_values, array(3), None)


GROUPS = (quantiles, without_nan, selections, movements, scans, polynomials, sets, helper_calls)
REAL: tuple[Any, ...] = (
    np.unique_values,
    *(np.quantile, np.nanquantile, np.percentile, np.nanpercentile, np.nanmedian, np.unwrap),
)
"""Functions of real numbers."""
