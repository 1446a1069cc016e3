"""What NumPy's functions that write into an array store there, and in which places.

A call of such a function is taken apart: what it computes, where that belongs, and an ordinary store.
The functions here give the places and the values. Where a call is not of the plainest sort they make it,
on an array that is thrown away, so that it raises what it raises and casts as it casts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.broadcast import Shape, rebroadcast, unbroadcast
from zygpy.runtime.indexing import add_at, float_dtype
from zygpy.runtime.methods import uncast

Array = np.ndarray[Any, Any]


def is_plain(array: Any) -> bool:
    """Whether a value is an ordinary array that may be written to."""
    return type(array) is np.ndarray and array.flags.writeable


def double(array: Array) -> Array:
    """Another array with the same content, order, strides and flags; of objects, a copy."""
    if array.dtype.hasobject:
        return array.copy()
    steps = [(size - 1) * step for size, step in zip(array.shape, array.strides, strict=True)]
    below = -sum(step for step in steps if step < 0)
    extent = sum(map(abs, steps)) + array.itemsize if array.size else 0
    made: Array = np.ndarray(
        array.shape, array.dtype, np.empty(extent, np.uint8), below if array.size else 0, array.strides
    )
    made[...] = array
    made.flags.writeable = array.flags.writeable
    return made


# ----------------------------------------------------------------------------------- out= and where=

READING_WHILE_WRITING = (np.concatenate, np.stack, np.ptp, np.fix)
"""Functions that go on reading their operands when they have begun to write the result."""


def refuse_overlap(function: Any, array: Any, *sources: Any) -> None:
    """Refuse to write to memory that is read from at the same time."""
    for source in sources:
        if isinstance(source, list | tuple):
            refuse_overlap(function, array, *source)
        elif isinstance(source, np.ndarray) and np.may_share_memory(source, array):
            raise UnsupportedSyntaxError(
                f"'{function.__name__}' writes to the memory that it reads.",
                why="what it gives then depends on the order in which it does so",
                instead="give it a copy of what it reads",
            )


def check_shapes(out: Any, function: Any, options: Any, *args: Any) -> None:
    """Raise what `function(*args, **options, out=out)` raises for the shapes, for a ufunc."""
    if not isinstance(out, np.ndarray) or getattr(function, "signature", None) is not None:
        return
    if not _broadcast_to(out, args):
        function(*args, **options or {}, out=double(out))


def _broadcast_to(out: Array, args: Any) -> bool:
    """Whether operands can be broadcast to an array."""
    shapes = [np.shape(arg) for arg in args if not isinstance(arg, float | int | np.generic)]
    try:
        return (
            all(shape == out.shape for shape in shapes)
            or np.broadcast_shapes(*shapes, out.shape) == out.shape
        )
    except ValueError:
        return False


def written_out(out: Any, value: Any, function: Any, options: Any, *args: Any) -> Any:
    """What `function(*args, **options, out=out)` stores in `out`, where it is `value` without `out`.

    >>> written_out(np.zeros(2, np.float32), np.array([1.0, 0.1]), np.add, None, 1.0, [0, -0.9])
    array([1. , 0.1], dtype=float32)
    """
    if function in READING_WHILE_WRITING:
        refuse_overlap(function, out, *args)
    if is_plain(out) and _is_alike(out, value):
        return value
    check_out(out, function)
    if type(out) is not np.ndarray:
        function(*args, **options or {}, out=out)
        return out.copy()
    stored = double(out)
    with np.errstate(divide="ignore", invalid="ignore"):  # computing `value` has told of these
        function(*args, **options or {}, out=stored)
    return stored.copy()


def check_outs(outs: Any, values: Any, function: Any, *args: Any) -> None:
    """Refuse arrays for the results of a ufunc that are not like these, or share memory."""
    pairs = zip(outs, values, strict=True)
    alike = all(out is None or (is_plain(out) and holds(out, value)) for out, value in pairs)
    given = [out for out in outs if out is not None]
    if alike and (len(given) < 2 or not np.may_share_memory(*given)):
        return
    doubles = tuple(double(out) if isinstance(out, np.ndarray) else out for out in outs)
    function(*args, out=doubles)
    raise UnsupportedSyntaxError(
        f"'{function.__name__}' is given arrays as 'out' that are not like its results.",
        why="the store of the results is written for arrays of their shapes and dtypes, of their own memory",
        instead="leave 'out' away and assign to the arrays",
    )


def holds(out: Array, value: Any) -> bool:
    """Whether an array of this shape holds the numbers of a result as they are."""
    counts = out.dtype.kind == value.dtype.kind == "i" and np.can_cast(value.dtype, out.dtype)
    return bool(out.shape == np.shape(value) and (out.dtype == value.dtype or counts))


def _is_alike(out: Array, value: Any) -> bool:
    """Whether a value is an array of the same dtype, shape and strides."""
    if type(value) is not np.ndarray or value.dtype != out.dtype:
        return False
    return value.shape == out.shape and value.strides == out.strides


def written_cotangent(value: Any, shape: Shape, dtype: Any, stored: Any) -> Any:
    """The cotangent of what is written, of this shape and dtype, from that of the places it is written to.

    It is zero where the places are of a dtype, `stored`, to which NumPy casts by rounding.
    """
    return _before_storing(unbroadcast(value, shape), dtype, stored)


def written_tangent(value: Any, shape: Shape, dtype: Any, stored: Any) -> Any:
    """The transpose of `written_cotangent`, for which `stored` is what the cotangent's dtype was."""
    return _before_storing(rebroadcast(value, shape), dtype, stored)


