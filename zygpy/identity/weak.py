"""Weak references, and dicts that are only to be read: what they lead to is the thing itself, whose cotangent
is found by what it is."""

from __future__ import annotations

from collections.abc import Mapping
from types import BuiltinFunctionType, MappingProxyType, MethodWrapperType
from typing import Any
from weakref import ReferenceType

from zygpy.identity.classes import python_method
from zygpy.runtime.places import Ignored
from zygpy.runtime.ways import Way


def by_function(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`weakref.ref(thing)`, also of a class going on from it, `reference()`, and `MappingProxyType(d)`; None
    for anything else."""
    if function is MappingProxyType:
        return function(*args, **kwargs), Ignored(1 + len(args) + len(kwargs))
    if _begins_one(function):
        return None, Ignored(1 + len(args))
    if _is_class_of_them(function) or _makes_one(function):
        y = function(*args, **kwargs)
        return y, Referring(y, int(not isinstance(function, type)), len(args) + len(kwargs))
    if not isinstance(function, ReferenceType) or python_method(function, "__call__") is not None:
        return None
    return function(*args, **kwargs), Led(function)


class Led:
    """The pullback of `reference()`: what a function carries belongs to whoever referred to it."""

    def __init__(self, reference: Any) -> None:
        self.reference = reference

    def __call__(self, y_bar: Any, store: Any) -> Any:
        store.add_key(self.reference, REFERENT, store.add(self.reference(), y_bar))
        return (None,)


class Referring:
    """The pullback of `weakref.ref(thing)`."""

    def __init__(self, reference: Any, place: int, count: int) -> None:
        self.reference, self.place, self.count = reference, place, count

    def __call__(self, y_bar: Any, store: Any) -> Any:
        bars = [None] * (1 + self.count)
        bars[1 + self.place] = store.take_key(self.reference, REFERENT)
        return tuple(bars)


REFERENT = "()"
"""The place of what a reference leads to, among the names of its own fields."""


def _is_class_of_them(function: Any) -> bool:
    """Whether a callable is `weakref.ref`, or a class going on from it by which one is made like that."""
    if not (isinstance(function, type) and issubclass(function, ReferenceType)):
        return False
    return function.__new__ is ReferenceType.__new__ and function.__init__ is ReferenceType.__init__


def _begins_one(function: Any) -> bool:
    """Whether a function is `weakref.ref.__init__` of a reference, which has nothing left to do."""
    owner = function.__self__ if type(function) is MethodWrapperType else None
    return isinstance(owner, ReferenceType) and function.__name__ == "__init__"


def _makes_one(function: Any) -> bool:
    """Whether a function is `weakref.ref.__new__`."""
    made_by = function.__self__ if isinstance(function, BuiltinFunctionType) else None
    return made_by is ReferenceType and function.__name__ == "__new__"
