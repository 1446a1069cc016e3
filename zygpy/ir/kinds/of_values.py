"""The kinds of live values."""

from __future__ import annotations

import operator
import random
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any

import numpy as np

from zygpy.ir.classes import (
    HEAP_TYPE,
    INERT,
    PLAIN_ARRAY,
    carries_values,
    computes,
    is_foreign,
    is_generated,
    is_plain_module_class,
    is_record_class,
    makes_generators,
)
from zygpy.ir.kinds.asked import exact, is_numeric, row_of
from zygpy.ir.kinds.classes import (
    BOOL,
    BYTES,
    COMPLEX,
    EXACT,
    FLOAT,
    INT,
    MAXIMUM_DEPTH,
    MAXIMUM_ITEMS,
    NEVER,
    NONE,
    NOTHING,
    NUMERIC,
    TEXT,
    UNKNOWN,
    Array,
    Closure,
    Dict,
    Iterator,
    Kind,
    Known,
    List,
    Nothing,
    NumpyScalar,
    Object,
    Tuple,
)
from zygpy.ir.kinds.joins import join_all
from zygpy.marks import is_marked

_NUMBERS: dict[type, Kind] = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX, Fraction: EXACT}
_CHARACTERS = {"f8": "f8", "f4": "f4", "c16": "c16", "c8": "c8", "i8": "i", "b1": "b"}


def dtype_class(dtype: np.dtype[Any]) -> str | None:
    """The class of a dtype, or None where no gradient could flow (strings, objects, dates).

    >>> dtype_class(np.dtype(np.float32)), dtype_class(np.dtype(np.int16)), dtype_class(np.dtype("U3"))
    ('f4', 'real', None)
    """
    name = _CHARACTERS.get(dtype.str[1:])
    if name is not None:
        return name
    return {"f": "real", "i": "real", "u": "real", "c": "any"}.get(dtype.kind)


ObjectKind = Callable[[Sequence[Any], int], Kind]
"""Gives the kind of objects of one class, or of a function that carries something, at a depth inside a
value."""


def object_kind(values: Sequence[Any], depth: int) -> Object:
    """The kind of objects of which the class alone is of interest."""
    return Object(type(values[0]))


def kind_of(value: Any, depth: int = 0, of_object: ObjectKind = object_kind) -> Kind:
    """The kind of a live value.

    >>> kind_of(1.5) == FLOAT, kind_of((1, np.ones(2)))
    (True, Tuple(items=(Number(types=frozenset({'int'})), Array(dtype='f8', rank=1)), cls=None))
    """
    cls = type(value)
    number = _NUMBERS.get(cls)
    if number is not None:
        return number
    if value is None:
        return NONE
    if cls is np.ndarray:
        name = dtype_class(value.dtype)
        return Object(cls) if name is None else Array(name, value.ndim)
    if isinstance(value, np.generic) and cls.__module__ == "numpy":
        name = dtype_class(value.dtype)
        if name is None:
            return Object(cls) if cls is np.void else BYTES if cls is np.bytes_ else TEXT
        return NumpyScalar(name)
    return _kind_of_other(value, cls, depth, of_object)


_CALLABLES = (
    np.ufunc,
    types.BuiltinFunctionType,
    types.ModuleType,
    type(np.sum),
)


_OF_RANDOM = {
    id(value): value
    for value in (*vars(np.random).values(), random.random)
    if callable(value) and not isinstance(value, type)
}
"""The functions of `numpy.random`, which are not made as those of other modules in C, and the one of `random`
on which the others rest; by their identities."""

_EMPTY: dict[Any, Any] = {}
DICT_VIEWS = (type(_EMPTY.keys()), type(_EMPTY.values()), type(_EMPTY.items()))


class Absent:
    """Stands where there is no value, and nobody reads one."""


ABSENT = Absent()


