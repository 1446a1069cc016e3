"""Minima of `scipy.optimize` by what is minimized."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.optimize as so

import zygpy as zg
from zygpy.errors import MissingRuleError

P = np.array([1.2, 2.1, 0.7])
START = np.ones(2)


def value(x: Any, p: Any) -> Any:
    return p[0] * (x[0] - p[1]) ** 2 + (x[1] ** 2 - p[2]) ** 2 + 0.1 * x[0] * x[1] + np.exp(x[0] * 0.1)


def slope(x: Any, p: Any) -> Any:
    first = 2 * p[0] * (x[0] - p[1]) + 0.1 * x[1] + 0.1 * np.exp(0.1 * x[0])
    return np.array([first, 4 * x[1] * (x[1] ** 2 - p[2]) + 0.1 * x[0]])


def precise(p: Any) -> Any:
    """The minimum as a root of the gradient, which is found more precisely."""
    return so.fsolve(lambda x: slope(x, p), START, xtol=1e-12)


EXPECTED = zg.gradient(lambda p: np.sum(np.cos(precise(p))), P)[0]


def test_minima_by_arguments() -> None:
    programs = (
        lambda p: so.minimize(value, START, args=(p,), tol=1e-10).x,
        lambda p: so.minimize(lambda x: value(x, p), START, method="L-BFGS-B", tol=1e-12).x,
        lambda p: so.minimize(value, [2.0, 0.8], p, "Nelder-Mead", options=SIMPLEX).x,
    )
    for program in programs:
        (bar,) = zg.gradient(lambda p, program=program: np.sum(np.cos(program(p))), P)
        np.testing.assert_allclose(bar, EXPECTED, rtol=1e-4)


SIMPLEX = {"xatol": 1e-11, "fatol": 1e-15, "maxiter": 10000}


def test_minima_with_derivatives_that_are_given() -> None:
    programs = (
        lambda p: so.minimize(value, START, args=(p,), jac=slope, tol=1e-10).x,
        lambda p: so.minimize(lambda x: (value(x, p), slope(x, p)), START, jac=True, tol=1e-10).x,
    )
    for program in programs:
        (bar,) = zg.gradient(lambda p, program=program: np.sum(np.cos(program(p))), P)
        np.testing.assert_allclose(bar, EXPECTED, rtol=1e-6)


def test_the_value_at_the_minimum() -> None:
    (bar,) = zg.gradient(lambda p: so.minimize(lambda x: value(x, p), START, tol=1e-10).fun, P)
    x = precise(P)
    np.testing.assert_allclose(bar, [(x[0] - P[1]) ** 2, -2 * P[0] * (x[0] - P[1]), -2 * (x[1] ** 2 - P[2])],
                               rtol=1e-4, atol=1e-6)  # fmt: skip


def bounded(p: Any) -> Any:
    report = so.minimize(
        lambda x: np.sum((x - p) ** 4 + (x - p) ** 2),
        np.zeros(3),
        bounds=[(None, p[0] ** 2 / 3), (0.0, None), (None, None)],
    )
    return report.x[0] + 10 * report.x[1] + 100 * report.x[2]


def test_variables_on_bounds_follow_them() -> None:
    (bar,) = zg.gradient(bounded, np.array([1.2, -2.1, 0.7]))
    np.testing.assert_allclose(bar, [0.8, 0.0, 100.0], atol=1e-6)
    limits = so.Bounds(-1.0, 1.0)
    report = zg.gradient(
        lambda p: so.minimize(lambda x: np.sum((x - p) ** 2), START, bounds=limits).x.sum(), P[:2]
    )
    np.testing.assert_allclose(report[0], [0.0, 0.0], atol=1e-9)


def test_one_variable() -> None:
    (inside,) = zg.gradient(
        lambda a: so.minimize_scalar(lambda x: (x - a) ** 2, bounds=(0, 5), method="bounded").x, 2.0
    )
    assert inside == pytest.approx(1.0)
    (at_end,) = zg.gradient(lambda a: so.minimize_scalar(lambda x: (x - 9.0) ** 2, bounds=(0, 3 * a)).x, 2.0)
    assert at_end == pytest.approx(3.0)
    (lowest,) = zg.gradient(lambda a: so.minimize_scalar(lambda x: (x - a) ** 2 + a * a).fun, 2.0)
    assert lowest == pytest.approx(4.0)


TIMES = np.linspace(0.0, 1.0, 9)
MEASURED = np.exp(-TIMES) + 0.1 * np.sin(9 * TIMES)
LOSSES = ("linear", "soft_l1", "huber", "cauchy", "arctan")


def line(x: Any, y: Any) -> Any:
    return x[0] + x[1] * TIMES - y


def test_least_squares_of_a_line() -> None:
    matrix = np.stack([np.ones(9), TIMES], axis=1)
    (bar,) = zg.gradient(
        lambda y: so.least_squares(line, START, args=(y,)).x @ np.array([1.0, 10.0]), MEASURED
    )
    np.testing.assert_allclose(bar, np.linalg.pinv(matrix).T @ np.array([1.0, 10.0]), atol=1e-7)
    (bar,) = zg.gradient(lambda y: so.least_squares(lambda x: line(x, y), START).cost, MEASURED)
    np.testing.assert_allclose(bar, MEASURED - matrix @ np.linalg.lstsq(matrix, MEASURED)[0], atol=1e-7)


@pytest.mark.parametrize("loss", LOSSES)
def test_losses(loss: str) -> None:
    rho = {
        "linear": lambda z: z, "soft_l1": lambda z: 2 * (np.sqrt(1 + z) - 1), "cauchy": np.log1p,
        "huber": lambda z: np.where(z <= 1, z, 2 * np.sqrt(np.maximum(z, 1)) - 1), "arctan": np.arctan,
    }[loss]  # fmt: skip

    def fitted(y: Any) -> Any:
        return so.least_squares(
            lambda x: line(x, y), START, loss=loss, f_scale=0.07, xtol=1e-15, ftol=1e-15
        ).x

    (bar,) = zg.pullback(fitted, MEASURED)[1](np.ones(2))

    def cost(x: Any, y: Any) -> Any:
        return np.sum(rho((line(x, y) / 0.07) ** 2))

    x = fitted(MEASURED)
    curvature = zg.hessian(lambda x: cost(x, MEASURED), x)
    mixed = zg.jacobian(lambda y: zg.gradient(lambda x: cost(x, y), x)[0], MEASURED)[0]
    np.testing.assert_allclose(bar, -np.linalg.solve(curvature, mixed).sum(axis=0), rtol=1e-5, atol=1e-7)


def test_least_squares_on_a_bound() -> None:
    def fitted(p: Any) -> Any:
        return so.least_squares(lambda x: line(x, MEASURED), START / 2, bounds=(0.0, [2.0, p[0]])).x

    (bar,) = zg.pullback(fitted, np.array([1.5]))[1](np.array([0.0, 1.0]))
    assert fitted(np.array([1.5]))[1] < 1e-3 and bar[0] == 0.0

    def capped(p: Any) -> Any:
        return so.least_squares(lambda x: line(x, MEASURED), START / 2, bounds=([-2.0, -2.0], [p[0], 2.0])).x

    (bar,) = zg.pullback(capped, np.array([0.8]))[1](np.array([1.0, 0.0]))
    assert bar[0] == pytest.approx(1.0)
    (bar,) = zg.pullback(capped, np.array([0.8]))[1](np.array([0.0, 1.0]))
    assert bar[0] == pytest.approx(-np.sum(TIMES) / np.sum(TIMES**2), rel=1e-5)


def test_what_is_refused() -> None:
    with pytest.raises(MissingRuleError, match="reports beside the solution"):
        zg.gradient(lambda p: np.sum(so.minimize(lambda x: value(x, p), START).hess_inv), P)


def test_the_direction_of_a_second_derivative_may_be_the_point() -> None:
    def f(p: Any) -> Any:
        return so.minimize(lambda x: (x[0] - p[0]) ** 2 + (x[0] - p[0]) ** 4, 1.0, tol=1e-12).x[0] ** 2

    p = np.array([3.0, 2.5])
    for direction in (p, p[:], p.copy()):
        np.testing.assert_allclose(zg.hvp(f, p, direction), [6.0, 0.0], atol=1e-6)


def test_second_derivatives_of_a_program_that_is_called_by_a_list() -> None:
    """What is asked of a report is asked of it where the program is followed by identity, too."""

    def program(*given: Any) -> Any:
        return so.minimize_scalar(lambda x: (x - given[0] ** 2) ** 2, bounds=(-9.0, 9.0)).x

    def by_a_list(p: Any) -> Any:
        given = [0.0]
        given[0] = p
        return program(*given)

    assert zg.hvp(by_a_list, 1.3, 1.0) == pytest.approx(2.0, rel=1e-6)
