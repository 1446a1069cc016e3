"""Fits, assignments and linear programs of `scipy.optimize` by their data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.optimize as so
import scipy.sparse as sp

import zygpy as zg
from tests.solvers.references import agrees, agrees_to_second_order
from zygpy.errors import MissingRuleError

TIMES = np.linspace(0.0, 3.0, 9)
DATA = 2.0 * np.exp(-0.7 * TIMES) + 0.05 * np.cos(5.0 * TIMES)
MATRIX = np.array([[1.0, 0.3, -0.2], [0.4, 1.1, 0.6], [-0.5, 0.2, 0.9], [0.7, -0.8, 0.3]])
RIGHT = np.array([1.0, -0.4, -0.9, 1.2])


def decay(t: Any, a: Any, b: Any) -> Any:
    return a * np.exp(-b * t)


def line(t: Any, a: Any, b: Any) -> Any:
    return a * t + b


def fitted(y: Any, **keywords: Any) -> Any:
    return so.curve_fit(decay, TIMES, y, [1.0, 1.0], xtol=1e-13, ftol=1e-13, **keywords)[0]


def test_fits_of_lines_have_the_gradient_of_a_projection() -> None:
    design = np.stack([TIMES, np.ones(9)], axis=1)
    expected = np.linalg.pinv(design)[0]
    (found,) = zg.gradient(lambda y: so.curve_fit(line, TIMES, y)[0][0], DATA)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)


def test_fits() -> None:
    agrees(lambda y: np.sum(np.cos(fitted(y))), DATA, 1e-5)
    agrees(lambda t: np.sum(np.cos(so.curve_fit(decay, t, DATA, [1.0, 1.0], xtol=1e-13)[0])), TIMES, 1e-5)
    agrees(lambda s: np.sum(np.cos(fitted(DATA, sigma=s))), 0.5 + 0.1 * TIMES, 1e-5)
    covariance = np.diag(0.5 + 0.1 * TIMES) + 0.05
    agrees(lambda y: np.sum(np.cos(fitted(y, sigma=covariance))), DATA, 1e-5)
    by_covariance = zg.gradient(lambda c: np.sum(np.cos(fitted(DATA, sigma=c))), covariance)[0]
    assert not np.any(np.triu(by_covariance, 1)) and np.all(np.diag(by_covariance))  # SciPy reads the rest


def test_what_fits_report() -> None:
    with pytest.raises(MissingRuleError, match="reports beside the solution"):
        zg.gradient(lambda y: np.sum(so.curve_fit(line, TIMES, y)[1]), DATA)
    with pytest.raises(MissingRuleError, match="reports beside the solution"):
        zg.gradient(lambda y: np.sum(so.curve_fit(line, TIMES, y, full_output=True)[2]["fvec"]), DATA)
    (expected,) = zg.gradient(lambda y: so.curve_fit(line, TIMES, y)[0][0], DATA)
    (found,) = zg.gradient(lambda y: so.curve_fit(line, TIMES, y, full_output=True)[0][0], DATA)
    np.testing.assert_array_equal(found, expected)


def test_fits_within_bounds() -> None:
    free = fitted(DATA)
    (expected,) = zg.gradient(lambda y: np.sum(np.cos(fitted(y))), DATA)
    (found,) = zg.gradient(lambda y: np.sum(np.cos(fitted(y, bounds=(0.0, [9.0, 9.0]), gtol=1e-14))), DATA)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)
    covariance = np.diag(0.5 + 0.1 * TIMES) + 0.05
    for options in ({}, {"sigma": 0.5 + 0.1 * TIMES, "method": "dogbox"}, {"sigma": covariance}):
        agrees(lambda y, o=options: np.sum(np.cos(held(y, free[0] - 0.1, **o))), DATA, 1e-5)
        agrees(lambda u, o=options: np.sum(np.cos(held(DATA, u, **o))), free[0] - 0.1, 1e-5)


def held(y: Any, most: Any, **keywords: Any) -> Any:
    """A fit whose first parameter would be larger than it may be."""
    start = [0.5 * float(most), 1.0]
    return so.curve_fit(
        decay, TIMES, y, start, bounds=(0.0, [most, 9.0]), xtol=1e-14, ftol=1e-14, gtol=1e-14, **keywords
    )[0]


def test_least_squares_of_linear_equations() -> None:
    for f in (
        lambda a, b: np.sum(np.cos(so.nnls(a, b)[0])) + so.nnls(a, b)[1] ** 2,
        lambda a, b: np.sum(np.cos(so.lsq_linear(a, b, (-0.2, 0.7), "bvls").x)),
        lambda a, b: np.sum(np.cos(so.lsq_linear(a, b).x)) + so.lsq_linear(a, b).cost,
    ):
        agrees(lambda b, f=f: f(MATRIX, b), RIGHT)
        agrees(lambda a, f=f: f(a, RIGHT), MATRIX)
    agrees(lambda u: np.sum(np.cos(so.lsq_linear(MATRIX, RIGHT, (-0.2, u), method="bvls").x)), 0.7)
    assert np.any(so.nnls(MATRIX, RIGHT)[0] == 0)
    assert np.any(so.lsq_linear(MATRIX, RIGHT, (-0.2, 0.7), "bvls").active_mask != 0)
    agrees_to_second_order(lambda b: np.sum(np.cos(so.nnls(MATRIX, b)[0])), RIGHT)


def test_assignments_have_the_gradient_of_their_entries() -> None:
    costs = np.array([[4.0, 1.0, 3.0], [2.0, 0.0, 5.0], [3.0, 2.0, 2.0]])
    (found,) = zg.gradient(lambda c: np.sum(c[so.linear_sum_assignment(c)] ** 2), costs)
    expected = np.zeros((3, 3))
    expected[so.linear_sum_assignment(costs)] = 2 * costs[so.linear_sum_assignment(costs)]
    np.testing.assert_array_equal(found, expected)


@pytest.mark.skipif(not hasattr(so, "isotonic_regression"), reason="from SciPy 1.12 on")
def test_monotonic_fits() -> None:
    y, w = np.array([1.0, 3.0, 2.0, 2.5, 5.0, 4.0]), np.array([1.0, 2.0, 0.5, 1.0, 3.0, 1.0])
    for up in (True, False):
        agrees(lambda y, up=up: np.sum(np.cos(so.isotonic_regression(y, weights=w, increasing=up).x)), y)
    agrees(lambda w: np.sum(np.cos(so.isotonic_regression(y, weights=w).x)), w)


COST = np.array([-1.0, -2.0, 0.3])
INEQUALITIES, LIMITS = np.array([[1.0, 1.0, 0.2], [1.0, 3.0, -0.4]]), np.array([4.0, 6.0])
SPARSE = sp.csr_array(INEQUALITIES)
EQUATION, TOTAL = np.array([[0.5, -1.0, 1.0]]), np.array([1.0])


def value(c: Any, a: Any, b: Any, e: Any, t: Any, upper: Any) -> Any:
    report = so.linprog(c, a, b, e, t, bounds=[(0, upper), (None, 5.0), (-1.0, None)])
    return np.sum(np.cos(report.x)) + report.fun + np.sum(report.slack)


def test_vertices() -> None:
    agrees(lambda c: value(c, INEQUALITIES, LIMITS, EQUATION, TOTAL, 1.7), COST)
    agrees(lambda a: value(COST, a, LIMITS, EQUATION, TOTAL, 1.7), INEQUALITIES)
    agrees(lambda b: value(COST, INEQUALITIES, b, EQUATION, TOTAL, 1.7), LIMITS)
    agrees(lambda e: value(COST, INEQUALITIES, LIMITS, e, TOTAL, 1.7), EQUATION)
    agrees(lambda t: value(COST, INEQUALITIES, LIMITS, EQUATION, t, 1.7), TOTAL)
    agrees(lambda u: value(COST, INEQUALITIES, LIMITS, EQUATION, TOTAL, u), 1.7)


def test_the_slope_of_the_least_cost_is_that_of_the_duals() -> None:
    report = so.linprog(COST[:2], INEQUALITIES[:, :2], LIMITS)
    by_cost, by_limit = zg.gradient(lambda c, b: so.linprog(c, INEQUALITIES[:, :2], b).fun, COST[:2], LIMITS)
    np.testing.assert_allclose(by_cost, report.x, atol=1e-9)
    np.testing.assert_allclose(by_limit, report.ineqlin.marginals, atol=1e-9)


def test_what_linear_programs_refuse() -> None:
    sides = (0, 1)  # at the vertex three constraints hold
    with pytest.raises(MissingRuleError, match="reported"):
        zg.gradient(
            lambda b: np.sum(so.linprog([-1.0, -1.0], [[1.0, 1.0]], b, bounds=sides).x), np.array([2.0])
        )
    with pytest.raises(MissingRuleError, match="integrality"):
        zg.gradient(lambda c: so.linprog(c, INEQUALITIES, LIMITS, integrality=1).fun, COST)
    with pytest.raises(MissingRuleError, match="beside the solution"):
        zg.gradient(lambda c: so.linprog(c, INEQUALITIES, LIMITS).ineqlin.marginals[0], COST)
    with pytest.raises(MissingRuleError, match="A_ub"):
        zg.gradient(lambda c: so.linprog(c, SPARSE, LIMITS).fun, COST)


def test_fits_with_options_of_the_solvers() -> None:
    (found,) = zg.gradient(lambda y: so.curve_fit(line, TIMES, y, factor=10)[0][0], DATA)
    design = np.stack([TIMES, np.ones_like(TIMES)], axis=1)
    np.testing.assert_allclose(found, np.linalg.pinv(design)[0], atol=1e-8)
    with pytest.raises(MissingRuleError, match="no rule for loss="):
        zg.gradient(lambda y: so.curve_fit(line, TIMES, y, method="trf", loss="soft_l1")[0][0], DATA)
