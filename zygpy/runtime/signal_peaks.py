"""Peaks of `scipy.signal` as programs: where they are is found by SciPy, what they measure is followed.

This module is imported with the rules of `scipy.signal`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.signal as ss
from scipy.signal import _peak_finding_utils as utilities

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
