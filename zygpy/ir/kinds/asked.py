"""What is asked of kinds."""

from __future__ import annotations

import functools
import types
from typing import Any

import numpy as np

from zygpy import codes
from zygpy.ir.classes import is_generated, makes_generators
from zygpy.ir.kinds.classes import (
    BOOL,
    CLOSURE,
    EXACT_KEYS,
    FLOAT,
    FLOATING,
    HOLDING_KINDS,
    NEVER,
    NUMERIC,
    REAL_DTYPES,
    SCALARS,
    TEXT,
    UNKNOWN,
    WITH_DTYPE,
    Again,
    Array,
    Closure,
    Dict,
    Iterator,
    Itself,
    Kind,
    Known,
    List,
    LocalFunction,
    Member,
    Never,
    Nothing,
    Number,
    NumberOrArray,
    NumpyScalar,
    Object,
    OneOf,
    OnlyNone,
    Optional,
    RealScalar,
    Row,
    Text,
    Tuple,
    Unknown,
)


def row_of(element: Kind) -> Kind:
    """The kind of a tuple of any number of items of a kind.

    >>> row_of(FLOAT), row_of(UNKNOWN)
    (Row(element=Number(types=frozenset({'float'}))), Unknown())
    """
    return UNKNOWN if may_be_anything(element) else Row(element)


def options_of(kind: Kind) -> tuple[Kind, ...]:
    """The kinds of which a value of a kind is one.

    >>> options_of(FLOAT) == (FLOAT,), len(options_of(OneOf((Known(len), Known(abs)))))
    (True, 2)
    """
    return kind.options if isinstance(kind, OneOf) else (kind,)


def told_by(kind: Kind) -> Any:
    """By what a value of a kind is known when the program runs: the class of an object, the code of a
    function, what else is called itself; None where that does not tell what it is."""
    if isinstance(kind, Object):
        return kind.cls if kind.fields is not None or type(kind) is Again else None
    if isinstance(kind, LocalFunction):
        return codes.told_by(kind.function)
    if not isinstance(kind, Known) or isinstance(kind.value, types.ModuleType):
        return None
    function = kind.value
    if type(function) is not types.FunctionType:
        return None if isinstance(function, type) and issubclass(function, CALLED) else function
    ours = is_generated(function) or str(function.__module__).startswith("zygpy.")
    return None if ours or makes_generators(function) else codes.told_by(function)


CALLED = (type, types.FunctionType, types.MethodType, types.BuiltinFunctionType, functools.partial, np.ufunc)
"""Classes of what is called itself: where one of these is called, its objects may be called there, too."""


def told_by_itself(what: Any) -> Any:
    """By what is known what something is, of which a class, or a function, is named."""
    return codes.told_by(what) if type(what) is types.FunctionType else what


def is_same(told: Any, other: Any) -> bool:
    """Whether what tells two things is the same."""
    return told is other or (type(told) is tuple and told == other)


def something(kind: Kind) -> Kind:
    """The kind of what a value is if it is not None.

    >>> something(Optional(FLOAT)) == FLOAT == something(FLOAT)
    True
    """
    return kind.kind if isinstance(kind, Optional) else kind


def is_double(kind: Kind) -> bool:
    """Whether a kind holds floats of Python and NumPy's float64 only."""
    return kind in (FLOAT, NumpyScalar("f8"), RealScalar("f8"))


def is_real_scalar(kind: Kind) -> bool:
    """Whether a `RealScalar` holds the values of a kind."""
    if isinstance(kind, Number):
        return kind.types <= {"bool", "int", "float"}
    return isinstance(kind, RealScalar) or kind == NumpyScalar("f8")


def as_closure(kind: Kind) -> Kind:
    """A function that a program has made, as any function that captured something."""
    return CLOSURE if isinstance(kind, LocalFunction) else kind


def as_object(kind: Object) -> Object:
    """The kind of an object, where nothing is known of the one in whose fields it is."""
    return Object(kind.cls) if type(kind) in (Again, Itself) else kind


def keys_of(kind: Dict) -> Kind:
    """The kind of the keys of a dict.

    >>> from zygpy.ir.kinds import INT, kind_of
    >>> keys_of(kind_of({"a": 1.0})) == TEXT, keys_of(kind_of({1: 2.0})) == INT, keys_of(kind_of({}))
    (True, True, Never())
    """
    if kind.items is None:
        return kind.key
    return TEXT if kind.items else NEVER


def exact(kind: Kind) -> Kind:
    """The kind of a key of which nothing could have a gradient, or run code; else unknown."""
    if isinstance(kind, Tuple) and kind.cls is None:
        return kind if all(exact(item) == item for item in kind.items) else UNKNOWN
    return kind if kind in EXACT_KEYS else UNKNOWN


