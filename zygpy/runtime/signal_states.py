"""Filters of `scipy.signal` with initial states, filters that run both ways, and changes of the rate.

The values are SciPy's own; beside them they are computed in operations that have rules. This module is
imported with the rules of `scipy.signal`, never by zygpy itself.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.signal as ss

from zygpy.errors import MissingRuleError
from zygpy.runtime import filtering
from zygpy.runtime import scipy_waves as waves
from zygpy.runtime.library_values import as_given, told_by
from zygpy.runtime.signal_boundaries import resampled

# Filters with states: what a state brings about is the response of 1 / A to it.


def lfilter(b: Any, a: Any, x: Any, axis: Any = -1, zi: Any = None) -> Any:
    """`scipy.signal.lfilter` of which the initial state may be given."""
    if zi is None:
        return ss.lfilter(b, a, x, axis)
    y, state = told_by(ss.lfilter, (b, a, x, axis, zi), {})
    filtered, left = with_state(np.atleast_1d(b), np.atleast_1d(a), np.asarray(x), axis, np.asarray(zi))
    return as_given(y, filtered), as_given(state, left)


def with_state(b: Any, a: Any, x: Any, axis: Any, zi: Any) -> Any:
    """A filtered signal, and the state that is left, of the transposed direct form."""
    rows, before = np.moveaxis(x, axis, -1), np.moveaxis(zi, axis, -1)
    b, a = b / a[0], a / a[0]
    y = ss.lfilter(b, a, rows)
    if before.shape[-1] == 0:
        return np.moveaxis(y, -1, axis), zi
    y = y + ss.lfilter(filtering.one(a), a, filtering.resized(before, rows.shape[-1]))
    after = last_products(rows, b, before.shape[-1]) - last_products(y, a, before.shape[-1])
    after = after + filtering.resized(before[..., rows.shape[-1] :], before.shape[-1])
    return np.moveaxis(y, -1, axis), np.moveaxis(after, -1, axis)


def last_products(rows: Any, c: Any, count: int) -> Any:
    """For every `m < count` the sum of `c[m + 1 + k] * rows[-1 - k]` over all `k`."""
    last = filtering.resized(np.flip(rows, -1)[..., :count], count)
    places = np.arange(count)[:, np.newaxis] + np.arange(1, count + 1)
    return np.matmul(last, filtering.resized(c, 2 * count + 1)[places])


def sosfilt_from_rest(sos: Any, x: Any, axis: Any = -1) -> Any:
    """`scipy.signal.sosfilt` without an initial state."""
    check_sections(sos, x)
    return filtering.in_sections(np.asarray(sos), x, axis)


def sosfilt(sos: Any, x: Any, axis: Any = -1, zi: Any = None) -> Any:
    """`scipy.signal.sosfilt` of which the initial state may be given."""
    if zi is None:
        return sosfilt_from_rest(sos, x, axis)
    y, state = told_by(ss.sosfilt, (sos, x, axis, zi), {})
    filtered, left = through_sections(np.asarray(sos), np.asarray(x), axis, np.asarray(zi))
    return as_given(y, filtered), as_given(state, left)


def check_sections(sos: Any, x: Any) -> None:
    """Raise what SciPy raises of what are no sections."""
    ss.sosfilt(sos, np.zeros(1, np.asarray(x).dtype))


def through_sections(sos: Any, x: Any, axis: Any, zi: Any) -> Any:
    """The same as `with_state` of one section after the other."""
    states = []
    for index in range(len(sos)):
        x, state = with_state(sos[index, :3], sos[index, 3:], x, axis, zi[index])
        states.append(state)
    return x, np.stack(states)


# Both ways. What begins in the steady state of its first sample gives what that brings for ever, and the
# response to what differs from it; of sections that is precise, as their coefficients are.


def filtfilt(
    b: Any,
    a: Any,
    x: Any,
    axis: Any = -1,
    padtype: Any = "odd",
    padlen: Any = None,
    method: Any = "pad",
    irlen: Any = None,
) -> Any:
    """`scipy.signal.filtfilt`."""
    value = told_by(ss.filtfilt, (b, a, x, axis, padtype, padlen, method, irlen), {})
    b, a, rows = np.atleast_1d(b), np.atleast_1d(a), np.moveaxis(np.asarray(x), axis, -1)
    if method == "gust":
        check_whole(irlen, rows.shape[-1])
        return as_given(value, np.moveaxis(by_best_states(b, a, rows), -1, axis))
    edge = edge_of(padtype, padlen, 3 * max(len(a), len(b)))
    state = waves.lfilter_zi(b, a)
    ext = extended(rows, edge, padtype)
    for _ in range(2):
        ext = np.flip(with_state(b, a, ext, -1, state * ext[..., :1])[0], -1)
    return as_given(value, np.moveaxis(ext[..., edge : edge + rows.shape[-1]], -1, axis))


def sosfiltfilt(sos: Any, x: Any, axis: Any = -1, padtype: Any = "odd", padlen: Any = None) -> Any:
    """`scipy.signal.sosfiltfilt`."""
    value = told_by(ss.sosfiltfilt, (sos, x, axis, padtype, padlen), {})
    sos, rows = np.asarray(sos), np.moveaxis(np.asarray(x), axis, -1)
    edge = edge_of(padtype, padlen, 3 * taps_of(sos))
    steady = np.prod(np.sum(sos[:, :3], axis=1) / np.sum(sos[:, 3:], axis=1))
    ext = extended(rows, edge, padtype)
    for _ in range(2):
        first = ext[..., :1]
        ext = np.flip(filtering.in_sections(sos, ext - first) + steady * first, -1)
    return as_given(value, np.moveaxis(ext[..., edge : edge + rows.shape[-1]], -1, axis))


def edge_of(padtype: Any, padlen: Any, usual: int) -> int:
    """By how much a signal is extended at each end."""
    if padtype is None:
        return 0
    return usual if padlen is None else int(padlen)


def taps_of(sos: Any) -> int:
    """The order of the filter of these sections, and one."""
    return int(2 * len(sos) + 1 - min(np.sum(sos[:, 2] == 0), np.sum(sos[:, 5] == 0)))


def extended(rows: Any, edge: int, way: Any) -> Any:
    """Signals made longer at each end: turned about their ends ("odd"), mirrored ("even"), or held."""
    if edge == 0 or way is None:
        return rows
    first, last = rows[..., :1], rows[..., -1:]
    before, behind = np.flip(rows[..., 1 : edge + 1], -1), np.flip(rows[..., -edge - 1 : -1], -1)
    if way == "odd":
        before, behind = 2 * first - before, 2 * last - behind
    elif way == "constant":
        before, behind = first + 0 * before, last + 0 * behind
    elif way == "zeros":
        before, behind = np.zeros_like(before), np.zeros_like(behind)
    return np.concatenate([before, rows, behind], axis=-1)


def by_best_states(b: Any, a: Any, rows: Any) -> Any:
    """Rows filtered both ways, from the states at both ends for which the order of the ways matters least.

    F. Gustafsson, Determining the initial states in forward-backward filtering (1996).
    """
    order, length = max(len(a), len(b)) - 1, rows.shape[-1]
    if order == 0:
        return (b[0] / a[0]) ** 2 * rows
    delayed = np.eye(order, length)
    free = np.transpose(ss.lfilter(filtering.one(a), a / a[0], delayed))
    turned = ss.lfilter(b, a, np.flip(free, 0), axis=0)
    forth = np.flip(ss.lfilter(b, a, np.flip(ss.lfilter(b, a, rows), -1)), -1)
    back = ss.lfilter(b, a, np.flip(ss.lfilter(b, a, np.flip(rows, -1)), -1))
    between = np.concatenate([np.flip(turned, 0) - free, np.flip(free, 0) - turned], axis=1)
    flat = np.reshape(back - forth, (-1, length))
    states = np.linalg.lstsq(between, np.transpose(flat), rcond=None)[0]
    brought = np.matmul(np.concatenate([np.flip(turned, 0), np.flip(free, 0)], axis=1), states)
    return forth + np.reshape(np.transpose(brought), rows.shape)


def check_whole(irlen: Any, length: int) -> None:
    """Refuse responses that are cut off."""
    if irlen is not None and length > 2 * irlen:
        raise MissingRuleError(
            "'scipy.signal.filtfilt' has no rule for irlen=.",
            why="the response is cut off",
            instead="leave it out",
        )


# Changes of the rate.


def decimate(
    x: Any, q: Any, n: Any = None, ftype: Any = "iir", axis: Any = -1, zero_phase: Any = True
) -> Any:
    """`scipy.signal.decimate` by one of the filters that it has a name for."""
    check_filter(ftype)
    value = told_by(ss.decimate, (x, q, n, ftype, axis, zero_phase), {})
    rows = np.moveaxis(np.asarray(x), axis, -1)
    if ftype == "fir":
        design = taps_by_hamming(q, n)
        if zero_phase:
            kept = ss.resample_poly(rows, 1, q, -1, design)
        else:
            kept = ss.upfirdn(design, rows, 1, q, -1)[..., : -(-rows.shape[-1] // q)]
    else:
        sections = sections_by_chebyshev(q, n)
        whole = ss.sosfiltfilt(sections, rows, -1) if zero_phase else ss.sosfilt(sections, rows, -1)
        kept = whole[..., ::q]
    return as_given(value, np.moveaxis(kept, -1, axis))


def taps_by_hamming(q: Any, n: Any) -> Any:
    """The filter without feedback by which `decimate` keeps every element of number `q`."""
    return np.asarray(ss.firwin((20 * q if n is None else n) + 1, 1.0 / q, window="hamming"))


def sections_by_chebyshev(q: Any, n: Any) -> Any:
    """The filter with feedback by which it does."""
    return ss.cheby1(8 if n is None else n, 0.05, 0.8 / q, output="sos")


def taps_by_name(window: Any, rate: int) -> Any:
    """The low pass with the window of this name, or the usual one."""
    return ss.firwin(20 * rate + 1, 1.0 / rate, window=("kaiser", 5.0) if window is None else window)


def resample_poly(
    x: Any,
    up: Any,
    down: Any,
    axis: Any = 0,
    window: Any = None,
    padtype: Any = "constant",
    cval: Any = None,
) -> Any:
    """`scipy.signal.resample_poly`: beyond the ends are statistics, or what `upfirdn` puts there."""
    value = told_by(
        ss.resample_poly, (x, up, down, axis), {"window": window, "padtype": padtype, "cval": cval}
    )
    rows, divisor = np.moveaxis(np.asarray(x), axis, -1), math.gcd(int(up), int(down))
    up, down = int(up) // divisor, int(down) // divisor
    if up == down:
        return as_given(value, x)
    behind = background(rows, padtype)
    design = low_pass(window, max(up, down)) * up
    half = (len(design) - 1) // 2
    before, count = down - half % down, np.shape(value)[axis]
    start = (half + before) // down
    needed = (start + count) * down - (rows.shape[-1] - 1) * up
    padded = np.concatenate([np.zeros(before), design, np.zeros(max(0, needed - before - len(design)))])
    mode = "constant" if padtype in BACKGROUNDS else padtype
    found = resampled(padded, rows - behind, up, down, mode, 0.0 if cval is None else cval)
    found = found[..., start : start + count]
    return as_given(value, np.moveaxis(found + behind, -1, axis))


BACKGROUNDS = ("mean", "median", "minimum", "maximum")
"""Statistics of a signal that may stand beyond its ends."""


def background(rows: Any, name: str) -> Any:
    """What stands beyond the ends of signals."""
    if name == "mean":
        return np.mean(rows, axis=-1, keepdims=True)
    if name == "median":
        return np.median(rows, axis=-1, keepdims=True)
    if name == "minimum":
        return np.min(rows, axis=-1, keepdims=True)
    if name == "maximum":
        return np.max(rows, axis=-1, keepdims=True)
    return 0.0


def low_pass(window: Any, rate: int) -> Any:
    """The filter that `resample_poly` designs, or is given."""
    if window is None or isinstance(window, str):
        return taps_by_name(window, rate)
    if isinstance(window, tuple):
        return ss.firwin(20 * rate + 1, 1.0 / rate, window=window)
    return np.asarray(window)


def check_filter(ftype: Any) -> None:
    """Refuse linear systems as filters."""
    if not isinstance(ftype, str):
        raise MissingRuleError(
            "'scipy.signal.decimate' has no rule for systems.",
            why="only filters by name have one",
            instead="filter the signal yourself, and take every `q`-th sample",
        )
