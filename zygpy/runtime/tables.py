"""Tables that a program fills under keys which vary, as those of functions that remember what they gave.

An entry that an earlier call has left is no function of the key any more: its derivative is lost, though the
number is right. Such entries are refused; those of the running call are known here.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable
from types import FrameType, FunctionType
from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.levels import running

REAL = (float, complex, np.inexact)


class _Filled(threading.local):
    """What the calls that are running have put into tables: for each call, by its frame, the tables with the
    keys that they were given."""

    def __init__(self) -> None:
        self.calls: list[tuple[FrameType, dict[int, tuple[Any, set[Any]]]]] = []

    def by(self, frames: list[FrameType]) -> dict[int, tuple[Any, set[Any]]]:
        """The tables of the innermost call; what calls did that have ended is forgotten."""
        self.calls = [(frame, filled) for frame, filled in self.calls if any(frame is one for one in frames)]
        for frame, filled in self.calls:
            if frame is frames[0]:
                return filled
        self.calls.append((frames[0], {}))
        return self.calls[-1][1]


FILLED = _Filled()

Mark = tuple[int, int, int]

LEFT: set[Mark] = set()
"""The entries that calls have made while they were differentiated: at most so many."""

MARKS = 100_000


def note_entry(table: Any, key: Any) -> None:
    """Note that the running call has put something into a table under a key with a real number in it."""
    if isinstance(table, dict) and _has_reals(key):
        _note(running(sys._getframe(1)), table, (key,))


def note_copy(table: Any, source: Any) -> None:
    """Note that the running call has filled a table from another, or from pairs: what the other has been
    given by an earlier call is no better here."""
    if not isinstance(table, dict):
        return
    frames = running(sys._getframe(1))
    known: Iterable[Any] = table
    if frames and isinstance(source, dict):
        known = FILLED.by(frames).get(id(source), (source, ()))[1]
    elif isinstance(source, list | tuple):
        known = [pair[0] for pair in source]
    _note(frames, table, [key for key in known if _has_reals(key)])


def _note(frames: list[FrameType], table: dict[Any, Any], made: Iterable[Any]) -> None:
    if not frames:
        return
    _, keys = FILLED.by(frames).setdefault(id(table), (table, set()))
    for key in made:
        keys.add(key)
        if key in table:
            _remember(_mark(table, key))


def _mark(table: dict[Any, Any], key: Any) -> Mark:
    """What tells an entry from all others, without keeping anything of it alive."""
    return id(table), hash(key), id(dict.get(table, key))


def _remember(mark: Mark) -> None:
    if len(LEFT) >= MARKS:
        LEFT.clear()
    LEFT.add(mark)


def check_entry(table: Any, key: Any) -> None:
    """Refuse an entry under such a key that the running call has not put into the table."""
    if not isinstance(table, dict) or not _has_reals(key):
        return
    frames = running(sys._getframe(1))
    if key not in table:
        if hasattr(type(table), "__missing__"):  # which is about to make it
            _note(frames, table, (key,))
        return
    if frames and key not in FILLED.by(frames).get(id(table), (table, ()))[1]:
        raise UnsupportedSyntaxError(
            f"an entry is read under the key {key!r}, which varies, that the running call has not made.",
            why="an earlier call has left it as a number, and what it was computed from is lost with its "
            "derivative",
            instead="empty the table before you differentiate, or use functools.cache, which is entered",
        )


def check_left_entry(table: Any, key: Any) -> None:
    """The same where a program reads tables that others fill: the entry is refused if a call that was
    differentiated has left it, or if the table makes its entries itself."""
    if not isinstance(table, dict) or not _has_reals(key):
        return
    makes = isinstance(getattr(type(table), "__missing__", None), FunctionType)
    if makes or key not in table or _mark(table, key) in LEFT:
        check_entry(table, key)


def _has_reals(key: Any) -> bool:
    """Whether a key is a real number, or a tuple in which there is one.

    >>> _has_reals((1, (2.5,))), _has_reals(("a", 3))
    (True, False)
    """
    return isinstance(key, REAL) or (isinstance(key, tuple) and any(map(_has_reals, key)))
