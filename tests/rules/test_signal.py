"""The rules of `scipy.signal`, `scipy.integrate`, windows and distances: by calls, and through the engine."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.integrate as si
import scipy.signal as ss

import zygpy as zg
from tests.rules import reference, signal_calls, window_calls
from tests.rules.array_calls import Call, array
from tests.rules.test_arrays import (
    again,
    agrees,
    bound,
    contribution,
    converted,
    differentiated,
    in_single,
    is_single,
    label,
    leaves,
    single,
    structured,
    to_complex,
)
from zygpy.rules.declare import REGISTRY
from zygpy.runtime import filtering

CALLS = (*signal_calls.CALLS, *window_calls.CALLS)


@pytest.mark.parametrize("entry", CALLS, ids=label)
def test_agrees_with_differences(entry: Call) -> None:
    assert differentiated(entry)
    agrees(entry, bound(entry))


REAL = (
    ss.hilbert,
    ss.savgol_filter,
    filtering.smoothing_transpose,
    filtering.in_sections,
    *window_calls.REAL,
)


@pytest.mark.parametrize("entry", [one for one in CALLS if one[0] not in REAL], ids=label)
def test_agrees_with_differences_for_complex_operands(entry: Call) -> None:
    values = bound(entry)
    for name in differentiated(entry):
        values[name] = converted(values[name], to_complex)
    agrees(entry, values)


@pytest.mark.parametrize("entry", CALLS, ids=label)
def test_keeps_single_precision(entry: Call) -> None:
    values = {name: in_single(value) for name, value in bound(entry).items()}
    y = again(entry, values)
    if not all(is_single(leaf) for leaf in leaves(structured(y))):
        return
    seed = converted(reference.random_like(np.random.default_rng(0), structured(y)), single)
    for name in differentiated(entry):
        if all(is_single(leaf) for leaf in leaves(values[name])):
            bar = contribution(REGISTRY[entry[0]], name, values, y, seed)
            assert all(is_single(leaf) for leaf in leaves(bar)), name


X = array(9)
A = np.array([1.5, 0.4, -0.2])

PROGRAMS: tuple[Callable[[Any], Any], ...] = (
    lambda x: ss.convolve(x, x[:3], "same"),
    lambda x: ss.correlate(x, x[2:5], "valid"),
    lambda x: ss.fftconvolve(x[:6], x[4:], "same"),
    lambda x: ss.oaconvolve(x, x[:3]),
    lambda x: ss.convolve2d(x.reshape(3, 3), x[:4].reshape(2, 2)),
    lambda x: ss.correlate2d(x.reshape(3, 3), x[:4].reshape(2, 2), mode="same"),
    lambda x: ss.lfilter(x[:3], A + 0.1 * x[3:6], x),
    lambda x: ss.lfilter(x[:2], [1.0, 0.3], x.reshape(3, 3) * x[0], axis=0),
    lambda x: ss.upfirdn(x[:4], x, 2, 3),
    lambda x: ss.detrend(x * x),
    lambda x: np.abs(ss.hilbert(x * x)),
    lambda x: ss.savgol_filter(x * x, 5, 2),
    lambda x: si.cumulative_trapezoid(x * x, np.cumsum(1.5 + 0.3 * x), initial=0),
    lambda x: si.cumulative_trapezoid(x.reshape(3, 3), dx=x[0], axis=0),
    lambda x: si.trapezoid(x * x, np.cumsum(1.5 + 0.3 * x)),
)
LONG: tuple[Callable[[Any], Any], ...] = (lambda x: ss.sosfilt([[1.0, 0.5, 0.1, 1.0, 0.2, 0.1]], x * x),)
"""Whose second derivatives take long to derive."""
ALL = "ZYGPY_ALL_CASES" in os.environ


def twisted(program: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def f(x: Any) -> Any:
        y = program(x)
        return np.sum(np.cos(y) * (1.0 + 0.1 * y))

    return f


@pytest.mark.parametrize("program", [*PROGRAMS, *LONG])
def test_programs(program: Callable[[Any], Any]) -> None:
    f, direction = twisted(program), array(9, start=30)
    (found,) = zg.gradient(f, X)
    expected = reference.directional(lambda t: f(X + t * direction))
    assert np.vdot(found, direction) == pytest.approx(float(expected), rel=1e-7)


@pytest.mark.parametrize("program", [*PROGRAMS, *(LONG if ALL else ())])
def test_programs_to_second_order(program: Callable[[Any], Any]) -> None:
    f, direction = twisted(program), array(9, start=30)
    second = reference.directional(lambda t: zg.gradient(f, X + t * direction)[0])
    np.testing.assert_allclose(zg.hvp(f, X, direction), second, rtol=1e-6, atol=1e-7)
