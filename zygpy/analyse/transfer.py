"""How operations map kinds to kinds. Each function holds for all values of its argument kinds."""

from __future__ import annotations

from typing import Any

from zygpy.ir import core
from zygpy.ir.kinds import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NUMBER_OR_ARRAY,
    TEXT,
    UNKNOWN,
    Array,
    Dict,
    Iterator,
    Kind,
    List,
    Never,
    Number,
    NumberOrArray,
    NumpyScalar,
    Text,
    Tuple,
    is_numeric,
    is_real,
    is_scalar,
    join,
    join_all,
    join_dtype,
    rank_of,
)

_WEAK = ({"bool"}, {"int"}, {"float"}, {"complex"})


def unary(op: str, operand: Kind) -> Kind:
    """The kind of `-x`, `+x`, `~x`, `not x`."""
    if op == "not":
        return BOOL
    if operand == BOOL:
        return INT
    return operand if is_numeric(operand) else _unknown(operand)


def _unknown(*operands: Kind) -> Kind:
    return next((kind for kind in operands if isinstance(kind, Never)), UNKNOWN)


def comparison(op: str, left: Kind, right: Kind) -> Kind:
    """The kind of one comparison."""
    if op in ("is", "is not", "in", "not in"):
        return BOOL
    if not (is_numeric(left) and is_numeric(right)):
        return BOOL if isinstance(left, Text) and isinstance(right, Text) else _unknown(left, right)
    if isinstance(left, Number) and isinstance(right, Number):
        return BOOL
    if isinstance(left, NumberOrArray) or isinstance(right, NumberOrArray):
        return NumberOrArray(True)
    return numpy_result("b", left, right)


def binary(op: str, left: Kind, right: Kind, exponent: Any = None) -> Kind:
    """The kind of `left op right`; `exponent` is the right operand where it is a literal."""
    if is_numeric(left) and is_numeric(right):
        if isinstance(left, Number) and isinstance(right, Number):
            return _python_binary(op, left, right, exponent)
        return _numpy_binary(op, left, right)
    return _container_binary(op, left, right)


def _container_binary(op: str, left: Kind, right: Kind) -> Kind:
    if isinstance(left, Text) and op in ("+", "%", "*"):
        return TEXT
    if op == "+" and isinstance(left, List) and isinstance(right, List):
        return List(join(left.element, right.element))
    if op == "+" and isinstance(left, Tuple) and isinstance(right, Tuple):
        return Tuple(left.items + right.items)
    if op == "*" and isinstance(left, List) and right == INT:
        return left
    return _unknown(left, right)


def _python_binary(op: str, left: Number, right: Number, exponent: Any) -> Kind:
    if op == "**":
        return _python_power(left, right, exponent)
    pairs = (_python_pair(op, a, b) for a in sorted(left.types) for b in sorted(right.types))
    return join_all(pairs)


def _python_pair(op: str, a: str, b: str) -> Kind:
    ranks = ("bool", "int", "exact", "float", "complex")
    widest = max(a, b, key=ranks.index)
    if op in ("&", "|", "^"):
        return Number(frozenset({widest}))
    if op == "/" and widest in ("bool", "int"):
        return FLOAT
    if op == "//" and widest == "exact":
        return INT
    return INT if widest == "bool" else Number(frozenset({widest}))


def _python_power(left: Number, right: Number, exponent: Any) -> Kind:
    if type(exponent) is int and (exponent >= 0 or left.types.isdisjoint({"bool", "int"})):
        return Number(frozenset({"int" if name == "bool" else name for name in left.types}))
    if type(exponent) is int:
        return join(FLOAT, Number(left.types - {"bool", "int"}))
    if right.types <= {"bool", "int"} and left.types <= {"float", "complex"}:
        return left
    if right.types <= {"bool", "int"} and left.types <= {"bool", "int", "float"}:
        return Number(frozenset({"int", "float"}))
    if "exact" in left.types | right.types:
        return Number(frozenset({"exact", "float", "complex", "int"}))
    return join(COMPLEX, FLOAT)


