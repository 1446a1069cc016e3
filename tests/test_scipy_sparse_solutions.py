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
from zygpy.errors import MissingRuleError

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
    return sl.LinearOperator((3, 3), matvec=lambda v: w * v)


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


def test_what_is_refused() -> None:
    with pytest.raises(MissingRuleError, match="real ones"):
        zg.gradient(lambda d: np.sum(np.abs(sl.splu(made(d * 1j)).solve(VECTOR * 1j))), ENTRIES)
    with pytest.raises(MissingRuleError, match="operators"):
        zg.gradient(lambda w: np.sum(sl.gmres(operator(w), VECTOR)[0]), WEIGHTS)
    with pytest.raises(MissingRuleError, match="converged"):
        zg.gradient(lambda d: np.sum(sl.gmres(made(d), VECTOR, rtol=1e-14, restart=1, maxiter=1)[0]), ENTRIES)
