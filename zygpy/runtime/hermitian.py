"""What the rules of matrix powers and of Hermitian factorisations need."""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.runtime.indexing import float_dtype
from zygpy.runtime.products import swapped

Array = np.ndarray[Any, Any]


def conjugate_transpose(a: Any) -> Any:
    """The conjugate transposes of a stack of matrices."""
    return np.conj(swapped(a))


def block_upper(a: Any, value: Any) -> Array:
    """The matrix [[a, value], [0, a]].

    Its n-th power holds the derivative of a ** n along `value` in the upper right block
    (Higham, Functions of Matrices, 2008, section 3.2).
    """
    top = np.concatenate([a, value], axis=-1)
    bottom = np.concatenate([np.zeros_like(a), a], axis=-1)
    return np.concatenate([top, bottom], axis=-2)


def upper_right(block: Any) -> Any:
    """The upper right quarter of a matrix (a view)."""
    half = np.shape(block)[-1] // 2
    return block[..., :half, half:]


def diagonal_blocks(block: Any) -> Any:
    """The sum of the quarters on the diagonal: what comes back to `a` in `block_upper(a, value)`."""
    half = np.shape(block)[-1] // 2
    return block[..., :half, :half] + block[..., half:, half:]


def in_upper_right(value: Any) -> Array:
    """The transpose of `upper_right`: zeros around `value`."""
    size = np.shape(value)[-1]
    result = np.zeros((*np.shape(value)[:-2], 2 * size, 2 * size), float_dtype(value))
    result[..., :size, size:] = value
    return result


def half_lower(a: Any) -> Any:
    """The lower triangle, the diagonal halved."""
    diagonal = np.eye(np.shape(a)[-1], dtype=bool)
    return np.where(diagonal, a * 0.5, np.tril(a))


def triangle(a: Any, letter: str = "L") -> Any:
    """What comes back to the triangle that NumPy reads of a Hermitian matrix: `letter` is L or U."""
    lower = half_lower(a + conjugate_transpose(a))
    return lower if letter in "lL" else conjugate_transpose(lower)


def triangle_transpose(value: Any, letter: str = "L") -> Any:
    """The transpose of `triangle`."""
    lower = half_lower(value if letter in "lL" else conjugate_transpose(value))
    return lower + conjugate_transpose(lower)


def gaps(w: Any) -> Any:
    """w[j] - w[i] at i, j for stacked eigenvalues."""
    return np.expand_dims(w, -2) - np.expand_dims(w, -1)
