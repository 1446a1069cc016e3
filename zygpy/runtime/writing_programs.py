"""Programs for functions and methods of NumPy that write into an array, where it is found only when they are
called that they are what is called."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from types import BuiltinFunctionType, MethodDescriptorType, WrapperDescriptorType
from typing import Any

import numpy as np

from zygpy.errors import MissingRuleError
from zygpy.runtime import methods


def fill(array: Any, value: Any) -> None:
    """`fill` of an array."""
    methods.fill(array, value)


def put(array: Any, indices: Any, values: Any, mode: Any = "raise") -> None:
    """`put` of an array."""
    methods.put(array, indices, values, mode)


def sort(
    array: Any,
    axis: Any = -1,
    kind: Any = None,
    order: Any = None,
    *,
    stable: Any = None,
    descending: Any = None,
) -> None:
    """`sort` of an array; NumPy raises for fields of what has none, and for two kinds at once."""
    if order is not None or descending or (stable is not None and kind is not None):
        refuse_sorting()
    methods.sort(array, axis, "stable" if stable else kind)


def refuse_sorting() -> None:
    """Raise the error for other ways of sorting."""
    raise MissingRuleError(
        "There is no rule for 'sort' of an array with 'order=' or 'descending='.",
        why="only the order from the smallest on has a rule",
        instead="use 'a[:] = np.sort(a)[::-1]'",
    )


def partition(array: Any, kth: Any, axis: Any = -1) -> None:
    """`partition` of an array."""
    methods.partition(array, kth, axis)


WRITING: Mapping[str, Callable[..., Any]] = {"fill": fill, "put": put, "sort": sort, "partition": partition}
"""The programs for methods of arrays that write into the array."""


def copyto(dst: Any, src: Any, casting: Any = "same_kind", where: Any = True) -> None:
    """`np.copyto`."""
    np.copyto(dst, src, casting, where)


def put_in(a: Any, ind: Any, v: Any, mode: Any = "raise") -> None:
    """`np.put`."""
    np.put(a, ind, v, mode)


def place(arr: Any, mask: Any, vals: Any) -> None:
    """`np.place`."""
    np.place(arr, mask, vals)


def putmask(a: Any, mask: Any, values: Any) -> None:
    """`np.putmask`."""
    np.putmask(a, mask, values)


def fill_diagonal(a: Any, val: Any, wrap: Any = False) -> None:
    """`np.fill_diagonal`."""
    np.fill_diagonal(a, val, wrap)


def put_along_axis(arr: Any, indices: Any, values: Any, axis: Any) -> None:
    """`np.put_along_axis`."""
    np.put_along_axis(arr, indices, values, axis)


def add_at(a: Any, indices: Any, b: Any) -> None:
    """`np.add.at`."""
    np.add.at(a, indices, b)


def subtract_at(a: Any, indices: Any, b: Any) -> None:
    """`np.subtract.at`."""
    np.subtract.at(a, indices, b)


def multiply_at(a: Any, indices: Any, b: Any) -> None:
    """`np.multiply.at`."""
    np.multiply.at(a, indices, b)


def divide_at(a: Any, indices: Any, b: Any) -> None:
    """`np.divide.at`."""
    np.divide.at(a, indices, b)


def iadd(a: Any, b: Any) -> Any:
    """`operator.iadd`."""
    a += b
    return a


def isub(a: Any, b: Any) -> Any:
    """`operator.isub`."""
    a -= b
    return a


def imul(a: Any, b: Any) -> Any:
    """`operator.imul`."""
    a *= b
    return a


def itruediv(a: Any, b: Any) -> Any:
    """`operator.itruediv`."""
    a /= b
    return a


def ifloordiv(a: Any, b: Any) -> Any:
    """`operator.ifloordiv`."""
    a //= b
    return a


def imod(a: Any, b: Any) -> Any:
    """`operator.imod`."""
    a %= b
    return a


def ipow(a: Any, b: Any) -> Any:
    """`operator.ipow`."""
    a **= b
    return a


def imatmul(a: Any, b: Any) -> Any:
    """`operator.imatmul`."""
    a @= b
    return a


def setitem(a: Any, b: Any, c: Any) -> None:
    """`operator.setitem`."""
    a[b] = c


BY_OPERATORS: Mapping[str, Callable[..., Any]] = {
    "__setitem__": setitem,
    "__iadd__": iadd,
    "__isub__": isub,
    "__imul__": imul,
    "__itruediv__": itruediv,
    "__ifloordiv__": ifloordiv,
    "__imod__": imod,
    "__ipow__": ipow,
    "__imatmul__": imatmul,
}
"""The programs for methods of arrays, and of nothing else that computes, which operators call."""

WRITING_ITSELF: Mapping[str, Callable[..., Any]] = {**WRITING, **BY_OPERATORS}
"""The programs for methods by which an array is written to."""


PROGRAMS: Mapping[Any, Callable[..., Any]] = {
    np.copyto: copyto,
    np.put: put_in,
    np.place: place,
    np.putmask: putmask,
    np.fill_diagonal: fill_diagonal,
    np.put_along_axis: put_along_axis,
    np.add.at: add_at,
    np.subtract.at: subtract_at,
    np.multiply.at: multiply_at,
    np.divide.at: divide_at,
    np.ndarray.fill: fill,
    np.ndarray.put: put,
    np.ndarray.sort: sort,
    np.ndarray.partition: partition,
    operator.setitem: setitem,
    operator.iadd: iadd,
    operator.isub: isub,
    operator.imul: imul,
    operator.itruediv: itruediv,
    operator.ifloordiv: ifloordiv,
    operator.imod: imod,
    operator.ipow: ipow,
    operator.imatmul: imatmul,
    **{getattr(np.ndarray, name): program for name, program in BY_OPERATORS.items()},
}
"""The programs for functions, and for methods that are called as functions."""

CLASSES = (type(np.copyto), BuiltinFunctionType, MethodDescriptorType, WrapperDescriptorType)
"""The classes of these functions."""


def writing_program(function: Any) -> Any:
    """The program for a function that writes into its first argument; None for any other.

    >>> writing_program(np.place).__name__, writing_program(np.add.at).__name__, writing_program(np.sum)
    ('place', 'add_at', None)
    """
    return PROGRAMS.get(function) if isinstance(function, CLASSES) else None
