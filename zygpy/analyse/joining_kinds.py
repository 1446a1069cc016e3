"""The kinds of functions that join arrays, split them or measure them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from zygpy.analyse.arguments import (
    Arguments,
    Word,
    array_dtype,
    as_operand,
    first,
    is_none,
    together,
)
from zygpy.analyse.transfer import is_real_dtype, ranked
from zygpy.ir.kinds import (
    INT,
    UNKNOWN,
    Array,
    Kind,
    List,
    Number,
    NumpyScalar,
    Object,
    RealScalar,
    Row,
    Tuple,
    rank_of,
)


def _joined(rank: Callable[[int, Arguments], int | None]) -> Callable[[Arguments], Kind]:
    """Several arrays made into one: its rank follows from theirs, which are the same."""

    def word(arguments: Arguments) -> Kind:
        parts = _parts(next(iter(arguments.values()))[0])
        if not parts:
            return UNKNOWN
        ranks = [rank_of(kind) for kind in parts]
        known = None if None in ranks else max(rank or 0 for rank in ranks)
        dtype = together(parts)
        if _weak(parts):
            dtype = "real" if is_real_dtype(dtype) else "any"
        return Array(dtype, None if known is None else rank(known, arguments))

    return word


def _weak(parts: list[Kind]) -> bool:
    """Whether Python's numbers are joined with NumPy's, which may be of less precision."""
    return any(isinstance(kind, Number | RealScalar) for kind in parts) and len(set(parts)) > 1


def _parts(kind: Kind) -> list[Kind] | None:
    if isinstance(kind, List | Row):
        items: tuple[Kind, ...] = (kind.element,)
    elif isinstance(kind, Tuple):
        items = kind.items
    else:
        return None
    known = [as_operand(item) for item in items]
    found = [item for item in known if item is not None]
    return found if len(found) == len(known) else None


def _appended(arguments: Arguments) -> Kind:
    pair = [as_operand(arguments[name][0]) for name in ("arr", "values")]
    known = [kind for kind in pair if kind is not None]
    if len(known) < 2:
        return UNKNOWN
    return Array(together(known), 1 if is_none(arguments, "axis") else rank_of(known[0]) or None)


def _pieces(arguments: Arguments) -> Kind:
    kind = first(arguments)
    return List(UNKNOWN if kind is None else Array(array_dtype(kind), rank_of(kind) or None))


def _shape(arguments: Arguments) -> Kind:
    kind = first(arguments)
    rank = None if kind is None else rank_of(kind)
    return UNKNOWN if rank is None else Tuple((INT,) * rank)


_DTYPES = {"f8": np.float64, "f4": np.float32, "c16": np.complex128, "c8": np.complex64, "b": np.bool_}


def _dtype(arguments: Arguments) -> Kind:
    kind = first(arguments)
    if not isinstance(kind, Array | NumpyScalar):
        return UNKNOWN
    dtype = np.int64 if kind.dtype == "i" else _DTYPES.get(kind.dtype)
    return UNKNOWN if dtype is None else Object(type(np.dtype(dtype)))


def _order(arguments: Arguments) -> Kind:
    """Positions of elements, one for each along an axis."""
    kind = first(arguments)
    if kind is None:
        return UNKNOWN
    return Array("i", 1 if is_none(arguments, "axis") else rank_of(kind) or None)


def _places(arguments: Arguments) -> Kind:
    """Positions, one for each value looked up."""
    value = as_operand(arguments["v"][0])
    return UNKNOWN if value is None else ranked("i", rank_of(value))


WORDS: Mapping[str, Word] = {
    "concatenate": _joined(lambda rank, arguments: 1 if is_none(arguments, "axis") else rank or None),
    "stack": _joined(lambda rank, arguments: rank + 1),
    "rows": _joined(lambda rank, arguments: max(rank, 2)),
    "line": _joined(lambda rank, arguments: max(rank, 1)),
    "depth": _joined(lambda rank, arguments: max(rank, 3)),
    "append": _appended,
    "pieces": _pieces,
    "shape": _shape,
    "dtype": _dtype,
    "order": _order,
    "places": _places,
}
