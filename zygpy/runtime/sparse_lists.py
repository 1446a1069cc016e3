"""Sparse arrays of `scipy.sparse` in the form "lil", of which a row is a list of columns and one of values.

Entries are set in these one by one; what comes of them is an array in another form.

This module is imported with the rules of `scipy.sparse`, never by zygpy itself.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

import numpy as np

from zygpy.runtime.sparse_entries import refused

# Reading.


def item_of_lists(array: Any, key: Any) -> Any:
    """`A[i, j]`."""
    row, column = one_place(array.shape, key)
    place = place_in_row(array.rows[row], column)
    return array.dtype.type(0) if place is None else array.data[row][place]


# Writing.


def put_in_lists(array: Any, key: Any, value: Any) -> None:
    """`A[key] = value`, of a number or a dense array."""
    rows, columns = all_places(array.shape, key)
    form = form_of(array.shape, key)
    wide = np.asarray(value).astype(array.dtype)
    wide = np.reshape(np.broadcast_to(wide, form) if fits(wide, form) else wide, (-1,))
    check_zeros(wide)
    for number in range(len(rows)):
        put_in_row(array.rows[rows[number]], array.data[rows[number]], columns[number], wide[number])


def put_in_row(columns: Any, values: Any, column: Any, value: Any) -> None:
    """Put a value into a row."""
    place = bisect_left(columns, column)
    if place < len(columns) and columns[place] == column:
        values[place] = value
    else:
        columns.insert(place, column)
        values.insert(place, value)


def check_zeros(values: Any) -> None:
    """Refuse to set what SciPy leaves out."""
    if not np.all(values):
        raise refused("zeros that are set in arrays of the form 'lil', which SciPy leaves out")


def fits(value: Any, form: Any) -> bool:
    """Whether a value can be put into places of this form as it is: SciPy puts a row into a column, too."""
    given = np.shape(value)
    return bool(given == form or [size for size in given if size > 1] != [size for size in form if size > 1])


# Places.


def place_in_row(columns: Any, column: int) -> int | None:
    """Which entry of a row stands in a column."""
    return columns.index(column) if column in columns else None


def one_place(shape: Any, key: Any) -> tuple[int, int]:
    """The row and column of one element."""
    rows, columns = all_places(shape, key)
    if form_of(shape, key) != () or len(rows) != 1:
        raise refused("parts of arrays of the form 'lil'")
    return rows[0], columns[0]


def all_places(shape: Any, key: Any) -> tuple[list[int], list[int]]:
    """The rows and columns of elements, one by one.

    >>> all_places((2, 3), (-1, slice(0, 2)))
    ([1, 1], [0, 1])
    """
    rows, columns = _broadcast(shape, key)
    return [int(row) for row in rows.flat], [int(column) for column in columns.flat]


def form_of(shape: Any, key: Any) -> Any:
    """The shape of the part that a key names."""
    return np.shape(_broadcast(shape, key)[0])


def _broadcast(shape: Any, key: Any) -> Any:
    if not isinstance(key, tuple):
        mask = np.asarray(key) if isinstance(key, list | np.ndarray) else None
        key = (
            np.nonzero(mask)
            if mask is not None and mask.dtype == bool and mask.ndim == 2
            else (key, slice(None))
        )
    if len(key) != 2 or any(one is None or one is Ellipsis for one in key):
        raise refused(
            "entries of arrays of the form 'lil' that are named by other keys than rows and columns"
        )
    rows, columns = np.arange(shape[0])[key[0]], np.arange(shape[1])[key[1]]
    if isinstance(key[0], slice) or (isinstance(key[1], slice) and np.ndim(rows) == 1):
        rows = rows[:, None]
    return np.broadcast_arrays(rows, columns)
