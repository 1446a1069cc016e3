"""Sets of numbers: how they are made, changed and put together."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Mapping
from types import BuiltinFunctionType, MethodDescriptorType
from typing import Any

from zygpy.errors import UnsupportedSyntaxError
from zygpy.identity.calls import Prefixed, call
from zygpy.identity.subclasses import Taken
from zygpy.runtime.native import SETS, is_set
from zygpy.runtime.places import Ignored
from zygpy.runtime.protocols import check_all_comparing
from zygpy.runtime.replaced import grown_set, listed, shrunk_set
from zygpy.runtime.sets import TAKING, Combined, made_set, origins_by_identity, set_method
from zygpy.runtime.ways import Way


def by_function(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`set(items)`, `frozenset(items)`, `set.union(s, t)`, and operators on sets; None for anything else."""
    if function is set or function is frozenset:
        return _made(way, function, args, kwargs)
    if isinstance(function, MethodDescriptorType) and function.__objclass__ in SETS and is_set(args[0]):
        y, back = method(way, args[0], function.__name__, args[1:], kwargs)
        return y, Prefixed(back)
    if type(function) is not BuiltinFunctionType or kwargs:
        return None
    if function in OPERATORS and len(args) == 2 and all(map(is_set, args)):
        y, back = _of_items(way, args[0], OPERATORS[function], args[1:])
        return y, Prefixed(back)
    if function in OPERATORS and len(args) == 2 and any(type(arg) in KEYS for arg in args):
        return _of_keys(way, function, args)
    return None


OPERATORS: Mapping[Any, str] = {
    operator.or_: "union",
    operator.and_: "intersection",
    operator.sub: "difference",
    operator.xor: "symmetric_difference",
}
"""The methods that operators on two sets are."""

KEYS: tuple[type[Any], ...] = (type({}.keys()), type(OrderedDict[Any, Any]().keys()))
"""Classes of what `keys` of a dict gives, of which operators make sets."""

IN_PLACE: Mapping[str, str] = {
    "|": "update",
    "&": "intersection_update",
    "-": "difference_update",
    "^": "symmetric_difference_update",
}
"""The methods that augmented assignments to sets are."""


def _made(way: Way, cls: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    if kwargs or len(args) != 1:
        return cls(*args, **kwargs), Ignored(1 + len(args) + len(kwargs))
    if cls is frozenset and type(args[0]) is frozenset:
        return args[0], Ignored(2)
    items, read = call(way, listed, *args)
    check_hashing(items)
    y, back = made_set(cls, items)
    return y, Taken(read, back)


def check_hashing(items: Any) -> None:
    """Refuse elements that may change something when they are looked for."""
    check_all_comparing(items, "hash")
    check_all_comparing(items, "==")


def method(way: Way, value: Any, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`value.name(*args)` for a set; the first cotangent is the receiver's."""
    if kwargs:
        return getattr(value, name)(**kwargs), Ignored(1)  # which raises
    if name.startswith("__") and name not in ASKING:
        raise UnsupportedSyntaxError(
            f"the method '{name}' of a set is called by its name.",
            why="only the operators that it stands for are known",
            instead="use the operator, or the method of a plain name",
        )
    return _of_items(way, value, name, args)


ASKING = frozenset(
    {
        *("__contains__", "__len__", "__hash__", "__repr__", "__str__", "__format__", "__sizeof__"),
        *("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"),
    }
)
"""Methods through whose answers no gradient goes."""


def program_of(name: str, args: tuple[Any, ...]) -> Any:
    """The program that stands for a method which changes a set while it takes what it is given apart."""
    return None if all(map(_is_at_hand, args)) else PROGRAMS.get(name)


PROGRAMS: Mapping[str, Any] = {"update": grown_set, "difference_update": shrunk_set}


def _is_at_hand(items: Any) -> bool:
    """Whether iterating over what a set is given cannot fail in the middle."""
    return is_set(items) or type(items) in (list, tuple, dict, str, range)


def _of_items(way: Way, value: Any, name: str, args: tuple[Any, ...]) -> Any:
    """A method of a set whose arguments are sets, or are read into lists."""
    if name not in TAKING:
        check_hashing(args)
        return set_method(value, name, args)
    read = [(arg, None) if is_set(arg) else call(way, listed, arg) for arg in args]
    for items, _ in read:
        check_hashing(items)
    y, back = set_method(value, name, [items for items, _ in read])
    return y, FromLists(back, [reader for _, reader in read])


def _of_keys(way: Way, function: Any, args: tuple[Any, ...]) -> Any:
    """An operator on the keys of a dict, and the keys of another, a set, or what can be iterated over."""
    read = [(arg, None) if is_set(arg) else call(way, listed, arg) for arg in args]
    items = [found for found, _ in read]
    for found in items:
        check_hashing(found)
    y = function(*(arg if type(arg) in KEYS else found for arg, found in zip(args, items, strict=True)))
    back = Combined(items, origins_by_identity(y, items), y)
    return y, FromLists(back, [reader for _, reader in read])


class FromLists:
    """The pullback of a method whose arguments were read into lists."""

    def __init__(self, back: Any, readers: list[Any]) -> None:
        self.back, self.readers = back, readers

    def __call__(self, y_bar: Any, store: Any) -> Any:
        self.back(y_bar, store)
        bars: list[Any] = [None] * (1 + len(self.readers))
        for place in reversed(range(len(self.readers))):
            reader = self.readers[place]
            if reader is not None:
                bars[place + 1] = reader(None, store)[1]
        return tuple(bars)


def augmented(way: Way, symbol: str, value: Any, added: Any) -> Any:
    """`value op= added` for two sets, of which the first is changed: the pullback alone; None for other
    operands."""
    if type(value) is not set or symbol not in IN_PLACE or not is_set(added):
        return None
    return _of_items(way, value, IN_PLACE[symbol], (added,))[1]
