"""Between a result's shape and an operand's: summing over broadcast axes, and the way back."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Shape = tuple[int, ...]
Axes = int | tuple[int, ...] | None


def unbroadcast(value: Any, shape: Shape) -> Any:
    """Sum `value` over the axes along which an operand of this shape was broadcast.

    `value` itself is returned where it has the shape already (of an array without axes its number: the array
    may lie in one that changes). Axes along which `value` is the smaller one (a scalar zero, say) are
    stretched into a fresh array.

    >>> unbroadcast(np.ones((4, 3)), (3,)).tolist()
    [4.0, 4.0, 4.0]
    >>> unbroadcast(0.0, (2,)).tolist()
    [0.0, 0.0]
    """
    actual = np.shape(value)
    if actual == shape:
        return value[()] if not shape and type(value) is np.ndarray else value
    if not shape:
        return np.add.reduce(value, axis=None)
    axes = _stretched(actual, shape)
    if axes:
        value = np.add.reduce(value, axis=axes, keepdims=True)
    aligned = np.shape(value)[max(len(actual) - len(shape), 0) :]
    value = np.reshape(value, aligned)
    return value if aligned == shape else np.array(np.broadcast_to(value, shape))


def _stretched(actual: Shape, shape: Shape) -> tuple[int, ...]:
    """The axes of `actual` that an operand of this shape lacks or has with length one."""
    lead = len(actual) - len(shape)
    lengths = (1,) * lead + shape if lead >= 0 else shape[-lead:]
    return tuple(
        axis
        for axis, (mine, theirs) in enumerate(zip(actual, lengths, strict=True))
        if axis < lead or (theirs == 1 and mine != 1)
    )


def rebroadcast(value: Any, shape: Shape) -> Any:
    """The transpose of `unbroadcast`: a view of `value` stretched to the shape it was summed from."""
    actual = np.shape(value)
    if actual == shape:
        return value
    if _stretched(actual, shape):
        return unbroadcast(value, shape)
    return np.broadcast_to(value, shape)


def axes_of(axis: Axes, rank: int) -> tuple[int, ...]:
    """The axes meant by an `axis=` argument, none of them negative."""
    if axis is None:
        return tuple(range(rank))
    axes = axis if isinstance(axis, tuple) else (axis,)
    return tuple(int(one) % rank for one in axes) if rank else ()


def unreduce(
    value: Any,
    shape: Shape,
    axis: Axes = None,
    keepdims: bool = False,
    dtype: Any = None,
    where: Any = True,
) -> Any:
    """Stretch the cotangent of a reduction back over the reduced axes (a view of `value`).

    `dtype` and `where` are the reduction's arguments of these names: nothing comes back through a
    cast to integers, nor to elements that were left out.

    >>> unreduce(np.array([1.0, 2.0]), (2, 3), axis=1).tolist()
    [[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]
    """
    if casts_to_integer(dtype):
        return np.zeros(shape)
    if where is not True:
        return np.where(where, unreduce(value, shape, axis, keepdims), 0)
    if not shape:
        return value if np.ndim(value) == 0 else np.reshape(value, ())[()]
    if axis is not None and not keepdims:
        reduced = axes_of(axis, len(shape))
        value = np.reshape(value, [1 if one in reduced else length for one, length in enumerate(shape)])
    return np.broadcast_to(value, shape)


def rereduce(
    value: Any, axis: Axes = None, keepdims: bool = False, dtype: Any = None, where: Any = True
) -> Any:
    """The transpose of `unreduce`: the sum over the reduced axes."""
    if casts_to_integer(dtype):
        value = np.zeros(np.shape(value))
    return np.sum(value, axis=axis, keepdims=keepdims, where=where)


def casts_to_integer(dtype: Any) -> bool:
    """Whether a `dtype=` argument asks for a type that carries no derivative."""
    return dtype is not None and np.dtype(dtype).kind not in "fcO"


def count_reduced(shape: Shape, axis: Axes = None) -> int:
    """How many elements each result of a reduction combines, at least one.

    >>> count_reduced((2, 3), axis=-1)
    3
    """
    return max(1, math.prod(shape[one] for one in axes_of(axis, len(shape))))
