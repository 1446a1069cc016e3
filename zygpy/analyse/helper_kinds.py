"""What comes out of the helpers that the transformation calls: cotangents of known kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zygpy.analyse.arguments import Arguments, array_dtype, as_operand, given_dtype, is_none
from zygpy.analyse.transfer import binary, element, is_real_dtype, promote_dtypes
from zygpy.ir.kinds import (
    FLOAT,
    INT,
    NONE,
    NOTHING,
    NUMBER_OR_ARRAY,
    SCALARS,
    UNKNOWN,
    Array,
    Iterator,
    Kind,
    Known,
    List,
    Nothing,
    Number,
    NumberOrArray,
    NumpyScalar,
    Optional,
    Tuple,
    is_numeric,
    is_real,
    join,
    join_all,
    rank_of,
    row_of,
)


def _entries(arguments: Arguments) -> Kind:
    """`entries(value, length)`: the tuple itself, or that many times None."""
    kind, (_, length) = arguments["value"][0], arguments["length"]
    if isinstance(kind, Nothing) and isinstance(length, int):
        return Tuple((NONE,) * length)
    if isinstance(kind, Optional) and isinstance(kind.kind, Tuple) and kind.kind.cls is None:
        return Tuple(tuple(join(item, NONE) for item in kind.kind.items))
    return kind if isinstance(kind, Tuple | List) else UNKNOWN


def _items(arguments: Arguments) -> Kind:
    """`listed(value)`: the items of an array."""
    kind = arguments["value"][0]
    if not isinstance(kind, Array) or not kind.rank:
        return UNKNOWN
    return List(NumpyScalar(kind.dtype) if kind.rank == 1 else Array(kind.dtype, kind.rank - 1))


def _unprojected(arguments: Arguments) -> Kind:
    """`unproject(grad_bar, bar)` where both have the same simple kind."""
    kind, bar = arguments["grad_bar"][0], arguments["bar"][0]
    plain = isinstance(kind, Number | NumpyScalar) and isinstance(bar, Number | NumpyScalar)
    return kind if plain or (isinstance(kind, Array) and kind == bar) else UNKNOWN


def _gradient(arguments: Arguments) -> Kind:
    """`project(bar, primal)`: the primal's kind, integers as floats; None stays None."""
    bar, primal = arguments["bar"][0], arguments["primal"][0]
    if not isinstance(bar, (*SCALARS, Array)):
        return UNKNOWN
    if isinstance(primal, Number) and len(primal.types) == 1:
        return FLOAT if primal == INT else primal
    if isinstance(primal, Array | NumpyScalar) and primal.dtype in ("f8", "f4", "c16", "c8"):
        return primal
    return Array("f8", primal.rank) if isinstance(primal, Array) and primal.dtype == "i" else UNKNOWN


def _same(arguments: Arguments) -> Kind:
    """A copy of `value`, or an array of `dtype` made of it; None in a list is a zero then."""
    kind = arguments["value"][0]
    if is_numeric(kind) and not is_none(arguments, "dtype"):
        dtype = given_dtype(arguments, None)
        return UNKNOWN if dtype is None else Array(dtype, kind.rank if isinstance(kind, Array) else None)
    if isinstance(kind, Optional) and isinstance(kind.kind, List) and "entry" in arguments:
        kind = kind.kind
    if isinstance(kind, List):
        return List(join(kind.element, arguments["entry"][0])) if "entry" in arguments else kind
    return kind if isinstance(kind, (*SCALARS, Array, Tuple)) else UNKNOWN


def _owned(arguments: Arguments) -> Kind:
    """`owned(value, shape, dtype)`: always an array, of floating-point numbers."""
    value, shape = arguments["value"][0], arguments["shape"][0]
    operand = FLOAT if isinstance(value, Nothing) else as_operand(value)
    dtype = None if operand is None else given_dtype(arguments, array_dtype(operand))
    if dtype is None:
        return UNKNOWN
    return Array(
        {"i": "f8", "b": "f8"}.get(dtype, dtype), len(shape.items) if isinstance(shape, Tuple) else None
    )


def _sum(arguments: Arguments) -> Kind:
    """`accumulate(a, b)`: None is zero."""
    return _sum_of(arguments["a"][0], arguments["b"][0])


def _sum_of(a: Kind, b: Kind) -> Kind:
    """The kind of a sum of two cotangents.

    >>> from zygpy.ir.kinds import FLOAT
    >>> pair = Tuple((NOTHING, FLOAT))
    >>> _sum_of(Optional(pair), pair) == pair, _sum_of(Tuple((FLOAT, NOTHING)), pair) == Tuple((FLOAT, FLOAT))
    (True, True)
    """
    if isinstance(a, Nothing) or isinstance(b, Nothing):
        return b if isinstance(a, Nothing) else a
    if isinstance(a, Optional) or isinstance(b, Optional):
        return _sum_if_there(a, b)
    plain = (*SCALARS, Array)
    if isinstance(a, plain) and isinstance(b, plain):
        return binary("+", a, b)
    if isinstance(a, Tuple) and isinstance(b, Tuple) and _are_added(a, b):
        return Tuple(tuple(map(_sum_of, a.items, b.items)))
    return a if a == b and isinstance(a, Tuple | List) else UNKNOWN


