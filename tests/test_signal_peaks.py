"""Gradients of what peaks of `scipy.signal` measure, of medians of images, and of programs with prototypes,
windows and transforms that hold arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg as sl
import scipy.signal as ss

import zygpy as zg
from tests.solvers.references import agrees, agrees_to_second_order

SAMPLES = 0.7 + np.argsort(np.cos(np.arange(24.0) ** 1.2)) + 0.21 * np.cos(np.arange(24.0))
PEAKS = ss.find_peaks(SAMPLES)[0]
DIAGONAL, BESIDE = np.array([1.0, 2.5, 4.0, 6.5]), np.array([0.3, 0.5, 0.7])


def mixed(y: Any) -> Any:
    if isinstance(y, tuple):
        return sum((1 + 0.3 * i) * mixed(one) for i, one in enumerate(y))
    return np.sum(np.cos(np.real(y)) + np.sin(np.imag(y)))


PROGRAMS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "heights": (lambda x: x[ss.find_peaks(x, distance=3, wlen=9, prominence=0.5)[0]], SAMPLES),
    "told heights": (lambda x: ss.find_peaks(x, height=-2)[1]["peak_heights"], SAMPLES),
    "told prominences": (lambda x: ss.find_peaks(x, prominence=0.5)[1]["prominences"], SAMPLES),
    "told widths": (lambda x: ss.find_peaks(x, width=0.05, rel_height=0.4)[1]["widths"], SAMPLES),
    "prominences": (lambda x: ss.peak_prominences(x, PEAKS)[0], SAMPLES),
    "prominences in windows": (lambda x: ss.peak_prominences(x, PEAKS, wlen=5)[0], SAMPLES),
    "widths": (lambda x: ss.peak_widths(x, PEAKS), SAMPLES),
    "widths at the base": (lambda x: ss.peak_widths(x, PEAKS, rel_height=1.0), SAMPLES),
    "widths by the part": (lambda r: ss.peak_widths(SAMPLES, PEAKS, rel_height=r), 0.4),
    "medians": (lambda x: ss.medfilt2d(x.reshape(4, 6), 3), SAMPLES),
    "medians of rectangles": (lambda x: ss.medfilt2d(x.reshape(4, 6), [3, 5]), SAMPLES),
    "Bessel's filters": (lambda w: ss.bessel(2, w), 0.3),
    "tridiagonal": (lambda d: sl.eigh_tridiagonal(d, BESIDE), DIAGONAL),
    "some of tridiagonal": (
        lambda e: sl.eigh_tridiagonal(DIAGONAL, e, select="i", select_range=(1, 2)),
        BESIDE,
    ),
    "in a range": (lambda e: sl.eigvalsh_tridiagonal(DIAGONAL, e, "v", (2, 5)), BESIDE),
    "Slepian's windows": (lambda w: ss.windows.dpss(9, w), 2.5),
    "several of Slepian's": (lambda w: ss.windows.dpss(10, w, 3, sym=False), 2.5),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients(name: str) -> None:
    program, x = PROGRAMS[name]
    np.testing.assert_allclose(mixed(zg.pullback(program, x)[0]), mixed(program(x)), rtol=1e-12)
    agrees(lambda x: mixed(program(x)), x)


@pytest.mark.parametrize("name", ["prominences", "widths", "medians", "some of tridiagonal"])
def test_second_derivatives(name: str) -> None:
    program, x = PROGRAMS[name]
    agrees_to_second_order(lambda x: mixed(program(x)), x)


@pytest.mark.skipif(not hasattr(ss, "ShortTimeFFT"), reason="since SciPy 1.12")
def test_transforms_that_hold_a_window() -> None:
    window = np.hanning(8)[1:-1]
    agrees(lambda w: mixed(ss.ShortTimeFFT(w, 2, 1.0).spectrogram(SAMPLES / 20)), window)
    transform = ss.ShortTimeFFT(window, 2, 1.0)
    agrees(lambda x: mixed(transform.stft(x / 20)), SAMPLES)


def test_an_array_may_be_protected() -> None:
    def program(x: Any) -> Any:
        y = x * 2.0
        y.setflags(write=False)
        assert not y.flags.writeable
        return np.sum(y**2)

    np.testing.assert_array_equal(zg.gradient(program, SAMPLES)[0], 8 * SAMPLES)
