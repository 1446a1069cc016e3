"""Waves and states of filters of `scipy.signal` as plain programs.

This module is imported with the rules of `scipy.signal`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.signal as ss

from zygpy.errors import MissingRuleError


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
    frequencies = frequencies_of(b, a, worN, whole, fs, include_nyquist)
    angles = frequencies if fs is None else 2 * np.pi * frequencies / fs
    return frequencies, polynomial_on_circle(b, angles) / polynomial_on_circle(a, angles)


def frequencies_of(b: Any, a: Any, given: Any, whole: Any, fs: Any, include_nyquist: Any) -> Any:
    """The frequencies that are asked for: themselves, or so many of them."""
    if given is None or np.ndim(given) == 0:
        angles = evenly_spaced(b, a, given, whole, include_nyquist)
        return angles if fs is None else angles * (fs / (2 * np.pi))
    return np.asarray(given) * 1.0


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
    """`scipy.signal.resample` of samples in time without a window, by Fourier's method."""
    check_resampled(x, t, window, domain)
    rows = np.moveaxis(np.asarray(x), axis, -1)
    count = rows.shape[-1]
    shorter = min(num, count)
    spectrum = np.fft.fft(rows, axis=-1)
    half = shorter // 2
    low, high = spectrum[..., : half + 1], spectrum[..., count - (shorter - half - 1) :]
    if shorter % 2 == 0 and num < count:
        both = low[..., half:] + spectrum[..., count - half : count - half + 1]
        low = np.concatenate([low[..., :half], both], axis=-1)
    if shorter % 2 == 0 and num > count:
        part = low[..., half:] / 2
        low, high = np.concatenate([low[..., :half], part], axis=-1), np.concatenate([part, high], axis=-1)
    zeros = np.zeros((*rows.shape[:-1], num - low.shape[-1] - high.shape[-1]))
    found = np.fft.ifft(np.concatenate([low, zeros, high], axis=-1), axis=-1) * (num / count)
    return np.moveaxis(found if np.iscomplexobj(rows) else np.real(found), -1, axis)


def check_resampled(x: Any, t: Any, window: Any, domain: Any) -> None:
    """Refuse what is more than samples in time."""
    if t is not None or window is not None or domain != "time":
        raise MissingRuleError(
            "'scipy.signal.resample' has no rule for times, windows and spectra.",
            why="only samples in time have one",
            instead="multiply the spectrum of 'np.fft.fft' by the window",
        )