def _are_added(a: Tuple, b: Tuple) -> bool:
    """Whether two plain tuples are added item by item."""
    return a.cls is None and b.cls is None and len(a.items) == len(b.items)


def _sum_if_there(a: Kind, b: Kind) -> Kind:
    """The kind of a sum of two cotangents, where one may be None: it may be either, or the sum."""
    left, right = (one.kind if isinstance(one, Optional) else one for one in (a, b))
    found = [_sum_of(left, right)]
    if isinstance(a, Optional):
        found.append(right)
    if isinstance(b, Optional):
        found.append(left)
    return join_all([*found, NONE] if len(found) == 3 else found)


def _mask(arguments: Arguments) -> Kind:
    """Truth values in the shape of the array that is written to."""
    kind = arguments["out" if "out" in arguments else "dst"][0]
    return Array("b", kind.rank if isinstance(kind, Array) else None)


def _chosen(arguments: Arguments) -> Kind:
    """`chosen(value, mask)`: of an array or sequence an array of rank one, a number as it is."""
    kind = arguments["value"][0]
    if isinstance(kind, Number | NumpyScalar):
        return kind
    operand = as_operand(kind)
    return Array(operand.dtype, 1) if isinstance(operand, Array) else NUMBER_OR_ARRAY


def _cycled(arguments: Arguments) -> Kind:
    """`cycled(v, places)`: an array in the shape of the places."""
    operand, places = as_operand(arguments["v"][0]), arguments["places"][0]
    dtype = "any" if operand is None else array_dtype(operand)
    return Array(dtype, places.rank if isinstance(places, Array) else None)


def _stored(arguments: Arguments) -> Kind:
    """`setitem_cotangent(buffer, index, shape, dtype)`: of the buffer's dtype, in a shape of known length."""
    buffer, shape = arguments["buffer"][0], arguments["shape"][0]
    if not (isinstance(buffer, Array) and isinstance(shape, Tuple)):
        return NUMBER_OR_ARRAY
    return Array(buffer.dtype, len(shape.items)) if shape.items else NumpyScalar(buffer.dtype)


def _quotient(arguments: Arguments) -> Kind:
    """`quotient(a, b)`: an array of floating-point numbers where `b` is one."""
    a, b = as_operand(arguments["a"][0]), as_operand(arguments["b"][0])
    if a is None or b is None:
        return UNKNOWN
    dtype = promote_dtypes(array_dtype(a), array_dtype(b))
    dtype, rank = {"i": "f8", "b": "f8"}.get(dtype, dtype), rank_of(a)
    if not (isinstance(b, Array) and b.rank):
        return NumberOrArray(is_real_dtype(dtype))
    return Array(dtype, None if rank is None else max(rank, b.rank))


def _divisor_sum(arguments: Arguments) -> Kind:
    """`divisor_sum(g, quotient, by)`: a number."""
    operands = [as_operand(kind) for kind, _ in arguments.values()]
    doubles = all(operand is not None and array_dtype(operand) in ("f8", "i") for operand in operands)
    return NumpyScalar("f8") if doubles else NumberOrArray(all(map(_is_surely_real, operands)))


def _is_surely_real(kind: Kind | None) -> bool:
    return kind is not None and is_real(kind)


FLAT = Tuple((Known(list), Iterator(NOTHING)))
"""The kind of the `nesting` of a list of numbers."""


def _nesting(arguments: Arguments) -> Kind:
    """`nesting(x)`: None of what is no list or tuple."""
    kind = arguments["x"][0]
    if isinstance(kind, List) and isinstance(kind.element, SCALARS):
        return FLAT
    return NOTHING if isinstance(kind, (*SCALARS, Array)) else UNKNOWN


def _unnested(arguments: Arguments) -> Kind:
    """`unnest(value, structure)`: a list of numbers, where an array was made of one."""
    (value, _), (structure, _), (_, dtype) = arguments.values()
    known = isinstance(value, Array) and value.dtype == "f8" and dtype is None
    return List(NumpyScalar("f8")) if known and structure == FLAT else UNKNOWN


def _nested_again(arguments: Arguments) -> Kind:
    """`renest(parts, shape)`: an array of what is an array or a list, and what it is of anything else."""
    kind = arguments["parts"][0]
    if isinstance(kind, Array):
        return Array("any", None)
    return Array("any", None) if isinstance(kind, List | Tuple) else UNKNOWN


def _with_rank(arguments: Arguments) -> Kind:
    """`with_rank(value, rank)`: an array of at most as many axes."""
    kind = arguments["value"][0]
    return Array(kind.dtype, None) if isinstance(kind, Array) else UNKNOWN


