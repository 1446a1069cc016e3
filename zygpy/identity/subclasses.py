"""Containers of other classes than `list` and `dict`: how they are made, and what stands behind `super()`."""

from __future__ import annotations

import operator
from collections import OrderedDict, defaultdict, deque
from collections.abc import Mapping
from types import BuiltinFunctionType, MethodDescriptorType, WrapperDescriptorType
from typing import Any

import numpy as np

from zygpy.analyse.array_writes import is_numpys
from zygpy.errors import UnsupportedSyntaxError
from zygpy.identity import bypassed
from zygpy.identity.calls import Prefixed, Trimmed, call
from zygpy.identity.classes import is_walked_by_c, python_method
from zygpy.rules import declare
from zygpy.runtime import places
from zygpy.runtime.accumulate import accumulate
from zygpy.runtime.native import (
    CONTAINERS,
    FACTORY,
    SEQUENCES,
    is_of_another_class,
    items_of,
    native,
    of_c_code,
    size_of,
)
from zygpy.runtime.nesting import as_rows
from zygpy.runtime.places import Ignored
from zygpy.runtime.protocols import COMPARING_METHODS, check_all_comparing
from zygpy.runtime.queues import queue_method
from zygpy.runtime.replaced import asked_dict, extended, listed, made_dict, put_in_order
from zygpy.runtime.ways import Way


