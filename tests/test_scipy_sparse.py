"""Gradients of programs with sparse arrays of `scipy.sparse`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as sl

import zygpy as zg
from tests.solvers.references import agrees, agrees_to_second_order
from zygpy.errors import MissingRuleError, ZygpyError

DENSE = np.array([[1.0, 0.0, 2.0, 0.0], [0.0, 3.0, 0.0, -1.0], [0.5, 0.0, 0.0, 4.0]])
SQUARE = np.array([[4.0, 1.0, 0.0], [0.5, 3.0, -1.0], [0.0, 0.7, 5.0]])
LISTED = sp.lil_array(SQUARE)
VECTOR = np.array([1.0, -2.0, 0.5, 3.0])
COLUMNS = np.arange(8.0).reshape(4, 2) - 2.5
FORMS = (sp.csr_array, sp.csc_array, sp.coo_array, sp.csr_matrix, sp.csc_matrix, sp.coo_matrix)


def mixed(y: Any) -> Any:
    return np.sum(np.cos(np.real(y)) + np.sin(np.imag(y)))


@pytest.mark.parametrize("form", FORMS)
def test_products_by_dense_operands(form: Callable[..., Any]) -> None:
    a = form(DENSE)
    agrees(lambda x: mixed(a @ x), VECTOR)
    agrees(lambda x: mixed(a @ x), COLUMNS)
    agrees(lambda x: mixed(a.dot(x)), VECTOR)
    agrees(lambda y: mixed(y @ a), VECTOR[:3].copy())
    agrees(lambda y: mixed(y @ a), COLUMNS[:3].T.copy())
    np.testing.assert_array_equal(zg.pullback(lambda x: a @ x, COLUMNS)[0], a @ COLUMNS)


def entries(form: Callable[..., Any], program: Callable[[Any], Any], dense: Any = DENSE) -> None:
    """The gradient by the entries, against that by a dense matrix."""
    a = form(dense)
    (record,) = zg.gradient(lambda m: mixed(program(m)), a)
    made = a.copy()
    made.data = np.asarray(record.data)
    (expected,) = zg.gradient(lambda m: mixed(program(m)), dense)
    np.testing.assert_allclose(made.toarray(), np.where(dense == 0, 0.0, expected), atol=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_products_by_entries(form: Callable[..., Any]) -> None:
    entries(form, lambda m: m @ VECTOR)
    entries(form, lambda m: m.dot(COLUMNS))
    entries(form, lambda m: VECTOR[:3] @ m)
    entries(form, lambda m: m @ (VECTOR * (1 + 0.5j)))
    entries(form, lambda m: m.sum())
    a = form(DENSE)
    (record,) = zg.gradient(lambda m: np.sum(m.toarray() ** 2), a)
    np.testing.assert_array_equal(record.data, 2 * a.data)


def test_entries_at_one_place_are_added() -> None:
    a = sp.coo_array((np.array([1.0, 2.0, 3.0]), ([0, 0, 1], [1, 1, 0])), shape=(2, 3))
    (record,) = zg.gradient(lambda m: np.sum((m @ VECTOR[:3]) ** 2), a)
    np.testing.assert_allclose(record.data, [2 * -6.0 * -2.0, 2 * -6.0 * -2.0, 2 * 3.0])


def test_matrices_are_multiplied_by_stars() -> None:
    a = sp.csr_matrix(DENSE)
    agrees(lambda x: mixed(a * x), VECTOR)
    agrees(lambda y: mixed(y * a), VECTOR[:3].copy())


def test_second_derivatives() -> None:
    a = sp.csr_array(DENSE)
    agrees_to_second_order(lambda x: mixed(a @ x), VECTOR)
    b = sp.csc_array(SQUARE)
    agrees_to_second_order(lambda x: mixed(sl.spsolve(b, x)), VECTOR[:3].copy())


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_array])
def test_solutions(form: Callable[..., Any]) -> None:
    a = form(SQUARE)
    agrees(lambda b: mixed(sl.spsolve(a, b)), VECTOR[:3].copy())
    agrees(lambda b: mixed(sl.spsolve(a, b)), COLUMNS[:3].copy())
    (record,) = zg.gradient(lambda m: mixed(sl.spsolve(m, VECTOR[:3])), a)
    (expected,) = zg.gradient(lambda m: mixed(np.linalg.solve(m, VECTOR[:3])), SQUARE)
    made = a.copy()
    made.data = np.asarray(record.data)
    np.testing.assert_allclose(made.toarray(), np.where(SQUARE == 0, 0.0, expected), atol=1e-12)


def test_single_precision_stays() -> None:
    a = sp.csr_array(DENSE.astype(np.float32))
    (x_bar,) = zg.gradient(lambda x: np.sum(a @ x), VECTOR.astype(np.float32))
    assert x_bar.dtype == np.float32


def test_forms_without_entries_in_an_array_are_refused() -> None:
    held = sp.csr_array(SQUARE).asformat("dok")
    for product in (lambda x: np.sum(held @ x), lambda x: np.sum(x @ held)):
        with pytest.raises(ZygpyError, match=r"the form 'dok'|holds items and has fields"):
            zg.gradient(product, np.ones(3))


def test_lists() -> None:
    """The gradient of an array in the form "lil" has lists of as many numbers."""
    (found,) = zg.gradient(lambda x: np.sum(LISTED @ x), VECTOR[:3])
    np.testing.assert_allclose(found, SQUARE.sum(axis=0))
    (record,) = zg.gradient(lambda a: np.sum(a @ VECTOR[:3]) + a[0, 0] ** 2, LISTED)
    dense = [VECTOR[:3][row != 0] for row in SQUARE]
    dense[0][0] += 2 * SQUARE[0, 0]
    for line, expected in zip(record.data, dense, strict=True):
        np.testing.assert_allclose(line, expected)


def test_dense_arrays_with_zeros_may_be_constant() -> None:
    def f(x: Any) -> Any:
        return np.sum(
            sp.csr_matrix(SQUARE)
            @ x
            * (sp.hstack([sp.csr_array(np.triu(SQUARE)), np.eye(3)]) @ np.append(x, x))
        )

    x = np.array([0.3, -1.2, 0.7])
    whole = SQUARE.T @ (np.triu(SQUARE) + np.eye(3))
    np.testing.assert_allclose(zg.gradient(f, x)[0], (whole + whole.T) @ x)


@pytest.mark.parametrize("solver", [sl.lsqr, sl.lsmr])
def test_least_squares_by_iterations(solver: Any) -> None:
    weights, b = np.array([1.0, -2.0, 0.5]), np.array([0.7, -0.4, 1.1])
    (found,) = zg.gradient(lambda b: solver(sp.csr_array(SQUARE), b)[0] @ weights, b)
    np.testing.assert_allclose(found, np.linalg.solve(SQUARE.T, weights), rtol=1e-5)


def test_what_is_refused() -> None:
    a = sp.csr_array(SQUARE)
    with pytest.raises(MissingRuleError, match="the form 'lil'"):
        zg.gradient(lambda x: np.sum((LISTED * x[0]).toarray()), VECTOR[:3])
    with pytest.raises(MissingRuleError, match="come out as zero"):
        zg.gradient(lambda m: (m - a).sum(), a)
    with pytest.raises(MissingRuleError, match="there are zeros"):
        zg.gradient(lambda d: sp.csr_array(np.diag(d)).sum(), VECTOR)
    with pytest.raises(MissingRuleError, match=r"np\.matrix"):
        zg.gradient(lambda m: np.sum(m.sum(axis=1)), sp.csr_matrix(SQUARE))
