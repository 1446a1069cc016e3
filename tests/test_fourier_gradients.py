"""Gradients of programs with Fourier transforms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient

SIGNAL = np.array([0.3, -1.2, 2.0, 0.7, 1.1])
WAVE = SIGNAL + 1j * SIGNAL[::-1]
IMAGE = np.outer(SIGNAL, SIGNAL[:4])


def power(x: Any) -> Any:
    return np.sum(np.abs(np.fft.rfft(x, 8)) ** 2 * np.arange(5))


def squared_spectrum(x: Any) -> Any:
    return np.sum(np.sin(np.fft.irfft(np.fft.rfft(x) ** 2, len(x))))


def cut_spectrum(z: Any) -> Any:
    return np.sum(np.abs(np.fft.ifft(z, 3) + 1) ** 3)


def image(m: Any) -> Any:
    return np.sum(np.abs(np.fft.fft2(m, norm="ortho")) ** 3)


def blurred(m: Any) -> Any:
    spectrum = np.fft.rfftn(m, axes=(1, 0)) * np.arange(1.0, 6.0)[:3, None].sum()
    return np.sum(np.fft.irfftn(spectrum, m.shape[::-1], axes=(1, 0)) ** 3)


def moments(m: Any) -> Any:
    return np.sum(np.fft.fftshift(m, axes=1)[:, 0] ** 3) + np.sum(np.fft.ifftshift(m)[1] ** 2)


def hermitian(z: Any) -> Any:
    return np.sum(np.fft.hfft(z) ** 3) + np.sum(np.abs(np.fft.ihfft(np.real(z))) ** 4)


@pytest.mark.parametrize(
    ("function", "argument"),
    [
        (power, SIGNAL),
        (squared_spectrum, SIGNAL),
        (cut_spectrum, WAVE),
        (image, IMAGE),
        (image, IMAGE * 1j + 1),
        (blurred, IMAGE),
        (moments, IMAGE),
        (hermitian, WAVE),
        (lambda d: np.sum(np.fft.fftfreq(4, d) ** 2 + np.fft.rfftfreq(6, d) ** 3), 0.3),
    ],
)
def test_first_and_second_derivatives(function: Any, argument: Any) -> None:
    check_gradient(function, argument, order=2)


def test_the_energy_of_a_spectrum_is_that_of_the_signal() -> None:
    (bar,) = zg.gradient(lambda x: np.sum(np.abs(np.fft.fft(x, norm="ortho")) ** 2), SIGNAL)
    np.testing.assert_allclose(bar, 2 * SIGNAL, rtol=1e-13)


@pytest.mark.parametrize("name", ["fft", "rfft", "irfft", "ifft2", "fftn", "irfftn"])
def test_single_precision_stays(name: str) -> None:
    single = IMAGE.astype(np.float32)
    (bar,) = zg.gradient(lambda x: np.sum(np.abs(getattr(np.fft, name)(x)) ** 2), single)
    assert bar.dtype == np.float32
    (wide,) = zg.gradient(lambda x: np.sum(np.abs(getattr(np.fft, name)(x)) ** 2), IMAGE)
    np.testing.assert_allclose(bar, wide, rtol=1e-4)


def test_lists_and_integers() -> None:
    assert zg.gradient(lambda x: np.real(np.fft.fft(x)[0]), [1.0, 2.0, 3.0]) == ([1.0, 1.0, 1.0],)
    (bar,) = zg.gradient(lambda x: np.real(np.fft.fft(x)[1]), np.array([1, 2, 3, 4]))
    np.testing.assert_allclose(bar, [1, 0, -1, 0], atol=1e-15)


def test_no_transform_at_all_gives_the_array_itself() -> None:
    def written(x: Any) -> Any:
        y = np.fft.fftn(x * 2.0, axes=())
        y[0] = 0.0
        return np.sum(np.real(y) ** 2)

    np.testing.assert_allclose(zg.gradient(written, SIGNAL)[0], np.r_[0.0, 8 * SIGNAL[1:]])


def test_stacks_without_signals() -> None:
    (bar,) = zg.gradient(lambda x: np.sum(np.abs(np.fft.fft(x)) ** 2), np.zeros((0, 3)))
    assert bar.shape == (0, 3)


def test_a_transform_into_an_array() -> None:
    def into(x: Any) -> Any:
        out = np.zeros(5, complex)
        np.fft.fft(x, out=out)
        return np.sum(np.abs(out) ** 3)

    expected = zg.gradient(lambda x: np.sum(np.abs(np.fft.fft(x)) ** 3), SIGNAL)[0]
    np.testing.assert_allclose(zg.gradient(into, SIGNAL)[0], expected, rtol=1e-12)
