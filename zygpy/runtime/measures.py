"""What is known of the arguments of a user's rule, and checks that a pullback gives the like for them."""

from __future__ import annotations

from collections import deque
from functools import partial
from numbers import Complex
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from zygpy.errors import CotangentShapeError, locate
from zygpy.runtime.lookup import in_class
from zygpy.runtime.records import Record, fields_of


class Tangent:
    """What a portable rule gives where there is no cotangent."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self) -> Tangent:
        """The same, as the portable protocol spells it: `NoTangent()`."""
        return self

    def __repr__(self) -> str:
        return self._name


NoTangent = Tangent("NoTangent")
ZeroTangent = Tangent("ZeroTangent")

NUMERIC = (int, float, complex, np.generic, np.ndarray)


class Measure(NamedTuple):
    """What is known of a number or array among the arguments of a rule."""

    shape: tuple[int, ...]
    real: bool


class Row(NamedTuple):
    """What is known of a tuple or list: how many items it has, and of a short one their measures."""

    length: int
    items: tuple[Any, ...]


class Table(NamedTuple):
    """What is known of a dict, or of an object of a class: the measures of what it has, by key or name."""

    entries: dict[Any, Any]
    cls: type


SHORT = 64
"""How many items a list or dict may have of which each is measured."""


def measured(arguments: Any) -> tuple[Any, ...]:
    """The measures of the arguments of a call, None of what is no number, array or object, and holds none.

    >>> measured((1.0, np.ones(3), "text"))
    (Measure(shape=(), real=True), Measure(shape=(3,), real=True), None)
    """
    return tuple([_measure(value) for value in arguments])


def _measure(value: Any, depth: int = 0) -> Any:
    if isinstance(value, NUMERIC):
        return Measure(np.shape(value), not np.iscomplexobj(value))
    if depth == DEEP:
        return None
    if isinstance(value, tuple | list):
        items = value if len(value) <= SHORT else ()
        return Row(len(value), tuple([_measure(item, depth + 1) for item in items]))
    if isinstance(value, dict):
        short = len(value) <= SHORT
        return Table(
            {key: _measure(item, depth + 1) if short else None for key, item in dict.items(value)}, dict
        )
    return _of_fields(value) if _has_fields(type(value)) else None


def _of_fields(value: Any) -> Table:
    """The measures of an object's fields; those of other objects in them are not looked at."""
    return Table(
        {
            name: None if _has_fields(type(item)) else _measure(item, DEEP - 1)
            for name, item in fields_of(value)
        },
        type(value),
    )


HEAP = 1 << 9
"""The flag of classes that are written in Python, and of some others."""

WITHOUT_FIELDS = (type, BaseException, partial, deque, set, frozenset)


def _has_fields(cls: type) -> bool:
    """Whether the cotangents of a class's objects have an entry for each of their fields."""
    return cls is SimpleNamespace or bool(cls.__flags__ & HEAP and not issubclass(cls, WITHOUT_FIELDS))


DEEP = 8
"""How many rows and dicts inside of each other are measured: a list may hold itself."""


def check(bar: Any, measure: Any, position: Any, rule: Any) -> None:
    """Refuse what cannot be the cotangent of what has this measure; `position` is the argument's, or says
    where in an argument it is."""
    if bar is None or isinstance(bar, Tangent):
        return
    if isinstance(measure, Measure):
        check_shape(bar, measure.shape, position, rule)
    elif isinstance(measure, Row):
        _check_row(bar, measure, position, rule)
    elif isinstance(measure, Table):
        _check_table(bar, measure, position, rule)


def _check_row(bar: Any, measure: Row, position: Any, rule: Any) -> None:
    if not isinstance(bar, tuple | list | deque) and not (isinstance(bar, np.ndarray) and bar.ndim):
        raise _no_row(rule, position, bar, measure.length)
    if len(bar) != measure.length:
        raise _of_another_length(rule, position, len(bar), measure.length)
    for place, (item, inner) in enumerate(
        zip(bar, measure.items, strict=False)
    ):  # of long rows there are none
        check(item, inner, f"{position}[{place}]", rule)


def _check_table(bar: Any, measure: Table, position: Any, rule: Any) -> None:
    if not isinstance(bar, dict | Record):
        if measure.cls is dict or _is_of_another_form(bar, measure.cls):
            raise _no_table(rule, position, bar, measure.cls)
        return  # an object of the class itself, say, as the rules of its attributes give them
    for key, item in entries_of(bar).items():
        if item is not None and not _is_known(key, measure):
            raise _unknown(rule, position, key, measure)
        step = f"[{key!r}]" if measure.cls is dict else f".{key}"
        check(item, measure.entries.get(key), f"{position}{step}", rule)


