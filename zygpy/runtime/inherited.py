"""What stands behind a class in the method resolution order of another."""

from __future__ import annotations

import functools
from types import FunctionType
from typing import Any

from zygpy.runtime.lookup import MISSING, in_class


def found_behind(cls: type, own: type, name: str) -> tuple[type, Any] | None:
    """The class behind `cls` in the order of a class that defines a name, and what it defines; None if there
    is none.

    >>> found_behind(bool, bool, "bit_length") == (int, vars(int)["bit_length"])
    True
    >>> found_behind(bool, bool, "nothing"), found_behind(str, bool, "real")
    (None, None)
    """
    behind = own.__mro__[own.__mro__.index(cls) + 1 :] if cls in own.__mro__ else ()
    return next(((base, vars(base)[name]) for base in behind if name in vars(base)), None)


def called_behind(cls: type, thing: Any, name: str) -> Any:
    """The function that `super(cls, thing)` calls by a name, or that computes what the name stands for,
    before it is bound to the thing.

    >>> called_behind(bool, 3 > 2, "bit_length")(True), called_behind(bool, True, "real") is int.real
    (1, True)
    """
    found = found_behind(cls, type(thing), name)
    return MISSING if found is None else called_in(found[1])


def called_in_class(thing: Any, name: str) -> Any:
    """The function that computes what an object's class has under a name: a method before it is bound to the
    object, or a property.

    >>> called_in_class(True, "bit_length")(True), called_in_class(True, "from_bytes")(b"a", "big")
    (1, True)
    """
    found = next(vars(base)[name] for base in type(thing).__mro__ if name in vars(base))
    if type(found) is functools.cached_property:
        return found.func
    getter = in_class(type(found), "__get__", None)
    if isinstance(getter, FunctionType):
        return getter
    return found.fget if type(found) is property else getattr(type(thing), name)


def is_kept(thing: Any, name: str) -> bool:
    """Whether an object has something of its own by a name, which a cached property may have computed."""
    return name in thing.__dict__


def note_kept(thing: Any, name: str) -> None:
    """Nothing is done where an object has something of its own by a name: only that is known from here on."""


def setter_in_class(thing: Any, name: str) -> Any:
    """The function that sets what an object's class has a property for.

    >>> class Count:
    ...     n = property(lambda self: 1, lambda self, n: print("set to", n))
    >>> setter_in_class(Count(), "n")(None, 2)
    set to 2
    """
    found: Any = next(vars(base)[name] for base in type(thing).__mro__ if name in vars(base))
    return found.fset if isinstance(found, property) else type(found).__set__


def descriptor_in_class(thing: Any, name: str) -> Any:
    """What an object's class has under a name, as it stands there.

    >>> descriptor_in_class(True, "real") is vars(int)["real"]
    True
    """
    return in_class(type(thing), name)


def called_in(value: Any) -> Any:
    """The function in what a class has: that of a static method, or of a property, or what stands there.

    >>> called_in(staticmethod(len)), called_in(property(len)) is called_in(len) is len
    (<built-in function len>, True)
    """
    if type(value) is property:
        return value.fget
    return value.__func__ if type(value) is staticmethod else value
