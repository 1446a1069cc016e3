"""Containers of other classes than `list` and `dict`: what their C code does, and queues."""

from __future__ import annotations

import gc
from collections import OrderedDict, defaultdict, deque
from types import FunctionType
from typing import Any

import numpy as np

CONTAINERS = (list, dict, deque)
"""Builtin classes whose objects hold items, and can be changed."""

SEQUENCES = (list, deque)
"""Those whose items are known by position."""

SETS = (set, frozenset)
"""Builtin classes whose objects hold elements that are found by equality."""

OTHERS = (deque, defaultdict, OrderedDict)
"""Classes of containers besides `list` and `dict` that are written in C."""

POSITIONAL: Any = tuple(
    type(iterator) for iterator in (iter([]), iter(()), iter(np.ones(1)), reversed([]), reversed(()))
)
"""Iterators that know their sequence and position."""


def is_of_another_class(value: Any) -> bool:
    """Whether a value is a container, and neither a plain list nor a plain dict.

    >>> is_of_another_class(deque()), is_of_another_class([]), is_of_another_class(1)
    (True, False, False)
    """
    return isinstance(value, CONTAINERS) and type(value) not in (list, dict)


def is_set(value: Any) -> bool:
    """Whether a value is a plain set, whose elements have their cotangents in it.

    >>> is_set({1.5}), is_set(frozenset()), is_set({1.5: 1})
    (True, True, False)
    """
    return type(value) in SETS


def native(value: Any, name: str) -> Any:
    """The method that the C code of a container's class has under a name, whatever Python code stands
    before it.

    >>> class Doubling(list):
    ...     def append(self, item):
    ...         super().append(2 * item)
    >>> doubled = Doubling()
    >>> native(doubled, "append")(3)
    >>> doubled
    [3]
    """
    for cls in type(value).__mro__:
        found = cls.__dict__.get(name)
        if found is not None and not isinstance(found, FunctionType):
            return found.__get__(value)
    return getattr(value, name)  # which raises


def table_of(view: Any) -> Any:
    """The dict that a view, or an iterator over one, belongs to, and the set of an iterator over a set; None
    if the iterator has ended.

    >>> d = {"a": 1}
    >>> table_of(d.values()) is d, table_of(iter(d.items())) is d
    (True, True)
    """
    return next((held for held in gc.get_referents(view) if isinstance(held, (dict, *SETS))), None)


def state_of(iterator: Any) -> Any:
    """What an iterator that knows its sequence and position says of them: `(..., (sequence, ...), position)`,
    and less when it has ended.

    >>> state_of(iter([3, 4]))[1:]
    (([3, 4],), 0)
    """
    return iterator.__reduce__()


def closure_of(value: Any) -> Any:
    """The shared variables of a function; None of anything else."""
    return getattr(value, "__closure__", None)


GIVING_THINGS = frozenset((native, table_of, state_of, closure_of))
"""Functions that give things of what they are given."""


class _Factory:
    """The place of what a `defaultdict` makes its values with."""


FACTORY = _Factory()


def place_of_attribute(value: Any, name: str) -> Any:
    """Under what an attribute has its place in a thing: its name, which in a dict would be a key's."""
    return FACTORY if isinstance(value, defaultdict) and name == "default_factory" else name
