"""Objects of classes in Python that are lists, or dicts: their tangents are plain lists and dicts."""

from __future__ import annotations

from types import MethodDescriptorType, WrapperDescriptorType
from typing import Any

from zygpy.runtime.lookup import HEAP_TYPE, in_class

ITEMS = ("__getitem__", "__setitem__", "__iter__", "__len__", "__contains__", "__getattribute__")
"""The methods by which Python gets, sets and finds items."""


def items_as(value: Any) -> type:
    """The class by whose methods the items of something are found, set and walked over: of an object of a
    class in Python that inherits all of these from `list` or `dict`, that; of all else its own class.

    >>> class Stack(list):
    ...     pass
    >>> items_as(Stack()), items_as(1.0)
    (<class 'list'>, <class 'float'>)
    """
    cls = type(value)
    base = inherited_container(cls)
    if base is None or in_class(cls, "__missing__") is not None:
        return cls
    plain = all(in_class(cls, name) is in_class(base, name) for name in ITEMS)
    return base if plain else cls


def inherited_container(cls: type) -> type | None:
    """The one of `list` and `dict` that a class in Python inherits from, with no other class in C between.

    >>> inherited_container(type("Stack", (list,), {})), inherited_container(list)
    (<class 'list'>, None)
    """
    if not cls.__flags__ & HEAP_TYPE or not issubclass(cls, list | dict):
        return None
    base = list if issubclass(cls, list) else dict
    in_python = all(one.__flags__ & HEAP_TYPE and one.__module__ != "collections" for one in cls.__mro__[:-2])
    return base if in_python and cls.__mro__[-2] is base else None


def is_unbound(function: Any) -> bool:
    """Whether a function is a method that `list` or `dict` has for its objects.

    >>> is_unbound(list.append), is_unbound([].append)
    (True, False)
    """
    of_c = type(function) is MethodDescriptorType or type(function) is WrapperDescriptorType
    return of_c and (function.__objclass__ is list or function.__objclass__ is dict)


def bare(cls: Any) -> Any:
    """An object of such a class with nothing in it, which is not initialised."""
    return cls.__new__(cls)
