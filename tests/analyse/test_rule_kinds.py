"""What the kind words of rules promise, against what NumPy does: the promise holds for every value."""

from __future__ import annotations

import itertools
import operator
import warnings
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.linalg as sl
import scipy.special  # noqa: F401  (whose rules are there from now on)

from zygpy.analyse import transfer
from zygpy.analyse.arguments import ABSENT
from zygpy.analyse.binding import CannotBind, bind_rule
from zygpy.analyse.rule_kinds import rule_kind
from zygpy.ir import core
from zygpy.ir.kinds import (
    FLOAT,
    INT,
    UNKNOWN,
    Array,
    Kind,
    NumberOrArray,
    NumpyScalar,
    RealScalar,
    Tuple,
    is_double,
    is_real_scalar,
    join,
    join_all,
    kind_of,
)
from zygpy.rules import declare, load
from zygpy.rules.texts import texts
from zygpy.runtime import methods, scipy_factors, scipy_functions

load()

DTYPES = (
    np.float64,
    np.float32,
    np.int64,
    np.bool_,
    np.complex128,
    np.int8,
    np.uint64,
    np.float16,
    np.complex64,
)
RANKS = range(5)
SCALARS = (2, 2.5, True, 1.5 + 1j, 2**63)
LISTS = ([1.0, 2.0], [1, 2], [], [True, False], (1.0, 2), [[1.0, 2.0], [3.0, 4.0]], (np.ones(2), np.ones(2)))


def holds(promise: Kind, truth: Kind) -> bool:
    """Whether a promised kind covers the kind of a result."""
    return promise == UNKNOWN or join(promise, truth) == promise


def array(dtype: Any, rank: int) -> Any:
    """A square array, invertible where it is a matrix."""
    values = np.arange(2**rank).reshape((2,) * rank) % 3
    return np.asarray(values + np.eye(2) if rank >= 2 else values).astype(dtype)


def mixed(kind: Kind) -> Kind:
    """The kind of a variable that may hold such a number of Python's or of NumPy's."""
    if is_double(kind):
        return RealScalar("f8")
    return RealScalar("real") if is_real_scalar(kind) else kind


def operands() -> Iterator[Any]:
    """Numbers of every kind: Python's, NumPy's, arrays of every rank, lists."""
    yield from SCALARS
    for dtype in DTYPES:
        yield np.dtype(dtype).type(1)
        for rank in RANKS:
            yield array(dtype, rank)


def promises(
    function: Any,
    args: tuple[Any, ...],
    keywords: Mapping[str, Any],
    seen_as: Callable[[Kind], Kind] = lambda kind: kind,
) -> Iterator[Kind]:
    """What is promised with literals known as such, and with all of them held in variables."""
    for visible in (True, False):
        rule = declare.find(function)
        assert rule is not None
        values: dict[str, Any] = {}

        def atom(value: Any, visible: bool = visible, values: dict[str, Any] = values) -> core.Atom:
            if visible and (value is None or type(value) in (bool, int, float, str)):
                return core.Const(value)
            values[f"v{len(values)}"] = value
            return core.Var(f"v{len(values) - 1}")

        named = tuple(core.Keyword(name, atom(value)) for name, value in keywords.items())
        try:
            bound = bind_rule(texts(rule).parameters, tuple(atom(arg) for arg in args), named)
        except CannotBind:
            return
        yield rule_kind(rule, {name: _known(item, values, seen_as) for name, item in bound})


def _known(item: Any, values: Mapping[str, Any], seen_as: Callable[[Kind], Kind]) -> tuple[Kind, Any]:
    if isinstance(item, tuple):
        return Tuple(tuple(_known(part, values, seen_as)[0] for part in item)), ABSENT
    if isinstance(item, core.Const):
        return kind_of(item.value), item.value
    return seen_as(kind_of(values[item.name])), ABSENT


