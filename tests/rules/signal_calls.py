"""Calls of functions of `scipy.signal` and `scipy.integrate`, and of the helpers of their rules."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.integrate as si
import scipy.signal as ss

from tests.rules.array_calls import Call, array, call
from zygpy.runtime import filtering, running_integrals

MODES = ("full", "same", "valid")


def convolutions() -> Iterator[Call]:
    pairs = ((array(6), array(3)), (array(6), array(4)), (array(4, 5), array(2, 3)))
    for function in (ss.convolve, ss.correlate, ss.fftconvolve, ss.oaconvolve):
        for a, b in pairs:
            for mode in MODES:
                yield call(function, a, b, mode)
                yield call(function, b, a, mode)
        yield call(function, array(4), array(3))
    yield from convolutions_by_method()
    for function in (ss.fftconvolve, ss.oaconvolve):
        yield call(function, array(2, 6), array(2, 3), "same", axes=1)
        yield call(function, array(2, 6), array(1, 3), axes=-1)
        yield call(function, array(6, 2), array(3, 1), "valid", axes=[0])
    for function in (ss.convolve2d, ss.correlate2d):
        for mode in MODES:
            yield call(function, array(4, 5), array(2, 3), mode)
            yield call(function, array(2, 3), array(4, 5), mode)


def convolutions_by_method() -> Iterator[Call]:
    for function in (ss.convolve, ss.correlate):
        for method in ("direct", "fft"):
            yield call(function, array(5), array(2), "same", method=method)
            yield call(function, array(2), array(5), "same", method=method)


def filters() -> Iterator[Call]:
    b, a, x = np.array([1.0, 0.5, -0.3]), np.array([1.5, 0.4]), array(3, 7)
    yield call(ss.lfilter, b, a, array(6))
    yield call(ss.lfilter, b, a, x)
    yield call(ss.lfilter, a, b, x, axis=0)
    yield call(ss.lfilter, b, [1.0], array(2))
    sos = np.array([[1.0, 0.5, 0.1, 1.0, 0.2, 0.1], [1.0, -0.5, 0.3, 1.0, 0.1, -0.1]])
    yield call(filtering.in_sections, sos, x)
    yield call(filtering.in_sections, sos, x, axis=0)
    for up, down in ((1, 1), (2, 1), (1, 3), (2, 3), (5, 2)):
        yield call(ss.upfirdn, array(4), array(6), up, down)
        yield call(ss.upfirdn, array(3), x, up, down, axis=0)
    for keywords in ({}, {"axis": 0}, {"type": "constant"}, {"bp": 3}):
        yield call(ss.detrend, x, **keywords)
    for keywords in ({}, {"axis": 0}, {"N": 5}, {"N": 10}):
        yield call(ss.hilbert, x, **keywords)
    for keywords in ({}, {"deriv": 1, "delta": 1.0}, {"axis": 0}):
        yield call(ss.savgol_filter, array(9, 8), 5, 2, **keywords)
    yield call(ss.savgol_filter, array(9), 5, 2, 1, 0.7)
    yield call(ss.savgol_filter, array(9), 5, 3, deriv=2, delta=0.7)
    yield call(filtering.smoothing_transpose, array(9), 5, 2, 1, 0.7)


def helper_calls() -> Iterator[Call]:
    for mode, length in (("full", 7), ("same", 5), ("valid", 3)):
        yield call(filtering.widened, array(length), (5,), (3,), mode)
        yield call(filtering.narrowed, array(7), (length,), (5,), (3,), mode)
    yield call(filtering.widened, array(2, 3), (2, 5), (2, 3), "valid", 1)
    yield call(filtering.turned, array(2, 3), 1)
    yield call(filtering.turned, array(2, 3), None)
    yield call(filtering.lag_products, array(2, 5), array(2, 5, start=9), 3)
    yield call(filtering.lag_products, array(2, 5), array(2, 5, start=9), 3, axis=0)
    yield call(filtering.stretched, array(2, 3), 2, 8)
    yield call(filtering.stretched, array(2, 3), 2, 3, axis=0)
    yield call(filtering.every, array(2, 8), 3, 2)
    for width, step in ((3, 2), (2, 3), (5, 1)):
        yield call(filtering.framed, array(2, 7), width, step)
        yield call(filtering.overlapped, filtering.framed(array(2, 7), width, step), step, 7)
    yield call(filtering.resized, array(2, 3), 5)
    yield call(filtering.resized, array(2, 3), 1, axis=0)
    yield call(filtering.smoothing_transpose, array(9), 5, 2)


def running() -> Iterator[Call]:
    f, x = array(3, 5), np.array([0.0, 0.7, 1.5, 1.7, 3.0])
    for keywords in ({}, {"dx": 0.5}, {"axis": 0}, {"initial": 0}, {"axis": 0, "dx": 0.5, "initial": 0}):
        yield call(si.cumulative_trapezoid, f, **keywords)
    for keywords in ({}, {"dx": 0.5}, {"axis": 0}):
        yield call(si.trapezoid, f, **keywords)
    yield call(si.trapezoid, f, x)
    yield call(si.trapezoid, f, x[:3], axis=0)
    yield call(si.cumulative_trapezoid, f, x)
    yield call(si.cumulative_trapezoid, f, x[:3], axis=0, initial=0)
    yield call(si.cumulative_trapezoid, f, np.cumsum(np.abs(f), axis=1), initial=0)
    yield call(running_integrals.behind, f, 0, 1)
    yield call(running_integrals.put_behind, f, 0, 0)


CALLS: tuple[Call, ...] = (*convolutions(), *filters(), *helper_calls(), *running())
