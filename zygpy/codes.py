"""Which code functions have that others stand for when programs are derived."""

from __future__ import annotations

from types import CodeType, FunctionType
from weakref import WeakKeyDictionary

STANDING: WeakKeyDictionary[FunctionType, CodeType | None] = WeakKeyDictionary()
"""The code of the functions for which a function stands; None where they have one or another."""


def code_of(function: FunctionType) -> CodeType | None:
    """The code of a function, or of those for which it stands; None where that is not known.

    >>> code_of(code_of) is code_of.__code__
    True
    """
    return STANDING.get(function, function.__code__)
