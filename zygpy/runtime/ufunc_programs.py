"""Programs that stand for methods of ufuncs, and for calls of them with keywords about dtypes and axes.

Each of them gives NumPy's very value, with the derivative of the ufunc itself applied to rows or elements.
"""

from __future__ import annotations

import math
from types import FunctionType
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from zygpy.errors import MissingRuleError, UnsupportedSyntaxError
from zygpy.runtime.array_writes import double
from zygpy.runtime.numpys_value import as_numpy_gives, numpys

ufunc: Any = np.add
"""What the programs below are about: each ufunc has its own, which `program` makes."""


def program(template: Any, of: np.ufunc) -> FunctionType:
    """One of these programs for this ufunc."""
    made = FunctionType(
        template.__code__, {**globals(), "ufunc": of}, template.__name__, template.__defaults__
    )
    made.__kwdefaults__ = template.__kwdefaults__
    made.__module__ = __name__
    return made


def cast(operand: Any, dtype: Any) -> Any:
    """An operand as numbers of the dtype that a call asks for."""
    return operand if dtype is None else np.asarray(operand).astype(dtype)


# ---------------------------------------------------------------------------------------------- calls


def as_numbers_of(*operands: Any, dtype: Any = None, where: Any = True, **options: Any) -> Any:
    """The ufunc as numbers of a dtype."""
    check_everywhere(ufunc, where)
    value = numpys(ufunc, operands, {"dtype": dtype, **options})
    dtypes = dtypes_of_operands(ufunc, operands, dtype, options)
    return as_numpy_gives(value, ufunc(*[cast(one, to) for one, to in zip(operands, dtypes, strict=True)]))


def check_everywhere(function: Any, where: Any) -> None:
    """Refuse a ufunc that leaves places without a value."""
    if not np.all(where):
        raise MissingRuleError(
            f"'where' leaves places of the result of '{function.__name__}' without a value.",
            why="they hold what was in memory before",
            instead="give it an array as `out`, or choose by `np.where`",
        )


def dtypes_of_operands(function: Any, operands: Any, dtype: Any, options: Any) -> list[Any]:
    """The numbers as which a ufunc reads its operands where it gives those of a dtype."""
    if dtype is None:
        return [None] * len(operands)
    given = [type(one) if type(one) in (int, float, complex) else np.asarray(one).dtype for one in operands]
    signature = (None,) * function.nin + (np.dtype(dtype),) * function.nout
    found = function.resolve_dtypes(
        (*given, *(None,) * function.nout),
        signature=signature,
        casting=options.get("casting", "same_kind"),
    )
    return list(found[: function.nin])


def outer(a: Any, b: Any, /, **options: Any) -> Any:
    """`ufunc.outer`."""
    value = numpys(ufunc.outer, (a, b), options)
    dtype = options.get("dtype")
    first, second = cast(a, dtype), cast(b, dtype)
    return as_numpy_gives(value, ufunc(np.reshape(first, np.shape(first) + (1,) * np.ndim(second)), second))


# ----------------------------------------------------------------------------------------- reductions


def rows_along(array: Any, axis: Any) -> Any:
    """The rows that a reduction along these axes goes through, one after the other."""
    rank = np.ndim(array)
    axes = normalize_axis_tuple(tuple(range(rank)) if axis is None else axis, rank)
    others = [one for one in range(rank) if one not in axes]
    lengths = [np.shape(array)[one] for one in others]
    count = math.prod([np.shape(array)[one] for one in axes])
    return np.reshape(np.transpose(array, [*axes, *others]), (count, *lengths))


def folded(ufunc: np.ufunc, rows: Any, kept: Any, initial: Any) -> Any:
    """The ufunc of what came out so far and the next row, where a mask leaves it."""
    start = 0 if initial is not None else 1
    result = np.broadcast_to(initial, np.shape(rows)[1:]) if start == 0 else rows[0]
    for place in range(start, len(rows)):
        if kept is None:
            result = ufunc(result, rows[place])
        else:
            result = np.where(kept[place], ufunc(result, rows[place]), result)
    return result


def reduce(array: Any, axis: Any = 0, dtype: Any = None, **options: Any) -> Any:
    """`ufunc.reduce`."""
    value = numpys(ufunc.reduce, (array, axis, dtype), options)
    operand = np.asarray(cast(array, dtype))
    if axis == ():
        return as_numpy_gives(value, operand)
    if np.ndim(operand) == 0:
        operand = np.reshape(operand, (1,))
    rows = rows_along(operand, axis)
    where = options.get("where")
    kept = (
        None
        if where is None or where is True
        else rows_along(np.broadcast_to(where, np.shape(operand)), axis)
    )
    initial = options.get("initial")
    if initial is None and (kept is not None or len(rows) == 0):
        initial = ufunc.identity
    result = np.reshape(folded(ufunc, rows, kept, initial), np.shape(value))
    if kept is None and len(rows) > 1 and not is_same(value, result, operand):
        first = rows[0] if initial is None else np.broadcast_to(initial, np.shape(rows)[1:])
        result = np.reshape(ufunc(first, rows[-1]), np.shape(value))  # what some versions of NumPy give
    check_same(ufunc, value, result, operand)
    return as_numpy_gives(value, result)


