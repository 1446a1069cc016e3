"""`Record`: the gradient of an object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zygpy.runtime.lookup import own_fields, own_slots


class Record:
    """The gradient of an object: one cotangent for each field, None where no path exists.

    It is equal to another one, or to a dict, that has the same cotangents; a field that one of them does not
    have is None there.

    >>> grad = Record({"x": 0.5, "y": None})
    >>> grad.x, grad == {"x": 0.5, "y": None}, grad == {"x": 0.5}, grad
    (0.5, True, True, (x=0.5, y=None))
    """

    __slots__ = ("_fields_",)

    def __init__(self, fields: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_fields_", dict(fields))

    def __getattr__(self, name: str) -> Any:
        try:
            return object.__getattribute__(self, "_fields_")[name]
        except KeyError:
            raise AttributeError(f"no gradient was recorded for field {name!r}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a Record cannot be changed")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record | Mapping):
            return NotImplemented
        theirs = other._fields_ if isinstance(other, Record) else other
        return bool(_present(self._fields_) == _present(theirs))

    __hash__ = None  # type: ignore[assignment]  # Python's way to say that it has none

    def __reduce__(self) -> Any:
        """What a copy is made of, or a pickled one."""
        return Record, (dict(self._fields_),)

    def _asdict(self) -> dict[str, Any]:
        """The fields as a dict."""
        return dict(self._fields_)

    def __repr__(self) -> str:
        return "(" + ", ".join(f"{name}={value!r}" for name, value in self._fields_.items()) + ")"


def _present(fields: Mapping[Any, Any]) -> dict[Any, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def read_attribute(value: Any, name: str) -> Any:
    """`value.name` of an object."""
    return getattr(value, name)


def read_method(value: Any, name: str) -> Any:
    """`value.name`, a method bound to the object."""
    return getattr(value, name)


def fields_of(value: Any) -> list[tuple[str, Any]]:
    """The fields of an object: its own dict and its slots."""
    return [*own_fields(value).items(), *own_slots(value)]
