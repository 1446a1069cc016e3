"""Minima of `scipy.optimize` within constraints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.optimize as so

import zygpy as zg
from tests.solvers.references import agrees
from zygpy.errors import MissingRuleError

P = np.array([1.2, 0.9])
START = np.ones(2)


def distance(x: Any, p: Any) -> Any:
    return np.sum((x - p) ** 2)


def in_ball(p: Any, radius: Any) -> Any:
    held = {"type": "ineq", "fun": lambda x, r: r - x @ x, "args": (radius**2,)}
    return so.minimize(distance, START, args=(p,), constraints=held, tol=1e-14)


def test_the_nearest_point_of_a_ball() -> None:
    for p, radius in ((P, 1.0), (0.1 * P, 1.0)):
        x, back = zg.pullback(lambda p, radius: in_ball(p, radius).x, p, radius)
        nearest = p / np.linalg.norm(p) if np.linalg.norm(p) > radius else p
        np.testing.assert_allclose(x, nearest, atol=1e-7)
        slopes = (np.eye(2) - np.outer(nearest, nearest) / radius**2) * radius / np.linalg.norm(p)
        for _ in range(2):
            p_bar, radius_bar = back(np.array([1.0, 10.0]))
            held = np.linalg.norm(p) > radius
            expected = slopes.T @ [1.0, 10.0] if held else [1.0, 10.0]
            np.testing.assert_allclose(p_bar, expected, atol=1e-5)
            assert radius_bar == pytest.approx(nearest @ [1.0, 10.0] if held else 0.0, abs=1e-5)


def test_second_derivatives() -> None:
    found = zg.hvp(lambda p: np.sum(np.cos(in_ball(p, 1.0).x)), P, P[::-1])
    expected = zg.hvp(lambda p: np.sum(np.cos(p / np.linalg.norm(p))), P, P[::-1])
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_the_least_value_follows_the_multipliers() -> None:
    (bar,) = zg.gradient(lambda radius: in_ball(P, radius).fun, 1.0)
    assert bar == pytest.approx(-2 * (np.linalg.norm(P) - 1.0), rel=1e-5)


Q = np.array([1.2, 2.1, 0.7, 0.4])


def energy(x: Any, p: Any) -> Any:
    return p[0] * (x[0] - p[1]) ** 2 + (x[1] - p[2]) ** 2 + 0.1 * x[0] * x[1] + np.exp(x[2] * 0.1) + x[2] ** 2


def dictionaries(p: Any) -> Any:
    return [
        {"type": "eq", "fun": lambda x: x[0] + x[1] ** 2 - 3 * p[3]},
        {"type": "ineq", "fun": lambda x: 3 * p[2] - x[0] * x[1] - x[2] - 2},
        {"type": "ineq", "fun": lambda x: x[0] + 10},
    ]


def objects(p: Any) -> Any:
    return [
        so.NonlinearConstraint(lambda x: x[0] + x[1] ** 2, 3 * p[3], 3 * p[3]),
        so.NonlinearConstraint(lambda x: x[0] * x[1] + x[2] + 2, -np.inf, 3 * p[2]),
        so.LinearConstraint(np.eye(3), -10, 10 + p[0]),
    ]


@pytest.mark.filterwarnings("ignore:delta_grad")
@pytest.mark.parametrize(("constraints", "method"), [(dictionaries, "SLSQP"), (objects, "trust-constr")])
def test_methods(constraints: Any, method: str) -> None:
    def program(p: Any) -> Any:
        report = so.minimize(
            energy,
            [1.0, 0.5, 0.2],
            args=(p,),
            method=method,
            constraints=constraints(p),
            tol=1e-12,
            jac=lambda x, p: zg.gradient(energy, x, p)[0],
        )
        return np.sum(np.cos(report.x)) + report.fun

    agrees(program, Q, 1e-4)


def test_lines_and_bounds_together() -> None:
    def program(p: Any) -> Any:
        held = so.LinearConstraint(np.array([[1.0, p[0], 1.0]]), p[1], p[1])
        bounds = so.Bounds(np.array([-np.inf, -np.inf, p[0]]), np.inf)
        report = so.minimize(lambda x: np.sum((x - p[2]) ** 4 + x**2), np.zeros(3), bounds=bounds,
                             constraints=held, tol=1e-14)  # fmt: skip
        return np.array([1.0, 10.0, 100.0]) @ report.x

    p = np.array([0.8, 0.3, 0.2])
    agrees(program, p, 1e-4)


def test_bounds_of_methods_that_stay_inside() -> None:
    def program(p: Any, method: str) -> Any:
        bounds = [(None, p[0]), (0.0, 5.0)]
        report = so.minimize(
            lambda x: np.sum((x - 2 * p) ** 2), START, method=method, bounds=bounds, tol=1e-9
        )
        return report.x @ np.array([1.0, 10.0])

    for method in ("Nelder-Mead", "trust-constr"):
        (bar,) = zg.gradient(program, P, method)[:1]
        np.testing.assert_allclose(bar, [1.0, 20.0], atol=1e-5)


def test_solvers_that_search_everywhere() -> None:
    def program(p: Any) -> Any:
        held = {"type": "ineq", "fun": lambda x: p[0] - x @ x}
        return np.sum(np.cos(so.shgo(lambda x: np.sum((x - p - 2) ** 2), [(-5, 5)] * 2, constraints=held).x))

    near = lambda p: np.sum(np.cos(p[0] ** 0.5 * (p + 2) / np.linalg.norm(p + 2)))  # noqa: E731
    np.testing.assert_allclose(zg.gradient(program, P)[0], zg.gradient(near, P)[0], atol=1e-4)


@pytest.mark.filterwarnings("ignore:Singular Jacobian")
def test_what_is_refused() -> None:
    def on_edge(p: Any) -> Any:
        return so.minimize(distance, START, args=(p,), bounds=[(None, 2.0)] * 2,
                           constraints=so.LinearConstraint(np.eye(2), -np.inf, P), tol=1e-14
                           ).x.sum()  # fmt: skip

    def twice(p: Any) -> Any:
        rows = np.array([[1.0, 1.0], [2.0, 2.0]])
        return so.minimize(distance, START, args=(p,), method="trust-constr",
                           constraints=so.LinearConstraint(rows, [1.0, 2.0], [1.0, 2.0])).x.sum()  # fmt: skip

    def multiplier(p: Any) -> Any:
        return np.sum(np.asarray(in_ball(p, 1.0).jac))

    for program, why in (
        (on_edge, "does not hold it"),
        (twice, "follow from each other"),
        (multiplier, "beside the solution"),
    ):
        with pytest.raises(MissingRuleError, match=why):
            zg.gradient(program, P)


def test_third_derivatives_of_joined_numbers() -> None:
    """An array of a number, whose axis is made of it, keeps what it depends on."""

    def weighted(x: Any, weight: Any) -> Any:
        def joined(point: Any) -> Any:
            return np.sum(weight * np.concatenate([np.ravel(np.asarray(1 - point @ point) * 1.0)]))

        return zg.gradient(joined, x)[0]

    z, v = np.array([0.8, 0.6, -0.25]), np.array([0.3, 0.4])
    found = zg.hessian(lambda z: v @ weighted(z[:2], z[2:]), z)
    np.testing.assert_allclose(found, [[0, 0, -0.6], [0, 0, -0.8], [-0.6, -0.8, 0]], atol=1e-12)