def accumulate(array: Any, axis: Any = 0, dtype: Any = None) -> Any:
    """`ufunc.accumulate`."""
    value = numpys(ufunc.accumulate, (array, axis, dtype), {})
    operand = np.asarray(cast(array, dtype))
    rows = np.moveaxis(operand, axis, 0)
    if len(rows) == 0:
        return as_numpy_gives(value, np.moveaxis(rows, 0, axis))
    result = rows[0]
    results = [result]
    for place in range(1, len(rows)):
        result = ufunc(result, rows[place])
        results.append(result)
    whole = np.stack(results, axis)
    check_same(ufunc, value, whole, operand)
    return as_numpy_gives(value, whole)


def reduceat(array: Any, indices: Any, axis: Any = 0, dtype: Any = None) -> Any:
    """`ufunc.reduceat`."""
    value = numpys(ufunc.reduceat, (array, indices, axis, dtype), {})
    operand = np.asarray(cast(array, dtype))
    rows = np.moveaxis(operand, axis, 0)
    results = []
    for low, high in bounds_of_pieces(indices, len(rows)):
        results.append(folded(ufunc, rows[low:high], None, None))
    whole = np.stack(results, axis) if results else np.moveaxis(rows[:0], 0, axis)
    check_same(ufunc, value, whole, operand)
    return as_numpy_gives(value, whole)


def check_same(function: Any, value: Any, computed: Any, operand: Any) -> None:
    """Refuse what NumPy computes in another order (loops of `power` over pieces do, in some versions)."""
    if not is_same(value, computed, operand):
        raise UnsupportedSyntaxError(
            f"a method of '{function.__name__}' does not go through the elements one after the other.",
            why="its value is not that of calls one after the other, of which the derivatives are",
            instead="write the loop",
        )


def is_same(value: Any, computed: Any, operand: Any) -> bool:
    """Whether NumPy gives what was computed, but for rounding."""
    kind = np.asarray(value).dtype
    precision = np.finfo(kind if kind.kind in "fc" else np.float64)
    with np.errstate(all="ignore"):
        scale = np.max(np.abs(operand), initial=0.0, where=np.isfinite(operand))
        return bool(
            np.allclose(value, computed, rtol=1e-3, atol=float(precision.eps) * 1e3 * scale, equal_nan=True)
        )


def bounds_of_pieces(indices: Any, length: int) -> list[tuple[int, int]]:
    """Where the pieces of `reduceat` begin and end.

    >>> bounds_of_pieces([0, 3, 1], 5)
    [(0, 3), (3, 4), (1, 5)]
    """
    starts = [int(index) for index in indices]
    ends = [*starts[1:], length]
    return [(low, high if high > low else low + 1) for low, high in zip(starts, ends, strict=True)]


def summed(
    array: Any,
    axis: Any = 0,
    dtype: Any = None,
    *,
    keepdims: Any = False,
    initial: Any = 0,
    where: Any = True,
) -> Any:
    """`np.add.reduce` of what a mask leaves, from an initial value on."""
    options = {"keepdims": keepdims, "initial": initial, "where": where}
    value = numpys(np.add.reduce, (array, axis, dtype), options)
    whole = np.sum(array, axis=axis, dtype=dtype, keepdims=keepdims, initial=initial, where=where)
    return as_numpy_gives(value, whole)


def multiplied(
    array: Any,
    axis: Any = 0,
    dtype: Any = None,
    *,
    keepdims: Any = False,
    initial: Any = 1,
    where: Any = True,
) -> Any:
    """`np.multiply.reduce` of what a mask leaves, from an initial value on."""
    options = {"keepdims": keepdims, "initial": initial, "where": where}
    value = numpys(np.multiply.reduce, (array, axis, dtype), options)
    whole = np.prod(array, axis=axis, dtype=dtype, keepdims=keepdims, initial=initial, where=where)
    return as_numpy_gives(value, whole)


def largest(
    array: Any, axis: Any = 0, *, keepdims: Any = False, initial: Any = -np.inf, where: Any = True
) -> Any:
    """`np.maximum.reduce` of what a mask leaves and an initial value."""
    options = {"keepdims": keepdims, "initial": initial, "where": where}
    value = numpys(np.maximum.reduce, (array, axis), options)
    return as_numpy_gives(value, np.max(array, axis=axis, keepdims=keepdims, initial=initial, where=where))


def smallest(
    array: Any, axis: Any = 0, *, keepdims: Any = False, initial: Any = np.inf, where: Any = True
) -> Any:
    """`np.minimum.reduce` of what a mask leaves and an initial value."""
    options = {"keepdims": keepdims, "initial": initial, "where": where}
    value = numpys(np.minimum.reduce, (array, axis), options)
    return as_numpy_gives(value, np.min(array, axis=axis, keepdims=keepdims, initial=initial, where=where))


