"""The kinds of functions that make arrays, move their elements, join them or measure them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from zygpy.analyse.arguments import (
    ABSENT,
    Arguments,
    array_dtype,
    as_operand,
    count,
    count_named,
    first,
    given_dtype,
    is_integer,
    is_none,
    some_number,
    together,
)
from zygpy.analyse.transfer import dtype_of, is_real_dtype, ranked
from zygpy.ir.kinds import (
    FLOAT,
    INT,
    UNKNOWN,
    Array,
    Kind,
    List,
    Number,
    NumberOrArray,
    NumpyScalar,
    Object,
    Tuple,
    is_real,
    is_scalar,
    rank_of,
)


def as_array(kind: Kind) -> Kind:
    """The same value as an array, whatever its rank."""
    if isinstance(kind, NumpyScalar | Number):
        return Array(dtype_of(kind), 0)
    return Array("real" if is_real(kind) else "any", None) if isinstance(kind, NumberOrArray) else kind


# ------------------------------------------------------------------------------ words with a name


def _like(arguments: Arguments, name: str) -> Kind:
    """Of the operand's dtype and shape, an array if that is one of rank one or more."""
    kind = as_operand(arguments[name][0])
    if kind is None:
        return UNKNOWN
    return kind if isinstance(kind, Array) and kind.rank else some_number(kind)


def _view(arguments: Arguments, name: str) -> Kind:
    """The same, an array also of rank zero."""
    kind = as_operand(arguments[name][0])
    if kind is None:
        return UNKNOWN
    return kind if isinstance(kind, Array) else some_number(kind)


def _real(arguments: Arguments, name: str) -> Kind:
    """The real or imaginary part."""
    kind = arguments[name][0]
    if isinstance(kind, Array | NumpyScalar):
        dtype = {"c16": "f8", "c8": "f4", "any": "real"}.get(kind.dtype, kind.dtype)
        return type(kind)(dtype, kind.rank) if isinstance(kind, Array) else NumpyScalar(dtype)
    return UNKNOWN if as_operand(kind) is None else NumberOrArray(True)


def _absolute(arguments: Arguments, name: str) -> Kind:
    """The modulus, by a ufunc."""
    kind = as_operand(arguments[name][0])
    if kind is None:
        return UNKNOWN
    dtype = {"c16": "f8", "c8": "f4", "any": "real"}.get(array_dtype(kind), array_dtype(kind))
    return ranked(dtype, rank_of(kind))


NAMING: Mapping[str, Callable[[Arguments, str], Kind]] = {
    "like": _like,
    "view": _view,
    "real part": _real,
    "modulus": _absolute,
}
"""Words that name a parameter: "like a"."""


# ------------------------------------------------------------------------------------- creation


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


def _filled(arguments: Arguments) -> Kind:
    dtype = given_dtype(arguments, "f8")
    return UNKNOWN if dtype is None else Array(dtype, rank_of_shape(arguments))


def _full(arguments: Arguments) -> Kind:
    value = as_operand(arguments["fill_value"][0])
    dtype = given_dtype(arguments, None if value is None else array_dtype(value))
    return UNKNOWN if dtype is None else Array(dtype, rank_of_shape(arguments))


def _filled_like(arguments: Arguments) -> Kind:
    kind = first(arguments)
    dtype = given_dtype(arguments, None if kind is None else array_dtype(kind))
    return UNKNOWN if kind is None or dtype is None else Array(dtype, rank_of(kind))


def _square(arguments: Arguments) -> Kind:
    dtype = given_dtype(arguments, "f8")
    return UNKNOWN if dtype is None else Array(dtype, 2)


def _array(arguments: Arguments) -> Kind:
    """`np.asarray` and its kin: always an array."""
    return _filled_like(arguments)


def _lines(arguments: Arguments) -> Kind:
    """The same of rank one at least."""
    kind = _array(arguments)
    return Array(kind.dtype, max(kind.rank, 1)) if isinstance(kind, Array) and kind.rank is not None else kind


def _range(arguments: Arguments) -> Kind:
    kinds = [arguments[name][0] for name in ("start", "stop", "step") if not is_none(arguments, name)]
    dtype: str | None = "real" if all(is_real(kind) for kind in kinds) else "any"
    start = arguments["start"][1]
    if type(start) is int and abs(start) < 2**62 and is_none(arguments, "stop"):
        dtype = "i"
    elif FLOAT in kinds and all(kind in (INT, FLOAT) for kind in kinds):
        dtype = "f8"
    dtype = given_dtype(arguments, dtype)
    known = all(is_scalar(kind) for kind in kinds)
    return Array(dtype, 1) if known and dtype is not None else UNKNOWN


def _steps(arguments: Arguments) -> Kind:
    kinds = [as_operand(arguments[name][0]) for name in ("start", "stop")]
    known = [kind for kind in kinds if kind is not None]
    if len(known) < 2:
        return UNKNOWN
    exact = all(kind in (INT, FLOAT, NumpyScalar("f8")) for kind in known)
    dtype = "f8" if exact else "real" if all(is_real(kind) for kind in known) else "any"
    ranks = [rank_of(kind) for kind in known]
    return Array(dtype, None if None in ranks else 1 + max(rank or 0 for rank in ranks))


# ------------------------------------------------------------------------------ moving elements