def made(way: Way, cls: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`cls(*args, **kwargs)` for a class of containers whose objects are made and filled by C code."""
    instance = cls.__new__(cls)
    _, back = initialised(way, instance, args, kwargs)
    return instance, back


def initialised(way: Way, value: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`value.__init__(*args, **kwargs)` as the C code does it; the first cotangent is not the object's."""
    if isinstance(value, defaultdict) and args:
        native(value, "__init__")(args[0])
        _, back = filled(way, value, args[1:], kwargs)
        return None, WithFactory(value, back)
    if isinstance(value, deque):
        bound = args[1] if len(args) > 1 else kwargs.get("maxlen")
        native(value, "__init__")((), bound)
        items = args[:1] or tuple(kwargs[name] for name in ("iterable",) if name in kwargs)
        _, back = filled(way, value, items, {})
        return None, WithBound(back, len(args) + len(kwargs))
    return filled(way, value, args, kwargs)


def filled(way: Way, value: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A container takes what it holds from an iterable, or from keywords, as the C code does it; the first
    cotangent is not the container's."""
    if not args and not kwargs:
        return None, Ignored(1)
    apart = not isinstance(value, dict) and not is_walked_by_c(args[0], AT_ONCE)
    if apart and python_method(value, "append") is None:
        _, back = call(way, extended, value, *args, **kwargs)
        return None, Trimmed(back, 0, 1)
    if not isinstance(value, dict):
        items, read = call(way, listed, *args, **kwargs)
        _, back = native_method(way, value, "extend", (items,), {})
        return None, Taken(read, back)
    if isinstance(value, OrderedDict) and python_method(value, "__setitem__") is not None:
        raise UnsupportedSyntaxError(
            f"a {type(value).__name__} is filled by C code that calls its '__setitem__'.",
            why="what that method does is not recorded then",
            instead="store the items one by one",
        )
    program = asked_dict if isinstance(value, OrderedDict) else made_dict
    table, read = call(way, program, *args, **kwargs)
    _, back = places.dict_method(value, "update", (table,), {})
    return None, Taken(read, back)


AT_ONCE = (list, tuple, dict, set, frozenset, deque, np.ndarray)
"""What gives its items without code that may look at what takes them."""


class Taken:
    """The pullback of filling a container with what was read into another one."""

    def __init__(self, read: Any, back: Any) -> None:
        self.read, self.back = read, back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        self.back(None, store)
        return self.read(None, store)


class WithFactory:
    """The pullback of making a `defaultdict`: what it makes values with has a place in it."""

    def __init__(self, owner: Any, back: Any) -> None:
        self.owner, self.back = owner, back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        own, *rest = self.back(None, store)
        return (own, store.take_key(self.owner, FACTORY), *rest)


class WithBound:
    """The pullback of making a `deque`, whose length may be bounded."""

    def __init__(self, back: Any, count: int) -> None:
        self.back, self.count = back, count

    def __call__(self, y_bar: Any, store: Any) -> Any:
        bars = tuple(self.back(None, store))
        return (*bars, *(None,) * (1 + self.count - len(bars)))


def missing(way: Way, value: Any, key: Any) -> Any:
    """`value[key]` where a dict of another class has no such key; None where that is an error."""
    found = python_method(value, "__missing__")
    if found is not None:
        return call(way, found, value, key)
    return _by_factory(way, value, key)


def _by_factory(way: Way, value: Any, key: Any) -> Any:
    """The same as a `defaultdict` does it; None for any other, or one that makes nothing."""
    if not isinstance(value, defaultdict) or value.default_factory is None:
        return None
    y, back = call(way, value.default_factory)
    native(value, "__setitem__")(key, y)
    return y, Made(value, key, y, back)


class Made:
    """The pullback of the value that a `defaultdict` makes for a key."""

    def __init__(self, owner: Any, key: Any, value: Any, back: Any) -> None:
        self.owner, self.key, self.value, self.back = owner, key, value, back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        left = store.add(self.value, y_bar)
        whole = accumulate(store.take_key(self.owner, self.key), left)
        store.add_key(self.owner, FACTORY, self.back(whole, store)[0])
        return (None, None, None)


def native_method(way: Way, value: Any, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A method of a container as its C code does it; the first cotangent is the receiver's. None for what
    only `object` has."""
    if name == "__init__":
        return initialised(way, value, args, kwargs)
    name = "copy" if name == "__copy__" else name
    special = _of_protocol(way, value, name, args) if name in OF_ITEMS else None
    special = joined_by_method(value, name, args) if name in BY_NAME else special
    if special is None and name == "copy" and is_of_another_class(value):
        special = bypassed.own_copy(way, value)
    if special is not None:
        return special
    if isinstance(value, dict):
        bypassed.refuse_asking_items(value, name)
        return places.dict_method(value, name, args, kwargs)
    if name in COMPARING_METHODS:
        check_all_comparing((*items_of(value), *args), "==")
    if isinstance(value, deque):
        return queue_method(value, name, args)
    if name == "sort":
        y, back = call(way, put_in_order, value, *args, **kwargs)
        return y, Trimmed(back, 0, 1)
    return places.list_method(value, name, args)


OF_ITEMS = ("__getitem__", "__missing__", "__setitem__", "__delitem__")


def _of_protocol(way: Way, value: Any, name: str, args: tuple[Any, ...]) -> Any:
    """The methods that stand behind `x[i]`."""
    if name == "__getitem__":
        y, back = (lacks(value, args[0]) and missing(way, value, *args)) or (places.read_entry(value, *args))
        return y, Trimmed(back, 0, 1)
    if name == "__missing__" and isinstance(value, defaultdict):
        made = _by_factory(way, value, *args)
        return (native(value, name)(*args), Ignored(2)) if made is None else (made[0], Trimmed(made[1], 0, 1))
    if name == "__setitem__":
        return None, Written(places.write_entry(value, *args))
    if name == "__delitem__":
        return None, Written(places.delete_entry(value, *args), count=2)
    return None


def lacks(value: Any, key: Any) -> bool:
    """Whether a value is a dict that does not hold a key."""
    return isinstance(value, dict) and not native(value, "__contains__")(key)


class Written:
    """The pullback of a method that changes an item."""

    def __init__(self, back: Any, count: int = 3) -> None:
        self.back, self.count = back, count

    def __call__(self, y_bar: Any, store: Any) -> Any:
        bar = self.back(store)
        return (None, None, bar)[: self.count]


def unbound(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`list.append(xs, v)`: a method of a class of containers that is given its object."""
    if not isinstance(function, MethodDescriptorType | WrapperDescriptorType):
        return None
    if not (issubclass(function.__objclass__, CONTAINERS) and args):
        return None
    if not isinstance(args[0], function.__objclass__):
        return None
    if of_c_code(args[0], function.__name__) is not function:
        raise UnsupportedSyntaxError(
            f"'{function.__qualname__}' is called with a {type(args[0]).__name__}.",
            why="that class has another method of this name, and what is done without it is not known",
            instead=f"call the method of the object: `o.{function.__name__}(...)`",
        )
    y, back = native_method(way, args[0], function.__name__, args[1:], kwargs)
    return y, Prefixed(back)


def joined(function: Any, args: tuple[Any, ...]) -> Any:
    """`a | b` of dicts, and `a + b` and `a * n` of lists and queues where one is of another class, as the C
    code does it; None for anything else."""
    names = JOINING.get(function) if isinstance(function, BuiltinFunctionType) else None
    if names is None or any(python_method(arg, name) for arg, name in zip(args, names, strict=True)):
        return None
    bypassed.refuse_asking_parts(args)
    if function is operator.or_:
        return places.merge(*args) if all(isinstance(arg, dict) for arg in args) else None
    sequences = [arg for arg in args if isinstance(arg, SEQUENCES)]
    if len(sequences) != (2 if function is operator.add else 1) or all(
        type(arg) is list for arg in sequences
    ):
        return None
    y = function(*args)
    return y, Joined(sequences, y)


def joined_by_method(value: Any, name: str, args: tuple[Any, ...]) -> Any:
    """The same where a method is called by its name: `xs.__add__(ys)`; None for any other method."""
    if name not in BY_NAME or len(args) != 1:
        return None
    bypassed.refuse_asking_parts((value, *args))
    y = native(value, name)(*args)
    if y is NotImplemented:
        return y, Ignored(2)
    parts = (args[0], value) if name == "__ror__" else (value, *args)
    if isinstance(value, dict):
        return y, Shortened(places.Merged(*parts, y))
    return y, Shortened(Joined([part for part in parts if isinstance(part, SEQUENCES)], y))


BY_NAME = ("__add__", "__mul__", "__rmul__", "__or__", "__ror__")
"""The methods that make a new container of the items of others."""


class Shortened:
    """The pullback of an operator as that of a method: without a cotangent of the operator."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return self.back(y_bar, store)[1:]


JOINING: Mapping[Any, tuple[str, str]] = {
    operator.or_: ("__or__", "__ror__"),
    operator.add: ("__add__", "__radd__"),
    operator.mul: ("__mul__", "__rmul__"),
}
"""Operators on containers, and the methods in Python of either operand that come first."""


class Joined:
    """The pullback of a new sequence that has the items of others, behind each other or again and again.
    (A queue of bounded length has the last of them.)"""

    def __init__(self, parts: list[Any], y: Any) -> None:
        self.y, self.parts = y, parts
        self.lengths = {id(part): size_of(part) for part in parts}
        self.origins = [(part, place) for part in parts for place in range(size_of(part))]

    def __call__(self, y_bar: Any, store: Any) -> Any:
        taken = store.take_entries(self.y) or []
        count = len(self.origins)
        for place, bar in enumerate(taken):
            number = place + count - len(taken) if len(self.parts) > 1 else place - len(taken)
            owner, position = self.origins[number % count]
            store.add_entry(owner, self.lengths[id(owner)], position, bar)
        return (None, None, None)


def listed_for_a_rule(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A function of NumPy that is given lists of other classes, or queues, takes the items out of them; None
    where it is not given any."""
    rule = declare.find(function)
    if rule is None or rule.style == "none" or not (is_numpys(function) or function is as_rows):
        return None
    given = (*args, *kwargs.values())
    if not any(map(_is_taken_for_a_list, given)):
        return None
    read = [call(way, listed, arg) if _is_taken_for_a_list(arg) else (arg, None) for arg in given]
    lists = [arg for arg, _ in read]
    y, back = call(way, function, *lists[: len(args)], **dict(zip(kwargs, lists[len(args) :], strict=True)))
    return y, FromLists(back, [reader for _, reader in read])


def _is_taken_for_a_list(value: Any) -> bool:
    """Whether NumPy sees a list with these items in a container of another class."""
    if not is_of_another_class(value) or isinstance(value, dict):
        return False
    asked = any(hasattr(type(value), name) for name in AS_ARRAYS)
    return not asked and python_method(value, "__iter__") is None


AS_ARRAYS = ("__array__", "__array_ufunc__", "__array_function__")
"""Methods by which NumPy asks a class of objects what it is to make of them."""


class FromLists:
    """The pullback of a primitive whose arguments were read into lists."""

    def __init__(self, back: Any, readers: list[Any]) -> None:
        self.back, self.readers = back, readers

    def __call__(self, y_bar: Any, store: Any) -> Any:
        bars = list(self.back(y_bar, store))
        for place, reader in enumerate(self.readers, 1):
            if reader is not None:
                bars[place] = reader(None, store)[1]
        return tuple(bars)
