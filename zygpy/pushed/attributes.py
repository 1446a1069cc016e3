"""Attributes that are read and stored of what is found when the code runs, and of its tangent beside it."""

from __future__ import annotations

from enum import Enum
from types import FunctionType
from typing import Any

import numpy as np

from zygpy.load.signatures import PLAIN
from zygpy.pushed.found import called
from zygpy.pushed.in_order import called_in_order
from zygpy.pushed.tables import is_table
from zygpy.rules.custom import of_attribute
from zygpy.runtime.lookup import MISSING, has_own, in_class, is_slot, own_things, reads_plainly, sets_plainly
from zygpy.runtime.mirrors import check_put_there, has_table, held_dot, now, put_there, table_of
from zygpy.runtime.partner_fields import has_fields_alone
from zygpy.runtime.subclasses import inherited_container
from zygpy.runtime.zeros import (
    TANGENT,
    CannotPush,
    Partner,
    bound_dot,
    has_partner,
    let_pass,
    zero_tangent,
)

PARTNER = Partner()


def left(name: Any) -> Any:
    raise CannotPush(name)


def owner_of(value: Any) -> Any:
    """The object itself, of which `super` gives what is inherited."""
    return getattr(value, "__self__") if type(value) is super else value  # noqa: B009


def attribute_stored(name: str, args: tuple[Any, Any], dots: tuple[Any, Any]) -> tuple[None, None]:
    """What `pushed_store` does, in the same way."""
    if has_table(args[0]):
        check_put_there(args[0], name)
        setattr(args[0], name, args[1])
        put_there(table_of(args[0]), name, args[1])[name] = dots[1]
        return None, None
    setter = setter_of(args[0], dots[0], name)
    if setter is not None:
        called(setter, None, args, dots, True)
        return None, None
    setattr(args[0], name, args[1])
    setattr(dots[0], name, dots[1])
    return None, None


def attribute_read(name: str, args: tuple[Any], dots: tuple[Any]) -> tuple[Any, Any]:
    """What `pushed_attribute` does, in the same way."""
    if has_table(args[0]):
        y = getattr(args[0], name)
        return y, held_dot(table_of(args[0]), name, y)[name]
    found = attribute_of(args[0], dots[0], name)
    if found is FIELD:
        return getattr(args[0], name), getattr(dots[0], name)
    if found is CONSTANT:
        y = getattr(args[0], name)
        return y, dot_of_constant(args[0], name, y)
    if found is VARS:
        return vars(args[0]), vars(dots[0])
    if found is METHOD:
        return getattr(args[0], name), bound_dot(args[0], dots[0])
    if found is GIVEN:
        return given_by_method(name, args, dots)
    if found is CHAINED:
        return chained(args[0], name)
    return called(found, None, args, dots, True)


def chained(error: Any, name: str) -> tuple[Any, Any]:
    """The exception behind another."""
    behind = getattr(error, name)
    if behind is not None:
        let_pass(behind)
    return behind, getattr(behind, TANGENT, None)


def given_by_method(name: str, args: tuple[Any], dots: tuple[Any]) -> tuple[Any, Any]:
    """What `__getattr__` gives."""
    return called_in_order(in_class(type(args[0]), "__getattr__"), None, (*args, name), (*dots, None), True)


def dot_of_constant(value: Any, name: str, y: Any) -> Any:
    """The tangent of what the class of an object has by a name."""
    if now() is None or is_of_member(value, name):
        return zero_tangent(y)
    return held_dot(type(value), name, y)[name]


FIELD = object()
CONSTANT = object()
CHAINED = object()
VARS = object()
METHOD = object()
GIVEN = object()
"""What an attribute may be; the last is what `__getattr__` gives."""


def attribute_of(value: Any, dot: Any, name: str) -> Any:
    """What the attribute of an object is: the function of a property, or one of the above.

    Raises CannotPush where that is not known.
    """
    if of_attribute(type(value), name) is not None:
        return left(name)  # a rule says how it is differentiated, which reverse mode goes by
    return _of_own(value, dot, name)


