"""`super`: what the classes behind one in the method resolution order have."""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any

from zygpy.identity import tuples
from zygpy.identity.calls import Receiver, Trimmed, call
from zygpy.identity.classes import MISSING
from zygpy.runtime.named_tuples import is_of_record
from zygpy.runtime.places import Ignored, KeyRead
from zygpy.runtime.ways import Way


def proxied(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`super(C, o)`: what is done to it is done to the object."""
    if function is not super or len(args) != 2:
        return None
    return super(*args), Passed()


class OfReceiver:
    """A method of a tuple carries the tuple, whose items have no place."""

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return ((y_bar or {}).get("__self__"),)


class Passed:
    """The cotangent of a `super` is that of its object."""

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, None, y_bar)


def found_above(value: Any, name: str) -> tuple[Any, Any]:
    """The class behind `value.__thisclass__` that defines a name, and what it defines."""
    order = value.__self_class__.__mro__
    for cls in order[order.index(value.__thisclass__) + 1 :]:
        if name in cls.__dict__:
            return cls, cls.__dict__[name]
    return None, MISSING


def bound_to(value: Any) -> tuple[Any, ...]:
    """What a function that is found above gets as its first argument: nothing where a class asks."""
    return () if value.__self__ is value.__self_class__ else (value.__self__,)


def inherited_method(
    way: Way, value: Any, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """`super().name(*args, **kwargs)` where that is written in Python; else None."""
    _, found = found_above(value, name)
    own = bound_to(value)
    if isinstance(found, classmethod):
        found, own = found.__func__, (value.__self_class__,)
    elif isinstance(found, staticmethod):
        found, own = found.__func__, ()
    if not isinstance(found, FunctionType):
        return None
    if name == "__new__" and is_of_record(found) and args:
        return tuples.record(way, found, args[0], args[1:], kwargs)
    y, back = call(way, found, *own, *args, **kwargs)
    return y, Trimmed(back, 0, 1) if own else back


def inherited_attribute(way: Way, value: Any, name: str) -> Any:
    """`super().name` where that is computed in Python, or data of a class; None for a method."""
    if name == "__self__":
        return value.__self__, Receiver(Passed(), 2)
    owner, found = found_above(value, name)
    if isinstance(found, property) and isinstance(found.fget, FunctionType) and bound_to(value):
        y, back = call(way, found.fget, value.__self__)
        return y, Receiver(back, 1)
    y = getattr(value, name)
    if isinstance(value.__self__, tuple) and getattr(y, "__self__", None) is value.__self__:
        return y, OfReceiver()
    if hasattr(type(found), "__get__") or owner is None:
        return y, Ignored(1)
    return y, Receiver(KeyRead(owner, name, y), 0)
