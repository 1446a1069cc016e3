"""How many gradients deep the running code is: the place where that is kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

LEVEL: ContextVar[int] = ContextVar("zygpy_level", default=0)
"""The number of calls that are being differentiated around the running code."""


class Watch:
    """Whether anybody may ask for the level: until then it is not kept."""

    on = False


def deeper() -> int:
    """Enter one level; the one before."""
    before = LEVEL.get()
    LEVEL.set(before + 1)
    return before


def present_level() -> int:
    """How deep the running code is."""
    return LEVEL.get()


def back_at(level: int) -> None:
    """Leave a level for the one that was before."""
    LEVEL.set(level)


@contextmanager
def at_level(level: int) -> Iterator[None]:
    """Run code as if it were so deep."""
    before = LEVEL.get()
    LEVEL.set(level)
    try:
        yield
    finally:
        LEVEL.set(before)
