"""The kinds of products of arrays and of `np.linalg`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from zygpy.analyse.arguments import Arguments, array_dtype, as_operand, count, is_false, together
from zygpy.analyse.arguments import first as first_operand
from zygpy.analyse.transfer import is_real_dtype, matmul, numpy_result, promote_dtypes, ranked
from zygpy.ir.kinds import (
    INT,
    TEXT,
    UNKNOWN,
    Array,
    Kind,
    NumberOrArray,
    NumpyScalar,
    Tuple,
    is_numeric,
    is_real,
    rank_of,
)


def _two(arguments: Arguments) -> tuple[Kind, Kind] | None:
    left, right = (as_operand(kind) for kind, _ in list(arguments.values())[:2])
    return None if left is None or right is None else (left, right)


def _product(rank: Callable[[int, int], int | None]) -> Callable[[Arguments], Kind]:
    """A product of two operands of rank one or more, whose result has this rank."""

    def word(arguments: Arguments) -> Kind:
        pair = _two(arguments)
        if pair is None:
            return UNKNOWN
        dtype, ranks = together(list(pair)), [rank_of(kind) for kind in pair]
        if ranks[0] is None or ranks[1] is None:
            return NumberOrArray(is_real_dtype(dtype))
        if 0 in ranks:
            return numpy_result(dtype if dtype == "f8" else "real" if is_real_dtype(dtype) else "any", *pair)
        return ranked(dtype, rank(ranks[0], ranks[1]))

    return word


def _matmul(arguments: Arguments) -> Kind:
    pair = _two(arguments)
    return UNKNOWN if pair is None else matmul(together(list(pair)), *pair)


def _sparse(arguments: Arguments) -> Kind:
    """A sparse matrix with these entries times a vector, or a matrix, `x`, which has as many axes."""
    entries, x = as_operand(arguments["data"][0]), as_operand(arguments["x"][0])
    if not isinstance(entries, Array) or not isinstance(x, Array):
        return UNKNOWN
    if entries.dtype == x.dtype == "f8":
        return Array("f8", x.rank or None)
    return Array("real" if is_real(entries) and is_real(x) else "any", x.rank or None)


def _entries(arguments: Arguments) -> Kind:
    """The entries of a sparse array, which are seen to be a vector when the program runs."""
    kind = arguments["data"][0]
    return kind if isinstance(kind, Array) else Array("any", 1)


PLACES = Tuple((Array("real", 1), Array("real", 1), Tuple((INT, INT)), TEXT))
"""The kind of the indices, shape and form of a sparse matrix."""


def _outer(arguments: Arguments) -> Kind:
    pair = _two(arguments)
    return UNKNOWN if pair is None else Array(together(list(pair)), 2)


def _vdot(arguments: Arguments) -> Kind:
    pair = _two(arguments)
    return UNKNOWN if pair is None else NumpyScalar(together(list(pair)))


def _tensordot(arguments: Arguments) -> Kind:
    pair = _two(arguments)
    if pair is None:
        return UNKNOWN
    dtype, a, b = together(list(pair)), rank_of(pair[0]), rank_of(pair[1])
    contracted = _contracted(*arguments["axes"])
    if a is None or b is None or contracted is None:
        return Array(dtype, None)
    return Array(dtype, max(a + b - 2 * contracted, 0))


def _contracted(kind: Kind, literal: object) -> int | None:
    if type(literal) is int:
        return literal
    return count(kind.items[0]) if isinstance(kind, Tuple) and len(kind.items) == 2 else None


def _einsum(arguments: Arguments) -> Kind:
    subscripts = arguments["subscripts"][1]
    operands = arguments["operands"][0]
    known = [as_operand(kind) for kind in operands.items] if isinstance(operands, Tuple) else []
    kinds = [kind for kind in known if kind is not None]
    if not kinds or len(kinds) < len(known):
        return UNKNOWN
    dtype = together(kinds)
    rank = _letters(subscripts) if isinstance(subscripts, str) and "." not in subscripts else 0
    if rank:
        return Array(dtype, rank)
    written_out = isinstance(subscripts, str) and "." not in subscripts and is_false(arguments, "optimize")
    if written_out and any(letter.isalpha() for letter in str(subscripts)):
        return NumpyScalar(dtype)  # which is an array where the order of products is looked for
    return NumberOrArray(is_real_dtype(dtype))


def _letters(subscripts: str) -> int:
    """How many letters the result of an einsum has."""
    inputs, arrow, output = subscripts.replace(" ", "").partition("->")
    if arrow:
        return len(output)
    return sum(times == 1 for times in Counter(inputs.replace(",", "")).values())


def inexact(dtype: str) -> str:
    """The dtype class in which `np.linalg` computes."""
    return {"i": "f8", "b": "f8"}.get(dtype, dtype)


def _inverse(arguments: Arguments) -> Kind:
    kind = first_operand(arguments)
    rank = None if kind is None else rank_of(kind)
    return UNKNOWN if kind is None else Array(inexact(together([kind])), rank or None)


def _power(arguments: Arguments) -> Kind:
    kind = first_operand(arguments)
    if kind is None:
        return UNKNOWN
    dtype = array_dtype(kind)
    return Array("real" if dtype in ("i", "b") else dtype, rank_of(kind) or None)


def _determinant(arguments: Arguments) -> Kind:
    kind = first_operand(arguments)
    rank = None if kind is None else rank_of(kind)
    if kind is None:
        return UNKNOWN
    return ranked(inexact(together([kind])), None if rank is None or rank < 2 else rank - 2)


def _solution(arguments: Arguments) -> Kind:
    pair = _two(arguments)
    if pair is None:
        return UNKNOWN
    a, b = rank_of(pair[0]), rank_of(pair[1])
    dtype = promote_dtypes(inexact(array_dtype(pair[0])), inexact(array_dtype(pair[1])))
    if a is None or b is None:
        return Array(dtype, None)
    return Array(dtype, a - 1 if b == 1 else max(a, b))


def _polynomial_values(arguments: Arguments) -> Kind:
    """The values at numbers or arrays of a polynomial, in the precision of both."""
    pair = _two(arguments)
    if pair is None or rank_of(pair[0]) != 1:
        return UNKNOWN
    return numpy_result(promote_dtypes(array_dtype(pair[0]), array_dtype(pair[1])), pair[1])


def _of_powers(arguments: Arguments) -> Kind:
    """A matrix of the powers of the elements of a vector."""
    kind = first_operand(arguments)
    dtype = "any" if kind is None else array_dtype(kind)
    return UNKNOWN if kind is None else Array({"b": "real", "f4": "f8", "c8": "c16"}.get(dtype, dtype), 2)


def _scalar_determinant(arguments: Arguments) -> Kind:
    """What SciPy gives for one matrix is a number in double precision."""
    kind = _determinant(arguments)
    if isinstance(kind, NumpyScalar):
        return NumpyScalar("f8" if is_real(kind) else "any")
    return NumberOrArray(is_real(kind)) if is_numeric(kind) else UNKNOWN


def _eigenvalues(arguments: Arguments) -> Kind:
    kind = first_operand(arguments)
    if kind is None:
        return UNKNOWN
    rank = rank_of(kind)
    dtype = {"c16": "f8", "c8": "f4", "any": "real"}.get(together([kind]), inexact(together([kind])))
    return Array(dtype, None if rank is None else rank - 1)


WORDS: Mapping[str, Callable[[Arguments], Kind]] = {
    "matmul": _matmul,
    "sparse product": _sparse,
    "entries of sparse array": _entries,
    "parts of sparse array": lambda arguments: PLACES,
    "dot": _product(lambda a, b: a + b - 2),
    "inner": _product(lambda a, b: a + b - 2),
    "kron": _product(max),
    "outer": _outer,
    "vdot": _vdot,
    "tensordot": _tensordot,
    "einsum": _einsum,
    "inverse": _inverse,
    "matrix power": _power,
    "determinant": _determinant,
    "solution": _solution,
    "values of polynomial": _polynomial_values,
    "matrix of powers": _of_powers,
    "scalar determinant": _scalar_determinant,
    "eigenvalues": _eigenvalues,
}
