"""Splines of `scipy.interpolate` that FITPACK makes, fits to samples, integrals, and periodic splines."""

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

X = np.array([0.0, 0.7, 1.5, 2.2, 3.1, 4.0, 4.8, 5.5])
Y = np.array([1.1, 0.3, -0.5, 0.8, 1.7, 0.2, -0.4, 0.6])
T = np.array([0.3, 1.0, 2.5, 3.9])
KNOTS = np.array([0.0] * 4 + [2.0, 3.0] + [5.5] * 4)
ROWS, COLUMNS = np.array([0.0, 1.0, 2.0, 3.5, 5.0]), np.array([0.0, 1.2, 2.0, 3.0, 4.5, 6.0])
ALL = "ZYGPY_ALL_CASES" in os.environ
"""Whether all second derivatives are taken."""

CURVE, SURFACE = (
    si.UnivariateSpline(X, Y, s=0.1),
    si.RectBivariateSpline(ROWS, COLUMNS, np.outer(ROWS, Y[:6])),
)
SMOOTH = si.bisplrep(*np.meshgrid(ROWS, COLUMNS, indexing="ij"), np.outer(ROWS, Y[:6]), s=0)
SLOPE = SURFACE.partial_derivative(1, 0)
OUTLINE, _ = si.splprep([X, Y], s=0.3)
SMOOTHED = si.SmoothBivariateSpline(*np.random.default_rng(3).random((3, 40)) * 6, s=150.0)
BERNSTEIN = si.BPoly(np.arange(6.0).reshape(3, 2), [0.0, 1.0, 6.0])
Program = Callable[[Any, Any], Any]


def rows(y: Any) -> Any:
    return np.stack([y, y * y], axis=1)


def around(y: Any) -> Any:
    return np.concatenate([y[:-1], y[:1]])


def knots(x: Any) -> Any:
    return np.concatenate([x[:1]] * 4 + [x[2:4] + 0.1] + [x[-1:]] * 4)


def surface(y: Any, **given: Any) -> Any:
    return si.RectBivariateSpline(ROWS, COLUMNS, np.outer(ROWS**2, y[:6]), **given)


make = si.make_interp_spline

