"""Sums of basis functions and interpolation on grids by `scipy.interpolate`, made outside and in programs."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import scipy.interpolate as si

import zygpy as zg
from tests.rules import reference
from zygpy.errors import MissingRuleError
from zygpy.runtime import basis_splines, grid_interpolators
from zygpy.testing import check_gradient

X = np.array([0.0, 0.7, 1.5, 2.2, 3.1, 4.0, 4.6, 5.5])
Y = np.array([1.0, 0.3, -0.5, 0.8, 1.7, 0.2, 0.5, -0.3])
T = np.array([0.3, 1.0, 2.5, 3.9])
FALLING = np.array([4.0, 2.0, 1.0])
ROWS = np.stack([Y, Y * Y], axis=1)
ALL = "ZYGPY_ALL_CASES" in os.environ
"""Whether all programs are differentiated, and twice."""

CUBIC = si.make_interp_spline(X, ROWS)
SMOOTH = si.UnivariateSpline(X, Y, s=0.1)
ON_GRID = si.RegularGridInterpolator((X, FALLING), np.outer(Y, FALLING))
KNOTS = np.concatenate([X[:1]] * 4 + [1.01 * X[2:-2]] + [X[-1:]] * 4)


HUMP = np.sin(np.pi * KNOTS / KNOTS[-1])


def rows(y: Any) -> Any:
    return np.stack([y, y * y], axis=1)


def pair(t: Any) -> Any:
    return np.stack([t, 0.8 + 0.4 * t], axis=1)


make, grid = si.make_interp_spline, si.RegularGridInterpolator

ALWAYS: dict[str, Callable[..., Any]] = {
    "several conditions": lambda x, y, t: make(x, rows(y), bc_type=([(1, y[:2])], [(2, y[2:4])]))(t),
    "of degree two": lambda x, y, t: make(x, rows(y), k=2)(1.6 * t - 0.2, 1),
    "periodic points": lambda x, y, t: si.BSpline(x, rows(y[:5]), 2, extrapolate="periodic")(2 * t - 2.9),
    "outside": lambda x, y, t: CUBIC(t, 1) * CUBIC(3 * t - 2),
    "by FITPACK": lambda x, y, t: si.splev(t, si.splrep(x, y)),
    "smooth": lambda x, y, t: SMOOTH(1.5 * t - 0.9) * SMOOTH(t, 1, ext="const"),
    "on a grid": lambda x, y, t: grid((X, FALLING), np.outer(y, y[:3]))(pair(x[1] * t + 0.4)),
    "on a grid of rows": lambda x, y, t: si.interpn(
        (x, FALLING), np.outer(y, y[:6]).reshape(8, 3, 2), (2 * t - 3, t[0]), "linear", False, y[0]
    ),
}
OTHERS: dict[str, Callable[..., Any]] = {
    "interpolating": lambda x, y, t: make(x, y)(t),
    "of degree five": lambda x, y, t: make(x, rows(y).T, k=5, axis=1)(1.6 * t - 0.2),
    "lines": lambda x, y, t: make(x, y, k=1)(t),
    "steps": lambda x, y, t: make(x, y, k=0)(t) * t,
    "natural": lambda x, y, t: make(x, y, bc_type="natural")(t),
    "clamped": lambda x, y, t: make(x, y, bc_type=("clamped", "natural"))(t),
    "knots": lambda x, y, t: make(x, y, t=KNOTS + (x[2] - 1.5) * HUMP)(t),
    "made": lambda x, y, t: si.BSpline(x, y[:4], 3)(t + 1),
    "not outside": lambda x, y, t: si.BSpline(x, y[:5], 2, extrapolate=False)(t[2:]),
    "coefficients": lambda x, y, t: make(x, y).c * make(x, y).tck[0][:8],
    "evaluated by FITPACK": lambda x, y, t: si.splev(1.5 * t - 0.3, (x, y, 2), 1),
    "FITPACK outside": lambda x, y, t: si.splev(2 * t, (x, y, 2), 0, 3) + si.splev(2 * t, (x, y, 2), 1, 1),
    "FITPACK's slopes outside": lambda x, y, t: si.splev(2 * t, (x, y, 2), 1, 3),
    "degree two by FITPACK": lambda x, y, t: si.splev(t, si.splrep(x, y, k=2, s=0), 1),
    "degree five by FITPACK": lambda x, y, t: si.splev(t, si.splrep(x, y, k=5), 2),
    "an object for FITPACK": lambda x, y, t: si.splev(t, make(x, y)),
    "grid made outside": lambda x, y, t: ON_GRID(pair(0.6 * t + 0.5)),
    "parts of a grid": lambda x, y, t: grid((X, X), np.outer(y, y)).values * x,
    "nearest": lambda x, y, t: t * grid((X, FALLING), np.outer(y, y[:3]), "nearest")((t, 1.1 + 0.3 * t)),
    "grid outside": lambda x, y, t: si.interpn((x,), y, 2 * t - 3, bounds_error=False, fill_value=None),
}


@pytest.mark.parametrize("name", [*ALWAYS, *(OTHERS if ALL else ())])
def test_splines_by_samples_their_places_and_points(name: str) -> None:
    program = ALWAYS[name] if name in ALWAYS else OTHERS[name]

    def f(values: Any) -> Any:
        return np.sum(np.sin(program(values[:8], values[8:16], values[16:])))

    values = np.concatenate([X, Y, T])
    np.testing.assert_array_equal(zg.pullback(program, X, Y, T)[0], program(X, Y, T))
    direction = np.cos(3.0 * np.arange(20.0))
    (found,) = zg.gradient(f, values)
    expected = reference.directional(lambda t: f(values + t * direction))
    assert found @ direction == pytest.approx(float(expected), rel=1e-7, abs=1e-9)
    if ALL:
        seconds = reference.directional(lambda t: zg.gradient(f, values + t * direction)[0])
        np.testing.assert_allclose(zg.hvp(f, values, direction), seconds, rtol=1e-6, atol=1e-6)


def test_second_derivatives_by_coefficients_and_points() -> None:
    f = lambda v: np.sum(np.sin(si.BSpline(X, v[:5], 2)(v[5:])))  # noqa: E731
    values, direction = np.concatenate([Y[:5], T + 0.5]), np.cos(3.0 * np.arange(9.0))
    seconds = reference.directional(lambda t: zg.gradient(f, values + t * direction)[0])
    np.testing.assert_allclose(zg.hvp(f, values, direction), seconds, rtol=1e-6, atol=1e-7)


def test_coefficients_and_knots_beside_are_those_of_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(basis_splines, "with_parts", lambda spline, c, t: (spline, c, t))
    for k in range(6):
        for y in (Y, ROWS, ROWS * (1 + 2j), Y.astype(np.float32)):
            spline, c, t = basis_splines.interpolating(X, y, k)
            np.testing.assert_allclose(c, spline.c, atol=1e-9)
            np.testing.assert_array_equal(t, spline.t)
    ends: tuple[Any, ...] = ("natural", "clamped", "not-a-knot", (None, None))
    told: tuple[Any, ...] = (([(1, np.full(2, 0.5))], [(1, np.full(2, 0.2))]), ("natural", "clamped"))
    knots = np.concatenate([X[:1]] * 4 + [X[1:-1]] + [X[-1:]] * 4)
    several = ([(1, np.full(2, 0.5)), (2, np.ones(2))], None)
    for conditions, given in (*[(one, None) for one in (*ends, *told)], (several, knots)):
        spline, c, t = basis_splines.interpolating(X, ROWS, 3, given, conditions)
        np.testing.assert_allclose(c, spline.c, atol=1e-9)
        np.testing.assert_array_equal(t, spline.t)
    spline, c, t = basis_splines.interpolating(X, np.zeros((8, 0)))
    assert c.shape == spline.c.shape


OUTSIDE = np.concatenate([X, 0.5 * X - 2.0, X + 3.0])
REPEATED = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 2.5, 3.0, 3.0, 3.0])
SPLINES = ((2, REPEATED, Y[:6]), (2, REPEATED, ROWS[:6]), (0, X, Y[:7]), (3, X, Y[:4]), (1, X, ROWS[:6].T))


def evaluations() -> Iterator[Any]:
    for k, t, c in SPLINES:
        spline = si.BSpline(t, c, k, axis=1 if c.shape == (2, 6) else 0)
        for nu, way in itertools.product(range(4), (True, "periodic")):
            yield basis_splines.evaluated(spline, OUTSIDE.reshape(4, -1), nu, way)
        yield basis_splines.evaluated(spline, np.zeros(0))
    for nu, ext in itertools.product(range(3), (0, 1, 3)):
        yield basis_splines.at_points(OUTSIDE, (REPEATED, Y[:6], 2), nu, ext)


def on_grids(method: str) -> Iterator[Any]:
    on_grid = grid_interpolators.on_grid
    inner = np.clip(pair(T), 1, 4)
    yield on_grid((X, FALLING), np.outer(Y, FALLING), inner, method)
    yield on_grid((X, FALLING), np.arange(24).reshape(8, 3), inner[0], method)
    yield on_grid((X,), ROWS, (OUTSIDE,), method, False, None)
    yield on_grid((X,), ROWS * 1j, OUTSIDE[:, None, None], method, False, 7.0)
    yield on_grid((X, [2.0]), Y[:, None], (T, 2.0), method)
    yield grid_interpolators.evaluated(ON_GRID, inner, method)


def test_what_is_computed_beside_is_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in ((basis_splines, "like_given"), (grid_interpolators, "as_given")):
        monkeypatch.setattr(module, name, lambda value, found: (value, found))
    for value, found in (*evaluations(), *on_grids("linear"), *on_grids("nearest")):
        np.testing.assert_allclose(found, value, rtol=1e-9, atol=1e-9)


def test_complex_single_and_empty() -> None:
    y = Y * (1 + 0.3j) + 0.2j * X
    direction = np.cos(np.arange(8.0)) + 1j * np.sin(np.arange(8.0))
    f = lambda y: np.sum(np.abs(make(X, y)(T)) ** 2)  # noqa: E731
    expected = reference.directional(lambda t: f(y + t * direction))
    assert np.real(np.vdot(zg.gradient(f, y)[0], direction)) == pytest.approx(float(expected), rel=1e-8)
    assert zg.gradient(f, Y.astype(np.float32))[0].dtype == np.float32
    assert zg.gradient(lambda t: np.sum(CUBIC(t)), np.zeros(0))[0].shape == (0,)


def test_points_without_a_value() -> None:
    found, _ = zg.gradient(
        lambda y, t: np.nansum(si.interpn((X,), y, t, bounds_error=False)), Y, np.array([np.nan, 0.35, 9.0])
    )
    assert found.tolist() == [0.5, 0.5] + [0.0] * 6
    inside = si.BSpline(X, Y[:5], 2, extrapolate=False)
    (found,) = zg.gradient(lambda t: np.nansum(inside(t)), np.array([0.0, 2.0, 9.0]))
    np.testing.assert_allclose(found, [0.0, inside(2.0, 1), 0.0])


def test_samples_belong_to_the_cell_behind_them() -> None:
    steps = np.array([0.0, 1.0, 4.0])
    (found,) = zg.gradient(lambda t: np.sum(si.interpn((np.arange(3.0),), steps, t)), np.arange(3.0))
    assert found.tolist() == [1.0, 3.0, 3.0]


def test_objects_as_arguments() -> None:
    """Their coefficients, knots, samples and grids have the gradient."""
    spline = make(X, Y)
    fields = zg.gradient(lambda spline: spline(1.0), spline)[0]._asdict()
    if "_delegate_to" in fields:  # since SciPy 1.18
        fields = fields["_delegate_to"]._asdict()
    c = fields.get("_c", fields.get("c"))
    assert c @ spline.c == pytest.approx(float(spline(1.0)))
    fields = zg.gradient(lambda of_grid: of_grid((1.0, 2.0)), ON_GRID)[0]._asdict()
    values = fields.get("_values", fields.get("values"))
    assert np.vdot(values, ON_GRID.values) == pytest.approx(float(ON_GRID((1.0, 2.0))))


def on_moved_lines(x: Any, lower: Any, y: Any, t: Any) -> Any:
    made = grid((x, lower), np.outer(y, y[:3]), bounds_error=False, fill_value=None)
    return made(pair(t)) * made(pair(t + 0.1), "nearest") + made.grid[0][1] * made.values[0, 0]


def test_the_places_of_a_grid_have_gradients() -> None:
    check_gradient(on_moved_lines, X, FALLING, Y, T)
    check_gradient(lambda x: sum(grid((x + k,), Y)([2.5 + k])[0] for k in range(3)), X)


def beyond_a_grid(y: Any, fill: Any) -> Any:
    made = grid((X,), y, bounds_error=False, fill_value=fill * 2)
    return made([2.5, X[-1] + 1.0, X[0] - 1.0]) * made.fill_value


def test_what_stands_beyond_a_grid_has_a_gradient() -> None:
    check_gradient(beyond_a_grid, Y, 0.7)
    check_gradient(lambda fill: beyond_a_grid(Y, fill), 0.7, order=2)


def found_by_another_name(x: Any, y: Any) -> Any:
    found: list[Any] = []
    names = found
    found.append(grid((x,), y)([2.5])[0])
    return names[0] * x[3]


def test_the_places_of_a_grid_that_are_found_by_identity() -> None:
    check_gradient(found_by_another_name, X, Y)


def test_what_has_no_rule_is_refused() -> None:
    for f, why in (
        (lambda y: si.splev(1.0, si.splrep(X, y, s=0.1)), "all samples"),
        (lambda y: si.splev(1.0, si.splrep(X, y, w=y)), "all samples"),
        (lambda y: np.sum(si.splev(1.0, (X, [y[:4], y[:4]], 3))), "curves"),
        (lambda y: si.RegularGridInterpolator((X,), y, "cubic")([1.0])[0], "on grids"),
        (lambda y: si.interpn((X,), y, 1.0, "pchip")[0], "on grids"),
    ):
        with pytest.raises(MissingRuleError, match=why):
            zg.gradient(f, Y)
