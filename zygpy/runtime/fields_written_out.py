"""The texts of what `dataclasses.asdict` and `astuple` do with the objects of one class: field by field, so
that what each holds is known by its name."""

from __future__ import annotations

import dataclasses
import weakref
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeAlias

from zygpy.marks import TEXT
from zygpy.runtime.replaced import inner_dicts, inner_tuples

Written: TypeAlias = "tuple[Any, FunctionType]"

_DICTS: weakref.WeakKeyDictionary[type, Written] = weakref.WeakKeyDictionary()
_TUPLES: weakref.WeakKeyDictionary[type, Written] = weakref.WeakKeyDictionary()


def dict_of_field(value: Any) -> Any:
    """What `dataclasses.asdict` makes of a field's value: of a number itself.

    >>> dict_of_field(1.0), dict_of_field([1.0])
    (1.0, [1.0])
    """
    if type(value) is float:
        return value
    return inner_dicts(value, dict)


def tuple_of_field(value: Any) -> Any:
    """The same of `dataclasses.astuple`.

    >>> tuple_of_field(1.0), tuple_of_field((1.0,))
    (1.0, (1.0,))
    """
    if type(value) is float:
        return value
    return inner_tuples(value, tuple)


def dict_of_fields(cls: type) -> FunctionType:
    """The function that gives the dict of an object of a dataclass.

    >>> @dataclasses.dataclass
    ... class Point:
    ...     x: float
    ...     y: float
    >>> print(getattr(dict_of_fields(Point), TEXT))
    def as_dict(obj):
        return {'x': _inner(obj.x), 'y': _inner(obj.y)}
    >>> dict_of_fields(Point)(Point(1.0, 2.0))
    {'x': 1.0, 'y': 2.0}
    """
    return _kept(_DICTS, cls, _dict_written)


def tuple_of_fields(cls: type) -> FunctionType:
    """The same of its tuple."""
    return _kept(_TUPLES, cls, _tuple_written)


def _kept(
    written: weakref.WeakKeyDictionary[type, Written], cls: Any, write: Callable[[Any], FunctionType]
) -> FunctionType:
    """What is written of a class once, as long as its fields are the same."""
    fields = cls.__dataclass_fields__
    known = written.get(cls)
    if known is None or known[0] is not fields:
        known = written[cls] = fields, write(cls)
    return known[1]


def _dict_written(cls: Any) -> FunctionType:
    items = [f"{field.name!r}: _inner(obj.{field.name})" for field in dataclasses.fields(cls)]
    return _function("as_dict", f"{{{', '.join(items)}}}", dict_of_field)


def _tuple_written(cls: Any) -> FunctionType:
    items = [f"_inner(obj.{field.name})," for field in dataclasses.fields(cls)]
    return _function("as_tuple", f"({' '.join(items)})", tuple_of_field)


def _function(name: str, result: str, inner: Callable[[Any], Any]) -> FunctionType:
    text = f"def {name}(obj):\n    return {result}"
    namespace: dict[str, Any] = {"_inner": inner, "__name__": __name__}
    exec(compile(text, "<string>", "exec"), namespace)
    made: FunctionType = namespace[name]
    setattr(made, TEXT, text)
    return made
