"""Kinds in each other: what functions carry, and how deep that is known."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from zygpy.ir.kinds.asked import row_of
from zygpy.ir.kinds.classes import (
    CLOSURE,
    MAXIMUM_DEPTH,
    MAXIMUM_RANK,
    UNKNOWN,
    Array,
    Dict,
    Fields,
    Iterator,
    Kind,
    List,
    LocalFunction,
    Member,
    Number,
    Object,
    OneOf,
    Optional,
    Row,
    Tuple,
)
from zygpy.ir.kinds.joins import with_family, with_options


def carrying(function: Any, captured: Fields, *, partial: bool = False) -> LocalFunction:
    """The kind of a function that carries something. What functions carry in their turn is known as long as
    none of them carries another one of the same text, and they do not lie too deep in each other, so that
    functions which call themselves with ever new ones know few kinds of them."""
    known = tuple([(name, _carried(kind, (function,))) for name, kind in captured])
    return LocalFunction(False, False, function, known, partial)


def _carried(kind: Kind, around: tuple[Any, ...]) -> Kind:
    """The kind of what is carried by functions that lie in each other."""
    if isinstance(kind, LocalFunction):
        if kind.function in around or len(around) >= MAXIMUM_CARRIED:
            return CLOSURE
        return with_captured(kind, lambda item: _carried(item, (*around, kind.function)))
    if isinstance(kind, Tuple):
        return Tuple(tuple([_carried(item, around) for item in kind.items]), kind.cls)
    if isinstance(kind, List | Iterator):
        return type(kind)(_carried(kind.element, around))
    if isinstance(kind, Row):
        return row_of(_carried(kind.element, around))
    if isinstance(kind, Object):
        return _carried_object(kind, around)
    if isinstance(kind, OneOf):
        return with_options(kind, lambda option: _carried(option, around))
    return _carried_dict(kind, around) if isinstance(kind, Dict) else kind


def _carried_object(kind: Object, around: tuple[Any, ...]) -> Object:
    if isinstance(kind, Member):
        return with_family(kind, lambda item: _carried(item, around))
    if not kind.fields:
        return kind
    return Object(kind.cls, tuple([(name, _carried(item, around)) for name, item in kind.fields]))


def _carried_dict(kind: Dict, around: tuple[Any, ...]) -> Dict:
    element = _carried(kind.element, around)
    if kind.items is None:
        return Dict(None, element, kind.key)
    return Dict(tuple([(key, _carried(item, around)) for key, item in kind.items]), element)


def without_local_functions(kind: Kind) -> Kind:
    """The kind of a value, of which it is not known what functions are, or carry.

    >>> from zygpy.ir.kinds import FLOAT
    >>> without_local_functions(List(carrying(len, (("c", FLOAT),)))) == List(CLOSURE)
    True
    """
    return _carried(kind, (None,) * MAXIMUM_CARRIED)


MAXIMUM_CARRIED = 3
"""How deep functions lie in each other of which is known what they carry."""


def with_captured(kind: LocalFunction, known: Callable[[Kind], Kind]) -> LocalFunction:
    """The kind of a function with what is `known` of the kinds that it has captured; the very same if that
    is what it says itself."""
    captured = tuple([(name, known(item)) for name, item in kind.captured])
    same = all(new[1] is old[1] for new, old in zip(captured, kind.captured, strict=True))
    return kind if same else replace(kind, captured=captured)


_NESTED: frozenset[type[Kind]] = frozenset(
    {Tuple, List, Dict, Iterator, Object, Optional, OneOf, Row, LocalFunction}
)
"""Kinds in which there are others, which may be nested too deep."""


def widen(kind: Kind, depth: int = 0) -> Kind:
    """The same kind with containers nested deeper than `MAXIMUM_DEPTH`, and ranks above `MAXIMUM_RANK`,
    forgotten: there are only so many of them, however often a function calls itself."""
    if depth >= MAXIMUM_DEPTH and not isinstance(kind, Number):
        return UNKNOWN
    if type(kind) not in _NESTED:
        if isinstance(kind, Array) and (kind.rank or 0) > MAXIMUM_RANK:
            return Array(kind.dtype, None)
        return kind
    if isinstance(kind, Optional | OneOf):
        return with_options(kind, lambda option: widen(option, depth))
    if isinstance(kind, (List, Iterator, Row)):
        element = widen(kind.element, depth + 1)
        if isinstance(kind, Row) and element is not kind.element:
            return row_of(element)
        return kind if element is kind.element else type(kind)(element)
    return _widened_items(kind, depth)


def _widened_items(kind: Kind, depth: int) -> Kind:
    """The same of what knows its items one by one."""
    if isinstance(kind, Tuple):
        items = tuple([widen(item, depth + 1) for item in kind.items])
        same = all(map(operator.is_, items, kind.items))
        return kind if same else Tuple(items, kind.cls)
    if isinstance(kind, Object) and kind.fields:
        fields = tuple([(name, widen(field, depth + 1)) for name, field in kind.fields])
        same = all(new[1] is old[1] for new, old in zip(fields, kind.fields, strict=True))
        return kind if same else Object(kind.cls, fields)
    if isinstance(kind, LocalFunction):
        return with_captured(kind, lambda item: widen(item, depth + 1))
    return _widened_dict(kind, depth) if isinstance(kind, Dict) else kind


def _widened_dict(kind: Dict, depth: int) -> Dict:
    element = widen(kind.element, depth + 1)
    if kind.items is None:
        key = widen(kind.key, depth + 1)
        return kind if element is kind.element and key is kind.key else Dict(None, element, key)
    items = tuple([(name, widen(item, depth + 1)) for name, item in kind.items])
    same = all(new[1] is old[1] for new, old in zip(items, kind.items, strict=True))
    return kind if same and element is kind.element else Dict(items, element)
