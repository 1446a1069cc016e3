"""Which functions are known not to raise StopIteration, which would end what calls them."""

from __future__ import annotations

from collections import deque
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import numpy as np

from zygpy.runtime.lookup import is_among

MODULES = ("builtins", "math", "cmath", "_operator")
"""Modules whose builtin functions raise no StopIteration but those that ask iterators."""

ASKING = frozenset({"next", "__next__", "send", "throw"})
"""Names of what asks an iterator."""

STOPPING = ASKING | {"StopIteration"}
"""Names in functions that may end what calls them."""


METHODS = frozenset(
    {*vars(list), *vars(dict), *vars(set), "popleft", "appendleft", "sum", "dot", "reshape", "mean", "item"}
)
"""Methods by names that those of containers and arrays have."""


MAKING = frozenset({list, tuple, dict, set, frozenset, range, zip, enumerate, reversed, map, filter, slice})
"""Classes whose initialisers raise no StopIteration."""

CALLING = frozenset({np.apply_along_axis, np.apply_over_axes, np.piecewise})
"""Functions of NumPy that call what they are given."""

OF_NUMPY: frozenset[Any] = frozenset(
    {np.array, np.asarray, np.zeros, np.empty, np.arange, np.dot, np.where, np.concatenate}
)
"""Builtin functions of NumPy that are found by names."""


def is_harmless(called: Any) -> bool:
    """The same, see `never_stops`, of anything that is found by a name: methods of containers and classes,
    too."""
    if isinstance(called, np.ufunc) or is_among(called, MAKING):
        return True
    if isinstance(called, type(np.sum)):
        return not is_among(called, CALLING)
    if is_among(called, OF_NUMPY):
        return True
    if isinstance(called, BuiltinFunctionType) and type(called.__self__) in (list, dict, set, deque):
        return True
    if isinstance(called, type) and issubclass(called, BaseException):
        return called.__module__ == "builtins"
    if type(called) is type:
        makers = (getattr(called, name) for name in ("__new__", "__init__"))
        return all(never_stops(one) for one in makers if not _is_plain(one))
    return never_stops(called.__func__ if isinstance(called, MethodType) else called)


def _is_plain(maker: Any) -> bool:
    """Whether what makes or initialises objects is that of `object`."""
    return maker is object.__new__ or maker is vars(object)["__init__"]


def never_stops(function: Any) -> bool:
    """Whether a function is known not to raise StopIteration, which would end what calls it: one of Python's
    own, or one that asks no iterator, as the functions do not that it names.

    >>> never_stops(abs), never_stops(next), never_stops(lambda x: x), never_stops(lambda it: next(it))
    (True, False, True, False)
    """
    if isinstance(function, BuiltinFunctionType):
        return function.__module__ in MODULES and function.__name__ not in ASKING
    if not isinstance(function, FunctionType):
        return any(function is known for known in (int, float, complex, bool, str))
    return all(STOPPING.isdisjoint(one.__code__.co_names) for one in _named_by(function))


def _named_by(function: FunctionType) -> list[FunctionType]:
    """A function, and those that it names, or that these do."""
    found = [function]
    for one in found:
        named = [one.__globals__.get(name) for name in one.__code__.co_names]
        found += [other for other in named if isinstance(other, FunctionType) and other not in found]
    return found
