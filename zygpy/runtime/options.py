"""Which of several things one is: an object of which class, a function of which text."""

from __future__ import annotations

import functools
from types import FunctionType, MethodType
from typing import Any

from zygpy.codes import is_told_by, told_by
from zygpy.errors import UnsupportedSyntaxError


def is_one(thing: Any, what: Any) -> bool:
    """Whether a thing is an object of just this class, a function of the same text as this one, bound to
    something or not, or is what is called itself.

    >>> is_one(1.5, float), is_one(True, int), is_one(len, len), is_one(len, abs)
    (True, False, True, False)
    >>> called = lambda a, b: a * b
    >>> is_one(functools.partial(called, 2.0), called), is_one(called, is_one)
    (True, False)
    """
    if type(what) is not FunctionType:
        return type(thing) is what or thing is what
    called = thing.__func__ if type(thing) is MethodType else thing
    if type(called) is functools.partial:
        called = called.func
    return called is what or is_told_by(called, told_by(what))


def check_something(thing: Any, name: str) -> None:
    """Fail as None does, asked for an attribute, or for its items.

    >>> check_something(1.5, "total")
    >>> check_something(None, "total")
    Traceback (most recent call last):
        ...
    AttributeError: 'NoneType' object has no attribute 'total'
    """
    if thing is None:
        if name == "__iter__":
            raise TypeError("'NoneType' object is not iterable")
        getattr(thing, name)


def check_one(thing: Any, what: Any) -> None:
    """The same of what should be: in what else there is no derivative known."""
    if not is_one(thing, what):
        name = getattr(thing, "__qualname__", type(thing).__name__)
        raise UnsupportedSyntaxError(
            f"'{name}' is called, which is none of the functions that were known here.",
            why="its text was not found where it was made",
            instead="define it at the top of a module",
        )
