"""Transposes of Fourier transforms: what comes back to the operand of each, as transforms again.

A transform without a factor is a symmetric matrix F, and the one back without a factor its conjugate,
so that each is the other's transpose; `norm` says where the factor stands, and changes its side.
Transforms of real signals keep the first half of a spectrum: its other half is the conjugate, which
counts as much.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from zygpy.runtime.broadcast import Shape
from zygpy.runtime.numbers import as_real_as

Array = np.ndarray[Any, Any]
Lengths = tuple[int, ...] | list[int] | None
Step = tuple[Any, int | None, int]
"""A transform along one axis: the transpose of the function, its length and the axis."""

OTHER_SIDE: Mapping[Any, Any] = {
    None: "forward",
    "backward": "forward",
    "forward": "backward",
    "ortho": "ortho",
}
"""Where the factor of the transform back stands, in words of `norm=`."""


def other_side(norm: Any) -> Any:
    """Where the factor of the transform back stands, in words of `norm=`."""
    return OTHER_SIDE[norm]


def sizes(s: Any) -> Any:
    """The lengths of a transform along several axes as NumPy takes them: SciPy takes a number for one."""
    return None if s is None else tuple(np.atleast_1d(s).tolist())


def chosen(s: Any, axes: Any) -> Any:
    """The axes of such a transform as NumPy takes them, who wants them beside the lengths."""
    if axes is None:
        return None if s is None else tuple(range(-np.size(s), 0))
    return tuple(np.atleast_1d(axes).tolist())


def fitted(value: Any, length: int, axis: int) -> Any:
    """`value` cut off, or filled up with zeros, to this length along an axis.

    >>> fitted(np.array([1.0, 2.0]), 3, 0).tolist(), fitted(np.array([1.0, 2.0]), 1, 0).tolist()
    ([1.0, 2.0, 0.0], [1.0])
    """
    last = np.moveaxis(value, axis, -1)
    count = last.shape[-1]
    if count < length:
        missing = np.zeros((*last.shape[:-1], length - count), last.dtype)
        last = np.concatenate([last, missing], axis=-1)
    return np.moveaxis(last[..., :length], -1, axis)


def twice_inside(count: int, length: int, axis: int, rank: int, dtype: Any) -> Array:
    """How often each frequency of a real signal of this length stands in its whole spectrum."""
    weights = np.full(count, 2, np.real(np.zeros(0, dtype)).dtype)
    weights[0] = 1
    if length % 2 == 0:
        weights[length // 2 :] = 1
    return np.reshape(weights, [-1 if one == axis % rank else 1 for one in range(rank)])


def fft_transpose(value: Any, shape: Shape, dtype: Any, n: Any, axis: int = -1, norm: Any = None) -> Any:
    """What comes back to `a`, of this shape, in `np.fft.fft(a, n, axis, norm)`."""
    back = np.fft.ifft(value, axis=axis, norm=OTHER_SIDE[norm])
    return as_real_as(fitted(back, shape[axis], axis), dtype)


def ifft_transpose(value: Any, shape: Shape, dtype: Any, n: Any, axis: int = -1, norm: Any = None) -> Any:
    """What comes back to `a`, of this shape, in `np.fft.ifft(a, n, axis, norm)`."""
    back = np.fft.fft(value, axis=axis, norm=OTHER_SIDE[norm])
    return as_real_as(fitted(back, shape[axis], axis), dtype)


def rfft_transpose(value: Any, shape: Shape, dtype: Any, n: Any, axis: int = -1, norm: Any = None) -> Any:
    """What comes back to `a`, of this shape, in `np.fft.rfft(a, n, axis, norm)`."""
    length = shape[axis] if n is None else n
    weights = twice_inside(np.shape(value)[axis], length, axis, len(shape), value.dtype)
    back = np.fft.irfft(value / weights, length, axis, OTHER_SIDE[norm])
    return fitted(back, shape[axis], axis)


def irfft_transpose(value: Any, shape: Shape, dtype: Any, n: Any, axis: int = -1, norm: Any = None) -> Any:
    """What comes back to `a`, of this shape, in `np.fft.irfft(a, n, axis, norm)`."""
    back = np.fft.rfft(np.real(value), axis=axis, norm=OTHER_SIDE[norm])
    weights = twice_inside(back.shape[axis], np.shape(value)[axis], axis, len(shape), back.dtype)
    return as_real_as(fitted(back * weights, shape[axis], axis), dtype)


def hfft_transpose(value: Any, shape: Shape, dtype: Any, n: Any, axis: int = -1, norm: Any = None) -> Any:
    """What comes back to `a`, of this shape, in `np.fft.hfft(a, n, axis, norm)`."""
    return np.conj(irfft_transpose(value, shape, dtype, n, axis, OTHER_SIDE[norm]))


def ihfft_transpose(value: Any, shape: Shape, dtype: Any, n: Any, axis: int = -1, norm: Any = None) -> Any:
    """What comes back to `a`, of this shape, in `np.fft.ihfft(a, n, axis, norm)`."""
    return rfft_transpose(np.conj(value), shape, dtype, n, axis, OTHER_SIDE[norm])


def lengths(shape: Shape, s: Lengths, axes: Any) -> list[tuple[int | None, int]]:
    """The length and the axis of each transform that a transform along several axes is made of."""
    given = None if s is None else np.atleast_1d(s).tolist()
    if axes is None:
        axes = range(len(shape)) if given is None else range(-len(given), 0)
    axes = np.atleast_1d(axes).tolist()
    if given is None:
        return [(None, axis) for axis in axes]
    return [(shape[axis] if length == -1 else length, axis) for length, axis in zip(given, axes, strict=True)]


def _undone(value: Any, shape: Shape, dtype: Any, steps: list[Step], norm: Any) -> Any:
    """The transposes of transforms along one axis each, in the opposite order."""
    before = list(shape)
    shapes = []
    for transpose, length, axis in steps:
        shapes.append(tuple(before))
        before[axis] = _length_after(transpose, length, before[axis])
    for (transpose, length, axis), own in zip(reversed(steps), reversed(shapes), strict=True):
        value = transpose(value, own, complex, length, axis, norm)
    return as_real_as(value, dtype)


def _length_after(transpose: Any, length: int | None, before: int) -> int:
    """The length of a transform along an axis of this length."""
    if transpose is irfft_transpose:
        return 2 * (before - 1) if length is None else length
    whole = before if length is None else length
    return whole // 2 + 1 if transpose is rfft_transpose else whole


def fftn_transpose(
    value: Any, shape: Shape, dtype: Any, s: Any = None, axes: Any = None, norm: Any = None
) -> Any:
    """What comes back to `a`, of this shape, in `np.fft.fftn(a, s, axes, norm)`."""
    steps: list[Step] = [(fft_transpose, *one) for one in reversed(lengths(shape, s, axes))]
    return _undone(value, shape, dtype, steps, norm)


def ifftn_transpose(
    value: Any, shape: Shape, dtype: Any, s: Any = None, axes: Any = None, norm: Any = None
) -> Any:
    """What comes back to `a`, of this shape, in `np.fft.ifftn(a, s, axes, norm)`."""
    steps: list[Step] = [(ifft_transpose, *one) for one in reversed(lengths(shape, s, axes))]
    return _undone(value, shape, dtype, steps, norm)


def rfftn_transpose(
    value: Any, shape: Shape, dtype: Any, s: Any = None, axes: Any = None, norm: Any = None
) -> Any:
    """What comes back to `a`, of this shape, in `np.fft.rfftn(a, s, axes, norm)`."""
    *rest, last = lengths(shape, s, axes)
    steps: list[Step] = [(rfft_transpose, *last), *((fft_transpose, *one) for one in reversed(rest))]
    return _undone(value, shape, dtype, steps, norm)


def irfftn_transpose(
    value: Any, shape: Shape, dtype: Any, s: Any = None, axes: Any = None, norm: Any = None
) -> Any:
    """What comes back to `a`, of this shape, in `np.fft.irfftn(a, s, axes, norm)`."""
    *rest, last = lengths(shape, s, axes)
    steps: list[Step] = [*((ifft_transpose, *one) for one in rest), (irfft_transpose, *last)]
    return _undone(value, shape, dtype, steps, norm)
