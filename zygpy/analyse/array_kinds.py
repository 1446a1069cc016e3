"""The kinds of functions that move, pick or cast the elements of arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zygpy.analyse.arguments import (
    ABSENT,
    Arguments,
    Word,
    array_dtype,
    as_operand,
    count_named,
    first,
    given_dtype,
    is_false,
    is_integer,
    is_none,
    rank_of_shape,
    some_number,
)
from zygpy.analyse.transfer import dtype_of, is_real_dtype, numpy_result, ranked
from zygpy.ir.kinds import (
    COMPLEX,
    FLOAT,
    INT,
    UNKNOWN,
    Array,
    Kind,
    Number,
    NumberOrArray,
    NumpyScalar,
    RealScalar,
    is_exact,
    is_real,
    is_scalar,
    join_all,
    rank_of,
)


def as_array(kind: Kind) -> Kind:
    """The same value as an array, whatever its rank."""
    if is_scalar(kind):
        return Array(dtype_of(kind), 0)
    return Array("real" if is_real(kind) else "any", None) if isinstance(kind, NumberOrArray) else kind


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
    if isinstance(kind, Number | RealScalar) and not is_exact(kind):
        return _size(arguments, name)
    return UNKNOWN if as_operand(kind) is None else NumberOrArray(True)


def _absolute(arguments: Arguments, name: str) -> Kind:
    """The modulus, by a ufunc."""
    kind = as_operand(arguments[name][0])
    if kind is None:
        return UNKNOWN
    dtype = {"c16": "f8", "c8": "f4", "any": "real"}.get(array_dtype(kind), array_dtype(kind))
    return ranked(dtype, rank_of(kind))


def _size(arguments: Arguments, name: str) -> Kind:
    """What `abs` gives: of Python's numbers one of Python's."""
    kind = arguments[name][0]
    if isinstance(kind, Number) and not is_exact(kind):
        return join_all(SIZES[number] for number in sorted(kind.types))
    if isinstance(kind, RealScalar):
        return kind
    return _absolute(arguments, name)


SIZES: Mapping[str, Kind] = {"bool": INT, "int": INT, "float": FLOAT, "complex": FLOAT}
"""The types of absolute values, and of real and imaginary parts, of Python's numbers."""


def _conjugate(arguments: Arguments, name: str) -> Kind:
    """The conjugate, by a ufunc or as a method: that of a real number may be Python's or NumPy's."""
    kind = as_operand(arguments[name][0])
    if kind is None:
        return UNKNOWN
    if isinstance(kind, Number | RealScalar) and is_real(kind):
        return NumberOrArray(True)
    dtype = dtype_of(kind)
    return numpy_result("real" if dtype == "b" else dtype, kind)


def _own_conjugate(arguments: Arguments, name: str) -> Kind:
    """The conjugate that the method gives: of Python's numbers one of Python's, of a real array the array."""
    kind = as_operand(arguments[name][0])
    if isinstance(kind, Number) and not is_exact(kind):
        return join_all(CONJUGATES[number] for number in sorted(kind.types))
    if isinstance(kind, Array) and not kind.rank and not is_real(kind):
        return some_number(kind)
    return UNKNOWN if kind is None else kind


CONJUGATES: Mapping[str, Kind] = {"bool": INT, "int": INT, "float": FLOAT, "complex": COMPLEX}
"""The types of conjugates of Python's numbers."""


def _as_many_axes(arguments: Arguments, name: str) -> Kind:
    """An array of numbers of as many axes."""
    kind = as_operand(arguments[name][0])
    return Array("any", kind.rank) if isinstance(kind, Array) and kind.rank else UNKNOWN


NAMING: Mapping[str, Callable[[Arguments, str], Kind]] = {
    "like": _like,
    "as many axes": _as_many_axes,
    "view": _view,
    "real part": _real,
    "modulus": _absolute,
    "size": _size,
    "conjugate": _conjugate,
    "own conjugate": _own_conjugate,
}
"""Words that name a parameter: "like a"."""


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


def _distinct(arguments: Arguments) -> Kind:
    """What `np.unique` gives: a tuple where anything but the elements is asked for."""
    kind = first(arguments)
    flags = ("return_index", "return_inverse", "return_counts")
    if kind is None or not all(is_false(arguments, flag) for flag in flags):
        return UNKNOWN
    return _operand_array(kind, 1 if is_none(arguments, "axis") else rank_of(kind) or None)


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
    rank, own = rank_of(kind), array_dtype(kind)
    dtype = given_dtype(arguments, "i" if own == "b" else own)
    return UNKNOWN if dtype is None else ranked(dtype, None if rank is None or rank < 2 else rank - 2)


def _cast(arguments: Arguments) -> Kind:
    kind = arguments[next(iter(arguments))][0]
    dtype = given_dtype(arguments, "f8")
    if dtype is None or not isinstance(kind, Array | NumpyScalar | NumberOrArray):
        return UNKNOWN
    if isinstance(kind, NumberOrArray):
        return NumberOrArray(is_real_dtype(dtype))
    return NumpyScalar(dtype) if isinstance(kind, NumpyScalar) else Array(dtype, kind.rank)


def _some_array(arguments: Arguments) -> Kind:
    """An array of which neither rank nor precision is known."""
    kind = first(arguments)
    if kind is None:
        return UNKNOWN
    values = [as_operand(item) for item, literal in arguments.values() if literal is ABSENT]
    real = all(value is None or is_real(value) for value in values)
    return Array("real" if real else "any", None)


def _filtered(arguments: Arguments) -> Kind:
    """An array of the rank of the signal `x`."""
    found, signal = _some_array(arguments), arguments["x"][0]
    if isinstance(found, Array) and isinstance(signal, Array):
        return Array(found.dtype, signal.rank)
    return found


WORDS: Mapping[str, Word] = {
    "filtered": _filtered,
    "reshape": _reshaped,
    "flat": _flat,
    "squeeze": _squeezed,
    "flat unless axis": _moved(_flat_or_same),
    "same rank": _moved(lambda rank, arguments: rank or None),
    "expand": _moved(_expanded),
    "tile": _moved(_tiled),
    "distinct": _distinct,
    "diag": _moved(_diag),
    "triangle": _moved(lambda rank, arguments: max(rank, 2)),
    "diagonal": _moved(lambda rank, arguments: rank - 1 if rank > 1 else None),
    "broadcast": _broadcast,
    "to shape": _to_shape,
    "taken": _taken,
    "trace": _traced,
    "cast": _cast,
    "array": lambda arguments: _some_array(arguments),
}