def promote(left: Kind, right: Kind) -> str:
    """The dtype class of NumPy arithmetic on two kinds; Python numbers are weak (NEP 50)."""
    if isinstance(left, Number):
        return _promote_weak(dtype_of(right), left)
    if isinstance(right, Number):
        return _promote_weak(dtype_of(left), right)
    return _promote_dtypes(dtype_of(left), dtype_of(right))


def dtype_of(kind: Kind) -> str:
    """The dtype class of a NumPy kind; of a Python number, the one NumPy gives it."""
    if isinstance(kind, Array | NumpyScalar):
        return kind.dtype
    if isinstance(kind, Number):
        return {BOOL: "b", INT: "i", FLOAT: "f8", COMPLEX: "c16"}.get(
            kind, "real" if is_real(kind) else "any"
        )
    return "real" if is_real(kind) else "any"


def _promote_weak(dtype: str, number: Number) -> str:
    if number.types <= {"bool"} or (number.types <= {"bool", "int"} and dtype != "b"):
        return dtype
    if number.types == {"int"}:
        return "i"
    if number.types <= {"bool", "int", "float"}:
        if dtype in ("i", "b"):
            return "f8" if number == FLOAT else "real"
        return dtype
    return (
        {"f4": "c8", "c8": "c8", "f8": "c16", "c16": "c16", "i": "c16"}.get(dtype, "any")
        if number == COMPLEX
        else "any"
    )


def _promote_dtypes(a: str, b: str) -> str:
    if a == b or b == "b":
        return a
    if a == "b":
        return b
    pair = {a, b}
    if pair in ({"f8", "i"}, {"f8", "f4"}):
        return "f8"
    if "c16" in pair and pair <= {"c16", "c8", "f8", "f4", "i"}:
        return "c16"
    return join_dtype(a, b)


def numpy_result(dtype: str, *operands: Kind) -> Kind:
    """The kind of an elementwise NumPy result on these operands."""
    if any(isinstance(kind, NumberOrArray) for kind in operands):
        return NumberOrArray(dtype not in ("any", "c8", "c16"))
    if not all(is_numeric(kind) for kind in operands):
        return next((k for k in operands if isinstance(k, Never)), NUMBER_OR_ARRAY)
    ranks = [rank_of(kind) for kind in operands]
    if all(rank == 0 for rank in ranks):
        return NumpyScalar(dtype)
    return Array(dtype, None if None in ranks else max(rank for rank in ranks if rank is not None))


def _numpy_binary(op: str, left: Kind, right: Kind) -> Kind:
    dtype = promote(left, right)
    if op == "/" and dtype in ("i", "b"):
        dtype = "f8"
    if op == "@":
        return _matmul(dtype, left, right)
    return numpy_result(dtype, left, right)


def _matmul(dtype: str, left: Kind, right: Kind) -> Kind:
    a, b = rank_of(left), rank_of(right)
    if a is None or b is None or 0 in (a, b):
        return NumberOrArray(dtype not in ("any", "c8", "c16"))
    if a == b == 1:
        return NumpyScalar(dtype)
    return Array(dtype, max(a + b - 2, 1) if 1 in (a, b) and max(a, b) == 2 else _stacked(a, b))


def _stacked(a: int, b: int) -> int:
    return a + b - 2 if 1 in (a, b) else max(a, b)


def as_float(kind: Kind) -> str:
    """The dtype class that a floating-point NumPy function gives for this operand."""
    dtype = dtype_of(kind)
    return {"i": "f8", "b": "f8"}.get(dtype, dtype) if is_real(kind) else dtype


