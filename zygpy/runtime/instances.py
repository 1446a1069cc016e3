"""Methods of particular objects, such as ufuncs or the distributions of `scipy.stats`, that have rules of
their own."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import BuiltinFunctionType
from typing import Any, NamedTuple

import numpy as np


class OfInstances(NamedTuple):
    """What stands for a method of objects that are like this one: of its very class, with
    equal attributes."""

    function: Callable[..., Any]
    instance: Any
    attributes: tuple[str, ...]

    def fits(self, value: Any) -> bool:
        """Whether the function does what the method of this object does."""
        if value is self.instance:
            return True
        return all(_same(getattr(value, name), getattr(self.instance, name)) for name in self.attributes)


def _same(one: Any, other: Any) -> bool:
    return bool(one == other or (one != one and other != other))


INSTANCES: dict[tuple[type, str], OfInstances] = {}
"""The functions by class and name of the method."""


OF_UFUNCS = frozenset({"accumulate", "outer", "reduce", "reduceat"})
"""Methods of ufuncs that change nothing."""


@functools.cache
def _method_of_ufunc(ufunc: np.ufunc, name: str) -> Any:
    return getattr(ufunc, name)


def the_same(function: Any) -> Any:
    """One object for all that NumPy gives as the same method of a ufunc; any other function as it is.

    >>> the_same(np.add.outer) is the_same(np.add.outer), the_same(len) is len
    (True, True)
    """
    owner = function.__self__ if type(function) is BuiltinFunctionType else None
    known = isinstance(owner, np.ufunc) and function.__name__ in OF_UFUNCS
    return _method_of_ufunc(owner, function.__name__) if known else function


def method_of(value: Any, name: str) -> Callable[..., Any] | None:
    """The function that has the rule of a method of an object; None where there is none."""
    if isinstance(value, np.ufunc):
        of_ufunc: Callable[..., Any] | None = _method_of_ufunc(value, name) if name in OF_UFUNCS else None
        return of_ufunc
    found = INSTANCES.get((type(value), name))
    return found.function if found is not None and found.fits(value) else None
