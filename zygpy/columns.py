"""Tangents along every unit vector of some arguments: the columns of Jacobians and Hessians.

They are taken several at once where the tangent code for that can be written, else one after another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from zygpy.runtime.tangents import unit_vectors
from zygpy.runtime.unknown_derivatives import UnknownCotangent
from zygpy.runtime.zeros import CannotPush

FEW = 3
"""From so many directions on it pays to take several at once."""

MANY = 24
"""The same where the program computes with numbers one by one, which are quicker than short arrays."""

ENTRIES = 2**14
"""About how many entries arrays of tangents along several directions have, so that they stay in the cache."""


def total_of(args: Sequence[Any]) -> int:
    """How many numbers the arguments have.

    >>> total_of((2.0, np.ones((2, 3))))
    7
    """
    return sum(np.size(x) for x in args)


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
    total = total_of(args)
    width = max(1, ENTRIES // max(np.size(x) for x in args))
    made, y = None, None
    for start in range(0, total, width):
        count = min(width, total - start)
        y, y_dot = several.run(count, directions(args, start, count))
        dots = _filled(y_dot, of, of(y) if like is None else like, (count,))
        if count == total:
            return y, dots
        if made is None:
            made = np.empty((total, *dots.shape[1:]), dots.dtype)
        made[start : start + count] = dots
    return y, made


def _filled(dots: Any, of: Callable[[Any], Any], like: Any, ahead: tuple[int, ...]) -> Any:
    """The tangents of a part of the result in the form of an array, zeros where there are none."""
    dot = None if dots is None else of(dots)
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
        start -= np.size(x)
    return made


def _unit_vectors(x: Any, start: int, count: int) -> Any:
    """The part of unit vectors that belongs to one argument, whose first one has the number 0."""
    if start == 0 and type(x) is np.ndarray and x.shape == (count,) and x.dtype == np.float64:
        return unit_vectors(count)
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
