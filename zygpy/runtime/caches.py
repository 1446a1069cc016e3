"""What functions under `functools.lru_cache` give, which are entered where the cache would be asked."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError

SETTLED = (str, bytes, bool, type(None), int, float, complex, np.generic, type)
"""Classes of results that are the same whenever they are computed again."""


def is_settled(result: Any) -> bool:
    """Whether a result is as good as one that is computed again.

    >>> is_settled((1.5, "text", np)), is_settled((1.5, [])), is_settled(ModuleType("numpy"))
    (True, False, False)
    """
    if isinstance(result, tuple):
        return all(map(is_settled, result))
    if isinstance(result, ModuleType):  # which imports give again
        return sys.modules.get(result.__name__) is result
    return isinstance(result, SETTLED)


def entered_again(function: Any, what: str) -> UnsupportedSyntaxError:
    """The error for a function under a cache that is entered where the cache would be asked."""
    name = getattr(function, "__qualname__", function)
    return UnsupportedSyntaxError(
        f"'{name}', a function under a cache, {what}.",
        why="the cache is not asked: the function is entered whenever values are differentiated",
        instead="call it without the cache, by `__wrapped__`, or keep what it gives in a dict of your own",
    )
