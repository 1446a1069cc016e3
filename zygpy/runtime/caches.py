"""What `functools.lru_cache` makes of a function of a program: an object with a dict, which is differentiated
as the program's own objects are."""

from __future__ import annotations

from collections.abc import Mapping
from types import MethodType
from typing import Any, NamedTuple, final

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.harmless import is_harmless
from zygpy.runtime.lookup import in_class


class CacheInfo(NamedTuple):
    """What a cache tells of itself, as Python's own do."""

    hits: int
    misses: int
    maxsize: int | None
    currsize: int


SEPARATOR = ("keywords of a call",)
"""What stands between the positional arguments and the keywords."""

SETTLED = (str, bytes, bool, type(None), int, float, complex, np.generic, type)
"""Classes of results that are the same whenever they are computed again."""


@final
class KeptCalls:
    """A function that gives once more what it gave to the same arguments before.

    Its table is a dict in the order in which its entries were asked for, the latest at its end. Where a float
    or a complex number is among the arguments the function is asked again, as two equal numbers may depend on
    different things.
    """

    def __init__(self, function: Any, maxsize: int | None, typed: bool) -> None:
        self.asked_function = function
        self.maxsize = maxsize
        self.typed = typed
        self.table: dict[Any, Any] = {}
        self.counts = [0, 0]
        self.keys_with_numbers: set[Any] = set()

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        key = key_of(args, kwargs, self.typed)
        if self.maxsize == 0 or has_floats(key):
            return self.anew(key, args, kwargs)
        if key in self.table:
            count(self.counts, 0)
            result = self.table[key]
            if self.maxsize is not None:
                del self.table[key]
                self.table[key] = result
            return result
        result = self.asked_function(*args, **kwargs)
        count(self.counts, 1)
        if key in self.table:
            return result
        self.table[key] = result
        if self.maxsize is not None and len(self.table) > self.maxsize:
            del self.table[oldest(self.table)]
        return result

    def anew(self, key: Any, args: Any, kwargs: Any) -> Any:
        result = self.asked_function(*args, **kwargs)
        if self.maxsize != 0:
            check_is_settled(self.asked_function, self.keys_with_numbers, key, result)
        return result

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def cache_info(self) -> CacheInfo:
        """How often the cache knew an answer, how often it did not, and its sizes."""
        return info(self.counts, self.maxsize, len(self.table))

    def cache_clear(self) -> None:
        """Forget all answers."""
        self.table.clear()
        forget(self.counts, self.keys_with_numbers)


def kept_calls(user_function: Any, maxsize: Any, typed: Any, cache_info_type: Any) -> Any:
    """`functools._lru_cache_wrapper`."""
    return KeptCalls(user_function, maxsize, typed)


# The rest is bookkeeping, through which no gradient goes.


def key_of(args: tuple[Any, ...], kwargs: Mapping[str, Any], typed: bool) -> Any:
    """What stands for the arguments of a call in a table.

    >>> key_of((2,), {}, False), key_of((2, 3.0), {}, True)
    (2, (2, 3.0, <class 'int'>, <class 'float'>))
    """
    key = args
    if kwargs:
        key += SEPARATOR
        for item in kwargs.items():
            key += item
    if typed:
        key += tuple(type(value) for value in args)
        key += tuple(type(value) for value in kwargs.values())
    elif len(key) == 1 and type(key[0]) in (int, str):
        return key[0]
    hash(key)
    return key


def has_floats(key: Any) -> bool:
    """Whether there are numbers among arguments that may depend on something, or objects that say what they
    are equal to.

    >>> has_floats((2, "name", 3.5)), has_floats((2, ("name", None)))
    (True, False)
    """
    if isinstance(key, tuple | frozenset):
        return any(map(has_floats, key))
    if isinstance(key, int | str | bytes | type | None):
        return False
    return (
        isinstance(key, float | complex | np.generic)
        or in_class(type(key), "__eq__", None) is not object.__eq__
    )


def count(counts: list[int], which: int) -> None:
    """Count a call."""
    counts[which] += 1


def forget(counts: list[int], keys: set[Any]) -> None:
    """Count from the beginning."""
    counts[:] = [0, 0]
    keys.clear()


def info(counts: list[int], maxsize: int | None, size: int) -> CacheInfo:
    """What a cache tells of itself."""
    hits, misses = counts
    return CacheInfo(hits, misses, maxsize, size)


def oldest(table: Mapping[Any, Any]) -> Any:
    """The key that was not asked for longest."""
    return next(iter(table))


def is_settled(result: Any) -> bool:
    """Whether a result is as good as one that is computed again."""
    if isinstance(result, tuple):
        return all(map(is_settled, result))
    return isinstance(result, SETTLED)


def check_is_settled(function: Any, keys: set[Any], key: Any, result: Any) -> None:
    """Refuse a second call with the same numbers, if anybody could tell that the function was asked again."""
    if key not in keys:
        keys.add(key)
    elif not is_settled(result):
        raise entered_again(function, "gives a thing that can be changed")
    elif not is_harmless(function, object):
        raise entered_again(function, "may change something")


def entered_again(function: Any, what: str) -> UnsupportedSyntaxError:
    """The error for a function under a cache that is entered where the cache would be asked."""
    name = getattr(function, "__qualname__", function)
    return UnsupportedSyntaxError(
        f"'{name}', a function under a cache, {what}.",
        why="the cache is not asked: the function is entered whenever values are differentiated",
        instead="call it without the cache, by `__wrapped__`, or keep what it gives in a dict of your own",
    )
