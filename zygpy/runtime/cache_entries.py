"""What a cache of `functools` has by now, from calls in which nothing varies."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from zygpy.runtime.partials import CACHED


class Parameters(NamedTuple):
    """The names of a function's parameters, in the order of what is `given` to its pair."""

    positional: tuple[str, ...]
    rest: tuple[str, ...]
    named: tuple[str, ...]
    gathered: tuple[str, ...]

    def values(self, given: tuple[Any, ...]) -> dict[str, Any]:
        """The values by these names, and those that were gathered in a dict by their own."""
        found = dict(zip((*self.positional, *self.rest, *self.named, *self.gathered), given, strict=False))
        return {**found, **(found.get(self.gathered[0], {}) if self.gathered else {})}


def parameters_of(function: Any) -> Parameters:
    """The parameters of a function.

    >>> parameters_of(lambda x, *xs, k=1, **named: 0)
    Parameters(positional=('x',), rest=('xs',), named=('k',), gathered=('named',))
    """
    code = function.__code__
    count, named = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    names = code.co_varnames
    behind = named + bool(code.co_flags & 4)
    gathered = names[behind : behind + bool(code.co_flags & 8)]
    return Parameters(names[:count], names[named:behind], names[count:named], gathered)


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
        self.cache, self.positional, self.names, self.typed = cache, positional, tuple(names), typed
        self.entries, self.mark = inside(cache)
        self.missed, self.counted = self.misses(), self.count()
        self.parameters = parameters_of(under_all(cache))

    def stored(self, given: tuple[Any, ...]) -> tuple[Any] | None:
        """What the cache has, if it has something, for a call by these values of all parameters; it is asked
        as the program asks it."""
        values, rest = self.parameters.values(given), self.parameters.rest
        args = tuple([values[name] for name in self.parameters.positional[: self.positional]])
        args += values[rest[0]] if rest else ()
        named = {name: values[name] for name in self.names}
        return (self.cache(*args, **named),) if self._key(args, named) in self.entries else None

    def are_more(self) -> bool:
        """Whether the cache has been asked for what it did not have, since this is here, or the cache was
        looked at anew."""
        return bool(self.entries) and self.misses() != self.missed

    def count(self) -> int:
        """How often the cache was asked."""
        info = self.cache.cache_info()
        return int(info.hits + info.misses)

    def misses(self) -> int:
        """How often the cache was asked for what it did not have."""
        return int(self.cache.cache_info().misses)

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


def values_given(function: Any, args: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[Any, ...]:
    """The values of all parameters of a function in a call that it takes.

    >>> values_given(lambda x, y=2, *, z=3: 0, (1,), {"z": 5})
    (1, 2, 5)
    >>> values_given(lambda x, *xs, **rest: 0, (1, 4), {"z": 5})
    (1, (4,), {'z': 5})
    """
    found = parameters_of(function)
    count, defaults = len(found.positional), function.__defaults__ or ()
    known = dict(zip(found.positional[count - len(defaults) :], defaults, strict=True))
    known = {**known, **(function.__kwdefaults__ or {}), **named}
    own = [*args[:count], *[known[name] for name in found.positional[len(args) :]]]
    rest = [args[count:]] if found.rest else []
    others = {name: value for name, value in named.items() if name not in (*found.positional, *found.named)}
    return (*own, *rest, *[known[name] for name in found.named], *([others] if found.gathered else []))


def inside(cache: Any) -> tuple[dict[Any, Any], Any]:
    """The table of a cache, which stands in front of what it calls, and what stands behind that: what it puts
    between positional arguments and others. Nothing where that is not so."""
    found = gc.get_referents(cache)
    for place in range(len(found) - 2, 0, -1):
        if found[place] is cache.__wrapped__ and type(found[place - 1]) is dict:
            return found[place - 1], found[place + 1]
    return {}, None
