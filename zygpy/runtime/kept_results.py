"""What functions under a cache give of numbers, and by how much that changes with each of them: found once.

The pair of such a function computes from its arguments alone, and its adjoint is linear in the cotangent that
it is given. So a call of it is made once for each tuple of arguments; what its adjoint gives for the seed 1
is found with it, and is multiplied by the cotangent wherever the same was asked for. Equal numbers may come
from different things: each call has cotangents of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, TypeAlias

import numpy as np

from zygpy.errors import ZygpyError
from zygpy.runtime.stack import with_room

STANDS_FOR = "__zygpy_stands_for__"
"""The attribute of a function that asks what is kept: what it calls otherwise, and is derived as."""

ROOM = 1 << 16
"""So many results are kept at most; then all are dropped."""

NUMBERS = frozenset({float, int, np.float64})
"""Classes of results that are kept."""

SETTLED = frozenset({float, int, str, bool, type(None)})
"""Classes of numbers and texts outside that the result may depend on."""

Outside: TypeAlias = tuple[tuple[Mapping[str, Any], str], ...]
"""Variables outside, by the names in which they are."""

Row = tuple[Any, ...]
Result = tuple[Any, Any]


def kept_pair(
    forward: FunctionType, adjoint: FunctionType, outside: Outside, count: int, *, typed: bool = False
) -> tuple[Any, Any]:
    """A pair that gives the same as `forward` and `adjoint`, of `count` cotangents (0: of a single one, in no
    tuple), and asks them once; `outside` are the variables in which the function finds numbers. `typed`: it
    may be given numbers of several classes.

    >>> kept, back = kept_pair(lambda x: (print("asked"), (x * x, x))[1], lambda x, y: (2 * x * y,), (), 1)
    >>> (y, found), (_, again) = kept(3.0), kept(3.0)
    asked
    >>> y, back(found, 10.0), back(again, 1.0), back(again, None)
    (9.0, (60.0,), (6.0,), (None,))
    """
    known: dict[Any, Result] = {}
    running = threading.local()
    careful = bool(outside) or typed

    def kept_forward(*args: Any) -> Result:
        key = _key(args, outside) if careful or not all(args) else args
        found = known.get(key)
        if found is not None:
            return found
        inner = hasattr(running, "here")
        y, stash = forward(*args) if inner else _outermost(forward, args, running)
        slopes = None if type(y) not in NUMBERS or key is None else _slopes(adjoint, stash, count)
        if slopes is None:
            return y, (None, stash)
        if len(known) >= ROOM:
            known.clear()
        known[key] = found = y, (slopes, None)
        return found

    def kept_adjoint(stash: Any, y_bar: Any) -> Any:
        slopes, inner = stash
        if slopes is None:
            return adjoint(inner, y_bar)
        bars = [by_slope(slope, y_bar) for slope in slopes]
        return tuple(bars) if count else bars[0]

    for own, other in ((kept_forward, forward), (kept_adjoint, adjoint)):
        own.__name__, own.__qualname__ = other.__name__, other.__qualname__
    return kept_forward, kept_adjoint


def _key(args: Row, outside: Outside) -> Any:
    """What a call is looked up by: equal numbers differ by their classes, and zeros by their signs; None
    where what is found outside is no number.

    >>> [_key((value,), ()) == _key((0.0,), ()) for value in (0.0, -0.0, 0)]
    [True, False, False]
    """
    found = tuple([space.get(name) for space, name in outside])
    if not all(type(value) in SETTLED for value in found):
        return None
    signs = "" if all(args) and all(found) else repr((args, found))
    return (args, found, signs, tuple(map(type, args)), tuple(map(type, found)))


def _outermost(forward: Callable[..., Result], args: Row, running: threading.local) -> Result:
    """A call that none of the same function's has led to: between two of these there is a frame more than in
    the program, for which there may be no room."""
    running.here = True
    try:
        return forward(*args)
    except RecursionError:
        return with_room(lambda: forward(*args), deep=True)
    finally:
        del running.here


def _slopes(adjoint: FunctionType, stash: Any, count: int) -> Row | None:
    """What an adjoint gives for the seed 1; None where it fails, which is said where it is asked."""
    try:
        slopes = adjoint(stash, 1.0)
    except (ArithmeticError, ZygpyError):
        return None
    return slopes if count else (slopes,)


def by_slope(slope: Any, bar: Any) -> Any:
    """A cotangent by a slope, of which a zero makes nothing of an infinite one.

    >>> [by_slope(*two) for two in ((3.0, 2.0), (0.0, np.inf), (np.inf, 0.0), (0.0, np.nan))]
    [6.0, 0.0, 0.0, nan]
    """
    if slope is None or bar is None:
        return None
    moved = slope * bar
    if moved != moved and (bar == 0 or (slope == 0 and bar == bar)):
        return 0.0
    return moved


def no_slopes() -> Any:
    """None, in the place of slopes: the code that is handed it may be handed slopes by other code."""
    return None
