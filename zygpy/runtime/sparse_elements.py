"""Elementwise operations of sparse arrays of `scipy.sparse`, and their norms, as programs.

SciPy makes the arrays, whose pattern counts as constant. An element that is not stored is the constant 0.

This module is imported with the rules of `scipy.sparse`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sl

from zygpy.runtime.library_values import as_given, told_by
from zygpy.runtime.sparse_arrays import apart, check_array, forms, method_of, toarray
from zygpy.runtime.sparse_entries import (
    added_at_places,
    keys,
    made_of,
    places_in,
    refused,
    scattered,
)
from zygpy.runtime.sparse_parts import largest, smallest
from zygpy.runtime.sparse_spectra import svds

# Element by element.


def absolute(self: Any) -> Any:
    """`abs(A)`."""
    made = method_of("__abs__", self, ())
    values, rows, columns = added_at_places(self)
    return made_of(made, np.abs(values), rows, columns, padded=True)


def of_each(name: str, function: Any, array: Any) -> Any:
    """What `A.name()` gives, a function of every entry."""
    made = method_of(name, array, ())
    values, rows, columns = added_at_places(array)
    return made_of(made, function(values), rows, columns, padded=True)


def sin(self: Any) -> Any:
    """`A.sin()`."""
    return of_each("sin", np.sin, self)


def tan(self: Any) -> Any:
    """`A.tan()`."""
    return of_each("tan", np.tan, self)


def arcsin(self: Any) -> Any:
    """`A.arcsin()`."""
    return of_each("arcsin", np.arcsin, self)


def arctan(self: Any) -> Any:
    """`A.arctan()`."""
    return of_each("arctan", np.arctan, self)


def sinh(self: Any) -> Any:
    """`A.sinh()`."""
    return of_each("sinh", np.sinh, self)


def tanh(self: Any) -> Any:
    """`A.tanh()`."""
    return of_each("tanh", np.tanh, self)


def arcsinh(self: Any) -> Any:
    """`A.arcsinh()`."""
    return of_each("arcsinh", np.arcsinh, self)


def arctanh(self: Any) -> Any:
    """`A.arctanh()`."""
    return of_each("arctanh", np.arctanh, self)


def sqrt(self: Any) -> Any:
    """`A.sqrt()`."""
    return of_each("sqrt", np.sqrt, self)


def expm1(self: Any) -> Any:
    """`A.expm1()`."""
    return of_each("expm1", np.expm1, self)


def log1p(self: Any) -> Any:
    """`A.log1p()`."""
    return of_each("log1p", np.log1p, self)


def deg2rad(self: Any) -> Any:
    """`A.deg2rad()`."""
    return of_each("deg2rad", np.deg2rad, self)


def rad2deg(self: Any) -> Any:
    """`A.rad2deg()`."""
    return of_each("rad2deg", np.rad2deg, self)


def rint(self: Any) -> Any:
    """`A.rint()`."""
    return of_each("rint", np.rint, self)


def sign(self: Any) -> Any:
    """`A.sign()`."""
    return of_each("sign", np.sign, self)


def floor(self: Any) -> Any:
    """`A.floor()`."""
    return of_each("floor", np.floor, self)


def ceil(self: Any) -> Any:
    """`A.ceil()`."""
    return of_each("ceil", np.ceil, self)


def trunc(self: Any) -> Any:
    """`A.trunc()`."""
    return of_each("trunc", np.trunc, self)


OF_EACH: tuple[Any, ...] = (
    sin, tan, arcsin, arctan, sinh, tanh, arcsinh, arctanh, sqrt, expm1, log1p, deg2rad, rad2deg, rint, sign,
    floor, ceil, trunc,
)  # fmt: skip
"""The methods that compute a function of NumPy's of every entry."""


def power(self: Any, n: Any, dtype: Any = None) -> Any:
    """`A.power(n)`, of the entries."""
    made = method_of("power", self, (n, dtype))
    values, rows, columns = added_at_places(self)
    numbers = values if dtype is None else values.astype(dtype)
    return made_of(made, numbers**n, rows, columns, padded=True)


def maximum(self: Any, other: Any) -> Any:
    """`A.maximum(B)`, with the derivative of `np.maximum`."""
    return chosen("maximum", np.maximum, self, other)


