"""How long the stretches of a loop are: that depends on what the state takes, of which each keeps a copy, and
on what an iteration keeps while its stretch is reversed."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection
from itertools import islice
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from zygpy.runtime.records import fields_of

AROUND = 1024
"""About how many bytes are kept for every stretch besides the state."""

FASTER = 3
"""A stretch is at most so many times as long as all before it: what it keeps is known from these only."""


class Gauge:
    """What is known of a loop by which it is divided; what comes out of the loop does not depend on it.

    `state` are the bytes of the state and `kept` those that an iteration keeps, both as they were found last;
    `planned` iterations are in the present stretch, a `while` loop has had `done`, and something was found
    in `notes` stretches.
    """

    __zygpy_inert__ = True

    __slots__ = ("done", "kept", "notes", "planned", "state")

    def __init__(self) -> None:
        self.state, self.kept = AROUND, 1
        self.planned = self.done = self.notes = 0

    def __deepcopy__(self, memo: object) -> Gauge:
        return self  # it knows more when a stretch is run once more

    def balanced(self, count: int, segments: int | None) -> int:
        """How many iterations keep about as much as the states do at the starts of the stretches of so many;
        none, as long as nothing was found."""
        if not self.notes:
            return 0
        return segments * self.state // self.kept if segments else math.isqrt(count * self.state // self.kept)

    def note(self, stash: Any, given: tuple[Any, ...]) -> None:
        """Note what the iterations of a stretch would have kept, and what its state takes now."""
        seen: set[int] = set()
        self.state = AROUND + weight(given, seen)
        self.kept = max(weight(stash, seen) // max(self.planned, 1), 1)
        self.notes += 1


def new_gauge() -> Gauge:
    """The gauge of a loop that begins."""
    return Gauge()


def stretch_length(count: int, segments: int | None = None) -> int:
    """How many iterations of so many are in a stretch: about as many as there are stretches, unless the
    number of these is given, and then at least as many as that.

    >>> stretch_length(100), stretch_length(0), stretch_length(100, 3), stretch_length(100, 20)
    (10, 1, 34, 20)
    """
    if count <= 0:
        return 1
    return max(-(-count // segments), segments) if segments else math.isqrt(count - 1) + 1


def stretch_end(gauge: Gauge, first: int, count: int, segments: int | None = None) -> int:
    """Where the stretch ends that begins at an iteration of so many."""
    length = stretch_length(count, segments)
    length = max(length, min(FASTER * first, gauge.balanced(count, segments)))
    end = min(first + length, count)
    gauge.planned = end - first
    return end


def next_length(gauge: Gauge, length: int, segments: int | None = None) -> int:
    """How long the next stretch of a `while` loop is, after one of this length."""
    gauge.done += length
    longer = (2 * length or 2) if segments else length + 1
    gauge.planned = max(longer, min(FASTER * gauge.done, gauge.balanced(2 * gauge.done, segments)))
    return gauge.planned


def is_short(gauge: Gauge, count: int, segments: int) -> bool:
    """Whether a stretch of so many iterations is not divided again: all that these keep takes no more than
    the states at the starts of so many segments.

    >>> gauge = Gauge()
    >>> is_short(gauge, 9, 8), is_short(gauge, 8, 8)
    (False, True)
    >>> gauge.state, gauge.kept, gauge.notes = 4000, 100, 1
    >>> is_short(gauge, 320, 8), is_short(gauge, 321, 8)
    (True, False)
    """
    return count <= segments or count <= gauge.balanced(count, segments)


# --------------------------------------------------------------------------------------------- sizes

SAMPLES = 16
"""How many items of a container are looked at."""

LOOKED = 300
"""At how many values in containers one looks at most, those that are less deep in them first."""

SMALL = 32
"""About how many bytes a number takes, or an object besides what it has."""


def weight(value: Any, seen: set[int]) -> int:
    """About how many bytes a value takes, without things whose identities have been `seen`; of long
    containers only some items are looked at, and of what is deep in others nothing.

    >>> weight(np.zeros(1000), set()) // 1000, weight(([0.5] * 1000,), set()) // 1000
    (8, 40)
    """
    total, most = 0, LOOKED + len(seen)
    waiting: deque[tuple[Any, int]] = deque([(value, 1)])
    while waiting and len(seen) < most:
        thing, times = waiting.popleft()
        if not isinstance(thing, _NUMBERS):
            if id(thing) in seen:
                continue
            seen.add(id(thing))
            parts = _held_by(thing)
            step = -(-len(parts) // SAMPLES) or 1
            waiting += [(part, times * step) for part in islice(parts, 0, None, step)]
            total += times * (8 * len(parts) + (int(thing.nbytes) if isinstance(thing, np.ndarray) else 0))
        total += times * SMALL
    return total


_NUMBERS = (int, float, complex, str, bytes, np.generic, type(None), type, range, ModuleType)


def _held_by(value: Any) -> Collection[Any]:
    """What a container or an object has, or a function has captured."""
    if isinstance(value, dict):
        return value.values()
    if isinstance(value, list | tuple | deque | set | frozenset):
        return value
    if isinstance(value, np.ndarray):
        return ()
    if isinstance(value, FunctionType):
        return [cell.cell_contents for cell in value.__closure__ or () if _is_bound(cell)]
    return [item for _, item in fields_of(value)]


def _is_bound(cell: Any) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False
