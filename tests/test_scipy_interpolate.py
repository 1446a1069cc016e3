"""Piecewise polynomials of `scipy.interpolate`, made outside and in differentiated programs."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.interpolate as si

import zygpy as zg
from tests.rules import reference
from zygpy.errors import MissingRuleError
from zygpy.runtime import cubic_pieces
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

STRAIGHT = si.interp1d(X, ROWS, axis=0)
ALL = "ZYGPY_ALL_CASES" in os.environ
"""Whether all second derivatives are taken."""

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
    "straight": lambda t: STRAIGHT(t),
    "monotone": lambda t: MONOTONE(t) + AKIMA(t),
}


@pytest.mark.parametrize("program", EVALUATED.values(), ids=EVALUATED)
def test_splines_made_outside_by_their_points(program: Callable[[Any], Any]) -> None:
    y, _ = zg.pullback(program, T)
    np.testing.assert_array_equal(y, program(T))
    check_gradient(lambda t: np.sum(np.sin(program(t))), T)


def test_second_derivatives_by_points() -> None:
    for f in (lambda t: np.sum(np.sin(CUBIC(t))), lambda t: np.sum(np.sin(OF_ROWS(t, 1)))):
        seconds = reference.directional(lambda t, f=f: zg.gradient(f, T + t * Y[:4])[0])
        np.testing.assert_allclose(zg.hvp(f, T, Y[:4]), seconds, rtol=1e-6, atol=1e-6)
    slopes = zg.gradient(lambda t: zg.gradient(lambda u: CUBIC(u) * 1.0, t)[0], 0.4)
    assert slopes[0] == pytest.approx(float(CUBIC(0.4, 2)), rel=1e-9)


MADE: dict[str, Callable[..., Any]] = {
    "polynomials": lambda x, y, t: si.PPoly(np.outer(y[:4], y[1:]), x)(t),
    "by slopes": lambda x, y, t: si.CubicHermiteSpline(x, y, np.cos(y))(t),
    "monotone": lambda x, y, t: si.PchipInterpolator(x, y)(t),
    "monotone rows": lambda x, y, t: si.PchipInterpolator(x, np.outer(y, x + 1.0), axis=0)(t, 1),
    "monotone between two": lambda x, y, t: si.PchipInterpolator(x[:2], y[:2])(t),
    "akima": lambda x, y, t: si.Akima1DInterpolator(x, bent(y))(t),
    "akima rows": lambda x, y, t: si.Akima1DInterpolator(x, np.outer(x + 1.0, bent(y)), axis=-1)(t),
    "changed akima": lambda x, y, t: si.Akima1DInterpolator(x, bent(y), method="makima")(t, 1),
    "smooth": lambda x, y, t: si.CubicSpline(x, y)(t),
    "smooth rows": lambda x, y, t: si.CubicSpline(x, np.outer(x + 1.0, y), axis=1)(t),
    "natural": lambda x, y, t: si.CubicSpline(x, y, bc_type="natural")(t) * si.CubicSpline(x, y).c[0, 1],
    "clamped": lambda x, y, t: si.CubicSpline(x, y, bc_type="clamped")(t, 2),
    "told ends": lambda x, y, t: si.CubicSpline(x, y, bc_type=((1, y[0]), (2, y[1])))(t),
    "periodic": lambda x, y, t: around(x, y)(3 * t),
    "periodic of three": lambda x, y, t: around(x[:3], y[:3])(t),
    "a parabola": lambda x, y, t: si.CubicSpline(x[:3], y[:3])(t),
    "a line": lambda x, y, t: si.CubicSpline(x[:2], y[:2], extrapolate=True)(t),
    "straight": lambda x, y, t: si.interp1d(x, y)(t),
    "straight rows": lambda x, y, t: si.interp1d(x[::-1], np.outer(x, y), fill_value="extrapolate")(2 * t),
    "values outside": lambda x, y, t: si.interp1d(
        x, np.outer(y, [1.0, 2.0]), axis=0, bounds_error=False, fill_value=(y[:2], y[3])
    )(3 * t - 1),
    "steps": lambda x, y, t: t * si.interp1d(x, y, kind="previous")(t),
    "nearest": lambda x, y, t: t * si.interp1d(x, y, "nearest", bounds_error=False, fill_value=y[0])(2 * t),
}


def bent(y: Any) -> Any:
    """Samples of which no three lie on a line, where Akima's slopes have a kink."""
    return y + 0.1 * np.arange(6.0) ** 2


def around(x: Any, y: Any) -> Any:
    return si.CubicSpline(x, np.concatenate([y[:-1], y[:1]]), bc_type="periodic")


TWICE = ("akima", "told ends", "straight")
"""Those whose second derivatives are always taken."""


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
    if ALL or name in TWICE:
        seconds = reference.directional(lambda t: zg.gradient(f, values + t * direction)[0])
        np.testing.assert_allclose(zg.hvp(f, values, direction), seconds, rtol=1e-6, atol=1e-6)


