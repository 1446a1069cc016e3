"""The kinds of functions that make arrays."""

from __future__ import annotations

from collections.abc import Mapping

from zygpy.analyse.arguments import (
    Arguments,
    Word,
    array_dtype,
    as_operand,
    first,
    given_dtype,
    is_none,
    rank_of_shape,
)
from zygpy.ir.kinds import (
    FLOAT,
    INT,
    UNKNOWN,
    Array,
    Kind,
    NumpyScalar,
    is_real,
    is_scalar,
    rank_of,
)


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
    if kind is None or dtype is None:
        return UNKNOWN
    return Array(dtype, rank_of(kind) if is_none(arguments, "shape") else rank_of_shape(arguments))


def _square(arguments: Arguments) -> Kind:
    dtype = given_dtype(arguments, "f8")
    return UNKNOWN if dtype is None else Array(dtype, 2)


def _array(arguments: Arguments) -> Kind:
    """`np.asarray` and its kin: always an array, of rank `ndmin` at least."""
    kind = _filled_like(arguments)
    least = arguments["ndmin"][1] if "ndmin" in arguments else 0
    if least == 0 or not isinstance(kind, Array):
        return kind
    known = type(least) is int and kind.rank is not None
    return Array(kind.dtype, max(kind.rank or 0, least) if known else None)


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
    wanted = given_dtype(arguments, dtype)
    if wanted is None:
        return UNKNOWN
    ranks = [rank_of(kind) for kind in known]
    return Array(wanted, None if None in ranks else 1 + max(rank or 0 for rank in ranks))


def _counts(arguments: Arguments) -> Kind:
    """How often each number occurs, or the sums of weights."""
    return Array("i" if is_none(arguments, "weights") else "f8", 1)


WORDS: Mapping[str, Word] = {
    "filled": _filled,
    "full": _full,
    "filled like": _filled_like,
    "square": _square,
    "as array": _array,
    "lines": _lines,
    "range": _range,
    "steps": _steps,
    "counts": _counts,
}
