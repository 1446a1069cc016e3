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


def test_what_is_refused() -> None:
    with pytest.raises(MissingRuleError, match="neighbors"):
        zg.gradient(lambda d: np.sum(si.RBFInterpolator(PLACES, d, neighbors=6)(POINTS)), SAMPLES)
    with pytest.raises(MissingRuleError, match="complex"):
        zg.gradient(lambda d: np.sum(np.abs(si.RBFInterpolator(PLACES, d * 1j)(POINTS))), SAMPLES)
