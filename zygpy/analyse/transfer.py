"""How operations map kinds to kinds. Each function holds for all values of its argument kinds."""

from __future__ import annotations

from typing import Any

from zygpy.analyse.index_kinds import array_item
from zygpy.analyse.sites import NOWHERE, Sites, contained
from zygpy.analyse.values import Value
from zygpy.ir import core
from zygpy.ir.kinds import (
    BOOL,
    COMPLEX,
    FLOAT,
    FLOATING,
    INT,
    MAXIMUM_ITEMS,
    NUMBER_OR_ARRAY,
    TEXT,
    UNKNOWN,
    Array,
    Bytes,
    Dict,
    Iterator,
    Kind,
    List,
    Never,
    Number,
    NumberOrArray,
    NumpyScalar,
    RealScalar,
    Row,
    Text,
    Tuple,
    as_row,
    is_double,
    is_exact,
    is_mutable,
    is_numeric,
    is_real,
    is_real_scalar,
    join,
    join_all,
    join_dtype,
    rank_of,
    row_of,
)


def unary(op: str, operand: Kind) -> Kind:
    """The kind of `-x`, `+x`, `~x`, `not x`."""
    if op == "not":
        return BOOL
    if isinstance(operand, Number):
        return join(Number(operand.types - {"bool"}), INT) if "bool" in operand.types else operand
    if isinstance(operand, RealScalar):
        return operand
    return numpy_result(dtype_of(operand), operand) if is_numeric(operand) else _unknown(operand)


def _unknown(*operands: Kind) -> Kind:
    return next((kind for kind in operands if isinstance(kind, Never)), UNKNOWN)


def _are_compared_at_once(left: Kind, right: Kind) -> bool:
    """Whether two texts are compared, or two lists or tuples of texts and numbers of Python."""
    if isinstance(left, Text) and isinstance(right, Text):
        return True
    listed = isinstance(left, List) and isinstance(right, List)
    tuples = isinstance(left, Tuple | Row) and isinstance(right, Tuple | Row)
    return (listed or tuples) and _is_of_pythons(left) and _is_of_pythons(right)


def _is_of_pythons(kind: Kind) -> bool:
    """Whether there are texts and numbers of Python in a list or tuple, however deep, and nothing else."""
    if isinstance(kind, Tuple):
        return kind.cls is None and all(map(_is_of_pythons, kind.items))
    if isinstance(kind, List | Row):
        return _is_of_pythons(kind.element)
    return isinstance(kind, Text | Never) or (isinstance(kind, Number) and not is_exact(kind))


def comparison(op: str, left: Kind, right: Kind) -> Kind:
    """The kind of one comparison."""
    if op in ("is", "is not", "in", "not in"):
        return BOOL
    if not (is_numeric(left) and is_numeric(right)):
        return BOOL if _are_compared_at_once(left, right) else _unknown(left, right)
    if isinstance(left, Number) and isinstance(right, Number):
        return BOOL
    if is_exact(left) or is_exact(right):
        return UNKNOWN
    mixed = _is_pythons(left, right) or _is_mixed(left, right)
    return NumberOrArray(True) if mixed else numpy_result("b", left, right)


def _is_pythons(left: Kind, right: Kind) -> bool:
    """Whether Python's complex may do it: a NumPy float64 is a float to it."""
    complicated = isinstance(left, Number) and "complex" in left.types
    return complicated and isinstance(right, NumpyScalar) and right.dtype in ("f8", "real", "any")


def _is_mixed(left: Kind, right: Kind) -> bool:
    """Whether either Python or NumPy may do it."""
    pair = (left, right)
    return any(isinstance(kind, RealScalar) for kind in pair) and all(
        isinstance(kind, Number | RealScalar) for kind in pair
    )


