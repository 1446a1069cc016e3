"""Spectra of `scipy.signal`, of signals taken apart into segments, as programs that are differentiated.

The values are SciPy's own; beside them they are computed in operations that have rules. This module is
imported with the rules of `scipy.signal`, never by zygpy itself. Source of the formulas: P. D. Welch, The use
of the fast Fourier transform for the estimation of power spectra (1967).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.signal as ss

from zygpy.errors import MissingRuleError
from zygpy.runtime import filtering
from zygpy.runtime.library_values import as_computed, as_given, told_by
from zygpy.runtime.signal_states import extended

WINDOW = "hann"
"""The window that SciPy takes where none is given."""


def csd(
    x: Any,
    y: Any,
    fs: Any = 1.0,
    window: Any = None,
    nperseg: Any = None,
    noverlap: Any = None,
    nfft: Any = None,
    detrend: Any = "constant",
    return_onesided: Any = True,
    scaling: Any = "density",
    axis: Any = -1,
    average: Any = "mean",
) -> Any:
    """`scipy.signal.csd`."""
    check_segments("csd", detrend, window)
    options = {
        "window": window, "nperseg": nperseg, "noverlap": noverlap, "nfft": nfft, "detrend": detrend,
        "return_onesided": return_onesided, "scaling": scaling, "axis": axis, "average": average,
    }  # fmt: skip
    found, value = told_by(ss.csd, (x, y, fs), options)
    if np.size(value) == 0:
        return found, value
    layout = layout_of(window, nperseg, noverlap, nfft, longer(x, y, axis))
    onesided = return_onesided and not np.iscomplexobj(x) and not np.iscomplexobj(y)
    power = cross_power(x, y, fs, layout, detrend, onesided, scaling, axis)
    computed = np.moveaxis(averaged(power, average), -1, axis)
    return as_given(found, fs * unit_frequencies(layout, onesided)), as_given(value, computed)


def welch(
    x: Any,
    fs: Any = 1.0,
    window: Any = None,
    nperseg: Any = None,
    noverlap: Any = None,
    nfft: Any = None,
    detrend: Any = "constant",
    return_onesided: Any = True,
    scaling: Any = "density",
    axis: Any = -1,
    average: Any = "mean",
) -> Any:
    """`scipy.signal.welch`."""
    check_segments("welch", detrend, window)
    options = {
        "window": window, "nperseg": nperseg, "noverlap": noverlap, "nfft": nfft, "detrend": detrend,
        "return_onesided": return_onesided, "scaling": scaling, "axis": axis, "average": average,
    }  # fmt: skip
    found, value = told_by(ss.welch, (x, fs), options)
    if np.size(value) == 0:
        return found, like_nothing(value, x)
    layout = layout_of(window, nperseg, noverlap, nfft, np.shape(x)[axis])
    onesided = return_onesided and not np.iscomplexobj(x)
    power = cross_power(x, x, fs, layout, detrend, onesided, scaling, axis)
    computed = np.moveaxis(np.real(averaged(power, average)), -1, axis)
    return as_given(found, fs * unit_frequencies(layout, onesided)), as_computed(value, computed, x)


def like_nothing(value: Any, x: Any) -> Any:
    """What SciPy gives for a signal that is empty, of which nothing depends on it."""
    return as_computed(value, np.real(np.asarray(x)) * 1.0, x)


def periodogram(
    x: Any,
    fs: Any = 1.0,
    window: Any = None,
    nfft: Any = None,
    detrend: Any = "constant",
    return_onesided: Any = True,
    scaling: Any = "density",
    axis: Any = -1,
) -> Any:
    """`scipy.signal.periodogram`."""
    check_segments("periodogram", detrend, window)
    options = {
        "window": window, "nfft": nfft, "detrend": detrend, "return_onesided": return_onesided,
        "scaling": scaling, "axis": axis,
    }  # fmt: skip
    found, value = told_by(ss.periodogram, (x, fs), options)
    if np.size(value) == 0:
        return found, like_nothing(value, x)
    rows = np.moveaxis(np.asarray(x), axis, -1)
    count = rows.shape[-1] if nfft is None else min(nfft, rows.shape[-1])
    rows = rows[..., :count]
    layout = layout_of("boxcar" if window is None else window, count, 0, nfft, count)
    onesided = return_onesided and not np.iscomplexobj(x)
    power = cross_power(rows, rows, fs, layout, detrend, onesided, scaling, -1)
    computed = np.moveaxis(np.real(power[..., 0, :]), -1, axis)
    return as_given(found, fs * unit_frequencies(layout, onesided)), as_computed(value, computed, x)


def coherence(
    x: Any,
    y: Any,
    fs: Any = 1.0,
    window: Any = None,
    nperseg: Any = None,
    noverlap: Any = None,
    nfft: Any = None,
    detrend: Any = "constant",
    axis: Any = -1,
) -> Any:
    """`scipy.signal.coherence`."""
    check_segments("coherence", detrend, window)
    options = {
        "window": window, "nperseg": nperseg, "noverlap": noverlap, "nfft": nfft, "detrend": detrend,
        "axis": axis,
    }  # fmt: skip
    found, value = told_by(ss.coherence, (x, y, fs), options)
    if np.size(value) == 0:
        return found, value
    layout = layout_of(window, nperseg, noverlap, nfft, longer(x, y, axis))
    onesided = not np.iscomplexobj(x) and not np.iscomplexobj(y)
    cross = mean_power(x, y, layout, detrend, onesided, axis)
    first = mean_power(x, x, layout, detrend, onesided, axis)
    second = mean_power(y, y, layout, detrend, onesided, axis)
    computed = np.abs(cross) ** 2 / (np.real(first) * np.real(second))
    return as_given(found, fs * unit_frequencies(layout, onesided)), as_given(value, computed)


def mean_power(x: Any, y: Any, layout: Any, detrend: Any, onesided: bool, axis: Any) -> Any:
    """The mean over segments of products of amplitudes, in units that do not matter."""
    power = cross_power(x, y, 1.0, layout, detrend, onesided, "spectrum", axis)
    return np.moveaxis(np.mean(power, axis=-2), -1, axis)


def spectrogram(
    x: Any,
    fs: Any = 1.0,
    window: Any = None,
    nperseg: Any = None,
    noverlap: Any = None,
    nfft: Any = None,
    detrend: Any = "constant",
    return_onesided: Any = True,
    scaling: Any = "density",
    axis: Any = -1,
    mode: Any = "psd",
) -> Any:
    """`scipy.signal.spectrogram`."""
    check_segments("spectrogram", detrend, window)
    options = {
        "window": window, "nperseg": nperseg, "noverlap": noverlap, "nfft": nfft, "detrend": detrend,
        "return_onesided": return_onesided, "scaling": scaling, "axis": axis, "mode": mode,
    }  # fmt: skip
    found, times, value = told_by(ss.spectrogram, (x, fs), options)
    if np.size(value) == 0:
        return found, times, like_nothing(value, x)
    layout = layout_of(("tukey", 0.25) if window is None else window, nperseg, noverlap, nfft,
                       np.shape(x)[axis], 8)  # fmt: skip
    onesided = return_onesided and not np.iscomplexobj(x)
    if mode == "psd":
        power = np.real(cross_power(x, x, fs, layout, detrend, onesided, scaling, axis))
    else:
        power = amplitudes(np.moveaxis(np.asarray(x), axis, -1), fs, layout, detrend, onesided, scaling)
        power = in_mode(power, mode)
    computed = np.moveaxis(np.swapaxes(power, -1, -2), -2, axis if axis >= 0 else axis - 1)
    return (
        as_given(found, fs * unit_frequencies(layout, onesided)),
        as_given(times, (np.arange(len(times)) * layout[1] + len(layout[0]) / 2) / fs),
        as_computed(value, computed, x),
    )


def in_mode(amplitude: Any, mode: str) -> Any:
    """What `spectrogram` shows of amplitudes, along whose last axis are frequencies."""
    if mode == "magnitude":
        return np.abs(amplitude)
    if mode == "complex":
        return amplitude
    angle = np.angle(amplitude)
    return angle if mode == "angle" else np.unwrap(angle, axis=-1)


def stft(
    x: Any,
    fs: Any = 1.0,
    window: Any = None,
    nperseg: Any = 256,
    noverlap: Any = None,
    nfft: Any = None,
    detrend: Any = False,
    return_onesided: Any = True,
    boundary: Any = "zeros",
    padded: Any = True,
    axis: Any = -1,
    scaling: Any = "spectrum",
) -> Any:
    """`scipy.signal.stft`."""
    check_segments("stft", detrend, window)
    rest = (nperseg, noverlap, nfft, detrend, return_onesided, boundary, padded, axis, scaling)
    given = (x, fs, WINDOW if window is None else window, *rest)
    found, times, value = told_by(ss.stft, given, {})
    if np.size(value) == 0:
        return found, times, like_nothing(value, x)
    rows = np.moveaxis(np.asarray(x), axis, -1)
    layout = layout_of(window, nperseg, noverlap, nfft, rows.shape[-1])
    width, step = len(layout[0]), layout[1]
    rows = extended(rows, width // 2, boundary)
    if padded:
        rows = filtering.resized(rows, rows.shape[-1] + -(rows.shape[-1] - width) % step % width)
    onesided = return_onesided and not np.iscomplexobj(x)
    kind = "density" if scaling == "psd" else scaling
    result = amplitudes(rows, fs, layout, detrend, onesided, kind)
    computed = np.moveaxis(np.swapaxes(result, -1, -2), -2, axis if axis >= 0 else axis - 1)
    start = 0.0 if boundary is not None else width / 2
    return (
        as_given(found, fs * unit_frequencies(layout, onesided)),
        as_given(times, (np.arange(len(times)) * step + start) / fs),
        as_computed(value, computed, x),
    )


# Segments.


def layout_of(window: Any, nperseg: Any, noverlap: Any, nfft: Any, length: int, share: int = 2) -> Any:
    """The window, how far a segment lies behind the one before, and how long its transform is."""
    window = window_of(window, nperseg, length)
    width = window.shape[0]
    step = width - (width // share if noverlap is None else int(noverlap))
    return window, step, width if nfft is None else int(nfft)


def window_of(window: Any, nperseg: Any, length: int) -> Any:
    """The window as an array of floats."""
    if isinstance(window, ENTRIES):
        return np.asarray(window) * 1.0
    return named_window(window, nperseg, length)


ENTRIES = (np.ndarray, list)
"""Classes of windows that are given by their entries."""


def named_window(window: Any, nperseg: Any, length: int) -> Any:
    """The window of a name, with its parameters, for segments of this length."""
    if not (window is None or isinstance(window, str | tuple)):
        return np.asarray(window) * 1.0
    size = min(256 if nperseg is None else int(nperseg), length)
    return ss.get_window(WINDOW if window is None else window, size)


def longer(x: Any, y: Any, axis: Any) -> int:
    """The length of the longer of two signals."""
    return int(max(np.shape(x)[axis], np.shape(y)[axis]))


def unit_frequencies(layout: Any, onesided: bool) -> Any:
    """The frequencies for samples at unit distance."""
    return np.fft.rfftfreq(layout[2]) if onesided else np.fft.fftfreq(layout[2])


def amplitudes(rows: Any, fs: Any, layout: Any, detrend: Any, onesided: bool, scaling: str) -> Any:
    """The transforms of the segments of signals: axes of segments and frequencies in place of the last."""
    window, step, nfft = layout
    frames = filtering.framed(rows, window.shape[0], step)
    if detrend:
        frames = ss.detrend(frames, type=detrend)
    frames = frames * window
    found = np.fft.rfft(frames, nfft) if onesided else np.fft.fft(frames, nfft)
    return found / (np.sqrt(fs * np.sum(window**2)) if scaling == "density" else np.abs(np.sum(window)))


def cross_power(
    x: Any, y: Any, fs: Any, layout: Any, detrend: Any, onesided: bool, scaling: str, axis: Any
) -> Any:
    """The products of the amplitudes of two signals, of which the shorter is continued with zeros."""
    length = longer(x, y, axis)
    first = filtering.resized(np.moveaxis(np.asarray(x), axis, -1), length)
    second = filtering.resized(np.moveaxis(np.asarray(y), axis, -1), length)
    first = amplitudes(first, fs, layout, detrend, onesided, scaling)
    second = amplitudes(second, fs, layout, detrend, onesided, scaling)
    return np.conj(first) * second * folded(layout[2], onesided)


def folded(nfft: int, onesided: bool) -> Any:
    """2 for frequencies that stand for their negative ones too, else 1."""
    if not onesided:
        return np.ones(nfft)
    counts = np.full(nfft // 2 + 1, 2.0)
    counts[0] = 1.0
    if nfft % 2 == 0:
        counts[-1] = 1.0
    return counts


def averaged(power: Any, average: str) -> Any:
    """The mean over segments, or their median without its bias, of real and imaginary parts apart."""
    count = power.shape[-2]
    if average == "mean" or count == 1:
        return np.mean(power, axis=-2)
    middle = np.median(np.real(power), axis=-2) + 1j * np.median(np.imag(power), axis=-2)
    return middle / median_bias(count)


def median_bias(count: int) -> float:
    """How much larger the median of so many powers of noise is than their mean."""
    even = 2.0 * np.arange(1, (count - 1) // 2 + 1)
    return float(1 + np.sum(1 / (even + 1) - 1 / even))


def check_segments(name: str, detrend: Any, window: Any) -> None:
    """Refuse functions for trends, and complex windows."""
    if callable(detrend) or np.iscomplexobj(window):
        raise MissingRuleError(
            f"'scipy.signal.{name}' has no rule for functions as detrend=, or complex windows.",
            why="only trends that SciPy takes away itself have one",
            instead="take the trend of the signal away before",
        )


# Samples at any times.


def lombscargle(
    x: Any,
    y: Any,
    freqs: Any,
    precenter: Any = None,
    normalize: Any = None,
    *,
    weights: Any = None,
    floating_mean: Any = None,
) -> Any:
    """`scipy.signal.lombscargle`.

    M. Zechmeister and M. Kuerster, The generalised Lomb-Scargle periodogram (2009).
    """
    keywords = {
        "precenter": precenter, "normalize": normalize, "weights": weights, "floating_mean": floating_mean,
    }  # fmt: skip
    value = told_by(ss.lombscargle, (x, y, freqs), keywords)
    y, count = np.asarray(y) * 1.0, np.size(x)
    if precenter:
        y = y - np.mean(y)
    weights = np.ones(count) if weights is None else np.asarray(weights) * 1.0
    weights = weights / np.sum(weights)
    angles = np.expand_dims(np.asarray(freqs) * 1.0, -1) * (np.asarray(x) * 1.0)
    mean = 1.0 if floating_mean else 0.0
    even, odd, between = second_moments(angles, weights, mean)
    tau = 0.5 * np.arctan2(2.0 * between, even - odd)
    turned = angles - np.expand_dims(tau, -1)
    even, odd, _ = second_moments(turned, weights, mean)
    centered = weights * (y - mean * np.sum(weights * y))
    c, s = np.sum(centered * np.cos(turned), axis=-1), np.sum(centered * np.sin(turned), axis=-1)
    least = np.finfo(float).epsneg
    a, b = c / np.where(even < least, least, even), s / np.where(odd < least, least, odd)
    found = normalized(2.0 * (a * c + b * s), a, b, tau, np.sum(centered * y), count, normalize)
    return as_given(value, np.reshape(found, np.shape(value)))


def second_moments(angles: Any, weights: Any, mean: float) -> Any:
    """Weighted means of squared cosines, squared sines and products, without the means if `mean` is 1."""
    cosines, sines = np.cos(angles), np.sin(angles)
    c, s = np.sum(weights * cosines, axis=-1), np.sum(weights * sines, axis=-1)
    even, between = np.sum(weights * cosines**2, axis=-1), np.sum(weights * cosines * sines, axis=-1)
    return even - mean * c * c, 1.0 - even - mean * s * s, between - mean * c * s


def normalized(power: Any, a: Any, b: Any, tau: Any, square: Any, count: int, normalize: Any) -> Any:
    """A power in the units that are asked for."""
    if isinstance(normalize, str) and normalize == "amplitude":
        return (a + 1j * b) * np.exp(1j * tau)
    if normalize is None or (isinstance(normalize, str) and normalize == "power") or not normalize:
        return power * (count / 4.0)
    return power * (0.5 / square)
