"""What the rules of reductions and scans need: positions of extremes, products, recurrences."""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.runtime.broadcast import (
    Axes,
    Shape,
    axes_of,
    casts_to_integer,
    count_reduced,
)
from zygpy.runtime.indexing import cotangent_dtype, float_dtype

Array = np.ndarray[Any, Any]


def merge_axes(value: Any, axis: Axes) -> Array:
    """Move the named axes behind the others and merge them into one (all of them for None).

    >>> merge_axes(np.zeros((2, 3, 4)), axis=(0, 2)).shape
    (3, 8)
    """
    array = np.asarray(value)
    moved = axes_of(axis, array.ndim)
    kept = tuple(one for one in range(array.ndim) if one not in moved)
    lengths = tuple(array.shape[one] for one in kept)
    return array.transpose(kept + moved).reshape(*lengths, _product(array.shape, moved))


def _product(shape: Shape, axes: tuple[int, ...]) -> int:
    result = 1
    for axis in axes:
        result *= shape[axis]
    return result


def unmerge_axes(value: Any, shape: Shape, axis: Axes) -> Any:
    """Undo `merge_axes` on an array that had this shape."""
    moved = axes_of(axis, len(shape))
    order = tuple(one for one in range(len(shape)) if one not in moved) + moved
    split = np.reshape(value, tuple(shape[one] for one in order))
    return split.transpose(tuple(order.index(one) for one in range(len(shape))))[()]


def max_positions(x: Any, axis: Axes = None) -> Any:
    """Where the first largest element stands among the merged axes."""
    merged = merge_axes(x, axis)
    return merged.argmax(-1) if merged.shape[-1] else np.zeros(merged.shape[:-1], np.intp)


def min_positions(x: Any, axis: Axes = None) -> Any:
    """Where the first smallest element stands among the merged axes."""
    merged = merge_axes(x, axis)
    return merged.argmin(-1) if merged.shape[-1] else np.zeros(merged.shape[:-1], np.intp)


def nanmax_positions(x: Any, axis: Axes = None) -> Any:
    """Where the first largest element that is not NaN stands among the merged axes."""
    return max_positions(np.where(np.isnan(x), -np.inf, x), axis)


def nanmin_positions(x: Any, axis: Axes = None) -> Any:
    """Where the first smallest element that is not NaN stands among the merged axes."""
    return min_positions(np.where(np.isnan(x), np.inf, x), axis)


def sorted_positions(x: Any, rank: int, axis: Axes = None) -> Any:
    """Where the element of this rank in sorted order stands among the merged axes.

    >>> int(sorted_positions(np.array([3.0, 1.0, 2.0, 1.0]), 1))
    3
    """
    merged = merge_axes(x, axis)
    if not merged.shape[-1]:
        return np.zeros(merged.shape[:-1], np.intp)
    found = np.partition(merged, rank, axis=-1)[..., rank, None]
    nameless = found != found  # NaN, of which partitioning puts every one at the end
    same = (merged == found) | (nameless & (merged != merged)) if np.any(nameless) else merged == found
    smaller = np.where(nameless, merged == merged, merged < found) if np.any(nameless) else merged < found
    which = rank - np.sum(smaller, axis=-1, keepdims=True)
    if not np.any(which):
        return np.argmax(same, axis=-1)
    return np.argmax(np.cumsum(same, axis=-1) == which + 1, axis=-1)


def stable_order(x: Any, axis: int = -1) -> Any:
    """The order of elements along an axis, equal ones as they stand: in half the time where none are equal.

    >>> stable_order(np.array([3.0, 1.0, 2.0, 1.0])).tolist()
    [1, 3, 2, 0]
    """
    order = np.argsort(x, axis=axis)
    ordered = np.moveaxis(np.take_along_axis(x, order, axis), axis, -1)
    if np.all(ordered[..., 1:] > ordered[..., :-1]):
        return order
    return np.argsort(x, axis=axis, kind="stable")


