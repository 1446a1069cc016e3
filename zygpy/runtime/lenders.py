"""What tells an array that a program is given from the same array, found by the name of a global variable."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias
from weakref import ref

import numpy as np

from zygpy.errors import UnsupportedSyntaxError

Array: TypeAlias = "np.ndarray[Any, Any]"

_merged: ContextVar[bool] = ContextVar("_merged", default=False)


@contextmanager
def merged() -> Iterator[None]:
    """Within, what an array is given by and what it is found by are one thing, as if it had changed."""
    token = _merged.set(True)
    try:
        yield
    finally:
        _merged.reset(token)


_calls: ContextVar[tuple[object, ...]] = ContextVar("_calls", default=())


@contextmanager
def lending(call: object) -> Iterator[None]:
    """Within, what the lenders of a call have lent is told apart; elsewhere it is a view like any other."""
    token = _calls.set((*_calls.get(), call))
    try:
        yield
    finally:
        _calls.reset(token)


class Lender:
    """What lends the memory of an array, `base`, to another one. That is given to a program which finds the
    first by the name of a global variable too: what comes in by the one name is told from what comes in by
    the other, unless something changes in the memory, which both names are for.

    >>> array = np.array([1.0, 2.0])
    >>> lender = Lender(array)
    >>> given = np.asarray(lender)
    >>> [np.shares_memory(given, array), given.base is lender, lender.is_apart()]
    [True, True, True]
    >>> array[0] = 5.0
    >>> [given.tolist(), lender.is_apart()]
    [[5.0, 2.0], False]
    """

    __slots__ = ("__array_interface__", "base", "before", "call", "is_told", "settled", "shown")

    def __init__(self, base: Array, call: object = None) -> None:
        self.__array_interface__ = base.__array_interface__
        self.call = call
        self.base, self.before = base, base.copy()
        self.is_told = False
        self.settled: bool | None = None
        self.shown: list[tuple[ref[Array], Array]] = []  # the arrays that are given, and what they stand for

    def is_apart(self) -> bool:
        """Whether nothing has changed in the memory, in the call that it is lent for."""
        if _merged.get() or (self.call is not None and self.call not in _calls.get()):
            return False
        if self.settled is not None:
            return self.settled
        same = np.array_equal(self.base, self.before, equal_nan=self.base.dtype.kind in "fc")
        self.is_told = self.is_told or same
        return same

    def settle(self) -> None:
        """The program has come to its end.

        Raises UnsupportedSyntaxError where something has changed after cotangents were found, by a gradient
        in the program.
        """
        is_told = self.is_told
        self.settled = self.is_apart()
        if is_told and not self.settled:
            raise changed_by_another_name()


def is_same(one: Any, other: Any) -> bool:
    """Whether `one is other`, where arrays may have been shown as others in the same memory.

    >>> array = np.array([1.0, 2.0])
    >>> is_same(array, array), is_same(array, array[:])
    (True, False)
    """
    if one is other:
        return True
    return type(one) is np.ndarray and type(other) is np.ndarray and _stands_for(one) is _stands_for(other)


def _stands_for(array: Array) -> Array:
    """What an array is shown for; itself if it is shown for none."""
    lender: Any = array.base
    while isinstance(lender, np.ndarray):
        lender = lender.base
    shown = lender.shown if isinstance(lender, Lender) else ()
    return next((given for known, given in shown if known() is array), array)


def changed_by_another_name() -> UnsupportedSyntaxError:
    """The refusal of a call that changes an array which it is given, and finds by another name."""
    return UnsupportedSyntaxError(
        "an array that is given as an argument is changed, or may have been, by another argument, or by a "
        "global or captured variable.",
        why="what is read by the other name is no part of the argument: the two were kept apart",
        instead="change it by one name only, or pass a copy",
    )