def test_coefficients_beside_are_those_of_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all conditions at the ends, and of few samples."""
    monkeypatch.setattr(cubic_pieces, "with_parts", lambda spline, c, x: (spline, c))
    value = np.full(2, 0.3)
    told: tuple[Any, ...] = ("not-a-knot", "natural", "clamped", "periodic", ((1, value), (2, value)))
    mixed: tuple[Any, ...] = (("not-a-knot", (2, value)), ((1, value), "not-a-knot"))
    for count in (2, 3, 4, 6):
        x, y = X[:count], ROWS[:count].copy()
        made = [cubic_pieces.by_monotone_slopes(x, y), cubic_pieces.by_slopes(x, y, np.cos(y))]
        made += [cubic_pieces.by_akima(x, z, method=m) for m in ("akima", "makima") for z in (y, 0 * y)]
        for conditions in (*told, *mixed):
            ends = np.concatenate([y[:-1], y[:1]]) if conditions == "periodic" else y
            made.append(cubic_pieces.smooth(x, ends, bc_type=conditions))
        for spline, c in made:
            np.testing.assert_allclose(c, spline.c, atol=1e-10)


def test_complex_and_single_samples() -> None:
    y = Y * (1 + 0.3j) + 0.2j * X
    direction = np.cos(np.arange(6.0)) + 1j * np.sin(np.arange(6.0))
    f = lambda y: np.sum(np.abs(si.CubicSpline(X, y)(T)) ** 2)  # noqa: E731
    expected = reference.directional(lambda t: f(y + t * direction))
    assert np.real(np.vdot(zg.gradient(f, y)[0], direction)) == pytest.approx(float(expected), rel=1e-8)
    assert zg.gradient(f, Y.astype(np.float32))[0].dtype == np.float32


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
    with pytest.raises(MissingRuleError, match="'_y'"):
        zg.gradient(lambda y: np.sum(si.interp1d(X, y)._y), Y)


def test_curves_that_are_asked_by_what_is_found_when_it_runs() -> None:
    places = np.array([0.0, 1.0, 2.0])

    def program(a: Any) -> Any:
        spline = si.CubicSpline(places, np.array([a, a * a, 1.0]))
        library = [np, math][int(a > 5)]
        return library.asarray(spline.c)[1, 0] + spline.derivative()(0.7) + spline.antiderivative()(1.5)

    step = 1e-5
    expected = (program(0.7 + step) - program(0.7 - step)) / (2 * step)
    assert zg.gradient(program, 0.7)[0] == pytest.approx(expected, rel=1e-7)


BEFORE_AND_BEHIND = np.array([-1.0, 0.0, 1.0, 3.1, 4.0, 5.0])
STEPS: dict[str, Callable[[Any], Any]] = {
    "zero": lambda y: si.interp1d(X, y, kind="zero", fill_value="extrapolate"),
    "previous": lambda y: si.interp1d(X, y, "previous", fill_value="extrapolate"),
    "next": lambda y: si.interp1d(X, y, kind="next", fill_value="extrapolate"),
    "unsorted": lambda y: si.interp1d(X[::-1].copy(), y, 0, fill_value="extrapolate"),
    "of splines": lambda y: si.make_interp_spline(X, y, k=0),
    "of a basis": lambda y: si.BSpline(np.append(X, X[-1]), y, 0),
    "in one place": lambda y: si.BSpline(np.array([0.0, 0.0, 1.0, 1.0, 3.0, 4.0, 4.0]), y, 0),
}


@pytest.mark.parametrize("name", STEPS)
def test_steps_go_on_behind_the_last_sample(name: str) -> None:
    points = BEFORE_AND_BEHIND[1:] if name == "previous" else BEFORE_AND_BEHIND
    points = points[:-1] if name == "next" else points

    def values(y: Any) -> Any:
        return STEPS[name](y)(points)

    slopes = zg.jacobian(values, Y)[0]
    np.testing.assert_array_equal(slopes @ Y, values(Y))
    np.testing.assert_array_equal(slopes, np.stack([values(one) for one in np.eye(len(Y))], axis=1))


def test_steps_of_rows_go_on_too() -> None:
    def last(rows: Any) -> Any:
        return si.interp1d(X, rows, "previous", axis=1, fill_value="extrapolate")(9.0) @ np.array([2.0, 3.0])

    expected = np.zeros((2, len(X)))
    expected[:, -1] = 2.0, 3.0
    np.testing.assert_array_equal(zg.gradient(last, ROWS.T)[0], expected)


@pytest.mark.parametrize("point", [-0.5, 1.0, 1.5])
def test_points_in_an_interval_without_length_are_refused(point: float) -> None:
    knots = np.array([0.0, 0.0, 0.0, 0.5, 1.0, 1.0, 1.0])
    with pytest.raises(MissingRuleError, match="has no length"):
        zg.gradient(lambda c: si.BSpline(knots, c, 1)(point) * 1.0, np.arange(5.0))