def with_any_content(kind: Kind) -> Kind:
    """The same kind of container with anything in it.

    >>> with_any_content(Dict((("k", FLOAT),), FLOAT)), with_any_content(FLOAT) == FLOAT
    (Dict(items=None, element=Unknown(), key=Unknown()), True)
    """
    if isinstance(kind, List | Iterator):
        return type(kind)(UNKNOWN)
    if isinstance(kind, Dict):
        return Dict(None, UNKNOWN)
    if isinstance(kind, Tuple):
        return Tuple(tuple(with_any_content(item) for item in kind.items), kind.cls)
    return kind


def are_apart(a: Kind, b: Kind) -> bool:
    """Whether nothing is of both kinds, as one is that of numbers, and the other one of things with something
    in them.

    >>> from zygpy.ir.kinds import INT
    >>> are_apart(FLOAT, List(FLOAT)), are_apart(FLOAT, INT), are_apart(FLOAT, UNKNOWN)
    (True, False, False)
    """
    return any(map(is_scalar, (a, b))) and (isinstance(a, HOLDING_KINDS) or isinstance(b, HOLDING_KINDS))


def may_lie_in(kind: Kind, holder: Kind) -> bool:
    """Whether a list, a dict or an object of a kind may be a value of another kind, or lie in it.

    >>> may_lie_in(List(FLOAT), List(FLOAT)), may_lie_in(List(FLOAT), Tuple((FLOAT, TEXT)))
    (True, False)
    """
    if not isinstance(kind, List | Dict | Object):
        return True
    if isinstance(holder, List | Dict | Object):
        return _may_be(kind, holder) or _may_lie_inside(kind, holder)
    if isinstance(holder, Tuple | Row | Optional | LocalFunction | OneOf):
        return _may_lie_inside(kind, holder)
    return not isinstance(holder, (*NUMERIC, Text, Nothing))


def _may_be(kind: Kind, other: Kind) -> bool:
    """Whether values of two kinds may be the same list, dict or object."""
    if isinstance(kind, Object) and isinstance(other, Object):
        return kind.cls is other.cls
    return type(kind) is type(other)


def _may_lie_in_family(kind: Kind, family: Kind) -> bool:
    """Whether such a value may be a member of a family, or lie in one."""
    assert isinstance(family, Member)
    items = [item for _, fields in family.family for _, item in fields]
    if isinstance(kind, Object) and any(cls is kind.cls for cls, _ in family.family):
        return True
    plain = [item for item in items if not _names_members(item)]
    return any(may_lie_in(kind, item) for item in plain)


def _names_members(kind: Kind) -> bool:
    """Whether values of a kind are members of a family, or None, and nothing else."""
    if isinstance(kind, OneOf):
        return all(map(_names_members, kind.options))
    return type(kind) is Again or (isinstance(kind, Optional) and _names_members(kind.kind))


def _may_lie_inside(kind: Kind, holder: Kind) -> bool:
    """Whether such a value may lie in one of another kind."""
    if isinstance(holder, Member):
        return _may_lie_in_family(kind, holder)
    if isinstance(holder, Object):
        return holder.fields is None or any(may_lie_in(kind, item) for _, item in holder.fields)
    if isinstance(holder, Tuple):
        return any(may_lie_in(kind, item) for item in holder.items)
    if isinstance(holder, Dict):
        return may_lie_in(kind, holder.element) or may_lie_in(kind, keys_of(holder))
    if isinstance(holder, List | Row):
        return may_lie_in(kind, holder.element)
    if isinstance(holder, LocalFunction):
        return any(may_lie_in(kind, item) for _, item in holder.captured)
    if isinstance(holder, OneOf):
        return any(may_lie_in(kind, option) for option in holder.options)
    return not isinstance(holder, Optional) or may_lie_in(kind, holder.kind)


def is_empty(kind: Kind) -> bool:
    """Whether a container of this kind, or one in it, is empty now: nothing is known of what it may hold."""
    if isinstance(kind, List | Iterator):
        return isinstance(kind.element, Never) or is_empty(kind.element)
    if isinstance(kind, Dict):
        return isinstance(kind.element, Never) or any(is_empty(item) for _, item in kind.items or ())
    return isinstance(kind, Tuple) and any(map(is_empty, kind.items))


def is_real(kind: Kind) -> bool:
    """Whether a numeric kind is surely not complex."""
    if isinstance(kind, Number):
        return "complex" not in kind.types
    if isinstance(kind, WITH_DTYPE):
        return kind.dtype in REAL_DTYPES
    return isinstance(kind, RealScalar) or (isinstance(kind, NumberOrArray) and kind.real)


def is_scalar(kind: Kind) -> bool:
    """Whether a kind is a Python number or a NumPy scalar: immutable, of rank 0."""
    return isinstance(kind, SCALARS)


def is_list_of_numbers(kind: Kind) -> bool:
    """Whether a kind is a list of Python's numbers and NumPy's scalars.

    >>> is_list_of_numbers(List(FLOAT)), is_list_of_numbers(List(List(FLOAT)))
    (True, False)
    """
    return isinstance(kind, List) and is_scalar(kind.element)