def minimum(self: Any, other: Any) -> Any:
    """`A.minimum(B)`, with the derivative of `np.minimum`."""
    return chosen("minimum", np.minimum, self, other)


def chosen(name: str, function: Any, array: Any, other: Any) -> Any:
    """The larger or smaller elements of a sparse array and a number, a dense array, or another sparse one."""
    made = method_of(name, array, (other,))
    if not sp.issparse(made):
        check_array(made)
        return as_given(made, function(toarray(array), other))
    rows, columns, _ = places_in(made)
    check_left_out(made, array)
    if sp.issparse(other):
        check_left_out(made, other)
        others = elements(other, rows, columns)
    else:
        others = other if np.ndim(other) == 0 else np.asarray(other)[rows, columns]
    values = function(elements(array, rows, columns), others)
    return made_of(made, values, rows, columns, padded=True)


def elements(array: Any, rows: Any, columns: Any) -> Any:
    """The elements of a sparse array at these places, which are 0 where nothing is stored."""
    values, own_rows, own_columns = added_at_places(array)
    return np.append(values, 0.0)[numbers_at(own_rows, own_columns, rows, columns, array.shape[-1])]


def numbers_at(own_rows: Any, own_columns: Any, rows: Any, columns: Any, width: int) -> Any:
    """Which entry stands at each place, the number of them where none does.

    >>> numbers_at([0, 1], [2, 0], [1, 1, 0], [0, 1, 2], 3).tolist()
    [1, 2, 0]
    """
    own, asked = keys(own_rows, own_columns, width), keys(rows, columns, width)
    order = np.argsort(own, kind="stable")
    found = np.searchsorted(own[order], asked)
    line, number = np.append(own[order], -1), np.append(order, len(own))
    return np.where(line[found] == asked, number[found], len(own))


def check_left_out(made: Any, array: Any) -> None:
    """Refuse an entry that is zero where the result has none, as its derivative would be lost."""
    settled = array.tocsr().copy()
    settled.sum_duplicates()
    rows, columns, _ = places_in(settled)
    kept = keys(*places_in(made)[:2], made.shape[-1])
    lost = ~np.isin(keys(rows, columns, array.shape[-1]), kept)
    if np.any(settled.data[lost] == 0):
        raise refused("the larger or smaller of entries that are zero, which SciPy leaves out")


# Norms.


def norm(x: Any, ord: Any = None, axis: Any = None) -> Any:
    """`scipy.sparse.linalg.norm`, of a matrix or of its lines."""
    made = told_by(sl.norm, (apart(x), ord, axis), {})
    axes = list(range(x.ndim)) if axis is None else [int(one) % x.ndim for one in np.atleast_1d(axis)]
    if len(axes) == 2:
        return as_given(made, norm_of_matrix(x, ord, axes))
    if ord == 0:  # a count
        return made
    return as_given(made, norms_of_lines(x, ord, axes[0]))


def norm_of_matrix(x: Any, order: Any, axes: Any) -> Any:
    """The norm of a matrix; that of Frobenius where nothing else is asked for."""
    if order is None or isinstance(order, str):
        return np.linalg.norm(added_at_places(x)[0])
    if order == 2:
        return svds(x, k=1)[1][0]
    values, rows, columns = added_at_places(x)
    along = axes[1] if np.isinf(order) else axes[0]
    where, count = (columns, x.shape[1]) if along == 0 else (rows, x.shape[0])
    sums = scattered(np.abs(values), where, (count,))
    return np.max(sums) if order > 0 else np.min(sums)


def norms_of_lines(x: Any, order: Any, axis: int) -> Any:
    """The norms of rows or columns, or of a vector."""
    if order is not None and np.isinf(order):
        found = largest(absolute(x), axis) if order > 0 else smallest(absolute(x), axis)
        return np.reshape(toarray(found) if sp.issparse(found) else found, (-1,))
    values, rows, columns = added_at_places(x)
    height, width = forms(x)
    where, count = (columns, width) if axis == 0 and x.ndim == 2 else (rows, height)
    if order == 1:
        return scattered(np.abs(values), where, (count,))
    power_of = 2 if order is None else order
    sums = scattered(np.abs(values) ** power_of, where, (count,))
    return np.where(sums == 0, 0.0, np.where(sums == 0, 1.0, sums) ** (1 / power_of))
