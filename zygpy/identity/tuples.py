"""Making tuples of classes that have a `__new__` of their own."""

from __future__ import annotations

from collections.abc import Mapping
from types import BuiltinFunctionType, FunctionType
from typing import Any

from zygpy.identity.calls import Prefixed, call
from zygpy.runtime.named_tuples import is_of_record
from zygpy.runtime.ways import Way


def by_function(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`tuple.__new__(cls, items)`, and the one of a named tuple, which their classes call by `super()`; None
    for anything else."""
    if not args or not isinstance(args[0], type):
        return None
    if isinstance(function, FunctionType):
        return record(way, function, args[0], args[1:], kwargs) if is_of_record(function) else None
    if not isinstance(function, BuiltinFunctionType) or function.__name__ != "__new__":
        return None
    if function.__self__ is not tuple or kwargs:
        return None
    y, back = made(way, args[0], args[1:])
    return y, Prefixed(back)


def made(way: Way, cls: Any, args: tuple[Any, ...]) -> Any:
    """`cls(items)` as C code does it."""
    items, back = call(way, tuple, *args)
    return tuple.__new__(cls, items), back


def record(way: Way, new: Any, cls: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`new(cls, *args, **kwargs)` for the `__new__` of a named tuple; the first cotangents are those of the
    callee and the class."""
    names = cls._fields
    named = dict(zip(names, args, strict=False))
    given = {**cls._field_defaults, **named, **kwargs}
    if len(args) > len(names) or len(given) > len(names) or len(given) < len(names) or named.keys() & kwargs:
        new(cls, *args, **kwargs)  # which raises what it raises
    y, back = made(way, cls, (tuple([given[name] for name in names]),))
    return y, OfRecord(back, [names.index(name) for name in (*named, *kwargs)])


class OfRecord:
    """The pullback of the `__new__` of a named tuple, which has put what it was given at these places."""

    def __init__(self, back: Any, places: list[int]) -> None:
        self.back, self.places = back, places

    def __call__(self, y_bar: Any, store: Any) -> Any:
        bars = self.back(y_bar, store)[1]
        return (None, None, *[None if bars is None else bars[place] for place in self.places])
