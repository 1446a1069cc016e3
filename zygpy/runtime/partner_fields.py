"""Whether an attribute of what is found when tangent code runs is a field, as it is of most objects."""

from __future__ import annotations

from typing import Any

from zygpy.runtime.lookup import (
    MISSING,
    has_own,
    in_class,
    is_slot,
    own_things,
    reads_plainly,
    sets_plainly,
    slots_of,
)
from zygpy.runtime.zeros import TANGENT, CannotPush, Partner, has_partner

RULED_ATTRIBUTES: dict[tuple[type, str], Any] = {}
"""What users have declared rules for, by class and name."""


def holds_field(dot: Any, value: Any, name: str) -> bool:
    """Whether an object surely has a field, and its partner the field's tangent.

    >>> class Point:
    ...     pass
    >>> point, partner = Point(), Partner()
    >>> point.x = partner.x = 1.0
    >>> holds_field(partner, point, "x"), holds_field(partner, point, "y"), holds_field(None, 1.0, "real")
    (True, False, False)
    """
    if type(dot) is not Partner or not has_partner(value) or name not in vars(dot):
        return False
    if RULED_ATTRIBUTES and any((cls, name) in RULED_ATTRIBUTES for cls in type(value).__mro__):
        return False
    return reads_plainly(type(value)) and has_own(value, name) and _is_bare(type(value), name)


def takes_field(dot: Any, value: Any, name: str) -> bool:
    """Whether it is to set a field and no more, if an attribute of an object is set.

    >>> class Point:
    ...     pass
    >>> takes_field(Partner(), Point(), "x"), takes_field(Partner(), Point(), "__class__")
    (True, False)
    """
    if type(dot) is not Partner or not has_partner(value) or name in ("__dict__", "__class__", TANGENT):
        return False
    return sets_plainly(type(value)) and _is_bare(type(value), name)


def check_name(name: Any) -> None:
    """Leave it to reverse mode to say that an attribute has no such name.

    >>> check_name("x")
    """
    if type(name) is not str:
        raise CannotPush


def has_fields_alone(value: Any, dot: Any) -> bool:
    """Whether the dict of an object, and that of its partner, hold the same fields in the same order, now and
    later on: it has no slots beside.

    >>> class Point:
    ...     pass
    >>> has_fields_alone(Point(), Partner())
    True
    """
    cls: type = type(value)
    plain = bool(cls.__dictoffset__) and not slots_of(cls)
    return plain and list(own_things(value)) == list(vars(dot))


def check_left_field(dot: Any, value: Any, name: str) -> None:
    """Leave it to reverse mode to delete what is perhaps no field, or is deleted by a method.

    >>> class Point:
    ...     pass
    >>> point, partner = Point(), Partner()
    >>> point.x = partner.x = 1.0
    >>> check_left_field(partner, point, "x")
    """
    plain = in_class(type(value), "__delattr__") is object.__delattr__
    if not (plain and holds_field(dot, value, name) and name not in ("__dict__", "__class__")):
        raise CannotPush


def _is_bare(cls: type, name: str) -> bool:
    """Whether a class has nothing by a name that stands in front of a field."""
    found = in_class(cls, name, MISSING)
    return (
        found is MISSING
        or is_slot(cls, found)
        or not (hasattr(type(found), "__get__") or hasattr(type(found), "__set__"))
    )