def is_floating_scalar(kind: Kind) -> bool:
    """Whether a kind is a Python float or a NumPy scalar with a point.

    >>> is_floating_scalar(FLOAT), is_floating_scalar(NumpyScalar("i"))
    (True, False)
    """
    return is_double(kind) or kind == NumpyScalar("f4")


def is_exact(kind: Kind) -> bool:
    """Whether a number may be a `Fraction`."""
    return isinstance(kind, Number) and "exact" in kind.types


def is_boolean(kind: Kind) -> bool:
    """Whether a kind holds truth values only."""
    return kind == BOOL if isinstance(kind, Number) else isinstance(kind, WITH_DTYPE) and kind.dtype == "b"


def is_whole(kind: Kind) -> bool:
    """Whether a kind holds integers and truth values only."""
    if isinstance(kind, Number):
        return kind.types <= {"int", "bool"}
    return isinstance(kind, WITH_DTYPE) and kind.dtype in ("i", "b")


def is_floating(kind: Kind) -> bool:
    """Whether a kind holds floating and complex numbers only.

    >>> from zygpy.ir.kinds import INT
    >>> is_floating(Array("f8", 1)), is_floating(INT), is_floating(UNKNOWN)
    (True, False, False)
    """
    if isinstance(kind, Number):
        return kind.types <= {"float", "complex"}
    return isinstance(kind, NumpyScalar | Array | RealScalar) and kind.dtype in FLOATING


def may_be_object(kind: Kind) -> bool:
    """Whether a value may be an object whose class says what its items, or its length, are.

    >>> may_be_object(UNKNOWN), may_be_object(Row(FLOAT)), may_be_object(List(FLOAT))
    (True, False, False)
    """
    return isinstance(kind, Object) or may_be_anything(kind)


def may_be_anything(kind: Kind) -> bool:
    """Whether not even the class of a value is known.

    >>> may_be_anything(UNKNOWN), may_be_anything(Optional(FLOAT)), may_be_anything(Row(FLOAT))
    (True, True, False)
    """
    return isinstance(kind, Unknown) and not isinstance(kind, Row)


def is_numeric(kind: Kind) -> bool:
    """Whether a kind is a number, NumPy scalar or array of numbers."""
    return isinstance(kind, NUMERIC)


_WITHOUT_GRADIENT: frozenset[type[Kind]] = frozenset({Text, Nothing, OnlyNone, Known, Never})
_WITH_GRADIENT: frozenset[type[Kind]] = frozenset(
    {Unknown, Optional, Object, Again, Itself, Member, Closure, LocalFunction, NumberOrArray}
)


def carries_gradient(kind: Kind) -> bool:
    """Whether a value of this kind can have a gradient at all."""
    cls = type(kind)
    if cls in _WITH_GRADIENT:
        return True
    if cls in _WITHOUT_GRADIENT:
        return False
    if isinstance(kind, Tuple):
        return kind.cls is not None or any(carries_gradient(item) for item in kind.items)
    if isinstance(kind, Dict) and kind.items is not None:
        return any(carries_gradient(item) for _, item in kind.items)
    if isinstance(kind, OneOf):
        return any(map(carries_gradient, kind.options))
    if isinstance(kind, _WITH_ELEMENTS):
        return isinstance(kind.element, Never) or carries_gradient(kind.element)
    return not is_boolean(kind)


def may_hold_functions(kind: Kind) -> bool:
    """Whether a value of this kind may be a function, or a container with one in it.

    >>> may_hold_functions(List(FLOAT)), may_hold_functions(Tuple((FLOAT, UNKNOWN)))
    (False, True)
    """
    if isinstance(kind, Tuple):
        return any(may_hold_functions(item) for item in kind.items)
    if isinstance(kind, List | Iterator | Row):
        return may_hold_functions(kind.element)
    return not is_numeric(kind)


_WITH_ELEMENTS = (List, Dict, Iterator, Row)
_MUTABLE: frozenset[type[Kind]] = frozenset(
    {Array, NumberOrArray, List, Dict, Unknown, Closure, LocalFunction, Iterator}
    | {Object, Again, Itself, Member}
)


def is_mutable(kind: Kind) -> bool:
    """Whether a value of this kind, or something inside it, may be written in place."""
    if isinstance(kind, Row):
        return is_mutable(kind.element)
    if isinstance(kind, Optional):
        return is_mutable(kind.kind)
    if isinstance(kind, OneOf):
        return any(map(is_mutable, kind.options))
    return type(kind) in _MUTABLE or (isinstance(kind, Tuple) and any(map(is_mutable, kind.items)))


def rank_of(kind: Kind) -> int | None:
    """The rank of a numeric kind, or None where it is not known."""
    if is_scalar(kind):
        return 0
    return kind.rank if isinstance(kind, Array) else None