def _operand_array(kind: Kind, rank: int | None) -> Array:
    return Array(array_dtype(kind), rank)


def _moved(rank: Callable[[int, Arguments], int | None]) -> Callable[[Arguments], Kind]:
    """An array of the operand's dtype whose rank follows from the operand's."""

    def word(arguments: Arguments) -> Kind:
        kind = first(arguments)
        if kind is None:
            return UNKNOWN
        before = rank_of(kind)
        return _operand_array(kind, None if before is None else rank(before, arguments))

    return word


def _reshaped(arguments: Arguments) -> Kind:
    kind = first(arguments)
    if kind is None:
        return UNKNOWN
    rank = rank_of_shape(arguments)
    if not rank and not isinstance(kind, Array):
        return some_number(kind)
    return _operand_array(kind, rank)


def _broadcast(arguments: Arguments) -> Kind:
    kind = first(arguments)
    return UNKNOWN if kind is None else _operand_array(kind, rank_of_shape(arguments))


def _to_shape(arguments: Arguments) -> Kind:
    """A cotangent brought to a shape: a number or array where that has no axes."""
    kind = first(arguments)
    if kind is None:
        return UNKNOWN
    rank = rank_of_shape(arguments)
    return Array(dtype_of(kind), rank) if rank else some_number(kind)


def _flat(arguments: Arguments) -> Kind:
    kind = first(arguments)
    return UNKNOWN if kind is None else _operand_array(kind, 1)


def _squeezed(arguments: Arguments) -> Kind:
    kind = first(arguments)
    if not isinstance(kind, Array):
        return UNKNOWN if kind is None else some_number(kind)
    dropped = count_named(arguments, "axis")
    return Array(kind.dtype, None if kind.rank is None or dropped is None else max(kind.rank - dropped, 0))


def _flat_or_same(rank: int, arguments: Arguments) -> int | None:
    return 1 if is_none(arguments, "axis") else rank or None


def _expanded(rank: int, arguments: Arguments) -> int | None:
    added = count_named(arguments, "axis")
    return None if added is None else rank + added


def _tiled(rank: int, arguments: Arguments) -> int | None:
    repeats = count_named(arguments, "reps")
    return None if repeats is None else max(rank, repeats)


def _diag(rank: int, arguments: Arguments) -> int | None:
    return {1: 2, 2: 1}.get(rank)


def _taken(arguments: Arguments) -> Kind:
    kind, index = first(arguments), as_operand(arguments["indices"][0])
    if kind is None or index is None:
        return UNKNOWN
    rank, chosen = rank_of(kind), rank_of(index)
    if is_none(arguments, "axis"):
        return ranked(array_dtype(kind), chosen)
    if rank is None or chosen is None or not is_integer(arguments["axis"][0]):
        return some_number(kind)
    return ranked(array_dtype(kind), rank - 1 + chosen)


def _traced(arguments: Arguments) -> Kind:
    kind = first(arguments)
    if kind is None:
        return UNKNOWN
    rank, dtype = rank_of(kind), array_dtype(kind)
    return ranked("i" if dtype == "b" else dtype, None if rank is None or rank < 2 else rank - 2)


def _cast(arguments: Arguments) -> Kind:
    kind = arguments[next(iter(arguments))][0]
    dtype = given_dtype(arguments, "f8")
    if dtype is None or not isinstance(kind, Array | NumpyScalar | NumberOrArray):
        return UNKNOWN
    if isinstance(kind, NumberOrArray):
        return NumberOrArray(is_real_dtype(dtype))
    return NumpyScalar(dtype) if isinstance(kind, NumpyScalar) else Array(dtype, kind.rank)


# --------------------------------------------------------------------------------- joining


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
    return any(isinstance(kind, Number) for kind in parts) and len(set(parts)) > 1


def _parts(kind: Kind) -> list[Kind] | None:
    if isinstance(kind, List):
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
    return List(UNKNOWN if kind is None else _operand_array(kind, rank_of(kind) or None))


# ------------------------------------------------------------------------------- measuring


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


WORDS: Mapping[str, Callable[[Arguments], Kind]] = {
    "filled": _filled,
    "full": _full,
    "filled like": _filled_like,
    "square": _square,
    "as array": _array,
    "lines": _lines,
    "range": _range,
    "steps": _steps,
    "reshape": _reshaped,
    "flat": _flat,
    "squeeze": _squeezed,
    "flat unless axis": _moved(_flat_or_same),
    "same rank": _moved(lambda rank, arguments: rank or None),
    "expand": _moved(_expanded),
    "tile": _moved(_tiled),
    "diag": _moved(_diag),
    "triangle": _moved(lambda rank, arguments: max(rank, 2)),
    "diagonal": _moved(lambda rank, arguments: rank - 1 if rank > 1 else None),
    "broadcast": _broadcast,
    "to shape": _to_shape,
    "taken": _taken,
    "trace": _traced,
    "cast": _cast,
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
    "array": lambda arguments: _some_array(arguments),
}


def _some_array(arguments: Arguments) -> Kind:
    """An array of which neither rank nor precision is known."""
    kind = first(arguments)
    if kind is None:
        return UNKNOWN
    values = [as_operand(item) for item, literal in arguments.values() if literal is ABSENT]
    real = all(value is None or is_real(value) for value in values)
    return Array("real" if real else "any", None)
