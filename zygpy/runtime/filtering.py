"""What the rules of convolutions and filters in several dimensions need: windows, lags and steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.signal as ss

from zygpy.runtime.broadcast import Shape
from zygpy.runtime.indexing import float_dtype


def widened(value: Any, first: Shape, second: Shape, mode: str, axes: Any = None) -> Any:
    """The cotangent of a convolution in a mode, in the places of the full one; zeros around it.

    `first` and `second` are the shapes of what was convolved along these axes, None for all.
    """
    shape, window = _window(np.shape(value), first, second, mode, axes)
    result = np.zeros(shape, float_dtype(value))
    result[window] = value
    return result


def narrowed(value: Any, like: Shape, first: Shape, second: Shape, mode: str, axes: Any = None) -> Any:
    """The transpose of `widened`: the part of the full convolution that the mode keeps."""
    return np.array(value[_window(like, first, second, mode, axes)[1]])


def _window(
    shape: Shape, first: Shape, second: Shape, mode: str, axes: Any
) -> tuple[Shape, tuple[slice, ...]]:
    """The shape of the full convolution, and where a mode's result stands in it."""
    lengths, slices = list(shape), [slice(None)] * len(shape)
    for axis in _each_axis(axes, len(shape)):
        a, b = first[axis], second[axis]
        lengths[axis] = a + b - 1
        start = {"full": 0, "same": (b - 1) // 2, "late": b // 2, "valid": min(a, b) - 1}[mode]
        slices[axis] = slice(start, start + shape[axis])
    return tuple(lengths), tuple(slices)


def _each_axis(axes: Any, rank: int) -> Sequence[int]:
    given = range(rank) if axes is None else np.atleast_1d(axes).tolist()
    return [axis % rank for axis in given]


def lag_products(v: Any, x: Any, count: int, axis: int = -1) -> Any:
    """For each lag `k < count` the sum of `v[n] * conj(x[n - k])`, over all other axes too.

    >>> lag_products(np.array([1.0, 2.0, 3.0]), np.array([1.0, 0.0, 1.0]), 2)
    array([4., 2.])
    """
    late, early = np.moveaxis(v, axis, -1), np.conj(np.moveaxis(x, axis, -1))
    length = late.shape[-1]
    result = np.zeros(count, np.result_type(float_dtype(v), float_dtype(x)))
    for lag in range(min(count, length)):
        result[lag] = np.sum(late[..., lag:] * early[..., : length - lag])
    return result


def stretched(value: Any, step: int, length: int, axis: int = -1) -> Any:
    """The elements along an axis at every `step`-th place of an array of this length, zeros between."""
    moved = np.moveaxis(value, axis, -1)
    result = np.zeros((*moved.shape[:-1], length), float_dtype(value))
    result[..., : moved.shape[-1] * step : step] = moved
    return np.moveaxis(result, -1, axis)


def every(value: Any, step: int, count: int, axis: int = -1) -> Any:
    """The transpose of `stretched`: the first `count` elements along an axis at every `step`-th place."""
    moved = np.moveaxis(value, axis, -1)
    return np.array(np.moveaxis(moved[..., : count * step : step], -1, axis))


def resized(value: Any, length: int, axis: int = -1) -> Any:
    """The array cut off along an axis, or zeros put behind it."""
    moved = np.moveaxis(value, axis, -1)
    kept = min(length, moved.shape[-1])
    result = np.zeros((*moved.shape[:-1], length), float_dtype(value))
    result[..., :kept] = moved[..., :kept]
    return np.moveaxis(result, -1, axis)


def smoothing_transpose(
    value: Any, window_length: int, polyorder: int, deriv: int = 0, delta: float = 1.0, axis: int = -1
) -> Any:
    """The transpose of `savgol_filter`, at whose ends polynomials are fitted."""
    rows = ss.savgol_filter(np.eye(window_length), window_length, polyorder, deriv, delta, axis=0)
    rows = rows.astype(float_dtype(value))
    half = window_length // 2
    moved = np.moveaxis(value, axis, -1)
    result = np.zeros_like(moved)
    inner = moved[..., half : moved.shape[-1] - half]
    for place in range(window_length):
        result[..., place : place + inner.shape[-1]] += rows[half, place] * inner
    result[..., :window_length] += moved[..., :half] @ rows[:half]
    result[..., -window_length:] += moved[..., moved.shape[-1] - half :] @ rows[window_length - half :]
    return np.moveaxis(result, -1, axis)


def turned(value: Any, axes: Any) -> Any:
    """The array turned round along these axes, None for all."""
    return np.flip(value, None if axes is None else tuple(np.atleast_1d(axes).tolist()))


def swapped(value: Any, first: Shape, second: Shape, mode: str) -> Any:
    """The conjugate where `correlate2d` exchanges its operands, else the value itself."""
    exchanged = mode == "valid" and any(a < b for a, b in zip(first, second, strict=True))
    return np.conj(value) if exchanged and np.iscomplexobj(value) else value


def one(x: Any) -> Any:
    """The filter that changes nothing, in the precision of x."""
    return np.ones(1, float_dtype(np.real(x)))


def framed(x: Any, width: int, step: int) -> Any:
    """The segments of so many samples, each a step behind the one before, along a new axis before the last.

    >>> framed(np.arange(5.0), 3, 2)
    array([[0., 1., 2.],
           [2., 3., 4.]])
    """
    return np.array(np.lib.stride_tricks.sliding_window_view(x, width, axis=-1)[..., ::step, :])


def overlapped(frames: Any, step: int, length: int) -> Any:
    """The transpose of `framed`: the sum of segments, each at its place in a signal of this length."""
    count, width = frames.shape[-2:]
    result = np.zeros((*frames.shape[:-2], length), float_dtype(frames))
    for index in range(count):
        result[..., index * step : index * step + width] += frames[..., index, :]
    return result


def in_sections(sos: Any, x: Any, axis: int = -1) -> Any:
    """`scipy.signal.sosfilt`, where sections are divided by their fourth coefficients."""
    sos = np.asarray(sos)
    return ss.sosfilt(sos if np.all(sos[:, 3] == 1) else sos / sos[:, 3:4], x, axis)


def to_sections(sos: Any, x: Any, bar: Any, axis: int = -1) -> Any:
    """What comes back to the sections in `in_sections`."""
    given = [x]
    for index in range(len(sos)):
        given.append(ss.lfilter(sos[index, :3], sos[index, 3:], given[index], axis))
    rows: list[Any] = []
    for index in range(len(sos) - 1, -1, -1):
        b, a = sos[index, :3], sos[index, 3:]
        back = np.flip(ss.lfilter(one(a), np.conj(a), np.flip(bar, axis), axis), axis)
        of_b, of_a = lag_products(back, given[index], 3, axis), lag_products(back, given[index + 1], 3, axis)
        rows.insert(0, np.concatenate([of_b, -of_a]))
        bar = np.flip(ss.lfilter(np.conj(b), np.conj(a), np.flip(bar, axis), axis), axis)
    return np.stack(rows)


def along_sections(sos: Any, x: Any, dot: Any, axis: int = -1) -> Any:
    """The tangent of `in_sections` where the sections move."""
    given, moved = x, np.zeros_like(x)
    for index in range(len(sos)):
        b, a = sos[index, :3], sos[index, 3:]
        made = ss.lfilter(b, a, given, axis)
        moved = ss.lfilter(b, a, moved, axis) + ss.lfilter(dot[index, :3], a, given, axis)
        moved = moved - ss.lfilter(dot[index, 3:], a, made, axis)
        given = made
    return moved