CURVES: dict[str, Program] = {
    "through all": lambda x, y: si.UnivariateSpline(x, y, s=0)(T),
    "interpolated": lambda x, y: si.InterpolatedUnivariateSpline(x, y, k=2, ext=1)(2 * T),
    "moved ends": lambda x, y: si.InterpolatedUnivariateSpline(x, y, bbox=[-y[0], None])(T),
    "with an integral": lambda x, y: si.InterpolatedUnivariateSpline(x, y).integral(y[1], 9.0),
    "with a derivative": lambda x, y: si.UnivariateSpline(x, y, s=0, k=4).derivative(2)(T),
    "with an antiderivative": lambda x, y: si.UnivariateSpline(x, y, s=0, k=2).antiderivative()(T),
    "with all derivatives": lambda x, y: si.UnivariateSpline(x, y, s=0).derivatives(y[1] + 1.0),
    "with coefficients": lambda x, y: si.InterpolatedUnivariateSpline(x, y).get_coeffs(),
    "with knots": lambda x, y: si.InterpolatedUnivariateSpline(x, y).get_knots() * y[0],
    "with told knots": lambda x, y: si.LSQUnivariateSpline(x, y, [2.0 + y[0], 3.9], y * y + 0.1)(T),
    "made outside": lambda x, y: CURVE.integral(y[1], x[3]) + CURVE.derivatives(y[0])[1],
    "parts": lambda x, y: si.splint(y[1], 9.0, si.splrep(x, y)),
    "derived parts": lambda x, y: si.splev(T, si.splder(si.splrep(x, y, k=4), 2)),
    "integrated parts": lambda x, y: si.splev(T, si.splantider(si.splrep(x, y))),
    "derived backwards": lambda x, y: si.splev(T, si.splder(si.splrep(x, y), -2)),
    "parts of an antiderivative": lambda x, y: np.append(
        *si.splantider((KNOTS, np.append(y[:6], KNOTS[:4]), 3))[:2]
    ),
    "a derived basis": lambda x, y: si.splder(make(x, rows(y)))(T) + si.splantider(make(x, rows(y)), 2)(T),
    "numbers of an antiderivative": lambda x, y: make(x, y).antiderivative(2).c,
    "periodic parts": lambda x, y: si.splev(3 * T, si.splrep(x, around(y), per=True)),
    "periodic lines": lambda x, y: si.splev(T, si.splrep(x, y, k=1, per=1, s=0), der=1),
    "knots of a periodic spline": lambda x, y: si.splrep(x, around(y), k=4, per=1)[0] + x[1],
    "a curve": lambda x, y: np.array(si.splev(T / 4, si.splprep([x * y, y], s=0)[0])),
    "lengths of a curve": lambda x, y: si.splprep(np.stack([x, y]), k=2, s=0)[1],
    "a slope of a curve": lambda x, y: np.array(si.splev(T, si.splprep(rows(y).T, u=x, s=0)[0], der=1)),
    "a closed curve": lambda x, y: np.array(
        si.splev(y[0] / 3, si.splprep(list(rows(around(y)).T), s=0, per=True)[0])
    ),
    "a curve made outside": lambda x, y: si.splev(np.abs(y) / 2, OUTLINE)[1],
}
SUMS: dict[str, Program] = {
    "least squares": lambda x, y: si.make_lsq_spline(x, rows(y), knots(x), w=y * y + 0.1)(T),
    "smoothing": lambda x, y: si.make_smoothing_spline(x, rows(y), y * y + 0.1, lam=y[0] ** 2)(T),
    "periodic": lambda x, y: make(x, rows(around(y)), bc_type="periodic")(3 * T),
    "periodic of degree two": lambda x, y: make(x, around(y), 2, bc_type="periodic")(T),
    "periodic of degree one": lambda x, y: make(x, around(y), 1, bc_type="periodic")(T),
    "few periodic samples": lambda x, y: make(x[:4], around(y[:4]), 5, bc_type="periodic")(T),
    "a periodic integral": lambda x, y: make(x, around(y), bc_type="periodic").integrate(-y[0], 9 * y[4]),
    "an integral": lambda x, y: make(x, rows(y), 2).integrate(-y[0], 6.0),
    "an integral inside": lambda x, y: si.BSpline(KNOTS, y[:6], 3, extrapolate=False).integrate(y[0], 8.0),
    "a derivative": lambda x, y: make(x, rows(y), 4).derivative(2)(T),
    "an antiderivative": lambda x, y: make(x, rows(y)).antiderivative(2)(T),
    "an integral of cubes": lambda x, y: si.CubicSpline(x, rows(y)).integrate(y[1], x[4]),
    "periodic cubes": lambda x, y: si.CubicSpline(x, around(y), bc_type="periodic").integrate(-y[0], 9.1),
    "an antiderivative of cubes": lambda x, y: si.PchipInterpolator(x, y).antiderivative(2)(T),
    "quadratic": lambda x, y: si.interp1d(
        x, rows(y), "quadratic", 0, bounds_error=False, fill_value=y[0]
    )(2 * T),
    "cubic outside": lambda x, y: si.interp1d(x, y, "cubic", fill_value="extrapolate")(2 * T - 1),
    "of degree one": lambda x, y: si.interp1d(x, y, "slinear")(T),
    "Bernstein": lambda x, y: si.BPoly(rows(y[:4]).reshape(4, 2), x[[0, 2, 5]])(T, 1) + BERNSTEIN(y[0]),
}  # fmt: skip
SURFACES: dict[str, Program] = {
    "lines": lambda x, y: surface(y, kx=2)(x[1:4], y[3] + T, dx=1),
    "points": lambda x, y: surface(y).ev(y[4] + T, x[1:5], dy=1),
    "a moved end": lambda x, y: surface(y, bbox=[-1, 6, -y[0], 9])(1.1, T),
    "derived": lambda x, y: surface(y).partial_derivative(1, 2)(x[1:4], y[3] + T),
    "derived at points": lambda x, y: SMOOTHED.partial_derivative(1, 0)(x[1:5], y[:4], grid=False),
    "not derived": lambda x, y: surface(y, kx=2).partial_derivative(0, 0).ev(x[1:5], T),
    "a volume": lambda x, y: surface(y).integral(y[0], 3.1, x[1], 9.0),
    "made outside": lambda x, y: SURFACE(x[1], y[0])[0, 0] * SLOPE(x[2], 1.1, grid=False),
    "parts": lambda x, y: si.bisplev(x[1:4], [1.1, 2.1], (*SMOOTH[:2], SMOOTH[2] * y[1], 3, 3)),
}
PROGRAMS = CURVES | {f"sum: {name}": p for name, p in SUMS.items()}
PROGRAMS |= {f"surface: {name}": p for name, p in SURFACES.items()}
TWICE = ("through all", "sum: smoothing")
"""Those whose second derivatives are always taken."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients(name: str) -> None:
    """By samples and their places."""
    program = PROGRAMS[name]
    values, direction = np.concatenate([X, Y]), 0.1 * np.cos(3.0 * np.arange(16.0))

    def f(values: Any) -> Any:
        return np.sum(np.sin(program(values[:8], values[8:])))

    y, _ = zg.pullback(f, values)
    assert y == f(values)
    (found,) = zg.gradient(f, values)
    expected = reference.directional(lambda t: f(values + t * direction))
    assert found @ direction == pytest.approx(float(expected), rel=1e-6)
    if ALL or name in TWICE:
        seconds = reference.directional(lambda t: zg.gradient(f, values + t * direction)[0])
        np.testing.assert_allclose(zg.hvp(f, values, direction), seconds, rtol=1e-5, atol=1e-5)


def test_single_samples() -> None:
    f = lambda y: np.sum(si.InterpolatedUnivariateSpline(X, y)(T))  # noqa: E731
    assert zg.gradient(f, Y.astype(np.float32))[0].dtype == np.float32


def test_evaluating_changes_no_array_of_a_spline() -> None:
    """SciPy puts another array in the place of coefficients that are not in its order."""
    spline = si.make_smoothing_spline(X, rows(Y), lam=0.3)
    c = spline.c
    (found,) = zg.gradient(lambda s: np.sum(s(T)), spline)
    assert spline.c is c
    fields = found._asdict()
    fields = fields["_delegate_to"]._asdict() if "_delegate_to" in fields else fields  # since SciPy 1.18
    bar = fields.get("_c", fields.get("c"))
    np.testing.assert_allclose(np.sum(bar * c), np.sum(spline(T)))


def test_what_has_no_rule_is_refused() -> None:
    for f, why in (
        (lambda y: np.sum(si.UnivariateSpline(X, y)(T)), "'scipy.interpolate.UnivariateSpline'"),
        (lambda y: np.sum(si.UnivariateSpline(X, y, s=0.5)(T)), "all samples"),
        (lambda y: surface(y, s=0.5).ev(1.0, 1.0), "RectBivariateSpline"),
        (lambda y: np.sum(si.make_smoothing_spline(X, y)(T)), "without 'lam'"),
        (lambda y: si.splint(0, 1, make(X, y)), "splint"),
        (lambda y: si.splprep([X, y])[1][2], "splprep"),
        (lambda y: si.splprep([X, y], s=0.1)[0][0][2], "splprep"),
        (lambda y: si.splprep([y, y], s=0, per=1)[1][2], "closed"),
        (lambda y: si.splrep(X, y, per=1, s=0.1)[1][2], "splrep"),
        (lambda y: si.InterpolatedUnivariateSpline(X, y).get_residual(), "'_data'"),
    ):
        with pytest.raises(MissingRuleError, match=why):
            zg.gradient(f, Y)