def _before_storing(value: Any, dtype: Any, stored: Any) -> Any:
    """A cotangent or tangent of what is of one dtype and cast to another, in the precision of the first."""
    if np.dtype(stored).kind in "fc" and np.result_type(value) == dtype:
        return value
    return uncast(value, dtype, stored)


def check_out(out: Any, function: Any) -> None:
    """Refuse what is no array as `out`, and was not seen to be none: None, dots, or a tuple by a name; and
    the first `out` of several."""
    several = getattr(function, "nout", 1) > 1
    if out is None or out is Ellipsis or isinstance(out, tuple) or several:
        given = "one of several arrays" if several else "a tuple" if isinstance(out, tuple) else out
        raise UnsupportedSyntaxError(
            f"'{function.__name__}' is given {given} as 'out'.",
            why="the store of the result is written for an array",
            instead="give it the array itself, or leave 'out' away and use 'np.asarray' of the result",
        )


def where_written(out: Any, where: Any, function: Any, options: Any, *args: Any) -> Array:
    """Where `function(*args, **options, out=out, where=where)` stores something, as truth values."""
    check_out(out, function)
    if type(out) is not np.ndarray:
        function(*args, **options or {}, out=out, where=where)
    known = is_plain(out) and np.asarray(where).dtype == np.bool_
    if not known or not all(_fits(arg, out) for arg in (where, *args)):
        with np.errstate(all="ignore"):
            function(*args, **options or {}, out=double(out), where=where)
    return np.array(np.broadcast_to(where, out.shape))


def _fits(value: Any, out: Array) -> bool:
    return isinstance(value, bool | float | np.generic) or np.shape(value) == out.shape


def written_where(out: Array, value: Any, mask: Array, function: Any, options: Any, *args: Any) -> Any:
    """What the same call stores in the places of a mask, where it is `value` without `out`."""
    if value.dtype == out.dtype:
        return value
    stored = double(out)
    function(*args, **options or {}, out=stored, where=mask)
    return stored[mask]


def chosen(value: Any, mask: Array) -> Any:
    """The elements of an operand in the places of a mask of the result's shape; numbers stay.

    >>> chosen(np.array([[1.0], [2.0]]), np.array([[True, True], [False, True]]))
    array([1., 1., 2.])
    """
    if not isinstance(value, np.ndarray | list | tuple):
        return value
    return np.broadcast_to(value, mask.shape)[mask]


def chosen_transpose(value: Any, mask: Array, shape: Shape) -> Any:
    """The transpose of `chosen` for an operand of this shape."""
    if not np.shape(value):
        return value
    result = np.zeros(mask.shape, float_dtype(value))
    result[mask] = value
    return unbroadcast(result, shape)


# ------------------------------------------------------------------------------ copyto, fill and sort


def trial(array: Any) -> Any:
    """What a write is tried on: another array like this one, or what is none."""
    return double(array) if type(array) is np.ndarray else array


def check_array(array: Any) -> None:
    """Refuse to write to a number of NumPy's, of which NumPy changes a copy."""
    if isinstance(array, np.generic):
        raise UnsupportedSyntaxError(
            f"a write goes to a number, a '{type(array).__name__}', which cannot be changed.",
            why="NumPy changes a copy of it, so that the call does nothing",
            instead="leave the call out, or write to an array of rank 0, made by 'np.array(x)'",
        )


def check_copy(function: Any, dst: Any, src: Any, casting: Any = "same_kind") -> None:
    """Raise what `np.copyto(dst, src, casting)` raises."""
    if not (is_plain(dst) and isinstance(src, np.ndarray) and src.dtype == dst.dtype):
        function(trial(dst), src, casting)


def where_copied(function: Any, dst: Any, src: Any, casting: Any, where: Any) -> Array:
    """Where `np.copyto(dst, src, casting, where)` stores something, as an array of truth values."""
    function(trial(dst), src, casting, where)
    return np.array(np.broadcast_to(where, dst.shape))


def check_fill(function: Any, a: Any, value: Any) -> None:
    """Raise what `a.fill(value)` raises."""
    function(np.empty(1, a.dtype) if is_plain(a) else trial(a), value)
    check_array(a)


