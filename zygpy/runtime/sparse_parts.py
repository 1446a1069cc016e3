"""Parts of sparse arrays of `scipy.sparse`, entries that are set, extremes, other element types, as programs.

SciPy gives the parts. Which entries they come from is asked of an array whose entries are the numbers from 1
on, at the same places: it is taken the same part of. An entry that is not stored is 0, and so is its
derivative.

This module is imported with the rules of `scipy.sparse`, never by zygpy itself.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.sparse as sp

from zygpy.runtime.library_values import as_given
from zygpy.runtime.sparse_arrays import check_array, check_form, converted, method_of
from zygpy.runtime.sparse_entries import (
    ENTRIES,
    added_at_places,
    entries,
    made_of,
    places_in,
    refused,
    with_entries,
)
from zygpy.runtime.sparse_lists import fits, item_of_lists, put_in_lists, put_in_row
from zygpy.runtime.sparse_products import is_out_of_order, put_in_order

# Parts.


def part(self: Any, key: Any) -> Any:
    """`A[key]`: a number, a sparse array, or a dense one of what index arrays choose.

    Raises a `MissingRuleError` for the forms "lil" and "dok", and for index arrays of sparse matrices, which
    give a `np.matrix`."""
    if self.format == "lil":
        return item_of_lists(self, key)
    made = method_of("__getitem__", self, (key,))
    check_array(made)
    values, rows, columns = added_at_places(self)
    marks = numbered_part(self, rows, columns, key)
    if not sp.issparse(marks):
        return as_given(made, of_marks(values, marks))
    numbers, part_rows, part_columns = entries(marks)
    return made_of(made, values[numbers - 1], part_rows, part_columns)


def row(self: Any, i: Any) -> Any:
    """`A.getrow(i)`."""
    return line("getrow", self, i)


def column(self: Any, i: Any) -> Any:
    """`A.getcol(i)`."""
    return line("getcol", self, i)


def line(name: str, array: Any, i: Any) -> Any:
    """A row or column of a sparse matrix."""
    made = method_of(name, array, (i,))
    values, rows, columns = added_at_places(array)
    numbers, part_rows, part_columns = entries(numbered_line(name, array, rows, columns, i))
    return made_of(made, values[numbers - 1], part_rows, part_columns)


def numbered_line(name: str, array: Any, rows: Any, columns: Any, i: Any) -> Any:
    """The same row or column of the array of numbers."""
    return getattr(numbered(array, rows, columns), name)(i)


def numbered(array: Any, rows: Any, columns: Any) -> Any:
    """An array of the same class whose entries, at these places, are the numbers from 1 on."""
    places = (rows, columns) if array.ndim == 2 else (columns,)
    of = sp.coo_array if isinstance(array, sp.sparray) else sp.coo_matrix
    return of((np.arange(1, len(rows) + 1), places), shape=array.shape).asformat(array.format)


def numbered_part(array: Any, rows: Any, columns: Any, key: Any) -> Any:
    """The same part of the array of numbers."""
    return numbered(array, rows, columns)[key]


def of_marks(values: Any, marks: Any) -> Any:
    """The values with these numbers, from 1 on, and 0 for 0."""
    return np.append(values, 0.0 * values[:1] if len(values) else 0.0)[np.asarray(marks) - 1]


# Entries that are set.


def put(self: Any, key: Any, value: Any) -> None:
    """`A[key] = value`, where all places have entries.

    Raises a `MissingRuleError` where one has none, and for the forms "lil" and "dok"."""
    if sp.issparse(value):
        raise refused("sparse arrays that are put into others; use 'bmat'")
    if self.format == "lil":
        put_in_lists(self, key, value)
        return
    places = places_to_put(self, key)
    self.data[places] = value if fits(value, np.shape(places)) else np.reshape(value, np.shape(places))


def places_to_put(array: Any, key: Any) -> Any:
    """Which elements of `data` a part of an array is, if all are there once."""
    rows, columns, where = places_in(array)
    numbers = numbered(array, rows, columns)
    if numbers.nnz != len(rows):
        raise refused("entries that are set in arrays in which places occur twice")
    marks = numbers[key]
    marks = marks.toarray() if sp.issparse(marks) else np.asarray(marks)
    if np.any(marks == 0):
        raise refused("entries that are set where there are none", ENTRIES)
    return marks - 1 if where is None else where[marks - 1]


def put_diagonal(self: Any, values: Any, k: Any = 0) -> None:
    """`A.setdiag(values, k)` of compressed rows or columns, where all places have entries."""
    check_compressed(self)
    first = np.maximum(0, -k)
    count = np.minimum(self.shape[0] - first, self.shape[1] - np.maximum(0, k))
    if count <= 0:
        raise ValueError("k exceeds array dimensions")
    if np.ndim(values) > 0:
        count = np.minimum(count, len(values))
        values = np.asarray(values)[:count]
    rows = np.arange(first, first + count)
    put(self, (rows, rows + k), values)


def check_compressed(array: Any) -> None:
    """Refuse forms whose diagonals are set by putting other entries behind the rest."""
    if array.format not in ("csr", "csc", "lil"):
        raise refused(f"'setdiag' of the form '{array.format}' where it is not known before")


def sorted_in_place(self: Any) -> None:
    """`A.sort_indices()`."""
    if is_out_of_order(self):
        check_places(self)
        put_in_order(self)


def check_places(array: Any) -> None:
    """Refuse to sort blocks, and arrays with several entries at one place."""
    if array.format == "bsr":
        raise refused("'sort_indices' of blocks that are out of order")
    rows, columns, _ = places_in(array)
    if numbered(array, rows, columns).nnz != len(rows):
        raise refused("'sort_indices' of arrays in which places occur twice; call 'sum_duplicates' first")


def without_zeros(self: Any) -> None:
    """`A.eliminate_zeros()` of arrays without entries that are zero: the form "coo" then has a copy."""
    check_zeros(self)
    if self.format == "coo":
        self.data = self.data.copy()


def check_zeros(array: Any) -> None:
    """Refuse entries that are zero, of which the derivative would be lost, and those behind the last one."""
    if not np.all(array.data) or len(places_in(array)[0]) != np.size(array.data):
        raise refused("'eliminate_zeros' of arrays with entries that are zero, or in no row")


def in_blocks(self: Any, blocksize: Any = None, copy: Any = ...) -> Any:
    """`A.tobsr()`."""
    return converted(method_of("tobsr", self, (blocksize,) if copy is ... else (blocksize, copy)), self)


def as_lists(self: Any, copy: Any = False) -> Any:
    """`A.tolil()`, whose rows of numbers are filled one by one."""
    made = method_of("tolil", self, ())
    values, rows, columns = added_at_places(self)
    check_count(made, len(rows))
    for number in range(len(rows)):
        put_in_row(made.rows[rows[number]], made.data[rows[number]], columns[number], values[number])
    return made


def check_count(made: Any, count: int) -> None:
    """Refuse what has fewer entries than it was made of."""
    if made.nnz != count:
        raise refused("'tolil' of arrays of which SciPy leaves out entries that are zero")


def as_dict(self: Any, copy: Any = False) -> Any:
    """`A.todok()`, which is refused."""
    check_no_dict(self)
    return self


def check_no_dict(array: Any) -> None:
    """Refuse to put entries into a dict."""
    raise refused(
        "'todok', which puts the entries into a dict (the form 'dok')", f"leave it out, or {ENTRIES}"
    )


# Means, extremes, and elements of another type.


def mean(self: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """`A.mean(axis)`."""
    if dtype is not None or out is not None:
        raise refused("'mean' with dtype= or out=")
    made = method_of("mean", self, (axis,))
    check_array(made)
    return as_given(made, self.sum(axis=axis) / count_along(self.shape, axis))


def count_along(shape: Any, axis: Any) -> int:
    """How many elements go into one mean.

    >>> count_along((2, 3), None), count_along((2, 3), -1), count_along((2, 3), (0,))
    (6, 3, 2)
    """
    return math.prod(shape if axis is None else [shape[one] for one in np.atleast_1d(axis)])


def largest(self: Any, axis: Any = None, out: Any = None, *, explicit: Any = False) -> Any:
    """`A.max(axis)`: of equal elements the first counts."""
    return extreme("max", self, axis, out, explicit)


def smallest(self: Any, axis: Any = None, out: Any = None, *, explicit: Any = False) -> Any:
    """`A.min(axis)`: of equal elements the first counts."""
    return extreme("min", self, axis, out, explicit)


def argmax(self: Any, axis: Any = None, out: Any = None, **options: Any) -> Any:
    """`A.argmax(axis)`, which leaves the order of entries as it is."""
    return place_of("argmax", self, axis, out, options)


def argmin(self: Any, axis: Any = None, out: Any = None, **options: Any) -> Any:
    """`A.argmin(axis)`, in the same way."""
    return place_of("argmin", self, axis, out, options)


def place_of(name: str, array: Any, axis: Any, out: Any, options: Any) -> Any:
    """Where the largest or smallest element is."""
    return getattr(array.copy(), name)(axis, out, **options)


def extreme(name: str, array: Any, axis: Any, out: Any, explicit: Any) -> Any:
    """The largest or smallest element, or those along an axis."""
    if out is not None or explicit:
        raise refused(f"'{name}' with out= or explicit=")
    made = method_of(name, array, (axis,))
    check_order(array)
    values, rows, columns = added_at_places(array)
    axis = one_axis(array.ndim, axis)
    if axis is None:
        return as_given(made, np.sum(values[at_extreme(array, rows, columns, name)]))
    where, lines = at_extremes(array, rows, columns, name, axis)
    zeros = np.zeros(len(lines), int)
    if made.ndim == 1 or axis == 0:
        return made_of(made, values[where], zeros, lines)
    return made_of(made, values[where], lines, zeros)


def one_axis(dimensions: int, axis: Any) -> int | None:
    """The axis that is meant, counted from the first one, or None for all.

    >>> one_axis(2, (-1,)), one_axis(2, (0, 1)), one_axis(1, 0)
    (1, None, None)
    """
    axes = [] if axis is None else sorted({int(one) % dimensions for one in np.atleast_1d(axis)})
    return axes[0] if len(axes) == 1 and dimensions == 2 else None


def check_order(array: Any) -> None:
    """Refuse arrays in which SciPy would put entries in order, with those at one place added."""
    settled = array.copy()
    settled.sum_duplicates()
    if len(settled.data) != len(array.data) or any(
        map(np.any, map(np.not_equal, places_in(settled)[:2], places_in(array)[:2]))
    ):
        raise refused(
            "extremes of arrays whose entries are out of order, which SciPy sorts; sort them before"
        )


def at_extreme(array: Any, rows: Any, columns: Any, name: str) -> Any:
    """Which entry is the largest or smallest element, none if it is not stored."""
    place = method_of(f"arg{name}", array, ())
    return np.flatnonzero(rows * array.shape[-1] + columns == place)


def at_extremes(array: Any, rows: Any, columns: Any, name: str, axis: Any) -> tuple[Any, Any]:
    """Which entries are the extremes along an axis, and in which lines they stand."""
    found = np.asarray(method_of(f"arg{name}", array, (axis,))).reshape(-1)
    lines, along = (columns, rows) if axis == 0 else (rows, columns)
    where = np.flatnonzero(found[lines] == along)
    return where, lines[where]


def as_type(self: Any, dtype: Any, casting: Any = "unsafe", copy: Any = True) -> Any:
    """`A.astype(dtype)`."""
    made = method_of("astype", self, (dtype, casting, copy))
    if made is self:
        return self
    if self.format == "dia" or self.dtype == made.dtype:
        check_form(self)
        return with_entries(made, self.data.astype(made.dtype))
    values, rows, columns = added_at_places(self)
    return made_of(made, values.astype(made.dtype), rows, columns)