def _of_own(value: Any, dot: Any, name: str) -> Any:
    """The same of an attribute without a rule of a user's."""
    cls = type(value)
    if cls is np.ndarray or (isinstance(value, tuple) and name in getattr(cls, "_fields", ())):
        return _of_array_or_tuple(value, dot, name)
    if (dot is None and name == "args" and _tells_texts(value)) or _is_of_held_class(value, name):
        return CONSTANT
    if is_of_member(value, name):
        return CONSTANT
    check_access(value, dot)
    if name == "__dict__":
        return VARS if has_fields_alone(value, dot) else left(name)
    found = in_class(cls, name, MISSING)
    if isinstance(value, BaseException) and name in ("__cause__", "__context__"):
        return CHAINED
    if isinstance(value, BaseException) and name == "args" and name in vars(dot):
        return FIELD
    if has_own(value, name) and not isinstance(found, property):
        return FIELD if name in vars(dot) else left(name)
    return _of_class(cls, found, name)


def _of_class(cls: type, found: Any, name: str) -> Any:
    """The same of what the class has for all of its objects, or gives by its `__getattr__`."""
    asked = in_class(cls, "__getattr__")
    if isinstance(found, property) and type(found.fget) is FunctionType:
        return found.fget if asked is None else left(name)  # that is asked where the property fails
    if found is MISSING and type(asked) is FunctionType:
        return GIVEN
    if type(found) is FunctionType:
        return METHOD
    return CONSTANT if _is_plain(found) or _is_mirrored(found) else left(name)


def _is_mirrored(found: Any) -> bool:
    """Whether what a class has is a container, or array, whose tangent is found by its identity."""
    return now() is not None and (type(found) in (list, dict, set, np.ndarray) or is_table(found))


def _is_of_held_class(value: Any, name: str) -> bool:
    """Whether an attribute of an object that is a list or dict is surely what its class has for all."""
    base = inherited_container(type(value))
    if base is None or in_class(type(value), "__getattribute__") is not base.__getattribute__:
        return False
    return has_partner(value) and name not in own_things(value) and _is_plain(in_class(type(value), name, []))


def is_of_member(value: Any, name: str) -> bool:
    """Whether what is asked for is the name or the value of a member of an enumeration, and that is the very
    number or text which the class has given it."""
    if not isinstance(value, Enum) or name not in ("name", "value"):
        return False
    cls = type(value)
    if (
        in_class(cls, name) is not in_class(Enum, name)
        or type(in_class(cls, "__getattribute__")) is FunctionType
    ):
        return False
    held = getattr(value, f"_{name}_")
    given: Any = cls.__members__ if name == "name" else cls._value2member_map_
    return _is_plain(held) and any(own is held and member is value for own, member in given.items())


def _is_plain(found: Any) -> bool:
    """Whether what a class has is a number, a text, or a tuple of such."""
    return type(found) in PLAIN or (type(found) is tuple and all(type(item) in PLAIN for item in found))


def _tells_texts(value: Any) -> bool:
    """Whether something is an exception that came from elsewhere, and brings nothing but texts."""
    plain = isinstance(value, BaseException) and in_class(type(value), "args") is vars(BaseException)["args"]
    return plain and "args" not in vars(value) and all(type(part) is str for part in value.args)


def _of_array_or_tuple(value: Any, dot: Any, name: str) -> Any:
    if type(dot) is not type(value):
        raise CannotPush
    if isinstance(value, tuple) or name in ("T", "real", "imag"):
        return FIELD
    return CONSTANT if name in ("shape", "size", "ndim", "dtype") else left(name)


def check_access(value: Any, dot: Any) -> None:
    """Leave to reverse mode what is no object with a partner, or says itself what its attributes are."""
    if type(dot) is not Partner or not (has_partner(value) or isinstance(value, BaseException)):
        raise CannotPush
    base = BaseException if isinstance(value, BaseException) else inherited_container(type(value)) or object
    own = in_class(type(value), "__getattribute__")
    if not reads_plainly(type(value)) and own is not base.__getattribute__:
        raise CannotPush


def setter_of(value: Any, dot: Any, name: str) -> Any:
    """The function that sets a property; None where it is a field that is set.

    Raises CannotPush where it is perhaps neither.
    """
    cls = type(value)
    check_access(value, dot)
    plain = sets_plainly(cls) or in_class(cls, "__setattr__") is in_class(BaseException, "__setattr__")
    if not plain or name in ("__dict__", "__class__", TANGENT):
        raise CannotPush
    found = in_class(cls, name)
    if isinstance(found, property) and type(found.fset) is FunctionType:
        return found.fset
    if hasattr(type(found), "__set__") and not is_slot(cls, found):
        raise CannotPush
    return None