def check(function: Any, *args: Any, **keywords: Any) -> bool:
    """Compare promise and truth; False where NumPy refuses the arguments."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            truth = kind_of(function(*args, **keywords))
    except (ArithmeticError, AttributeError, IndexError, MemoryError, TypeError, ValueError):
        return False
    for seen_as in (lambda kind: kind, mixed):
        for promise in promises(function, args, keywords, seen_as):
            shown = [seen_as(kind_of(arg)) for arg in args], keywords
            assert holds(promise, truth), f"{function} on {shown}: promised {promise}, is {truth}"
    return True


def rules_with(word: Callable[[str], bool], count: int) -> list[Any]:
    """The NumPy functions whose kind is such a word and that take this many operands."""
    found = []
    for function, rule in declare.REGISTRY.items():
        if rule.call and word(rule.kind) and (isinstance(function, np.ufunc) or _is_numpys(function)):
            needed = [parameter for parameter in texts(rule).parameters if parameter.required]
            if len(needed) == count:
                found.append(function)
    return sorted((function for function in found if function.__name__ not in NEEDS_MORE), key=name_of)


def name_of(value: Any) -> str:
    """What a value is called in a test's name: the same in every process."""
    return getattr(value, "__name__", None) or str(value)


def _is_numpys(function: Any) -> bool:
    module = getattr(function, "__module__", None) or ""
    return module.startswith("numpy") or module == methods.__name__


NEEDS_MORE = (
    "to_device",
    "einsum",
    "reshape",
    "compress",
    "correlate",
    "dsplit",
    "item_of",
    "cholesky",
    "cross",
    "tensorinv",
)
"""Functions of which a call with arrays alone says nothing; those with precise kinds have tests below."""


@pytest.mark.parametrize("function", rules_with(lambda word: True, 1), ids=name_of)
def test_functions_of_one_operand(function: Any) -> None:
    done = [check(function, value) for value in (*operands(), *LISTS)]
    assert any(done)


@pytest.mark.parametrize("function", rules_with(lambda word: True, 2), ids=name_of)
def test_functions_of_two_operands(function: Any) -> None:
    values = [value for value in operands() if np.ndim(value) < 3]
    done = [check(function, *pair) for pair in itertools.product(*[_fewer(values, function)] * 2)]
    assert any(done)


def _fewer(values: list[Any], function: Any) -> list[Any]:
    """The common ones of the operands, for functions of SciPy: there are many, and some take their time."""
    if not isinstance(function, np.ufunc) or getattr(np, function.__name__, None) is function:
        return values
    common = (float, int, np.float64, np.float32, np.int64, np.complex128)
    return [value for value in values if np.ndim(value) < 2 and np.result_type(value).type in common]


REDUCING = (
    "sum", "mean", "extreme", "modulus", "truth", "average", "position", "scan", "same rank",
    "flat unless axis", "squeeze", "order",
)  # fmt: skip
AXES: tuple[Any, ...] = (None, 0, -1, 1, (0, 1), (), (0,))


@pytest.mark.parametrize("function", rules_with(lambda word: word in REDUCING, 1), ids=name_of)
def test_axes_and_keepdims(function: Any) -> None:
    done = 0
    for value, axis in itertools.product((*operands(), *LISTS), AXES):
        done += check(function, value, axis=axis)
        done += sum(check(function, value, axis=axis, keepdims=keepdims) for keepdims in (True, False))
    assert done > 0


@pytest.mark.parametrize(
    "function", [np.sum, np.prod, np.mean, np.cumsum, np.var, np.array, np.asarray], ids=name_of
)
@pytest.mark.parametrize(
    "dtype", [np.float32, float, "f4", int, bool, complex, np.dtype("f8"), object], ids=name_of
)
def test_dtypes_asked_for(function: Any, dtype: Any) -> None:
    assert sum(check(function, value, dtype=dtype) for value in (*operands(), *LISTS)) > 0


