"""What tangents are made of at run time: zeros, directions in the form of arguments, and results."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from fractions import Fraction
from types import CellType
from typing import Any

import numpy as np
from numpy import ndarray

from zygpy.runtime.broadcast import axes_of
from zygpy.runtime.lookup import own_things
from zygpy.runtime.memory import base_of
from zygpy.runtime.named_tuples import like_tuple
from zygpy.runtime.project import zero_like
from zygpy.runtime.records import Record
from zygpy.runtime.zeros import CannotPush, Partner, has_partner, zero_array, zero_tangent

DOUBLE = np.dtype(np.float64)


def any_seed(y: Any) -> Any:
    """A cotangent of a value that is special in no way: what is linear has the same derivative everywhere,
    but may ask whether there is anything but zeros.

    >>> any_seed(1.0), any_seed((2j, np.ones(1, np.float32)))
    (0.75, ((0.75+0.5j), array([0.5403023], dtype=float32)))
    """
    if isinstance(y, np.ndarray):
        places = np.arange(1.0, 1.0 + y.size).reshape(y.shape)
        if y.dtype.kind == "c":
            return (np.cos(places) + 1j * np.sin(2.0 * places)).astype(y.dtype)
        return np.cos(places).astype(y.dtype if y.dtype.kind == "f" else float)
    if isinstance(y, tuple):
        return tuple(any_seed(item) for item in y)
    if isinstance(y, list):
        return [any_seed(item) for item in y]
    if isinstance(y, complex | np.complexfloating):
        return 0.75 + 0.5j
    return 0.75 if zero_tangent(y) is not None else None


def zeros_each(value: Any, count: int) -> Any:
    """Tangents of zeros for several directions, which lie along the first axis.

    >>> zeros_each((1.0, np.ones(2)), 2)
    (array([0., 0.]), array([[0., 0.],
           [0., 0.]]))

    Raises CannotPush where that would have parts that share their memory, or are one thing.
    """
    return _zeros_each(value, count, set())


def _zeros_each(value: Any, count: int, met: set[int]) -> Any:
    if isinstance(value, np.ndarray):
        _meet(base_of(value), met)
        return np.zeros((count, *value.shape), value.dtype if value.dtype.kind in "fc" else float)
    if isinstance(value, tuple):
        parts = [_zeros_each(item, count, met) for item in value]
        return like_tuple(type(value), parts)
    if isinstance(value, list | dict) or has_partner(value):
        _meet(value, met)
    if isinstance(value, list):
        return [_zeros_each(item, count, met) for item in value]
    if isinstance(value, dict):
        return {key: _zeros_each(item, count, met) for key, item in value.items()}
    if has_partner(value) or isinstance(value, CellType):
        raise CannotPush
    return None if zero_like(value) is None else np.zeros(count, complex if np.iscomplexobj(value) else float)


def _meet(value: Any, met: set[int]) -> None:
    """Refuse what was met before."""
    if id(value) in met:
        raise CannotPush
    met.add(id(value))


def in_form_each(value: Any, y: Any, count: int) -> Any:
    """Tangents along several directions in the shape and dtype of those of an array.

    >>> in_form_each(np.array([[1.0], [2.0]]), np.ones(3), 2).tolist()
    [[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]
    """
    made = np.empty((count, *np.shape(y)), y.dtype if y.dtype.kind in "fc" else float)
    made[...] = value
    return made


def reshaped_each(value: Any, y: Any) -> Any:
    """Tangents along several directions in another shape, that of a value.

    >>> reshaped_each(np.ones((2, 6)), np.ones((2, 3))).shape
    (2, 2, 3)
    """
    return np.reshape(value, (len(value), *np.shape(y)))


def stacked_each(dots: list[Any], y: Any) -> Any:
    """Tangents of a value along several directions, put together along the first axis.

    >>> stacked_each([np.ones(2), np.zeros(2)], np.ones((2, 2))).tolist()
    [[[1.0, 1.0], [1.0, 1.0]], [[0.0, 0.0], [0.0, 0.0]]]
    """
    stacked = np.stack(dots)
    if stacked.shape[1:] == np.shape(y):
        return stacked
    return np.stack([np.broadcast_to(dot, np.shape(y)) for dot in dots])


def spread_each(value: Any, y: Any, axis: Any, keepdims: bool) -> Any:
    """`unreduce` of tangents along several directions to the shape of a value.

    >>> spread_each(np.array([[1.0, 2.0]]), np.ones((2, 3)), 1, False).tolist()
    [[[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]]
    """
    lengths = np.shape(y)
    count, shape = len(value), (len(value), *lengths)
    if axis is not None and not keepdims:
        reduced = axes_of(axis, len(lengths))
        kept = [1 if place in reduced else length for place, length in enumerate(lengths)]
        value = np.reshape(value, (count, *kept))
    elif np.ndim(value) != len(shape):
        if np.size(value) != count:
            raise CannotPush
        value = np.reshape(value, (count, *(1,) * len(lengths)))
    return np.broadcast_to(value, shape)


def reduced_each(value: Any, y: Any) -> Any:
    """`unbroadcast` of tangents along several directions to the shape of a value.

    >>> reduced_each(np.ones((2, 4, 3)), np.ones((1, 3))).tolist()
    [[[4.0, 4.0, 4.0]], [[4.0, 4.0, 4.0]]]
    """
    lengths = np.shape(y)
    more = np.ndim(value) - 1 - len(lengths)
    if more < 0:
        raise CannotPush
    if more:
        value = np.sum(value, axis=tuple(range(1, 1 + more)))
    ones = [k for k, length in enumerate(lengths, 1) if length == 1 and value.shape[k] != 1]
    if ones:
        value = np.sum(value, axis=tuple(ones), keepdims=True)
    if value.shape[1:] != lengths:
        raise CannotPush
    return value


def unit_vectors(length: int, start: int = 0, count: int | None = None) -> np.ndarray[Any, Any]:
    """The unit vectors of a space, or so many from one of them on, along the first axis; not to be changed.

    >>> unit_vectors(2).tolist(), unit_vectors(3, 1, 1).tolist(), unit_vectors(2) is unit_vectors(2)
    ([[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0, 0.0]], True)
    """
    key = length, start, length if count is None else count
    made = UNITS.get(key)
    if made is None:
        made = np.eye(key[2], length, start)
        made.flags.writeable = False
        if len(UNITS) >= UNITS_KEPT or made.size + sum([kept.size for kept in UNITS.values()]) > ENTRIES_KEPT:
            UNITS.clear()
            STARTS.clear()
        STARTS[id(made)] = made, start
        UNITS[key] = made
    return made


UNITS: dict[tuple[int, int, int], np.ndarray[Any, Any]] = {}
"""The unit vectors that were asked for last."""

STARTS: dict[int, tuple[np.ndarray[Any, Any], int]] = {}
"""The same by identity, and which of its space is the first of them."""

UNITS_KEPT, ENTRIES_KEPT = 32, 2**19
"""So many at most, and with so many entries, unless the last ones alone have more."""


def through_matrix(dots: np.ndarray[Any, Any], matrix: np.ndarray[Any, Any], copied: bool = True) -> Any:
    """`dots @ matrix`, which is a part of the matrix if these are unit vectors; it may be a view of it unless
    it is to be copied.

    >>> through_matrix(unit_vectors(2, 1, 1), np.array([[1.0, 2.0], [3.0, 4.0]])).tolist()
    [[3.0, 4.0]]
    """
    known = STARTS.get(id(dots))
    if known is None or known[0] is not dots or type(matrix) is not np.ndarray:
        return dots @ matrix
    if matrix.dtype is not DOUBLE or len(matrix) != dots.shape[1]:
        return dots @ matrix
    part = matrix if len(dots) == len(matrix) else matrix[known[1] : known[1] + len(dots)]
    return np.array(part) if copied else part


def added_product(total: Any, factor: Any, dots: np.ndarray[Any, Any]) -> Any:
    """`total + factor * dots`, which changes a diagonal of `total` if these are unit vectors; nobody else has
    `total`.

    >>> added_product(np.ones((2, 2)), np.array([1.0, 2.0]), unit_vectors(2)).tolist()
    [[2.0, 1.0], [1.0, 3.0]]
    """
    known = STARTS.get(id(dots))
    if known is None or known[0] is not dots or type(total) is not ndarray or type(factor) is not ndarray:
        return total + factor * dots
    if total.dtype is not DOUBLE or factor.dtype is not DOUBLE:
        return total + factor * dots
    count, length = shape = dots.shape
    if total.shape != shape or factor.shape != (length,) or not total.flags.forc:
        return total + factor * dots
    if count == length:
        diagonal = total.ravel("K")[:: count + 1]
        diagonal += factor
    elif total.flags.c_contiguous:
        total.reshape(-1)[known[1] :: length + 1] += factor[known[1] : known[1] + count]
    else:
        diagonal = total.T.reshape(-1)[known[1] * count :: count + 1][:count]
        diagonal += factor[known[1] : known[1] + count]
    return total


def is_tangent_each(dot: Any, value: Any, count: int) -> bool:
    """Whether tangents along several directions have the form of those of a value.

    >>> is_tangent_each((np.ones((2, 3)), None), (np.ones(3), "text"), 2), is_tangent_each(1.0, 1.0, 1)
    (True, False)
    """
    if type(value) is np.ndarray is type(dot):
        return bool(dot.shape == (count, *value.shape) and (dot.dtype is DOUBLE or dot.dtype.kind != "O"))
    if isinstance(value, tuple | list):
        parts = zip(dot, value, strict=False) if isinstance(dot, tuple | list) else ()
        return dot is None or (
            len(dot) == len(value) and all(is_tangent_each(part, item, count) for part, item in parts)
        )
    if isinstance(value, dict):
        return dot is None or all(is_tangent_each(dot.get(key), value[key], count) for key in value)
    if not isinstance(value, int | float | complex | np.generic | np.ndarray):
        return True
    return dot is None or (np.shape(dot) == (count, *np.shape(value)) and np.asarray(dot).dtype.kind != "O")


def in_form(value: Any, y: Any) -> Any:
    """A tangent in the shape and dtype of an array that it is the tangent of; one of a number as it is, real
    if that is real.

    >>> in_form(2.0, np.ones(2)), in_form(2.0 + 1.0j, 1.5)
    (array([2., 2.]), 2.0)
    """
    if isinstance(value, complex | np.complexfloating | np.ndarray) and np.iscomplexobj(value):
        value = value if np.iscomplexobj(y) else value.real
    if not isinstance(y, np.ndarray):
        return value
    return np.full(y.shape, value, y.dtype if y.dtype.kind in "fc" else float)


def alike(y_dot: Any, y: Any, x_dot: Any, x: Any) -> Any:
    """A tangent of what may be a view, which has to be one exactly where that is.

    Raises CannotPush where it is not, and for what are no numbers, arrays of numbers, or tuples of numbers.
    """
    if is_unchangeable(y, y_dot):
        return y_dot
    if type(y) is dict and is_dict_alike(y_dot, y, x_dot, x):
        return y_dot
    if not all(map(_is_of_numbers, (y_dot, y, x_dot, x))):
        raise CannotPush
    if np.may_share_memory(y_dot, x_dot) != np.may_share_memory(y, x):
        raise CannotPush
    return y_dot


def is_unchangeable(y: Any, y_dot: Any) -> bool:
    """Whether something is None, a number, or a tuple of such, with a tangent of its form: there is no memory
    that could be written to by another name.

    >>> is_unchangeable((None, 1.0), (0.0, 2.0)), is_unchangeable([1.0], [2.0]), is_unchangeable(1.0, None)
    (True, False, False)
    """
    if type(y) is tuple:
        same = type(y_dot) is tuple and len(y_dot) == len(y)
        return same and all(map(is_unchangeable, y, y_dot))
    return y is None or (type(y) in SCALARS and type(y_dot) in SCALARS)


SCALARS = (float, int, bool, complex, np.float64)
"""Classes of numbers."""


def is_dict_alike(y_dot: Any, y: Any, x_dot: Any, x: Any) -> bool:
    """Whether it is a dict of what cannot be changed, whose tangent is another dict's exactly where it is
    that dict itself."""
    if type(y_dot) is not dict or (y is x) != (y_dot is x_dot):
        return False
    return all(is_unchangeable(value, y_dot.get(key, 0.0)) for key, value in y.items())


def _is_of_numbers(value: Any) -> bool:
    """Whether it is a number, or an array of numbers."""
    array = isinstance(value, np.ndarray) and value.dtype.kind != "O"
    return array or isinstance(value, int | float | complex | np.generic)


def direction_of(tangent: Any, value: Any) -> Any:
    """What a user gives as the tangent of an argument, as one that may be computed with: a copy.

    >>> direction_of((1, [2.0]), (3.0, [4.0])), direction_of(None, np.ones(2))
    ((1.0, [2.0]), array([0., 0.]))
    """
    if type(value) is np.ndarray is type(tangent) and _are_plain(tangent, value):
        return tangent.copy()
    if tangent is None:
        return zero_tangent(value)
    if isinstance(value, tuple | list):
        return _direction_of_items(tangent, value)
    if isinstance(value, dict):
        return {key: direction_of(tangent.get(key), item) for key, item in value.items()}
    if has_partner(value):
        return _direction_of_object(tangent, value)
    if isinstance(value, bool | np.bool_) or not isinstance(
        value, int | float | complex | np.generic | np.ndarray
    ):
        return _direction_of_other(tangent, value)
    if np.shape(tangent) != np.shape(value) or (np.iscomplexobj(tangent) and not np.iscomplexobj(value)):
        raise CannotPush
    return _direction_of_number(tangent, value)


def _are_plain(tangent: Any, value: Any) -> bool:
    """Whether both are arrays of doubles of one shape that lie in order."""
    plain = tangent.dtype is DOUBLE is value.dtype and tangent.shape == value.shape
    return bool(plain and tangent.flags.c_contiguous and value.flags.c_contiguous)


def _direction_of_items(tangent: Any, value: Any) -> Any:
    if len(tangent) != len(value):
        raise CannotPush
    parts = [direction_of(part, item) for part, item in zip(tangent, value, strict=True)]
    if isinstance(value, list):
        return parts
    return like_tuple(type(value), parts)


def _direction_of_object(tangent: Any, value: Any) -> Partner:
    """The partner of an object, from a dict or `Record` by field, or another object of its class."""
    _check_apart(value, set())
    if isinstance(tangent, Record):
        tangent = tangent._asdict()
    held = own_things(value)
    fields = own_things(tangent) if type(tangent) is type(value) else tangent
    if not isinstance(fields, dict) or not fields.keys() <= held.keys():
        raise CannotPush
    made = Partner()
    for name, item in held.items():
        setattr(made, name, direction_of(fields.get(name), item))
    return made


def is_apart(value: Any) -> bool:
    """Whether all that can be changed in a value is found in one way, and is of a class whose tangents are
    changed as it is.

    >>> row = [1.0]
    >>> is_apart((row, {"a": np.ones(2)})), is_apart((row, row)), is_apart((row, {1.0}))
    (True, False, False)
    """
    try:
        _check_apart(value, set())
    except CannotPush:
        return False
    return _follows(value)


def _follows(value: Any) -> bool:
    """Whether a value is a number, an array of numbers, an object, a tuple, list or dict; and all in it."""
    if isinstance(value, np.ndarray):
        return bool(value.dtype.kind in "fciub")
    plain = isinstance(value, int | float | complex | np.generic | str | bytes | None) or type(value) in ITEMS
    known = plain or isinstance(value, tuple) or (has_partner(value) and not isinstance(value, HOLDING))
    return known and all(map(_follows, _items_of(value)))


ITEMS = (list, dict)
"""Classes whose tangents are of the same class."""

HOLDING = (list, dict, set, deque)
"""Classes of Python's own with items, whose subclasses may have fields too."""


def _check_apart(value: Any, met: set[int]) -> None:
    """Refuse what can be reached in two ways, as it would have two tangents."""
    if isinstance(value, np.ndarray):
        _meet(base_of(value), met)
        return
    if isinstance(value, list | dict) or has_partner(value):
        _meet(value, met)
    for item in _items_of(value):
        _check_apart(item, met)


def _items_of(value: Any) -> Iterable[Any]:
    """What is directly in a value."""
    if isinstance(value, list | tuple):
        return value
    if isinstance(value, dict):
        return value.values()
    return own_things(value).values() if has_partner(value) else ()


def _direction_of_other(tangent: Any, value: Any) -> Any:
    """That of a fraction, and of what has none; what functions carry, and sets, are known in reverse mode."""
    if isinstance(value, Fraction):
        return Fraction(tangent)
    if not isinstance(value, bool | np.bool_ | str | bytes):
        raise CannotPush
    return None


def _direction_of_number(tangent: Any, value: Any) -> Any:
    if isinstance(value, np.ndarray):
        made = zero_array(value)
        made[...] = tangent
        return made
    if isinstance(value, np.generic):
        return value.dtype.type(tangent) if value.dtype.kind in "fc" else float(tangent)
    return complex(tangent) if isinstance(value, complex) else float(tangent)


def finished(y_dot: Any, y: Any) -> Any:
    """The tangent of a result in the type that `pushforward` returns.

    >>> finished(np.float64(2.0), 1.0), finished(None, np.ones(2))
    (2.0, array([0., 0.]))
    """
    if isinstance(y, np.ndarray):
        return in_form(0.0 if y_dot is None else y_dot, y)
    if isinstance(y, Fraction):
        return Fraction(0) if y_dot is None else y_dot
    if y_dot is None:
        return 0j if np.iscomplexobj(y) else 0.0
    return complex(y_dot) if np.iscomplexobj(y) else float(y_dot)
