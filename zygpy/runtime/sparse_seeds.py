"""Seeds and directions of sparse arrays that are given as arrays, sparse or dense, and not by their fields.

This module is imported with the rules of `scipy.sparse`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from zygpy.errors import CotangentShapeError
from zygpy.runtime.seeds import DIRECTION, Words, as_seed, of_no_form
from zygpy.runtime.sparse_entries import keys, once, places_in, scattered


def fields_for(array: Any, given: Any, words: Words) -> dict[str, Any]:
    """The cotangent, or the tangent, of the entries of a sparse array in that of all its elements.

    What a cotangent has where the array has no entry leads nowhere: the pattern is constant. A tangent
    there is refused, and so is one of entries that are added, of which it does not tell how much is whose.

    >>> array = sp.csr_array([[1.0, 2.0], [0.0, 3.0]])
    >>> fields_for(array, np.array([[4.0, 5.0], [6.0, 7.0]]), Words("seed", "result", "cotangent"))
    {'data': array([4., 5., 7.])}
    """
    if not sp.issparse(given) and not isinstance(given, np.ndarray):
        raise of_no_form(array, given, words, "its fields, of which 'data' has one")
    if np.shape(given) != array.shape:
        raise CotangentShapeError(
            f"the {words.given} has shape {np.shape(given)}, but the {words.value} has shape {array.shape}",
            why=f"a {words.kind} has the shape of the value that it belongs to",
            instead=f"pass an array of shape {array.shape}",
        )
    found = given.data if same_entries(array, given) else at_entries(array, given, words)
    return {"data": as_seed(array.data, found)}


def same_entries(array: Any, given: Any) -> bool:
    """Whether two sparse arrays have the same entries in the same order."""
    if not sp.issparse(given) or given.format != array.format or given.data.shape != array.data.shape:
        return False
    return all(map(np.array_equal, places_in(array)[:2], places_in(given)[:2]))


def at_entries(array: Any, given: Any, words: Words) -> Any:
    """The elements of what was given where a sparse array has entries, in the form of its `data`."""
    rows, columns, where = places_in(array)
    matrix = sp.csr_matrix(np.atleast_2d(given) if isinstance(given, np.ndarray) else in_rows(given))
    if words is DIRECTION:
        check_places(keys(rows, columns, array.shape[-1]), matrix)
    values = np.asarray(matrix[rows, columns]).ravel() if len(rows) else np.zeros(0)
    if where is None:
        return np.reshape(values, np.shape(array.data))
    return scattered(values, where, np.shape(array.data))


def in_rows(given: Any) -> Any:
    """A sparse array, a vector as one row."""
    return given.reshape((1, -1)) if given.ndim == 1 else given


def check_places(places: Any, matrix: Any) -> None:
    """Refuse directions that lead out of the pattern of a sparse array, or to entries that are added."""
    rows, columns = matrix.nonzero()
    if np.all(np.isin(keys(rows, columns, matrix.shape[1]), places)) and len(once(places)[0]) == len(places):
        return
    raise CotangentShapeError(
        "the direction has elements for which the argument, a sparse array, has not one entry each",
        why="the pattern of a sparse array counts as constant, and entries at one place are added",
        instead="pass a dict with the direction of 'data'",
    )
