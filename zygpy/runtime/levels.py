"""How many gradients deep the running code is: that is told by the frames around it, and costs nothing until
somebody asks."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from types import CodeType, FrameType
from typing import Any, TypeVar
from weakref import WeakSet

F = TypeVar("F", bound=Any)


class Marks(WeakSet[CodeType]):
    """Marked functions: `places` tells at once of most others that they are none."""

    def __init__(self) -> None:
        self.places: set[int] = set()
        super().__init__()

    def add(self, item: CodeType) -> None:
        self.places.add(id(item))
        super().add(item)

    def update(self, other: Iterable[CodeType]) -> None:
        for item in other:
            self.add(item)


DEEPER = Marks()
"""Functions that run what is being differentiated, each of them one level deeper."""

AGAIN = Marks()
"""Functions that run something once more at the level that their variable `level` has."""


def present_level() -> int:
    """How deep the code is that calls this."""
    frame: FrameType | None = sys._getframe(1)
    found = 0
    while frame is not None:
        if frame.f_code in DEEPER:
            found += 1
        elif frame.f_code in AGAIN:
            level: int = frame.f_locals["level"]
            return found + level
        frame = frame.f_back
    return found


def running(frame: FrameType | None) -> list[FrameType]:
    """The calls that are being differentiated around a frame, the innermost first."""
    found = []
    while frame is not None:
        if frame.f_code in DEEPER or frame.f_code in AGAIN:
            found.append(frame)
        frame = frame.f_back
    return found


def outermost(frame: FrameType | None) -> FrameType | None:
    """The outermost of these calls; None where nothing is being differentiated."""
    found, places, others = None, DEEPER.places, AGAIN.places
    while frame is not None:
        code = frame.f_code
        if (id(code) in places and code in DEEPER) or (id(code) in others and code in AGAIN):
            found = frame
        frame = frame.f_back
    return found


def marks_of(code: CodeType | None) -> list[Any]:
    """What a function is marked as that runs others: its forward is that too.

    >>> marks_of(marks_of.__code__)
    []
    """
    return [marks for marks in (DEEPER, AGAIN) if code is not None and code in marks]


def is_deeper(function: F) -> F:
    """Note that a function runs what is being differentiated."""
    DEEPER.add(function.__code__)
    return function
