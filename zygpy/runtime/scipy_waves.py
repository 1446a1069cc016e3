"""Waves and states of filters of `scipy.signal` as plain programs.

This module is imported with the rules of `scipy.signal`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.signal as ss

from zygpy.errors import MissingRuleError
from zygpy.runtime.library_values import as_given, check_real, told_by
from zygpy.runtime.unsolvable import solved_or_nan


def sawtooth(t: Any, width: Any = 1) -> Any:
    """`scipy.signal.sawtooth`."""
    phase = np.mod(t, 2 * np.pi)
    width = np.asarray(width) + 0 * phase
    rising = phase < width * 2 * np.pi
    up = phase / (np.pi * np.where(width == 0, 1, width)) - 1
    down = (np.pi * (width + 1) - phase) / (np.pi * np.where(width == 1, 1, 1 - width))
    return np.where((width > 1) | (width < 0), np.nan, np.where(rising, up, down))


def lfilter_zi(b: Any, a: Any) -> Any:
    """`scipy.signal.lfilter_zi`: what the filter's delays hold in the steady state of a step."""
    b, a = np.atleast_1d(b), np.atleast_1d(a)
    check_filter(b, a)
    b, a = b / a[0], a / a[0]
    count = max(len(a), len(b))
    b = np.concatenate([b, np.zeros(count - len(b), b.dtype)])
    a = np.concatenate([a, np.zeros(count - len(a), a.dtype)])
    below = np.eye(count - 1, k=1)[:, 1:]
    companion = np.concatenate([np.expand_dims(-a[1:], -1), below], axis=1)
    return np.linalg.solve(np.eye(count - 1) - companion, b[1:] - a[1:] * b[0])


def check_filter(b: Any, a: Any) -> None:
    """Raise what SciPy raises of what is no filter."""
    ss.lfilter_zi(b, a)


def lfiltic(b: Any, a: Any, y: Any, x: Any = None) -> Any:
    """`scipy.signal.lfiltic`: SciPy divides by the first of `a` unless that is exactly 1."""
    value = told_by(ss.lfiltic, (b, a, y, x), {})
    b, a = np.atleast_1d(b), np.atleast_1d(a)
    count = np.shape(value)[0]
    left = -after(a, y, count)
    return as_given(value, (left if x is None else left + after(b, x, count)) / a[0])


def after(coefficients: Any, before: Any, count: int) -> Any:
    """What delays hold of what went through a filter of one side before, the last number first."""
    ahead = coefficients[1:]
    if len(ahead) == 0:
        return np.zeros(count)
    last = np.concatenate([before, np.zeros(len(ahead))])[: len(ahead)]
    held = np.convolve(ahead, last[::-1])[len(ahead) - 1 :]
    return np.concatenate([held, np.zeros(count - len(ahead), held.dtype)])


def freqz(
    b: Any,
    a: Any = 1,
    worN: Any = 512,  # noqa: N803 (SciPy's name)
    whole: Any = False,
    plot: Any = None,
    fs: Any = None,
    include_nyquist: Any = False,
) -> Any:
    """`scipy.signal.freqz` of coefficients that are vectors."""
    check_response(b, a, plot)
    found, value = told_by(ss.freqz, (b, a, worN, whole), {"fs": fs, "include_nyquist": include_nyquist})
    frequencies = frequencies_of(b, a, worN, whole, fs, include_nyquist)
    angles = frequencies if fs is None else 2 * np.pi * frequencies / fs
    response = polynomial_on_circle(b, angles) / polynomial_on_circle(a, angles)
    return as_given(found, frequencies), as_given(value, response)


def frequencies_of(b: Any, a: Any, given: Any, whole: Any, fs: Any, include_nyquist: Any) -> Any:
    """The frequencies that are asked for: themselves, or so many of them."""
    if given is None or (np.ndim(given) == 0 and np.asarray(given).dtype.kind in "iub"):
        angles = evenly_spaced(b, a, given, whole, include_nyquist)
        return angles if fs is None else angles * (fs / (2 * np.pi))
    return np.atleast_1d(np.asarray(given) * 1.0)


def evenly_spaced(b: Any, a: Any, given: Any, whole: Any, include_nyquist: Any) -> Any:
    """The angles that SciPy takes."""
    return ss.freqz(b, a, given, whole, include_nyquist=include_nyquist)[0]