def binary(op: str, left: Kind, right: Kind, exponent: Any = None) -> Kind:
    """The kind of `left op right`; `exponent` is the right operand where it is a literal."""
    if is_numeric(left) and is_numeric(right):
        if isinstance(left, Number) and isinstance(right, Number):
            return _python_binary(op, left, right, exponent)
        if _is_mixed(left, right):
            return _mixed_binary(op, left, right, exponent)
        return _numpy_binary(op, left, right)
    return _container_binary(op, left, right, exponent)


def _container_binary(op: str, left: Kind, right: Kind, literal: Any) -> Kind:
    if isinstance(left, Text) and op in ("+", "%", "*"):
        return left
    if op == "+" and isinstance(left, List) and isinstance(right, List):
        return List(join(left.element, right.element))
    if op == "+" and isinstance(left, Tuple | Row) and isinstance(right, Tuple | Row):
        return _joined_tuples(left, right)
    if op == "*" and isinstance(left, List | Row) and right == INT:
        return left
    if op == "*" and isinstance(right, List | Row) and left == INT:
        return right
    if op == "*" and isinstance(left, Tuple) and left.cls is None and right == INT:
        return _repeated_tuple(left, literal)
    if any(_is_numbers(a) and isinstance(b, Array | NumpyScalar) for a, b in ((left, right), (right, left))):
        return NUMBER_OR_ARRAY if op == "@" else Array("any", None)
    return _unknown(left, right)


def _joined_tuples(left: Tuple | Row, right: Tuple | Row) -> Kind:
    """The kind of the sum of two tuples, of which it is known which items it has if it is of theirs."""
    if isinstance(left, Tuple) and isinstance(right, Tuple):
        return Tuple(left.items + right.items)
    return join(as_row(left), as_row(right))


def _repeated_tuple(kind: Tuple, literal: Any) -> Kind:
    """The kind of a tuple times a whole number."""
    if type(literal) is int and len(kind.items) * literal <= MAXIMUM_ITEMS:
        return Tuple(kind.items * literal)
    return as_row(kind)


def _is_numbers(kind: Kind) -> bool:
    """Whether a list or tuple has numbers in it, and nothing else."""
    items = kind.items if isinstance(kind, Tuple) else (kind.element,) if isinstance(kind, List | Row) else ()
    return bool(items) and all(map(is_numeric, items))


def _python_binary(op: str, left: Number, right: Number, exponent: Any) -> Kind:
    if op == "**":
        return _python_power(left, right, exponent)
    pairs = (_python_pair(op, a, b) for a in sorted(left.types) for b in sorted(right.types))
    return join_all(pairs)


def _mixed_binary(op: str, left: Kind, right: Kind, exponent: Any) -> Kind:
    if is_exact(left) or is_exact(right):
        return UNKNOWN
    whole = type(exponent) is int or (isinstance(right, Number) and right.types <= {"bool", "int"})
    if not (is_real_scalar(left) and is_real_scalar(right)) or (op == "**" and not whole):
        return NUMBER_OR_ARRAY
    double = is_double(left) if op == "**" else op == "/" or is_double(left) or is_double(right)
    return RealScalar("f8" if double else "real")


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
    if type(exponent) is float and exponent.is_integer() and left.types <= {"bool", "int", "float"}:
        return FLOAT
    if right.types <= {"bool", "int"} and left.types <= {"bool", "int", "float"}:
        return Number(frozenset({"int", "float"}))
    if "exact" in left.types | right.types:
        return Number(frozenset({"exact", "float", "complex", "int"}))
    return join(COMPLEX, FLOAT)


def promote(left: Kind, right: Kind) -> str:
    """The dtype class of NumPy arithmetic on two kinds; Python numbers are weak (NEP 50)."""
    if isinstance(left, Number) and isinstance(right, Number):
        return promote_dtypes(dtype_of(left), dtype_of(right))
    if isinstance(left, RealScalar) or isinstance(right, RealScalar):
        return _promote_mixed(left, right)
    if isinstance(left, Number):
        return _promote_weak(dtype_of(right), left)
    if isinstance(right, Number):
        return _promote_weak(dtype_of(left), right)
    return promote_dtypes(dtype_of(left), dtype_of(right))


