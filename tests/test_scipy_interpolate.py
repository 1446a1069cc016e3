"""Piecewise polynomials of `scipy.interpolate`, made outside and in differentiated programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.interpolate as si

import zygpy as zg
from tests.rules import reference
from zygpy.testing import check_gradient

X = np.array([0.0, 0.7, 1.5, 2.2, 3.1, 4.0])
Y = np.array([1.0, 0.3, -0.5, 0.8, 1.7, 0.2])
T = np.array([0.3, 1.0, 2.5, 3.9])
ROWS = np.outer(Y, [1.0, 2.0]) + np.arange(2)

CUBIC = si.CubicSpline(X, Y)
OF_ROWS = si.CubicSpline(X, ROWS)
OF_COLUMNS = si.CubicSpline(X, ROWS.T, axis=1)
PERIODIC = si.CubicSpline(X, np.append(Y[:-1], Y[0]), bc_type="periodic")
INSIDE = si.PPoly(CUBIC.c, X, extrapolate=False)
SLOPE, AREA = CUBIC.derivative(), CUBIC.antiderivative()
MONOTONE, AKIMA = si.PchipInterpolator(X, Y), si.Akima1DInterpolator(X, Y)

EVALUATED: dict[str, Callable[[Any], Any]] = {
    "cubic": lambda t: CUBIC(t),
    "slopes": lambda t: CUBIC(t, 1) * CUBIC(t, nu=2),
    "derivative": lambda t: SLOPE(t) * AREA(t),
    "rows": lambda t: OF_ROWS(t),
    "columns": lambda t: OF_COLUMNS(t) + OF_COLUMNS(t.reshape(2, 2), 1).reshape(2, 4),
    "numbers": lambda t: CUBIC(t[0]) * OF_ROWS(t[1]),
    "periodic": lambda t: PERIODIC(3 * t),
    "outside": lambda t: CUBIC(4 * t - 3),
    "not outside": lambda t: INSIDE(t),
    "monotone": lambda t: MONOTONE(t) + AKIMA(t),
}


@pytest.mark.parametrize("program", EVALUATED.values(), ids=EVALUATED)
def test_splines_made_outside_by_their_points(program: Callable[[Any], Any]) -> None:
    y, _ = zg.pullback(program, T)
    np.testing.assert_array_equal(y, program(T))
    check_gradient(lambda t: np.sum(np.sin(program(t))), T, order=2)


MADE: dict[str, Callable[..., Any]] = {
    "polynomials": lambda x, y, t: si.PPoly(np.outer(y[:4], y[1:]), x)(t),
    "by slopes": lambda x, y, t: si.CubicHermiteSpline(x, y, np.cos(y))(t),
    "monotone": lambda x, y, t: si.PchipInterpolator(x, y)(t),
    "monotone rows": lambda x, y, t: si.PchipInterpolator(x, np.outer(y, x + 1.0), axis=0)(t, 1),
    "monotone between two": lambda x, y, t: si.PchipInterpolator(x[:2], y[:2])(t),
    "straight": lambda x, y, t: si.interp1d(x, y)(t),
}


ONCE = ("polynomials", "straight")
"""Those whose second derivatives are refused."""


@pytest.mark.parametrize("name", MADE)
def test_splines_made_in_the_program(name: str) -> None:
    """By samples, their places and the points."""
    program = MADE[name]

    def f(values: Any) -> Any:
        return np.sum(np.sin(program(values[:6], values[6:12], values[12:])))

    values = np.concatenate([X, Y, T])
    np.testing.assert_array_equal(zg.pullback(program, X, Y, T)[0], program(X, Y, T))
    direction = np.cos(3.0 * np.arange(16.0))
    (found,) = zg.gradient(f, values)
    expected = reference.directional(lambda t: f(values + t * direction))
    assert found @ direction == pytest.approx(float(expected), rel=1e-7)
    if name in ONCE:
        with pytest.raises(zg.UnsupportedSyntaxError, match="called by a name that was not known"):
            zg.hvp(f, values, direction)
        return
    seconds = reference.directional(lambda t: zg.gradient(f, values + t * direction)[0])
    np.testing.assert_allclose(zg.hvp(f, values, direction), seconds, rtol=1e-6, atol=1e-6)


def test_splines_as_arguments() -> None:
    """Their coefficients and breakpoints have the gradient."""
    (found,) = zg.gradient(lambda spline: spline(0.3), CUBIC)
    fields = found._asdict()
    if "_delegate_to" in fields:  # since SciPy 1.18
        fields = fields["_delegate_to"]._asdict()
    np.testing.assert_allclose(fields.get("_c", fields.get("c"))[:, 0], 0.3 ** np.arange(3, -1, -1))
    assert fields.get("_x", fields.get("x"))[0] == pytest.approx(-CUBIC(0.3, 1))


def test_points_without_a_value() -> None:
    (found,) = zg.gradient(lambda t: np.nansum(INSIDE(t)), np.array([-1.0, 0.5, 9.0]))
    np.testing.assert_allclose(found, [0.0, CUBIC(0.5, 1), 0.0])


def test_breakpoints_belong_to_the_interval_behind_them() -> None:
    kinked = si.PPoly(np.array([[1.0, 3.0], [0.0, 1.0]]), np.array([0.0, 1.0, 2.0]))
    (found,) = zg.gradient(lambda t: np.sum(kinked(t)), np.array([0.0, 1.0, 2.0]))
    assert found.tolist() == [1.0, 3.0, 3.0]


def test_flat_samples_have_no_slope() -> None:
    """Where the samples turn round, slopes are 0 and stay so."""
    y = np.array([0.0, 1.0, 1.0, 0.0])
    (found,) = zg.gradient(lambda y: si.PchipInterpolator(np.arange(4.0), y)(1.5, 1), y)
    assert np.isfinite(found).all()


def test_what_has_no_rule_is_refused() -> None:
    with pytest.raises(zg.ZygpyError):
        zg.gradient(lambda y: si.make_interp_spline(X, y)(1.0), Y)
