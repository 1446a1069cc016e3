"""Calls of functions under a cache: they are entered, and what is found of numbers alone is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from zygpy.derivation import ELSEWHERE, computing_alone, keeping, noting, own_places
from zygpy.dispatch.methods_under_caches import Alone, alone
from zygpy.errors import UnsupportedSyntaxError
from zygpy.prepared import Prepared
from zygpy.runtime.asked_again import Under, is_noted
from zygpy.runtime.cache_entries import under_all
from zygpy.runtime.caches import entered_again, is_settled
from zygpy.runtime.kept_results import is_looked_up
from zygpy.runtime.partials import CACHED
from zygpy.runtime.ways import Way
from zygpy.units import Pair

AT_DOOR, NOTED_AT_DOOR = "kept at the door", "noted at the door"
"""The companions of a pair: the one that keeps what it has found (None where there is none), and the one that
notes it."""


def refused_if_changing(function: Any, pair: Pair) -> UnsupportedSyntaxError | None:
    """The error for a function that changes something, where the cache would not enter it again. (What
    computes from numbers alone changes nothing but what it makes, whatever is known of what calls itself.)"""
    changes = pair.writes or pair.outside or any(name != ELSEWHERE for name in pair.changes)
    if not changes or computing_alone(function) is not None:
        return None
    return entered_again(function, "changes something")


def refused_if_nested(cache: Any) -> UnsupportedSyntaxError | None:
    """The error for a cache of what is under another one, which may have forgotten what this one has not:
    that is followed for what depends on its arguments alone."""
    inner = cache.__wrapped__
    if not isinstance(inner, CACHED) or computing_alone(under_all(inner)) == ():
        return None
    return entered_again(under_all(inner), "is under another cache as well, and depends on more than numbers")


def settled(function: Any, prepared: Prepared) -> Prepared:
    """The same call, refused where it gives a thing in which the program may store something."""

    def finish(y: Any) -> Any:
        if not is_settled(y):
            raise entered_again(function, "gives a thing that can be changed")
        return prepared.finish(y)

    return replace(prepared, finish=finish)


def kept(function: Any, prepared: Prepared, way: Way, under: Under) -> Prepared | None:
    """A call by numbers and the like, found once for the same ones, where the function computes from these
    alone (where active values may stand in what is found outside: from its arguments alone); None elsewhere.
    """
    pair = prepared.pair
    if pair.carries or pair.changes or pair.always or pair.identity:
        return None
    at_door = (AT_DOOR, under)
    if at_door not in pair.companions:
        outside = computing_alone(function)
        pair.companions[at_door] = None if outside is None else (outside, _keeping(pair, outside, under))
    found = pair.companions[at_door]
    if found is None or (found[0] and (way.identity or way.guarded)):
        return None
    return replace(prepared, pair=found[1])


def standing(cache: Any, args: tuple[Any, ...]) -> Alone | None:
    """What stands for a method under a cache; None of what is none."""
    return alone(cache, args[0]) if args and not is_looked_up(args[0]) else None


def noted(function: Any, prepared: Prepared, under: Under, stands: Alone | None) -> Prepared:
    """The same call, of which it is noted what it gives."""
    pair = prepared.pair
    if not is_noted(under):
        return prepared
    noted_at_door = (NOTED_AT_DOOR, under)
    if noted_at_door not in pair.companions:
        places = own_places(pair.program.params.names, under.function)
        asks = frozenset() if stands is None else stands.caches
        forward, adjoint = noting(pair, (under, places, 1, asks))
        pair.companions[noted_at_door] = replace(pair, forward=forward, adjoint=adjoint, companions={})
    return replace(prepared, pair=pair.companions[noted_at_door])


def _keeping(pair: Pair, outside: Any, under: Under) -> Pair:
    forward, adjoint = keeping(pair, outside, typed=True, under=under)
    return replace(pair, forward=forward, adjoint=adjoint, companions={})
