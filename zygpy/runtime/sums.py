"""Sums of items of which it is found when they are added what they are."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from zygpy.runtime.zeros import NUMBERS, CannotPush, are_numbers


def check_summed(things: Any, start: Any = 0) -> None:
    """Leave it to reverse mode to add up anything but numbers and arrays, or lists, or tuples.

    >>> check_summed([1.0, np.ones(2)]), check_summed(([1.0], [2.0]), []), check_summed(iter([1.0]))
    (None, None, None)
    """
    items = _looked_at(things)
    if type(start) in (list, tuple):
        if not all(type(item) is type(start) for item in items):
            raise CannotPush
    elif not are_numbers(start, *items):
        raise CannotPush


def adds_numbers(dot: Any, things: Any) -> bool:
    """Whether something is surely a list, a tuple or an array of numbers, with a tangent of its form.

    >>> adds_numbers([0.5], [1.0]), adds_numbers(None, [1.0]), adds_numbers({"a": 1.0}, {"a": 0.5})
    (True, False, False)
    """
    if type(dot) is not type(things) or type(things) not in (list, tuple, np.ndarray):
        return False
    if type(things) is np.ndarray:
        return are_numbers(things)
    return all(type(item) in NUMBERS or type(item) is bool for item in things)


def _looked_at(things: Any) -> Any:
    """The items of something, which stay in it.

    Raises CannotPush where that may run code.
    """
    if type(things) in STEPS:
        return list(copy.copy(things))
    if type(things) not in HOLDING:
        raise CannotPush
    return things


STEPS: tuple[type, ...] = (type(iter([])), type(iter(())))

HOLDING = (list, tuple, range, np.ndarray, type(dict[Any, Any]().values()))
