"""Gradients of solutions of sparse equations by factors and in steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as sl

import zygpy as zg
from tests.solvers.references import agrees, agrees_to_second_order
from zygpy.errors import CotangentShapeError, MissingRuleError, UnsupportedSyntaxError

PLACES = np.array([0, 1, 2, 0, 2]), np.array([0, 1, 2, 2, 0])
ENTRIES = np.array([4.0, 5.0, 6.0, 1.0, 2.0])
VECTOR, WEIGHTS = np.array([1.0, 2.0, 3.0]), np.array([1.0, -2.0, 3.0])
DIAGONAL = np.array([1.5, -2.5, 2.0])
COLUMNS = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]])
CONSTANT = sp.csc_array((ENTRIES, PLACES), shape=(3, 3))


def made(d: Any) -> Any:
    return sp.csc_array((d, PLACES), shape=(3, 3))


def solved_twice(d: Any) -> Any:
    factors = sl.splu(made(d))
    return factors.solve(factors.solve(d[:3]), "T")


def preconditioned(d: Any) -> Any:
    steps = sl.LinearOperator((3, 3), sl.splu(CONSTANT).solve)
    return sl.gmres(made(d), VECTOR, rtol=1e-12, M=steps)[0]


def operator(w: Any) -> Any:
    return sl.LinearOperator((len(w), len(w)), matvec=lambda v: w * v)


PROGRAMS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "splu": (lambda d: sl.splu(made(d)).solve(VECTOR), ENTRIES),
    "splu of the transpose": (lambda d: sl.splu(made(d)).solve(VECTOR, "T"), ENTRIES),
    "splu of columns": (lambda d: sl.splu(made(d)).solve(COLUMNS, trans="H")[:, 1], ENTRIES),
    "splu with options": (lambda d: sl.splu(made(d), permc_spec="NATURAL").solve(VECTOR), ENTRIES),
    "splu twice": (solved_twice, ENTRIES),
    "splu by the right side": (lambda b: sl.splu(CONSTANT).solve(b), VECTOR),
    "factorized": (lambda d: sl.factorized(made(d))(VECTOR), ENTRIES),
    "gmres": (lambda d: sl.gmres(made(d), VECTOR, rtol=1e-12)[0], ENTRIES),
    "gmres by the right side": (lambda b: sl.gmres(CONSTANT, b, rtol=1e-12, atol=0.0)[0], VECTOR),
    "gmres of a dense matrix": (lambda w: sl.gmres(np.diag(w) + 0.1, VECTOR, rtol=1e-12)[0], DIAGONAL),
    "gmres with a preconditioner": (preconditioned, ENTRIES),
    "lgmres": (lambda d: sl.lgmres(made(d), VECTOR, rtol=1e-12)[0], ENTRIES),
    "gcrotmk": (lambda d: sl.gcrotmk(made(d), VECTOR, rtol=1e-12)[0], ENTRIES),
    "bicgstab": (lambda d: sl.bicgstab(made(d), VECTOR, rtol=1e-12)[0], ENTRIES),
    "an operator": (lambda w: operator(w) @ VECTOR, DIAGONAL),
    "cg of an operator": (lambda w: sl.cg(operator(w**2), VECTOR, rtol=1e-12)[0], DIAGONAL),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients(name: str) -> None:
    program, x = PROGRAMS[name]
    np.testing.assert_array_equal(zg.pullback(program, x)[0], program(x))
    agrees(lambda x: np.sum(program(x) * WEIGHTS), x)


@pytest.mark.parametrize("name", ["splu", "splu of the transpose", "splu twice", "gmres"])
def test_second_derivatives(name: str) -> None:
    program, x = PROGRAMS[name]
    agrees_to_second_order(lambda x: np.sum(program(x) * WEIGHTS), x)


def after_one_step(name: str, t: float) -> Any:
    """A solution that is found in one step where `t` is 0, in a space that holds nothing of what varies."""
    return getattr(sl, name)(2 * np.eye(3) + t * TURNING, VECTOR)[0]


TURNING = np.array([[1.0, 2.0, 0.5], [2.0, -1.0, 0.3], [0.5, 0.3, 0.7]])


@pytest.mark.parametrize("name", ["cg", "minres", "bicgstab", "lsqr", "lsmr"])
def test_the_solution_is_differentiated_and_not_the_steps(name: str) -> None:
    (slope,) = zg.gradient(lambda t: np.sum(after_one_step(name, t) * WEIGHTS), 0.0)
    assert slope == pytest.approx(-WEIGHTS @ TURNING @ VECTOR / 4)


def test_operators_of_many_equations() -> None:
    w, b = np.linspace(1.0, 2.0, 201), np.ones(201)
    (slope,) = zg.gradient(lambda w: np.sum(sl.cg(operator(w), b, rtol=1e-12)[0]), w)
    np.testing.assert_allclose(slope, -1 / w**2, rtol=1e-8)


def test_callbacks_that_keep_what_they_are_given_are_refused() -> None:
    def f(d: Any) -> Any:
        steps: list[Any] = []
        return np.sum(sl.cg(np.diag(d), VECTOR, callback=steps.append)[0]) + np.sum(steps[-1])

    with pytest.raises(UnsupportedSyntaxError, match="changes what is known elsewhere"):
        zg.gradient(f, VECTOR)


def test_what_is_refused() -> None:
    with pytest.raises(MissingRuleError, match="real ones"):
        zg.gradient(lambda d: np.sum(np.abs(sl.splu(made(d * 1j)).solve(VECTOR * 1j))), ENTRIES)
    with pytest.raises(MissingRuleError, match="operators"):
        zg.gradient(lambda w: np.sum(sl.gmres(operator(w), np.ones(201))[0]), np.ones(201))
    with pytest.raises(MissingRuleError, match="beside"):
        zg.gradient(lambda w: sl.lsmr(np.diag(w), VECTOR)[5], WEIGHTS)
    with pytest.raises(MissingRuleError, match="converged"):
        zg.gradient(lambda d: np.sum(sl.gmres(made(d), VECTOR, rtol=1e-14, restart=1, maxiter=1)[0]), ENTRIES)


def test_seeds_and_directions_as_arrays() -> None:
    dense = np.arange(9.0).reshape(3, 3)
    array, back = zg.pullback(made, ENTRIES)
    for seed in (dense, sp.coo_array(dense)):
        np.testing.assert_array_equal(back(seed)[0], dense[PLACES])
    np.testing.assert_array_equal(back(made(ENTRIES**2))[0], ENTRIES**2)
    with pytest.raises(CotangentShapeError, match="shape"):
        back(dense[:2])
    along = zg.pushforward(lambda a: np.sum(a @ VECTOR), array)
    assert along(made(WEIGHTS[PLACES[0]])) == pytest.approx(WEIGHTS[PLACES[0]] @ VECTOR[PLACES[1]])
    with pytest.raises(CotangentShapeError, match="pattern"):
        along(dense)
