"""Second derivatives by where a quantile is asked for and by the sample: the shares move with the place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import special

import zygpy as zg
from zygpy.testing import check_gradient

SAMPLE = np.array([3.0, 1.0, 4.0, 1.5, 9.0])


@pytest.mark.parametrize("method", ["linear", "weibull", "median_unbiased", "lower"])
@pytest.mark.parametrize("name", ["quantile", "percentile", "nanquantile", "nanpercentile"])
def test_sample_and_place(name: str, method: str) -> None:
    quantile, unit = getattr(np, name), 100 if "percent" in name else 1

    def function(a: Any, q: Any) -> Any:
        return np.sum(quantile(a, unit * q, method=method) ** 2 * np.array([1.0, 2.0]))

    check_gradient(function, SAMPLE, np.array([0.33, 0.61]), order=2)


def test_all_at_once() -> None:
    def function(z: Any) -> Any:
        return np.quantile(z[:5], z[5]) * z[0]

    z = np.append(SAMPLE, 0.3)
    expected = np.zeros((6, 6))
    # The quantile is 0.8 * z[3] + 0.2 * z[0] there, of which z[5] moves 4 from z[3] to z[0].
    expected[0, 0], expected[0, 3], expected[0, 5] = 0.4, 0.8, 4 * (z[0] - z[3]) + 4 * z[0]
    expected[3, 5] = -4 * z[0]
    expected += np.triu(expected, 1).T
    assert zg.hessian(function, z) == pytest.approx(expected)
    assert zg.hessian_reverse(function, z) == pytest.approx(expected)


def test_third_derivatives() -> None:
    def by_place(a: Any, q: Any) -> Any:
        return zg.gradient(lambda q: np.quantile(a, q) ** 2 * q, q)[0]

    check_gradient(by_place, SAMPLE, 0.33, order=2)


def test_along_axes() -> None:
    def function(a: Any, q: Any) -> Any:
        return np.sum(np.quantile(a, q, axis=(0, 2), keepdims=True) ** 2)

    a = np.sin(np.arange(12.0)).reshape(2, 3, 2)
    check_gradient(function, a, 0.4, order=2)


def test_a_rule_with_a_flag_that_is_off() -> None:
    def slope(weight: Any, x: Any) -> Any:
        return np.sum(zg.gradient(lambda x: weight * special.logsumexp(x), x)[0] * x)

    check_gradient(slope, 1.5, SAMPLE)