def check_sort(function: Any, a: Any, axis: Any = -1, kind: Any = None) -> None:
    """Raise what `a.sort(axis, kind)` raises."""
    function(np.empty((0,) * a.ndim, a.dtype) if is_plain(a) else trial(a), axis, kind)


def check_partition(function: Any, a: Any, kth: Any, axis: Any = -1) -> None:
    """Raise what `a.partition(kth, axis)` raises."""
    function(trial(a), kth, axis)


# ------------------------------------------------------------------------------------------ in places


def put_places(function: Any, a: Any, ind: Any, v: Any, mode: Any = "raise") -> Array:
    """The places to which `np.put(a, ind, v, mode)` writes, as numbers in the order of `a.flat`.

    >>> put_places(np.put, np.zeros((2, 3)), [1, -1], 0.0)
    array([1, 5])
    """
    function(trial(a), ind, v, mode)
    check_array(a)
    return np.ravel(np.take(np.arange(a.size), ind, mode=mode)) if np.size(v) else np.arange(0)


def place_places(function: Any, arr: Any, mask: Any, vals: Any) -> Array:
    """The same for `np.place(arr, mask, vals)`."""
    refuse_overlap(function, arr, vals)
    function(trial(arr), mask, vals)
    return np.flatnonzero(mask)


def putmask_places(function: Any, a: Any, mask: Any, values: Any) -> Array:
    """The same for `np.putmask(a, mask, values)`."""
    function(trial(a), mask, values)
    return np.flatnonzero(mask) if np.size(values) else np.arange(0)


def diagonal_places(function: Any, a: Any, val: Any, wrap: Any = False) -> Array:
    """The same for `np.fill_diagonal(a, val, wrap)`."""
    refuse_overlap(function, a, val)
    function(trial(a), val, wrap)
    marked = np.zeros(a.shape, bool)
    function(marked, True, wrap)
    return np.flatnonzero(marked)


def places_along_axis(function: Any, arr: Any, indices: Any, values: Any, axis: Any) -> Array:
    """The same for `np.put_along_axis(arr, indices, values, axis)`, in the shape of what is written."""
    function(trial(arr), indices, values, axis)
    return np.take_along_axis(np.arange(arr.size).reshape(arr.shape), indices, axis)


def at_places(a: Any, places: Array) -> Any:
    """The index of the elements with these numbers in the order of `a.flat`.

    >>> at_places(np.zeros((2, 2)), np.array([1, 3]))
    (array([0, 1]), array([1, 1]))
    >>> at_places(np.array(1.0), np.array([0]))
    array(True)
    """
    if a.ndim:
        return np.unravel_index(places, a.shape)
    if places.size > 1:
        raise UnsupportedSyntaxError(
            "an array of rank 0 is written in several times by one call.",
            why="it has one place, which has no number to be indexed by",
            instead="write the last of the values",
        )
    return np.array(places.size == 1)


def cycled(v: Any, places: Array, by_place: bool) -> Array:
    """The values that belong to places: one after the other and from the start again; or, `by_place`, each
    that of its number.

    >>> cycled(np.array([1.0, 2.0]), np.array([1, 2, 3]), False)
    array([1., 2., 1.])
    """
    flat = np.ravel(v)
    return flat[_numbers(flat.size, places, by_place)]


def _numbers(size: int, places: Array, by_place: bool) -> Array:
    order = places if by_place else np.arange(places.size)
    return order % size if order.size else order


def cycled_transpose(value: Any, shape: Shape, places: Array, by_place: bool) -> Array:
    """The transpose of `cycled` for values of this shape."""
    result = np.zeros(int(np.prod(shape)), float_dtype(value))
    np.add.at(result, _numbers(result.size, places, by_place), value)
    return result.reshape(shape)


# ------------------------------------------------------------------------------------------ ufunc.at


def stored_part(buffer: Any, index: Any, dtype: Any) -> Any:
    """`buffer[index]`; zeros if an array of this dtype does not keep fractions.

    >>> stored_part(np.array([5.0, 7.0]), [1, 1], int)
    array([0., 0.])
    """
    return buffer[index] if np.dtype(dtype).kind in "fc" else buffer[index] * 0.0


def stored_part_transpose(value: Any, shape: Shape, index: Any, dtype: Any) -> Array:
    """The transpose of `stored_part` for a buffer of this shape."""
    result = np.zeros(shape, float_dtype(value))
    if np.dtype(dtype).kind in "fc":
        add_at(result, index, value)
    return result


def add_to_items(add: Any, a: Any, indices: Any, b: Any) -> None:
    """`np.add.at(a, indices, b)`."""
    add.at(a, indices, b)


def subtract_from_items(subtract: Any, a: Any, indices: Any, b: Any) -> None:
    """`np.subtract.at(a, indices, b)`."""
    subtract.at(a, indices, b)


def write_items(a: Any, ufunc: Any, *args: Any) -> None:
    """`ufunc.at(a, *args)` of a ufunc whose writes are not followed."""
    ufunc.at(a, *args)
