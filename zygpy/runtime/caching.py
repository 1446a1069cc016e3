"""What `functools.lru_cache` makes of a function, as a program: of those that a program itself puts under it.

What is given by whole numbers, texts and the like is kept, and is one thing however often it is asked for.
Called with other numbers a function is entered each time: two that are equal may have gradients of their own.
So may whole numbers, which is seen where the gradient of one comes to be asked for.
"""

from __future__ import annotations

from typing import Any

KEYS = (int, str, bytes, bool, type(None), type, range, slice)
"""Classes of arguments that have no gradient, and can be looked up in a dict."""


def may_be_kept(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether what a function gives for these arguments is kept.

    >>> may_be_kept((1, ("a", None)), {"k": 2}), may_be_kept((1.5,), {})
    (True, False)
    """
    return all(map(_is_key, args)) and all(map(_is_key, kwargs.values()))


def _is_key(value: Any) -> bool:
    return all(map(_is_key, value)) if type(value) in (tuple, frozenset) else isinstance(value, KEYS)


def alone(number: Any) -> Any:
    """A whole number that is looked up, by which what is found has no derivative that is known.

    >>> alone(3)
    3
    """
    return number


def _given(value: Any) -> Any:
    if type(value) is tuple:
        return tuple([_given(item) for item in value])
    return alone(value) if isinstance(value, int) else value


def under_a_cache(user_function: Any, maxsize: Any, typed: Any, cache_info: Any, /) -> Any:
    """`functools._lru_cache_wrapper(user_function, maxsize, typed, cache_info)`."""
    kept: dict[Any, Any] = {}
    last_asked: list[Any] = []

    def asked(*args: Any, **kwargs: Any) -> Any:
        if maxsize == 0 or not may_be_kept(args, kwargs):
            return user_function(*args, **kwargs)
        types = (tuple(map(type, args)), tuple(map(type, kwargs.values()))) if typed else None
        key = (args, tuple(kwargs.items()), types)
        if key in kept:
            if maxsize is not None:
                last_asked.remove(key)
                last_asked.append(key)
            return kept[key]
        given = [_given(value) for value in args]
        result = user_function(*given, **{name: _given(value) for name, value in kwargs.items()})
        kept[key] = result
        if maxsize is not None:
            last_asked.append(key)
            if len(last_asked) > maxsize:
                del kept[last_asked.pop(0)]
        return result

    return asked
