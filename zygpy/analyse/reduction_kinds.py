"""The kinds of reductions and scans: dtypes by what is computed, ranks by `axis` and `keepdims`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zygpy.analyse.arguments import (
    Arguments,
    array_dtype,
    count_named,
    first,
    given_dtype,
    is_false,
    is_none,
    together,
)
from zygpy.analyse.arguments import as_operand as operand
from zygpy.analyse.transfer import is_real_dtype, ranked
from zygpy.ir.kinds import (
    FLOAT,
    INT,
    UNKNOWN,
    Array,
    Kind,
    NumberOrArray,
    NumpyScalar,
    is_real,
    rank_of,
)

_MODULUS = {"c16": "f8", "c8": "f4", "any": "real", "i": "f8", "b": "f8"}


def _sum(dtype: str) -> str:
    return "i" if dtype == "b" else dtype


def _mean(dtype: str) -> str:
    return {"i": "f8", "b": "f8"}.get(dtype, dtype)


def _same(dtype: str) -> str:
    return dtype


def _modulus(dtype: str) -> str:
    return _MODULUS.get(dtype, dtype)


def _truth(dtype: str) -> str:
    return "b"


def _reduction(result: Callable[[str], str]) -> Callable[[Arguments], Kind]:
    def word(arguments: Arguments) -> Kind:
        kind = first(arguments)
        dtype = None if kind is None else given_dtype(arguments, result(array_dtype(kind)))
        return UNKNOWN if kind is None or dtype is None else reduced(kind, dtype, arguments)

    return word


def reduced(kind: Kind, dtype: str, arguments: Arguments) -> Kind:
    """What is left of an operand along `axis`, in this dtype class."""
    rank, dropped = rank_of(kind), count_named(arguments, "axis")
    if is_none(arguments, "axis") and is_false(arguments, "keepdims"):
        return NumpyScalar(dtype)
    kept = arguments["keepdims"][1] is True if "keepdims" in arguments else False
    if kept and rank:
        return Array(dtype, rank)
    if rank is None or dropped is None or not is_false(arguments, "keepdims"):
        return NumberOrArray(is_real_dtype(dtype))
    return ranked(dtype, max(rank - dropped, 0))


def _average(arguments: Arguments) -> Kind:
    kind = first(arguments)
    if kind is None:
        return UNKNOWN
    dtype = _mean(array_dtype(kind))
    if not is_none(arguments, "weights"):
        weights = operand(arguments["weights"][0])
        if weights is None:
            return UNKNOWN
        dtype = _mean(together([kind, weights]))
    return reduced(kind, dtype, arguments)


def _spread(arguments: Arguments) -> Kind:
    """A variance: deviations of real numbers from a complex mean are squared as they are, and there are
    more of them than numbers where the mean has more axes."""
    if is_none(arguments, "mean"):
        return WORDS["modulus"](arguments)
    kind, mean = first(arguments), operand(arguments["mean"][0])
    if kind is None or mean is None:
        return UNKNOWN
    real = array_dtype(kind) in ("c16", "c8") or (is_real(kind) and is_real(mean))
    dtype = given_dtype(arguments, "real" if real else "any")
    rank, other = rank_of(kind), rank_of(mean)
    widest = kind if rank is None or (other is not None and rank >= other) else mean
    return UNKNOWN if dtype is None else reduced(widest, dtype, arguments)


def _quantile(arguments: Arguments) -> Kind:
    """An array of them for an array of `q`, whose dtype counts too."""
    kind, q = first(arguments), arguments["q"][0]
    if kind is None or operand(q) is None:
        return UNKNOWN
    if q in (FLOAT, INT):
        return reduced(kind, "f8" if _mean(array_dtype(kind)) == "f8" else "real", arguments)
    return NumberOrArray(is_real(kind) and is_real(q))


def _index(arguments: Arguments) -> Kind:
    """The position of an extreme element."""
    kind = first(arguments)
    if kind is None or "out" in arguments:
        return UNKNOWN
    return reduced(kind, "i", arguments)


def _scan(arguments: Arguments) -> Kind:
    kind = first(arguments)
    dtype = None if kind is None else given_dtype(arguments, _sum(array_dtype(kind)))
    if kind is None or dtype is None:
        return UNKNOWN
    return Array(dtype, 1 if is_none(arguments, "axis") else rank_of(kind) or None)


WORDS: Mapping[str, Callable[[Arguments], Kind]] = {
    "sum": _reduction(_sum),
    "mean": _reduction(_mean),
    "extreme": _reduction(_same),
    "modulus": _reduction(_modulus),
    "truth": _reduction(_truth),
    "spread": _spread,
    "average": _average,
    "position": _index,
    "scan": _scan,
    "quantile": _quantile,
}
