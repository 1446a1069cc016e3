"""Gradients of programs with waves, responses and resampling of `scipy.signal`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.signal as ss

import zygpy as zg
from tests.solvers.references import agrees, agrees_to_second_order
from zygpy.errors import MissingRuleError

B, A = np.array([0.3, 0.5, 0.2]), np.array([1.3, -0.4, 0.2])
TIMES = np.linspace(0.1, 9.0, 7)
SAMPLES = 1.9 * np.sin(1.0 + 2.3 * np.arange(12))


def mixed(y: Any) -> Any:
    return np.sum(np.cos(np.real(y)) + np.sin(np.imag(y)))


PROGRAMS: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    (lambda t: ss.sawtooth(t, 0.3), TIMES),
    (lambda t: ss.sawtooth(t), TIMES),
    (lambda w: ss.sawtooth(TIMES, w), 0.3),
    (lambda b: ss.lfilter_zi(b, A), B),
    (lambda a: ss.lfilter_zi(B[:2], a), A),
    (lambda b: ss.freqz(b, A, 8)[1], B),
    (lambda a: ss.freqz(B, a, 8, whole=True)[1], A),
    (lambda w: ss.freqz(B, A, w)[1], np.array([0.1, 0.5])),
    (lambda b: ss.freqz(b, A, 5, fs=3.0)[1] * ss.freqz(b, worN=5)[1], B),
    (
        lambda fs: ss.freqz(B, A, 5, fs=fs)[0] + np.abs(ss.freqz(B, A, [0.1, 0.2, 0.3, 0.4, 0.5], fs=fs)[1]),
        3.0,
    ),
    *((lambda x, n=n: ss.resample(x, n), SAMPLES) for n in (5, 6, 12, 15, 20)),
    *((lambda x, n=n: ss.resample(x, n), SAMPLES[:11]) for n in (4, 5, 12, 17)),
    (lambda x: ss.resample(x.reshape(3, 4) * (1 + 0.5j), 6, axis=1), SAMPLES),
    *((lambda w, n=n: ss.resample(SAMPLES, n, window=("kaiser", w)), 3.0) for n in (5, 6, 12, 15)),
    *((lambda w, n=n: ss.resample(SAMPLES[:11] * 1j, n, window=("kaiser", w)), 3.0) for n in (5, 12)),
    (lambda w: ss.resample(SAMPLES, 8, window=w), np.cos(np.arange(12.0))),
    (lambda w: ss.resample(SAMPLES, 8, window=lambda f: np.exp(-w * f**2)), 3.0),
    (lambda x: ss.resample(x, 8, window="hann"), SAMPLES),
    (lambda x: ss.resample(x, 8, domain="freq"), SAMPLES),
    (lambda t: ss.resample(SAMPLES, 8, t)[1], TIMES),
    (lambda x: ss.resample(x, 8, np.arange(12.0))[0], SAMPLES),
)


@pytest.mark.parametrize(("program", "x"), PROGRAMS)
def test_gradients(program: Callable[[Any], Any], x: Any) -> None:
    np.testing.assert_allclose(zg.pullback(program, x)[0], program(x), rtol=1e-10, atol=1e-12)
    agrees(lambda x: mixed(program(x)), x)


def test_second_derivatives() -> None:
    agrees_to_second_order(lambda b: mixed(ss.freqz(b, 1 + b, 4)[1]) + mixed(ss.lfilter_zi(b, A)), B)


def test_values_are_scipys() -> None:
    for width in (0, 0.4, 1, 1.5):
        found = zg.pullback(lambda t, width=width: ss.sawtooth(t, width), TIMES)[0]
        np.testing.assert_array_equal(found, ss.sawtooth(TIMES, width))
    assert zg.gradient(lambda t: np.sum(ss.square(t) * t), TIMES)[0].tolist() == ss.square(TIMES).tolist()


def test_what_is_refused() -> None:
    crooked = 1.0 + 1j * np.arange(12)
    with pytest.raises(MissingRuleError, match="this window"):
        zg.gradient(lambda x: np.sum(ss.resample(x, 5, window=crooked)), SAMPLES)
    with pytest.raises(MissingRuleError, match="stacks"):
        zg.gradient(lambda b: np.sum(np.abs(ss.freqz(b, A, 4)[1])), np.ones((2, 3)))
