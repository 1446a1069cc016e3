"""Containers whose classes have methods in Python: C code asks some, and does the rest without them."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from collections.abc import Iterable, Mapping
from types import FunctionType
from typing import Any

from zygpy.errors import UnsupportedSyntaxError
from zygpy.identity.calls import Prefixed, call
from zygpy.identity.classes import python_method
from zygpy.runtime import places
from zygpy.runtime.lookup import in_class
from zygpy.runtime.native import is_copied_by_c, is_of_another_class, native, plain_dict
from zygpy.runtime.replaced import (
    paired_or_copied,
    put_in_order,
    refilled,
    refilled_deeply,
    refilled_table,
    refilled_table_deeply,
)
from zygpy.runtime.standard_library import done_to_list
from zygpy.runtime.store import form_of
from zygpy.runtime.ways import Way


def by_function(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A function that goes past the methods of the container that it is given; None for any other."""
    if function is plain_dict:
        y = plain_dict(*args)
        return y, PlainDict(places.CopyOf(args[0], y))
    if function is done_to_list:
        y, back = _done(way, args[0], args[1:], kwargs)
        return y, Prefixed(back)
    if function is put_in_order and _is_passed_by(args[0]):
        return on_plain_list(way, function, args, kwargs)
    return None


def _done(way: Way, program: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    if _is_passed_by(args[0]):
        return on_plain_list(way, program, args, kwargs)
    return call(way, program, *args, **kwargs)


def _is_passed_by(value: Any) -> bool:
    """Whether a value is a list with methods by which programs do item by item what C code does to it."""
    return isinstance(value, list) and is_of_another_class(value) and _has_own(value, ITEMWISE)


def _has_own(value: Any, names: tuple[str, ...]) -> bool:
    return any(python_method(value, name) is not None for name in names)


ITEMWISE = ("append", "pop", "__getitem__", "__setitem__", "__len__", "__iter__", "__bool__")
"""These methods."""


# ------------------------------------------------------------------------------------------ programs


def on_plain_list(way: Way, program: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A program that changes a list, done to a plain list of the same items, which are then stored, also
    where it ends with an exception."""
    value, *rest = args
    plain, copied = places.list_method(value, "copy", ())
    try:
        y, back = call(way, program, plain, *rest, **kwargs)
    except BaseException:
        native(value, "__setitem__")(slice(None), plain)
        raise
    return y, OnPlainList(copied, back, places.write_entry(value, slice(None), plain))


class OnPlainList:
    """Its pullback: what the items get goes through the plain list."""

    def __init__(self, copied: Any, back: Any, stored: Any) -> None:
        self.copied, self.back, self.stored = copied, back, stored

    def __call__(self, y_bar: Any, store: Any) -> Any:
        self.stored(store)
        function, _, *rest = self.back(y_bar, store)
        self.copied(None, store)
        return (function, None, *rest)


class PlainDict:
    """The pullback of a plain dict of what another one holds."""

    def __init__(self, copied: Any) -> None:
        self.copied = copied

    def __call__(self, y_bar: Any, store: Any) -> Any:
        self.copied(y_bar, store)
        return (None, None)


# -------------------------------------------------------------------------------------------- copies


def own_copy(way: Way, value: Any) -> Any:
    """`value.copy()` of a container of another class as its C code does it; None where that asks nobody."""
    if isinstance(value, OrderedDict | defaultdict | deque):
        _refuse_asking(value, "copied", _asked_by(value))
        return None
    if not isinstance(value, dict) or is_copied_by_c(value):
        return None
    y, back = call(way, paired_or_copied, value)
    return y, lambda y_bar, store: back(y_bar, store)[1:]


MAKING = ("__init__", "__new__")
BY_KEYS = ("items", "keys", "__getitem__", "__setitem__")


def _asked_by(value: Any) -> tuple[str, ...]:
    """The methods that C code calls to make a queue, or such a dict, of another one."""
    return (*MAKING, "__iter__", *(BY_KEYS if isinstance(value, OrderedDict) else ()))


def _refuse_asking(value: Any, what: str, names: tuple[str, ...]) -> None:
    """Refuse what C code does by methods in Python."""
    for name in names:
        if isinstance(in_class(type(value), name, None), FunctionType | staticmethod):
            raise UnsupportedSyntaxError(
                f"a {type(value).__name__} is {what} by C code that calls its '{name}'.",
                why="what that method does is not recorded then",
                instead="make the object in Python, item by item",
            )


def refuse_asking_parts(parts: Iterable[Any]) -> None:
    """Refuse containers that are joined by C code which asks methods of theirs."""
    for part in parts:
        if isinstance(part, OrderedDict | defaultdict | deque):
            _refuse_asking(part, "joined", _asked_by(part))
        elif isinstance(part, dict) and not is_copied_by_c(part):
            _refuse_asking(part, "joined", ("keys", "__getitem__"))


def refuse_asking_items(value: Any, name: str) -> None:
    """Refuse the methods of an ordered dict that ask its class for items, as those of other dicts do not."""
    if isinstance(value, OrderedDict) and name == "setdefault":
        _refuse_asking(value, "changed", ("__contains__", "__getitem__", "__setitem__"))


def refuse_asking_copy(value: Any) -> None:
    """Refuse what `copy.copy` and `copy.deepcopy` make by calling a class that does more in Python."""
    if isinstance(value, OrderedDict):
        _refuse_asking(value, "copied", MAKING)
    elif isinstance(value, defaultdict | deque):
        _refuse_asking(value, "copied", _asked_by(value))


def is_rebuilt(value: Any) -> bool:
    """Whether `copy.copy` fills a new object item by item with methods in Python."""
    if not is_of_another_class(value):
        return False
    return _has_own(value, BY_ITEMS[isinstance(value, dict)])


BY_ITEMS = (("__iter__", "append"), ("items", "__setitem__"))
"""The methods by which copies of lists and of dicts are read and filled."""


def rebuilt(way: Way, value: Any) -> Any:
    """`copy.copy` of such a container."""
    instance = _another(value)
    _, back = call(way, refilled_table if isinstance(value, dict) else refilled, instance, value)
    return instance, Rebuilt(back, 1)


def rebuilt_deeply(way: Way, value: Any, memo: Any) -> Any:
    """`copy.deepcopy` of such a container."""
    instance = memo[id(value)] = _another(value)
    program = refilled_table_deeply if isinstance(value, dict) else refilled_deeply
    _, back = call(way, program, instance, value, memo)
    return instance, Rebuilt(back, 2)


def _another(value: Any) -> Any:
    """A new object of the class of a container, without items."""
    form_of(value)  # which refuses what has items and fields
    names = MAKING if isinstance(value, defaultdict | deque | OrderedDict) else ("__new__",)
    _refuse_asking(value, "copied", names)
    cls: Any = type(value)
    if isinstance(value, defaultdict):
        return cls(value.default_factory)
    return cls(maxlen=value.maxlen) if isinstance(value, deque) else cls.__new__(cls)


class Rebuilt:
    """The pullback of a copy that was filled item by item: the items know where they came from."""

    def __init__(self, back: Any, count: int) -> None:
        self.back, self.count = back, count

    def __call__(self, y_bar: Any, store: Any) -> Any:
        bar = self.back(None, store)[2]
        return (None, bar, *(None,) * (self.count - 1))
