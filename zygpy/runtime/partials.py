"""Cotangents of `functools.partial` objects: an entry for everything that one carries."""

from __future__ import annotations

import functools
from typing import Any

FUNCTION = "__wrapped__"
"""The entry of the function itself (of what it has captured)."""


def position(index: int) -> str:
    """The entry of a positional argument."""
    return f"args[{index}]"


def carried_count(function: Any) -> int | None:
    """How many positional arguments a partial carries; None if the function is not one."""
    return len(function.args) if isinstance(function, functools.partial) else None


def carried_parts(bar: Any, inner: int | None, count: int, names: tuple[str, ...]) -> tuple[Any, ...]:
    """The cotangents of the arguments of `partial(f, *args, **keywords)`: f, `count` positional ones
    and those of these names. `inner` is what `carried_count(f)` was."""
    if bar is None:
        return (None,) * (1 + count + len(names))
    first = inner or 0
    arguments = [bar.get(position(first + index)) for index in range(count)]
    own = bar.get(FUNCTION)
    if inner is not None:
        taken = {position(first + index) for index in range(count)} | set(names)
        own = {name: value for name, value in bar.items() if name not in taken}
    return own, *arguments, *(bar.get(name) for name in names)
