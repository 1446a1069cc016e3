"""Roots of splines of `scipy.interpolate`, and where they have a value, by samples, breakpoints, values."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.interpolate as si

import zygpy as zg
from tests.rules import reference
from zygpy.errors import MissingRuleError

PLACES = np.array([0.0, 0.7, 1.5, 2.2, 3.1, 4.0])
Y = np.array([1.0, 0.2, -0.5, 0.8, 1.7, -0.2])
WEIGHTS = np.arange(1.0, 9.0)
FIXED = si.CubicSpline(PLACES, Y)
KNOTS = si.make_interp_spline(PLACES, Y).t


def between_roots(y: Any) -> Any:
    spline = si.CubicSpline(PLACES, y)
    return spline(spline.derivative().roots())


def jumping(y: Any) -> Any:
    c = np.stack([np.array([1.0, 1.0]), np.stack([-y[0], y[4]])])
    return si.PPoly(c, np.stack([0.0 * y[1], 0.5 + y[1], 2.0 + y[1]])).roots()


def shared_end(y: Any) -> Any:
    c = np.stack([np.stack([y[0], y[4]]), np.stack([-y[0], 2.0 * y[0]])])
    return si.PPoly(c, np.array([0.0, 1.0, 2.0])).solve(0.0, extrapolate=False)


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "of a cubic": lambda y: si.CubicSpline(PLACES, y).roots(),
    "of a value": lambda y: si.CubicSpline(PLACES, y).solve(0.3 * y[0]),
    "by breakpoints": lambda y: si.CubicSpline(np.cumsum(y**2) + PLACES, y).roots(extrapolate=False),
    "monotone": lambda y: si.PchipInterpolator(PLACES, y).roots(extrapolate=False),
    "by Akima": lambda y: si.Akima1DInterpolator(PLACES, y).solve(0.1, False),
    "made outside": lambda y: FIXED.solve(y[1] * y[2]),
    "extremes": between_roots,
    "jumping": jumping,
    "at the end of a piece": shared_end,
    "by FITPACK": lambda y: si.InterpolatedUnivariateSpline(PLACES, y).roots(),
    "of parts": lambda y: si.sproot(si.splrep(PLACES, y)),
    "of a sum of basis functions": lambda y: si.sproot(si.make_interp_spline(PLACES, y)),
}
SECOND = tuple(PROGRAMS) if "ZYGPY_ALL_CASES" in os.environ else ("of parts",)
"""Those whose second derivatives are taken, which are long to derive."""


def weighted(name: str) -> Callable[[Any], Any]:
    program = PROGRAMS[name]

    def total(y: Any) -> Any:
        places = program(y)
        return np.sum(places**2 * WEIGHTS[: len(places)])

    return total


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients(name: str) -> None:
    found = zg.withgradient(weighted(name), Y)
    assert found.val == weighted(name)(Y)
    expected = [reference.directional(lambda t, e=e: weighted(name)(Y + t * e), 1e-4) for e in np.eye(6)]
    np.testing.assert_allclose(found.grad[0], expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", SECOND)
def test_second_derivatives(name: str) -> None:
    direction = np.cos(np.arange(6.0))

    def slope(t: float) -> Any:
        return zg.gradient(weighted(name), Y + t * direction)[0]

    expected = (8 * (slope(1e-4) - slope(-1e-4)) - (slope(2e-4) - slope(-2e-4))) / 12e-4
    np.testing.assert_allclose(zg.hvp(weighted(name), Y, direction), expected, rtol=1e-6, atol=1e-6)


def test_derivatives_by_the_value() -> None:
    """The place where a cube has a value is its cube root."""
    cube = si.PPoly(np.array([[1.0], [0.0], [0.0], [0.0]]), np.array([0.0, 3.0]))

    def place(value: Any) -> Any:
        return cube.solve(value, extrapolate=False)[0]

    found = zg.derivative(zg.derivative(place))(2.0)
    assert found == pytest.approx(-2 / 9 * 2.0 ** (-5 / 3), rel=1e-9)


def test_roots_of_a_higher_order_have_no_derivative() -> None:
    double = zg.gradient(
        lambda c: si.PPoly(c, np.array([0.0, 2.0])).roots()[0], np.array([[1.0], [-2.0], [1.0]])
    )
    assert np.isnan(double[0]).any()


def test_no_roots() -> None:
    (found,) = zg.gradient(
        lambda y: y[0] + np.sum(si.PchipInterpolator(PLACES, y).solve(50.0, True, False)), Y
    )
    assert found.tolist() == [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]


def test_several_curves_are_refused() -> None:
    with pytest.raises(MissingRuleError, match="no rule for several curves"):
        zg.gradient(lambda y: si.CubicSpline(PLACES, np.outer(y, [1.0, 2.0])).roots()[0][0], Y)
    with pytest.raises(MissingRuleError, match="no rule for curves of several coordinates"):
        zg.gradient(lambda y: np.sum(si.sproot((KNOTS, [y, y], 3))[0]), Y)
