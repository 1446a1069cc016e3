"""Rules of `scipy.signal`: convolutions, and filters that are linear in the signal.

A convolution's transpose is a correlation; that of a recursive filter is the filter with time turned round.
"""

from __future__ import annotations

import scipy.signal as ss

from zygpy.rules.declare import library, non_differentiable, rule
from zygpy.runtime import filtering

library("ss", ss)
library("filtering", filtering)

# Convolutions.

_FULL = "filtering.widened(y_bar, shape(in1), shape(in2), mode)"
rule(
    ss.convolve,
    "y = convolve(in1, in2, mode='full', method='auto')",
    in1_bar=f"ss.correlate({_FULL}, in2, 'valid', method)",
    in2_bar=f"ss.correlate({_FULL}, in1, 'valid', method)",
)
rule(
    ss.correlate,
    "y = correlate(in1, in2, mode='full', method='auto')",
    in1_bar=f"ss.convolve({_FULL}, in2, 'valid', method)",
    in2_bar=f"conj(np.flip(ss.correlate({_FULL}, in1, 'valid', method)))",
)
rule(
    ss.convolve2d,
    "y = convolve2d(in1, in2, mode='full')",
    in1_bar=f"ss.correlate2d({_FULL}, in2, 'valid')",
    in2_bar=f"ss.correlate2d({_FULL}, in1, 'valid')",
)
# Where the second operand is the larger one, SciPy does not conjugate what it should.
_LATE = "filtering.widened(filtering.swapped(y_bar, shape(in1), shape(in2), mode), shape(in1), shape(in2),"
_LATE += " 'late' if mode == 'same' else mode)"
rule(
    ss.correlate2d,
    "y = correlate2d(in1, in2, mode='full')",
    in1_bar=f"ss.convolve2d({_LATE}, in2, 'valid')",
    in2_bar=f"conj(np.flip(ss.correlate2d({_LATE}, in1, 'valid')))",
)
rule(
    filtering.swapped,
    "y = swapped(value, first, second, mode)",
    value_bar="filtering.swapped(y_bar, first, second, mode)",
    value_dot="filtering.swapped(y_bar, first, second, mode)",
)
_FULL = "filtering.widened(y_bar, shape(in1), shape(in2), mode, axes)"
_OTHER = "unbroadcast(ss.{}({}, conj(filtering.turned({}, axes)), 'valid', axes), shape({}))"
for _function in (ss.fftconvolve, ss.oaconvolve):
    _name = _function.__name__
    rule(
        _function,
        f"y = {_name}(in1, in2, mode='full', axes=None)",
        in1_bar=_OTHER.format(_name, _FULL, "in2", "in1"),
        in2_bar=_OTHER.format(_name, _FULL, "in1", "in2"),
    )
rule(
    filtering.widened,
    "y = widened(value, first, second, mode, axes=None)",
    value_bar="filtering.narrowed(y_bar, shape(value), first, second, mode, axes)",
)
rule(
    filtering.narrowed,
    "y = narrowed(value, like, first, second, mode, axes=None)",
    value_bar="filtering.widened(y_bar, first, second, mode, axes)",
)
rule(filtering.turned, "y = turned(value, axes)", value_bar="filtering.turned(y_bar, axes)")

# Recursive filters: of A y = B x the cotangent of A y is v, where A^H v = y_bar.

_BACK = "np.flip(ss.lfilter(filtering.one(a), conj(a), np.flip(y_bar, axis), axis), axis)"
rule(
    ss.lfilter,
    "y = lfilter(b, a, x, axis=-1)",
    b_bar=f"np.reshape(filtering.lag_products({_BACK}, x, size(b), axis), shape(b))",
    a_bar=f"-np.reshape(filtering.lag_products({_BACK}, y, size(a), axis), shape(a))",
    x_bar="np.flip(ss.lfilter(conj(b), conj(a), np.flip(y_bar, axis), axis), axis)",
    b_dot="ss.lfilter(y_bar, a, x, axis)",
    a_dot="-ss.lfilter(y_bar, a, y, axis)",
    x_dot="ss.lfilter(b, a, y_bar, axis)",
    kind="filtered",
)
rule(
    filtering.lag_products,
    "y = lag_products(v, x, count, axis=-1)",
    v_bar="ss.lfilter(y_bar, filtering.one(x), x, axis)",
    x_bar="np.flip(ss.lfilter(conj(y_bar), filtering.one(v), np.flip(v, axis), axis), axis)",
)
rule(
    filtering.in_sections,
    "y = in_sections(sos, x, axis=-1)",
    sos_bar="filtering.to_sections(sos, x, y_bar, axis)",
    x_bar="np.flip(filtering.in_sections(conj(sos), np.flip(y_bar, axis), axis), axis)",
    sos_dot="filtering.along_sections(sos, x, y_bar, axis)",
    x_dot="filtering.in_sections(sos, y_bar, axis)",
    kind="filtered",
)

