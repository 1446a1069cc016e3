"""What stands for data where it is computed with: the elements of an array by its `flat`, ranges, and
members of enumerations that are numbers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from types import BuiltinFunctionType
from typing import Any

import numpy as np

from zygpy.analyse.array_writes import is_numpys
from zygpy.identity.calls import call
from zygpy.runtime.numbers import plain_number
from zygpy.runtime.object_arrays import holds_objects
from zygpy.runtime.places import FlatRead, Ignored
from zygpy.runtime.ways import Way


def is_flat(value: Any) -> bool:
    """Whether a value is the `flat` of an array of numbers."""
    return isinstance(value, np.flatiter) and not holds_objects(value.base)


def next_element(iterator: Any) -> tuple[Any, FlatRead]:
    """The element that comes next, which has its place by memory; StopIteration behind the last one."""
    place = iterator.index
    y = next(iterator)
    return y, FlatRead(iterator.base, place, y)


def by_function(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """An operator or a function of NumPy that is given such things; None for any other call."""
    if args and all(type(value) in TIMES for value in args) and not kwargs:
        return function(*args), Ignored(1 + len(args))
    of_numpy = is_numpys(function)
    if not (of_numpy or isinstance(function, BuiltinFunctionType)):
        return None
    given, reads = [plain_number(value) for value in args], {}
    for place, value in enumerate(args if of_numpy else ()):
        if is_flat(value):
            given[place], reads[place] = call(way, np.ravel, value.base)
        elif isinstance(value, range):
            given[place] = np.asarray(value)
    if all(one is another for one, another in zip(given, args, strict=True)):
        return None
    y, back = call(way, function, *given, **kwargs)
    return y, InRows(back, reads)


TIMES = (dt.date, dt.time, dt.datetime, dt.timedelta)
"""Classes that are not written in Python and are made of nothing that has a gradient."""


class InRows:
    """The pullback of a call that was given arrays in rows."""

    def __init__(self, back: Any, reads: Mapping[int, Callable[..., Any]]) -> None:
        self.back, self.reads = back, reads

    def __call__(self, y_bar: Any, store: Any) -> Any:
        bars = list(self.back(y_bar, store))
        for place, read in self.reads.items():
            read(bars[place + 1], store)
            bars[place + 1] = None
        return tuple(bars)
