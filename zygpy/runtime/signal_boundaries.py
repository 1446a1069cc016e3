"""Filters of `scipy.signal` that continue a signal or an image beyond its ends in one of several ways.

The values are SciPy's own; beside them they are computed in operations that have rules. This module is
imported with the rules of `scipy.signal`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.ndimage as ni
import scipy.signal as ss

from zygpy.runtime.library_values import as_given, told_by


def savgol_filter(
    x: Any,
    window_length: Any,
    polyorder: Any,
    deriv: Any = 0,
    delta: Any = 1.0,
    axis: Any = -1,
    mode: Any = "interp",
    cval: Any = 0.0,
) -> Any:
    """`scipy.signal.savgol_filter` in all modes."""
    if mode == "interp":
        return ss.savgol_filter(x, window_length, polyorder, deriv, delta, axis)
    value = told_by(ss.savgol_filter, (x, window_length, polyorder, deriv, delta, axis, mode, cval), {})
    filtered = ni.convolve1d(np.asarray(x), taps(window_length, polyorder, deriv), axis, None, mode, cval)
    return as_given(value, filtered / delta**deriv)


def taps(window_length: Any, polyorder: Any, deriv: Any) -> Any:
    """The filter of a unit spacing."""
    return ss.savgol_coeffs(window_length, polyorder, deriv)


# Of an image that is continued on all sides, what lies within is the valid part of a plain convolution.


def convolve2d(in1: Any, in2: Any, mode: Any = "full", boundary: Any = "fill", fillvalue: Any = 0) -> Any:
    """`scipy.signal.convolve2d` with all boundaries."""
    value = told_by(ss.convolve2d, (in1, in2, mode, boundary, fillvalue), {})
    in1, in2 = np.asarray(in1), np.asarray(in2)
    if mode == "valid":
        return as_given(value, ss.convolve2d(in1, in2, mode))
    whole = ss.convolve2d(continued(in1, np.shape(in2), boundary, fillvalue), in2, "valid")
    first = [(size - 1) // 2 if mode == "same" else 0 for size in np.shape(in2)]
    return as_given(value, part_of(whole, first, np.shape(value)))


def correlate2d(in1: Any, in2: Any, mode: Any = "full", boundary: Any = "fill", fillvalue: Any = 0) -> Any:
    """`scipy.signal.correlate2d` with all boundaries."""
    value = told_by(ss.correlate2d, (in1, in2, mode, boundary, fillvalue), {})
    in1, in2 = np.asarray(in1), np.asarray(in2)
    if mode == "valid":
        return as_given(value, ss.correlate2d(in1, in2, mode))
    whole = ss.correlate2d(continued(in1, np.shape(in2), boundary, fillvalue), in2, "valid")
    first = [size // 2 if mode == "same" else 0 for size in np.shape(in2)]
    return as_given(value, part_of(whole, first, np.shape(value)))


def continued(image: Any, window: Any, boundary: Any, fillvalue: Any) -> Any:
    """An image and what lies around it, as far as a window reaches."""
    reach = [(size - 1, size - 1) for size in window]
    if boundary == "wrap":
        return np.pad(image, reach, "wrap")
    if boundary == "symm":
        return np.pad(image, reach, "symmetric")
    around = np.pad(np.zeros(np.shape(image), np.float32), reach, constant_values=1.0)
    return np.pad(image, reach) + around * fillvalue


def part_of(whole: Any, first: Any, shape: Any) -> Any:
    """The part of an image that begins at an element and has a shape."""
    return whole[first[0] : first[0] + shape[0], first[1] : first[1] + shape[1]]
