"""What the rules of scans along an axis need: running sums, products, differences, recurrences."""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.runtime.broadcast import Axes, Shape, casts_to_integer, unbroadcast
from zygpy.runtime.indexing import float_dtype
from zygpy.runtime.reductions import merge_axes, unmerge_axes

Array = np.ndarray[Any, Any]


def reverse_cumsum(value: Any, shape: Shape, axis: int | None = None, dtype: Any = None) -> Any:
    """Sums from each element to the end: the transpose of `np.cumsum` on an array of this shape."""
    if casts_to_integer(dtype):
        return np.zeros(shape)
    along = -1 if axis is None else axis
    sums = np.flip(np.cumsum(np.flip(value, along), axis=along), along)
    return np.reshape(sums, shape)


def without_initial(value: Any, axis: int | None, include_initial: bool) -> Any:
    """The cotangent of a scan without that of what it began with, if that is included (a view)."""
    if not include_initial:
        return value
    along = -1 if axis is None else axis
    return np.moveaxis(np.moveaxis(value, along, 0)[1:], 0, along)


def with_initial(value: Any, axis: int | None, include_initial: bool) -> Any:
    """The transpose of `without_initial`: with a zero in front."""
    if not include_initial:
        return value
    along = -1 if axis is None else axis
    rest = np.moveaxis(value, along, 0)
    filled = np.concatenate([np.zeros((1, *rest.shape[1:]), value.dtype), rest])
    return np.moveaxis(filled, 0, along)


def with_leading_zeros(value: Any, count: int) -> Array:
    """A vector with so many zeros in front that it has `count` elements."""
    return np.concatenate([np.zeros(count - len(value), float_dtype(value)), value])


def without_leading_terms(value: Any, model: Any) -> Any:
    """The end of a vector, as long as the model."""
    return value[len(value) - len(model) :]


def diff_transpose(value: Any, shape: Shape, n: int = 1, axis: int = -1) -> Any:
    """The transpose of `np.diff` on an array of this shape."""
    if n == 0:
        return value
    if shape[axis] <= n:
        return np.zeros(shape, float_dtype(value))
    for _ in range(n):
        value = _diff_transpose(value, axis)
    return value


def _diff_transpose(value: Array, axis: int) -> Array:
    lengths = list(value.shape)
    lengths[axis] += 1
    result = np.zeros(lengths, value.dtype)
    moved, along = np.moveaxis(result, axis, -1), np.moveaxis(value, axis, -1)
    moved[..., 1:] = along
    moved[..., :-1] -= along
    return result


def products_before(x: Any) -> Array:
    """For each element the product of those before it on the last axis.

    >>> products_before(np.array([2.0, 3.0, 4.0])).tolist()
    [1.0, 2.0, 6.0]
    """
    array = np.asarray(x)
    result = np.ones(array.shape, float_dtype(array))
    np.cumprod(array[..., :-1], axis=-1, out=result[..., 1:])
    return result


def products_after(x: Any) -> Array:
    """For each element the product of those after it on the last axis."""
    return np.flip(products_before(np.flip(x, -1)), -1)


def products_of_others(x: Any, axis: Axes = None) -> Any:
    """For each element the product of all others along the axes, exact where some are zero."""
    quick = _quotients(x, axis)
    if quick is not None:
        return quick
    merged = merge_axes(x, axis)
    return unmerge_axes(products_before(merged) * products_after(merged), np.shape(x), axis)


def tame(x: Any, axis: Axes = None) -> bool:
    """Whether the products along the axes may be divided by each of their elements."""
    return _quotients(x, axis) is not None


def _quotients(x: Any, axis: Axes) -> Any:
    """The whole products over each of their elements, of real arrays; None where a product is near the
    limits of its numbers, as it is where an element is zero or not finite."""
    if type(x) is not np.ndarray or x.dtype.kind != "f" or x.size == 0:
        return None
    with np.errstate(all="ignore"):
        whole = np.multiply.reduce(x, axis, keepdims=True)
        limits, size = np.finfo(x.dtype), np.abs(whole)
        if size.min() > limits.tiny / limits.eps and size.max() < np.inf:
            return whole / x
    return None


def recur_down(value: Any, x: Any) -> Array:
    """t[k] = value[k] + x[k + 1] * t[k + 1] on the last axis, from the end.

    >>> recur_down(np.ones(3), np.array([9.0, 2.0, 3.0])).tolist()
    [9.0, 4.0, 1.0]
    """
    result = np.array(value, float_dtype(value, x))
    if result.shape[-1] > LONG and (products := _tame_products(result, x)) is not None:
        with np.errstate(all="ignore"):
            sums = np.cumsum(np.flip(result * products, -1), axis=-1)
        if np.all(np.isfinite(sums)):
            return np.asarray(np.flip(sums, -1) / products, result.dtype)
    for k in range(result.shape[-1] - 2, -1, -1):
        result[..., k] += x[..., k + 1] * result[..., k + 1]
    return result


