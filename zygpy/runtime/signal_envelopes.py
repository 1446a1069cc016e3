"""Envelopes of `scipy.signal` as a program.

This module is imported with the rules of `scipy.signal`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.signal as ss

from zygpy.runtime.library_values import as_given, told_by


def envelope(
    z: Any,
    bp_in: Any = None,
    *,
    n_out: Any = None,
    squared: Any = False,
    residual: Any = "lowpass",
    axis: Any = -1,
) -> Any:
    """`scipy.signal.envelope`."""
    bp_in = (1, None) if bp_in is None else bp_in
    value = told_by(envelope_found, (z, bp_in, n_out, squared, residual, axis), {})
    rows = np.moveaxis(np.asarray(z), axis, -1)
    count = rows.shape[-1]
    length = count if n_out is None else n_out
    start, stop = band_of(bp_in, count)
    spectrum = np.fft.fft(rows) * band_weights(count, start, stop, np.iscomplexobj(rows))
    shifted = np.fft.fftshift(spectrum, axes=-1)[..., start + count // 2 : stop + count // 2]
    inner = np.fft.ifft(shifted, length) * (length / count)
    inner = np.abs(inner) if not squared else np.real(inner) ** 2 + np.imag(inner) ** 2
    inner = np.moveaxis(inner, -1, axis)
    if residual is None:
        return as_given(value, inner)
    rest = spectrum * rest_weights(count, start, stop, residual)
    if np.iscomplexobj(rows):
        outer = ss.resample(np.fft.ifft(rest), length, axis=-1)
    else:
        outer = np.fft.irfft(rest * unpaired(count, length), length) * (length / count)
    outer = np.moveaxis(outer, -1, axis)
    return as_given(value, np.stack([inner + np.zeros_like(outer), outer]))


def envelope_found(z: Any, bp_in: Any, n_out: Any, squared: Any, residual: Any, axis: Any) -> Any:
    """What `scipy.signal.envelope` gives."""
    return ss.envelope(z, bp_in, n_out=n_out, squared=squared, residual=residual, axis=axis)


def band_of(given: Any, count: int) -> Any:
    """The first frequency of a band, and the one behind its last."""
    start = -(count // 2) if given[0] is None else given[0]
    return start, (count + 1) // 2 if given[1] is None else given[1]


def band_weights(count: int, start: int, stop: int, is_complex: bool) -> Any:
    """By what frequencies of a signal are multiplied, in the order of transforms."""
    weights = np.ones(count)
    if not is_complex:
        weights[count // 2 + 1 :] = 0.0
        if start > 0:
            weights[start:stop] *= 2
        elif stop > 0:
            weights[1:stop] *= 2
    return weights


def rest_weights(count: int, start: int, stop: int, residual: Any) -> Any:
    """1 for the frequencies beside a band, for "lowpass" below it alone, else 0."""
    weights = np.ones(count)
    if start <= 0 < stop:
        weights[:stop] = weights[start:] = 0.0
    else:
        weights[start:stop] = 0.0
    if residual == "lowpass" and stop > 0:
        weights[stop : (count + 1) // 2] = 0.0
    elif residual == "lowpass":
        weights[start:] = weights[: (count + 1) // 2] = 0.0
    return weights


def unpaired(count: int, length: int) -> Any:
    """2 or 1/2 for the frequency that has no negative one where a length changes, else 1."""
    weights = np.ones(count)
    shorter = min(count, length)
    if length != count and shorter % 2 == 0:
        weights[shorter // 2] = 2.0 if length < count else 0.5
    return weights
