"""The very value that a function of NumPy gives, with the derivative of what a program computes."""

from __future__ import annotations

from typing import Any


def numpys(function: Any, args: Any, options: Any) -> Any:
    """`function(*args, **options)`, without derivatives: the value, or the exception, of the call itself."""
    return function(*args, **options)


def as_numpy_gives(value: Any, computed: Any) -> Any:
    """The value, which nobody else holds, whose derivative is that of what was computed."""
    return value