LONG = 32
"""From how many elements on a recurrence is worth to be written as a sum."""


def _tame_products(value: Array, x: Any) -> Array | None:
    """The products of the factors behind the first one up to each, if none is so large or small that dividing
    by it loses anything."""
    factors = np.array(np.broadcast_to(x, value.shape), value.dtype)
    factors[..., 0] = 1
    with np.errstate(all="ignore"):
        products = np.cumprod(factors, axis=-1)
        sizes = np.abs(products)
    limits = np.finfo(value.dtype)
    tame = sizes.size > 0 and limits.tiny**0.5 < np.min(sizes) and np.max(sizes) < limits.max**0.5
    return products if tame else None


def recur_up(value: Any, x: Any) -> Array:
    """t[k] = value[k] + x[k - 1] * t[k - 1] on the last axis, from the start."""
    return np.flip(recur_down(np.flip(value, -1), np.flip(x, -1)), -1)


def added_in_pieces(array: Any, indices: Any, axis: int = 0, dtype: Any = None) -> Any:
    """`np.add.reduceat`."""
    return np.add.reduceat(array, indices, axis, dtype)


def spread_over_pieces(value: Any, shape: Shape, indices: Any, axis: int = 0) -> Array:
    """The transpose of `added_in_pieces` on an array of this shape.

    >>> spread_over_pieces(np.array([1.0, 2.0, 4.0]), (4,), [1, 3, 1]).tolist()
    [0.0, 5.0, 5.0, 6.0]
    """
    rows = np.moveaxis(value, axis, 0)
    starts = np.asarray(indices)
    counts = np.maximum(np.append(starts[1:], shape[axis]) - starts, 1)
    result = np.zeros((shape[axis], *rows.shape[1:]), float_dtype(value))
    if np.all(starts[1:] > starts[:-1]):
        result[starts[0] if len(starts) else shape[axis] :] = np.repeat(rows, counts, axis=0)
    else:
        within = np.arange(np.sum(counts)) - np.repeat(np.cumsum(counts) - counts, counts)
        np.add.at(result, np.repeat(starts, counts) + within, np.repeat(rows, counts, axis=0))
    return np.moveaxis(result, 0, axis)


def shift_right(value: Any) -> Any:
    """Each element moved one place on along the last axis, zero coming in."""
    result = np.zeros_like(value)
    result[..., 1:] = value[..., :-1]
    return result


def shift_left(value: Any) -> Any:
    """Each element moved one place back along the last axis, zero coming in."""
    result = np.zeros_like(value)
    result[..., :-1] = value[..., 1:]
    return result


def sum_pairs(f: Any, axis: int = -1) -> Any:
    """The sum of each element and the next along the axis."""
    along = np.moveaxis(f, axis, -1)
    return np.moveaxis(along[..., 1:] + along[..., :-1], -1, axis)


def sum_pairs_transpose(value: Any, shape: Shape, axis: int = -1) -> Any:
    """The transpose of `sum_pairs` on an array of this shape."""
    result = np.zeros(shape, float_dtype(value))
    value = _of_steps(value, shape, axis)
    moved, along = np.moveaxis(result, axis, -1), np.moveaxis(value, axis, -1)
    moved[..., 1:] = along
    moved[..., :-1] += along
    return result


def _of_steps(value: Any, shape: Shape, axis: int) -> Any:
    """A cotangent of products with steps, in the shape of the steps of an array that was broadcast."""
    lengths = list(shape)
    lengths[axis] = max(lengths[axis] - 1, 0)
    steps = tuple(lengths)
    if 0 in steps:
        return np.zeros(steps, float_dtype(value))
    return np.broadcast_to(unbroadcast(value, steps), steps)


def widths(x: Any, dx: Any, axis: int, rank: int) -> Any:
    """What `np.trapezoid` multiplies the pairs of an array of this rank by."""
    if x is None:
        return dx
    if np.ndim(x) != 1:
        return np.diff(x, axis=axis)
    return np.reshape(np.diff(x), [-1 if one == axis % rank else 1 for one in range(rank)])


def widths_transpose(value: Any, shape: Shape, axis: int = -1) -> Any:
    """The cotangent of x, an array of this shape, in `widths`."""
    if len(shape) != 1:
        return diff_transpose(_of_steps(value, shape, axis), shape, 1, axis)
    others = tuple(one for one in range(np.ndim(value)) if one != axis % np.ndim(value))
    return diff_transpose(_of_steps(np.sum(value, axis=others), shape, 0), shape)
