"""Objects of several classes that hold each other, as nodes of trees and graphs do: the kind of one that is
given, or found, with what is known of all those that can be reached from it."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from types import FunctionType, MethodType
from typing import Any, TypeAlias

from zygpy.ir.classes import UNLIKE, is_foreign_class
from zygpy.ir.kinds import (
    NEVER,
    TEXT,
    Again,
    Fields,
    Kind,
    Member,
    Number,
    Object,
    OneOf,
    OnlyNone,
    Optional,
    join_field,
    kind_of,
    member,
)
from zygpy.ir.kinds.joins import MAXIMUM_FAMILY
from zygpy.marks import is_marked
from zygpy.runtime.lookup import own_things

MOST_OBJECTS = 10_000
"""So many objects at most are looked at."""

FUNCTIONS = (FunctionType, MethodType)


class _TooMany(Exception):
    """There are more objects, or classes of these, than are looked at."""


class _Walk:
    """What is known of the objects that were reached."""

    def __init__(self, has_fields: Callable[[type], bool]) -> None:
        self.has_fields = has_fields
        self.fields: dict[type, dict[str, Kind]] = {}
        self.told: dict[type, dict[str, set[type]]] = {}
        self.followed: dict[type, bool] = {}
        self.seen: set[int] = set()
        self.waiting: list[Any] = []

    def all_from(self, values: Sequence[Any]) -> None:
        """Look at objects, and at those that can be reached from them."""
        self.waiting.extend(values)
        while self.waiting:
            value = self.waiting.pop()
            if id(value) not in self.seen:
                self.seen.add(id(value))
                if len(self.seen) > MOST_OBJECTS:
                    raise _TooMany
                self._look_at(value)

    def _look_at(self, value: Any) -> None:
        cls, own = type(value), own_things(value)
        known = self.fields.get(cls)
        if known is None:
            if len(self.fields) >= MAXIMUM_FAMILY:
                raise _TooMany
            known = self.fields[cls] = dict.fromkeys(own, NEVER)
            self.told[cls] = {}
        if known.keys() != own.keys():
            self._note_missing(cls, own)
        told = self.told[cls]
        for name, item in own.items():
            kind = type(item)
            types = told.setdefault(name, set())
            if kind not in types:
                found = kind_of(item, 1, self._reference)
                known[name] = join_field(known[name], found) if known[name] is not NEVER else found
                if kind in SIMPLE or self.follows(kind):
                    types.add(kind)
            elif kind not in SIMPLE:
                self.waiting.append(item)

    def _note_missing(self, cls: type, own: dict[str, Any]) -> None:
        """Some of the objects of a class have fields that others lack."""
        known = self.fields[cls]
        for name in known.keys() | own.keys():
            if name not in known:
                known[name] = join_field(None, kind_of(own[name], 1, self._reference))
            elif name not in own:
                known[name] = join_field(known[name], None)

    def follows(self, cls: type) -> bool:
        """Whether objects of a class are looked at."""
        found = self.followed.get(cls)
        if found is None:
            own = self.has_fields(cls) and not is_foreign_class(cls) and not is_marked(cls, UNLIKE)
            found = self.followed[cls] = own
        return found

    def _reference(self, values: Sequence[Any], depth: int) -> Kind:
        """The kind of objects of one class, which are looked at later."""
        cls = type(values[0])
        if cls in FUNCTIONS or not self.follows(cls):
            return kind_of(values[0])
        self.waiting.extend(values)
        return Again(cls)


SIMPLE = frozenset({float, int, bool, complex, str, bytes, type(None)})
"""Classes of what tells its kind by its class, and holds nothing."""


def family_of(values: Sequence[Any], has_fields: Callable[[type], bool]) -> Object:
    """The kind that holds objects of one class, with what is known of all objects that can be reached."""
    cls = type(values[0])
    walk = _Walk(has_fields)
    if not walk.follows(cls):
        return Object(cls)
    try:
        walk.all_from(values)
    except _TooMany:
        return Object(cls)
    known = {
        one: tuple(sorted(fields.items(), key=operator.itemgetter(0))) for one, fields in walk.fields.items()
    }
    return member(cls, known)


def conforms(value: Any, kind: Object) -> bool:
    """Whether an object is surely of a kind, as it, and all objects of its family that can be reached from
    it, have fields of the classes that the kind tells; False also where that is not told by classes."""
    family = kind.family if isinstance(kind, Member) else ((kind.cls, kind.fields or ()),)
    allowed = None if kind.fields is None else _allowed(family)
    if allowed is None or type(value) is not kind.cls:
        return False
    seen: set[int] = set()
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        own, fields = own_things(value), allowed[type(value)]
        if own.keys() != fields.keys():
            return False
        for name, item in own.items():
            followed = fields[name].get(type(item))
            if followed is None:
                return False
            if followed:
                waiting.append(item)
    return True


Allowed: TypeAlias = "dict[type, dict[str, dict[type, bool]]]"
"""Of each class of a family, the classes of what its objects have in each field, and which are followed."""


@functools.lru_cache(maxsize=256)
def _allowed(family: tuple[tuple[type, Fields], ...]) -> Allowed | None:
    """The same of a family; None where something is not told by its class."""
    classes = [cls for cls, _ in family]
    found: Allowed = {}
    for cls, fields in family:
        told = {name: _told(kind, classes) for name, kind in fields}
        known = {name: types for name, types in told.items() if types is not None}
        if len(known) < len(told):
            return None
        found[cls] = known
    return found


def _told(kind: Kind, classes: Sequence[type]) -> dict[type, bool] | None:
    """The classes of values of a kind, and whether these are followed; None where they do not tell it."""
    match kind:
        case Again(cls) if cls in classes:
            return {cls: True}
        case Number(types) if types <= NUMBERS.keys():
            return {NUMBERS[name]: False for name in types}
        case OnlyNone():
            return {type(None): False}
        case Optional(inner):
            told = _told(inner, classes)
            return None if told is None else {**told, type(None): False}
        case OneOf(options):
            found: dict[type, bool] = {}
            for told in [_told(option, classes) for option in options]:
                if told is None:
                    return None
                found |= told
            return found
    return {str: False} if kind == TEXT else None


NUMBERS = {"bool": bool, "int": int, "float": float, "complex": complex}
"""The classes of numbers, by their names in kinds."""
