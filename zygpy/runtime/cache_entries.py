"""What a cache of `functools` has by now, from calls in which nothing varies."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Mapping
from typing import Any

from zygpy.runtime.partials import CACHED

SPREAD = 0b1100
"""The flags of code that takes any number of arguments, by position or by name."""


class Entries:
    """The entries of a cache, as they are looked up by calls of one form: with so many positional arguments,
    and others by these names; `typed` if equal ones of different classes are different.

    >>> import functools
    >>> cache = functools.lru_cache(lambda x, y=0: x + y)
    >>> cache(1.0, y=2.0), cache(3)
    (3.0, 3)
    >>> Entries(cache, 1, ["y"]).stored((1, 2)), Entries(cache, 1, ["y"]).stored((2, 2))
    ((3.0,), None)
    >>> Entries(cache, 1, []).stored((3, 0)), Entries(cache, 1, []).stored((1.0, 2.0))
    ((3,), None)
    """

    def __init__(self, cache: Any, positional: int, names: Iterable[str], *, typed: bool = False) -> None:
        self.cache, self.positional, self.typed = cache, positional, typed
        self.entries, self.mark = _inside(cache)
        code = under_all(cache).__code__
        own = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        self.places = {name: own.index(name) for name in names if name in own}
        if code.co_flags & SPREAD or len(self.places) < len(tuple(names)):
            self.entries = {}

    def stored(self, given: tuple[Any, ...]) -> tuple[Any] | None:
        """What the cache has, if it has something, for a call by these values of all parameters; it is asked
        as the program asks it."""
        args, named = given[: self.positional], {name: given[at] for name, at in self.places.items()}
        return (self.cache(*args, **named),) if self._key(args, named) in self.entries else None

    def _key(self, args: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
        """What the cache looks a call up by."""
        if not named and not self.typed:
            return args[0] if len(args) == 1 and type(args[0]) in (int, str) else args
        key = (*args, self.mark) if named else args
        for item in named.items():
            key += item
        return key + tuple(map(type, (*args, *named.values()))) if self.typed else key


def under_all(cache: Any) -> Any:
    """The function that a cache calls, which may be a cache of another.

    >>> import functools
    >>> under_all(functools.cache(functools.cache(under_all))) is under_all
    True
    """
    while isinstance(cache, CACHED):
        cache = cache.__wrapped__
    return cache


def _inside(cache: Any) -> tuple[Mapping[Any, Any], Any]:
    """The table of a cache, which stands in front of what it calls, and what stands behind that: what it puts
    between positional arguments and others. Nothing where that is not so."""
    found = gc.get_referents(cache)
    for place in range(len(found) - 2, 0, -1):
        if found[place] is cache.__wrapped__ and type(found[place - 1]) is dict:
            return found[place - 1], found[place + 1]
    return {}, None
