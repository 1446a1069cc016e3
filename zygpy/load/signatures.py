"""Signatures: hashable stand-ins for the kinds of actual arguments that are cheap to find."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from fractions import Fraction
from types import MethodType, ModuleType
from typing import Any

import numpy as np

from zygpy.analyse.families import family_of
from zygpy.analyse.fields import DEPTH, LONG, argument_kind, has_fields, is_own_method
from zygpy.ir.classes import PLAIN_ARRAY
from zygpy.ir.kinds import MAXIMUM_DEPTH, MAXIMUM_ITEMS, UNKNOWN
from zygpy.marks import is_marked
from zygpy.runtime.lookup import own_things

PLAIN = frozenset(
    {
        float,
        int,
        bool,
        complex,
        Fraction,
        str,
        bytes,
        type(None),
        np.float64,
        np.float32,
        np.complex128,
        np.int64,
        np.int32,
        np.bool_,
    }
)
"""Types that determine the kinds of their values."""


Classes = tuple[type, ...]
"""The classes of the objects inside which something is: of others of these nothing is known there."""


def signature_of(values: Sequence[Any], *, thorough: bool = True) -> tuple[Any, ...]:
    """A key for these values: where two keys are equal, so are the kinds; without what is in long containers
    that fields hold, if not `thorough`.

    >>> signature_of([1.0, "text"]) == signature_of([2.0, ""]), signature_of([1.0]) == signature_of([1])
    (True, False)
    """
    inside = () if thorough else SHORT
    return tuple(
        [cls if (cls := type(value)) in PLAIN else _other(value, cls, 0, inside) for value in values]
    )


class Short:
    """Stands before the classes inside which something is, where long containers are not gone through."""


SHORT: Classes = (Short,)


def _other(value: Any, cls: type, depth: int, inside: Classes) -> Any:
    """The key of what is not told by its class alone, at a depth inside objects of some classes."""
    if cls is np.ndarray:
        return value.dtype, value.ndim
    if cls in CONTAINERS:
        if depth >= MAXIMUM_DEPTH:
            return UNKNOWN
        if len(value) <= MAXIMUM_ITEMS:
            return CONTAINERS[cls](value, depth + 1, inside)
    elif tells_by_fields(cls):
        return _of_object(value, cls, depth, inside)
    thorough = inside[:1] != SHORT
    return argument_kind(value, depth, thorough=thorough, inside=inside if thorough else inside[1:])


def _of_object(value: Any, cls: type, depth: int, inside: Classes) -> Any:
    if cls in inside:
        return cls if inside[0] is Short else family_of((value,), has_fields)
    fields = own_things(value)
    if depth > DEPTH or len(fields) > MAXIMUM_ITEMS:
        return cls
    inside = (*inside, cls)
    told = [
        kind if (kind := type(item)) in PLAIN else _of_field(item, kind, depth + 1, inside, value)
        for item in fields.values()
    ]
    return cls, tuple(fields), tuple(told)


def _of_field(value: Any, cls: type, depth: int, inside: Classes, owner: Any) -> Any:
    """The same of what is in a field of an object."""
    if cls is MethodType and is_own_method(value, owner):
        return MethodType, value.__func__
    if inside[0] is Short and cls in LONG and len(value) > MAXIMUM_ITEMS:
        return LONG[cls]
    return _other(value, cls, depth, inside)


def _items(values: Any, depth: int, inside: Classes) -> list[Any]:
    return [cls if (cls := type(item)) in PLAIN else _other(item, cls, depth, inside) for item in values]


def _of_list(value: list[Any], depth: int, inside: Classes) -> Any:
    """Its items have one kind, in whatever order and number they come."""
    return list, *dict.fromkeys(_items(value, depth, inside))


def _of_tuple(value: tuple[Any, ...], depth: int, inside: Classes) -> Any:
    return tuple, *_items(value, depth, inside)


def _of_dict(value: dict[Any, Any], depth: int, inside: Classes) -> Any:
    """Its items are told apart by texts; inside an object they are not. Other keys tell their kinds."""
    if {str}.issuperset(map(type, value)):
        told = _items(value.values(), depth, inside)
        within = inside != () and inside != SHORT
        return (dict, True, *dict.fromkeys(told)) if within else (dict, tuple(value), tuple(told))
    keys = tuple(dict.fromkeys(_items(value, depth, inside)))
    return dict, keys, *dict.fromkeys(_items(value.values(), depth, inside))


CONTAINERS: dict[type, Callable[[Any, int, Classes], Any]] = {
    list: _of_list,
    tuple: _of_tuple,
    dict: _of_dict,
}


@functools.lru_cache(maxsize=4096)
def tells_by_fields(cls: type) -> bool:
    """Whether the kind of an object is its class and the kinds of its fields, and nothing else.

    >>> from argparse import Namespace
    >>> tells_by_fields(Namespace), tells_by_fields(np.matrix), tells_by_fields(KeyError)
    (True, False, False)
    """
    return has_fields(cls) and not issubclass(cls, OTHERS) and not is_marked(cls, PLAIN_ARRAY)


def has_only_fields(value: Any) -> bool:
    """The same of an object: that it has nothing but fields."""
    cls: type = type(value)
    return tells_by_fields(cls)


OTHERS = (np.ndarray, np.generic, ModuleType)
"""Classes of which there may be others in Python, whose objects are told by what else they are."""
