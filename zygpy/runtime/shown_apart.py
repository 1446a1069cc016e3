"""Arrays that a program is given twice, or finds by the name of a global variable too, as arrays of their own
in the same memory, so that what comes in by the one name is told from what comes in by the other."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias
from weakref import ref

import numpy as np

from zygpy.runtime.harmless import PLAIN
from zygpy.runtime.lenders import Lender, changed_by_another_name, lending, merged
from zygpy.runtime.memory import base_of
from zygpy.runtime.named_tuples import like_tuple

Array: TypeAlias = "np.ndarray[Any, Any]"


class ShownApart:
    """Values of a call, `values`, with other arrays in the same memory for those that own it or lie in it,
    one for each that is given.

    >>> array = np.array([1.0, 2.0, 3.0])
    >>> shown = ShownApart([array, 2.0, array[::-1]])
    >>> [shown.values[0] is array, np.shares_memory(shown.values[0], array), shown.values[2].tolist()]
    [False, True, [3.0, 2.0, 1.0]]
    >>> shown.values[2][0] = 5.0
    >>> [array.tolist(), shown.as_given(shown.values[0]) is array]
    [[1.0, 2.0, 5.0], True]
    """

    def __init__(self, values: Iterable[Any]) -> None:
        self.lenders: list[Lender] = []
        self.given = list(values)
        self.values = [self._shown(value) for value in self.given]

    def settle(self) -> None:
        """The program has come to its end: what changed is one thing with what it found by another name."""
        for lender in self.lenders:
            lender.settle()

    def nothing_changed(self) -> bool:
        """Whether all of them are as they were; what was written there may have been what it was."""
        return all(lender.settled for lender in self.lenders)

    def as_given(self, value: Any) -> Any:
        """A result, or what is given, with what was given in place of what was shown for it: in lists, dicts
        and objects too, which the program has finished with."""
        return self._as_given(value, set())

    def _as_given(self, value: Any, seen: set[int]) -> Any:
        if isinstance(value, np.ndarray):
            pairs = zip(self.values, self.given, strict=True)
            return next((given for shown, given in pairs if shown is value), value)
        if isinstance(value, tuple):
            items = [self._as_given(item, seen) for item in value]
            same = all(map(operator.is_, items, value))
            return value if same else like_tuple(type(value), items)
        if isinstance(value, PLAIN) or id(value) in seen or len(seen) >= MANY:
            return value
        seen.add(id(value))
        for held in (value, getattr(value, "__dict__", None)):
            self._put_back(held, seen)
        return value

    def _put_back(self, held: Any, seen: set[int]) -> None:
        """Have what was given in the places of a list or dict."""
        if type(held) in (list, dict):
            for key, item in list(enumerate(held) if type(held) is list else held.items()):
                given = self._as_given(item, seen)
                if given is not item:
                    held[key] = given

    def _shown(self, value: Any) -> Any:
        if type(value) is not np.ndarray or value.dtype.kind not in NUMBERS:
            return value
        base = base_of(value)
        if type(base) is not np.ndarray or base.base is not None or not base.flags.forc:
            return value  # the memory is not in one piece that is an array's
        lender = Lender(base, self)
        self.lenders.append(lender)
        offset = _address(value) - _address(base)
        found: Array = np.ndarray(value.shape, value.dtype, np.asarray(lender), offset, value.strides)
        found.flags.writeable = value.flags.writeable
        lender.shown.append((ref(found), value))
        return found


NUMBERS = "fciub"

MANY = 10_000
"""So many lists, dicts and objects are looked through."""


@dataclass(frozen=True, slots=True, eq=False)
class Lent:
    """The pullback of a call that was shown arrays apart."""

    back: Callable[..., tuple[Any, ...]]
    shown: ShownApart

    def __call__(self, y_bar: Any, *cells: Any) -> tuple[Any, ...]:
        with lending(self.shown):
            return self.back(y_bar, *cells)


@dataclass(frozen=True, slots=True, eq=False)
class EitherWay:
    """The pullback of a call that may have written to what it is given: what it found there before.

    Raises UnsupportedSyntaxError where the gradient depends on whether it has.
    """

    back: Callable[..., tuple[Any, ...]]

    def __call__(self, y_bar: Any, *cells: Any) -> tuple[Any, ...]:
        with merged():
            other = self.back(y_bar)
        bars = self.back(y_bar, *cells)
        for bar, one in zip(bars, other, strict=True):
            if _differ(bar, one):
                raise changed_by_another_name()
        return bars


def _differ(bar: Any, other: Any) -> bool:
    """Whether the cotangents of an array are not the same; None is zero."""
    if bar is None or other is None:
        array = other if bar is None else bar
        return isinstance(array, np.ndarray) and bool(np.any(array))
    return isinstance(bar, np.ndarray) and not np.array_equal(bar, other, equal_nan=True)


def _address(array: Array) -> int:
    address: int = array.__array_interface__["data"][0]
    return address
