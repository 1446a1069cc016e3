"""Programs that stand for functions of NumPy which call others, or of which the results are containers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from zygpy.runtime.scans import added_in_pieces


def along_axis(func1d: Any, axis: Any, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """`np.apply_along_axis`."""
    array = np.asarray(arr)
    place = normalize_axis_index(axis, np.ndim(array))
    rows = np.moveaxis(array, place, -1)
    lengths = np.shape(rows)[:-1]
    positions = list(np.ndindex(*lengths))
    if len(positions) == 0:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    results = [np.asarray(func1d(rows[position], *args, **kwargs)) for position in positions]
    shape, dtype = np.shape(results[0]), results[0].dtype
    flat = np.concatenate([np.ravel(np.broadcast_to(result, shape)) for result in results])
    stacked = np.reshape(flat.astype(dtype), lengths + shape)
    before = list(range(len(lengths)))
    inner = [len(lengths) + axis for axis in range(len(shape))]
    return np.transpose(stacked, before[:place] + inner + before[place:])


def lifted(a: Any, b: Any) -> Any:
    """The first operand with an axis of length one for each of the second one's."""
    return np.reshape(a, np.shape(a) + (1,) * np.ndim(b))


def outer_sums(a: Any, b: Any) -> Any:
    """`np.add.outer`."""
    return np.add(lifted(a, b), b)


def outer_differences(a: Any, b: Any) -> Any:
    """`np.subtract.outer`."""
    return np.subtract(lifted(a, b), b)


def outer_products(a: Any, b: Any) -> Any:
    """`np.multiply.outer`."""
    return np.multiply(lifted(a, b), b)


def outer_quotients(a: Any, b: Any) -> Any:
    """`np.divide.outer`."""
    return np.divide(lifted(a, b), b)


def outer_powers(a: Any, b: Any) -> Any:
    """`np.power.outer`."""
    return np.power(lifted(a, b), b)


def outer_maxima(a: Any, b: Any) -> Any:
    """`np.maximum.outer`."""
    return np.maximum(lifted(a, b), b)


def outer_minima(a: Any, b: Any) -> Any:
    """`np.minimum.outer`."""
    return np.minimum(lifted(a, b), b)


def summed(array: Any, axis: Any = 0, dtype: Any = None, *, keepdims: Any = False) -> Any:
    """`np.add.reduce`."""
    return np.sum(array, axis=axis, dtype=dtype, keepdims=keepdims)


def multiplied(array: Any, axis: Any = 0, dtype: Any = None, *, keepdims: Any = False) -> Any:
    """`np.multiply.reduce`."""
    return np.prod(array, axis=axis, dtype=dtype, keepdims=keepdims)


def largest(array: Any, axis: Any = 0, *, keepdims: Any = False) -> Any:
    """`np.maximum.reduce`."""
    return np.max(array, axis=axis, keepdims=keepdims)


def smallest(array: Any, axis: Any = 0, *, keepdims: Any = False) -> Any:
    """`np.minimum.reduce`."""
    return np.min(array, axis=axis, keepdims=keepdims)


def running_sums(array: Any, axis: Any = 0, dtype: Any = None) -> Any:
    """`np.add.accumulate`."""
    return np.cumsum(array, axis=axis, dtype=dtype)


def running_products(array: Any, axis: Any = 0, dtype: Any = None) -> Any:
    """`np.multiply.accumulate`."""
    return np.cumprod(array, axis=axis, dtype=dtype)


def sums_of_pieces(array: Any, indices: Any, axis: Any = 0, dtype: Any = None) -> Any:
    """`np.add.reduceat`."""
    return added_in_pieces(np.asarray(array), indices, axis, dtype)


OF_UFUNCS = {
    np.add.outer: outer_sums,
    np.subtract.outer: outer_differences,
    np.multiply.outer: outer_products,
    np.divide.outer: outer_quotients,
    np.power.outer: outer_powers,
    np.maximum.outer: outer_maxima,
    np.minimum.outer: outer_minima,
    np.add.reduce: summed,
    np.multiply.reduce: multiplied,
    np.maximum.reduce: largest,
    np.minimum.reduce: smallest,
    np.add.accumulate: running_sums,
    np.multiply.accumulate: running_products,
    np.add.reduceat: sums_of_pieces,
}
"""The programs for methods of ufuncs; they take what has nothing to do with `out`."""


def differences(a: Any, n: Any = 1, axis: Any = -1, prepend: Any = None, append: Any = None) -> Any:
    """`np.diff` with what stands before and behind."""
    array = np.asarray(a)
    if n == 0:
        return a
    place = normalize_axis_index(axis, np.ndim(array))
    shape = np.shape(array)
    row = (*shape[:place], 1, *shape[place + 1 :])
    pieces = [array]
    if prepend is not None:
        pieces = [np.broadcast_to(prepend, row) if np.ndim(prepend) == 0 else np.asarray(prepend), *pieces]
    if append is not None:
        pieces = [*pieces, np.broadcast_to(append, row) if np.ndim(append) == 0 else np.asarray(append)]
    return np.diff(np.concatenate(pieces, place), n, place)


def differences_in_a_row(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """`np.ediff1d` with what stands before and behind."""
    flat = np.ravel(ary)
    dtype = flat.dtype
    pieces = [flat[1:] - flat[:-1]]
    if to_begin is not None:
        pieces = [_fitting(to_begin, dtype, "to_begin"), *pieces]
    if to_end is not None:
        pieces = [*pieces, _fitting(to_end, dtype, "to_end")]
    return np.concatenate(pieces)


def _fitting(values: Any, dtype: Any, name: Any) -> Any:
    """Values in a row, as numbers of this dtype."""
    array = np.asarray(values)
    if not np.can_cast(array.dtype, dtype, casting="same_kind"):
        raise TypeError(f"dtype of `{name}` must be compatible with input `ary` under the `same_kind` rule.")
    return np.ravel(array).astype(dtype)


def averaged(
    a: Any, axis: Any = None, weights: Any = None, returned: Any = False, *, keepdims: Any = False
) -> Any:
    """`np.average` with the sum of the weights."""
    mean = np.average(a, axis, weights, keepdims=keepdims)
    if not returned:
        return mean
    shape = np.shape(mean)
    if weights is None:
        total = np.asarray(mean).dtype.type(np.size(a) / np.size(mean))
    elif np.shape(weights) == np.shape(a):
        total = np.sum(weights, axis=axis, dtype=np.result_type(mean), keepdims=keepdims)
    else:
        order = np.argsort(normalize_axis_tuple(axis, np.ndim(a)))
        total = np.sum(np.transpose(weights, order), dtype=np.result_type(mean))
    return mean, total if np.shape(total) == shape else np.copy(np.broadcast_to(total, shape))
