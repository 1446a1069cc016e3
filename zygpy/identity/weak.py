"""Weak references, and dicts that are only to be read: what they lead to is the thing itself, whose cotangent
is found by what it is."""

from __future__ import annotations

from collections.abc import Mapping
from types import BuiltinFunctionType, MappingProxyType
from typing import Any
from weakref import ReferenceType

from zygpy.identity.classes import python_method
from zygpy.runtime.places import Ignored
from zygpy.runtime.ways import Way


def by_function(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`weakref.ref(thing)`, also of a class going on from it, `reference()`, and `MappingProxyType(d)`; None
    for anything else."""
    if function is ReferenceType or function is MappingProxyType or _makes_one(function):
        return function(*args, **kwargs), Ignored(1 + len(args) + len(kwargs))
    if not isinstance(function, ReferenceType) or python_method(function, "__call__") is not None:
        return None
    return function(*args, **kwargs), Ignored(1 + len(args) + len(kwargs))


def _makes_one(function: Any) -> bool:
    """Whether a function is `weakref.ref.__new__`."""
    made_by = function.__self__ if isinstance(function, BuiltinFunctionType) else None
    return made_by is ReferenceType and function.__name__ == "__new__"
