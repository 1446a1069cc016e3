"""Cotangents of reads and writes by index. Buffers are dense and written in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.runtime.broadcast import Shape, unbroadcast
from zygpy.runtime.memory import overlaps_itself, refuse_write_to_overlap

Array = np.ndarray[Any, Any]


def zeros(shape: Shape, dtype: Any) -> Array:
    """A buffer of zeros for the cotangent of an array: float64 for integers and booleans."""
    return np.zeros(shape, cotangent_dtype(dtype))


def cotangent_dtype(dtype: Any) -> np.dtype[Any]:
    """The dtype of cotangents of values of this dtype."""
    given = np.dtype(dtype)
    return given if given.kind in "fcO" else np.dtype(np.float64)


def float_dtype(*values: Any) -> np.dtype[Any]:
    """The dtype of an array that is to hold cotangents such as these values."""
    return cotangent_dtype(np.result_type(*(np.asarray(value).dtype for value in values)))


def may_repeat(index: Any) -> bool:
    """Whether the index may name an element twice: it has an integer array or list in it."""
    if isinstance(index, int | slice):
        return False
    parts = index if isinstance(index, tuple) else (index,)
    return any(isinstance(part, list | np.ndarray) and np.asarray(part).dtype != bool for part in parts)


def _as_real(value: Any, buffer: Array) -> Any:
    """A real variable has a real cotangent: drop the imaginary part before adding to its buffer."""
    if np.iscomplexobj(value) and not np.iscomplexobj(buffer) and buffer.dtype != object:
        return np.real(value)
    return value


def _fitted(value: Any, buffer: Array, index: Any) -> Any:
    value = _as_real(value, buffer)
    return unbroadcast(value, np.shape(buffer[index])) if np.ndim(value) else value


def _lies_in_one_place(buffer: Any, index: Any) -> bool:
    if isinstance(index, int) or not isinstance(buffer, np.ndarray) or buffer.flags.c_contiguous:
        return False
    return overlaps_itself(buffer)


def add_at(buffer: Array, index: Any, value: Any) -> None:
    """`buffer[index] += value` in place, counting an element as often as the index names it, or as there
    are elements of the buffer in its place.

    >>> buffer = np.zeros(3)
    >>> add_at(buffer, [0, 0, 2], 1.0)
    >>> buffer.tolist()
    [2.0, 0.0, 1.0]
    """
    if not isinstance(value, float):
        value = _fitted(value, buffer, index)
    if may_repeat(index) or _lies_in_one_place(buffer, index):
        np.add.at(buffer, index, value)
    else:
        buffer[index] += value


def clear_at(buffer: Array, index: Any) -> None:
    """`buffer[index] = 0` in place."""
    buffer[index] = 0


def cleared(buffer: Array, index: Any) -> Array:
    """A copy of the buffer with zero at the index."""
    result = np.array(buffer)
    result[index] = 0
    return result


def getitem_cotangent(value: Any, shape: Shape, dtype: Any, index: Any) -> Array:
    """The cotangent of `x` in `y = x[index]`, for x of this shape and dtype and `value` that of y.

    >>> getitem_cotangent(np.ones(2), (3,), float, [1, 1]).tolist()
    [0.0, 2.0, 0.0]
    """
    buffer = zeros(shape, dtype)
    add_at(buffer, index, value)
    return buffer


def dtype_kept(dtype: Any, stored: Any) -> np.dtype[Any]:
    """The dtype by which the derivative of a stored value is cut, for an array and a value of these dtypes.

    Integers that are stored among integers stay what they are, so nothing is cut.

    >>> dtype_kept(int, int), dtype_kept(int, float)
    (dtype('float64'), dtype('int64'))
    """
    given = np.dtype(dtype)
    whole = given.kind in "iu" and np.dtype(stored).kind in "iu"
    return np.dtype(np.float64) if whole else given


def setitem_cotangent(buffer: Array, index: Any, shape: Shape, dtype: Any) -> Any:
    """The cotangent of `v` in `x[index] = v`: a copy of the buffer's part, summed to v's shape.

    `buffer` is the cotangent of x after the write, `shape` that of v, `dtype` that of x or what
    `dtype_kept` says. Elements of v that a later one in the same assignment overwrote get zero; so do
    all where the store casts to integers or booleans.

    >>> setitem_cotangent(np.array([5.0, 7.0]), [0, 0], (2,), float).tolist()
    [0.0, 5.0]
    """
    if np.dtype(dtype).kind not in "fcO":
        return np.zeros(shape)[()]
    part = buffer[index]
    _check_apart(buffer, part)
    if may_repeat(index):
        part = np.where(last_writes(np.shape(buffer), index), part, 0)
    elif isinstance(part, np.ndarray):
        part = np.array(part)
    return _to_shape_of_stored(part, shape)


def _check_apart(buffer: Array, part: Any) -> None:
    """Refuse a write to several elements of which two may lie in one place."""
    if type(part) is not np.ndarray or buffer.flags.c_contiguous:
        return
    if overlaps_itself(buffer if part.base is None else part):
        refuse_write_to_overlap()


def _to_shape_of_stored(part: Any, shape: Shape) -> Any:
    """NumPy lets a stored value have more leading axes of length one than its place."""
    extra = len(shape) - np.ndim(part)
    if extra > 0:
        part = np.reshape(part, (1,) * extra + np.shape(part))
    fitting = unbroadcast(part, shape)
    return fitting if shape else np.asarray(fitting)[()]  # a number, and no array of rank zero


def setitem_tangent(value: Any, shape: Shape, dtype: Any, index: Any) -> Array:
    """The transpose of `setitem_cotangent`: a zero array of x's shape with `value` stored."""
    result = zeros(shape, dtype)
    if np.dtype(dtype).kind in "fcO":
        result[index] = _as_real(value, result)
    return result


def last_writes(shape: Shape, index: Any) -> Array:
    """For `x[index] = v`, x of this shape: which elements of the selection keep what they wrote."""
    order = np.empty(shape, np.intp)
    numbers = np.arange(np.size(order[index])).reshape(np.shape(order[index]))
    order[index] = numbers
    result: Array = order[index] == numbers
    return result
