"""Tangents of what is taken, one by one, out of something that is walked over."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

import numpy as np

from zygpy.runtime.set_tangents import is_set_with_dot
from zygpy.runtime.subclasses import items_as
from zygpy.runtime.zeros import CannotPush, check_plain, zero_tangent


def items_of(dot: Any, value: Any) -> Any:
    """The tangents of what a loop, or an unpacking, gets out of something, in the same order.

    >>> items_of([0.5], [1.0]), items_of({"a": 1.0}, {"a": 2.0}), items_of(None, range(2))
    ([0.5], [None], [0.0, 0.0])

    Raises CannotPush where that is not known.
    """
    if type(dot) is BESIDE.get(items_as(value)):
        return dot
    if type(value) in (set, frozenset) and type(dot) is dict:
        if len(dot) != len(value):  # a method has changed it that nobody saw
            raise CannotPush
        return [dot[item] for item in value]
    if isinstance(value, dict | KEYS) and not any(isinstance(key, float | complex) for key in value):
        return [zero_tangent(key) for key in value]
    if isinstance(value, range | str):
        return [zero_tangent(item) for item in value]
    shown = type(value) in VALUES and type(dot) is type(value)
    if shown or (type(value) in ITEMS and type(dot) is PairTangents):
        return dot
    raise CannotPush


def has_items_beside(value: Any, dot: Any) -> bool:
    """Whether something gives its items without running any code, and the tangents of all are beside it.

    >>> has_items_beside([1.0], [0.5]), has_items_beside([1.0], []), has_items_beside({1.0}, {1.0: 0.0})
    (True, False, True)
    """
    cls: Any = items_as(value)
    if cls in (list, tuple, *VALUES) or (cls is np.ndarray and value.dtype.kind in "fc"):
        return type(dot) is cls and len(dot) == len(value)
    if cls in ITEMS:
        return type(dot) is PairTangents and len(dot) == len(value)
    return is_set_with_dot(value, dot) or cls in (range, str, dict, OrderedDict, KEYS)


def all_items_of(dot: Any, value: Any) -> Any:
    """The tangents of all items of something that is unpacked.

    >>> all_items_of([0.5], [1.0])
    [0.5]

    Raises CannotPush where a method that nobody saw may have changed it.
    """
    if dot is None and type(value) in (list, tuple):
        check_plain(*value)
        return [zero_tangent(item) for item in value]
    if not has_items_beside(value, dot):
        raise CannotPush
    return items_of(dot, value)


KEYS: Any = type(dict[Any, Any]().keys())


VALUES: Any = (type(dict[Any, Any]().values()), type(OrderedDict[Any, Any]().values()))
ITEMS: Any = (type(dict[Any, Any]().items()), type(OrderedDict[Any, Any]().items()))


class PairTangents:
    """The tangents of the pairs that `d.items()` shows, from those of the values: those of keys are zero.

    >>> list(PairTangents({"a": 2.0, 3: 1.0}))
    [(None, 2.0), (0.0, 1.0)]
    """

    def __init__(self, dots: Any) -> None:
        self.dots = dots

    def __iter__(self) -> Iterator[Any]:
        return PairSteps(self.dots.items())

    def __reversed__(self) -> Iterator[Any]:
        for key in reversed(self.dots):
            yield zero_tangent(key), self.dots[key]

    def __len__(self) -> int:
        return len(self.dots)


class PairSteps:
    """An iterator over such pairs."""

    def __init__(self, items: Any) -> None:
        self.items = iter(items)

    def __iter__(self) -> PairSteps:
        return self

    def __next__(self) -> tuple[Any, Any]:
        key, dot = next(self.items)
        return zero_tangent(key), dot


TEXTS = ("a", "\u03b1")
RANGES = (range(1), range(2**70))
"""One of each kind that Python has an iterator for."""

BESIDE: dict[type, type] = {
    **{cls: cls for cls in (list, tuple, np.ndarray)},
    **{type(found): type(found) for found in (iter([]), iter(()), iter(np.empty(0)), iter({}.values()))},
    **{
        type(found): type(iter([]))
        for found in (iter({}), iter(set()), *map(iter, TEXTS), *map(iter, RANGES))
    },
    type(iter({}.items())): PairSteps,
}
"""What gives items one by one, and what gives their tangents beside it."""


def check_steps(iterator: Any, dot: Any) -> None:
    """Leave it to reverse mode to take an item from an iterator if it is not known that the one over the
    tangents steps beside it.

    >>> check_steps(iter([1.0]), iter([0.5]))
    """
    if isinstance(iterator, list | tuple | np.ndarray) or type(dot) is not BESIDE.get(type(iterator)):
        raise CannotPush


def values_beside(dot: Any, given: dict[str, Any]) -> Any:
    """The tangents of the values of a dict, in its order.

    >>> values_beside({"b": 2.0, "a": 1.0}, {"a": 0.5, "b": 0.25})
    [1.0, 2.0]
    """
    return [dot[key] for key in given]
