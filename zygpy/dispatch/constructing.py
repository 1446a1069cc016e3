"""Classes that entry points are given, as functions that make their objects.

What a call with a star may do is not known before it runs; one of so many arguments, to a class that is
known, changes nothing but what the class's own methods do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def constructing(cls: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Callable[..., Any]:
    """A class as a function that can be called with such arguments."""
    maker = MAKERS[len(args)] if not kwargs and len(args) < len(MAKERS) else _of_any
    return maker(cls)


def _of_none(cls: Any) -> Callable[..., Any]:
    def constructed() -> Any:
        return cls()

    return constructed


def _of_one(cls: Any) -> Callable[..., Any]:
    def constructed(first: Any) -> Any:
        return cls(first)

    return constructed


def _of_two(cls: Any) -> Callable[..., Any]:
    def constructed(first: Any, second: Any) -> Any:
        return cls(first, second)

    return constructed


def _of_three(cls: Any) -> Callable[..., Any]:
    def constructed(first: Any, second: Any, third: Any) -> Any:
        return cls(first, second, third)

    return constructed


def _of_any(cls: Any) -> Callable[..., Any]:
    def constructed(*args: Any, **kwargs: Any) -> Any:
        return cls(*args, **kwargs)

    return constructed


MAKERS = (_of_none, _of_one, _of_two, _of_three)
