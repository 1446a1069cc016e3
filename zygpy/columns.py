"""Tangents along every unit vector of some arguments: the columns of Jacobians and Hessians.

They are taken several at once where the tangent code for that can be written, else one after another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from zygpy.runtime.tangents import CannotPush
from zygpy.runtime.unknown_derivatives import UnknownCotangent

FEW = 3
"""From so many directions on it pays to take several at once."""

MANY = 24
"""The same where the program computes with numbers one by one, which are quicker than short arrays."""

ENTRIES = 2**17
"""About how many entries the arrays of tangents along several directions have."""


def total_of(args: Sequence[Any]) -> int:
    """How many numbers the arguments have.

    >>> total_of((2.0, np.ones((2, 3))))
    7
    """
    return sum(np.size(x) for x in args)


def columns(push: Any, args: Sequence[Any], of: Callable[[Any], Any], like: Any = None) -> Any:
    """The tangents of `of(result)` along each unit vector of the arguments in order, as an array in which the
    vectors lie along the first axis; `like` is an array of that form, if it is not the result's part itself.

    Raises CannotPush where that cannot be done.
    """
    total = total_of(args)
    several = push.several() if total >= FEW else None
    if several is not None and total >= (MANY if several.has_numbers else FEW):
        try:
            return _at_once(several, args, of, like)
        except Exception:
            pass  # what the program raises comes again where it is run for one direction
    found = []
    for k in range(total):
        y, y_dot = push.run(one_of(args, k))
        found.append(_filled(y_dot, of, of(y) if like is None else like, ()))
    return np.stack(found)


def _at_once(several: Any, args: Sequence[Any], of: Callable[[Any], Any], like: Any) -> Any:
    total = total_of(args)
    width = max(1, ENTRIES // max(np.size(x) for x in args))
    found = []
    for start in range(0, total, width):
        count = min(width, total - start)
        y, y_dot = several.run(count, directions(args, start, count))
        found.append(_filled(y_dot, of, of(y) if like is None else like, (count,)))
    return found[0] if len(found) == 1 else np.concatenate(found)


def _filled(dots: Any, of: Callable[[Any], Any], like: Any, ahead: tuple[int, ...]) -> Any:
    """The tangents of a part of the result in the form of an array, zeros where there are none."""
    dot = None if dots is None else of(dots)
    shape, dtype = (*ahead, *np.shape(like)), np.asarray(like).dtype
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
    made = []
    for x in args:
        size = np.size(x)
        rows = np.zeros((count, size), dtype_of(x))
        first, last = max(start, 0), min(start + count, size)
        rows[np.arange(first, last) - start, np.arange(first, last)] = 1.0
        made.append(rows.reshape(count, *np.shape(x)))
        start -= size
    return made


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
