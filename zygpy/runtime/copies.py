"""Copies of things: which object a copy was made of, so that cotangents find their way back."""

from __future__ import annotations

import copy
import dataclasses
import sys
from collections import deque, namedtuple
from enum import Enum
from types import BuiltinFunctionType, FunctionType, GeneratorType
from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.records import fields_of

UNEXPECTED: type[Exception] = TypeError if sys.version_info >= (3, 13) else ValueError
"""What `_replace` of a named tuple raises for names that are no fields."""

Empty = namedtuple("Empty", ())

ITEMS_OF_RECORD: Any = Empty.__getnewargs__.__code__  # type: ignore[attr-defined]
"""The code by which every named tuple gives its items."""

REDUCING = (
    "__reduce_ex__",
    "__reduce__",
    "__getstate__",
    "__setstate__",
    "__getnewargs__",
    "__getnewargs_ex__",
)
"""Methods by which a class says what its copies are made of."""


def duplicate(value: Any) -> Any:
    """`copy.copy` of what can be changed; known to the run-time door."""
    return copy.copy(value)


def duplicate_deeply(value: Any, memo: Any = None) -> Any:
    """`copy.deepcopy`; known to the run-time door."""
    return copy.deepcopy(value, memo)


def refuse_reduction(value: Any) -> None:
    """Refuse objects of which only code tells what a copy of them consists of."""
    if isinstance(value, GeneratorType):
        raise UnsupportedSyntaxError(
            "a generator, or an iterator of `itertools.tee`, is copied.",
            why="Python copies no generators, and where the items of a copy go is not followed",
            instead="ask for as many iterators at once: `tee(items, 3)`",
        )
    cls = type(value)
    for name in REDUCING:
        found = getattr(cls, name, None)
        if getattr(found, "__code__", None) is ITEMS_OF_RECORD:
            continue
        if found is not None and getattr(object, name, None) is not found and hasattr(found, "__code__"):
            raise UnsupportedSyntaxError(
                f"a {cls.__name__} is copied, whose class defines '{name}'.",
                why="what that gives is put together by code that is not written in Python",
                instead="define `__copy__` and `__deepcopy__`",
            )


def parts_of(value: Any) -> list[Any]:
    """What a deep copy of a value copies with it, in order."""
    if isinstance(value, dict):
        return [part for pair in value.items() for part in pair] + _fields(value)
    if isinstance(value, list | tuple | set | frozenset | deque):
        return [*value, *_fields(value)]
    return _fields(value)


def _fields(value: Any) -> list[Any]:
    return [item for _, item in fields_of(value)]


def is_copied(value: Any) -> bool:
    """Whether a deep copy of a value is another object that can be changed or hold such objects."""
    return not isinstance(value, ATOMIC)


ATOMIC = (type(None), int, float, complex, bool, str, bytes, type, np.generic, type(len), type(copy), range)
"""What a deep copy is made of as it is, among other types without parts."""


def is_its_own_copy(value: Any) -> bool:
    """Whether a copy of something is the thing itself, as one of a number or a function is."""
    return type(value) in PLAIN or isinstance(value, NAMED) or _is_member(value)


def _is_member(value: Any) -> bool:
    """Whether a value is a member of an enumeration that says nothing of copies."""
    cls = type(value)
    return isinstance(value, Enum) and all(getattr(cls, name, None) is own for name, own in COPYING)


COPYING = [(name, getattr(Enum, name, None)) for name in ("__copy__", "__deepcopy__", "__reduce_ex__")]


PLAIN = (type(None), int, float, complex, bool, str, bytes, range)

NAMED = (type, np.generic, BuiltinFunctionType, FunctionType)


def names_of_fields(value: Any, what: str) -> list[str]:
    """The names of a dataclass's fields; `what` is the function that asks."""
    if not is_dataclass_instance(value):
        raise TypeError(f"{what}() should be called on dataclass instances")
    return [field.name for field in dataclasses.fields(value)]


def is_dataclass_instance(value: Any) -> bool:
    """Whether a value is an object of a dataclass."""
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def kept_fields(value: Any, given: Any) -> list[str]:
    """The names of the fields that `dataclasses.replace` takes from the object.

    Raises what it raises.
    """
    names_of_fields(value, "replace")
    kept = []
    for field in value.__dataclass_fields__.values():
        kind = field._field_type.name
        if kind == "_FIELD_CLASSVAR":
            continue
        if not field.init:
            if field.name in given:
                raise _error_of_replace(value, field.name)
        elif field.name not in given:
            if kind == "_FIELD_INITVAR" and field.default is dataclasses.MISSING:
                raise _error_of_replace(value, None)
            kept.append(field.name)
    return kept


def _error_of_replace(value: Any, name: str | None) -> Exception:
    """What `dataclasses.replace` raises for a field that it may not set, or an init-only one without one."""
    try:
        dataclasses.replace(value, **({} if name is None else {name: None}))
    except (TypeError, ValueError) as error:
        return error
    return ValueError(name)


def is_named_tuple(value: Any) -> bool:
    """Whether a value is a named tuple, as `dataclasses` sees it."""
    return isinstance(value, tuple) and hasattr(value, "_fields")