SHAPES: tuple[Any, ...] = (3, np.int64(3), (), (2,), (2, 3), [2, 3], np.array([2, 3]), (np.int64(1), 2))


@pytest.mark.parametrize("shape", SHAPES, ids=name_of)
def test_shapes_asked_for(shape: Any) -> None:
    for function in (np.zeros, np.ones, np.empty):
        for dtype in (None, float, np.float32, "i8", bool, object):
            check(function, shape, dtype)
    for value in (1, 1.0, np.float32(1), 1j, True):
        check(np.full, shape, value)
        check(np.broadcast_to, value, shape)
    for base in (np.ones(6), np.ones((2, 3), np.float32), np.float64(1), 2.0):
        check(np.reshape, base, shape)
        check(methods.reshape, base, shape)
    assert check(np.zeros, shape)


def test_reshape_with_several_numbers() -> None:
    for value in (np.ones(6), np.ones((2, 3), np.float32)):
        for shape in ((6,), (2, 3), (1, 2, 3), (-1, 1), ((3, 2),)):
            assert check(methods.reshape, value, *shape)


def test_ranges_and_steps() -> None:
    for numbers in (
        (3,),
        (0, 3),
        (0.0, 3),
        (0, 3, 0.5),
        (np.int64(3),),
        (2**63, 2**63 + 2),
        (np.float32(3),),
    ):
        assert check(np.arange, *numbers)
    for pair in ((0, 1), (0.0, np.float32(1)), (np.float32(0), np.float32(1)), (np.zeros(2), 1), (0, 1j)):
        assert check(np.linspace, *pair, 4)


SEQUENCES = (
    (np.ones(2), np.zeros(2)), [np.ones(2), np.zeros(2)], (np.ones((2, 2)), np.ones((2, 2), np.float32)),
    [np.ones((2, 2), bool)], (np.ones(2), np.ones(2, complex)), [1.0, 2.0], (1.0, np.float32(2)),
    np.ones((2, 3)),
)  # fmt: skip


@pytest.mark.parametrize(
    "function", [np.concatenate, np.stack, np.vstack, np.hstack, np.column_stack, np.dstack], ids=name_of
)
def test_joining(function: Any) -> None:
    done = [check(function, values) for values in SEQUENCES]
    done += [check(function, values, axis=axis) for values in SEQUENCES for axis in (0, -1, None)]
    assert any(done)


@pytest.mark.parametrize("dtype", DTYPES, ids=name_of)
def test_matrices(dtype: Any) -> None:
    for matrix in (np.eye(2, dtype=dtype), np.ones((3, 1, 1), dtype)):
        done = [check(getattr(np.linalg, name), matrix) for name in ("cholesky", "inv", "det", "eigvalsh")]
        assert any(done) or dtype is np.float16


def test_einsum_and_tensordot() -> None:
    matrix, vector = np.ones((2, 2)), np.ones(2, np.float32)
    for subscripts in ("ij,jk->ik", "ij,jk", "ij,ij->", "ij,jk->i", "ij,ij"):
        assert check(np.einsum, subscripts, matrix, matrix)
    assert check(np.einsum, "ij,j->i", matrix, vector)
    assert check(np.einsum, "...j,j->...", matrix, vector)
    for axes in (0, 1, 2, ((0,), (1,)), (0, 1), [[0], [1]]):
        assert check(np.tensordot, matrix, matrix, axes)


def test_choices_and_pieces() -> None:
    values = [value for value in operands() if np.ndim(value) < 3]
    for condition, pair in itertools.product(
        (True, np.bool_(True), np.ones(2, bool)), itertools.product(values, values)
    ):
        check(np.where, condition, *pair)
    for a, low in itertools.product(values, values):
        check(np.clip, a, low, 3)
    for a in (np.ones(4), np.ones((4, 2), np.float32)):
        assert check(np.split, a, 2)
        assert (
            check(np.take, a, 0)
            and check(np.take, a, [0, 1], axis=0)
            and check(np.take, a, np.zeros((2, 2), int))
        )
        assert check(methods.astype, a, np.float32) and check(methods.astype, a, int)


