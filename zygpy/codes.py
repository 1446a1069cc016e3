"""By what functions are told apart when a program runs: by their code, or by where they stand.

A function that a program makes has the code of the user's file, or one in a generated file, as the program
runs: it is told by its place in the user's file. What stands for functions when programs are derived says
by what these are told.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, TypeAlias

Place: TypeAlias = tuple[str, int, int]
"""A file, a line and a column."""

TOLD = "__zygpy_told__"
"""The attribute of what stands for functions: their code, their place, or what finds that."""

ITSELF = "__zygpy_itself__"
"""The attribute of what stands for a function that has captured itself: by which name."""

PLACE_OF_CODE: list[Callable[[CodeType], Place | None]] = []
"""What finds the place of a function in the user's file by its code; it stands in a room above."""

_places: dict[int, Place | None] = {}


def told_by(function: FunctionType) -> CodeType | Place | None:
    """By what a function is told, or those for which it stands; None where that is not known.

    >>> told_by(told_by) is told_by.__code__
    True
    """
    found: Any = vars(function).get(TOLD, function.__code__)
    if callable(found):
        found = found()
        setattr(function, TOLD, found)
    told: CodeType | Place | None = found
    return told


def own_name(function: Any) -> str | None:
    """The name by which a function for which another stands has captured itself; None if it has not."""
    name: str | None = getattr(function, ITSELF, None)
    return name


def is_told_by(function: Any, told: CodeType | Place | None) -> bool:
    """Whether a function is told by this.

    >>> is_told_by(told_by, told_by.__code__), is_told_by(told_by, ("elsewhere", 1, 0)), is_told_by(1.0, None)
    (True, False, False)
    """
    if type(function) is not FunctionType:
        return False
    code = function.__code__
    if type(told) is not tuple:
        return code is told
    known = _places.get(id(code), code)
    return (_place(code) if known is code else known) == told


def _place(code: CodeType) -> Place | None:
    found = PLACE_OF_CODE[0](code) if PLACE_OF_CODE else None
    _places[id(code)] = found
    weakref.finalize(code, _places.pop, id(code), None).atexit = False
    return found
