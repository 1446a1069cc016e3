"""Gradients of interpolation by radial functions and by one polynomial."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.interpolate as si

import zygpy as zg
from tests.solvers.references import agrees, agrees_to_second_order
from zygpy.errors import MissingRuleError

PLACES = np.random.default_rng(0).random((12, 2))
SAMPLES = np.sin(3 * PLACES[:, 0]) + PLACES[:, 1] ** 2
POINTS = np.array([[0.41, 0.52], [0.57, 0.43]])
KERNELS = ("thin_plate_spline", "linear", "cubic", "quintic", "gaussian", "multiquadric")
KNOTS, VALUES = np.array([0.0, 0.7, 1.5, 2.9, 4.0]), np.cos(np.array([0.0, 0.7, 1.5, 2.9, 4.0]))
MADE, POLYNOMIAL = si.RBFInterpolator(PLACES, SAMPLES), si.KroghInterpolator(KNOTS, VALUES)
BETWEEN = np.array([0.3, 2.3])


NEAR = np.random.default_rng(5).random((5, 2))
AMONG, HELD = si.RBFInterpolator(PLACES, SAMPLES, 6), si.BarycentricInterpolator(KNOTS, VALUES)


def rows(y: Any) -> Any:
    return np.stack([y, y**2], axis=1)


def with_more(y: Any) -> Any:
    polynomial = si.BarycentricInterpolator(KNOTS, rng=1)
    polynomial.set_yi(y)
    polynomial.add_xi([y[0] + 4.5], [y[1]])
    return polynomial(BETWEEN)


def radial(kernel: str) -> Any:
    return lambda d: si.RBFInterpolator(PLACES, d, kernel=kernel, epsilon=1.3)(POINTS)


PROGRAMS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    **{
        kernel: (radial(kernel), SAMPLES)
        for kernel in (*KERNELS, "inverse_multiquadric", "inverse_quadratic")
    },
    "places": (lambda y: si.RBFInterpolator(y, SAMPLES)(POINTS), PLACES),
    "points": (lambda x: si.RBFInterpolator(PLACES, SAMPLES, degree=2)(x), POINTS),
    "points of what is made outside": (lambda x: MADE(x), POINTS),
    "at samples": (lambda d: si.RBFInterpolator(PLACES, d, kernel="linear")(PLACES[:2]), SAMPLES),
    "width": (lambda e: si.RBFInterpolator(PLACES, SAMPLES, kernel="gaussian", epsilon=e)(POINTS), 2.0),
    "smoothing": (lambda s: si.RBFInterpolator(PLACES, SAMPLES, smoothing=s)(POINTS), 0.3),
    "each smoothing": (lambda s: si.RBFInterpolator(PLACES, SAMPLES, smoothing=s)(POINTS), SAMPLES**2),
    "vectors": (lambda d: si.RBFInterpolator(PLACES, np.stack([d, d**2], axis=1))(POINTS), SAMPLES),
    "nearest": (lambda d: si.RBFInterpolator(PLACES, d, neighbors=6)(NEAR), SAMPLES),
    "places of the nearest": (
        lambda y: si.RBFInterpolator(y, rows(SAMPLES), 5, 0.1, "gaussian", 2.0)(NEAR),
        PLACES,
    ),
    "points near others": (lambda x: AMONG(x), NEAR),
    "the nearest one": (lambda d: si.RBFInterpolator(PLACES, d, 1, kernel="linear")(NEAR), SAMPLES),
    "more than there are": (lambda s: si.RBFInterpolator(PLACES, SAMPLES, 99, s)(NEAR), 0.3),
    "barycentric": (lambda y: si.BarycentricInterpolator(KNOTS, y, rng=1)(BETWEEN), VALUES),
    "its knots": (lambda x: si.BarycentricInterpolator(x, rows(VALUES), rng=1)(1.2), KNOTS),
    "barycentric slopes": (
        lambda x: si.BarycentricInterpolator(x, rows(VALUES).T, 1, rng=1).derivative(BETWEEN, 2),
        KNOTS,
    ),
    "its points, made outside": (lambda x: HELD(x) * HELD.derivative(x), BETWEEN),
    "a slope by samples": (lambda y: si.barycentric_interpolate(KNOTS, y, 1.2, der=1), VALUES),
    "samples that are set": (lambda y: with_more(y), VALUES),
    "polynomial": (lambda y: si.KroghInterpolator(KNOTS, y)(BETWEEN), VALUES),
    "its places": (lambda x: si.krogh_interpolate(x, VALUES, BETWEEN), KNOTS),
    "its slope": (lambda y: si.krogh_interpolate(KNOTS, y, 1.2, der=1), VALUES),
    "its points": (lambda x: POLYNOMIAL(x) * POLYNOMIAL.derivative(x), BETWEEN),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients(name: str) -> None:
    program, x = PROGRAMS[name]
    np.testing.assert_array_equal(zg.pullback(program, x)[0], program(x))
    agrees(lambda x: np.sum(np.cos(program(x))), x)


@pytest.mark.parametrize("name", ["thin_plate_spline", "width", "polynomial"])
def test_second_derivatives(name: str) -> None:
    program, x = PROGRAMS[name]
    agrees_to_second_order(lambda x: np.sum(np.cos(program(x))), x)


def test_single_precision() -> None:
    for count in (None, 5):
        (found,) = zg.gradient(
            lambda d, count=count: np.sum(si.RBFInterpolator(PLACES, d, count)(NEAR)), SAMPLES.astype("f4")
        )
        (expected,) = zg.gradient(
            lambda d, count=count: np.sum(si.RBFInterpolator(PLACES, d, count)(NEAR)), SAMPLES
        )
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_what_is_refused() -> None:
    with pytest.raises(MissingRuleError, match="complex"):
        zg.gradient(lambda d: np.sum(np.abs(si.RBFInterpolator(PLACES, d * 1j)(POINTS))), SAMPLES)
    for program in (
        lambda x: np.sum(si.BarycentricInterpolator(x, VALUES).wi),
        lambda x: np.sum(si.BarycentricInterpolator(x, VALUES).derivatives(BETWEEN)),
    ):
        with pytest.raises(MissingRuleError, match="'weights' by 'places'"):
            zg.gradient(program, KNOTS)
    with pytest.raises(MissingRuleError, match="several derivatives"):
        zg.gradient(lambda y: np.sum(si.barycentric_interpolate(KNOTS, y, 1.2, der=[0, 1])), VALUES)
