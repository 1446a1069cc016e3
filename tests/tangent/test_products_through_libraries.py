"""Products with Hessians of programs that call SciPy: their tangent code is differentiated, as reverse
mode twice takes many times as long."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.interpolate as si
import scipy.optimize as so
import scipy.stats as st

import zygpy as zg
from zygpy.derivatives import hvp_by_reverse
from zygpy.tangents_pulled import tangent_pull

Program = Callable[[Any], Any]
X, FALLING = np.linspace(0.0, 2.0, 5), np.array([3.0, 1.0, 0.0])
SAMPLES = np.sin(np.arange(15.0)).reshape(5, 3)
POINTS = np.array([[0.3, 0.4], [1.2, 2.5], [1.9, 1.7], [0.7, 0.2]])
ROWS = np.stack([SAMPLES, SAMPLES**2], axis=-1)
COVARIANCE = np.array([[2.0, 0.3], [0.3, 1.5]])
START, COUPLED = np.zeros(3), np.array([[0.3, 0.1, 0.0], [0.0, 0.2, 0.1], [0.1, 0.0, 0.1]])
P = np.array([0.7, -0.4, 1.1])


grid = si.RegularGridInterpolator


def solution(p: Any) -> Any:
    return so.root(lambda u: u**3 + 2 * u + COUPLED @ u - p, START, tol=1e-13)


def in_turn(p: Any) -> Any:
    total = 0.0
    for _ in range(2):
        p = solution(p).x + p
        total = total + np.sum(p**2)
    return total


PUSHED: dict[str, tuple[Program, Any]] = {
    "samples on a grid": (lambda v: np.sum(grid((X, FALLING), v)(POINTS) ** 2), SAMPLES),
    "points in a grid": (lambda p: np.sum(np.sin(grid((X, FALLING), ROWS)(p))), POINTS),
    "lines of a grid": (
        lambda v: np.sum(grid((v[:5], v[5:]), SAMPLES)(POINTS) ** 3),
        np.concatenate([X, FALLING[::-1]]),
    ),
    "outside of a grid": (
        lambda v: np.sum(grid((X, FALLING), SAMPLES * v, bounds_error=False, fill_value=v)(2 * POINTS) ** 3),
        1.5,
    ),
    "samples in turn": (lambda v: np.sum(si.interpn((X, FALLING), v, POINTS) ** 3), SAMPLES),
    "mean of normal vectors": (
        lambda m: np.sum(st.multivariate_normal.logpdf(POINTS, m, COVARIANCE) ** 2),
        P[:2],
    ),
    "covariance by name": (
        lambda v: np.sum(st.multivariate_normal.pdf(POINTS, cov=v @ v.T + COVARIANCE)),
        SAMPLES[:2, :2],
    ),
    "normal numbers": (lambda v: np.sum(st.multivariate_normal.logpdf(P, 0.2, v)), 1.5),
    "root": (lambda p: np.sum(solution(p).x ** 3), P),
    "roots of roots": (in_turn, P),
    "root of an argument": (lambda p: np.sum(so.root(lambda u, q: u**3 + 2 * u - q, START, (p,)).x ** 2), P),
    "fsolve": (
        lambda p: np.sum(
            so.fsolve(lambda u: [u[0] ** 3 + u[0] - p[0], u[1] + u[0] * p[1]], np.zeros(2)) ** 3
        ),
        P,
    ),
    "brentq": (lambda p: so.brentq(lambda u: u**3 + 2 * u - np.sum(p), -5, 5) ** 3, P),
    "root_scalar": (
        lambda p: so.root_scalar(lambda u: u**3 + 2 * u - p[0] * p[1], bracket=(-5, 5)).root ** 3,
        P,
    ),
}


def difference(f: Program, x: Any, v: Any) -> Any:
    """The derivative of the gradient along a direction, by Richardson's extrapolation."""

    def of(step: float) -> Any:
        return (zg.gradient(f, x + step * v)[0] - zg.gradient(f, x - step * v)[0]) / (2 * step)

    return (4 * of(1e-3) - of(2e-3)) / 3


def check_products(f: Program, x: Any) -> Any:
    v = np.cos(np.arange(float(np.size(x)))).reshape(np.shape(x))[()]
    found = zg.hvp(f, x, v)
    np.testing.assert_array_equal(zg.hvp(f, x, v), found)
    np.testing.assert_allclose(found, difference(f, x, v), rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(zg.pushforward(f, x)(v), np.sum(zg.gradient(f, x)[0] * v), rtol=1e-9)
    return found, v


@pytest.mark.parametrize("name", PUSHED)
def test_products_by_tangents(name: str) -> None:
    f, x = PUSHED[name]
    check_products(f, x)
    assert tangent_pull(f, x) is not None


@pytest.mark.parametrize("name", ["samples on a grid", "mean of normal vectors", "root of an argument"])
def test_products_are_those_of_reverse_mode(name: str) -> None:
    f, x = PUSHED[name]
    found, v = check_products(f, x)
    np.testing.assert_allclose(found, hvp_by_reverse(f, x, v), rtol=1e-9)


def changed_in_place(p: Any) -> Any:
    report = solution(p)
    held = report.x
    held *= 2
    report.x[0] = 5.0
    return np.sum(report.x**3) + np.sum(held**2)


def changed_by_name(p: Any) -> Any:
    report = solution(p)
    report["x"] = report.x * p
    report.update(fun=p)
    return np.sum(report.x**3) + np.sum(report["fun"] ** 2)


@pytest.mark.parametrize("f", [changed_in_place, changed_by_name])
def test_reports_that_are_changed(f: Program) -> None:
    check_products(f, P)


def test_a_grid_in_single_precision() -> None:
    f, x = PUSHED["samples on a grid"]
    assert zg.hvp(f, x.astype(np.float32), np.ones((5, 3), np.float32)).dtype == np.float32


def test_what_a_report_tells_beside_has_no_derivative() -> None:
    with pytest.raises(zg.MissingRuleError, match="reports beside the solution"):
        zg.gradient(lambda p: np.sum(solution(p).fjac), P)