# ----------------------------------------------------------------------------------------------- axes


def axes_given(ufunc: np.ufunc, ranks: Any, axes: Any, axis: Any) -> list[tuple[int, ...]]:
    """The axes of each operand, and of the result, that a ufunc of vectors or matrices works on."""
    cores = CORES[ufunc] if ufunc is not np.matmul else [min(rank, 2) for rank in ranks]
    if axis is not None:
        return [(axis,), (axis,), ()]
    if axes is None:
        return [tuple(range(-core, 0)) for core in cores] + [tuple(range(-result_core(ufunc, cores), 0))]
    given = [tuple(np.atleast_1d(one).astype(int).tolist()) for one in axes]
    return given if len(given) > len(cores) else [*given, ()]


CORES = {
    getattr(np, name): cores
    for name, cores in (("vecdot", [1, 1]), ("matvec", [2, 1]), ("vecmat", [1, 2]))
    if hasattr(np, name)
}
"""How many axes of its operands a ufunc works on."""


def result_core(ufunc: np.ufunc, cores: Any) -> int:
    """How many axes of the result belong to what is computed at once."""
    return 0 if ufunc is getattr(np, "vecdot", None) else sum(cores) - 2


def along_axes(
    x1: Any, x2: Any, /, axes: Any = None, axis: Any = None, keepdims: Any = False, dtype: Any = None,
    **options: Any,
) -> Any:  # fmt: skip
    """A ufunc of vectors or matrices along given axes, as numbers of a dtype."""
    value = numpys(at_all, (ufunc, x1, x2, axes, axis, keepdims, dtype, options), {})
    first, second = np.asarray(cast(x1, dtype)), np.asarray(cast(x2, dtype))
    places = axes_given(ufunc, (np.ndim(first), np.ndim(second)), axes, axis)
    first = np.moveaxis(first, places[0], tuple(range(-len(places[0]), 0)))
    second = np.moveaxis(second, places[1], tuple(range(-len(places[1]), 0)))
    whole = ufunc(first, second)
    if len(places[2]) > 0 and not keepdims:
        whole = np.moveaxis(whole, tuple(range(-len(places[2]), 0)), places[2])
    return as_numpy_gives(value, np.reshape(whole, np.shape(value)))


def at_all(
    ufunc: np.ufunc, x1: Any, x2: Any, axes: Any, axis: Any, keepdims: Any, dtype: Any, options: Any
) -> Any:
    """The call itself, with what is given."""
    given = {"axes": axes, "axis": axis, "keepdims": keepdims or None, "dtype": dtype}
    return ufunc(x1, x2, **{name: one for name, one in given.items() if one is not None}, **options)


# ------------------------------------------------------------------------------------------------- at


def rounds(array: Any, indices: Any) -> list[Any]:
    """The places of an array that are written one after the other, so that none is in one round twice.

    Each round has the places in the array, and which of the indices these belong to.
    """
    places = np.arange(array.size).reshape(array.shape)[indices]
    flat = np.ravel(places)
    order = np.argsort(flat, kind="stable")
    first = np.searchsorted(flat[order], flat[order])
    times = np.empty(flat.size, np.intp)
    times[order] = np.arange(flat.size) - first
    found = [np.flatnonzero(times == one) for one in range(times.max(initial=-1) + 1)]
    return [(flat[chosen], chosen) for chosen in found]


def changed_items(ufunc: Any, array: Any, indices: Any) -> Any:
    """What is in the array after `ufunc.at(array, indices)`, as another array."""
    value = numpys(after, (ufunc, array, indices), {})
    flat = np.copy(np.ravel(array))
    for places, _ in rounds(array, indices):
        flat[places] = ufunc(flat[places])
    result = np.reshape(flat, np.shape(array))
    check_same(ufunc, value, result, value)
    return as_numpy_gives(value, result)


def changed_items_by(ufunc: Any, array: Any, indices: Any, operand: Any) -> Any:
    """What is in the array after `ufunc.at(array, indices, operand)`, as another array."""
    value = numpys(after, (ufunc, array, indices, operand), {})
    flat = np.copy(np.ravel(array))
    others = np.ravel(np.broadcast_to(operand, shape_of_items(array, indices)))
    for places, chosen in rounds(array, indices):
        flat[places] = ufunc(flat[places], others[chosen])
    result = np.reshape(flat, np.shape(array))
    check_same(ufunc, value, result, value)
    return as_numpy_gives(value, result)


def shape_of_items(array: Any, indices: Any) -> tuple[int, ...]:
    """The shape of the items at these indices."""
    return np.shape(np.empty(np.shape(array), bool)[indices])


def after(ufunc: Any, array: Any, indices: Any, *operands: Any) -> Any:
    """What `ufunc.at` leaves in a copy of the array."""
    copied = double(array)
    ufunc.at(copied, indices, *operands)
    return copied.copy()
