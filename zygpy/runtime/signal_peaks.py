"""Peaks of `scipy.signal`, and medians in windows, as programs: SciPy finds where they are, what they
measure is followed.

This module is imported with the rules of `scipy.signal`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.signal as ss
from scipy.signal import _peak_finding_utils as utilities

from zygpy.runtime.image_ranks import first_places
from zygpy.runtime.library_values import as_given, told_by


def prominences(x: Any, peaks: Any, wlen: Any) -> Any:
    """How far peaks stand out above the higher one of their bases, and the bases."""
    heights, left, right = told_by(utilities._peak_prominences, (x, peaks, wlen), {})
    return as_given(heights, x[peaks] - np.maximum(x[left], x[right])), left, right


def widths(x: Any, peaks: Any, rel_height: Any, heights: Any, left_bases: Any, right_bases: Any) -> Any:
    """The widths of peaks at a part of their prominence: the distance of two places on the lines between
    samples."""
    values = told_by(utilities._peak_widths, (x, peaks, rel_height, heights, left_bases, right_bases), {})
    level = x[peaks] - heights * rel_height
    left, right = crossed(x, level, values[2], 1), crossed(x, level, values[3], -1)
    computed = (right - left, level, left, right)
    return tuple([as_given(value, one) for value, one in zip(values, computed, strict=True)])


def crossed(x: Any, level: Any, places: Any, step: int) -> Any:
    """Where the lines between samples cross a level, from the last sample before the crossing on."""
    start = starts(places, step)
    onward = np.clip(start + step, 0, len(x) - 1)
    crosses = x[start] < level
    rise = np.where(crosses, x[onward] - x[start], 1.0)
    return start + step * np.where(crosses, (level - x[start]) / rise, 0.0)


def starts(places: Any, step: int) -> Any:
    """The sample before a place, or behind it."""
    return np.asarray(np.floor(places) if step > 0 else np.ceil(places)).astype(np.intp)


def medfilt2d(input: Any, kernel_size: Any = 3) -> Any:
    """`scipy.signal.medfilt2d`: medians of windows of an image that is continued by zeros."""
    rows, columns = (kernel_size, kernel_size) if np.ndim(kernel_size) == 0 else kernel_size
    value = told_by(ss.medfilt2d, (input, (int(rows), int(columns))), {})
    image = np.pad(np.asarray(input), ((rows // 2, rows // 2), (columns // 2, columns // 2)))
    windows = np.lib.stride_tricks.sliding_window_view(image, (rows, columns))
    flat = np.reshape(windows, (*np.shape(value), rows * columns))
    return as_given(value, np.sort(flat, axis=-1)[..., rows * columns // 2])


EDGES = {"mode": "constant", "origin": 0, "cval": 0.0}
"""Beyond the edges of what is filtered there are zeros."""


def medfilt(volume: Any, kernel_size: Any = None) -> Any:
    """`scipy.signal.medfilt`: of equal samples the first in the window is taken."""
    value = told_by(ss.medfilt, (volume, kernel_size), {})
    x = np.atleast_1d(np.asarray(volume))
    return selected(value, x, first_places(value, x, sized(kernel_size, np.ndim(x)), EDGES))


def order_filter(a: Any, domain: Any, rank: Any) -> Any:
    """`scipy.signal.order_filter`: of equal samples the first in the window is taken."""
    value = told_by(ss.order_filter, (a, domain, rank), {})
    x = np.asarray(a)
    return selected(value, x, first_places(value, x, np.asarray(domain) != 0, EDGES))


def sized(sizes: Any, rank: int) -> Any:
    """A window of so many samples along each axis, three if nothing is said."""
    return np.ones(np.broadcast_to(3 if sizes is None else sizes, (rank,)).astype(int), bool)


def selected(value: Any, x: Any, places: Any) -> Any:
    """The value, whose elements are those at these places of the array; elsewhere they are constants."""
    if np.size(x) == 0:
        return as_given(value, x * 1.0)
    there = np.greater_equal(places, 0)
    return as_given(value, np.where(there, np.ravel(x)[np.where(there, places, 0)], 0.0))
