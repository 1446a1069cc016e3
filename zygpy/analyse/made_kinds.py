"""The kinds of what is made of other numbers: of another type, of samples, or several results at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from zygpy.analyse.arguments import Arguments, Word, as_operand, first, is_none, operands_of, together
from zygpy.analyse.transfer import is_real_dtype, numpy_result, ranked
from zygpy.ir.kinds import (
    COMPLEX,
    FLOAT,
    INT,
    NUMBER_OR_ARRAY,
    REAL_OR_ARRAY,
    UNKNOWN,
    Array,
    Kind,
    Known,
    List,
    Number,
    NumberOrArray,
    NumpyScalar,
    Object,
    Tuple,
    Unknown,
    is_real,
    is_scalar,
    rank_of,
)
from zygpy.runtime.zeros import Partner

DOUBLES = frozenset({"f8", "i", "b"})
"""What NumPy takes for float64 where it needs floats."""


def _made(arguments: Arguments, dtype: str) -> Kind:
    """`np.float64(x)` and its like: of an array an array, of one of rank zero a number."""
    kind = first(arguments)
    if kind is None:
        return UNKNOWN
    rank = rank_of(kind)
    return NUMBER_OR_ARRAY if rank is None else ranked(dtype, rank)


def _doubles(*kinds: Kind | None) -> str:
    """The dtype class of float64 calculations with these."""
    if not all(kind is not None and is_real(kind) for kind in kinds):
        return "any"
    known = all(kind is not None and together([kind]) in DOUBLES for kind in kinds)
    return "f8" if known or all(isinstance(kind, Number) for kind in kinds) else "real"


def _interpolated(arguments: Arguments) -> Kind:
    """`np.interp(x, xp, fp)`, which calculates in double precision."""
    x, values = as_operand(arguments["x"][0]), as_operand(arguments["fp"][0])
    if x is None or values is None:
        return UNKNOWN
    return numpy_result("f8" if is_real(values) else "any", x)


def _integrated(arguments: Arguments) -> Kind:
    """`np.trapezoid`: one axis less."""
    kinds = [as_operand(kind) for kind in operands_of(arguments)]
    rank = None if kinds[0] is None else rank_of(kinds[0])
    if not is_none(arguments, "x"):
        points = as_operand(arguments["x"][0])
        rank = rank if points is not None and rank_of(points) == 1 else None
    return ranked(_doubles(*kinds[:-1]), None if not rank else rank - 1)


PYTHONS: Mapping[str, Kind] = {
    "f8": FLOAT,
    "f4": FLOAT,
    "c16": COMPLEX,
    "c8": COMPLEX,
    "i": INT,
    "b": Number(frozenset({"bool"})),
}
"""The types of Python that NumPy's numbers become."""


def _item(arguments: Arguments) -> Kind:
    """`x.item()`."""
    kind = first(arguments)
    return (
        PYTHONS.get(getattr(kind, "dtype", ""), UNKNOWN) if isinstance(kind, Array | NumpyScalar) else UNKNOWN
    )


def _listed(arguments: Arguments) -> Kind:
    """`x.tolist()`: lists in lists, a number of rank zero."""
    kind, item = first(arguments), _item(arguments)
    rank = None if kind is None else rank_of(kind)
    if rank is None or isinstance(item, Unknown):
        return UNKNOWN
    for _ in range(rank):
        item = List(item)
    return item


def _at_least(arguments: Arguments, rank: int) -> Kind:
    """`np.atleast_1d` and its like, of one argument."""
    (given, _) = arguments["arys"]
    kind = as_operand(given.items[0]) if isinstance(given, Tuple) and len(given.items) == 1 else None
    found = None if kind is None else rank_of(kind)
    if kind is None or found is None:
        return UNKNOWN
    return Array(together([kind]), max(rank, found))


def _vector(arguments: Arguments) -> Kind:
    """A vector of the dtype that the first two arguments have together."""
    kinds = [as_operand(kind) for kind, _ in list(arguments.values())[:2]]
    known = [kind for kind in kinds if kind is not None]
    if len(known) < 2:
        return UNKNOWN
    dtype = together(known)
    return Array(dtype if dtype == "f8" else "real" if is_real_dtype(dtype) else "any", 1)


def _spaced(arguments: Arguments) -> Kind:
    """`np.logspace`: one axis between two numbers, of a base that is a number."""
    ends = [arguments[name][0] for name in ("start", "stop", "base") if name in arguments]
    if not all(is_scalar(kind) and is_real(kind) for kind in ends):
        return UNKNOWN
    doubles = all(isinstance(kind, Number) or kind == NumpyScalar("f8") for kind in ends)
    return Array("f8" if doubles else "real", 1)


def _parts(*results: Callable[[Kind], Kind | None], cls: type | None = None) -> Word:
    """Several results, each from the kind of the first argument."""

    def word(arguments: Arguments) -> Kind:
        kind = first(arguments)
        found = [] if kind is None else [result(kind) for result in results]
        items = tuple(item for item in found if item is not None)
        return Tuple(items, cls) if items and len(items) == len(results) else UNKNOWN

    return word


def _of_float(kind: Kind) -> Kind | None:
    """Python's float, of a real number of Python's or a float64."""
    return FLOAT if is_scalar(kind) and is_real(kind) else None


def _whole(kind: Kind) -> Kind | None:
    return INT if is_scalar(kind) and is_real(kind) else None