def _promote_mixed(left: Kind, right: Kind) -> str:
    """With a number that may be Python's, and weak, or not."""
    if not (is_real(left) and is_real(right)):
        return "any"
    dtypes = {dtype_of(left), dtype_of(right)}
    if any(isinstance(kind, NumpyScalar | Array) and kind.dtype == "f8" for kind in (left, right)):
        return "f8"  # no real number of Python's, and no float64, makes anything else of it
    return "f8" if "f8" in dtypes and dtypes <= {"f8", "i", "b"} else "real"


def dtype_of(kind: Kind) -> str:
    """The dtype class of a NumPy kind; of a Python number, the one NumPy gives it."""
    if isinstance(kind, Array | NumpyScalar | RealScalar):
        return kind.dtype
    if isinstance(kind, Number):
        return {BOOL: "b", INT: "i", FLOAT: "f8", COMPLEX: "c16"}.get(
            kind, "real" if is_real(kind) else "any"
        )
    return "real" if is_real(kind) else "any"


def keeps(array: Kind, stored: Kind) -> bool:
    """Whether an array surely keeps what is stored in it: floats are kept, and integers among integers."""
    return dtype_of(array) in FLOATING or (dtype_of(array) == "i" and dtype_of(stored) == "i")


def _promote_weak(dtype: str, number: Number) -> str:
    if number.types <= {"bool"} or (number.types <= {"bool", "int"} and dtype != "b"):
        return dtype
    if number.types == {"int"}:
        return "i"
    if number.types <= {"bool", "int", "float"}:
        if dtype in ("i", "b"):
            return "f8" if number == FLOAT else "real"
        return dtype
    return _COMPLEX.get(dtype, "any") if number == COMPLEX else "any"


_COMPLEX = {"f4": "c8", "c8": "c8", "f8": "c16", "c16": "c16", "i": "c16", "b": "c16"}
_WIDER = {
    frozenset({"f8", "i"}): "f8",
    frozenset({"f8", "f4"}): "f8",
    frozenset({"f4", "i"}): "f8",
    frozenset({"f4", "c8"}): "c8",
    frozenset({"i", "c8"}): "c16",
    **{frozenset({"c16", other}): "c16" for other in ("c8", "f8", "f4", "i")},
    frozenset({"f8", "c8"}): "c16",
}


def promote_dtypes(a: str, b: str) -> str:
    """The dtype class that NumPy gives two arrays' values together."""
    if a == b or b == "b":
        return a
    return b if a == "b" else _WIDER.get(frozenset({a, b}), join_dtype(a, b))


def numpy_result(dtype: str, *operands: Kind) -> Kind:
    """The kind of an elementwise NumPy result on these operands: of rank 0 it is a scalar."""
    if not all(is_numeric(kind) for kind in operands):
        return next((k for k in operands if isinstance(k, Never)), NUMBER_OR_ARRAY)
    ranks = [rank_of(kind) for kind in operands]
    known = [rank for rank in ranks if rank is not None]
    if len(known) == len(ranks):
        return ranked(dtype, max(known))
    return Array(dtype, None) if any(known) else NumberOrArray(is_real_dtype(dtype))


def ranked(dtype: str, rank: int | None) -> Kind:
    """A NumPy result of this rank: a scalar for 0, and either for None."""
    if rank is None:
        return NumberOrArray(is_real_dtype(dtype))
    return Array(dtype, rank) if rank > 0 else NumpyScalar(dtype)


def is_real_dtype(dtype: str) -> bool:
    """Whether a dtype class is surely not complex."""
    return dtype not in ("any", "c8", "c16")


