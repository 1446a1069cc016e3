"""Attributes that `__getattr__` gives because what the class has by their names gives none: a property, or
another descriptor in Python, that raises AttributeError; a slot that is empty."""

from __future__ import annotations

from types import FunctionType
from typing import Any, NamedTuple

from zygpy.runtime.lookup import in_class

RECEIVER = 2
"""Where the object is among the arguments of the two programs."""


def got_or_given(getter: Any, fallback: Any, value: Any, name: str) -> Any:
    """What a property gives, or `__getattr__`."""
    try:
        return getter(value)
    except AttributeError:
        pass
    return fallback(value, name)


def described_or_given(getter: Any, fallback: Any, value: Any, name: str, described: Any, cls: Any) -> Any:
    """What another descriptor gives, or `__getattr__`."""
    try:
        return getter(described, value, cls)
    except AttributeError:
        pass
    return fallback(value, name)


class Reading(NamedTuple):
    """The function that gives an attribute, what it is called with, and where the object is among that."""

    function: Any
    args: tuple[Any, ...]
    place: int


def by_property(getter: Any, fallback: Any, value: Any, name: str) -> Reading:
    """How a property of an object is read; `fallback` is what its class asks next, None if nothing."""
    if fallback is None:
        return Reading(getter, (value,), 0)
    return Reading(got_or_given, (getter, fallback, value, name), RECEIVER)


def by_descriptor(getter: Any, fallback: Any, value: Any, name: str, described: Any) -> Reading:
    """The same of another descriptor in Python."""
    cls = type(value)
    if fallback is None:
        return Reading(getter, (described, value, cls), 1)
    return Reading(described_or_given, (getter, fallback, value, name, described, cls), RECEIVER)


def has_nothing(value: Any, found: Any) -> bool:
    """Whether what the class of an object has by a name, which is not written in Python, gives nothing.

    >>> class Pair:
    ...     __slots__ = ("x", "y")
    >>> pair = Pair()
    >>> pair.x = 1.0
    >>> has_nothing(pair, Pair.x), has_nothing(pair, Pair.y), has_nothing(pair, 2.0)
    (False, True, False)
    """
    getter = in_class(type(found), "__get__", None)
    if getter is None or isinstance(getter, FunctionType) or isinstance(found, property | FunctionType):
        return False
    try:
        getter(found, value, type(value))
    except AttributeError:
        return True
    return False
