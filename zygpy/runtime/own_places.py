"""Arrays whose elements lie in one place, among what a gradient is by."""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.memory import Memory, overlaps_itself


def check_own_places(what: Any, memory: Memory) -> None:
    """Refuse the cotangents of arrays whose elements share a place, as those of `np.broadcast_to` do: what is
    found by memory has one for the place, where the gradient has one for every element. `what` is described.

    >>> check_own_places((None, np.ones(2)), Memory())
    """
    waiting, seen = [what], set()
    while waiting:
        part = waiting.pop()
        if isinstance(part, np.ndarray):
            if part.base is not None and overlaps_itself(part) and memory.knows(part):
                raise _shared_places(part)
        elif isinstance(part, tuple):
            waiting += [item for item in part if item is not None]
        elif part is not None and id(part) not in seen:
            seen.add(id(part))
            waiting += [item for item in part.items.values() if item is not None]


def _shared_places(array: Any) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(
        f"elements of an argument, an array of shape {array.shape}, lie in the same place in memory.",
        why="the program is differentiated by the memory of its arrays, which cannot tell them apart",
        instead="pass a copy of it, such as `np.array(x)`",
    )
