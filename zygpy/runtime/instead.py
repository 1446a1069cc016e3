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