def element(kind: Kind) -> Kind:
    """The kind of what iteration over a value gives."""
    if isinstance(kind, List | Iterator):
        return kind.element
    if isinstance(kind, Tuple):
        return join_all(kind.items)
    if isinstance(kind, Array):
        return item_of_array(kind, 1)
    if isinstance(kind, Dict):
        return TEXT if kind.items is not None else UNKNOWN
    return TEXT if isinstance(kind, Text) else _unknown(kind)


def item_of_array(kind: Array, dropped: int) -> Kind:
    """The kind left when `dropped` axes are indexed by integers."""
    if kind.rank is None:
        return Array(kind.dtype, None)
    return NumpyScalar(kind.dtype) if kind.rank <= dropped else Array(kind.dtype, kind.rank - dropped)


def getitem(kind: Kind, index: core.Index, kinds: Any) -> Kind:
    """The kind of `value[index]`; `kinds` maps an atom to its kind."""
    if isinstance(kind, Array):
        return _array_item(kind, index, kinds)
    if isinstance(kind, Tuple):
        return _tuple_item(kind, index)
    if isinstance(kind, List):
        return kind if isinstance(index, core.Slice) else kind.element
    if isinstance(kind, Dict):
        return _dict_item(kind, index)
    if isinstance(kind, NumberOrArray):
        return kind
    return TEXT if isinstance(kind, Text) else _unknown(kind)


def _tuple_item(kind: Tuple, index: core.Index) -> Kind:
    if (
        isinstance(index, core.Const)
        and type(index.value) is int
        and -len(kind.items) <= index.value < len(kind.items)
    ):
        return kind.items[index.value]
    if isinstance(index, core.Slice):
        bounds = constant_slice(index)
        return UNKNOWN if bounds is None else Tuple(kind.items[bounds])
    return join_all(kind.items) if kind.items else UNKNOWN


def constant_slice(index: core.Slice) -> slice | None:
    """The slice object where all bounds are literals."""
    bounds = [core.Const(None) if b is None else b for b in (index.lower, index.upper, index.step)]
    constants = [b.value for b in bounds if isinstance(b, core.Const)]
    return slice(*constants) if len(constants) == 3 else None


def _dict_item(kind: Dict, index: core.Index) -> Kind:
    if kind.items is not None and isinstance(index, core.Const):
        known: Kind = dict(kind.items).get(index.value, UNKNOWN)
        return known
    return kind.element if kind.items is None or kind.element != UNKNOWN else UNKNOWN


def _array_item(kind: Array, index: core.Index, kinds: Any) -> Kind:
    items = index.items if isinstance(index, core.IndexTuple) else (index,)
    dropped, fancy = 0, False
    added = 0
    for item in items:
        if isinstance(item, core.Slice):
            continue
        if isinstance(item, core.Const) and item.value in (None, Ellipsis) and item.value is not False:
            added += item.value is None
            continue
        item_kind = kinds(item)
        if not (is_scalar(item_kind) and dtype_of(item_kind) == "i"):
            fancy = True
        dropped += 1
    if fancy:
        return _fancy_item(kind, items, kinds)
    if kind.rank is None:
        return Array(kind.dtype, None)
    rank = kind.rank - dropped + added
    keeps_array = any(isinstance(item, core.Const) and item.value is Ellipsis for item in items)
    return NumpyScalar(kind.dtype) if rank <= 0 and not keeps_array else Array(kind.dtype, max(rank, 0))


def _fancy_item(kind: Array, items: tuple[Any, ...], kinds: Any) -> Kind:
    if len(items) == 1 and kind.rank is not None:
        index_kind = kinds(items[0])
        rank = rank_of(index_kind)
        if isinstance(index_kind, Array) and rank is not None and rank > 0:
            if index_kind.dtype == "b":
                return Array(kind.dtype, kind.rank - rank + 1)
            return Array(kind.dtype, kind.rank - 1 + rank)
        if isinstance(index_kind, List) and index_kind.element == INT:
            return Array(kind.dtype, kind.rank)
    return Array(kind.dtype, None)
