"""What stands for the functions of a pair that is called under a cache: they keep what they find, or note
what they give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, cast

from zygpy.analyse.facts import Direct, Kept
from zygpy.ir.classes import GENERATED
from zygpy.runtime.asked_again import Under, is_noted, noted
from zygpy.runtime.kept_results import STANDS_FOR, kept_pair
from zygpy.runtime.shown_outside import Outside
from zygpy.units import Pair

KEPT, NOTED = "kept", "noted"
"""The companions of a pair under a cache: the one that keeps what it has found, and the one that notes it."""

UNDER = "__zygpy_under__"
"""The attribute of a function that stands for one under a cache: the call of it, at which places it is given
what that is looked up by, how deep in tuples it gives the value, and which other caches it asks unnoted."""

Standing = tuple[Under, tuple[int, ...], int, frozenset[Any]]


def keeping(pair: Pair, outside: Outside, *, typed: bool, under: Under) -> tuple[Any, Any]:
    """The functions of a pair that keep what they find; `typed`: its arguments may be of several classes."""
    known = pair.companions.get((KEPT, typed, under))
    if known is None:
        count = 0 if pair.single is not None else len(pair.slots)
        noted_as = under if is_noted(under) else None
        known = kept_pair(pair.forward, pair.adjoint, outside, count, typed=typed, under=noted_as)
        for function in known:
            setattr(function, GENERATED, True)
        names = pair.program.params.names
        setattr(known[0], UNDER, (under, own_places(names, under.function), 1, frozenset()))
        pair.companions[KEPT, typed, under] = known
    return cast("tuple[Any, Any]", known)


def noting(pair: Pair, standing: Standing) -> tuple[Any, Any]:
    """The functions of a pair, of which the first notes what it gives."""
    known = pair.companions.get((NOTED, standing))
    if known is None:
        again = not (pair.identity or pair.carries)
        known = standing_for(pair.forward, standing, again=again), pair.adjoint
        pair.companions[NOTED, standing] = known
    return cast("tuple[Any, Any]", known)


def standing_for(function: Any, standing: Standing, *, again: bool) -> Any:
    """The same as a function; what it gives is noted, and given `again`: not where cotangents go to what is
    found by identity, which may hold something else by now."""
    if not is_noted(standing[0]):
        return function
    stand_in = noted(function, *standing, again=again)
    setattr(stand_in, UNDER, standing)
    setattr(stand_in, GENERATED, True)
    setattr(stand_in, STANDS_FOR, function)
    return stand_in


def standing_of(found: Direct, names: Sequence[str]) -> Standing | None:
    """How a call is looked up by a cache, if it is one of a function under a cache, or of what stands for it;
    `names` are the callee's parameters."""
    if isinstance(found, Kept):
        return found.under, own_places(names, found.function), 1, frozenset()
    if UNDER not in vars(found.function):
        return None
    under, places, depth, asks = vars(found.function)[UNDER]
    return under, places, depth + 1, asks


def own_places(names: Sequence[str], function: FunctionType) -> tuple[int, ...]:
    """Where among some parameters those are of a function itself, without what it captures.

    >>> own_places(["scale", "x"], lambda x: 0)
    (1,)
    """
    code = function.__code__
    count = code.co_argcount + code.co_kwonlyargcount + sum(bool(code.co_flags & flag) for flag in (4, 8))
    own = code.co_varnames[:count]
    return tuple([place for place, name in enumerate(names) if name in own])


def in_pairs(places: Sequence[int], names: Sequence[str], paired: Callable[[str], bool]) -> tuple[int, ...]:
    """The same places where behind each parameter that is `paired` stands its tangent.

    >>> in_pairs((0, 1), ["x", "y"], {"x"}.__contains__)
    (0, 2)
    """
    before = [sum(map(paired, names[:place])) for place in range(len(names))]
    return tuple([place + before[place] for place in places])
