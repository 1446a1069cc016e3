"""Transforms of the older `scipy.fftpack`, as programs over those of `scipy.fft`; loaded with SciPy alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.fft as sf
import scipy.fftpack as fp

from zygpy.errors import MissingRuleError
from zygpy.runtime.library_values import as_given, told_by


def check_kept(name: str, overwrite_x: Any) -> None:
    """Raise MissingRuleError for an array that may be destroyed."""
    if overwrite_x:
        raise MissingRuleError(
            f"'scipy.fftpack.{name}' has no rule for overwrite_x=.",
            why="the array is read again by the adjoint",
            instead="leave it out",
        )


# Of complex signals.


def fft(x: Any, n: Any = None, axis: Any = -1, overwrite_x: Any = False) -> Any:
    """`scipy.fftpack.fft`."""
    check_kept("fft", overwrite_x)
    return as_given(told_by(fp.fft, (x, n, axis), {}), sf.fft(x, n, axis))


def ifft(x: Any, n: Any = None, axis: Any = -1, overwrite_x: Any = False) -> Any:
    """`scipy.fftpack.ifft`."""
    check_kept("ifft", overwrite_x)
    return as_given(told_by(fp.ifft, (x, n, axis), {}), sf.ifft(x, n, axis))


def fft2(x: Any, shape: Any = None, axes: Any = (-2, -1), overwrite_x: Any = False) -> Any:
    """`scipy.fftpack.fft2`."""
    check_kept("fft2", overwrite_x)
    return as_given(told_by(fp.fft2, (x, shape, axes), {}), sf.fft2(x, shape, axes))


def ifft2(x: Any, shape: Any = None, axes: Any = (-2, -1), overwrite_x: Any = False) -> Any:
    """`scipy.fftpack.ifft2`."""
    check_kept("ifft2", overwrite_x)
    return as_given(told_by(fp.ifft2, (x, shape, axes), {}), sf.ifft2(x, shape, axes))


def fftn(x: Any, shape: Any = None, axes: Any = None, overwrite_x: Any = False) -> Any:
    """`scipy.fftpack.fftn`."""
    check_kept("fftn", overwrite_x)
    return as_given(told_by(fp.fftn, (x, shape, axes), {}), sf.fftn(x, shape, axes))


def ifftn(x: Any, shape: Any = None, axes: Any = None, overwrite_x: Any = False) -> Any:
    """`scipy.fftpack.ifftn`."""
    check_kept("ifftn", overwrite_x)
    return as_given(told_by(fp.ifftn, (x, shape, axes), {}), sf.ifftn(x, shape, axes))


# Of real signals: the real parts of a spectrum with the imaginary ones between them.


def rfft(x: Any, n: Any = None, axis: Any = -1, overwrite_x: Any = False) -> Any:
    """`scipy.fftpack.rfft`."""
    check_kept("rfft", overwrite_x)
    value = told_by(fp.rfft, (x, n, axis), {})
    spectrum = np.moveaxis(sf.rfft(x, n, axis), axis, -1)
    parts = np.stack([np.real(spectrum), np.imag(spectrum)], axis=-1)
    row = np.reshape(parts, (*np.shape(spectrum)[:-1], 2 * np.shape(spectrum)[-1]))
    found = np.concatenate([row[..., :1], row[..., 2 : np.shape(value)[axis] + 1]], axis=-1)
    return as_given(value, np.moveaxis(found, -1, axis))


def irfft(x: Any, n: Any = None, axis: Any = -1, overwrite_x: Any = False) -> Any:
    """`scipy.fftpack.irfft`."""
    check_kept("irfft", overwrite_x)
    value = told_by(fp.irfft, (x, n, axis), {})
    count = np.shape(value)[axis]
    row = np.moveaxis(np.asarray(x) * 1.0, axis, -1)[..., :count]
    behind = np.zeros((*np.shape(row)[:-1], count - np.shape(row)[-1]))
    row = np.concatenate([row, behind], axis=-1)
    real, imaginary = np.concatenate([row[..., :1], row[..., 1::2]], axis=-1), row[..., 2::2]
    around = np.zeros((*np.shape(row)[:-1], 1))
    last = around[..., : np.shape(real)[-1] - np.shape(imaginary)[-1] - 1]
    spectrum = real + 1j * np.concatenate([around, imaginary, last], axis=-1)
    return as_given(value, np.moveaxis(sf.irfft(spectrum, count), -1, axis))


# Cosines and sines.


def dct(
    x: Any, type: Any = 2, n: Any = None, axis: Any = -1, norm: Any = None, overwrite_x: Any = False
) -> Any:
    """`scipy.fftpack.dct`."""
    check_kept("dct", overwrite_x)
    return as_given(told_by(fp.dct, (x, type, n, axis, norm), {}), sf.dct(x, type, n, axis, norm))


def dst(
    x: Any, type: Any = 2, n: Any = None, axis: Any = -1, norm: Any = None, overwrite_x: Any = False
) -> Any:
    """`scipy.fftpack.dst`."""
    check_kept("dst", overwrite_x)
    return as_given(told_by(fp.dst, (x, type, n, axis, norm), {}), sf.dst(x, type, n, axis, norm))


INVERSE = {1: 1, 2: 3, 3: 2, 4: 4}
"""The type of the transform that is the inverse of one of a type, but for a factor, which is left out."""


def idct(
    x: Any, type: Any = 2, n: Any = None, axis: Any = -1, norm: Any = None, overwrite_x: Any = False
) -> Any:
    """`scipy.fftpack.idct`."""
    check_kept("idct", overwrite_x)
    return as_given(told_by(fp.idct, (x, type, n, axis, norm), {}), sf.dct(x, INVERSE[type], n, axis, norm))


def idst(
    x: Any, type: Any = 2, n: Any = None, axis: Any = -1, norm: Any = None, overwrite_x: Any = False
) -> Any:
    """`scipy.fftpack.idst`."""
    check_kept("idst", overwrite_x)
    return as_given(told_by(fp.idst, (x, type, n, axis, norm), {}), sf.dst(x, INVERSE[type], n, axis, norm))


def dctn(
    x: Any, type: Any = 2, shape: Any = None, axes: Any = None, norm: Any = None, overwrite_x: Any = False
) -> Any:
    """`scipy.fftpack.dctn`."""
    check_kept("dctn", overwrite_x)
    return as_given(told_by(fp.dctn, (x, type, shape, axes, norm), {}), sf.dctn(x, type, shape, axes, norm))


def dstn(
    x: Any, type: Any = 2, shape: Any = None, axes: Any = None, norm: Any = None, overwrite_x: Any = False
) -> Any:
    """`scipy.fftpack.dstn`."""
    check_kept("dstn", overwrite_x)
    return as_given(told_by(fp.dstn, (x, type, shape, axes, norm), {}), sf.dstn(x, type, shape, axes, norm))


def idctn(
    x: Any, type: Any = 2, shape: Any = None, axes: Any = None, norm: Any = None, overwrite_x: Any = False
) -> Any:
    """`scipy.fftpack.idctn`."""
    check_kept("idctn", overwrite_x)
    value = told_by(fp.idctn, (x, type, shape, axes, norm), {})
    return as_given(value, sf.dctn(x, INVERSE[type], shape, axes, norm))


def idstn(
    x: Any, type: Any = 2, shape: Any = None, axes: Any = None, norm: Any = None, overwrite_x: Any = False
) -> Any:
    """`scipy.fftpack.idstn`."""
    check_kept("idstn", overwrite_x)
    value = told_by(fp.idstn, (x, type, shape, axes, norm), {})
    return as_given(value, sf.dstn(x, INVERSE[type], shape, axes, norm))
