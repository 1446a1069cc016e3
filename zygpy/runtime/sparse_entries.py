"""Where the entries of sparse arrays of `scipy.sparse` stand, and sparse arrays that are made of entries.

SciPy makes the arrays, whose pattern counts as constant. Beside it their entries are computed out of those
that they come from: each entry goes to the place of the same row and column.

This module is imported with the rules of `scipy.sparse`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from zygpy.errors import MissingRuleError
from zygpy.runtime.unknown_derivatives import unknown_cotangent

ENTRIES = "make it of its entries: 'coo_array((values, (rows, columns)), shape=shape)'"
"""What may be written instead of setting entries one by one."""


def refused(what: str, instead: str = "") -> MissingRuleError:
    """The error for what has no rule."""
    return MissingRuleError(
        f"'scipy.sparse' has no rule for {what}.",
        why="the pattern of a sparse array counts as constant, and not all that is done with it has a rule",
        instead=instead or "convert it to the form 'csr', or to a dense array by 'toarray'",
    )


# Reading.


def entries(array: Any) -> tuple[Any, Any, Any]:
    """The entries of a sparse or dense array, with their rows and columns."""
    if not sp.issparse(array):
        dense = np.asarray(array)
        rows, columns = places_of_dense(dense)
        return of_places(np.atleast_2d(dense), rows, columns), rows, columns
    if array.format == "lil":
        return entries_of_lists(array)
    rows, columns, where = places_in(array)
    values = np.reshape(array.data, (-1,))
    return (values if where is None else values[where]), rows, columns


def entries_of_lists(array: Any) -> tuple[Any, Any, Any]:
    """The entries of an array, with their rows and columns."""
    values = []
    for line in array.data:
        values.extend(line)
    rows, columns = places_of_lists(array.rows)
    return (np.array(values) if values else np.zeros(0)), rows, columns


def places_of_lists(lines: Any) -> tuple[Any, Any]:
    """The rows and columns of the entries."""
    rows = np.repeat(np.arange(len(lines)), [len(line) for line in lines])
    return rows, np.array([column for line in lines for column in line], int)


def places_of_dense(dense: Any) -> tuple[Any, Any]:
    """The rows and columns of the elements of a dense array that are not zero."""
    if np.ndim(dense) > 2:
        raise refused("sparse arrays that are no matrices")
    rows, columns = np.nonzero(np.atleast_2d(dense))
    return rows, columns


def of_places(dense: Any, rows: Any, columns: Any) -> Any:
    """The elements of a dense array at these places."""
    return dense[rows, columns]


def to_places(values: Any, dense: Any, rows: Any, columns: Any) -> Any:
    """What comes back to a dense array that was made sparse: by zeros there is no derivative."""
    if len(rows) < np.size(dense):
        return unknown_cotangent(values, dense, ZEROS)
    return np.reshape(values, np.shape(dense))


ZEROS = (
    "sparse arrays made of dense ones in which there are zeros: the pattern of a sparse array is constant."
)
"""What is said where the derivative by a zero is asked for that SciPy leaves out."""


def places_in(array: Any) -> tuple[Any, Any, Any]:
    """The rows and columns of entries, and which elements of `data` they are if these are not all."""
    if array.format in ("lil", "dok"):
        what = f"this with arrays of the form '{array.format}', whose entries are lists or a dict"
        raise refused(what, "call 'tocsr' before" if array.format == "lil" else ENTRIES)
    if array.ndim == 1:
        columns = array.coords[0] if array.format == "coo" else array.indices
        return np.zeros(len(columns), int), columns, None
    if array.ndim != 2:
        raise refused("sparse arrays of more than two dimensions")
    if array.format == "coo":
        rows, columns = array.coords if hasattr(array, "coords") else (array.row, array.col)
        return rows, columns, None
    if array.format in ("csr", "csc"):
        outer = np.repeat(np.arange(len(array.indptr) - 1), np.diff(array.indptr))
        inner = array.indices[: len(outer)]
        where = None if len(array.data) == len(outer) else np.arange(len(outer))
        return (outer, inner, where) if array.format == "csr" else (inner, outer, where)
    if array.format == "dia":
        return _places_of_diagonals(array)
    if array.format == "bsr":
        return _places_of_blocks(array)
    raise refused(f"arrays of the form '{array.format}'")


def _places_of_diagonals(array: Any) -> tuple[Any, Any, Any]:
    columns = np.broadcast_to(np.arange(array.data.shape[1]), array.data.shape)
    rows = columns - array.offsets[:, None]
    where = np.flatnonzero((rows >= 0) & (rows < array.shape[0]) & (columns < array.shape[1]))
    return rows.ravel()[where], columns.ravel()[where], where


def _places_of_blocks(array: Any) -> tuple[Any, Any, Any]:
    height, width = array.data.shape[1:]
    outer = np.repeat(np.arange(len(array.indptr) - 1), np.diff(array.indptr))
    zeros = np.zeros(array.data.shape, int)
    rows = zeros + outer[:, None, None] * height + np.arange(height)[:, None]
    columns = zeros + array.indices[:, None, None] * width + np.arange(width)
    return rows.ravel(), columns.ravel(), None


def added_at_places(array: Any) -> tuple[Any, Any, Any]:
    """The entries of a sparse array, those at one place added, with their rows and columns; those of a vector
    stand in one row."""
    values, rows, columns = entries(array)
    first, number = once(keys(rows, columns, array.shape[-1]))
    if len(first) == len(rows):
        return values, rows, columns
    return scattered(values, number, (len(first),)), rows[first], columns[first]


def once(numbers: Any) -> tuple[Any, Any]:
    """Where each number stands first, and which one each is.

    >>> [found.tolist() for found in once(np.array([7, 3, 7]))]
    [[1, 0], [1, 0, 1]]
    """
    _, first, number = np.unique(numbers, return_index=True, return_inverse=True)
    return first, number


# Making.


def with_entries(array: Any, data: Any) -> Any:
    """The sparse array, whose entries have the derivative of what was computed."""
    return array


def entries_of(fields: Any, like: Any) -> Any:
    """The cotangent of the entries in that of a sparse array, which is a dict or `Record` of its fields."""
    found = fields if isinstance(fields, dict) else fields._asdict()
    value = found.get("data")
    return np.zeros(np.shape(like)) if value is None else value


def in_fields(data: Any) -> dict[str, Any]:
    """The cotangent of a sparse array whose entries have one."""
    return {"data": data}


def made_of(array: Any, values: Any, rows: Any, columns: Any, padded: bool = False) -> Any:
    """The array that SciPy has made, of these entries at these places.

    What the form "dia" keeps outside of the array comes from something, if it is not said to be padding."""
    found = scattered(values, positions(array, rows, columns), np.shape(array.data))
    if array.format == "dia" and not padded:
        found = inside(found, array)
    return with_entries(array, as_stored(found, array))


def as_stored(found: Any, array: Any) -> Any:
    """The entries of the array, with the derivative of what was computed, integers too."""
    return np.array(array.data)


def inside(data: Any, array: Any) -> Any:
    """The elements of diagonals, of which those outside of the array have no known derivative."""
    return data


def known_inside(g: Any, array: Any) -> Any:
    """The cotangent of the elements of diagonals, where none comes to those outside."""
    outside = np.delete(np.reshape(g, (-1,)), places_in(array)[2])
    return unknown_cotangent(g, array.data, OUTSIDE) if np.any(outside) else g


OUTSIDE = (
    "elements of 'data' that stand outside of an array of the form 'dia': only those inside are followed."
)
"""What is said where the derivative of an element is asked for that the array does not have."""


def scattered(values: Any, where: Any, shape: Any) -> Any:
    """An array of this shape to whose elements, counted in a line, values are added."""
    found = np.zeros(shape, np.result_type(values, 1.0) if np.size(values) else float)
    np.add.at(found.reshape(-1), where, values)
    return found


def positions(array: Any, rows: Any, columns: Any) -> Any:
    """Which elements of `data` stand at these rows and columns."""
    own_rows, own_columns, where = places_in(array)
    asked = keys(rows, columns, array.shape[-1])
    own = keys(own_rows, own_columns, array.shape[-1])
    if len(own) == len(asked) and np.array_equal(own, asked):
        return np.arange(len(own)) if where is None else where
    order = np.argsort(own, kind="stable")
    line = own[order]
    if np.any(line[1:] == line[:-1]):
        raise refused("arrays in which places occur twice, and are moved")
    found = np.searchsorted(line, asked)
    if np.any(found == len(line)) or not np.array_equal(line[found], asked):
        raise refused("sums and products in which entries come out as zero, which SciPy leaves out")
    return order[found] if where is None else where[order[found]]


def keys(rows: Any, columns: Any, width: int) -> Any:
    """One number for each row and column."""
    return np.asarray(rows, np.int64) * width + np.asarray(columns, np.int64)


def pairs(first: Any, second: Any) -> tuple[Any, Any]:
    """The places of all pairs of equal numbers.

    >>> [places.tolist() for places in pairs(np.array([3, 1]), np.array([1, 3, 3]))]
    [[0, 0, 1], [1, 2, 0]]
    """
    order = np.argsort(second, kind="stable")
    start = np.searchsorted(second[order], first, side="left")
    count = np.searchsorted(second[order], first, side="right") - start
    left = np.repeat(np.arange(len(first)), count)
    steps = np.arange(len(left)) - np.repeat(np.cumsum(count) - count, count)
    return left, order[np.repeat(start, count) + steps]
