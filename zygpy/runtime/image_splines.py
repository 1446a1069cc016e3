"""Images as splines, which `scipy.ndimage` interpolates by; loaded with SciPy alone.

A spline of one variable is a sum of basis functions at whole numbers. Its coefficients come out of samples
by a recursive filter; the value at a place is a sum of a few of them. What is beyond the edges depends on a
mode. Source: M. Unser, A. Aldroubi, M. Eden, B-spline signal processing, part I (IEEE Transactions on Signal
Processing 41, 1993); C. de Boor, A Practical Guide to Splines (2001), chapter IX.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import scipy.ndimage as nd

from zygpy.runtime.broadcast import Shape
from zygpy.runtime.library_values import as_given, check_real
from zygpy.runtime.windows import extended

MARGIN = 12
"""How many samples are put around an image whose mode has no exact coefficients."""
FEW = 32
"""Of more samples the first and the last one do not feel each other."""
PADDED = ("nearest", "grid-constant")
"""These modes."""
ONE_SIDED = ("constant", "wrap")
"""Modes that have no slope behind the last sample; that of lines is taken from before it."""


# Coefficients.


def filtered(x: Any, order: int, axis: int, mode: str) -> Any:
    """The coefficients of splines along an axis.

    >>> filtered(np.array([1.0, 1.0, 1.0]), 3, 0, "mirror").round(12).tolist()
    [1.0, 1.0, 1.0]
    """
    return nd.spline_filter1d(x, order, axis, complex if np.iscomplexobj(x) else float, mode)


def filtered_back(y0: Any, order: int, axis: int, mode: str) -> Any:
    """The transpose of `filtered`, which is symmetric but for how often a sample stands in a period.

    Of few samples SciPy's filter is not quite, as it begins with a sum that comes out a little wrong.
    """
    length = np.shape(y0)[axis]
    if length <= FEW:
        matrix = filtered(np.eye(length), order, 0, mode)
        return np.moveaxis(np.tensordot(y0, matrix, (axis, 0)), -1, axis)
    weights = occurrences(np.shape(y0), order, axis, mode)
    return filtered(y0 / weights, order, axis, mode) * weights


def occurrences(shape: Shape, order: int, axis: int, mode: str) -> Any:
    """How often each sample stands in the period that a mode makes of the samples along an axis."""
    line = np.ones([shape[axis] if one == axis % len(shape) else 1 for one in range(len(shape))])
    if order > 1 and _mode_of_knots(mode) == "mirror" and np.size(line) > 2:
        line[...] = 2.0
        line.reshape(-1)[[0, -1]] = 1.0
    return line


def prepared(x: Any, rank: int, order: int, mode: str, cval: Any, prefilter: bool) -> tuple[Any, int]:
    """The coefficients along the first axes of an image, and how many places there are before the first."""
    if order < 2 or not prefilter:
        return x, 0
    margin = MARGIN if mode in PADDED else 0
    for axis in range(rank):
        x = extended(x, margin, margin, axis, mode, cval)
    for axis in range(rank):
        x = filtered(x, order, axis, mode)
    return x, margin


# Values between the samples.


def shares(s: Any, order: int, nu: int = 0) -> Any:
    """The derivatives of order `nu` of the basis functions that are not zero, at a share of an interval.

    >>> shares(np.array([0.25]), 1).tolist()
    [[0.75], [0.25]]
    """
    if nu > order:
        return np.zeros((order + 1, *np.shape(s)))
    rows: list[Any] = [np.ones(np.shape(s))]
    for degree in range(1, order - nu + 1):
        rows = _of_next_degree(rows, s, degree)
    for _ in range(nu):
        beside: list[Any] = [0.0, *rows, 0.0]
        rows = [before - behind for before, behind in itertools.pairwise(beside)]
    return np.stack(rows)


def _of_next_degree(rows: list[Any], s: Any, degree: int) -> list[Any]:
    """The values of basis functions out of those of one degree less."""
    result = [0.0] * (degree + 1)
    for place, row in enumerate(rows):
        result[place] = result[place] + (1 + place - s) / degree * row
        result[place + 1] = result[place + 1] + (s + degree - 1 - place) / degree * row
    return result


def picked(c: Any, coordinates: Any, order: int, mode: str, margin: int) -> Any:
    """The values of splines along the first axes, at places with a coordinate for each; 0 beyond edges."""
    check_real("scipy.ndimage", coordinates)
    rank = np.shape(coordinates)[0]
    lengths = np.shape(c)[:rank]
    places, known, found, signs = met(coordinates, lengths, order, mode, margin)
    offsets = as_given(found, signs * coordinates)
    rows = np.reshape(c, (math.prod(lengths), *np.shape(c)[rank:]))
    rest = np.ndim(rows) - 1
    values = np.take(rows, places, axis=0)
    if mode == "grid-constant":
        values = values * np.reshape(known, np.shape(known) + (1,) * rest)
    for axis in range(rank):
        weights = shares(offsets[axis], order)
        form = (order + 1,) + (1,) * (rank - 1 - axis) + np.shape(coordinates)[1:] + (1,) * rest
        values = np.sum(values * np.reshape(weights, form), axis=0)
    return values


def met(coordinates: Any, lengths: Shape, order: int, mode: str, margin: int) -> tuple[Any, Any, Any, Any]:
    """The coefficients that stand for each place, by an axis for each coordinate, and which there are; the
    share of an interval that lies before each place, and its derivative by the coordinate."""
    rank, count = np.shape(coordinates)
    places, known = np.zeros((1,) * rank + (1,), int), np.ones((1,) * rank + (1,), bool)
    shares, signs = np.zeros((rank, count)), np.zeros((rank, count))
    for axis in range(rank):
        form = (1,) * axis + (order + 1,) + (1,) * (rank - 1 - axis) + (count,)
        knots, there, shares[axis], signs[axis] = _met_along(
            coordinates[axis] + margin, lengths[axis], order, mode
        )
        places = places * lengths[axis] + knots.reshape(form)
        known = known & there.reshape(form)
    return places, known, shares, signs


def _met_along(t: Any, length: int, order: int, mode: str) -> tuple[Any, Any, Any, Any]:
    """The same of one coordinate."""
    turned, signs = folded(np.nan_to_num(t), length, mode)
    first = np.floor(turned) if order % 2 else np.floor(turned + 0.5)
    if order == 1 and mode in ONE_SIDED and length > 1:
        first = np.minimum(first, length - 2)
    share = turned - first if order % 2 else turned + 0.5 - first
    knots = first - order // 2 + np.arange(order + 1)[:, None]
    there = (knots >= 0) & (knots < length)
    if mode not in PADDED:
        knots = folded(knots, length, _mode_of_knots(mode))[0]
    return np.clip(knots, 0, length - 1).astype(int), there, share, signs


def inside(coordinates: Any, lengths: Shape, mode: str) -> Any:
    """Whether there is an image at each place."""
    if mode != "constant":
        return np.ones(np.shape(coordinates)[1:], bool)
    ends = np.reshape(lengths, (-1, 1)) - 1
    return np.all((coordinates >= 0) & (coordinates <= ends), axis=0)


# Coordinates beyond the edges, which modes fold back.


def _mode_of_knots(mode: str) -> str:
    """The mode by which coefficients go on."""
    return "mirror" if mode in ("constant", "wrap", "grid-constant") else mode


def folded(t: Any, length: int, mode: str) -> tuple[Any, Any]:
    """Where coordinates lie inside of a line of samples, and with which sign they move there.

    >>> [part.tolist() for part in folded(np.array([-0.5, 0.5, 3.25]), 3, "mirror")]
    [[0.5, 0.5, 0.75], [-1.0, 1.0, -1.0]]
    """
    if mode in PADDED:
        return t, np.ones(np.shape(t))
    if mode == "constant":
        return np.clip(t, 0, length - 1), ((t >= 0) & (t <= length - 1)) * 1.0
    if length <= 1:
        return np.zeros(np.shape(t)), np.zeros(np.shape(t))
    below, above = _WAYS[mode](t, length)
    turned, signs = (
        np.where(t < 0, first, np.where(t > length - 1, last, inner))
        for first, last, inner in zip(below, above, (t, 1.0), strict=True)
    )
    return turned, signs


def _mirrored(t: Any, length: int) -> Any:
    """Below and above the samples, on whose first and last one mirrors stand."""
    period = 2 * length - 2
    low = period * np.trunc(-t / period) + t
    high = t - period * np.trunc(t / period)
    far, back = low <= 1 - length, high >= length
    below = np.where(far, low + period, -low), np.where(far, 1.0, -1.0)
    return below, (np.where(back, period - high, high), np.where(back, -1.0, 1.0))


def _reflected(t: Any, length: int) -> Any:
    """The same if the mirrors stand half a step outside."""
    period = 2 * length
    low = period * np.trunc(-t / period) + t
    high = t - period * np.trunc(t / period)
    far, back = low < -length, high >= length
    below = np.where(far, low + period, -low - 1), np.where(far, 1.0, -1.0)
    return below, (np.where(back, period - high - 1, high), np.where(back, -1.0, 1.0))


def _wrapped(t: Any, length: int) -> Any:
    """The same if the last sample stands at the place of the first one."""
    period = length - 1
    below = t + period * (np.trunc(-t / period) + 1)
    return (below, 1.0), (t - period * np.trunc(t / period), 1.0)


def _around(t: Any, length: int) -> Any:
    """The same if the first sample follows the last one."""
    below = t + length * (np.trunc((-1 - t) / length) + 1)
    return (below, 1.0), (t - length * np.trunc(t / length), 1.0)


_WAYS = {
    "mirror": _mirrored,
    "reflect": _reflected,
    "grid-mirror": _reflected,
    "wrap": _wrapped,
    "grid-wrap": _around,
}