non_differentiable(filtering.one, kind="array", call="y = one(x)")

# Changes of the rate.

_RAISED = "filtering.stretched(y_bar, down, (np.shape(x)[axis] - 1) * up + size(h), axis)"
rule(
    ss.upfirdn,
    "y = upfirdn(h, x, up=1, down=1, axis=-1)",
    h_bar=f"filtering.lag_products({_RAISED},"
    " filtering.stretched(x, up, (np.shape(x)[axis] - 1) * up + size(h), axis), size(h), axis)",
    x_bar="filtering.every(np.flip(ss.lfilter(conj(h), filtering.one(h), np.flip("
    + _RAISED.replace("np.shape(x)", "shape(x)")
    + ", axis), axis), axis), up, shape(x)[axis], axis)",
)
rule(
    filtering.stretched,
    "y = stretched(value, step, length, axis=-1)",
    value_bar="filtering.every(y_bar, step, shape(value)[axis], axis)",
    kind="like value",
)
rule(
    filtering.every,
    "y = every(value, step, count, axis=-1)",
    value_bar="filtering.stretched(y_bar, step, shape(value)[axis], axis)",
    kind="like value",
)

# A design by steps of exchange, which are not written in Python.

_EXCHANGED = "the design is found by steps that are not followed; design by 'firls' or 'firwin2' instead"
rule(
    ss.remez,
    "y = remez(numtaps, bands, desired, *, weight=None, type='bandpass', maxiter=25, grid_density=16,"
    " fs=None)",
    refused=dict.fromkeys(("bands", "desired", "weight", "fs"), _EXCHANGED),
    kind="array",
)

# Others that are linear: a projection, which is symmetric, and an antisymmetric part.

rule(
    ss.detrend,
    "y = detrend(data, axis=-1, type='linear', bp=0)",
    data_bar="ss.detrend(y_bar, axis, type, bp)",
    kind="same precision",
)
rule(
    ss.hilbert,
    "y = hilbert(x, N=None, axis=-1)",
    x_bar="filtering.resized("
    "np.real(y_bar) - np.imag(ss.hilbert(np.imag(y_bar), None, axis)), shape(x)[axis], axis)",
    kind="complex-or-array",
)
rule(
    filtering.resized,
    "y = resized(value, length, axis=-1)",
    value_bar="filtering.resized(y_bar, shape(value)[axis], axis)",
    kind="like value",
)
rule(
    ss.savgol_filter,
    "y = savgol_filter(x, window_length, polyorder, deriv=0, delta=1.0, axis=-1)",
    x_bar="filtering.smoothing_transpose(y_bar, window_length, polyorder, deriv, delta, axis)",
    delta_bar="-deriv * np.real(np.sum(y_bar * conj(y))) * conj((1.0 * delta) ** (-1 - deriv))"
    " / np.real((1.0 * delta) ** -deriv)",
    x_dot="ss.savgol_filter(y_bar, window_length, polyorder, deriv, delta, axis)",
    delta_dot="-deriv * np.real(y_bar * (1.0 * delta) ** (-1 - deriv)) * y"
    " / np.real((1.0 * delta) ** -deriv)",
    note="The result is multiplied by the real part of `delta ** -deriv`.",
)
rule(
    filtering.smoothing_transpose,
    "y = smoothing_transpose(value, window_length, polyorder, deriv=0, delta=1.0, axis=-1)",
    value_bar="ss.savgol_filter(y_bar, window_length, polyorder, deriv, delta, axis)",
    delta_bar="-deriv * np.real(np.sum(y_bar * conj(y))) * conj((1.0 * delta) ** (-1 - deriv))"
    " / np.real((1.0 * delta) ** -deriv)",
    value_dot="filtering.smoothing_transpose(y_bar, window_length, polyorder, deriv, delta, axis)",
    delta_dot="-deriv * np.real(y_bar * (1.0 * delta) ** (-1 - deriv)) * y"
    " / np.real((1.0 * delta) ** -deriv)",
)
