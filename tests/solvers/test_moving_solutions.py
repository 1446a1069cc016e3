"""Second derivatives of what solvers find: by the tangent function of what is solved, and right."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.optimize as so

import zygpy as zg
from zygpy.tangents_pulled import tangent_pull

P = np.array([1.3, 0.7])
V = np.array([0.4, -1.1])


def reference(closed: Callable[[Any], Any], x: Any, v: Any) -> Any:
    """The product with the Hessian of a closed form: complex steps within a central difference."""

    def slope(at: Any) -> Any:
        return np.array([closed(at + 1e-30j * unit).imag / 1e-30 for unit in np.eye(len(at))])

    def difference(h: float) -> Any:
        return (slope(x + h * v) - slope(x - h * v)) / (2 * h)

    return (4 * difference(5e-4) - difference(1e-3)) / 3


def bowl(y: Any, p: Any) -> Any:
    """Least where y0 + y1 = log(p0) and y0 - y1 = p1**2."""
    return np.exp(y[0] + y[1]) - p[0] * (y[0] + y[1]) + (y[0] - y[1] - p[1] ** 2) ** 2


def bottom(p: Any) -> Any:
    total, apart = np.log(p[0]), p[1] ** 2
    return of_minimum(np.array([total + apart, total - apart]) / 2, p)


def of_minimum(y: Any, p: Any) -> Any:
    return np.sum(np.sin(y) * np.array([1.0, 3.0])) * p[0]


def captured(p: Any) -> Any:
    report = so.minimize(lambda y: bowl(y, p), np.zeros(2), options={"gtol": 1e-10})
    return of_minimum(report.x, p)


def pinned(p: Any) -> Any:
    """The first variable lies on its upper bound."""
    report = so.minimize(
        lambda y: np.exp(y[1]) - p[0] * y[0] * y[1] - 9 * y[0],
        np.ones(2),
        bounds=[(0.0, p[1] ** 2), (-5.0, 5.0)],
        method="L-BFGS-B",
        tol=1e-12,
    )
    return of_minimum(report.x, p)


def taken_apart(p: Any) -> Any:
    """What is found is unpacked, and of a report items are read."""
    first, second = so.fsolve(lambda y: [y[0] + y[1] - p[0] ** 2, np.exp(y[1]) - p[1]], [1.0, 1.0])
    report = so.root(lambda y: np.array([y[0] ** 3 - p[0], y[1] - p[1] * y[0]]), np.ones(2))
    return first * second**2 + np.sin(report.x[1])


def taken_apart_closed(p: Any) -> Any:
    second = np.log(p[1])
    return (p[0] ** 2 - second) * second**2 + np.sin(p[1] * p[0] ** (1 / 3))


def pinned_closed(p: Any) -> Any:
    return of_minimum(np.array([p[1] ** 2, np.log(p[0] * p[1] ** 2)]), p)


def scalar(p: Any) -> Any:
    return so.minimize_scalar(lambda y: np.exp(y) - p[0] * p[1] * y).x ** 3


def equations(p: Any) -> Any:
    """They are given as a list."""
    y = so.fsolve(lambda y: [y[0] + y[1] - p[0] ** 2, np.exp(y[1]) - p[1]], [1.0, 1.0])
    return np.sum(y**2)


def equations_closed(p: Any) -> Any:
    second = np.log(p[1])
    return (p[0] ** 2 - second) ** 2 + second**2


T = np.linspace(0.2, 1.7, 6)


def line(t: Any, a: Any, b: Any) -> Any:
    return np.exp(a) * t - b


def fitted(p: Any) -> Any:
    """A fit to data that move, which it does not go through."""
    (a, b), _ = so.curve_fit(line, T, np.sin(p[0] * T) * p[1], p0=[0.0, 0.0], ftol=1e-13, xtol=1e-13)
    return a * b


def fitted_closed(p: Any) -> Any:
    a, b = line_through(T, np.sin(p[0] * T) * p[1])
    return a * b


def squares(p: Any) -> Any:
    """Residuals that move, and do not become zero."""
    found = so.least_squares(
        lambda y: np.exp(y[0]) * T * p[0] - y[1] - np.sin(T * p[1]), np.zeros(2), ftol=1e-13, xtol=1e-13
    )
    return found.x[0] ** 2 * found.x[1] + found.cost


def squares_closed(p: Any) -> Any:
    a, b = line_through(T * p[0], np.sin(T * p[1]))
    return a**2 * b + np.sum((np.exp(a) * T * p[0] - b - np.sin(T * p[1])) ** 2) / 2


def line_through(t: Any, values: Any) -> Any:
    matrix = np.stack([t, -np.ones(len(t))], axis=1)
    slope, level = np.linalg.solve(matrix.T @ matrix, matrix.T @ values)
    return np.log(slope), level


def stepped(p: Any) -> Any:
    return so.newton(lambda t: t**3 - p[0] * p[1], 1.0, tol=1e-13) ** 2


def bracketed(p: Any) -> Any:
    return so.brentq(lambda t: t**3 - p[0] * p[1], 0.0, 5.0) ** 2


CASES = [
    (captured, bottom),
    (pinned, pinned_closed),
    (scalar, lambda p: np.log(p[0] * p[1]) ** 3),
    (equations, equations_closed),
    (taken_apart, taken_apart_closed),
    (fitted, fitted_closed),
    (squares, squares_closed),
    (stepped, lambda p: (p[0] * p[1]) ** (2 / 3)),
    (bracketed, lambda p: (p[0] * p[1]) ** (2 / 3)),
]


@pytest.mark.parametrize(("program", "closed"), CASES, ids=[program.__name__ for program, _ in CASES])
def test_products_with_hessians(program: Any, closed: Any) -> None:
    expected = reference(closed, P, V)
    pull = tangent_pull(program, P)
    assert pull is not None
    np.testing.assert_allclose(pull.product(V), expected, rtol=2e-5, atol=2e-5)
    np.testing.assert_allclose(zg.hvp(program, P, V), expected, rtol=2e-5, atol=2e-5)
    (slope,) = zg.gradient(program, P)
    assert zg.pushforward(program, P)(V) == pytest.approx(slope @ V, rel=1e-8)
