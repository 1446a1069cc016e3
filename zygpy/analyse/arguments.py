"""The arguments of a primitive as kinds: reading shapes, axes and dtypes from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from zygpy.analyse.transfer import dtype_of, promote_dtypes
from zygpy.ir.kinds import (
    INT,
    Array,
    Kind,
    Known,
    List,
    Never,
    Nothing,
    NumberOrArray,
    NumpyScalar,
    Object,
    Row,
    Tuple,
    dtype_class,
    is_exact,
    is_numeric,
    is_real,
    is_scalar,
    rank_of,
)

ABSENT = object()
"""Stands for the literal of an argument that is not a literal."""

Arguments = Mapping[str, tuple[Kind, Any]]
"""For each parameter its kind and, where it is a literal, its value (else ABSENT)."""

Word = Callable[[Arguments], Kind]
"""A word of `kind=`: the arguments' kinds to the result's."""


def operands_of(arguments: Arguments) -> list[Kind]:
    """The kinds of the arguments that are given and not None."""
    return [
        kind for kind, literal in arguments.values() if literal is not None and not isinstance(kind, Nothing)
    ]


def first(arguments: Arguments) -> Kind | None:
    """The first argument as an operand, or None where nothing is known of it."""
    given = next(iter(arguments.values()), None)
    return None if given is None else as_operand(given[0])


def as_operand(kind: Kind) -> Kind | None:
    """The numeric kind that NumPy makes of an argument: lists and tuples become arrays."""
    if is_numeric(kind):
        return None if is_exact(kind) else kind
    if isinstance(kind, List | Row):
        return _of_list(kind)
    return _of_tuple(kind) if isinstance(kind, Tuple) else None


def _of_list(kind: List | Row) -> Kind | None:
    # An empty list makes a float64 array of rank one, whatever its elements would have been.
    if isinstance(kind.element, Never):
        return Array("f8", 1)
    element = as_operand(kind.element)
    if element is None:
        return None
    dtype = dtype_of(element)
    if dtype != "f8":
        dtype = "real" if is_real(element) else "any"
    return Array(dtype, 1 if is_scalar(element) else None)


def _of_tuple(kind: Tuple) -> Kind | None:
    items = [as_operand(item) for item in kind.items]
    known = [item for item in items if item is not None]
    if len(known) < len(items):
        return None
    ranks = {rank_of(item) for item in known}
    inner = ranks.pop() if len(ranks) == 1 else None
    if not known:
        return Array("f8", 1)
    return Array(together(known), None if inner is None else inner + 1)


def together(kinds: list[Kind]) -> str:
    """The dtype class of an array of all these, none of them weak."""
    dtype = array_dtype(kinds[0])
    for kind in kinds[1:]:
        dtype = promote_dtypes(dtype, array_dtype(kind))
    return dtype


def array_dtype(kind: Kind) -> str:
    """The dtype class of `np.asarray(value)`: a Python int may be too large for int64."""
    return "real" if kind == INT else dtype_of(kind)


def is_false(arguments: Arguments, name: str) -> bool:
    """Whether a flag is surely off."""
    return name not in arguments or arguments[name][1] is False


def is_none(arguments: Arguments, name: str) -> bool:
    """Whether an argument is surely None."""
    return name not in arguments or isinstance(arguments[name][0], Nothing)


def is_integer(kind: Kind) -> bool:
    """Whether a kind holds integers only, of the types that index and count."""
    return kind in (INT, NumpyScalar("i"))


def count(kind: Kind) -> int | None:
    """How many axes (or lengths) are named by an integer or a tuple of integers."""
    if is_integer(kind):
        return 1
    return len(kind.items) if isinstance(kind, Tuple) else None


def count_named(arguments: Arguments, name: str) -> int | None:
    """How many axes (or lengths) an argument names."""
    return count(arguments[name][0]) if name in arguments else None


def given_dtype(arguments: Arguments, default: str | None) -> str | None:
    """The dtype class that a call asks for; None where it is not known, or holds no numbers."""
    if is_none(arguments, "dtype"):
        return default
    kind, literal = arguments["dtype"]
    wanted: Any = literal
    if isinstance(kind, Known):
        wanted = kind.value
    elif isinstance(kind, Object) and issubclass(kind.cls, np.dtype):
        wanted = _instance(kind.cls)
    if wanted is ABSENT or wanted is None:
        return None
    return _class_of(wanted)


def _instance(cls: Any) -> Any:
    try:
        return cls()
    except TypeError:  # dtypes with parameters, such as dates
        return ABSENT


def _class_of(wanted: Any) -> str | None:
    try:
        return dtype_class(np.dtype(wanted))
    except TypeError:
        return None


def some_number(kind: Kind) -> Kind:
    """A number or array, as real as the operand."""
    return NumberOrArray(is_real(kind))


def rank_of_shape(arguments: Arguments, name: str = "shape") -> int | None:
    """The rank that a shape argument asks for."""
    kind, literal = arguments[name]
    if isinstance(literal, tuple):
        return len(literal)
    if isinstance(kind, Tuple) and len(kind.items) == 1 and isinstance(kind.items[0], Tuple):
        return len(kind.items[0].items)
    if isinstance(kind, Tuple) and not all(is_integer(item) for item in kind.items):
        return None
    return count(kind)
