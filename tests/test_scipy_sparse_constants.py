"""Sparse arrays of constants that a program makes, and what is stored in them later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg

import zygpy as zg
from zygpy.testing import check_gradient

X = np.array([0.7, 1.3, 0.4])
PLACES = ([1.0, 2.0], ([0, 1], [1, 0]))
COMPRESSED = (np.array([1.0, 2.0]), np.array([0, 1]), np.array([0, 1, 2, 2]))

MADE: dict[str, Callable[[], Any]] = {
    "csr_array": lambda: sp.csr_array(np.eye(3) * 2),
    "csc_array": lambda: sp.csc_array(np.eye(3) * 2),
    "csr_matrix": lambda: sp.csr_matrix(np.eye(3) * 2),
    "csc_matrix": lambda: sp.csc_matrix(np.eye(3) * 2),
    "coo_array": lambda: sp.coo_array(np.eye(3) * 2),
    "of places": lambda: sp.csr_array(PLACES, shape=(3, 3)),
    "compressed": lambda: sp.csr_array(COMPRESSED, shape=(3, 3)),
    "of rows": lambda: sp.lil_array(np.eye(3) * 2).tocsr(),
}


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_made_of_constants(made: Callable[[], Any]) -> None:
    def function(x: Any) -> Any:
        return np.sum((made() @ x) ** 2 * x)

    check_gradient(function, X)
    pushed = zg.pushforward(function, X)(np.ones(3))
    assert pushed == pytest.approx(np.sum(zg.gradient(function, X)[0]))


@pytest.mark.parametrize("name", ["csr_array", "compressed"])
def test_second_derivatives(name: str) -> None:
    check_gradient(lambda x: np.sum((MADE[name]() @ x) ** 2 * x), X, order=2)


class Model:
    def __init__(self, size: int) -> None:
        self.stiffness = sp.csr_array(np.eye(size) * 2)
        self.seen: list[Any] = []

    def apply(self, x: Any) -> Any:
        self.seen.append(self.stiffness @ x)
        return self.seen[-1] @ self.seen[0]


def in_an_object(x: Any) -> Any:
    model = Model(3)
    model.apply(x)
    return model.apply(x * x)


def stored_in(x: Any) -> Any:
    array = sp.csr_array(np.eye(3))
    array.data[1] = x[0]
    return np.sum((array @ x) ** 2)


def given_other_data(x: Any) -> Any:
    array = sp.csr_array(np.eye(3))
    array.data = array.data * x
    return np.sum((array @ x) ** 2)


def set_by_index(x: Any) -> Any:
    array = sp.csr_array(np.array([[1.0, 2.0], [3.0, 4.0]]))
    turned = array.T
    array[0, 1] = x[0] * x[1]
    array[1, :] = x[:2]
    return np.sum((turned @ x[1:]) ** 2) + array.sum() * x[2]


def set_on_the_diagonal(x: Any) -> Any:
    array = sp.csr_array(np.eye(3))
    array.setdiag(x)
    array *= x[0]
    return np.sum((array @ x) ** 2)


def stored_in_the_data_it_is_made_of(x: Any) -> Any:
    data = np.array([1.0, 2.0, 3.0])
    array = sp.csr_array((data, np.array([0, 1, 1]), np.array([0, 2, 3])), shape=(2, 2))
    data[0] = x[0]
    array.data[1] = x[1]
    return np.sum((array @ x[1:]) ** 2) + np.sum(data * x)


def added_to(x: Any) -> Any:
    array = sp.csr_array(np.eye(3))
    array = array * x[0] + array
    return np.sum((array @ x) ** 2)


def in_a_list(x: Any) -> Any:
    arrays = [sp.csr_array(np.eye(3) * k) for k in range(3)]
    return sum(np.sum((array @ x) ** 2) for array in arrays)


def solved(x: Any) -> Any:
    return np.sum(scipy.sparse.linalg.spsolve(sp.csc_array(np.eye(3) * 2), x) ** 2 * x)


@pytest.mark.parametrize(
    "program",
    [
        *(in_an_object, stored_in, given_other_data, set_by_index, set_on_the_diagonal),
        *(stored_in_the_data_it_is_made_of, added_to, in_a_list, solved),
    ],
)
def test_programs(program: Callable[[Any], Any]) -> None:
    check_gradient(program, X)
    direction, step = np.array([0.3, -0.8, 0.5]), 1e-5
    high, low = zg.gradient(program, X + step * direction)[0], zg.gradient(program, X - step * direction)[0]
    assert zg.hvp(program, X, direction) == pytest.approx((high - low) / (2 * step), rel=1e-6)


STIFFNESS = sp.csc_array(np.array([[2.0, 0.3, 0.0], [0.1, 1.5, 0.4], [0.0, 0.2, 1.0]]))
SOLVE = scipy.sparse.linalg.factorized(STIFFNESS)
FACTORS = scipy.sparse.linalg.splu(STIFFNESS)
TURNED = scipy.sparse.linalg.splu(STIFFNESS * (1 + 0.5j))


def in_time_steps(x: Any) -> Any:
    states = [x]
    for _ in range(3):
        states.append(SOLVE(states[-1]) + x)
    return sum(np.sum(state**2) for state in states)


def by_factors_made_inside(x: Any) -> Any:
    solve = scipy.sparse.linalg.factorized(STIFFNESS)
    return np.sum(solve(x * x) ** 3)


def by_factors_outside(x: Any) -> Any:
    return np.sum(FACTORS.solve(x) * FACTORS.solve(x * x, "T") + FACTORS.solve(x, "H") ** 2)


@pytest.mark.parametrize("program", [in_time_steps, by_factors_made_inside, by_factors_outside])
def test_solutions_by_factors_of_constants(program: Callable[[Any], Any]) -> None:
    check_gradient(program, X, order=2)
    pushed = zg.pushforward(program, X)(np.ones(3))
    assert pushed == pytest.approx(np.sum(zg.gradient(program, X)[0]))


@pytest.mark.parametrize("trans", ["N", "T", "H"])
def test_complex_solutions_by_factors_of_constants(trans: str) -> None:
    weights = np.array([1.0, 2.0j, 0.5])
    check_gradient(lambda x: np.real(np.sum(weights * TURNED.solve(x, trans))), X * (1 - 0.3j))
