"""What the rules of sorting, interpolation, convolution, ranges and cross products need."""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.runtime.broadcast import Shape, unbroadcast
from zygpy.runtime.indexing import cotangent_dtype, float_dtype

Array = np.ndarray[Any, Any]


def unsort(value: Any, order: Any, shape: Shape, axis: int | None = -1) -> Any:
    """The transpose of taking an array of this shape in an order along an axis."""
    result = np.empty(np.shape(order), float_dtype(value))
    if result.ndim == 1:
        result[order] = np.ravel(value)
    else:
        np.put_along_axis(result, order, value, axis=axis)
    return result if result.shape == shape else np.reshape(result, shape)


def _intervals(x: Any, xp: Any) -> tuple[Any, Any]:
    """For each x the interval of the samples that it lies in, and whether it lies in any."""
    last = max(len(xp) - 2, 0)
    place = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, last)
    return place, (np.asarray(x) >= xp[0]) & (np.asarray(x) < xp[-1])


def interval_values(values: Any, x: Any, xp: Any) -> Any:
    """For each x the value of its interval between the samples xp, zero outside."""
    if len(xp) < 2:
        return np.zeros(np.shape(x))[()]
    place, inside = _intervals(x, xp)
    return np.where(inside, values[place], 0)[()]


def interval_sums(values: Any, x: Any, xp: Any) -> Any:
    """The transpose of `interval_values`: sums over the x in each interval."""
    result = np.zeros(max(len(xp) - 1, 0), float_dtype(values))
    place, inside = _intervals(x, xp)
    if result.size:
        np.add.at(result, place[inside], np.asarray(values)[inside])
    return result


def taken_outside(x: Any, xp: Any, left: Any, right: Any) -> Any:
    """Where `np.interp` gives `left` or `right`, which are None if it is not to."""
    below = np.less(x, xp[0]) if left is not None else False
    return below | (np.greater(x, xp[-1]) if right is not None else False)


def interpolate_transpose(value: Any, x: Any, xp: Any) -> Any:
    """The transpose of `np.interp(x, xp, fp)` as a function of fp."""
    samples = np.asarray(xp, float)
    result = np.zeros(len(samples), float_dtype(value))
    place = _intervals(x, samples)[0]
    following = np.minimum(place + 1, len(samples) - 1)
    width = samples[following] - samples[place]
    share = np.clip((x - samples[place]) / np.where(width == 0, 1, width), 0, 1)
    share = np.where(np.greater_equal(x, samples[-1]), 1, share).astype(share.dtype)
    np.add.at(result, place, value * (1 - share))
    np.add.at(result, following, value * share)
    return result


def correlate_full(value: Any, length_a: int, length_v: int, mode: str = "valid") -> Any:
    """The cotangent of `np.correlate` in a mode, in the places of the full correlation."""
    start, stop = _window(length_a, length_v, mode)
    result = np.zeros(length_a + length_v - 1, float_dtype(value))
    result[start:stop] = value
    return result


def correlate_part(value: Any, length_a: int, length_v: int, mode: str = "valid") -> Any:
    """The transpose of `correlate_full`: the part of the full one that the mode keeps (a view)."""
    start, stop = _window(length_a, length_v, mode)
    return value[start:stop]


def _window(length_a: int, length_v: int, mode: str) -> tuple[int, int]:
    """Where a mode's result stands in the full one; swapped operands round the other way."""
    longer, shorter = max(length_a, length_v), min(length_a, length_v)
    if mode == "full":
        return 0, longer + shorter - 1
    if mode == "valid":
        return shorter - 1, longer
    start = (shorter - 1) // 2 if length_a >= length_v else shorter // 2
    return start, start + longer


def convolve_full(value: Any, length_a: int, length_v: int, mode: str = "full") -> Any:
    """The cotangent of `np.convolve` in a mode, in the places of the full convolution."""
    return correlate_full(value, max(length_a, length_v), min(length_a, length_v), mode)


def convolve_part(value: Any, length_a: int, length_v: int, mode: str = "full") -> Any:
    """The transpose of `convolve_full`: the part of the full one that the mode keeps (a view)."""
    return correlate_part(value, max(length_a, length_v), min(length_a, length_v), mode)


def window_arcs(count: int) -> Array:
    """What `np.kaiser` multiplies its parameter by in each place: the height of a half circle."""
    middle = (count - 1) / 2
    heights: Array = np.sqrt(1 - ((np.arange(count) - middle) / (middle or 1)) ** 2)
    return heights


def falling(count: int, dtype: Any) -> Array:
    """count - 1, ..., 2, 1: the exponents of a polynomial with this many coefficients (floats for integers,
    whose products might not fit)."""
    return np.arange(count - 1, 0, -1, dtype=cotangent_dtype(dtype))


def powers(x: Any, count: int) -> Array:
    """`np.vander` in the precision of x: row i holds x[i] to the powers count - 1, ..., 1, 0."""
    return np.vander(x, max(count, 0)).astype(float_dtype(x), copy=False)


def steps(value: Any, num: int, endpoint: bool) -> Array:
    """Equal steps from 0 to 1 in the precision of `value`."""
    return np.linspace(0, 1, num, endpoint, dtype=float_dtype(np.real(value)))


def range_start(value: Any, stop: Any) -> Any:
    """The cotangent of the first argument of `np.arange`: its start, if there is a stop."""
    return np.float64(0) if stop is None else np.sum(value)


def range_start_transpose(value: Any, stop: Any, count: int) -> Any:
    """The transpose of `range_start` on a range of this length."""
    return np.full(count, 0.0 if stop is None else value)


def unless_none(given: Any, value: Any) -> Any:
    """`value` where nothing is given, else zeros like it."""
    return value if given is None else np.zeros_like(value)


def chosen_dtype(given: Any, default: Any) -> Any:
    """The dtype of a result: the one asked for, else the one of the model."""
    return default if given is None else given


def cross_left(
    value: Any,
    b: Any,
    shape: Shape,
    axisa: int = -1,
    axisb: int = -1,
    axisc: int = -1,
    axis: int | None = None,
) -> Any:
    """What comes back to `a`, of this shape, in `np.cross(a, b)`; vectors in the plane have no height."""
    if axis is not None:
        axisa = axisb = axisc = axis
    inner = in_space(np.moveaxis(b, axisb, -1))
    seed = np.moveaxis(value, axisc, -1) if shape[axisa] == 3 or np.shape(b)[axisb] == 3 else upright(value)
    back = np.cross(inner, seed)
    count, others = (
        shape[axisa],
        tuple(length for one, length in enumerate(shape) if one != axisa % len(shape)),
    )
    return np.moveaxis(unbroadcast(back[..., :count], (*others, count)), -1, axisa)


def in_space(x: Any) -> Any:
    """Vectors in the plane, or in space, as vectors in space."""
    if np.shape(x)[-1] == 3:
        return x
    return np.concatenate([x, np.zeros((*np.shape(x)[:-1], 1), np.asarray(x).dtype)], axis=-1)


def upright(value: Any) -> Any:
    """Vectors in space with this third component, and no others."""
    none = np.zeros_like(value)
    return np.stack([none, none, value], axis=-1)


def conjugated(operands: Any) -> tuple[Any, ...]:
    """Each operand conjugated, lists as arrays; real ones and symbolic zeros as they are."""
    return tuple(
        np.conj(one) if np.iscomplexobj(one) else np.asarray(one) if isinstance(one, list | tuple) else one
        for one in operands
    )
