"""Programs that stand for functions of NumPy which call others, or of which the results are containers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple


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