def _is_of_another_form(bar: Any, cls: type) -> bool:
    """Whether something cannot be the cotangent of an object, which for sparse ones may be an array."""
    if isinstance(bar, np.ndarray) and in_class(cls, "shape") is None:
        return True
    return isinstance(bar, (Complex, str, tuple, list))


def entries_of(bar: dict[Any, Any] | Record) -> dict[Any, Any]:
    """What a cotangent has by keys or names.

    >>> entries_of(Record({"x": 1.0}))
    {'x': 1.0}
    """
    return bar._asdict() if isinstance(bar, Record) else bar


def _is_known(key: Any, measure: Table) -> bool:
    """Whether a dict has a key, or an object something that is found by a name."""
    if key in measure.entries:
        return True
    if measure.cls is dict or not isinstance(key, str):
        return False
    missing = object()
    return any(in_class(measure.cls, name, missing) is not missing for name in (key, "__getattr__"))


def check_shape(bar: Any, shape: tuple[int, ...], position: Any, rule: Any) -> None:
    """Refuse what cannot be the cotangent of a number, or of an array of a shape."""
    if bar is None or isinstance(bar, Tangent):
        return
    if not isinstance(bar, (*NUMERIC, Complex, tuple, list)) or _is_of_no_numbers(bar):
        raise _no_number(rule, position, bar)
    if _shape_of(bar) != shape:
        raise _misshapen(rule, position, _shape_of(bar), shape)


def _is_of_no_numbers(bar: Any) -> bool:
    if isinstance(bar, np.ma.MaskedArray):
        return True
    return isinstance(bar, np.ndarray | np.generic) and bar.dtype.kind not in "biufcO"


def _shape_of(bar: Any) -> tuple[int, ...] | None:
    """The shape of a number, an array, or of what can be made one; None if rows are not equally long."""
    try:
        shape: tuple[int, ...] = np.shape(bar)
    except ValueError:
        return None
    return shape


def _no_number(rule: Any, position: Any, bar: Any) -> CotangentShapeError:
    return CotangentShapeError(
        f"the pullback of the rule gives a {type(bar).__name__} for argument {position}, which is a number "
        "or an array",
        locate(rule.__code__.co_filename, rule.__code__.co_firstlineno, 0),
        why="a cotangent has the form of the value that it belongs to",
        instead="give a number or an array, or None for what has no gradient",
    )


def _of_another_length(rule: Any, position: Any, found: int, count: int) -> CotangentShapeError:
    return CotangentShapeError(
        f"the pullback of the rule gives a cotangent with {found} items for argument {position}, "
        f"which has {count}",
        locate(rule.__code__.co_filename, rule.__code__.co_firstlineno, 0),
        why="a cotangent has the form of the value that it belongs to",
        instead="give None for items that have no gradient",
    )


def _no_row(rule: Any, position: Any, bar: Any, count: int) -> CotangentShapeError:
    return CotangentShapeError(
        f"the pullback of the rule gives a {type(bar).__name__} for argument {position}, which is a row "
        f"of {count} items",
        locate(rule.__code__.co_filename, rule.__code__.co_firstlineno, 0),
        why="a cotangent has the form of the value that it belongs to",
        instead="give a tuple or list with an item for each, or None for what has no gradient",
    )


def _no_table(rule: Any, position: Any, bar: Any, cls: type) -> CotangentShapeError:
    return CotangentShapeError(
        f"the pullback of the rule gives a {type(bar).__name__} for argument {position}, which is a "
        f"{cls.__name__}",
        locate(rule.__code__.co_filename, rule.__code__.co_firstlineno, 0),
        why="a cotangent has the form of the value that it belongs to",
        instead="give a dict with what has a gradient, or None for none",
    )


def _unknown(rule: Any, position: Any, key: Any, measure: Table) -> CotangentShapeError:
    return CotangentShapeError(
        f"the pullback of the rule gives a cotangent with the entry {key!r} for argument {position}, which "
        f"is a {measure.cls.__name__} without that",
        locate(rule.__code__.co_filename, rule.__code__.co_firstlineno, 0),
        why="it would be lost",
        instead=f"what the argument has is: {', '.join(map(repr, [*measure.entries][:SHORT])) or 'nothing'}",
    )


def _misshapen(rule: Any, position: Any, found: Any, shape: tuple[int, ...]) -> CotangentShapeError:
    return CotangentShapeError(
        f"the pullback of the rule gives a cotangent of shape {found} for argument {position}, "
        f"which has shape {shape}",
        locate(rule.__code__.co_filename, rule.__code__.co_firstlineno, 0),
        why="a cotangent has the shape of the value that it belongs to",
        instead="sum over the axes that were broadcast",
    )
