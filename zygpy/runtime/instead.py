"""Functions that are differentiated as if they were others, which give the same."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

INSTEAD: dict[CodeType, Any] = {}
"""Which function is derived where one with this code is met."""


def differentiated_as(other: Callable[..., Any]) -> Callable[[F], F]:
    """Let the decorated function be differentiated as `other`, which has the same parameters."""

    def register(function: F) -> F:
        assert isinstance(function, FunctionType)
        INSTEAD[function.__code__] = other
        return function

    return register


ENTRIES: dict[Any, str] = {}
"""The entry points, and doors, whose tangents are found when they are called, and what these are by
(`zygpy.pushed.entries`)."""


KEPT = "__zygpy_pushes__"
"""The attribute of what `pushforward` gives that holds the function and its arguments, as they were."""


def pushed_as(name: str) -> Callable[[F], F]:
    """Let tangent code call the decorated entry point as it is, and find its tangent then."""

    def register(function: F) -> F:
        ENTRIES[function] = name
        return function

    return register


def is_entry_point(function: Any) -> bool:
    """Whether there is such a tangent of what is called."""
    return isinstance(function, FunctionType | type) and function in ENTRIES


def entry_point(name: str) -> Any:
    """The function that is an entry point by name."""
    return next(function for function, known in ENTRIES.items() if known == name)
