"""Attributes that code gives, beside those that are stored under their names."""

from __future__ import annotations

import functools
from types import FunctionType
from typing import Any, NamedTuple

from zygpy.runtime.lookup import in_class, own_fields
from zygpy.runtime.otherwise_given import by_descriptor, by_property, has_nothing


class Getter(NamedTuple):
    """A function that gives an attribute, what it is called with, and which of that is the object."""

    function: Any
    args: tuple[Any, ...]
    place: int = 0


def getter_of(value: Any, name: str) -> Getter | None:
    """What gives an attribute of an object; None where it is stored, or its class says nothing about it.

    >>> class Doubled:
    ...     def __getattr__(self, name): return 2.0
    ...     third = property(lambda self: 3.0)
    >>> thing = Doubled()
    >>> thing.own = 1.0
    >>> [getter and getter.args for getter in (getter_of(thing, "own"), getter_of(thing, "other"))]
    [None, (<zygpy.runtime.computed.Doubled object at 0x...>, 'other')]
    """
    cls = type(value)
    found = in_class(cls, name, None)
    if isinstance(found, property):
        return None if found.fget is None else Getter(*by_property(found.fget, _asked_next(cls), value, name))
    own = name in own_fields(value)
    if found is None:
        fallback = None if own else _asked_next(cls)
        return None if fallback is None else Getter(fallback, (value, name))
    getter = in_class(type(found), "__get__", None)
    if isinstance(getter, FunctionType) and (not own or hasattr(type(found), "__set__")):
        return Getter(*by_descriptor(getter, _asked_next(cls), value, name, found))
    if _asked_next(cls) is not None and (not own or hasattr(type(found), "__set__")):
        return Getter(_asked_next(cls), (value, name)) if has_nothing(value, found) else None
    return None


def _asked_next(cls: type) -> Any:
    """The `__getattr__` in Python of a class, None if it has none."""
    asked = in_class(cls, "__getattr__", None)
    return asked if isinstance(asked, FunctionType) else None


def is_cached(value: Any, name: str) -> bool:
    """Whether an attribute is computed now, and kept by the object under its name."""
    found = in_class(type(value), name, None)
    return isinstance(found, functools.cached_property) and name not in own_fields(value)


def gives_by_code(cls: type) -> bool:
    """Whether objects of a class give attributes in another way than by properties in Python.

    >>> class Doubled:
    ...     def __getattr__(self, name): return 2.0
    >>> gives_by_code(Doubled), gives_by_code(complex)
    (True, False)
    """
    if any(
        isinstance(in_class(cls, name, None), FunctionType) for name in ("__getattr__", "__getattribute__")
    ):
        return True
    return any(_is_another_getter(found) for entry in cls.__mro__ for found in vars(entry).values())


def _is_another_getter(found: Any) -> bool:
    """Whether what is in a class is no property in Python, and gives an attribute by code all the same."""
    if isinstance(found, property):
        return not isinstance(found.fget, FunctionType | None)
    if isinstance(found, functools.cached_property):
        return True
    return isinstance(in_class(type(found), "__get__", None), FunctionType)
