"""The kinds of decompositions of matrices, and of norms of matrices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from zygpy.analyse.arguments import ABSENT, Arguments, Word, array_dtype, as_operand, first
from zygpy.analyse.transfer import promote_dtypes, ranked
from zygpy.ir.kinds import UNKNOWN, Array, Kind, Nothing, NumberOrArray, Tuple, is_real, rank_of

INEXACT: Mapping[str, str] = {"i": "f8", "b": "f8"}
REAL: Mapping[str, str] = {"c16": "f8", "c8": "f4", "any": "real", "i": "f8", "b": "f8"}


def _result_class(function: Any) -> type:
    """The class of the named tuple that a function of `np.linalg` returns."""
    return type(function(np.eye(1)))


def _matrices(arguments: Arguments) -> tuple[str, int] | None:
    """The dtype class and the rank of the operand, where it is a stack of matrices."""
    kind = first(arguments)
    rank = None if kind is None else rank_of(kind)
    if kind is None or rank is None or rank < 2:
        return None
    dtype = array_dtype(kind)
    return INEXACT.get(dtype, dtype), rank


def _flag(arguments: Arguments, name: str) -> object:
    """The value of an argument that is a literal; ABSENT where it is not."""
    return arguments[name][1] if name in arguments else ABSENT


def _values(arguments: Arguments) -> Kind:
    """Real values, such as singular values: an axis less."""
    found = _matrices(arguments)
    return UNKNOWN if found is None else Array(REAL.get(found[0], found[0]), found[1] - 1)


def _singular(arguments: Arguments) -> Kind:
    found, wanted = _matrices(arguments), _flag(arguments, "compute_uv")
    if found is None or not isinstance(wanted, bool):
        return UNKNOWN
    if not wanted:
        return _values(arguments)
    factor = Array(*found)
    return Tuple((factor, _values(arguments), factor), _result_class(np.linalg.svd))


def _hermitian(arguments: Arguments) -> Kind:
    found = _matrices(arguments)
    if found is None:
        return UNKNOWN
    return Tuple((_values(arguments), Array(*found)), _result_class(np.linalg.eigh))


def _general(arguments: Arguments) -> Kind:
    """Eigenvalues and eigenvectors, which may be complex where the matrix is real."""
    found = _matrices(arguments)
    if found is None:
        return UNKNOWN
    rank = found[1]
    return Tuple((Array("any", rank - 1), Array("any", rank)), _result_class(np.linalg.eig))


def _general_values(arguments: Arguments) -> Kind:
    found = _matrices(arguments)
    return UNKNOWN if found is None else Array("any", found[1] - 1)


def _triangular(arguments: Arguments) -> Kind:
    """What `np.linalg.qr` gives in a mode that is known."""
    found, mode = _matrices(arguments), _flag(arguments, "mode")
    if found is None or mode not in ("reduced", "complete", "r"):
        return UNKNOWN
    factor = Array(*found)
    return factor if mode == "r" else Tuple((factor, factor), _result_class(np.linalg.qr))


def _least_squares(arguments: Arguments) -> Kind:
    found, right = _matrices(arguments), as_operand(arguments["b"][0])
    if found is None or right is None:
        return UNKNOWN
    other = array_dtype(right)
    dtype = promote_dtypes(found[0], INEXACT.get(other, other))
    real = REAL.get(dtype, dtype)
    return Tuple((Array(dtype, rank_of(right)), Array(real, 1), UNKNOWN, Array(real, 1)))


def _matrix_norm(arguments: Arguments) -> Kind:
    """A real number for each matrix."""
    found = _matrices(arguments)
    if found is None:
        return NumberOrArray(True) if first(arguments) is not None else UNKNOWN
    kept = arguments["keepdims"][1] if "keepdims" in arguments else False
    if not isinstance(kept, bool):
        return NumberOrArray(True)
    return ranked(REAL.get(found[0], found[0]), found[1] - (0 if kept else 2))


def _plain_singular(arguments: Arguments) -> Kind:
    """The same in a plain tuple."""
    return _plain(_singular(arguments), arguments)


def _plain(kind: Kind, arguments: Arguments) -> Kind:
    return _in_tuple(kind.items, arguments) if isinstance(kind, Tuple) else kind


def _in_tuple(items: tuple[Kind, ...], arguments: Arguments) -> Kind:
    """Results in the tuple that SciPy gives for one matrix; for a stack it is a list in some versions."""
    found = _matrices(arguments)
    return Tuple(items) if found is not None and found[1] == 2 else UNKNOWN


def _plain_hermitian(arguments: Arguments) -> Kind:
    """Eigenvalues and vectors of one matrix or two, as SciPy gives them."""
    values_only, second = _flag(arguments, "eigvals_only"), arguments["b"][0]
    found = _matrices(arguments)
    if not isinstance(values_only, bool) or found is None:
        return UNKNOWN
    rank = found[1]
    if not isinstance(second, Nothing):
        dtype = _of_both(arguments)
        values: Kind = Array(REAL.get(dtype, dtype), rank - 1)
        return values if values_only else _in_tuple((values, Array(dtype, rank)), arguments)
    return _values(arguments) if values_only else _plain(_hermitian(arguments), arguments)


def _of_both(arguments: Arguments) -> str:
    """The dtype class in which two matrices are computed with."""
    kinds = [as_operand(arguments[name][0]) for name in ("a", "b")]
    known = [kind for kind in kinds if kind is not None]
    if len(known) < 2 or not all(is_real(kind) for kind in known):
        return "any"
    return "f8" if all(array_dtype(kind) == "f8" for kind in known) else "real"


def _plain_least_squares(arguments: Arguments) -> Kind:
    """The solution, and what SciPy says about it, of which parts may be missing."""
    found = _least_squares(arguments)
    if not isinstance(found, Tuple):
        return UNKNOWN
    return _in_tuple((found.items[0], UNKNOWN, UNKNOWN, UNKNOWN), arguments)


def _real_values(arguments: Arguments) -> Kind:
    """The eigenvalues of one matrix or two."""
    found = _matrices(arguments)
    if found is None or isinstance(arguments["b"][0], Nothing):
        return _values(arguments)
    return Array("real", found[1] - 1)


def _inverse_or_rank(arguments: Arguments) -> Kind:
    """A pseudo-inverse, if it is surely alone."""
    found = _matrices(arguments)
    alone = _flag(arguments, "return_rank") is False
    return Array(*found) if found is not None and alone else UNKNOWN


def _any_matrices(arguments: Arguments) -> Kind:
    """Functions of matrices, which may be complex where the matrix is real."""
    found = _matrices(arguments)
    return UNKNOWN if found is None else Array("any", found[1])


def _factors(*before: Kind | None, count: int, behind: Kind | None = None) -> Word:
    """Several matrices in a tuple, with what stands before and behind them."""

    def word(arguments: Arguments) -> Kind:
        found = _matrices(arguments)
        if found is None:
            return UNKNOWN
        items = [*before, *([Array(*found)] * count), behind]
        return _in_tuple(tuple(item for item in items if item is not None), arguments)

    return word


def _right_side(arguments: Arguments, name: str) -> Kind:
    """An array of the shape of one operand, of which the precision may be another."""
    kinds = [as_operand(kind) for kind, _ in arguments.values()]
    kind = as_operand(arguments[name][0])
    if kind is None:
        return UNKNOWN
    real = all(one is None or is_real(one) for one in kinds)
    return Array("real" if real else "any", rank_of(kind) or None)


NAMING: Mapping[str, Callable[[Arguments, str], Kind]] = {"right side": _right_side}
"""Words that name a parameter: "right side b"."""

WORDS: Mapping[str, Word] = {
    "singular values": _values,
    "singular values and vectors": _singular,
    "values and vectors": _hermitian,
    "any values and vectors": _general,
    "any values": _general_values,
    "orthogonal and triangular": _triangular,
    "least squares": _least_squares,
    "plain singular values and vectors": _plain_singular,
    "plain any values and vectors": lambda arguments: _plain(_general(arguments), arguments),
    "two arrays": lambda arguments: _in_tuple((Array("any", None), Array("any", None)), arguments),
    "plain values and vectors": _plain_hermitian,
    "real values": _real_values,
    "inverse or rank": _inverse_or_rank,
    "any matrices": _any_matrices,
    "two matrices": _factors(count=2),
    "matrix and pivots": _factors(count=1, behind=Array("real", None)),
    "order and two matrices": _factors(Array("real", None), count=2),
    "matrix norm": _matrix_norm,
    "plain least squares": _plain_least_squares,
    "two factors": _factors(count=2),
}
