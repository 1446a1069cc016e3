"""Tuples in the form of others: cotangents, tangents and copies of named tuples."""

from __future__ import annotations

from collections.abc import Iterable
from types import FunctionType
from typing import Any


def like_tuple(cls: type, items: Iterable[Any]) -> Any:
    """A named tuple of a class that holds these items; a plain one for any other class of tuples.

    It is made past a `__new__` of the class's own, which may take other arguments, or check and change them:
    the items of a cotangent are none that it knows.

    >>> from collections import namedtuple
    >>> class Interval(namedtuple("Interval", "low high")):
    ...     def __new__(cls, middle):
    ...         return super().__new__(cls, middle - 1, middle + 1)
    >>> like_tuple(Interval, [3.0, 2.0]), like_tuple(tuple, [1.0])
    (Interval(low=3.0, high=2.0), (1.0,))
    """
    if not hasattr(cls, "_fields"):
        return tuple(items)
    return tuple.__new__(cls, items) if has_own_new(cls) else cls(*items, **fields_beside(cls))


def fields_beside(cls: Any) -> dict[str, None]:
    """What results of SciPy that are tuples have beside their items, and has no derivatives."""
    made = getattr(cls, "__init__", None)
    written = isinstance(made, FunctionType) and is_of_record(made)
    return dict.fromkeys(cls._extra_fields) if written else {}


def has_own_new(cls: Any) -> bool:
    """Whether tuples of a class are made by a `__new__` that stands in a program.

    >>> from typing import NamedTuple
    >>> class Point(NamedTuple):
    ...     x: float
    >>> has_own_new(Point), has_own_new(tuple)
    (False, False)
    """
    return isinstance(cls.__new__, FunctionType) and not is_of_record(cls.__new__)


def is_of_record(new: FunctionType) -> bool:
    """Whether a `__new__` is that of `namedtuple`, which has no source."""
    return str(new.__globals__.get("__name__")).startswith("namedtuple_")


def in_a_row(*items: Any) -> Any:
    """The items of a named tuple that is made of them."""
    return items