BINARY = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "@": operator.matmul, "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "<<": operator.lshift,
}  # fmt: skip
COMPARISONS = {"<": operator.lt, "==": operator.eq, "!=": operator.ne, ">=": operator.ge}


def result_of(function: Any, *args: Any) -> Kind | None:
    """The kind of a result, None where Python refuses."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return kind_of(function(*args))
    except (TypeError, ValueError, ZeroDivisionError, OverflowError, MemoryError):
        return None


def both(kind: Kind) -> set[Kind]:
    """A kind, and that of a variable which may hold another number too."""
    return {kind, mixed(kind)}


@pytest.mark.parametrize("symbol", [*BINARY, *COMPARISONS])
def test_operators(symbol: str) -> None:
    values = [value for value in (*operands(), -4.0, Fraction(1, 2)) if type(value) is not int or value < 9]
    for left, right in itertools.product(values, values):
        truth = result_of({**BINARY, **COMPARISONS}[symbol], left, right)
        infer = transfer.binary if symbol in BINARY else transfer.comparison
        for kinds in itertools.product(both(kind_of(left)), both(kind_of(right))):
            promise = infer(symbol, *kinds)
            assert truth is None or holds(promise, truth), (symbol, kinds, promise, truth)


@pytest.mark.parametrize(
    ("symbol", "function"), [("-", operator.neg), ("+", operator.pos), ("~", operator.invert)]
)
def test_signs(symbol: str, function: Any) -> None:
    for value in operands():
        truth = result_of(function, value)
        for kind in both(kind_of(value)):
            promise = transfer.unary(symbol, kind)
            assert truth is None or holds(promise, truth), (symbol, kind, promise, truth)


INDICES: tuple[Any, ...] = (
    0, np.int64(0), np.int8(0), np.bool_(True), None, Ellipsis, slice(0, 1), [0, 1], [True, False], [],
    [[0], [1]], np.array([0, 1]), np.array([[0], [1]], np.int8), np.array([True, False]),
    np.ones((2, 2), bool), np.array(0), (0,), (0, 0), (), (slice(None), 0),
)  # fmt: skip


def test_items() -> None:
    parts = [*((index,) for index in INDICES), *itertools.product(INDICES[:16], INDICES[:16])]
    for value in (array(dtype, rank) for dtype in (np.float64, np.int8) for rank in RANKS):
        for index in parts:
            whole = index[0] if len(index) == 1 else index
            try:
                truth = kind_of(value[whole])
            except (IndexError, ValueError):
                continue
            for rank in (value.ndim, None):
                promise = _item_promise(Array(transfer.dtype_of(kind_of(value)), rank), index)
                assert holds(promise, truth), (kind_of(value), rank, index, promise, truth)


def _item_promise(kind: Array, parts: tuple[Any, ...]) -> Kind:
    values: dict[str, Any] = {}
    items = []
    for part in parts:
        if part is None or part is Ellipsis:
            items.append(core.Const(part))
        elif isinstance(part, slice):
            items.append(core.Slice(None, core.Const(1), None))
        else:
            values[f"v{len(values)}"] = part
            items.append(core.Var(f"v{len(values) - 1}"))
    index: Any = items[0] if len(items) == 1 else core.IndexTuple(tuple(items))

    def kinds(atom: core.Atom) -> Kind:
        return kind_of(atom.value if isinstance(atom, core.Const) else values[atom.name])

    return transfer.getitem(kind, index, kinds)


def test_precise_where_it_matters() -> None:
    """Programs are slow where these are not known exactly."""
    matrix, vector, number = Array("f8", 2), Array("f8", 1), NumpyScalar("f8")
    assert transfer.binary("@", matrix, vector) == vector
    assert transfer.binary("@", vector, vector) == number
    assert transfer.binary("*", matrix, INT) == matrix
    assert transfer.binary("+", Array("f4", 1), kind_of(1.0)) == Array("f4", 1)


PRECISE: tuple[tuple[Any, tuple[Any, ...], Kind], ...] = (
    (np.zeros, (3,), Array("f8", 1)),
    (np.zeros, ((2, 3),), Array("f8", 2)),
    (np.sum, (np.ones(2),), NumpyScalar("f8")),
    (np.mean, (np.ones((2, 2)),), NumpyScalar("f8")),
    (np.max, (np.ones(2),), NumpyScalar("f8")),
    (np.exp, (np.ones((2, 2)),), Array("f8", 2)),
    (np.argmax, (np.ones(2),), NumpyScalar("i")),
    (np.outer, (np.ones(2), np.ones(2)), Array("f8", 2)),
    (np.dot, (np.ones(2), np.ones(2)), NumpyScalar("f8")),
    (np.linalg.solve, (np.eye(2), np.ones(2)), Array("f8", 1)),
    (np.linalg.det, (np.eye(2),), NumpyScalar("f8")),
    (np.shape, (np.eye(2),), Tuple((INT, INT))),
    (np.stack, ([np.ones(2)],), Array("f8", 2)),
    (np.array, ([1.0, 2.0],), Array("f8", 1)),
    (np.where, (np.ones(2, bool), np.ones(2), 0), Array("f8", 1)),
)


@pytest.mark.parametrize(("function", "args", "kind"), PRECISE, ids=name_of)
def test_precise_for_common_functions(function: Any, args: tuple[Any, ...], kind: Kind) -> None:
    assert list(promises(function, args, {})) == [kind, kind]


STACK = np.array([[[4.0, 1.0], [0.5, 3.0]], [[5.0, -1.0], [0.3, 2.0]]])


@pytest.mark.parametrize(
    ("function", "more"),
    [
        *[(sl.svd, ()), (sl.eigh, ()), (sl.eigh, (np.eye(2),)), (sl.polar, ())],
        *[(scipy_factors.lu_factored, ()), (scipy_factors.in_three, ()), (scipy_factors.pairs, ())],
        (scipy_functions.with_frechet, (np.eye(2),)),
    ],
    ids=name_of,
)
def test_stacks_of_matrices_whose_factors_scipy_gives_in_lists(function: Any, more: tuple[Any, ...]) -> None:
    assert check(function, STACK[0], *more)
    check(function, STACK, *more)


def test_sums_of_items_that_begin_with_a_number() -> None:
    item, total = NumpyScalar("f8"), RealScalar("f8")
    assert join(FLOAT, item) == join_all([item, total, FLOAT]) == total
    assert transfer.binary("+", total, item) == transfer.binary("+", total, NumpyScalar("i")) == item
    assert transfer.binary("*", total, INT) == transfer.binary("/", RealScalar("real"), INT) == total
    assert transfer.binary("*", total, Array("f8", 2)) == Array("f8", 2)
    assert join(INT, item) == join(total, INT) == RealScalar("real")
    assert join(FLOAT, NumpyScalar("f4")) == join(total, Array("f8", 1)) == NumberOrArray(True)


def test_unknown_rank_is_a_number_or_array() -> None:
    some = Array("f8", None)
    assert transfer.binary("*", some, INT) == NumberOrArray(True)
    assert transfer.binary("*", some, Array("f8", 2)) == some


@pytest.mark.parametrize(
    "value", [np.float64(1.5), np.float32(1.5), np.complex128(1j), np.ones(()), np.ones(2)]
)
def test_a_copy_by_the_method_is_of_the_same_sort(value: Any) -> None:
    assert check(methods.copy, value)
    assert type(methods.copy(value)) is type(value)