def _elements(kind: Kind) -> Kind | None:
    """What a ufunc makes of float64 values."""
    return numpy_result("f8", kind) if together([kind]) == "f8" and rank_of(kind) is not None else None


def _less(by: int) -> Callable[[Kind], Kind | None]:
    """Results of float64 matrices, with so many axes less than they have."""

    def result(kind: Kind) -> Kind | None:
        rank = rank_of(kind)
        return ranked("f8", rank - by) if rank and rank >= 2 and together([kind]) == "f8" else None

    return result


def _result_class(function: Any) -> type:
    """The class of the named tuple that a function of `np.linalg` returns."""
    return type(function(np.eye(1)))


NAMING: Mapping[str, Callable[[Arguments, str], Kind]] = {"made": _made}


def _of_class(arguments: Arguments) -> Kind:
    """An object of a class of a library that is known."""
    kind = arguments["of"][0]
    cls = kind.value if isinstance(kind, Known) and type(kind.value) is type else None
    return UNKNOWN if cls is None else Object(cls)


def _all_parts(arguments: Arguments) -> Kind:
    """A tuple of arrays of the forms of these."""
    kind = arguments["parts"][0]
    known = isinstance(kind, Tuple) and all(isinstance(item, Array) for item in kind.items)
    return kind if known else UNKNOWN


def _same_object(arguments: Arguments) -> Kind:
    """A copy of an object, of which nothing else is known."""
    kind = next(iter(arguments.values()))[0]
    return Object(kind.cls) if isinstance(kind, Object) else UNKNOWN


def _meeting(arguments: Arguments) -> Kind:
    """Values with as many axes more as `c` has behind the first."""
    values, c = arguments["values"][0], arguments["c"][0]
    if not (isinstance(values, Array) and isinstance(c, Array)):
        return UNKNOWN
    return Array(values.dtype, values.rank + c.rank - 1 if values.rank and c.rank else None)


def _indices_beside(arguments: Arguments) -> Kind:
    """Indices at several distances from each of an array, along a new axis."""
    kind = as_operand(arguments["index"][0])
    rank = None if kind is None else rank_of(kind)
    return UNKNOWN if rank is None else Array("i", rank + 1)


def _two_of_places(arguments: Arguments) -> Kind:
    """Two indices for each value, in arrays."""
    kind = arguments["v"][0]
    return Tuple((Array("i", kind.rank),) * 2) if isinstance(kind, Array) and kind.rank else UNKNOWN


def _steps(arguments: Arguments) -> Kind:
    """The numbers of a vector, with as many axes as `rows` have."""
    steps, rows = arguments["steps"][0], arguments["rows"][0]
    if not (isinstance(steps, Array) and isinstance(rows, Array) and rows.rank):
        return UNKNOWN
    return Array(steps.dtype, rows.rank)


def _share(arguments: Arguments) -> Kind:
    """A double for each of the numbers `x`."""
    kind = as_operand(arguments["x"][0])
    return Array("f8", rank_of(kind)) if isinstance(kind, Array) and kind.rank else REAL_OR_ARRAY


def _given(arguments: Arguments) -> Kind:
    """What a library gives where a program has computed the same: numbers, which is seen to when it runs."""
    kinds = [as_operand(arguments[name][0]) for name in ("value", "computed")]
    return NumberOrArray(all(kind is not None and is_real(kind) for kind in kinds))


def _is_doubles(kind: Kind | None) -> bool:
    """Whether something is an array of doubles, with as many axes as are known, and no number."""
    return isinstance(kind, Array) and kind.dtype in ("f8", "c16") and bool(kind.rank)


def _computed(arguments: Arguments) -> Kind:
    """What NumPy gives where a program has computed the same, perhaps of another dtype: of double precision
    if that is, and what it is like."""
    kind, like = as_operand(arguments["computed"][0]), arguments.get("like", (UNKNOWN, None))[0]
    if kind is None:
        return UNKNOWN
    if not is_none(arguments, "output"):
        return NUMBER_OR_ARRAY
    return kind if _is_doubles(kind) and _is_doubles(like) else NumberOrArray(is_real(kind))


WORDS: Mapping[str, Word] = {
    "as computed": _computed,
    "given numbers": _given,
    "numbers": lambda arguments: NUMBER_OR_ARRAY,
    "any numbers": lambda arguments: Array("any", None),
    "doubles": lambda arguments: Array("f8", None),
    "real vector": lambda arguments: Array("real", 1),
    "two ints": lambda arguments: Tuple((INT, INT)),
    "indices beside": _indices_beside,
    "meeting": _meeting,
    "two of places": _two_of_places,
    "steps along": _steps,
    "share": _share,
    "object of class": _of_class,
    "same object": _same_object,
    "all parts": _all_parts,
    "partner": lambda arguments: Object(Partner),
    "interpolated": _interpolated,
    "integrated": _integrated,
    "item": _item,
    "listed": _listed,
    "at least vector": lambda arguments: _at_least(arguments, 1),
    "at least matrix": lambda arguments: _at_least(arguments, 2),
    "vector": _vector,
    "spaced": _spaced,
    "fraction and whole": _parts(_of_float, _of_float),
    "fraction and exponent": _parts(_of_float, _whole),
    "fractions and wholes": _parts(_elements, _elements),
    "sign and logarithm": _parts(_less(2), _less(2), cls=_result_class(np.linalg.slogdet)),
}