def lower_median_positions(x: Any, axis: Axes = None) -> Any:
    """Where the lower one of the two middle elements stands among the merged axes."""
    return sorted_positions(x, (merge_axes(x, axis).shape[-1] - 1) // 2, axis)


def upper_median_positions(x: Any, axis: Axes = None) -> Any:
    """Where the upper one of the two middle elements stands among the merged axes."""
    return sorted_positions(x, merge_axes(x, axis).shape[-1] // 2, axis)


def put_positions(value: Any, positions: Any, shape: Shape, axis: Axes = None, keepdims: bool = False) -> Any:
    """Zeros of this shape with `value` at the positions: the transpose of `take_positions`."""
    length = _product(shape, axes_of(axis, len(shape)))
    merged = np.zeros((*np.shape(positions), length), float_dtype(value))
    if length:
        column = np.reshape(value, (*np.shape(positions), 1))
        np.put_along_axis(merged, np.expand_dims(positions, -1), column, axis=-1)
    return unmerge_axes(merged, shape, axis)


def take_positions(value: Any, positions: Any, axis: Axes = None, keepdims: bool = False) -> Any:
    """The elements at the positions among the merged axes, in the shape of a reduction's result."""
    merged = merge_axes(value, axis)
    if merged.shape[-1]:
        taken = np.take_along_axis(merged, np.expand_dims(positions, -1), axis=-1)[..., 0]
    else:  # of which there is no element: the transpose of `put_positions`, which puts none
        taken = np.zeros(merged.shape[:-1], float_dtype(value))
    if keepdims:
        return np.expand_dims(taken, axes_of(axis, np.ndim(value)))
    return taken[()]


def spread_weights(weights: Any, shape: Shape, axis: Axes = None, dtype: Any = float) -> Any:
    """The weights of `np.average` in the shape of the array and no less precise (a view if they are that);
    ones of its dtype for None."""
    if weights is None:
        return np.broadcast_to(np.ones((), cotangent_dtype(dtype)), shape)
    weights = np.asarray(weights)
    weights = weights.astype(np.result_type(weights, cotangent_dtype(dtype)), copy=False)
    if np.shape(weights) == shape:
        return weights
    return np.broadcast_to(np.reshape(*_weights_layout(weights, shape, axis)), shape)


def _weights_layout(weights: Any, shape: Shape, axis: Axes) -> tuple[Any, tuple[int, ...]]:
    axes = axes_of(axis, len(shape))
    ordered = np.transpose(weights, np.argsort(axes))
    return ordered, tuple(length if one in axes else 1 for one, length in enumerate(shape))


def gather_weights(value: Any, shape: Shape, axis: Axes = None) -> Any:
    """The transpose of `spread_weights`, for weights of this shape."""
    if np.shape(value) == shape:
        return value
    axes = axes_of(axis, np.ndim(value))
    others = tuple(one for one in range(np.ndim(value)) if one not in axes)
    summed = np.sum(value, axis=others)
    return np.transpose(summed, np.argsort(np.argsort(axes)))


def count_numbers(x: Any, axis: Axes = None, keepdims: bool = False) -> Any:
    """How many elements along the axes are not NaN, at least one."""
    precision = float_dtype(np.real(x))
    return np.maximum(np.sum(~np.isnan(x), axis=axis, keepdims=keepdims, dtype=precision), 1)


def mask_of(where: Any) -> Any:
    """A mask that was given, or that of all elements."""
    return True if where is None else where


def count_chosen(shape: Shape, dtype: Any, axis: Axes, keepdims: bool, where: Any) -> Any:
    """How many elements a mask leaves to each result, at least one."""
    return np.maximum(_counted(shape, dtype, axis, keepdims, where), 1)


def _counted(shape: Shape, dtype: Any, axis: Axes, keepdims: bool, where: Any) -> Any:
    mask = np.broadcast_to(mask_of(where), shape)
    precision = np.empty(0, cotangent_dtype(dtype)).real.dtype.type
    return np.sum(mask, axis=axis, keepdims=keepdims, dtype=precision)


def freedom_chosen(
    shape: Shape, dtype: Any, axis: Axes, keepdims: bool, where: Any, ddof: float, correction: float | None
) -> Any:
    """The divisors of variances of what a mask leaves; infinite where NumPy divides by nothing."""
    less = ddof if correction is None else correction
    left = _counted(shape, dtype, axis, keepdims, where) - less
    return np.where(left > 0, left, np.inf).astype(left.dtype)[()]


def dtype_of_squares(dtype: Any, of_mean: Any) -> Any:
    """What NumPy's deviations are after they are squared, as far as real or complex: those of real numbers
    from a complex mean are squared as they are, others by their moduli.

    >>> dtype_of_squares(np.dtype(float), np.dtype(complex)), dtype_of_squares(np.dtype(complex), None)
    (dtype('complex128'), dtype('float64'))
    """
    of_mean = np.dtype(of_mean)
    return of_mean if np.dtype(dtype).kind in "iuf" and of_mean.kind == "c" else np.dtype(float)


def extreme_places(
    a: Any, axis: Axes, keepdims: bool, initial: Any, where: Any, smallest: bool = False
) -> Any:
    """The place of the first largest (or smallest) element of those that a mask leaves, for each result of a
    reduction; -1 where the initial value is beyond all of them."""
    array = np.asarray(a)
    sign = -1 if smallest else 1
    values = np.where(np.broadcast_to(mask_of(where), array.shape), sign * array, -np.inf)
    merged = merge_axes(values, axis)
    numbers = merge_axes(np.arange(array.size).reshape(array.shape), axis)
    padded = np.concatenate([merged, np.full((*merged.shape[:-1], 1), -np.inf)], -1)
    first = np.expand_dims(padded.argmax(-1), -1)
    beyond = ~(np.take_along_axis(padded, first, -1) >= sign * initial)
    numbers = np.concatenate([numbers, np.full((*merged.shape[:-1], 1), -1)], -1)
    places = np.where(beyond, -1, np.take_along_axis(numbers, first, -1))[..., 0]
    return np.expand_dims(places, axes_of(axis, array.ndim)) if keepdims else places[()]


def mean_of_numbers(a: Any, axis: Axes = None) -> Any:
    """The mean along the axes, which are kept, of what is not NaN."""
    numbers = np.where(np.isnan(a), 0, a)
    return np.sum(numbers, axis=axis, keepdims=True) / count_numbers(a, axis, True)


def freedom(shape: Shape, axis: Axes = None, ddof: float = 0) -> float:
    """The divisor of a variance; infinite where NumPy divides by nothing."""
    return (count_reduced(shape, axis) - ddof) or np.inf


def as_dtype(value: Any, dtype: Any = None) -> Any:
    """The numbers as a `dtype=` argument makes them."""
    return value if dtype is None else np.asarray(value).astype(dtype, copy=False)


def quotient(a: Any, b: Any) -> Any:
    """a / b, and zero where b is zero."""
    if np.ndim(b) == 0:
        return np.divide(a, b) if b else np.zeros_like(a)[()]
    result = np.zeros(np.broadcast_shapes(np.shape(a), b.shape), float_dtype(a, b))
    return np.divide(a, b, out=result, where=np.not_equal(b, 0))


def cast_back(value: Any, dtype: Any = None) -> Any:
    """The cotangent through a `dtype=` argument: zero where that casts to integers."""
    return np.zeros(np.shape(value)) if casts_to_integer(dtype) else value
