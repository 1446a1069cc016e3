"""Tangents along every unit vector of some arguments: the columns of Jacobians and Hessians.

They are taken several at once where the tangent code for that can be written, else one after another.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from zygpy.runtime.tangents import DOUBLE, unit_vectors
from zygpy.runtime.unknown_derivatives import UnknownCotangent
from zygpy.runtime.zeros import CannotPush

FEW = 3
"""From so many directions on it pays to take several at once."""

MANY = 24
"""The same where the program computes with numbers one by one, which are quicker than short arrays."""

ENTRIES = 2**15
"""About how many entries arrays of tangents along several directions have, so that they stay in the cache."""

MORE_ENTRIES = 2**20
"""The same where a matrix is multiplied by unit vectors, which costs nothing, so that what takes long is the
program itself, which runs once for so many directions."""


def total_of(args: Sequence[Any]) -> int:
    """How many numbers the arguments have.

    >>> total_of((2.0, np.ones((2, 3))))
    7
    """
    return size_of(args[0]) if len(args) == 1 else sum([size_of(x) for x in args])


def size_of(x: Any) -> int:
    """How many numbers an argument has.

    >>> size_of(2.0), size_of(np.ones((2, 3)))
    (1, 6)
    """
    return x.size if type(x) is np.ndarray else np.size(x)


def columns(
    push: Any, args: Sequence[Any], of: Callable[[Any], Any], like: Any = None, several: Any = None
) -> tuple[Any, Any]:
    """The result, and the tangents of `of(result)` along each unit vector of the arguments in order, as an
    array in which the vectors lie along the first axis; `like` is an array of that form, if it is not the
    result's part itself. `several` is `push.several()`, if the caller has asked for it.

    Raises CannotPush where that cannot be done.
    """
    total = total_of(args)
    several = several or (push.several() if total >= FEW else None)
    if several is not None and total >= (MANY if several.has_numbers else FEW):
        try:
            return _at_once(several, args, of, like)
        except Exception:
            pass  # what the program raises comes again where it is run for one direction
    found, y = [], None
    for k in range(total):
        y, y_dot = push.run(one_of(args, k))
        found.append(_filled(y_dot, of, of(y) if like is None else like, ()))
    return y, np.stack(found)


def _at_once(several: Any, args: Sequence[Any], of: Callable[[Any], Any], like: Any) -> tuple[Any, Any]:
    plan = plan_of(several, args, of)
    if plan is not None and plan.places is not None:
        y, y_dot = several.run(plan.width, [plan.directions])
        dots = plan.columns(None if y_dot is None else of(y_dot), of(y) if like is None else like)
        if dots is not None:
            return y, dots
    total = total_of(args)
    longest = total if len(args) == 1 else max([size_of(x) for x in args])
    width = max(1, (MORE_ENTRIES if several.meets_matrices else ENTRIES) // longest)
    made, y = None, None
    for start in range(0, total, width):
        count = min(width, total - start)
        y, y_dot = several.run(count, directions(args, start, count))
        dots = _filled(y_dot, of, of(y) if like is None else like, (count,))
        if count == total:
            return y, dots
        if made is None:
            order: Any = "C" if dots.flags.c_contiguous else "F"
            made = np.empty((total, *dots.shape[1:]), dots.dtype, order)
        made[start : start + count] = dots
    return y, made


NARROW = 8
"""Bands are used where the vectors are so many times longer than they are wide."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How the tangents along all unit vectors of a vector of so many doubles are taken in one call: along so
    many directions; and for bands, of results of so many entries, where these are put in the whole, and where
    they are found."""

    size: int
    width: int
    length: int = 0
    places: tuple[Any, Any] | None = None

    @property
    def directions(self) -> np.ndarray[Any, Any]:
        """The directions, not to be written to."""
        return unit_vectors(self.size) if self.places is None else unit_rows(self.width, self.size)

    def columns(self, dots: Any, like: Any) -> Any:
        """The tangents along the unit vectors, of a result in the form of `like`; None where they are in
        another form than was expected."""
        if type(dots) is not np.ndarray or dots.dtype is not DOUBLE:
            return None
        if self.places is not None:
            return self._from_bands(dots, *self.places)
        if type(like) is not np.ndarray or like.dtype is not DOUBLE or dots.shape != (self.size, *like.shape):
            return None
        return dots if dots.flags.writeable else dots.copy()  # the unit vectors are everybody's

    def _from_bands(self, dots: np.ndarray[Any, Any], targets: Any, sources: Any) -> Any:
        if dots.shape != (self.width, self.length):
            return None
        made = np.zeros((self.size, self.length))
        made.reshape(-1)[targets] = dots.reshape(-1)[sources]
        return made


def plan_of(several: Any, args: Sequence[Any], of: Callable[[Any], Any]) -> Plan | None:
    """The plan for a vector: by bands, where entries depend on few others, which are known, else by one unit
    vector after another; None where that takes several calls."""
    x = args[0]
    if len(args) > 1 or type(x) is not np.ndarray or x.ndim != 1 or x.dtype is not DOUBLE:
        return None
    size = len(x)
    banded = _plan_by_bands(several.bands, size, of)
    if banded is not None or size * size > ENTRIES:
        return banded
    return Plan(size, size)


def _plan_by_bands(bands: Any, size: int, of: Callable[[Any], Any]) -> Plan | None:
    band = None if bands is None or bands.result is None else of(bands.result)
    if band is None or size < bands.least or (band.high - band.low + 1) * NARROW > size:
        return None
    width, length = max(band.high - band.low + 1, 1), size - band.shorter
    return Plan(size, width, length, places_in(size, length, band.low, band.high))


@functools.lru_cache(maxsize=8)
def unit_rows(width: int, length: int) -> np.ndarray[Any, Any]:
    """Directions each of which is the sum of every so many unit vectors; not to be written to.

    >>> unit_rows(2, 5).tolist()
    [[1.0, 0.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0, 0.0]]
    """
    made = np.array(np.arange(length) % width == np.arange(width)[:, None], float)
    made.flags.writeable = False
    return made


@functools.lru_cache(maxsize=8)
def places_in(rows: int, length: int, low: int, high: int) -> tuple[Any, Any]:
    """Where the entries of a band are in a matrix with so many rows, and where in what the directions of
    `unit_rows` give, both in order of memory: column `j` has entries from row `j + low` to `j + high`.

    >>> [places.tolist() for places in places_in(3, 2, 0, 1)]
    [[0, 3, 2, 5], [0, 3, 2, 1]]
    """
    columns_of, offsets = np.arange(length), np.arange(low, high + 1)[:, None]
    rows_of = columns_of + offsets
    inside = (rows_of >= 0) & (rows_of < rows)
    targets, sources = rows_of * length + columns_of, rows_of % max(high - low + 1, 1) * length + columns_of
    return targets[inside], sources[inside]


def _filled(dots: Any, of: Callable[[Any], Any], like: Any, ahead: tuple[int, ...]) -> Any:
    """The tangents of a part of the result in the form of an array, zeros where there are none."""
    dot = None if dots is None else of(dots)
    if type(like) is np.ndarray:
        shape, dtype = (*ahead, *like.shape), like.dtype
    else:
        shape, dtype = ahead + np.shape(like), np.asarray(like).dtype
    if type(dot) is np.ndarray and dot.dtype == dtype and dot.shape == shape:
        return dot if dot.flags.writeable else dot.copy()  # the unit vectors are everybody's
    if type(dot) is UnknownCotangent:
        raise CannotPush
    dtype = dtype if dtype.kind in "fc" else np.dtype(float)
    return np.zeros(shape, dtype) if dot is None else np.asarray(dot, dtype).reshape(shape)


def directions(args: Sequence[Any], start: int, count: int) -> list[Any]:
    """So many unit vectors of the arguments, from one of them on, along the first axis of what each argument
    gets.

    >>> [one.tolist() for one in directions((2.0, np.ones(2)), 1, 2)]
    [[0.0, 0.0], [[1.0, 0.0], [0.0, 1.0]]]
    """
    if len(args) == 1:
        return [_unit_vectors(args[0], start, count)]
    made = []
    for x in args:
        made.append(_unit_vectors(x, start, count))
        start -= size_of(x)
    return made


def _unit_vectors(x: Any, start: int, count: int) -> Any:
    """The part of unit vectors that belongs to one argument, whose first one has the number 0."""
    of_a_vector = type(x) is np.ndarray and x.ndim == 1 and x.dtype is DOUBLE
    if of_a_vector and 0 <= start <= x.size - count and x.size * count <= MORE_ENTRIES:
        return unit_vectors(x.size, start, count)
    rows = np.eye(count, np.size(x), start, dtype_of(x))
    return rows if np.ndim(x) == 1 else rows.reshape(count, *np.shape(x))


def one_of(args: Sequence[Any], k: int) -> list[Any]:
    """One unit vector of the arguments.

    >>> one_of((2.0, np.ones(2)), 1)
    [np.float64(0.0), array([1., 0.])]
    """
    return [x[0] for x in directions(args, k, 1)]


def dtype_of(x: Any) -> Any:
    """The type of an argument's tangents.

    >>> dtype_of(2), dtype_of(np.float32(1.0))
    (dtype('float64'), dtype('float32'))
    """
    found = np.asarray(x).dtype
    return found if found.kind == "f" else np.dtype(float)
