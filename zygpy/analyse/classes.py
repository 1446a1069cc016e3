"""The classes of values of a kind, and what is found by them: shared data, members of enumerations."""

from __future__ import annotations

from enum import EnumMeta
from fractions import Fraction

import numpy as np

from zygpy.analyse.callees import MAKING_INERT
from zygpy.analyse.facts import Guard
from zygpy.analyse.run import Run
from zygpy.analyse.sites import BY_NAME
from zygpy.analyse.values import Value, make
from zygpy.ir.classes import HEAP_TYPE, INERT, PURE, STATEFUL
from zygpy.ir.kinds import (
    UNKNOWN,
    Array,
    Dict,
    Kind,
    Known,
    List,
    Number,
    NumpyScalar,
    Object,
    RealScalar,
    Tuple,
    Unknown,
    kind_of,
)
from zygpy.marks import is_marked

NUMBERS: dict[str, type] = {"bool": bool, "int": int, "float": float, "complex": complex, "exact": Fraction}
SCALARS: dict[str, type] = {
    "f8": np.float64,
    "f4": np.float32,
    "c16": np.complex128,
    "c8": np.complex64,
    "i": np.int64,
    "b": np.bool_,
}


CLASSES: dict[type[Kind], type] = {Array: np.ndarray, Tuple: tuple, List: list, Dict: dict}
"""Of kinds whose values are instances of one class, unless they tell another."""


def classes_of(kind: Kind) -> tuple[type, ...] | None:
    """What a value of this kind is an instance of, one of these; None where that is not known.

    >>> from zygpy.ir.kinds import FLOAT, UNKNOWN
    >>> classes_of(FLOAT), classes_of(UNKNOWN)
    ((<class 'float'>,), None)
    """
    found = getattr(kind, "cls", None) or CLASSES.get(type(kind))
    if found is not None:
        return (found,)
    match kind:
        case Number(types):
            return tuple(sorted([NUMBERS[name] for name in types], key=lambda cls: cls.__name__))
        case NumpyScalar(dtype):
            return (SCALARS[dtype],) if dtype in SCALARS else None
        case RealScalar("f8"):
            return (float, np.float64)
        case Known(value):
            return (type(value),)
    return None


def shares_data(kind: Kind) -> bool:
    """Whether values of a kind have a class that was written in Python: others may store something in it, and
    its methods may read what others find, whatever the value itself holds.

    >>> class Point(tuple): pass
    >>> shares_data(Object(Point)), shares_data(Object(set)), shares_data(Tuple(()))
    (True, False, False)
    """
    cls = None if isinstance(kind, Known) else class_of(kind)
    if cls is None or cls in MAKING_INERT or not cls.__flags__ & HEAP_TYPE:
        return False
    return not any(is_marked(cls, mark) for mark in (INERT, PURE, STATEFUL))


def class_of(kind: Kind) -> type | None:
    """The class of values of a kind, where that may be one that was written in Python; else None.

    >>> class Point(tuple): pass
    >>> class_of(Object(Point)), class_of(Known(Point)), class_of(Tuple(()))
    (<class 'zygpy.analyse.classes.Point'>, <class 'type'>, None)
    """
    if isinstance(kind, Known):
        return type(kind.value)
    return kind.cls if isinstance(kind, Object | Tuple) else None


def class_asked_for(run: Run, kind: Kind) -> Value | None:
    """The value of `type(o)`, in which what is stored is outside; None where the class is one of Python's own
    in which nothing can be stored."""
    if isinstance(kind, Unknown) or not keeps_class(run, kind):
        return make(UNKNOWN, run.facts.way.everywhere, BY_NAME)
    cls = class_of(kind)
    return None if cls is None else make(kind_of(cls), False, BY_NAME)


def keeps_class(run: Run, kind: Kind) -> bool:
    """Whether values of a kind still have the class that the kind tells: of an object of whose fields nothing
    is known it may be another one by now, if the program gives an object another `__class__`."""
    if not isinstance(kind, Object) or kind.fields is not None or not kind.cls.__flags__ & HEAP_TYPE:
        return True
    if "__class__" in run.scope.replaced:
        return False
    run.note(Guard(kind.cls, "__class__", type(kind.cls)))
    return True


def has_members(kind: Kind) -> bool:
    """Whether a kind is that of a class that is asked for its objects: an enumeration.

    >>> import enum
    >>> has_members(Known(enum.Enum("Colour", "RED"))), has_members(Known(float))
    (True, False)
    """
    return isinstance(kind, Known) and isinstance(kind.value, EnumMeta)


def with_members(value: Value, *, everywhere: bool) -> Value:
    """A value that is asked for items: those of an enumeration may have a gradient that is found by them."""
    return make(UNKNOWN, True, BY_NAME) if everywhere and has_members(value.kind) else value
