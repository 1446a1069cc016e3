"""What comes out of a primitive: the `kind=` words of rules, as functions of the arguments' kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zygpy.analyse.transfer import as_float, dtype_of, numpy_result, promote
from zygpy.ir.kinds import (
    BOOL,
    FLOAT,
    INT,
    NOTHING,
    NUMBER_OR_ARRAY,
    REAL_OR_ARRAY,
    TEXT,
    UNKNOWN,
    Array,
    Iterator,
    Kind,
    List,
    Never,
    Nothing,
    NumberOrArray,
    NumpyScalar,
    Text,
    Tuple,
    is_numeric,
    is_real,
    rank_of,
)
from zygpy.rules.declare import Rule

ABSENT = object()
"""Stands for the literal of an argument that is not a literal."""

Arguments = Mapping[str, tuple[Kind, Any]]
"""For each parameter its kind and, where it is a literal, its value (else ABSENT)."""


def rule_kind(rule: Rule, arguments: Arguments) -> Kind:
    """The kind of the primitive's result on these arguments."""
    if any(isinstance(kind, Never) for kind, _ in arguments.values()):
        return Never()
    word = rule.kind
    if word.startswith("like "):
        return _like(arguments, word.removeprefix("like "))
    return _WORDS[word](arguments)


def _operands(arguments: Arguments) -> list[Kind]:
    return [kind for kind, literal in arguments.values() if literal is ABSENT or literal is not None]


def _elementwise(arguments: Arguments) -> Kind:
    operands = _operands(arguments)
    if not all(is_numeric(kind) for kind in operands):
        return REAL_OR_ARRAY if all(_surely_real(kind) for kind in operands) else NUMBER_OR_ARRAY
    joined = operands[0]
    for kind in operands[1:]:
        joined = numpy_result(promote(joined, kind), joined, kind)
    return (
        numpy_result(as_float(joined), joined) if is_real(joined) else numpy_result(dtype_of(joined), joined)
    )


def _surely_real(kind: Kind) -> bool:
    if isinstance(kind, List | Iterator):
        return _surely_real(kind.element)
    if isinstance(kind, Tuple):
        return all(_surely_real(item) for item in kind.items)
    return is_real(kind) or isinstance(kind, Nothing | Text)


def _first(arguments: Arguments) -> Kind:
    return next(iter(arguments.values()))[0]


def _reduction(arguments: Arguments) -> Kind:
    kind = _first(arguments)
    axis = arguments.get("axis", (NOTHING, None))
    keepdims = arguments.get("keepdims", (BOOL, False))
    if not is_numeric(kind):
        return REAL_OR_ARRAY if _surely_real(kind) else NUMBER_OR_ARRAY
    dtype = dtype_of(kind)
    rank = rank_of(kind)
    if keepdims[1] is False and axis[1] is None and axis[0] == NOTHING:
        return NumpyScalar(_summed(dtype))
    if rank is None or isinstance(kind, NumberOrArray):
        return NumberOrArray(is_real(kind))
    if keepdims[1] is True:
        return Array(_summed(dtype), rank) if rank else NumberOrArray(is_real(kind))
    dropped = _axes(axis)
    if keepdims[1] is not False or dropped is None:
        return NumberOrArray(is_real(kind))
    return NumpyScalar(_summed(dtype)) if rank <= dropped else Array(_summed(dtype), rank - dropped)


def _axes(axis: tuple[Kind, Any]) -> int | None:
    kind, literal = axis
    if isinstance(literal, tuple):
        return len(literal)
    if isinstance(kind, Tuple):
        return len(kind.items)
    return 1 if kind == INT else None


def _summed(dtype: str) -> str:
    # Sums of integers may be means or norms: what the word promises must hold for all reductions.
    return "real" if dtype in ("i", "b") else dtype


def _like(arguments: Arguments, name: str) -> Kind:
    kind = arguments[name][0]
    if isinstance(kind, Array | NumpyScalar):
        return kind
    if is_numeric(kind):
        return NumberOrArray(is_real(kind))
    return REAL_OR_ARRAY if _surely_real(kind) else NUMBER_OR_ARRAY


def _array(arguments: Arguments) -> Kind:
    kinds = [
        kind for kind in _operands(arguments) if is_numeric(kind) and not isinstance(kind, NumberOrArray)
    ]
    if kinds and len(kinds) == len(_operands(arguments)):
        return Array("real" if all(is_real(kind) for kind in kinds) else "any", None)
    return Array("real" if all(_surely_real(kind) for kind in _operands(arguments)) else "any", None)


def _scalar(arguments: Arguments) -> Kind:
    real = all(_surely_real(kind) for kind in _operands(arguments))
    return NumpyScalar("real" if real else "any")


def _number_or_array(arguments: Arguments) -> Kind:
    return REAL_OR_ARRAY if all(_surely_real(kind) for kind in _operands(arguments)) else NUMBER_OR_ARRAY


_WORDS: dict[str, Callable[[Arguments], Kind]] = {
    "elementwise": _elementwise,
    "reduction": _reduction,
    "array": _array,
    "scalar": _scalar,
    "number-or-array": _number_or_array,
    "float": lambda arguments: FLOAT,
    "int": lambda arguments: INT,
    "bool": lambda arguments: BOOL,
    "str": lambda arguments: TEXT,
    "none": lambda arguments: NOTHING,
    "tuple": lambda arguments: UNKNOWN,
    "list": lambda arguments: List(UNKNOWN),
    "unknown": lambda arguments: UNKNOWN,
}
"""The vocabulary of `kind=` (besides "like NAME")."""