def polynomial_on_circle(c: Any, angles: Any) -> Any:
    """A polynomial in the inverse of points on the unit circle."""
    c = np.atleast_1d(c)
    return np.matmul(np.exp(-1j * np.expand_dims(angles, -1) * np.arange(len(c))), c + 0j)


def check_response(b: Any, a: Any, plot: Any) -> None:
    """Refuse stacks of filters, and plots."""
    if np.ndim(b) > 1 or np.ndim(a) > 1 or plot is not None:
        raise MissingRuleError(
            "'scipy.signal.freqz' has no rule for stacks of filters or plots.",
            why="only the response of one filter has one",
            instead="call it for one filter after the other",
        )


def resample(x: Any, num: Any, t: Any = None, axis: Any = 0, window: Any = None, domain: Any = "time") -> Any:
    """`scipy.signal.resample`, by Fourier's method."""
    found = told_by(ss.resample, (x, num), {"t": t, "axis": axis, "window": window, "domain": domain})
    value = found if t is None else found[0]
    axis = axis if np.ndim(x) > 1 else -1  # of one axis, SciPy does not ask which
    rows = np.moveaxis(np.asarray(x), axis, -1)
    spectrum = np.fft.fft(rows, axis=-1) if domain == "time" else rows
    if window is not None:
        spectrum = spectrum * weights_of(window, rows.shape[-1])
    complete = np.fft.ifft(of_length(spectrum, num), axis=-1) * (num / rows.shape[-1])
    real = domain == "time" and not np.iscomplexobj(rows)
    computed = np.moveaxis(np.real(complete) if real else complete, -1, axis)
    check_same(value, computed)
    if t is None:
        return as_given(value, computed)
    places = t[0] + (t[1] - t[0]) * (rows.shape[-1] / num) * np.arange(num)
    return as_given(value, computed), as_given(found[1], places)


def weights_of(window: Any, count: int) -> Any:
    """By what `resample` multiplies each frequency."""
    if callable(window):
        return window(np.fft.fftfreq(count))
    if isinstance(window, np.ndarray):
        return window
    return np.fft.fftshift(ss.get_window(window, count))


def of_length(spectrum: Any, num: int) -> Any:
    """A spectrum with frequencies left out, or zeros put in between; the unpaired one is shared."""
    count = spectrum.shape[-1]
    shorter = min(num, count)
    half = shorter // 2
    low, high = spectrum[..., : half + 1], spectrum[..., count - (shorter - half - 1) :]
    if shorter % 2 == 0 and num < count:
        both = low[..., half:] + spectrum[..., count - half : count - half + 1]
        low = np.concatenate([low[..., :half], both], axis=-1)
    if shorter % 2 == 0 and num > count:
        part = low[..., half:] / 2
        low, high = np.concatenate([low[..., :half], part], axis=-1), np.concatenate([part, high], axis=-1)
    zeros = np.zeros((*spectrum.shape[:-1], num - low.shape[-1] - high.shape[-1]))
    return np.concatenate([low, zeros, high], axis=-1)


def check_same(value: Any, computed: Any) -> None:
    """Refuse windows by which SciPy multiplies in another way: complex ones of real samples."""
    if not np.allclose(value, computed, rtol=1e-4, atol=1e-4 * np.max(np.abs(value), initial=0.0)):
        raise MissingRuleError(
            "'scipy.signal.resample' has no rule for this window.",
            why="it is not symmetric",
            instead="multiply the spectrum of 'np.fft.fft' by the window",
        )


def freqz_sos(sos: Any, worN: Any = 512, whole: Any = False, fs: Any = 2 * np.pi) -> Any:  # noqa: N803
    """`scipy.signal.freqz_sos`."""
    found, value = told_by(ss.sosfreqz, (sos, worN, whole, fs), {})
    sos = np.asarray(sos)
    response: Any = 1.0
    frequencies = found
    for index in range(len(sos)):
        frequencies, one = ss.freqz(sos[index, :3], sos[index, 3:], worN=worN, whole=whole, fs=fs)
        response = response * one
    return as_given(found, frequencies), as_given(value, response)


def hilbert2(x: Any, N: Any = None, axes: Any = None) -> Any:  # noqa: N803
    """`scipy.signal.hilbert2`."""
    axes = (-2, -1) if axes is None else tuple(axes)
    value = told_by(ss.hilbert2, (x, N), {} if axes == (-2, -1) else {"axes": axes})
    rows = np.moveaxis(np.atleast_2d(x), axes, (-2, -1))
    lengths = np.moveaxis(value, axes, (-2, -1)).shape[-2:]
    kept = np.fft.ifft2(np.fft.fft2(rows, lengths, axes=(-2, -1)) * quadrants(lengths))
    return as_given(value, np.moveaxis(kept, (-2, -1), axes))