def _floats(arguments: Arguments) -> Kind:
    """An array of floating-point numbers."""
    kind = as_operand(arguments["x"][0])
    if kind is None:
        return UNKNOWN
    dtype = array_dtype(kind)
    return Array({"i": "f8", "b": "f8"}.get(dtype, dtype), rank_of(kind))


def _real_floats(arguments: Arguments) -> Kind:
    """An array of real floating-point numbers, as precise as those of `x` and of as many axes."""
    kind = _floats(arguments)
    if not isinstance(kind, Array):
        return UNKNOWN
    return Array({"c16": "f8", "c8": "f4", "any": "real"}.get(kind.dtype, kind.dtype), kind.rank or None)


def _windowed(arguments: Arguments) -> Kind:
    """`windowed(x, w)`: as precise as `x`, with as many axes."""
    kind, window = _floats(arguments), as_operand(arguments["w"][0])
    if not isinstance(kind, Array) or window is None:
        return UNKNOWN
    return Array(kind.dtype if is_real(kind) and is_real(window) else "any", kind.rank or None)


def _operands(arguments: Arguments) -> Kind:
    """What comes back to each of several operands of which the ranks are known, of their own shapes."""
    given = arguments["operands"][0]
    items = [as_operand(item) for item in given.items] if isinstance(given, Tuple) else []
    if not items or any(item is None or not rank_of(item) for item in items):
        return UNKNOWN
    kinds = [as_operand(arguments["value"][0]), *items]
    real = all(kind is not None and is_real(kind) for kind in kinds)
    return Tuple(tuple([Array("real" if real else "any", rank_of(item)) for item in items if item]))


def _cast_back(arguments: Arguments) -> Kind:
    """The value itself unless a dtype is given."""
    kind = arguments["value"][0]
    if not is_numeric(kind):
        return UNKNOWN
    return kind if is_none(arguments, "dtype") else NumberOrArray(is_real(kind))


def _spread_norm(arguments: Arguments) -> Kind:
    """An array in the shape of another one."""
    value, shape = as_operand(arguments["value"][0]), as_operand(arguments["x"][0])
    if value is None or shape is None:
        return UNKNOWN
    dtype = array_dtype(value)
    rank = rank_of(shape)
    found = Array({"i": "f8", "b": "f8"}.get(dtype, dtype), rank)
    return found if rank else NumberOrArray(is_real(found))


def _power_or_zero(arguments: Arguments) -> Kind:
    """Powers of floating-point numbers, whatever the exponent."""
    kind = arguments["x"][0]
    floating = isinstance(kind, Array | NumpyScalar) and kind.dtype in ("f8", "f4", "c16", "c8")
    if floating and (not isinstance(kind, Array) or kind.rank):
        return kind
    return NumberOrArray(is_real(kind)) if is_numeric(kind) else UNKNOWN


def _moments(arguments: Arguments) -> Kind:
    """A matrix of moments, or what is left where there is one variable."""
    kind = as_operand(arguments["m"][0])
    if kind is None:
        return UNKNOWN
    several = "other" in arguments and not is_none(arguments, "other")
    dtype = array_dtype(kind)
    dtype = {"f4": "f8", "c8": "c16", "i": "f8", "b": "f8"}.get(dtype, dtype)
    return Array(dtype, 2) if several else NumberOrArray(is_real(kind))


def _slopes(arguments: Arguments) -> Kind:
    """The slopes of a vector of doubles."""
    kind = arguments["f"][0]
    return kind if kind == Array("f8", 1) else UNKNOWN


def _columns(arguments: Arguments) -> Kind:
    """The columns of rows of numbers."""
    return List(row_of(element(element(arguments["rows"][0]))))


WORDS: Mapping[str, Callable[[Arguments], Kind]] = {
    "mask": _mask,
    "chosen": _chosen,
    "columns": _columns,
    "cycled": _cycled,
    "two places": lambda arguments: Tuple((Array("i", 1), Array("i", 1))),
    "list of places": lambda arguments: List(INT),
    "places in order": lambda arguments: Array("i", 1),
    "places along axis": lambda arguments: Array("i", None),
    "cotangent entries": _entries,
    "items of cotangent": _items,
    "unprojected": _unprojected,
    "gradient": _gradient,
    "same value": _same,
    "owned array": _owned,
    "cotangent sum": _sum,
    "stored cotangent": _stored,
    "quotient": _quotient,
    "divisor sum": _divisor_sum,
    "nesting": _nesting,
    "unnested": _unnested,
    "nested again": _nested_again,
    "with rank": _with_rank,
    "floats": _floats,
    "windowed": _windowed,
    "real floats": _real_floats,
    "moments": _moments,
    "slopes of vector": _slopes,
    "cast back": _cast_back,
    "spread norm": _spread_norm,
    "power or zero": _power_or_zero,
    "operands": _operands,
}
"""The vocabulary of these helpers' `kind=`."""