def _kind_of_other(value: Any, cls: type, depth: int, of_object: ObjectKind) -> Kind:
    if value is ABSENT:
        return NEVER
    if value is Ellipsis or cls is slice or is_marked(cls, INERT):
        return NOTHING
    if is_marked(cls, PLAIN_ARRAY) or cls is np.memmap:
        return kind_of(value.view(np.ndarray))
    if cls is str or cls is bytes:
        return TEXT if cls is str else BYTES
    if cls in (tuple, list, dict) or (issubclass(cls, tuple) and is_record_class(cls)):
        return _kind_of_container(value, cls, depth, of_object)
    if cls is range:
        return Iterator(INT)
    if cls in DICT_VIEWS:
        return Iterator(UNKNOWN)
    found = _kind_of_callable(value, cls)
    told = found is not None and (type(found) is not Closure or of_object is object_kind)
    return found if found is not None and told else of_object((value,), depth)


def _kind_of_callable(value: Any, cls: type) -> Kind | None:
    if cls is types.FunctionType:
        known = is_generated(value) or not carries_values(value)
        return Known(value) if known else Closure(makes_generators(value), is_foreign(value))
    if isinstance(value, type):
        return None if computes(cls) else Known(value)
    if isinstance(value, types.ModuleType) and not is_plain_module_class(cls):
        return None
    if isinstance(value, _CALLABLES):
        bound = getattr(value, "__self__", None)
        if bound is None or bound is value.__class__:
            return Known(value)
    if isinstance(value, types.BuiltinFunctionType) and isinstance(value.__self__, types.ModuleType):
        return Known(value)
    if id(value) in _OF_RANDOM:
        return Known(value)
    return Closure(makes_generators(value)) if isinstance(value, types.MethodType) else None


def _kind_of_container(value: Any, cls: type, depth: int, of_object: ObjectKind) -> Kind:
    if depth >= MAXIMUM_DEPTH:
        return UNKNOWN
    inside = Inside(depth + 1, of_object)
    if cls is list:
        return List(inside.kind_of_items(value))
    if cls is dict:
        if len(value) > MAXIMUM_ITEMS or not all(type(key) is str for key in value):
            keys = exact(Inside(depth + 1, object_kind).kind_of_items(list(value)))
            return Dict(None, inside.kind_of_items(list(value.values())), keys)
        items = tuple((key, kind_of(item, depth + 1, of_object)) for key, item in value.items())
        return Dict(items, join_all(kind for _, kind in items))
    named = None if cls is tuple else cls
    if len(value) > MAXIMUM_ITEMS:
        return _kind_of_many(value, named, inside)
    return Tuple(tuple(kind_of(item, depth + 1, of_object) for item in value), named)


def _kind_of_many(value: tuple[Any, ...], named: type | None, inside: Inside) -> Kind:
    """The kind of a long tuple: its items have one kind that holds them all.

    >>> from zygpy.ir.kinds import Row, join
    >>> kind_of((1, 2.5) * 50) == Row(join(INT, FLOAT)), kind_of((1, "a") * 50)
    (True, Unknown())
    """
    item = inside.kind_of_items(value)
    if named is None:
        return row_of(item)
    return Tuple((item,) * len(value), named) if isinstance(item, NUMERIC) else UNKNOWN


PLAIN = (np.generic, str, bytes, types.NoneType)
"""Types, beside those of numbers, that tell the kinds of their values."""


