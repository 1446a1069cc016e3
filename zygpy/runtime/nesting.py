"""Arrays made of nested lists and tuples: the cotangent mirrors the nesting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from zygpy.errors import MissingRuleError
from zygpy.runtime.broadcast import Shape
from zygpy.runtime.indexing import float_dtype
from zygpy.runtime.lookup import makes_array
from zygpy.runtime.reductions import cast_back

Array = np.ndarray[Any, Any]


def nesting(x: Any) -> Any:
    """How lists and tuples are nested in x: (type, entries) for each, None for a leaf.

    >>> nesting([1.0, (2.0, 3.0)])
    (<class 'list'>, (None, (<class 'tuple'>, (None, None))))
    """
    if isinstance(x, list | tuple):
        return (tuple if isinstance(x, tuple) else list), tuple(nesting(one) for one in x)
    return None


def unnest(value: Any, structure: Any, dtype: Any = None) -> Any:
    """Cut an array's cotangent up as the nested sequence it was made of (leaves are views).

    `structure` is the `nesting` of the sequence, `dtype` what the array was cast to.

    >>> unnest(np.array([[1.0, 2.0]]), nesting([(5, 6)]))
    [(np.float64(1.0), np.float64(2.0))]
    """
    return _cut(cast_back(value, dtype), structure)


def as_rows(object: Any) -> Any:
    """The array of nested sequences of several sorts: lists, tuples, arrays.

    >>> as_rows([(1.0, 2.0), np.ones(2)])
    array([[1., 2.],
           [1., 1.]])
    """
    y = np.array(object)
    if y.dtype == np.object_:
        raise MissingRuleError(
            "There is no rule for an array of objects.",
            why="the rules are about numbers, arrays of numbers, and the containers of Python.",
            instead="make an array of numbers, or a list.",
        )
    return y


def if_regular(measure: Callable[[Any], Any], x: Any) -> Any:
    """What a function of NumPy measures; None of nested sequences that make no array, and of objects of
    classes in Python, which are not asked for items: there may be no end of these.

    >>> if_regular(np.shape, [1.0, 2.0]), if_regular(np.shape, [1.0, [2.0]])
    ((2,), None)
    """
    cls: Any = type(x)
    try:
        return measure(x) if makes_array(cls) else None
    except ValueError:
        return None


def _cut(value: Any, structure: Any) -> Any:
    if structure is None or value is None:
        return value
    kind, entries = structure
    return kind(_cut(value[place], entry) for place, entry in enumerate(entries))


def renest(parts: Any, shape: Shape, dtype: Any = None) -> Any:
    """The transpose of `unnest` to an array of this shape: symbolic zeros become zeros."""
    if not isinstance(parts, list | tuple):
        return cast_back(parts, dtype)
    result = np.zeros(shape, float_dtype(*_leaves(parts)))
    _fill(result, parts)
    return cast_back(result, dtype)


def shape_of_array(x: Any) -> Shape | None:
    """The shape of an array, None of lists and of symbolic zeros."""
    return x.shape if isinstance(x, np.ndarray) else None


def in_one_array(parts: Any, shape: Shape | None) -> Any:
    """The cotangents of items as that of the array of this shape in which they were, if they were in one.

    >>> in_one_array([1.0, None], (2,)).tolist(), in_one_array([1.0, None], None)
    ([1.0, 0.0], [1.0, None])
    """
    return parts if shape is None or parts is None else renest(parts, shape)


def _leaves(parts: Any) -> list[Any]:
    if not isinstance(parts, list | tuple):
        return [] if parts is None else [parts]
    return [leaf for part in parts for leaf in _leaves(part)] or [0.0]


def _fill(result: Array, parts: Any) -> None:
    for place, part in enumerate(parts):
        if isinstance(part, list | tuple):
            _fill(result[place], part)
        elif part is not None:
            result[place] = part