def quadrants(lengths: Any) -> Any:
    """By what `hilbert2` multiplies each frequency: what it makes of a pulse."""
    pulse = np.zeros(lengths)
    pulse[0, 0] = 1.0
    return np.round(np.real(np.fft.fft2(ss.hilbert2(pulse))))


def czt(x: Any, m: Any = None, w: Any = None, a: Any = 1 + 0j, *, axis: Any = -1) -> Any:
    """`scipy.signal.czt`."""
    value = told_by(ss.czt, (x, m, w, a), {"axis": axis})
    count = np.shape(x)[axis] if m is None else m
    ratio = np.exp(-2j * np.pi / count) if w is None else w
    return as_given(value, chirped(x, count, ratio, a, axis))


def chirped(x: Any, count: int, ratio: Any, start: Any, axis: int) -> Any:
    """The polynomial of these coefficients at so many points, of which each is the one before over `ratio`.

    By a convolution with a chirp: L. Bluestein, A linear filtering approach to the computation of the
    discrete Fourier transform (1970).
    """
    rows = np.moveaxis(np.asarray(x), axis, -1)
    given = rows.shape[-1]
    places = np.arange(float(max(count, given)))
    chirp = (ratio + 0j) ** (places**2 / 2)
    length = 1 << (given + count - 1).bit_length()
    inverse = 1 / np.concatenate([np.flip(chirp[1:given]), chirp[:count]])
    powers = (start + 0j) ** -places[:given]
    turned = np.fft.fft(rows * powers * chirp[:given], length) * np.fft.fft(inverse, length)
    found = np.fft.ifft(turned)[..., given - 1 : given + count - 1] * chirp[:count]
    return np.moveaxis(found, -1, axis)


def zoom_fft(x: Any, fn: Any, m: Any = None, *, fs: Any = 2, endpoint: Any = False, axis: Any = -1) -> Any:
    """`scipy.signal.zoom_fft`."""
    value = told_by(ss.zoom_fft, (x, fn, m), {"fs": fs, "endpoint": endpoint, "axis": axis})
    count = np.shape(x)[axis] if m is None else m
    low, high = (fn[0], fn[1]) if np.ndim(fn) else (0.0, fn)
    step = (high - low) / (fs * (count - 1 if endpoint else count))
    start = np.exp(2j * np.pi * low / fs)
    return as_given(value, chirped(x, count, np.exp(-2j * np.pi * step), start, axis))


def firls(numtaps: Any, bands: Any, desired: Any, *, weight: Any = None, fs: Any = None) -> Any:
    """`scipy.signal.firls`: least squares for the coefficients of a series of cosines.

    I. W. Selesnick, Linear-phase FIR filter design by least squares (2005).
    """
    check_real("scipy.signal.firls", bands, desired, weight)
    value = told_by(ss.firls, (numtaps, bands, desired), {"weight": weight, "fs": fs})
    bands = np.reshape(np.asarray(bands) / (1.0 if fs is None else fs / 2), (-1, 2))
    desired = np.reshape(np.asarray(desired) * 1.0, (-1, 2))
    weight = np.ones(len(desired)) if weight is None else np.ravel(weight)
    orders = np.arange(numtaps)[:, np.newaxis, np.newaxis]
    squares = np.matmul(np.diff(np.sinc(bands * orders) * bands, axis=2)[:, :, 0], weight)
    rows = np.arange((numtaps - 1) // 2 + 1)
    matrix = squares[np.abs(rows[:, np.newaxis] - rows)] + squares[rows[:, np.newaxis] + rows]
    orders = orders[: len(rows)]
    slope = np.diff(desired, axis=1) / np.diff(bands, axis=1)
    line = slope * bands + desired[:, :1] - bands[:, :1] * slope
    waves = np.cos(orders * np.pi * bands) / (np.pi * np.maximum(orders, 1)) ** 2
    inner = bands * line * np.sinc(bands * orders) + slope * np.where(orders == 0, -(bands**2) / 2, waves)
    c = solved_or_nan(matrix, np.matmul(np.diff(inner, axis=2)[:, :, 0], weight))
    return as_given(value, np.concatenate([np.flip(c[1:]), 2 * c[:1], c[1:]]))