def _numpy_binary(op: str, left: Kind, right: Kind) -> Kind:
    if is_exact(left) or is_exact(right):
        return UNKNOWN
    dtype = promote(left, right)
    if op == "/":
        dtype = {"i": "f8", "b": "f8"}.get(dtype, dtype)
    elif op in ("//", "%", "**", "<<", ">>") and "b" in (dtype_of(left), dtype_of(right)):
        dtype = "real" if dtype in ("b", "i") else dtype  # of truth values NumPy makes small integers
    if op == "@":
        return matmul(dtype, left, right)
    turns = op == "**" and _may_turn_complex(left, right)
    return NUMBER_OR_ARRAY if turns or _is_pythons(left, right) else numpy_result(dtype, left, right)


def _may_turn_complex(left: Kind, right: Kind) -> bool:
    """Whether both may be numbers of Python's, whose roots of negative numbers are complex."""
    integers = isinstance(right, Number) and right.types <= {"bool", "int"}
    maybe = Number | RealScalar | NumberOrArray
    return not integers and all(isinstance(kind, maybe) for kind in (left, right))


def matmul(dtype: str, left: Kind, right: Kind) -> Kind:
    """The kind of `left @ right`."""
    a, b = rank_of(left), rank_of(right)
    if a is None or b is None or 0 in (a, b):
        return NumberOrArray(is_real_dtype(dtype))
    return ranked(dtype, a + b - 2 if 1 in (a, b) else max(a, b))


def contents(value: Value) -> Sites:
    """What a new container can reach that holds the elements of this one."""
    kind = value.kind.element if isinstance(value.kind, Dict) else element(value.kind)
    return contained(value.sites) if is_mutable(kind) else NOWHERE


def element(kind: Kind) -> Kind:
    """The kind of what iteration over a value gives."""
    if isinstance(kind, List | Iterator | Row):
        return kind.element
    if isinstance(kind, Tuple):
        return join_all(kind.items)
    if isinstance(kind, Array):
        return ranked(kind.dtype, None if kind.rank is None else max(kind.rank - 1, 0))
    if isinstance(kind, Dict):
        return TEXT if kind.items is not None else kind.key
    if isinstance(kind, Text):
        return INT if isinstance(kind, Bytes) else TEXT
    return _unknown(kind)


def getitem(kind: Kind, index: core.Index, kinds: Any) -> Kind:
    """The kind of `value[index]`; `kinds` maps an atom to its kind."""
    if isinstance(kind, Array):
        return array_item(kind, index, kinds)
    if isinstance(kind, List | Tuple | Row) and may_be_slice(index, kinds):
        return UNKNOWN
    if isinstance(kind, Tuple):
        return _tuple_item(kind, index)
    if isinstance(kind, List | Row):
        return kind if isinstance(index, core.Slice) else kind.element
    if isinstance(kind, Dict):
        return _dict_item(kind, index)
    if isinstance(kind, NumberOrArray):
        return kind
    if isinstance(kind, Text):
        return _item_of_text(kind, index, kinds)
    return _unknown(kind)


def _item_of_text(kind: Text, index: core.Index, kinds: Any) -> Kind:
    if not isinstance(kind, Bytes) or isinstance(index, core.Slice):
        return kind
    return UNKNOWN if may_be_slice(index, kinds) else INT


def may_be_slice(index: core.Index, kinds: Any) -> bool:
    """Whether a variable that is used as an index may hold a slice."""
    return (
        isinstance(index, core.Var) and not isinstance(kinds(index), Never) and not is_numeric(kinds(index))
    )


def _tuple_item(kind: Tuple, index: core.Index) -> Kind:
    if (
        isinstance(index, core.Const)
        and type(index.value) is int
        and -len(kind.items) <= index.value < len(kind.items)
    ):
        return kind.items[index.value]
    if isinstance(index, core.Slice):
        bounds = constant_slice(index)
        return _some_of(kind) if bounds is None else Tuple(kind.items[bounds])
    return join_all(kind.items) if kind.items else UNKNOWN


def _some_of(kind: Tuple) -> Kind:
    """The kind of a slice of a tuple, which may be any."""
    return row_of(join_all(kind.items))


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