@dataclass(frozen=True, slots=True)
class Inside:
    """What is told of things at a depth inside a container."""

    depth: int
    of_object: ObjectKind

    def kind_of_items(self, values: Sequence[Any]) -> Kind:
        """The kind that holds all of some values; of very many, which are looked at no longer than it takes
        to tell them apart: by their types, the items of all of them at once, column by column.

        >>> from zygpy.ir.kinds import join
        >>> inside = Inside(1, object_kind)
        >>> inside.kind_of_items([np.ones(2)] * 100)
        Array(dtype='f8', rank=1)
        >>> rows = [[1, 2.5]] * 100
        >>> inside.kind_of_items(rows) == List(join(INT, FLOAT)), inside.kind_of_items([1, "a"] * 50)
        (True, Unknown())
        >>> pairs = [{"x": 1.0, "n": 2}] * 100
        >>> inside.kind_of_items(pairs) == inside.kind_of_items(pairs[:3])
        True
        """
        if len(values) <= MAXIMUM_ITEMS:
            return join_all(kind_of(value, self.depth, self.of_object) for value in values)
        types_of_values = set(map(type, values))
        if types_of_values <= _NUMBERS.keys():
            return join_all(map(_NUMBERS.__getitem__, types_of_values))
        if len(types_of_values) > MAXIMUM_ITEMS:
            return UNKNOWN
        if len(types_of_values) == 1:
            return self._kind_of_alike(type(values[0]), values)
        apart = ([value for value in values if type(value) is cls] for cls in types_of_values)
        return join_all(self._kind_of_alike(type(found[0]), found) for found in apart)

    def _kind_of_alike(self, cls: type, values: Sequence[Any]) -> Kind:
        """The kind of values of one class."""
        if len(values) <= MAXIMUM_ITEMS or cls in _NUMBERS or issubclass(cls, PLAIN):
            return self.kind_of_items(values[:MAXIMUM_ITEMS])
        if cls is np.ndarray:
            examples = {(array.dtype, array.ndim): array for array in values}
            return UNKNOWN if len(examples) > MAXIMUM_ITEMS else self.kind_of_items(list(examples.values()))
        if cls in (list, dict, tuple) or (issubclass(cls, tuple) and is_record_class(cls)):
            return self._kind_of_rows(cls, values) if self.depth < MAXIMUM_DEPTH else UNKNOWN
        return self._kind_of_objects(cls, values)

    def _kind_of_objects(self, cls: type, values: Sequence[Any]) -> Kind:
        """The kind of many values of one class, of objects each of which is looked at once."""
        example = kind_of(values[0], self.depth)
        if not (isinstance(example, Object | Nothing) and cls.__flags__ & HEAP_TYPE):
            return UNKNOWN
        if isinstance(example, Nothing):
            return example
        return self.of_object(list({id(value): value for value in values}.values()), self.depth)

    def _kind_of_rows(self, cls: type, rows: Sequence[Any]) -> Kind:
        """The kind of many containers of one class."""
        inside = Inside(self.depth + 1, self.of_object)
        if cls is list:
            return List(inside.kind_of_items(list(chain.from_iterable(rows))))
        if cls is dict:
            return inside._kind_of_dicts(rows)
        if len(set(map(len, rows))) > 1 or len(rows[0]) > MAXIMUM_ITEMS:
            plain = cls is tuple
            return row_of(inside.kind_of_items(list(chain.from_iterable(rows)))) if plain else UNKNOWN
        columns = (list(map(operator.itemgetter(place), rows)) for place in range(len(rows[0])))
        return Tuple(tuple(map(inside.kind_of_items, columns)), None if cls is tuple else cls)

    def _kind_of_dicts(self, rows: Sequence[dict[Any, Any]]) -> Kind:
        """The kind of many dicts, which tell their items if all have the same keys."""
        names = tuple(rows[0])
        if (
            len(set(map(tuple, rows))) > 1
            or len(names) > MAXIMUM_ITEMS
            or not all(type(name) is str for name in names)
        ):
            keys = exact(Inside(self.depth, object_kind).kind_of_items(list(chain.from_iterable(rows))))
            return Dict(None, self.kind_of_items(list(chain.from_iterable(map(dict.values, rows)))), keys)
        columns = tuple(
            [(name, self.kind_of_items(list(map(operator.itemgetter(name), rows)))) for name in names]
        )
        return Dict(columns, join_all(kind for _, kind in columns))


def is_number(value: Any) -> bool:
    """Whether a value is a number, NumPy scalar or array of numbers; containers are not looked through.

    >>> is_number(1.5), is_number(np.ones(2)), is_number([1.5])
    (True, True, False)
    """
    cls = type(value)
    if cls in _NUMBERS:
        return True
    if cls in _CONTAINERS or (cls.__flags__ & HEAP_TYPE and not issubclass(cls, OF_NUMPY)):
        return False
    return is_numeric(kind_of(value))


OF_NUMPY = (np.generic, np.ndarray)
"""What classes go on from whose objects may be numbers; those of all others in Python are none."""


_CONTAINERS = frozenset({list, tuple, dict})
