"""Copies of things that tangent code meets when it runs: the tangent is copied beside the thing."""

from __future__ import annotations

from typing import Any

from zygpy.errors import UnsupportedSyntaxError
from zygpy.identity import bypassed
from zygpy.identity.classes import python_method
from zygpy.runtime.copies import duplicate, duplicate_deeply, refuse_reduction
from zygpy.runtime.copies_beside import things_copied
from zygpy.runtime.zeros import CannotPush, or_zeros


def copies_things(function: Any) -> bool:
    """Whether what is called is one of the functions that `copy.copy` and `copy.deepcopy` come down to."""
    return function is duplicate or function is duplicate_deeply


def copying_method(function: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> Any:
    """The `__copy__` in Python of what is copied; None where it is copied as Python does it.

    Raises CannotPush where the copy is made by other methods, or in a memo that others have.
    """
    value, dot = args[0], or_zeros(dots[0], args[0])
    if function is duplicate_deeply:
        if any(arg is not None for arg in args[1:]):
            raise CannotPush
        _check_plain(things_copied(value, dot, deeply=True), "__deepcopy__")
        return None
    method = python_method(value, "__copy__")
    if method is None:
        _check_plain(things_copied(value, dot, deeply=False), "__copy__")
    return method


def _check_plain(things: list[Any], name: str) -> None:
    """Leave it to reverse mode to copy what has methods for that."""
    for thing in things:
        try:
            refuse_reduction(thing)
            bypassed.refuse_asking_copy(thing)
        except UnsupportedSyntaxError as error:
            raise CannotPush from error
        if python_method(thing, name) is not None or bypassed.is_rebuilt(thing):
            raise CannotPush
