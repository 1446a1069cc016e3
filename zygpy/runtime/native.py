"""Containers of other classes than `list` and `dict`: what their C code does, and queues."""

from __future__ import annotations

import gc
from collections import OrderedDict, defaultdict, deque
from collections.abc import Mapping
from types import FunctionType
from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.lookup import own_fields

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


def check_beside_items(value: Any) -> None:
    """Refuse a tuple of a program's own class with fields that may hold numbers.

    >>> class Pair(tuple): pass
    >>> pair = Pair((1.0, 2.0))
    >>> pair.name = "a"
    >>> check_beside_items(pair)
    """
    cls = type(value)
    if cls is tuple or cls.__module__.startswith("scipy."):
        return
    if not all(isinstance(field, NOT_NUMBERS) for field in own_fields(value).values()):
        raise holds_items_and_fields(value)


NOT_NUMBERS = (str, bytes, bool, type(None), type, FunctionType)
"""Classes of values without gradients, or that are found elsewhere."""


def holds_items_and_fields(value: Any) -> UnsupportedSyntaxError:
    """The error for a container whose gradient would have to be two things."""
    return UnsupportedSyntaxError(
        f"a {type(value).__name__} holds items and has fields.",
        why="the gradient of such an object would be both a container and a record",
        instead="keep the container in a field of its own",
    )


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
    found = of_c_code(value, name)
    return getattr(value, name) if found is None else found.__get__(value)  # which raises if there is none


def of_c_code(value: Any, name: str) -> Any:
    """The same as the class has it; None if there is none."""
    for cls in type(value).__mro__:
        found = cls.__dict__.get(name)
        if found is not None and not isinstance(found, FunctionType):
            return found
    return None


def size_of(container: Any) -> int:
    """How many items a container has, whatever its class says of its length.

    >>> class Hollow(list):
    ...     def __len__(self):
    ...         return 0
    >>> len(Hollow([3, 4])), size_of(Hollow([3, 4]))
    (0, 2)
    """
    count: int = len(container) if type(container) in PLAIN else native(container, "__len__")()
    return count


PLAIN = (list, tuple, dict)
"""Classes that say what their C code does."""


def items_of(container: Any) -> list[Any]:
    """The items of a container, or the keys of a dict, whatever its class says of its iteration."""
    return list(container if type(container) in PLAIN else native(container, "__iter__")())


def stored_keys(table: Any) -> list[Any]:
    """The keys of a dict in the order of its values, whatever its class says of them.

    >>> stored_keys(OrderedDict(b=1, a=2))
    ['b', 'a']
    """
    return list(native(table, "keys")())


def is_copied_by_c(table: Any) -> bool:
    """Whether `dict(table)` takes what a dict holds without asking its class, as it does unless the iteration
    is another one.

    >>> class Loud(dict):
    ...     def __getitem__(self, key):
    ...         return "!"
    >>> dict(Loud(a=1)), is_copied_by_c(Loud()), is_copied_by_c(OrderedDict())
    ({'a': 1}, True, False)
    """
    return isinstance(table, dict) and type(table).__iter__ is dict.__iter__


def plain_dict(table: Any) -> Any:
    """A plain dict of what a dict holds, whose class is not asked; known to the run-time door."""
    return dict.copy(table)


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


TAKEN: Mapping[str, tuple[int, int]] = {
    **dict.fromkeys(("append", "appendleft", "extend", "extendleft"), (1, 1)),
    **dict.fromkeys(("add", "count", "discard", "remove"), (1, 1)),
    **dict.fromkeys(("clear", "copy", "items", "keys", "popleft", "reverse", "sort", "values"), (0, 0)),
    "insert": (2, 2),
    "index": (1, 3),
    "get": (1, 2),
    "rotate": (0, 1),
}
"""How many arguments methods of builtin containers take at least and at most, by position."""


def is_taken(value: Any, name: str, args: Any, kwargs: Any) -> bool:
    """Whether a builtin container's method by this name may take such arguments: where it cannot, calling it
    raises and does nothing.

    >>> is_taken({}, "copy", (), {"deep": True}), is_taken([], "sort", (), {"reverse": True})
    (False, True)
    """
    named: set[str] = {"key", "reverse"} if name == "sort" else set()
    if not kwargs.keys() <= named and not _may_be_by_name(value, name):
        return False
    least, most = (0, 0) if name == "pop" and is_set(value) else TAKEN.get(name, (0, len(args)))
    return least <= len(args) <= most


def _may_be_by_name(value: Any, name: str) -> bool:
    """Whether a method of a builtin container may take arguments by name."""
    return name == "__init__" or (isinstance(value, dict) and name not in TAKEN)
