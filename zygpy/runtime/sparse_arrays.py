"""Sparse arrays of `scipy.sparse` that a program makes and computes with, as programs that are differentiated
in their place.

SciPy's arrays are given back; what is computed beside them are their entries.

This module is imported with the rules of `scipy.sparse`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from zygpy.runtime.library_values import as_given, told_by
from zygpy.runtime.sparse_entries import (
    as_stored,
    entries,
    keys,
    made_of,
    pairs,
    places_in,
    refused,
    scattered,
    with_entries,
)

# What makes sparse arrays.


def csr_array(arg1: Any, shape: Any = None, dtype: Any = None, copy: Any = False) -> Any:
    """`scipy.sparse.csr_array`."""
    return of_given(told_by(sp.csr_array, (arg1, shape, dtype, copy), {}), arg1)


def csc_array(arg1: Any, shape: Any = None, dtype: Any = None, copy: Any = False) -> Any:
    """`scipy.sparse.csc_array`."""
    return of_given(told_by(sp.csc_array, (arg1, shape, dtype, copy), {}), arg1)


def coo_array(arg1: Any, shape: Any = None, dtype: Any = None, copy: Any = False) -> Any:
    """`scipy.sparse.coo_array`."""
    return of_given(told_by(sp.coo_array, (arg1, shape, dtype, copy), {}), arg1)


def dia_array(arg1: Any, shape: Any = None, dtype: Any = None, copy: Any = False) -> Any:
    """`scipy.sparse.dia_array`."""
    return of_given(told_by(sp.dia_array, (apart(arg1), shape, dtype, copy), {}), arg1)


def csr_matrix(arg1: Any, shape: Any = None, dtype: Any = None, copy: Any = False) -> Any:
    """`scipy.sparse.csr_matrix`."""
    return of_given(told_by(sp.csr_matrix, (arg1, shape, dtype, copy), {}), arg1)


def csc_matrix(arg1: Any, shape: Any = None, dtype: Any = None, copy: Any = False) -> Any:
    """`scipy.sparse.csc_matrix`."""
    return of_given(told_by(sp.csc_matrix, (arg1, shape, dtype, copy), {}), arg1)


def coo_matrix(arg1: Any, shape: Any = None, dtype: Any = None, copy: Any = False) -> Any:
    """`scipy.sparse.coo_matrix`."""
    return of_given(told_by(sp.coo_matrix, (arg1, shape, dtype, copy), {}), arg1)


def dia_matrix(arg1: Any, shape: Any = None, dtype: Any = None, copy: Any = False) -> Any:
    """`scipy.sparse.dia_matrix`."""
    return of_given(told_by(sp.dia_matrix, (apart(arg1), shape, dtype, copy), {}), arg1)


def apart(given: Any) -> Any:
    """What is given, a sparse array as a copy where SciPy may put other entries into it: all in order, with
    those at one place added."""
    settles = sp.issparse(given) and given.format in ("coo", "csr", "csc") and not given.has_canonical_format
    return given.copy() if settles else given


def of_given(made: Any, given: Any) -> Any:
    """The array of what a class was given."""
    if isinstance(given, tuple) and not isinstance(given[0], tuple):
        return of_parts(made, given)
    if sp.issparse(given):
        return converted(made, given)
    values, rows, columns = entries(given)
    return made_of(made, values, rows, columns)


def of_parts(made: Any, given: Any) -> Any:
    """The array of entries and their places, or of a shape alone."""
    if np.ndim(given[0]) == 0:
        return made
    values = np.asarray(given[0])
    if len(given) == 2 and made.format != "dia" and made.format != "coo":
        return made_of(made, values, given[1][0], given[1][1])
    if np.shape(values) != np.shape(made.data):
        values = np.reshape(values, np.shape(made.data))
    return with_entries(made, values if values.dtype == made.data.dtype else values.astype(made.data.dtype))


def diags(
    diagonals: Any, offsets: Any = 0, shape: Any = None, format: Any = None, dtype: Any = None
) -> Any:  # fmt: skip
    """`scipy.sparse.diags`."""
    keywords = {"offsets": offsets, "shape": shape, "format": format, "dtype": dtype}
    return of_diagonals(told_by(sp.diags, (diagonals,), keywords), diagonals, offsets)


def diags_array(
    diagonals: Any, *, offsets: Any = 0, shape: Any = None, format: Any = None, dtype: Any = None
) -> Any:
    """`scipy.sparse.diags_array`."""
    keywords = {"offsets": offsets, "shape": shape, "format": format, "dtype": dtype}
    return of_diagonals(told_by(sp.diags_array, (diagonals,), keywords), diagonals, offsets)


def of_diagonals(made: Any, diagonals: Any, offsets: Any) -> Any:
    """The array with these diagonals."""
    one = np.ndim(offsets) == 0
    single = one and (len(diagonals) == 0 or np.ndim(diagonals[0]) == 0)
    lines, places = ([diagonals] if single else diagonals), ([offsets] if one else offsets)
    values, rows, columns = [], [], []
    for line, offset in zip(lines, places, strict=True):
        row, column = diagonal_places(made.shape, offset)
        values.append(np.zeros(len(row)) + np.asarray(line))
        rows.append(row)
        columns.append(column)
    return made_of(made, np.concatenate(values), np.concatenate(rows), np.concatenate(columns), padded=True)


def diagonal_places(shape: Any, offset: Any) -> tuple[Any, Any]:
    """The rows and columns of a diagonal."""
    first = max(0, -int(offset))
    last = min(shape[0], shape[1] - int(offset))
    rows = np.arange(first, max(first, last))
    return rows, rows + int(offset)


def hstack(blocks: Any, format: Any = None, dtype: Any = None) -> Any:
    """`scipy.sparse.hstack`."""
    made = told_by(sp.hstack, (blocks, format, dtype), {})
    return of_blocks(made, [blocks])


def vstack(blocks: Any, format: Any = None, dtype: Any = None) -> Any:
    """`scipy.sparse.vstack`."""
    made = told_by(sp.vstack, (blocks, format, dtype), {})
    return of_blocks(made, [[block] for block in blocks])


def bmat(blocks: Any, format: Any = None, dtype: Any = None) -> Any:
    """`scipy.sparse.bmat`."""
    return of_blocks(told_by(sp.bmat, (blocks, format, dtype), {}), blocks)


def block_array(blocks: Any, *, format: Any = None, dtype: Any = None) -> Any:
    """`scipy.sparse.block_array`."""
    return of_blocks(told_by(sp.block_array, (blocks,), {"format": format, "dtype": dtype}), blocks)


def of_blocks(made: Any, blocks: Any) -> Any:
    """The array of these blocks, where None stands for zeros."""
    heights, widths = starts(blocks)
    values, rows, columns = [np.zeros(0)], [np.zeros(0, int)], [np.zeros(0, int)]
    for top, line in zip(heights, blocks, strict=True):
        for left, block in zip(widths, line, strict=True):
            if block is not None:
                part, row, column = entries(block)
                values.append(part)
                rows.append(row + top)
                columns.append(column + left)
    return made_of(made, np.concatenate(values), np.concatenate(rows), np.concatenate(columns))


def starts(blocks: Any) -> tuple[Any, Any]:
    """The rows and columns at which blocks begin."""
    heights = [max([0, *[forms(block)[0] for block in line]]) for line in blocks]
    columns = zip(*blocks, strict=True)
    widths = [max([0, *[forms(block)[1] for block in column]]) for column in columns]
    return np.cumsum([0, *heights])[:-1], np.cumsum([0, *widths])[:-1]


def forms(block: Any) -> Any:
    """The shape of a block."""
    if block is None:
        return 0, 0
    form = block.shape if sp.issparse(block) else np.shape(np.atleast_2d(block))
    return form if len(form) == 2 else (1, *form)


def kron(A: Any, B: Any, format: Any = None) -> Any:  # noqa: N803
    """`scipy.sparse.kron`."""
    made = told_by(sp.kron, (A, B, format), {})
    left, row, column = entries(A)
    right, inner_row, inner_column = entries(B)
    height, width = forms(B)
    values = np.reshape(left[:, None] * right[None, :], (-1,))
    return made_of(made, values, spread(row, height, inner_row), spread(column, width, inner_column))


def spread(outer: Any, length: int, inner: Any) -> Any:
    """The rows or columns of all products."""
    return np.reshape(np.asarray(outer, np.int64)[:, None] * length + inner, (-1,))


# Other forms of the same.


def tocsr(self: Any, copy: Any = ...) -> Any:
    """`A.tocsr()`."""
    return converted(method_of("tocsr", self, () if copy is ... else (copy,)), self)


def tocsc(self: Any, copy: Any = ...) -> Any:
    """`A.tocsc()`."""
    return converted(method_of("tocsc", self, () if copy is ... else (copy,)), self)


def tocoo(self: Any, copy: Any = ...) -> Any:
    """`A.tocoo()`."""
    return converted(method_of("tocoo", self, () if copy is ... else (copy,)), self)


def todia(self: Any, copy: Any = ...) -> Any:
    """`A.todia()`."""
    return converted(method_of("todia", self, () if copy is ... else (copy,)), self)


def converted(made: Any, array: Any) -> Any:
    """The array in another form, which may be itself."""
    if made is array:
        return array
    if has_data_of(made, array):
        return with_entries(made, array.data)
    values, rows, columns = entries(array)
    return made_of(made, values, rows, columns, padded=array.format != "dia")


def has_data_of(made: Any, array: Any) -> bool:
    """Whether a sparse array has the very entries of another in its memory."""
    if made.format == "dok" or array.format == "dok":
        return False  # these are dicts
    one, other = made.data, array.data
    return bool(one.shape == other.shape and np.may_share_memory(one, other) and np.shares_memory(one, other))


AS_IT_IS = ("tocsr", "tocsc", "tocoo", "tobsr", "todia", "transpose", "conj", "copy", "astype")
"""The methods whose result may share the entries of the array."""


def method_of(name: str, array: Any, given: Any) -> Any:
    """What SciPy's method gives; all but those that may share its entries are asked of a copy, as some put
    other entries, with those at one place added and all in order, into the array."""
    as_it_is = name in AS_IT_IS and not (name == "todia" and array.format == "coo")
    return getattr(type(array), name)(array if as_it_is else array.copy(), *given)


def transpose(self: Any, axes: Any = None, copy: Any = False) -> Any:
    """`A.transpose()`."""
    made = method_of("transpose", self, (axes, copy))
    if has_data_of(made, self):
        return with_entries(made, self.data)
    values, rows, columns = entries(self)
    return made_of(made, values, columns, rows) if self.ndim == 2 else made_of(made, values, rows, columns)


def copied(self: Any) -> Any:
    """`A.copy()`."""
    made = method_of("copy", self, ())
    return with_entries(made, self.data * 1)


def negative(self: Any) -> Any:
    """`-A`."""
    made = method_of("__neg__", self, ())
    return with_entries(made, -self.data)


def conjugate(self: Any, copy: Any = True) -> Any:
    """`A.conj()`."""
    made = method_of("conj", self, (copy,))
    return self if made is self else with_entries(made, np.conj(self.data))


# Sums and multiples.


def plus(self: Any, other: Any) -> Any:
    """`A + B`."""
    return combined("__add__", self, other, 1)


def minus(self: Any, other: Any) -> Any:
    """`A - B`."""
    return combined("__sub__", self, other, -1)


def added_to(self: Any, other: Any) -> Any:
    """`B + A`, where `B` is not sparse."""
    return combined("__add__", self, other, 1)


def combined(name: str, a: Any, b: Any, sign: int) -> Any:
    """The sum or difference with a sparse array, a dense one or 0."""
    made = method_of(name, a, (b,))
    if made is NotImplemented:
        return made
    values, rows, columns = entries(a)
    if not sp.issparse(made):
        check_array(made)
        places = keys(rows, columns, a.shape[-1])
        return as_given(made, scattered(values, places, a.shape) + sign * np.asarray(b))
    if not sp.issparse(b):
        return made_of(made, values, rows, columns)
    others, other_rows, other_columns = entries(b)
    both = np.concatenate([values, sign * others])
    return made_of(made, both, np.concatenate([rows, other_rows]), np.concatenate([columns, other_columns]))


def check_array(value: Any) -> None:
    """Refuse the matrices of NumPy."""
    if isinstance(value, np.matrix):
        raise refused("operations of sparse matrices that give a 'np.matrix'; sparse arrays give arrays")


def multiply(self: Any, other: Any) -> Any:
    """`A.multiply(B)`, and `A * B` of arrays."""
    made = method_of("multiply", self, (other,))
    if np.ndim(other) == 0 and not sp.issparse(other):
        check_form(self)
        return with_entries(made, as_stored(self.data * other, made))
    if not sp.issparse(made):
        raise refused("products that come out dense")
    values, rows, columns = repeated(self, made.shape)
    if sp.issparse(other):
        width = made.shape[-1]
        others, other_rows, other_columns = repeated(other, made.shape)
        left, right = pairs(keys(rows, columns, width), keys(other_rows, other_columns, width))
        return made_of(made, values[left] * others[right], rows[left], columns[left])
    wide = np.zeros(forms(made)) + np.asarray(other)
    return made_of(made, values * wide[rows, columns], rows, columns)


def repeated(array: Any, shape: Any) -> tuple[Any, Any, Any]:
    """The entries of a sparse array that is repeated to a shape, as in broadcasting."""
    values, rows, columns = entries(array)
    if array.shape == shape:
        return values, rows, columns
    which, new_rows, new_columns = repetitions(array, rows, columns, shape)
    return values[which], new_rows, new_columns


def repetitions(array: Any, rows: Any, columns: Any, shape: Any) -> tuple[Any, Any, Any]:
    """Which entry stands where in a sparse array that is repeated."""
    height, width = forms(array)
    all_rows, all_columns = (1, *shape)[-2:]
    down = all_rows if height == 1 else 1
    across = all_columns if width == 1 else 1
    which = np.tile(np.arange(len(rows)), down * across)
    new_rows = rows[which] + np.repeat(np.arange(down), across * len(rows))
    new_columns = columns[which] + np.tile(np.repeat(np.arange(across), len(rows)), down)
    return which, new_rows, new_columns


def scaled(self: Any, other: Any) -> Any:
    """`A * B` and `B * A` of arrays, and of matrices with numbers."""
    if isinstance(self, sp.spmatrix) and np.ndim(other) != 0:
        raise refused("stars between matrices that are both sparse; use '@'")
    return multiply(self, other)


def divided(self: Any, other: Any) -> Any:
    """`A / s`."""
    made = method_of("__truediv__", self, (other,))
    if sp.issparse(other):
        raise refused("quotients of sparse arrays by each other")
    if np.ndim(other) != 0:
        return multiply(self, 1.0 / np.asarray(other))
    check_form(self)
    return with_entries(made, as_stored(self.data / other, made))


def check_form(array: Any) -> None:
    """Refuse forms whose entries are lists or a dict."""
    places_in(array)


def matrix_product(self: Any, other: Any) -> Any:
    """`A @ B` of two sparse arrays: all products of entries that meet."""
    made = method_of("__matmul__", self, (other,))
    values, rows, columns = entries(self)
    others, other_rows, other_columns = entries(other)
    if other.ndim == 1:
        other_rows, other_columns = other_columns, other_rows
    left, right = pairs(columns, other_rows)
    products = values[left] * others[right]
    if not sp.issparse(made):
        found = as_given(made, np.sum(products))
        return np.asarray(found) if isinstance(made, np.ndarray) else found
    if other.ndim == 1:
        return made_of(made, products, other_columns[right], rows[left])
    return made_of(made, products, rows[left], other_columns[right])


# What comes out dense.


def toarray(self: Any) -> Any:
    """`A.toarray()` of any form."""
    made = method_of("toarray", self, ())
    values, rows, columns = entries(self)
    return as_given(made, scattered(values, keys(rows, columns, self.shape[-1]), self.shape))


def along(self: Any, axis: Any) -> Any:
    """`A.sum(axis)`."""
    made = method_of("sum", self, (axis,))
    check_array(made)
    values, rows, columns = entries(self)
    if np.ndim(made) == 0:
        return as_given(made, np.sum(values))
    axis = axis if np.ndim(axis) == 0 else axis[0]
    where, count = (rows, self.shape[0]) if axis in (1, -1) else (columns, self.shape[1])
    return as_given(made, scattered(values, where, (count,)))


def diagonal(self: Any, k: Any = 0) -> Any:
    """`A.diagonal()`."""
    made = method_of("diagonal", self, (k,))
    values, rows, columns = entries(self)
    where, there = on_diagonal(rows, columns, k)
    return as_given(made, scattered(values[where], there, np.shape(made)))


def on_diagonal(rows: Any, columns: Any, k: int) -> tuple[Any, Any]:
    """Which entries stand on a diagonal, and at which place of it."""
    where = np.flatnonzero(np.asarray(columns) - np.asarray(rows) == k)
    return where, np.minimum(np.asarray(rows)[where], np.asarray(columns)[where])


def product(self: Any, other: Any) -> Any:
    """The product of an array of any form with a dense vector or matrix."""
    made = method_of("__matmul__", self, (other,))
    values, rows, columns = entries(self)
    x = np.asarray(other)
    terms = np.reshape(values, (-1,) + (1,) * (np.ndim(x) - 1)) * x[columns]
    return as_given(made, added_rows(terms, rows, self.shape[0]) if self.ndim == 2 else np.sum(terms, axis=0))


def added_rows(terms: Any, rows: Any, count: int) -> Any:
    """Sums of the rows that go to the same place."""
    width = np.shape(terms)[1:]
    if len(width) == 0:
        return scattered(terms, rows, (count,))
    places = np.asarray(rows)[:, None] * width[0] + np.arange(width[0])
    return scattered(np.reshape(terms, (-1,)), np.reshape(places, (-1,)), (count, width[0]))
