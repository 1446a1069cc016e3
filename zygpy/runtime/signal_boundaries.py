"""Filters of `scipy.signal` that continue a signal or an image beyond its ends in one of several ways.

The values are SciPy's own; beside them they are computed in operations that have rules. This module is
imported with the rules of `scipy.signal`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.ndimage as ni
import scipy.signal as ss

from zygpy.errors import MissingRuleError
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
    filtered = ni.convolve1d(
        np.asarray(x) * 1.0, taps(window_length, polyorder, deriv), axis, None, mode, cval
    )
    return as_given(value, filtered / delta**deriv)


def taps(window_length: Any, polyorder: Any, deriv: Any) -> Any:
    """The filter of a unit spacing."""
    return ss.savgol_coeffs(window_length, polyorder, deriv)


def detrend(data: Any, axis: Any = -1, type: Any = "linear", bp: Any = 0, overwrite_data: Any = False) -> Any:
    """`scipy.signal.detrend`, of data that may not be overwritten."""
    if overwrite_data:
        raise MissingRuleError(
            "'scipy.signal.detrend' has no rule for 'overwrite_data=True'.",
            why="what is left in the data is not said",
            instead="leave 'overwrite_data=' out",
        )
    return ss.detrend(data, axis, type, bp)


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
    around = np.pad(np.zeros(np.shape(image), image.dtype), reach, constant_values=1)
    return np.pad(image, reach) + around * fillvalue


def part_of(whole: Any, first: Any, shape: Any) -> Any:
    """The part of an image that begins at an element and has a shape."""
    return whole[first[0] : first[0] + shape[0], first[1] : first[1] + shape[1]]


def sepfir2d(input: Any, hrow: Any, hcol: Any, /) -> Any:
    """`scipy.signal.sepfir2d`, of filters that are no longer than the image."""
    check_reach(np.shape(input), np.size(hrow), np.size(hcol))
    value = told_by(ss.sepfir2d, (input, hrow, hcol), {})
    by_rows = ni.convolve1d(np.asarray(input) * 1.0, np.asarray(hrow), 1)
    return as_given(value, ni.convolve1d(by_rows, np.asarray(hcol), 0))


def check_reach(form: Any, along_rows: int, along_columns: int) -> None:
    """Refuse filters that reach over the other end of an image, where SciPy reads what it finds."""
    if len(form) == 2 and (form[1] < along_rows or form[0] < along_columns):
        raise MissingRuleError(
            "'scipy.signal.sepfir2d' has no rule for filters that are longer than the image.",
            why="what they reach beyond it is not said",
            instead="continue the image by 'np.pad' first",
        )


# A signal that a change of the rate continues on both sides is filtered with so much around it that the
# filter never reaches an end.


def upfirdn(
    h: Any, x: Any, up: Any = 1, down: Any = 1, axis: Any = -1, mode: Any = "constant", cval: Any = 0
) -> Any:
    """`scipy.signal.upfirdn` in all modes."""
    value = told_by(ss.upfirdn, (h, x, up, down, axis, mode, cval), {})
    rows = np.moveaxis(np.asarray(x), axis, -1)
    found = resampled(np.asarray(h), rows, int(up), int(down), mode, cval)
    return as_given(value, np.moveaxis(found, -1, axis))


def resampled(h: Any, rows: Any, up: int, down: int, mode: str, cval: Any = 0) -> Any:
    """Rows whose rate is changed, of the length that SciPy gives."""
    count = (((rows.shape[-1] - 1) * up + len(h)) - 1) // down + 1
    reach = len(h) // up + 1
    before = -(-reach // down) * down
    start = before // down * up
    whole = ss.upfirdn(h, beyond(rows, before, reach, mode.lower(), cval), up, down)
    return whole[..., start : start + count]


def beyond(rows: Any, before: int, behind: int, mode: str, cval: Any = 0) -> Any:
    """Rows, and so many samples before and behind them as a mode of `upfirdn` puts there."""
    length = rows.shape[-1]
    places = np.concatenate([np.arange(-before, 0), np.arange(length, length + behind)])
    around = outside(rows, places, mode, cval)
    return np.concatenate([around[..., :before], rows, around[..., before:]], axis=-1)


def outside(rows: Any, places: Any, mode: str, cval: Any) -> Any:
    """What a mode of `upfirdn` puts at these places, which lie before and behind the rows."""
    if mode == "constant":
        return np.zeros((*rows.shape[:-1], len(places)), rows.dtype) + cval
    if mode in ("line", "smooth"):
        return along_lines(rows, places, mode)
    sources = mirrored(places, rows.shape[-1], mode)
    turns = places // max(rows.shape[-1] - (mode == "antireflect"), 1)
    if mode == "antisymmetric":
        return rows[..., sources] * (1.0 - 2.0 * (turns % 2))
    if mode == "antireflect":
        ends = (turns + turns % 2) * rows[..., -1:] - (turns - turns % 2) * rows[..., :1]
        return rows[..., sources] * (1.0 - 2.0 * (turns % 2)) + ends
    return rows[..., sources]


def along_lines(rows: Any, places: Any, mode: str) -> Any:
    """The line through the first and the last sample, or those through two samples at either end."""
    last = rows.shape[-1] - 1
    first_sample, last_sample = rows[..., :1], rows[..., -1:]
    if mode == "line":
        return first_sample + places / max(last, 1) * (last_sample - first_sample)
    before = first_sample + places * (rows[..., min(1, last)][..., np.newaxis] - first_sample)
    behind = last_sample + (places - last) * (last_sample - rows[..., max(last - 1, 0)][..., np.newaxis])
    return np.where(places < 0, before, behind)


def mirrored(places: Any, length: int, mode: str) -> Any:
    """The samples that stand, as they are or turned over, at places beyond the ends of a signal."""
    if mode == "wrap":
        return places % length
    if mode == "edge":
        return np.clip(places, 0, length - 1)
    period = length if mode in ("symmetric", "antisymmetric") else max(length - 1, 1)
    back = length - 1 if length == period else period
    turned = places // period % 2 == 1
    rest = places % period
    return np.minimum(np.where(turned, back - rest, rest), length - 1)
