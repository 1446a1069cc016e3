"""Whether the objects that are there when a program runs answer operators, questions and attributes without a
change: no text of the program needs to name their classes."""

from __future__ import annotations

import gc
import sys
from collections import OrderedDict, defaultdict, deque
from types import CellType, FunctionType, MappingProxyType
from typing import Any

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.lookup import HEAP_TYPE, in_class
from zygpy.runtime.platform_code import is_installed, is_platform
from zygpy.runtime.stillness import is_still

HOLDING: frozenset[type] = frozenset(
    {list, tuple, dict, set, frozenset, deque, OrderedDict, defaultdict, CellType, MappingProxyType}
)
"""Classes of Python's own whose objects hold others."""


TELLING = frozenset({"items", "values", "keys", "flatten", "ravel", "tolist", "copy"})
"""Methods of Python's own classes, and NumPy's, that change nothing."""

GIVING = "__zygpy_giving__"
"""The attribute of what gives a generator's items in a list that tells which methods by one name are known to
give items and do nothing else."""


def check_still(*values: Any) -> None:
    """Refuse objects, also those that are held by these, of which an operator or attribute may change
    something: the items of a generator are in a list by then. Where one of the values tells which methods
    are asked for items, so that objects are refused that have others by the same name.

    >>> check_still([2.0, {"a": (1, None)}])
    """
    giving = frozenset().union(
        *(vars(value).get(GIVING, ()) for value in values if type(value) is FunctionType)
    )
    name = next((one.__name__ for one in giving), None)
    known: dict[type, bool] = {}
    seen: set[int] = set()
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        cls = type(value)
        if cls not in known:
            known[cls] = _is_followed(cls)
        if name is not None:
            _check_method(value, name, giving)
        if known[cls] and id(value) not in seen:
            seen.add(id(value))
            waiting.extend(gc.get_referents(value))


def _check_method(value: Any, name: str, giving: frozenset[Any]) -> None:
    """Refuse an object that has something else by the name of the methods that are known to give items."""
    if isinstance(value, type):
        return
    cls = type(value)
    found = in_class(cls, name, None)
    if found is None or found in giving:
        plain = found is None or in_class(cls, "__getattribute__") is object.__getattribute__
        if plain and name not in getattr(value, "__dict__", ()):
            return
    elif name in TELLING and (not cls.__flags__ & HEAP_TYPE or _is_elsewhere(cls)):
        return
    raise UnsupportedSyntaxError(
        f"a loop over a generator has an object of '{cls.__qualname__}' whose '{name}' may change something.",
        why="all of the generator's items were taken at once: it was not known when this was derived",
        instead="define the class with all of its methods in a module, before the first derivative",
    )


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
