"""Jacobians, Hessians and tangents inside functions that are differentiated themselves."""

import math

import numpy as np
import pytest
from scipy.optimize import rosen_hess

import zygpy as zg
from tests.test_derivatives import rosen_by_arrays, rosen_by_elements

X = np.array([1.3, 0.7, 0.8, 1.9])


@pytest.mark.acceptance
def test_second_derivatives_are_differentiated():
    assert zg.gradient(lambda t: np.sum(zg.hvp(lambda x: np.sum(x**3) * t, X, X)), 2.0) == pytest.approx(
        (6.0 * np.sum(X**2),)
    )
    assert zg.derivative(lambda t: zg.hessian(lambda x: x**4 * t, 2.0))(1.0) == pytest.approx(48.0)


@pytest.mark.acceptance
def test_no_perturbation_confusion():
    assert zg.derivative(lambda x: x * zg.derivative(lambda y: x + y)(1.0))(1.0) == 1.0
    assert zg.derivative(lambda x: x * zg.pushforward(lambda y: x * y, 1.0)(1.0))(3.0) == 6.0
    assert zg.derivative(lambda x: zg.hvp(lambda y: x * y**2, 1.0, x))(3.0) == 12.0


def test_tangents_are_differentiated():
    assert zg.gradient(lambda t: zg.pushforward(lambda x: x**3 * t, 2.0)(1.0) * t, 5.0) == (120.0,)

    def captured(t):
        def inner(x):
            return math.sin(t * x)

        return zg.pushforward(inner, 1.0)(1.0)

    assert zg.derivative(captured)(0.5) == pytest.approx(math.cos(0.5) - 0.5 * math.sin(0.5))


@pytest.mark.acceptance
def test_jacobians_are_differentiated():
    assert zg.gradient(lambda t: np.sum(zg.jacobian(lambda x: x**3 * t, X)[0]), 2.0) == pytest.approx(
        (3.0 * np.sum(X**2),)
    )
    second = zg.jacobian(lambda x: zg.jacobian(lambda y: y**3, x)[0], X[:2])[0]
    expected = np.zeros((2, 2, 2))
    expected[[0, 1], [0, 1], [0, 1]] = 6.0 * X[:2]
    np.testing.assert_allclose(second, expected)


def test_the_hessian_of_a_hundred_variables():
    x = np.linspace(0.5, 1.5, 100)
    for rosen in (rosen_by_elements, rosen_by_arrays):
        np.testing.assert_allclose(zg.hessian(rosen, x), rosen_hess(x), rtol=1e-10, atol=1e-10)
