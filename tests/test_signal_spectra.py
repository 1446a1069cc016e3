"""Gradients of programs with spectra of `scipy.signal`."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.signal as ss

import zygpy as zg
from tests.solvers.references import agrees, agrees_to_second_order
from zygpy.errors import MissingRuleError

SIGNAL = 1.9 * np.sin(1.0 + 2.3 * np.arange(40)) + 0.3 * np.cos(0.7 * np.arange(40.0) ** 1.3)
OTHER = np.cos(0.3 + 1.1 * np.arange(40)) + 0.1 * np.arange(40)
ROWS = SIGNAL.reshape(2, 20).copy()
WINDOW = 1.2 + np.cos(np.arange(8.0))
TURN = np.exp(0.3j)


def mixed(y: Any) -> Any:
    return np.sum(np.cos(np.real(y)) + np.sin(np.imag(y)))


OF_TWO: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    (lambda x: ss.csd(x, OTHER, nperseg=8)[1], SIGNAL),
    (lambda y: ss.csd(SIGNAL, y, nperseg=8, noverlap=2, nfft=11, scaling="spectrum")[1], OTHER),
    (lambda y: ss.csd(SIGNAL[:30], y, nperseg=8, detrend="linear", average="median")[1], OTHER),
    (lambda x: ss.csd(x, OTHER * TURN, nperseg=8, detrend=False, return_onesided=False)[1], SIGNAL),
    (lambda x: ss.csd(ROWS, x, nperseg=7)[1], SIGNAL[:20].copy()),
    (lambda w: ss.csd(SIGNAL, OTHER, window=w)[1], WINDOW),
    (lambda fs: sum(ss.csd(SIGNAL, OTHER, fs, nperseg=8)), 3.0),
    (lambda x: ss.coherence(x, OTHER, nperseg=8)[1], SIGNAL),
    (lambda y: ss.coherence(SIGNAL, y, 2.0, "hamming", 10, 3)[1], OTHER),
)

OF_ONE: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    (lambda x: ss.welch(x, nperseg=8)[1], SIGNAL),
    (lambda x: ss.welch(x, axis=0, nperseg=5)[1], ROWS.T),
    (lambda x: ss.welch(x, nperseg=9, average="median", scaling="spectrum")[1], SIGNAL),
    (lambda x: ss.welch(x * TURN, nperseg=8, return_onesided=False)[1], SIGNAL),
    (lambda w: ss.welch(SIGNAL, window=w)[1], WINDOW),
    (lambda beta: ss.welch(SIGNAL, window=ss.windows.kaiser(8, beta))[1], 2.0),
    (lambda x: ss.periodogram(x)[1], SIGNAL),
    (lambda x: ss.periodogram(x, 2.0, "hann", 64, "linear", scaling="spectrum")[1], SIGNAL),
    (lambda x: ss.periodogram(x, nfft=9, axis=0)[1], ROWS.T),
    (lambda fs: sum(ss.periodogram(SIGNAL, fs)), 3.0),
)

IN_TIME: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    *((lambda x, m=m: ss.spectrogram(x, nperseg=8, mode=m)[2], SIGNAL)
      for m in ("psd", "complex", "magnitude", "angle", "phase")),
    (lambda x: ss.spectrogram(x, nperseg=8, axis=0, mode="magnitude", detrend="linear")[2], ROWS.T),
    (lambda fs: np.sum(ss.spectrogram(SIGNAL, fs, nperseg=8, noverlap=3)[1]), 3.0),
    *((lambda x, b=b: ss.stft(x, nperseg=8, boundary=b)[2], SIGNAL)
      for b in ("zeros", "even", "odd", "constant", None)),
    (lambda x: ss.stft(x, nperseg=7, noverlap=2, padded=False, scaling="psd", axis=0)[2], ROWS.T),
    (lambda x: ss.stft(x * TURN, nperseg=8, return_onesided=False, detrend="constant")[2], SIGNAL),
    (lambda w: ss.stft(SIGNAL, window=w, nperseg=8, nfft=10)[2], WINDOW),
    (lambda fs: np.sum(ss.stft(SIGNAL, fs, nperseg=8)[1]), 3.0),
    (lambda x: ss.istft(ss.stft(x, nperseg=8)[2] * 2.0, nperseg=8)[1], SIGNAL),
    (lambda z: ss.istft((z[:20] + 1j * z[20:]).reshape(5, 4))[1], SIGNAL),
    (
        lambda z: ss.istft((z * TURN).reshape(8, 5), 1.0, WINDOW, input_onesided=False, boundary=False)[1],
        SIGNAL,
    ),
)  # fmt: skip

TIMES = np.cumsum(0.5 + 0.2 * np.cos(np.arange(40.0)))
FREQUENCIES = np.array([0.4, 1.3, 2.2])
UNEVEN: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    (lambda y: ss.lombscargle(TIMES, y, FREQUENCIES), SIGNAL),
    (lambda t: ss.lombscargle(t, SIGNAL, FREQUENCIES, normalize=True), TIMES),
    (lambda f: ss.lombscargle(TIMES, SIGNAL, f), FREQUENCIES),
    (lambda f: ss.lombscargle(TIMES, SIGNAL, f), FREQUENCIES[:1].copy()),
)

if hasattr(ss, "ShortTimeFFT") and "floating_mean" in ss.lombscargle.__doc__:
    UNEVEN += (
        (lambda y: ss.lombscargle(TIMES, y, FREQUENCIES, floating_mean=True, weights=TIMES), SIGNAL),
        (lambda w: ss.lombscargle(TIMES, SIGNAL, FREQUENCIES, weights=w, normalize="amplitude"), TIMES),
        (lambda y: ss.lombscargle(TIMES, y, FREQUENCIES, floating_mean=True, normalize="normalize"), SIGNAL),
    )


EVERY = 1 if "ZYGPY_ALL_CASES" in os.environ else 2  # each takes long to derive


@pytest.mark.parametrize(("program", "x"), [*OF_TWO, *OF_ONE, *IN_TIME, *UNEVEN][::EVERY])
def test_gradients(program: Callable[[Any], Any], x: Any) -> None:
    np.testing.assert_array_equal(zg.pullback(program, x)[0], program(x))
    agrees(lambda x: mixed(program(x)), x)


def test_second_derivatives() -> None:
    agrees_to_second_order(lambda x: mixed(ss.welch(x, nperseg=8)[1]), SIGNAL)
    if "ZYGPY_ALL_CASES" in os.environ:
        agrees_to_second_order(lambda f: mixed(ss.lombscargle(TIMES, SIGNAL, f)), FREQUENCIES)


def test_single_precision_stays() -> None:
    x = SIGNAL.astype(np.float32)
    assert zg.gradient(lambda x: np.sum(ss.welch(x, nperseg=8)[1]), x)[0].dtype == np.float32


def test_nothing_is_empty_too() -> None:
    assert zg.gradient(lambda x: np.sum(ss.welch(x)[1]), np.zeros(0))[0].shape == (0,)


def test_what_is_refused() -> None:
    with pytest.raises(MissingRuleError, match="functions as detrend"):
        zg.gradient(lambda x: np.sum(ss.welch(x, detrend=np.copy)[1]), SIGNAL)
    with pytest.raises(MissingRuleError, match="complex windows"):
        zg.gradient(lambda x: np.sum(ss.welch(x, window=WINDOW * 1j)[1]), SIGNAL)
