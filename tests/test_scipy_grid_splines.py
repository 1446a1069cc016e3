"""Splines and monotone cubics on the grids of `scipy.interpolate`."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.interpolate as si
import scipy.sparse.linalg as ssl

import zygpy as zg
from tests.solvers.references import agrees, agrees_to_second_order
from zygpy.runtime.spline_objects import moving

FIRST = np.array([0.0, 0.7, 1.5, 2.0, 3.1, 3.5, 4.2])
SECOND = np.array([0.0, 1.0, 1.8, 3.0, 3.3, 4.0, 5.5, 6.0])
VALUES = np.sin(0.9 * FIRST[:, None]) * np.cos(0.7 * SECOND) + 0.2 * np.cos(np.arange(56.0) ** 2).reshape(
    7, 8
)
POINTS = np.array([[0.3, 0.2], [2.1, 3.1], [4.1, 5.8], [1.1, 3.15]])
Q = np.array([0.1, 0.2, 0.3, 0.4, 0.5])


def grid(q: Any) -> Any:
    """Places of samples, samples, and points, that follow numbers."""
    samples = VALUES + 0.1 * q[0] * np.outer(FIRST, SECOND) + q[1] * VALUES**2
    return (FIRST * (1 + 0.1 * q[2]), SECOND + 0.01 * q[3] * SECOND**2), samples, POINTS + 0.05 * q[4]


@pytest.mark.parametrize("method", ["cubic", "quintic", "pchip"])
def test_interpolators(method: str) -> None:
    def program(q: Any) -> Any:
        lines, samples, points = grid(q)
        if method == "pchip":
            made = si.RegularGridInterpolator(lines, samples, method, False, None)
            return np.sum(np.sin(made(points)))
        made = si.RegularGridInterpolator(lines, samples, method, False, None, solver=ssl.spsolve)
        return np.sum(np.sin(made(points))) + np.sum(made(points, nu=(1, 0)))

    agrees(program, Q, 1e-5)


@pytest.mark.parametrize("method", ["cubic_legacy", "pchip"])
def test_falling_lines_to_second_order(method: str) -> None:
    def program(q: Any) -> Any:
        lines, samples, points = grid(q)
        return np.sum(np.sin(si.interpn((lines[0][::-1], lines[1]), samples[::-1], points, method)))

    agrees_to_second_order(program, Q)


def test_points_outside_and_three_axes() -> None:
    made = si.RegularGridInterpolator((FIRST, SECOND), VALUES, "cubic", bounds_error=False, fill_value=2.0)
    points = np.array([[9.0, 1.0], [0.3, 0.2]])
    y, back = zg.pullback(made, points)
    np.testing.assert_array_equal(y, made(points))
    for _ in range(2):
        (bar,) = back(np.ones(2))
        np.testing.assert_allclose(
            bar, [[0.0, 0.0], [made([0.3, 0.2], nu=nu)[0] for nu in ((1, 0), (0, 1))]], atol=1e-5
        )
    lines = tuple(np.arange(float(count)) for count in (5, 6, 7))
    samples = np.sin(np.arange(420.0)).reshape(5, 6, 7, 2)

    def program(q: Any) -> Any:
        inside = np.array([[1.2, 2.3, 4.4], [2.0, 0.1, 5.5]])
        return np.sum(np.sin(si.interpn(lines, samples * q[0], inside * q[1], method="pchip")))

    agrees(program, np.array([1.1, 0.9]), 1e-5)


def test_the_tangent_of_a_value_outside_is_an_array() -> None:
    made = si.RegularGridInterpolator((FIRST, SECOND), VALUES, bounds_error=False)
    still = SimpleNamespace(fill_value=0.0, _fill_value=0.0)
    assert moving(still, made, "fill_value", np.array(made.fill_value)).shape == ()


def test_surfaces_by_their_older_name() -> None:
    agrees(lambda q: np.sum(si.interpn((FIRST, SECOND), VALUES * q[0], POINTS * q[1], "splinef2d")), Q[2:4])


COEFFICIENTS = np.cos(np.arange(36.0) ** 2).reshape(4, 3, 3, 1)
WEIGHTS = np.array([1.0, -0.6, 0.8])
WITHIN = np.array([[0.3, 0.2], [1.6, 1.3], [0.8, 3.4]])


def of_splines(q: Any) -> Any:
    """Products of splines of two degrees, by coefficients and points, one of which lies outside."""
    c = COEFFICIENTS.reshape(6, 6)[:, :5] * q[0] + q[1] ** 2
    made = si.NdBSpline((np.arange(10.0) - 3.0, np.arange(7.0) - 0.5), c, (3, 1))
    points = WITHIN + q[2] * np.array([0.3, -0.2])
    return np.sum(WEIGHTS * made(points, nu=(1, 0)))


def of_boxes(q: Any) -> Any:
    """Polynomials on boxes, by coefficients and points, which may be given as a tuple."""
    made = si.NdPPoly(COEFFICIENTS * q[0] + q[1] ** 2, (np.arange(4.0), np.array([0.0, 3.0])))
    points = WITHIN + q[2] * np.array([0.3, -0.2])
    beside = made(points, extrapolate=False)[:2] * q[3]
    return np.sum(WEIGHTS * made((points[:, 0], points[:, 1]), nu=(1, 2))) + np.sum(beside**2)


@pytest.mark.parametrize("program", [of_splines, of_boxes])
def test_products(program: Any) -> None:
    agrees(program, Q, 1e-5)


@pytest.mark.parametrize("program", [of_splines, of_boxes])
def test_products_to_second_order(program: Any) -> None:
    agrees_to_second_order(program, Q)


def test_points_without_a_value() -> None:
    made = si.NdBSpline((np.arange(7.0), np.arange(7.0) - 0.5), np.ones((4, 5)), (2, 1), extrapolate=False)
    (found,) = zg.gradient(lambda x: np.nansum(made(x) * np.arange(2.0)), WITHIN[:2])
    assert not np.any(found)


def test_coefficients_of_products_that_are_changed_afterwards() -> None:
    def program(c: Any) -> Any:
        c = c * 1.0
        made = si.NdPPoly(c, (np.arange(4.0), np.array([0.0, 3.0])))
        c[0] = 0.0
        return made((0.5, 0.4))

    (found,) = zg.gradient(program, COEFFICIENTS)
    assert not np.any(found[0])
    assert found[-1, -1, 0, 0] == 1.0


def test_knots_of_products_are_refused() -> None:
    def program(line: Any) -> Any:
        return si.NdBSpline((line,), np.arange(5.0), 2)(np.array([3.4]))

    with pytest.raises(zg.ZygpyError, match="by an option"):
        zg.gradient(program, np.arange(8.0))
