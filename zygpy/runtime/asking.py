"""Which functions in Python may ask for an attribute by its name, where they are called as they are."""

from __future__ import annotations

from types import FunctionType, MethodType
from typing import Any

from zygpy.runtime.partials import CACHED
from zygpy.runtime.platform_code import is_platform
from zygpy.runtime.reads import globals_of, mentioned


def asks_for(function: Any, name: str) -> bool:
    """Whether a function mentions a name, or calls one by a global variable that does: of the program's own.

    >>> def outer(x): return inner(x)
    >>> def inner(x): return x.cache_info()
    >>> outer.__globals__["inner"] = inner
    >>> asks_for(outer, "cache_info"), asks_for(outer, "cache_clear"), asks_for(print, "cache_info")
    (True, False, False)
    """
    waiting, seen = [function], set[int]()
    while waiting:
        one = _in_python(waiting.pop())
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        if name in mentioned(one.__code__):
            return True
        space = one.__globals__
        waiting += [space[known] for known in globals_of(one.__code__) if known in space]
    return False


def _in_python(function: Any) -> FunctionType | None:
    """The program's function that is called; None of any other."""
    function = function.__func__ if isinstance(function, MethodType) else function
    function = function.__wrapped__ if isinstance(function, CACHED) else function
    own = type(function) is FunctionType and not is_platform(function.__code__.co_filename)
    return function if own else None
