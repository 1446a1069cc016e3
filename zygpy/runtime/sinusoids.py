"""Transposes of cosine and sine transforms, which are such transforms again.

The matrices of types 1 and 4 are symmetric but for the first and the last column of cosines of type 1, and
those of types 2 and 3 are each other's transposes but for one column of type 3. Where SciPy makes them
orthogonal (`orthogonalize=True`), these exceptions are gone. All matrices are real; of complex numbers SciPy
transforms both parts, and `orthogonalize` then means nothing.

This module is imported with the rules of `scipy.fft`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.fft as sf

from zygpy.runtime.broadcast import Shape
from zygpy.runtime.fourier import fitted, lengths
from zygpy.runtime.numbers import as_real_as

TRANSPOSED = {1: 1, 2: 3, 3: 2, 4: 4}
"""The type of the transform that is the transpose of one of this type."""

BACK = {"dct": sf.dct, "idct": sf.idct, "dst": sf.dst, "idst": sf.idst}


def along_one(
    value: Any, name: str, shape: Shape, dtype: Any, type: int, n: Any, axis: int, norm: Any, orthogonal: Any
) -> Any:
    """What comes back to `x`, of this shape, in `scipy.fft.dct(x, type, n, axis, norm)` or another."""
    return along_several(
        value, name, shape, dtype, type, None if n is None else (n,), (axis,), norm, orthogonal
    )


def along_several(
    value: Any, name: str, shape: Shape, dtype: Any, type: int, s: Any, axes: Any, norm: Any, orthogonal: Any
) -> Any:
    """What comes back to `x`, of this shape, in `scipy.fft.dctn(x, type, s, axes, norm)` or another."""
    orthogonal = is_orthogonal(dtype, norm, orthogonal)
    value = as_real_as(value, dtype)
    for _, axis in lengths(shape, s, axes):
        back = of_both_parts(value, name, type, axis, norm, orthogonal)
        value = fitted(back, shape[axis], axis)
    return value


def is_orthogonal(dtype: Any, norm: Any, asked: Any) -> bool:
    """Whether SciPy makes the matrix orthogonal: where it is told to, else with that norm.

    >>> is_orthogonal(float, "ortho", None), is_orthogonal(float, "ortho", False)
    (True, False)
    >>> is_orthogonal(complex, "ortho", False)
    True
    """
    if asked is None or np.dtype(dtype).kind == "c":
        return bool(norm == "ortho")
    return bool(asked)


def of_both_parts(value: Any, name: str, type: int, axis: int, norm: Any, orthogonal: bool) -> Any:
    """The transpose of a transform along one axis, of complex numbers too."""
    if np.iscomplexobj(value):
        real = transposed(np.real(value), name, type, axis, norm, orthogonal)
        return real + 1j * transposed(np.imag(value), name, type, axis, norm, orthogonal)
    return transposed(value, name, type, axis, norm, orthogonal)


def transposed(value: Any, name: str, type: int, axis: int, norm: Any, orthogonal: bool) -> Any:
    """The transpose of a transform of real numbers along one axis, without the change of its length."""
    before, after = columns(name, type, np.shape(value)[axis], orthogonal)
    moved = np.moveaxis(value, axis, -1) * np.asarray(before, value.dtype)
    found = BACK[name](moved, TRANSPOSED[type], norm=norm, orthogonalize=orthogonal)
    return np.moveaxis(found * np.asarray(after, value.dtype), -1, axis)


def columns(name: str, type: int, length: int, orthogonal: bool) -> Any:
    """What the columns and then the rows of the transform back are multiplied by."""
    before, after = np.ones(length), np.ones(length)
    effective = TRANSPOSED[type] if name.startswith("i") else type
    if orthogonal or effective == 4 or (effective == 1 and name.endswith("dst")):
        return before, after
    odd = -1 if name.endswith("dst") else 0
    if effective != 3:
        before[odd] = 2.0
    if effective != 2:
        after[odd] = 0.5
    if effective == 1:
        before[-1], after[-1] = 2.0, 0.5
    return before, after
