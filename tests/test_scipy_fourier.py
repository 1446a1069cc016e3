"""Gradients of programs with the transforms of `scipy.fft`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.fft as sf

import zygpy as zg
from zygpy.errors import MissingRuleError
from zygpy.testing import check_gradient

SIGNAL = np.array([0.3, -1.2, 2.0, 0.7, 1.1])
WAVE = SIGNAL + 1j * SIGNAL[::-1]
IMAGE = np.outer(SIGNAL, SIGNAL[:4])


def mixed(y: Any) -> Any:
    return np.sum(np.cos(np.real(y)) + np.sin(np.imag(y)))


def sharpened(m: Any) -> Any:
    spectrum = sf.rfftn(m, axes=(1, 0), workers=1) * np.arange(1.0, 5.0)
    return sf.irfftn(spectrum, m.shape[::-1], axes=(1, 0))


def compressed(m: Any) -> Any:
    coefficients = sf.dctn(m, norm="ortho")
    coefficients[3:] = 0.0
    return sf.idctn(coefficients * coefficients, norm="ortho")


PROGRAMS: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    (lambda x: sf.irfft(sf.rfft(x, sf.next_fast_len(9)) ** 2, 5), SIGNAL),
    (lambda z: sf.ifft(sf.fft(z, 3) ** 2), WAVE),
    (lambda z: sf.hfft(z) ** 2, WAVE),
    (lambda z: sf.hfftn(z.reshape(1, 5)) + sf.hfft2(z.reshape(1, 5), norm="forward"), WAVE),
    (lambda x: sf.ihfftn(x.reshape(1, 5)) ** 2 + sf.ihfft2(x.reshape(1, 5), norm="ortho"), SIGNAL),
    (lambda m: sf.fftshift(sf.fft2(m * m), axes=1), IMAGE),
    (lambda m: sf.ifftshift(sf.ifftn(m * 1j, s=3)), IMAGE),
    (sharpened, IMAGE),
    (compressed, IMAGE),
    *((lambda x, k=k: sf.dct(x, k) * sf.idst(x, k, norm="ortho"), SIGNAL) for k in (1, 2, 3, 4)),
    (lambda z: sf.dct(z, 3, norm="ortho", orthogonalize=False) ** 2, WAVE),
    (lambda z: sf.dstn(z, 2, orthogonalize=True) ** 2, WAVE),
    (lambda z: sf.dstn(z.reshape(5, 1), 3, s=(3, 2)) ** 2, WAVE),
    (lambda d: sf.fftfreq(4, d) ** 2 + sf.rfftfreq(6, d) ** 3, 0.3),
)


@pytest.mark.parametrize(("program", "argument"), PROGRAMS)
def test_first_and_second_derivatives(program: Callable[[Any], Any], argument: Any) -> None:
    np.testing.assert_array_equal(zg.pullback(program, argument)[0], program(argument))
    check_gradient(lambda x: mixed(program(x)), argument, order=2)


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
@pytest.mark.parametrize("name", ["dct", "idct", "dst", "idst"])
def test_the_matrix_back_is_the_transpose(name: str, kind: int) -> None:
    """The matrices are written out column by column; SciPy ignores `orthogonalize` for complex numbers."""
    function = getattr(sf, name)
    for dtype in (float, complex):
        for norm in ("ortho", "backward", "forward"):
            for keywords in ({"norm": norm}, {"norm": norm, "orthogonalize": norm != "ortho"}):
                matrix = function(np.eye(4, dtype=dtype), kind, 5, axis=0, **keywords)
                _, back = zg.pullback(lambda x, k=keywords: function(x, kind, 5, **k), np.ones(4, dtype))
                rows = np.array([back(seed)[0] for seed in np.eye(5, dtype=dtype)])
                np.testing.assert_allclose(rows, matrix, atol=1e-14)


@pytest.mark.parametrize("name", ["fft", "rfft", "irfft", "ifft2", "hfftn", "ihfft", "dct", "idstn"])
def test_single_precision_stays(name: str) -> None:
    function = getattr(sf, name)
    single = IMAGE.astype(np.float32)
    (bar,) = zg.gradient(lambda x: np.sum(np.abs(function(x)) ** 2), single)
    assert bar.dtype == np.float32
    (wide,) = zg.gradient(lambda x: np.sum(np.abs(function(x)) ** 2), IMAGE)
    np.testing.assert_allclose(bar, wide, rtol=1e-4)


@pytest.mark.parametrize("name", ["fft", "rfft", "hfft", "dct", "idst"])
def test_lists_integers_and_empty_stacks(name: str) -> None:
    function = getattr(sf, name)
    (expected,) = zg.gradient(lambda x: mixed(function(x)), np.array([1.0, 2.0, 4.0]))
    np.testing.assert_allclose(zg.gradient(lambda x: mixed(function(x)), [1.0, 2.0, 4.0])[0], expected)
    np.testing.assert_allclose(zg.gradient(lambda x: mixed(function(x)), np.array([1, 2, 4]))[0], expected)
    assert zg.gradient(lambda x: mixed(function(x)), np.zeros((0, 3)))[0].shape == (0, 3)


@pytest.mark.parametrize("function", [sf.fftn, sf.ifftn, sf.dctn, sf.idstn])
def test_no_transform_at_all_gives_the_array_itself(function: Any) -> None:
    def written(x: Any) -> Any:
        y = x * 2.0
        same = function(y, axes=())
        y[0] = 0.0
        return np.sum(same**2)

    np.testing.assert_allclose(zg.gradient(written, SIGNAL)[0], np.r_[0.0, 8 * SIGNAL[1:]])


def test_what_may_be_overwritten_is_refused() -> None:
    with pytest.raises(MissingRuleError, match="overwrite_x"):
        zg.gradient(lambda x: mixed(sf.fft(x * 1.0, overwrite_x=True)), SIGNAL)
    with pytest.raises(MissingRuleError):
        zg.gradient(lambda x: mixed(sf.dct(x * 1.0, 2, None, -1, None, True)), SIGNAL)
