"""Objects, and functions by what they carry: which of their fields are varied, and copies with others."""

from __future__ import annotations

import functools
import sys
from collections import UserDict, UserList
from enum import Enum
from types import CellType, FunctionType, MethodType, SimpleNamespace
from typing import Any, NamedTuple

from zygpy.rules.custom import is_ruled
from zygpy.runtime.lookup import own_fields
from zygpy.runtime.partials import carried_values
from zygpy.runtime.records import Record, fields_of

HEAP_TYPE = 1 << 9
"""CPython's flag of classes that are made by a `class` statement."""

OPEN_CLASSES = (SimpleNamespace, UserDict, UserList)
"""Classes of the standard library whose objects are there to hold the values of others."""

NOT_FOLLOWED = frozenset({*sys.stdlib_module_names, "zygpy"}) - {"__main__"}
"""Packages whose objects and functions are held fixed: what they hold is bookkeeping of their own."""


class Field(NamedTuple):
    """A step into an object, or into what a function carries."""

    name: str

    def __repr__(self) -> str:
        return f".{self.name}"


class Content(NamedTuple):
    """The step from a variable that functions share to what it holds, which paths leave out."""


CONTENT = Content()


def fields(value: Any) -> list[tuple[Any, Any]]:
    """The fields of an object, and what a function carries, each with the step that leads there; nothing
    for what is held fixed.

    >>> fields(SimpleNamespace(a=1.5)), fields(1.5), fields(len)
    ([(.a, 1.5)], [], [])
    """
    if isinstance(value, CellType):
        return [(CONTENT, value.cell_contents)] if is_bound(value) else []
    if isinstance(value, FunctionType):
        return captured_by(value)
    if isinstance(value, MethodType) or type(value) is functools.partial:
        return [(Field(name), part) for name, part in carried_values(value).items()]
    if isinstance(value, Record):
        return [(Field(name), part) for name, part in value._asdict().items()]
    return [(Field(name), part) for name, part in fields_of(value)] if is_followed(value) else []


def is_followed(value: Any) -> bool:
    """Whether an object's fields are varied: its class is written in Python and belongs to no library that
    keeps books of its own in it."""
    cls = type(value)
    if isinstance(value, OPEN_CLASSES):
        return True
    if not cls.__flags__ & HEAP_TYPE or isinstance(value, type | Enum) or is_kept_by_library(cls):
        return False
    return can_be_made(cls)


def can_be_made(cls: type) -> bool:
    """Whether an empty object of a class can be made, which is to be filled: not of what wraps C code."""
    try:
        object.__new__(cls)
    except TypeError:
        return False
    return True


def is_kept_by_library(owner: Any) -> bool:
    """Whether a class or function belongs to a library whose objects are held fixed. (SciPy's distributions
    are known by their identity.)"""
    module = getattr(owner, "__module__", None) or ""
    return module.partition(".")[0] in NOT_FOLLOWED or module.startswith("scipy.stats")


def captured_by(function: FunctionType) -> list[tuple[Any, Any]]:
    """The cells of what a function has captured; of one with a rule nothing, as the rule is for this very
    function."""
    if not function.__closure__ or is_kept_by_library(function) or is_ruled(function):
        return []
    return [
        (Field(name), cell)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__, strict=True)
    ]


def is_bound(cell: CellType) -> bool:
    """Whether a captured variable has a value."""
    try:
        cell.cell_contents  # noqa: B018  (reading it is the question)
    except ValueError:
        return False
    return True


def is_transparent(value: Any) -> bool:
    """Whether a value is no more than its parts, whose identity means nothing."""
    return isinstance(value, tuple | MethodType | Record) or type(value) is functools.partial


def rebuilt(value: Any, items: list[Any]) -> Any:
    """A bound method, a partial object or a Record with other parts."""
    if isinstance(value, MethodType):
        return MethodType(value.__func__, *items)
    if isinstance(value, Record):
        return Record(dict(zip(value._asdict(), items, strict=True)))
    count = 1 + len(value.args)
    function, *args = items[:count]
    return functools.partial(function, *args, **dict(zip(value.keywords, items[count:], strict=True)))


def blank(value: Any) -> Any:
    """An object of the class of `value` with nothing in it yet."""
    cls: Any = type(value)
    return cls.__new__(cls) if isinstance(value, OPEN_CLASSES) else object.__new__(cls)


def with_cells(function: FunctionType, cells: tuple[CellType, ...]) -> FunctionType:
    """The function with other cells for what it has captured."""
    code, space = function.__code__, function.__globals__
    made = FunctionType(code, space, function.__name__, function.__defaults__, cells)
    made.__kwdefaults__, made.__qualname__ = function.__kwdefaults__, function.__qualname__
    made.__doc__, made.__module__ = function.__doc__, function.__module__
    made.__dict__.update(function.__dict__)
    return made


def fill(made: Any, like: Any, key: Field, item: Any) -> None:
    """Put one field where `like` has it, whatever the class does when fields are set."""
    if key.name in own_fields(like):
        made.__dict__[key.name] = item
    else:
        object.__setattr__(made, key.name, item)


def entry(value: Any, name: str) -> Any:
    """A field of an object or of its gradient, or what a function carries under a name; None if there is
    none.

    >>> entry(Record({"a": 1.5}), "a"), entry({"a": 1.5}, "b")
    (1.5, None)
    """
    if isinstance(value, dict | Record):
        return (value if isinstance(value, dict) else value._asdict()).get(name)
    carried = carried_values(value)
    if carried:
        return carried.get(name)
    return vars(value)[name] if name in own_fields(value) else getattr(value, name, None)


def entries(bar: Any) -> list[tuple[str, Any]]:
    """The fields of an object's gradient."""
    return list(bar._asdict().items()) if isinstance(bar, Record) else fields_of(bar)


def has_entry(value: Any, name: str) -> bool:
    """Whether an object has a field, or a function carries something under a name."""
    return name in carried_values(value) or hasattr(value, name)


def is_of_its_class(value: Any, bar: Any) -> bool:
    """Whether the gradient of an object is one of its class, as rules for attributes may give it."""
    return type(bar) is type(value) and is_followed(value)
