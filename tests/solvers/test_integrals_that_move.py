"""Integrals of functions that are something else later, and second derivatives of integrals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad, quad_vec

import zygpy as zg
from zygpy.tangents_pulled import tangent_pull

X = 0.7


def in_a_loop(x: float) -> Any:
    total = 0.0
    for power in range(3):
        total = total + quad(lambda t: t**power * np.exp(-x * t), 0, 1 + power * x)[0]  # noqa: B023
    return total


def to_infinity(x: float) -> Any:
    return quad(lambda t: math.exp(-x * t * t), x, np.inf)[0]


def without_a_value_at_a_limit(x: float) -> Any:
    return quad(lambda t: math.log(t) * x * x, 0, x, full_output=1)[0]


def of_arrays(x: float) -> Any:
    return np.sum(quad_vec(lambda t: np.array([np.sin(x * t), np.exp(x * t * x)]), x, 0)[0])


def slope(f: Any, x: float, step: float = 2e-3) -> Any:
    """The derivative by four differences."""
    ahead, behind = f(x + step) - f(x - step), f(x + 2 * step) - f(x - 2 * step)
    return (8 * ahead - behind) / (12 * step)


def test_an_integrand_is_that_of_the_time_of_the_call() -> None:
    """What the lambda captures changes before the derivatives by the limits are asked for."""
    assert zg.gradient(in_a_loop, X)[0] == pytest.approx(slope(in_a_loop, X), rel=1e-8)


@pytest.mark.parametrize("f", [to_infinity, without_a_value_at_a_limit, of_arrays])
def test_tangents_and_products_with_hessians(f: Any) -> None:
    assert zg.pushforward(f, X)(2.0) == pytest.approx(2 * slope(f, X), rel=1e-7)
    second = slope(lambda x: zg.gradient(f, x)[0], X)
    assert zg.hvp(f, X, 2.0) == pytest.approx(2 * second, rel=1e-7)


def test_a_product_needs_no_other_way() -> None:
    pull = tangent_pull(of_arrays, X)
    assert pull is not None
    assert pull.product(1.0) == pytest.approx(slope(lambda x: zg.gradient(of_arrays, x)[0], X), rel=1e-7)


def of_what_is_nan(a: float) -> Any:
    return quad(lambda t: a * t * np.nan, 0.0, 1.0)[0]


@pytest.mark.filterwarnings("ignore::scipy.integrate.IntegrationWarning")
def test_an_integrand_that_is_nan_has_a_derivative_that_is() -> None:
    assert np.isnan(zg.gradient(of_what_is_nan, 0.5)[0])
    assert np.isnan(zg.pushforward(of_what_is_nan, 0.5)(1.0))
