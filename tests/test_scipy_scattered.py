"""Interpolation of samples at scattered points, and by one polynomial."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.interpolate as si

import zygpy as zg
from zygpy.errors import MissingRuleError
from zygpy.testing import check_gradient

RANDOM = np.random.default_rng(2)
POINTS, VALUES = RANDOM.normal(size=(9, 2)), RANDOM.normal(size=9)
INSIDE = np.array([POINTS[:3].mean(axis=0), POINTS[3:6].mean(axis=0), 0.6 * POINTS[1] + 0.4 * POINTS[7]])
LINE, AT = np.array([0.0, 1.0, 0.4, 2.0]), np.array([0.2, 1.5, 1.0])
MADE = si.LinearNDInterpolator(POINTS, VALUES)
ALL = "ZYGPY_ALL_CASES" in os.environ
"""Whether more programs are differentiated twice, which takes minutes."""

PROGRAMS: dict[str, tuple[Callable[..., Any], Any]] = {
    "samples": (lambda v: si.LinearNDInterpolator(POINTS, v)(INSIDE), (VALUES,)),
    "points": (lambda p, x: si.LinearNDInterpolator(p, VALUES)(x), (POINTS, INSIDE)),
    "complex samples": (lambda v: si.LinearNDInterpolator(POINTS, v)(INSIDE), (VALUES * (1 + 0.5j),)),
    "columns": (lambda v: si.LinearNDInterpolator(POINTS, v)(INSIDE), (RANDOM.normal(size=(9, 2, 3)),)),
    "what stands outside": (
        lambda v, q: si.LinearNDInterpolator(POINTS, v, fill_value=q)(INSIDE * 4),
        (VALUES, 0.5),
    ),
    "scaled": (
        lambda p, x: si.LinearNDInterpolator(p * [1, 10], VALUES, rescale=True)(x * [1, 10]),
        (POINTS, INSIDE),
    ),
    "coordinates": (
        lambda x, y: si.LinearNDInterpolator((POINTS[:, 0], POINTS[:, 1]), VALUES)(x, y),
        (INSIDE[:, 0], INSIDE[:, 1]),
    ),
    "captured": (lambda x: MADE(x), (INSIDE,)),
    "nearest": (lambda v: si.NearestNDInterpolator(POINTS, v)(INSIDE), (VALUES,)),
    "griddata": (lambda v, x: si.griddata(POINTS, v, x), (VALUES, INSIDE)),
    "griddata, nearest": (lambda v: si.griddata(POINTS, v, INSIDE, method="nearest"), (VALUES,)),
    "griddata on a line": (lambda v, x, p: si.griddata(p, v, x, method="cubic"), (VALUES[:4], AT, LINE)),
    "one polynomial": (lambda p, v, x: si.barycentric_interpolate(p, v, x, rng=1), (LINE, VALUES[:4], AT)),
    "polynomials along an axis": (
        lambda v, x: si.barycentric_interpolate(LINE, v, x, axis=1, rng=1),
        (RANDOM.normal(size=(2, 4, 3)), AT[:2, None]),
    ),
    "a number": (lambda x: si.barycentric_interpolate(LINE, VALUES[:4], x, rng=1), (0.3,)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients(name: str) -> None:
    program, args = PROGRAMS[name]
    check_gradient(program, *args, order=2 if name == "a number" or ALL else 1)


def test_tangents_are_those_of_the_transpose() -> None:
    direction, weights = np.cos(np.arange(9.0)), np.array([1.0, -2.0, 0.5])
    _, back = zg.pullback(PROGRAMS["samples"][0], VALUES)
    pushed = zg.pushforward(PROGRAMS["samples"][0], VALUES)(direction)
    assert np.dot(weights, pushed) == pytest.approx(np.dot(back(weights)[0], direction))


def test_the_nearest_sample_does_not_move() -> None:
    gradients = zg.gradient(lambda p, x: np.sum(si.NearestNDInterpolator(p, VALUES)(x)), POINTS, INSIDE)
    assert not any(map(np.any, gradients))


def test_the_gradient_of_an_interpolator() -> None:
    gradient = zg.gradient(lambda f: np.sum(f(INSIDE)), MADE)[0]
    by_samples = zg.gradient(lambda v: np.sum(si.LinearNDInterpolator(POINTS, v)(INSIDE)), VALUES)[0]
    assert np.allclose(gradient.values[:, 0], by_samples)
    assert gradient.points.shape == POINTS.shape


def test_numbers_come_out_as_scipy_gives_them() -> None:
    knots = np.arange(6.0)
    for program in (
        lambda v: si.PPoly(v.reshape(2, 3), np.arange(4.0))(0.4),
        lambda v: si.make_interp_spline(knots, v)(0.4),
        lambda v: si.interp1d(knots, v)(0.4),
        lambda v: si.NearestNDInterpolator(POINTS[:6], v)(0.3, 0.3),
    ):
        value, expected = zg.pullback(program, np.cos(knots))[0], program(np.cos(knots))
        assert type(value) is type(expected)
        assert np.array_equal(value, expected)


def test_cubics_in_triangles_are_refused() -> None:
    made = si.CloughTocher2DInterpolator(POINTS, VALUES)
    with pytest.raises(MissingRuleError, match="LinearNDInterpolator"):
        zg.gradient(lambda x: np.sum(made(x)), INSIDE)
    with pytest.raises(MissingRuleError, match="cubics in triangles"):
        zg.gradient(lambda v: np.sum(si.griddata(POINTS, v, INSIDE, method="cubic")), VALUES)


def test_the_method_that_a_call_is() -> None:
    points, at = (
        np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),
        np.array([[0.3, 0.4], [0.6, 0.7]]),
    )
    values = np.array([1.0, 2.0, 3.0, 5.0])

    def by_name(v: Any) -> Any:
        return np.sum(si.LinearNDInterpolator(points, v).__call__(at) ** 2)

    def called(v: Any) -> Any:
        return np.sum(si.LinearNDInterpolator(points, v)(at) ** 2)

    assert np.any(zg.gradient(called, values)[0])
    np.testing.assert_allclose(zg.gradient(by_name, values)[0], zg.gradient(called, values)[0])
