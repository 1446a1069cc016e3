"""Calls of code in C whose results have no derivative by what they are given, which may be variables."""

from __future__ import annotations

from collections.abc import Mapping
from types import BuiltinFunctionType
from typing import Any

from zygpy.runtime.draw_programs import draws_as_it_stands

OF_TEXTS = frozenset({"re", "_sre", "_json", "unicodedata"})
"""Modules that are about texts, in which whole numbers are positions, lengths and flags."""

SETTINGS = (str, bytes, int, type(None))


def stands_as_it_is(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Whether a call is made as it stands, and what it gives is a constant.

    >>> import re
    >>> match = re.match("a(b)", "ab")
    >>> stands_as_it_is(match.group, (1,), {}), stands_as_it_is(abs, (1,), {})
    (True, False)
    """
    return _reads_texts(function, (*args, *kwargs.values())) or draws_as_it_stands(function, args, kwargs)


def _reads_texts(function: Any, given: tuple[Any, ...]) -> bool:
    """Whether a callable is a function, an object or a method of code in C about texts, and is given texts
    and whole numbers."""
    owner = getattr(function, "__self__", None)
    modules = (type(owner).__module__, type(function).__module__, getattr(function, "__module__", None))
    if OF_TEXTS.isdisjoint(modules) or hasattr(function, "__code__") or _calls_others(function):
        return False
    return all(isinstance(value, SETTINGS) for value in given)


def _calls_others(function: Any) -> bool:
    """Whether a reader of JSON calls functions in Python for what it reads."""
    hooks = [getattr(function, name, None) for name in HOOKS]
    return not all(hook is None or isinstance(hook, type | BuiltinFunctionType) for hook in hooks)


HOOKS = ("object_hook", "object_pairs_hook", "parse_float", "parse_int", "parse_constant")
