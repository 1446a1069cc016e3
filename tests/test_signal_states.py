"""Gradients of programs with filters of `scipy.signal` that have states, run both ways or change the rate."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.signal as ss

import zygpy as zg
from tests.rules import reference
from tests.solvers.references import agrees, agrees_to_second_order
from zygpy.errors import MissingRuleError
from zygpy.pushing import Push, push_of

B, A = np.array([0.3, 0.5, 0.2]), np.array([1.3, -0.4, 0.2])
SOS = np.array([[1.0, 0.5, 0.1, 1.0, 0.2, 0.1], [1.0, -0.5, 0.3, 1.0, 0.1, -0.1]])
FREE = np.array([[1.0, 1.0, 1.0, 0.0, 1.0, 1.0]])
SIGNAL = 1.9 * np.sin(1.0 + 2.3 * np.arange(40))
ROWS = SIGNAL.reshape(2, 20)
STATE = np.array([0.7, -0.3])
SYSTEM = ss.dlti([1.0], [1.0, 0.5])


def mixed(y: Any) -> Any:
    return np.sum(np.cos(np.real(y)) + np.sin(np.imag(y)))


def of_sections(s: Any) -> Any:
    return SOS + FREE * s


def both(pair: Any) -> Any:
    return np.concatenate([np.ravel(pair[0]), np.ravel(pair[1])])


STATES: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    (lambda x: both(ss.lfilter(B, A, x, zi=STATE)), SIGNAL[:9]),
    (lambda z: both(ss.lfilter(B, A, SIGNAL[:9], zi=z)), STATE),
    (lambda b: both(ss.lfilter(b, A, SIGNAL[:9], zi=STATE)), B),
    (lambda a: both(ss.lfilter(B, a, SIGNAL[:9], -1, STATE)), A),
    (lambda a: both(ss.lfilter(B[:1], a, SIGNAL[:9], -1, STATE)), A),
    (lambda b: both(ss.lfilter(b, [2.0], SIGNAL[:9], -1, STATE)), B),
    (lambda z: both(ss.lfilter(B, A, ROWS, 0, np.outer(z, SIGNAL[:20]))), STATE),
    (lambda z: both(ss.lfilter(B, A, SIGNAL[:1], zi=z)), STATE),
    (lambda x: ss.lfilter([0.5], [2.0], x, zi=np.zeros(0))[0], SIGNAL[:5]),
    (lambda x: both(ss.sosfilt(SOS, x, zi=np.array([STATE, 2 * STATE]))), SIGNAL[:9]),
    (lambda z: both(ss.sosfilt(SOS, SIGNAL[:9], zi=np.outer([1.0, 2.0], z))), STATE),
    (lambda s: both(ss.sosfilt(of_sections(s), SIGNAL[:9], zi=np.array([STATE, STATE]))), 0.1),
    (lambda z: both(ss.sosfilt(SOS, ROWS, 0, z * np.ones((2, 2, 20)))), 0.3),
    (lambda s: ss.sosfilt(of_sections(s), ROWS, 0), 0.1),
    (lambda s: ss.sosfilt(of_sections(s), SIGNAL * (1 + 0.5j)), 0.1),
    (lambda x: ss.lfilter(B, A, x * (1 + 0.5j), zi=STATE * 1j)[0], SIGNAL[:9]),
)

BOTH_WAYS: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    *((lambda x, p=p: ss.filtfilt(B, A, x, padtype=p), SIGNAL) for p in ("odd", "even", "constant", None)),
    (lambda b: ss.filtfilt(b, A, SIGNAL), B),
    (lambda a: ss.filtfilt(B, a, SIGNAL, padlen=4), A),
    (lambda x: ss.filtfilt(B, A, x, axis=0, padlen=0), ROWS),
    (lambda x: ss.filtfilt(B, A, x, method="gust"), SIGNAL),
    (lambda x: ss.filtfilt(B, A, x, 0, method="gust"), ROWS.T),
    (lambda a: ss.filtfilt(B, a, ROWS, method="gust"), A),
    (lambda b: ss.filtfilt(b, [2.0], SIGNAL, method="gust"), B[:1]),
    (lambda x: ss.sosfiltfilt(SOS, x), SIGNAL),
    (lambda x: ss.sosfiltfilt(SOS, x, 0, "even", 3), ROWS.T),
    (lambda s: ss.sosfiltfilt(of_sections(s), SIGNAL), 0.1),
)

RATES: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    *(
        (lambda x, q=q, f=f, z=z: ss.decimate(x, q, 4, ftype=f, zero_phase=z), SIGNAL)
        for q, f, z in ((2, "iir", True), (3, "iir", False), (3, "fir", True), (2, "fir", False))
    ),
    (lambda x: ss.decimate(x, 2), np.concatenate([SIGNAL, SIGNAL])),
    (lambda x: ss.decimate(x, 2, ftype="fir", axis=0), ROWS.T),
    *(
        (lambda x, u=u, d=d: ss.resample_poly(x, u, d), SIGNAL[:11])
        for u, d in ((3, 2), (2, 3), (4, 4), (6, 4))
    ),
    (lambda x: ss.resample_poly(x, 3, 2, axis=1), ROWS),
    (lambda w: ss.resample_poly(SIGNAL, 3, 2, window=w), np.cos(np.arange(7))),
    (lambda x: ss.resample_poly(x, 3, 2, window="hamming", padtype="mean"), SIGNAL),
    (lambda x: ss.resample_poly(x, 5, 7, padtype="median"), SIGNAL[:9]),
    (lambda x: ss.resample_poly(x, 5, 7, padtype="maximum"), SIGNAL),
    (lambda x: ss.resample_poly(x, 1, 5, padtype="minimum"), SIGNAL),
    (lambda x: ss.resample_poly(x, 5, 7, padtype="line"), SIGNAL),
    (lambda x: ss.resample_poly(x, 3, 2, padtype="reflect"), SIGNAL[:9]),
    (lambda c: ss.resample_poly(SIGNAL, 3, 2, cval=c), 0.7),
)


EVERY = 1 if "ZYGPY_ALL_CASES" in os.environ else 2  # each takes long to derive


@pytest.mark.parametrize(("program", "x"), [*STATES, *BOTH_WAYS, *RATES][::EVERY])
def test_gradients(program: Callable[[Any], Any], x: Any) -> None:
    np.testing.assert_array_equal(zg.pullback(program, x)[0], program(x))
    agrees(lambda x: mixed(program(x)), x)


def test_what_is_computed_beside_is_the_same() -> None:
    """By slopes of the results themselves, which are linear in the signal."""
    for program, x in (*BOTH_WAYS[:4], *BOTH_WAYS[6:9], *RATES):
        if np.ndim(x) and np.size(x) > 10:
            y = program(x)
            seed = np.cos(1.0 + np.arange(np.size(y))).reshape(np.shape(y))
            (x_bar,) = zg.pullback(program, x)[1](seed)
            assert np.vdot(x_bar, x) == pytest.approx(np.vdot(seed, y), rel=1e-9)


def test_second_derivatives() -> None:
    agrees_to_second_order(lambda s: mixed(ss.sosfilt(of_sections(s), SIGNAL)), 0.1)
    agrees_to_second_order(lambda x: mixed(ss.resample_poly(x, 3, 2)), SIGNAL[:11])


@pytest.mark.parametrize(
    "program", [lambda x: ss.filtfilt(B, A, x), *([lambda x: ss.sosfiltfilt(SOS, x)] if EVERY == 1 else [])]
)
def test_second_derivatives_of_filters_that_run_both_ways(program: Callable[[Any], Any]) -> None:
    agrees_to_second_order(lambda x: mixed(program(x)), SIGNAL)


def test_single_precision_stays() -> None:
    x = SIGNAL.astype(np.float32)
    for function in (lambda x: ss.filtfilt(B, A, x), lambda x: ss.sosfiltfilt(SOS, x)):
        assert zg.gradient(lambda x, f=function: np.sum(f(x)), x)[0].dtype == np.float32


@pytest.mark.parametrize(
    ("program", "match"),
    [
        (lambda x: ss.decimate(x, 2, ftype=SYSTEM), "systems"),
        (lambda x: ss.filtfilt(B, A, x, method="gust", irlen=5), "irlen"),
    ],
)
def test_what_is_refused(program: Callable[[Any], Any], match: str) -> None:
    with pytest.raises(MissingRuleError, match=match):
        zg.gradient(lambda x: np.sum(program(x)), SIGNAL)


PUSHED: dict[str, Callable[[Any], Any]] = {
    "filtfilt": lambda x: ss.filtfilt(B, A, x),
    "filtfilt, even": lambda x: ss.filtfilt(B, A, x, padtype="even", padlen=4),
    "sosfilt": lambda x: ss.sosfilt(SOS, x),
    "sosfiltfilt": lambda x: ss.sosfiltfilt(SOS, x),
    "sosfiltfilt of rows": lambda x: ss.sosfiltfilt(SOS, np.reshape(x, (20, 2)), 0, "constant", 2),
}


@pytest.mark.parametrize("name", PUSHED)
def test_tangents(name: str) -> None:
    program, v = PUSHED[name], np.cos(np.arange(40.0))
    assert isinstance(push_of(program, (SIGNAL,)), Push)
    expected = reference.directional(lambda t: program(SIGNAL + t * v))
    np.testing.assert_allclose(zg.pushforward(program, SIGNAL)(v), expected, rtol=1e-8, atol=1e-8)

    def gradient(x: Any) -> Any:
        return zg.gradient(lambda x: mixed(program(x)), x)[0]

    second = reference.directional(lambda t: gradient(SIGNAL + t * v))
    np.testing.assert_allclose(zg.hvp(lambda x: mixed(program(x)), SIGNAL, v), second, rtol=1e-7, atol=1e-7)
