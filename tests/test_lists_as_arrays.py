"""Functions of NumPy that are given lists and tuples of numbers where they want arrays."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import zygpy as zg
from zygpy import units
from zygpy.testing import check_gradient

A, B = [1.5, 2.0, -0.5], [0.3, 1.0, 2.0]
M, N = [[1.0, 2.0], [3.0, 0.5]], [[0.3, 1.0], [0.2, 2.0]]


class Values(list[float]):
    """A list of another class."""


OF_ONE: dict[str, Callable[[Any], Any]] = {
    "prod": np.prod,
    "var": np.var,
    "std": np.std,
    "cumprod": lambda a: np.cumprod(a)[1],
    "max": np.max,
    "sort": lambda a: np.sort(a)[0],
    "exp": lambda a: np.exp(a).sum(),
    "average": lambda a: np.average(a, weights=a),
    "power": lambda a: np.power(a, 2).sum(),
    "flip": lambda a: np.flip(a)[0] * a[0],
    "norm": np.linalg.norm,
    "dot with itself": lambda a: np.dot(a, a),
    "times a number": lambda a: np.dot(a, 2.0).sum(),
    "mean": np.mean,
    "array": lambda a: np.array(a) @ np.asarray(a),
}

OF_VECTORS: dict[str, Callable[[Any, Any], Any]] = {
    "dot": np.dot,
    "inner": np.inner,
    "vdot": np.vdot,
    "outer": lambda a, b: np.outer(a, b)[0].sum(),
    "matmul": np.matmul,
    "cross": lambda a, b: np.cross(a, b).sum(),
    "kron": lambda a, b: np.kron(a, b)[1:].sum(),
    "einsum": lambda a, b: np.einsum("i,i", a, b),
    "multiply": lambda a, b: np.multiply(a, b).prod(),
    "where": lambda a, b: np.where([True, False, True], a, b).prod(),
    "hypot": lambda a, b: np.hypot(a, b).sum(),
    "convolve": lambda a, b: np.convolve(a, b)[1],
}

OF_MATRICES: dict[str, Callable[[Any, Any], Any]] = {
    "matmul": lambda a, b: np.matmul(a, b)[0, 1],
    "dot": lambda a, b: np.dot(a, b)[0].sum(),
    "tensordot": lambda a, b: np.tensordot(a, b, 1)[1].sum(),
    "solve": lambda a, b: np.linalg.solve(a, b)[0].sum(),
    "det": lambda a, b: np.linalg.det(a) * np.trace(b),
    "inv": lambda a, b: np.linalg.inv(a)[0, 1] * b[0][1],
}


@pytest.mark.parametrize("make", [list, tuple, Values, deque])
@pytest.mark.parametrize("function", OF_ONE.values(), ids=OF_ONE)
def test_one_vector(function: Callable[[Any], Any], make: Callable[[Any], Any]) -> None:
    check_gradient(function, make(A))
    check_gradient(lambda x: function(make([x, x * x, 2.0])), 1.5)


@pytest.mark.parametrize("function", OF_VECTORS.values(), ids=OF_VECTORS)
def test_two_vectors(function: Callable[[Any, Any], Any]) -> None:
    check_gradient(function, A, B)
    check_gradient(function, tuple(A), B)


@pytest.mark.parametrize("function", OF_MATRICES.values(), ids=OF_MATRICES)
def test_two_matrices(function: Callable[[Any, Any], Any]) -> None:
    check_gradient(function, M, N)


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "**": lambda a, b: a**b,
    "%": lambda a, b: a % b,
    "@": lambda a, b: a @ b,
}
WEIGHTS = np.array([1.5, 2.0, 3.0])


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("make", [list, tuple])
@pytest.mark.parametrize("operate", OPERATORS.values(), ids=OPERATORS)
def test_operators_of_an_array_and_a_list(operate: Any, make: Any, specialise: bool) -> None:
    def here(x, y):
        items = make([x, y, 2.0])
        return np.sum((operate(np.array([x + 1, 2.0, y]), items) + operate(items, WEIGHTS)) * WEIGHTS)

    def in_a_loop(x, y):
        items = make([x, y, 2.0])
        total = np.ones(3)
        for _ in range(2):
            total = total + np.sum(operate(total, items)) * WEIGHTS
        return np.sum(total)

    with units.options(specialise=specialise, simplify=True):
        check_gradient(here, 1.3, 0.7)
        check_gradient(in_a_loop, 1.3, 0.7)
        check_gradient(lambda items: np.sum(operate(WEIGHTS, items)), make([1.5, 2.0, 0.5]))


def changed_list_and_array(x, y):
    items, a = [x, y], np.array([y, 2.0])
    alias, other = items, a
    alias[0] = x * y
    other += items
    other *= alias
    a[:] -= items
    a[0:1] = [x]
    other[[1, 0]] = items
    return a @ items + (items * a)[0]


def lists_stored_in_a_matrix(x, y):
    a = np.ones((3, 2))
    a[0], a[1:, 1] = [x, y], (y, x * y)
    a[:2] += [[x, y], (y, 2.0)]
    a[np.array([False, False, True])] = [[y, x]]
    return np.sum(a * np.arange(6.0).reshape(3, 2))


def scalar_of_numpy_and_lists(x, y):
    total = np.sum([x, y])
    return (total - [x, y])[0] * ([x, y] / total)[1] * (np.float64(x) - (x, y))[1]


def whole_numbers_repeat_lists(x, y):
    count = np.int64(2)
    return sum([x, y] * count) * sum(2 * (x, y)) * len(count * [x])


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize(
    "function",
    [
        changed_list_and_array,
        lists_stored_in_a_matrix,
        scalar_of_numpy_and_lists,
        whole_numbers_repeat_lists,
    ],
)
def test_lists_that_meet_arrays(function: Any, specialise: bool) -> None:
    with units.options(specialise=specialise, simplify=True):
        assert zg.pullback(function, 1.3, 0.7)[0] == function(1.3, 0.7)
        check_gradient(function, 1.3, 0.7)


ROWS: dict[str, Callable[[Any, Any], Any]] = {
    "list and tuple": lambda x, y: [[x, y], (y, x * y)],
    "array and list": lambda x, y: [np.array([x, y]), [y, 2.0]],
    "tuple of rows": lambda x, y: ([x, 1.0], (y, x)),
    "list and array of integers": lambda x, y: [np.array([1, 2]), (y, x)],
}
JOINING: dict[str, Callable[[Any], Any]] = {
    "array": lambda rows: np.array(rows)[1, 0],
    "asarray": lambda rows: np.asarray(rows, dtype=float)[1, 0],
    "stack": lambda rows: np.stack(rows)[1, 0] * np.stack(rows, axis=1)[0, 1],
    "concatenate": lambda rows: np.concatenate(rows)[2] * np.concatenate(rows, axis=0)[0],
    "vstack": lambda rows: np.vstack(rows)[1, 1],
    "hstack": lambda rows: np.hstack(rows)[3],
    "column_stack": lambda rows: np.column_stack(rows)[0, 1],
    "dstack": lambda rows: np.dstack(rows)[0, 1, 1],
    "sum": lambda rows: np.sum(rows, axis=0)[1],
    "mean": np.mean,
    "max": np.max,
    "norm": np.linalg.norm,
    "dot": lambda rows: np.dot(rows, [1.0, 2.0])[1] * np.linalg.det(rows),
}


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("function", JOINING.values(), ids=JOINING)
@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_rows_of_several_sorts(rows: Any, function: Any, specialise: bool) -> None:
    def appended(x, y):
        first, second = rows(x, y)
        found = []
        same = found
        same.append(first)
        same.append(second)
        return function(found) * x

    with units.options(specialise=specialise, simplify=True):
        check_gradient(lambda x, y: function(rows(x, y)) * x, 1.3, 0.7)
        check_gradient(appended, 1.3, 0.7)


@pytest.mark.parametrize("name", ["array", "stack", "concatenate", "vstack", "hstack", "column_stack"])
def test_queues_among_rows(name: str) -> None:
    check_gradient(lambda x, y: JOINING[name]([deque([x, y]), [y, x]]) * x, 1.3, 0.7)


def test_rows_that_are_joined_may_have_several_lengths() -> None:
    check_gradient(lambda x, y: np.concatenate([[x, y], (y,), np.array([x, 1.0, y])])[4] * x + y, 1.3, 0.7)


def test_rows_with_things_in_them_are_refused() -> None:
    with pytest.raises(zg.MissingRuleError, match="Why: "):
        zg.gradient(lambda x: np.sum([[x, x], (x, object())]), 1.3)


ROWS: dict[str, Callable[[Any], Any]] = {
    "abs": lambda a: np.abs([a, 2 * a]).sum(),
    "arctan": lambda a: np.arctan((a, a * a))[1].sum(),
    "square": lambda a: np.square([[a, 2 * a], [a * a, a]])[0, 1].sum(),
    "log1p": lambda a: np.log1p([a, a + 1.0]).prod(),
    "multiply": lambda a: np.multiply([a, 2 * a], [a, a]).sum(),
}


@pytest.mark.parametrize("function", ROWS.values(), ids=ROWS)
def test_rows_that_are_arrays(function: Callable[[Any], Any]) -> None:
    check_gradient(function, np.array([0.3, 0.4]))
    assert zg.gradient(function, np.array([0.3, 0.4], np.float32))[0].dtype == np.float32


JOINED: dict[str, Callable[[Any], Any]] = {
    "concatenate": np.concatenate,
    "vstack": np.vstack,
    "hstack": np.hstack,
    "dstack": np.dstack,
    "column_stack": np.column_stack,
    "stack": lambda a: np.stack(a, axis=-1),
}


@pytest.mark.parametrize("function", JOINED.values(), ids=JOINED)
def test_an_array_in_place_of_a_list_of_arrays(function: Callable[[Any], Any]) -> None:
    check_gradient(
        lambda a: np.sum(np.sin(function(a)) * function(2 * a)), np.array([[0.3, 0.4], [0.1, 0.9]])
    )


def test_shapes_of_literals() -> None:
    check_gradient(lambda x: np.full_like(2.0, x) ** 2 * np.append(x, 2.0)[0], 0.3)
    check_gradient(lambda a: np.sum(np.transpose(a, 0) ** 2), np.array([0.3, 0.4]))


def test_sequences_of_which_no_array_can_be_made_where_none_is_needed():
    def by_sort(given):
        if isinstance(given, tuple | list):
            return np.sum(given[0]) * 2.0
        return np.sum(given) + np.dot(given, given) + np.sum(np.cumsum(given)) + np.sum(np.tanh(given))

    def in_one_expression(given):
        return np.sum(given[1]) if isinstance(given, tuple) else np.sum(np.outer(given, given))

    one, two = np.ones(2), np.ones(3)
    assert zg.gradient(by_sort, (one, two))[0][0].tolist() == [2.0, 2.0]
    assert zg.gradient(by_sort, [one, two])[0][0].tolist() == [2.0, 2.0]
    assert zg.gradient(in_one_expression, (one, two))[0][1].tolist() == [1.0, 1.0, 1.0]
    assert zg.gradient(lambda v: in_one_expression((v[:1], v)), two)[0].tolist() == [1.0, 1.0, 1.0]


class Holder:
    """An object, of whose fields nothing is known before the program runs."""


HELD = Holder()
HELD.weights = A
HELD.exponents = (1.5, 0.5, 2.0)
HELD.matrix = np.array([[3.0, 0.1, 0.2], [0.3, 2.0, 0.1], [0.0, 0.4, 4.0]])
HELD.short = np.array([0.5, 0.2])

APART: dict[str, Callable[[Any], Any]] = {
    "blocks of one shape": lambda x: np.block([[np.outer(x, x), HELD.matrix]]),
    "blocks of several shapes": lambda x: np.block([x, HELD.short]),
    "a row of blocks": lambda x: np.block([[np.outer(x, x), np.asarray([[1.0], [2.0], [3.0]])]]),
    "products": lambda x: np.linalg.multi_dot([x, HELD.matrix, x]),
    "choices": lambda x: np.choose([0, 1, 0], [x, 2.0]),
    "choices of one shape": lambda x: np.choose([0, 1, 0], [x, HELD.matrix[0]]),
    "selected": lambda x: np.select([x > 1.0, x > 0.5], [x, HELD.matrix[0]]),
    "side by side": lambda x: np.hstack([x, HELD.short]),
    "columns": lambda x: np.column_stack([x, HELD.matrix]),
}


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("function", APART.values(), ids=APART)
def test_lists_of_arrays_that_are_no_array(function: Any, specialise: bool) -> None:
    def weighed(x: Any) -> Any:
        y = function(x)
        return np.sum(np.ravel(y) * np.arange(1.0, 1 + np.size(y)))

    x = np.array([0.7, 1.3, 0.4])
    with units.options(specialise=specialise, simplify=True):
        assert zg.pullback(weighed, x)[0] == pytest.approx(weighed(x))
        check_gradient(weighed, x)


WITH_HELD: dict[str, Callable[[Any], Any]] = {
    "dot": lambda x: np.dot(HELD.weights, x),
    "dot behind": lambda x: np.dot(x, HELD.weights),
    "inner": lambda x: np.inner(HELD.weights, x),
    "matmul": lambda x: np.matmul(x, HELD.weights),
    "kron": lambda x: np.kron(HELD.weights, x)[4],
    "cross": lambda x: np.cross(x, HELD.weights)[0],
    "multiply": lambda x: np.sum(np.multiply(HELD.weights, x) * x),
    "tensordot": lambda x: np.tensordot(HELD.weights, x, 1),
    "base": lambda x: np.sum(np.power(HELD.exponents, x)),
    "exponent": lambda x: np.sum(np.power(x, HELD.exponents)),
    "tuple": lambda x: np.dot(HELD.exponents, x * x),
}


@pytest.mark.parametrize("function", WITH_HELD.values(), ids=WITH_HELD)
@pytest.mark.parametrize("specialise", [True, False])
def test_a_list_that_is_found_in_an_object(function: Callable[[Any], Any], specialise: bool) -> None:
    with units.options(specialise=specialise):
        check_gradient(function, np.array([0.7, 1.3, 2.1]))


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize(
    "join", [np.stack, np.concatenate, np.vstack, np.array], ids=lambda join: join.__name__
)
def test_long_lists_of_arrays(join: Callable[[Any], Any], specialise: bool) -> None:
    arrays = [np.array([0.5, float(number)]) for number in range(100)]
    with units.options(specialise=specialise):
        (found,) = zg.gradient(lambda arrays: np.sum(join(arrays) ** 2), arrays)
        inside = zg.gradient(lambda x: np.sum(join([x * number for number in range(100)])), np.ones(2))
    assert [part.tolist() for part in found] == [(2 * array).tolist() for array in arrays]
    assert inside[0].tolist() == [4950.0, 4950.0]


AT_SECOND_ORDER: dict[str, Callable[[Any, Any], Any]] = {
    "fft": lambda x, y: np.sum(np.real(np.fft.fft([x, y, x * y]) ** 2)),
    "cross": lambda x, y: np.sum(np.cross([x, y, 1.0], [1.0, y, x])),
    "einsum": lambda x, y: np.einsum("i,i", [x, y], [1.0, y * x]),
    "einsum of lists of two lengths": lambda x, y: np.sum(np.einsum("i,j->ij", [x, y], (1.0, y, 2.0))),
    "quantile": lambda x, y: np.sum(np.quantile([x * x, y, 1.0], [0.3, 0.4]) ** 2),
    "slogdet": lambda x, y: np.linalg.slogdet([[x, 1.0], [9.0, y]])[1],
    "angle": lambda x, y: np.sum(np.angle([x + 1j, y])),
    "sum of rows": lambda x, y: np.sum(np.sum([[x, 1.0], [y, x * y]], axis=0) ** 2),
    "products of lists": lambda x, y: np.linalg.multi_dot([[[x, y]], [[1.0], [y]]])[0, 0],
}


@pytest.mark.parametrize("function", AT_SECOND_ORDER.values(), ids=AT_SECOND_ORDER)
def test_second_derivatives_by_numbers_in_lists(function: Callable[[Any, Any], Any]) -> None:
    check_gradient(function, 0.7, 1.3, order=2)


def test_second_derivatives_by_numbers_beside_complex_ones() -> None:
    def function(x: Any) -> Any:
        return np.sum(np.real(np.sum([[x[0], 1.0], [x[1] * 1j, x[0] * x[1]]], axis=0) ** 2))

    check_gradient(function, np.array([0.7, 1.3]), order=2)


class Pair(NamedTuple):
    """A tuple with names."""

    first: float
    second: float


@pytest.mark.parametrize("held", [deque([1.5, 2.0]), Pair(1.5, 2.0)], ids=str)
@pytest.mark.parametrize("function", [np.dot, np.inner, np.multiply, np.hypot, np.convolve, np.matmul])
def test_constants_that_numpy_takes_as_arrays(function: Callable[[Any, Any], Any], held: Any) -> None:
    check_gradient(lambda y: np.sum(function(held, y) ** 2), np.array([0.7, 1.3]))


PLACES = [np.array([1.0, 2.0]), np.array([0.5, -1.0])]


def sum_of_a_listed_walk(beta: Any) -> Any:
    """The list is made by a loop over something global, and a rule of arrays gives its cotangent."""
    return sum(np.exp([place @ beta for place in PLACES]))


def several_listed_walks(beta: Any) -> Any:
    risk = np.exp([place @ beta for place in PLACES])
    tail = np.cumsum(risk[::-1])[::-1]
    return sum(np.log(r / t) * place[0] for r, t, place in zip(risk, tail, PLACES, strict=True))


@pytest.mark.parametrize("f", [sum_of_a_listed_walk, several_listed_walks])
def test_lists_of_a_walk_over_globals(f: Callable[[Any], Any]) -> None:
    beta = np.array([0.3, -0.5])
    _, back = zg.pullback(f, beta)
    expected = [(f(beta + 1e-30j * unit)).imag / 1e-30 for unit in np.eye(2)]
    for _ in range(2):
        np.testing.assert_allclose(back(1.0)[0], expected, rtol=1e-12)


@pytest.mark.parametrize("pick", [np.amax, np.median, lambda rows: np.sum(np.sort(rows) ** 2)])
@pytest.mark.parametrize("x", [np.array(0.6), np.array([0.6, 0.7])], ids=["number", "vector"])
def test_lists_of_arrays_that_are_read_as_arrays_in_a_gradient(pick: Callable[[Any], Any], x: Any) -> None:
    """The cotangent of the list has the form of an array, and what the gradient kept of it has none."""

    def slope(t: Any) -> Any:
        return np.sum(zg.gradient(lambda v: np.sum(pick([v, 0.5 * v * v]) * v), t)[0] * t)

    (found,) = zg.gradient(slope, x)
    expected = np.zeros(x.shape)
    for place in np.ndindex(*x.shape):
        moved = [np.array(x), np.array(x)]
        moved[0][place] += 1e-5
        moved[1][place] -= 1e-5
        expected[place] = (slope(moved[0]) - slope(moved[1])) / 2e-5
    assert np.allclose(found, expected, rtol=1e-8)
