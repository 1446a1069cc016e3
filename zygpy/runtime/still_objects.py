"""Whether the objects that are there when a program runs answer operators, questions and attributes without a
change: no text of the program needs to name their classes."""

from __future__ import annotations

import gc
import sys
from collections import OrderedDict, defaultdict, deque
from types import CellType, MappingProxyType
from typing import Any

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.lookup import HEAP_TYPE
from zygpy.runtime.platform_code import is_installed, is_platform
from zygpy.runtime.stillness import is_still

HOLDING: frozenset[type] = frozenset(
    {list, tuple, dict, set, frozenset, deque, OrderedDict, defaultdict, CellType, MappingProxyType}
)
"""Classes of Python's own whose objects hold others."""


def check_still(*values: Any) -> None:
    """Refuse objects, also those that are held by these, of which an operator or attribute may change
    something: the items of a generator are in a list by then.

    >>> check_still([2.0, {"a": (1, None)}])
    """
    known: dict[type, bool] = {}
    seen: set[int] = set()
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        cls = type(value)
        if cls not in known:
            known[cls] = _is_followed(cls)
        if known[cls] and id(value) not in seen:
            seen.add(id(value))
            waiting.extend(gc.get_referents(value))


def _is_followed(cls: type) -> bool:
    """Whether objects of a class are looked into. (A class that may change something is refused.)"""
    if not cls.__flags__ & HEAP_TYPE or _is_elsewhere(cls):
        return cls in HOLDING
    if not is_still(cls):
        raise UnsupportedSyntaxError(
            f"a loop over a generator has objects of '{cls.__qualname__}', which may change something when "
            "they are asked for an attribute, or by an operator.",
            why="all of the generator's items were taken at once: it was not known when this was derived",
            instead="define the class with all of its methods in a module, before the first derivative",
        )
    return True


def _is_elsewhere(cls: type) -> bool:
    """Whether a class is the platform's, or of a package that is installed."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return file is not None and (is_platform(file) or is_installed(file))
