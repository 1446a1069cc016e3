"""Whether something was given to a function, where it changes what others may find without being given it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.harmless import PLAIN
from zygpy.runtime.lookup import own_fields, own_slots

MANY = 10_000
"""So many things are looked at: whoever is given more has to be known when the caller is derived."""


def check_given(target: Any, given: tuple[Any, ...]) -> None:
    """Refuse a change of what is no part of a function's arguments, for a caller who has not known what the
    function does: what is in the arguments he follows himself.

    >>> items = [1.0]
    >>> check_given(items, ({"items": (items,)},))
    >>> check_given(np.ones(4)[:2], ([1.0], "text"))
    Traceback (most recent call last):
    ...
    zygpy.errors.UnsupportedSyntaxError: a ndarray is changed that others may find without being given it.
    Why: the function was not known when its caller was derived, who expects no change but of what he gives it
    Instead: give the function what it changes as an argument, or call it by its own name
    """
    if not is_given(target, given):
        raise UnsupportedSyntaxError(
            f"a {type(target).__name__} is changed that others may find without being given it.",
            why="the function was not known when its caller was derived, who expects no change but of what "
            "he gives it",
            instead="give the function what it changes as an argument, or call it by its own name",
        )


def is_given(thing: Any, given: tuple[Any, ...]) -> bool:
    """Whether something is one of the arguments of a function, or in one."""
    return any(_is_one(thing, other) for other in things_in(given))


def hold_numbers(given: tuple[Any, ...]) -> bool:
    """Whether there is a number or an array among some things, or in them.

    >>> hold_numbers(("text", [None, True])), hold_numbers(({"a": [2.0]},))
    (False, True)
    """
    numbers = (int, float, complex, np.generic, np.ndarray)
    parts = (part for thing in things_in(given) for part in _parts_of(thing))
    return any(isinstance(part, numbers) and not isinstance(part, bool) for part in (*given, *parts))


def _is_one(thing: Any, other: Any) -> bool:
    """Whether two things are one, or two arrays in the same memory."""
    if isinstance(thing, np.ndarray) and isinstance(other, np.ndarray):
        return np.may_share_memory(thing, other)
    return thing is other


def things_in(given: tuple[Any, ...], most: int | None = MANY) -> Iterator[Any]:
    """What can be changed among some things and in them, the nearest first, up to so many."""
    waiting: deque[Any] = deque(thing for thing in given if not _is_plain(thing))
    seen: set[int] = set()
    while waiting and (most is None or len(seen) < most):
        thing = waiting.popleft()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        yield thing
        waiting += [part for part in _parts_of(thing) if not _is_plain(part)]


def _is_plain(thing: Any) -> bool:
    return isinstance(thing, PLAIN) and not isinstance(thing, np.ndarray)


def _parts_of(thing: Any) -> Iterable[Any]:
    """The items and fields of a thing."""
    if isinstance(thing, np.ndarray):
        return thing.ravel().tolist() if thing.dtype == object else ()
    items: list[Any] = []
    if isinstance(thing, dict):
        items += thing.values()
    elif isinstance(thing, list | tuple | set | frozenset | deque):
        items += thing
    items += own_fields(thing).values()
    return [*items, *(held for _, held in own_slots(thing))]
