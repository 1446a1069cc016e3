"""Probabilities of normal vectors, inverse Wishart densities, histograms, expectations of `scipy.stats`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.stats as st

import zygpy as zg
from tests.rules import reference
from zygpy.runtime.multivariate_probabilities import trivariate
from zygpy.testing import check_gradient


def test_probabilities_of_two_numbers() -> None:
    def program(x: Any, mean: Any, cov: Any) -> Any:
        return st.multivariate_normal.cdf(x, mean, cov, lower_limit=[-1.0, -np.inf])

    cov = np.array([[1.0, 0.3], [0.3, 2.0]])
    check_gradient(program, np.array([0.4, 0.3]), np.array([0.0, 0.1]), cov)


def test_probabilities_of_three_numbers_follow_those_of_two() -> None:
    matrix = np.array([[1.0, 0.2, 0.3], [0.2, 1.0, 0.4], [0.3, 0.4, 1.0]])
    x = np.array([0.4, -0.3, 0.2])
    bars = zg.gradient(lambda x, cov: st.multivariate_normal.logcdf(x, np.zeros(3), cov), x, matrix)
    for at in range(3):
        step = np.eye(3)[at]
        expected = reference.directional(
            lambda t, step=step: np.log(trivariate(*(x + t * step), 0.2, 0.3, 0.4)), 1e-2
        )
        assert bars[0][at] == pytest.approx(float(expected), rel=1e-4)
    expected = reference.directional(lambda t: np.log(trivariate(*x, 0.2, 0.3, 0.4 + t)), 1e-2)
    assert bars[1][2, 1] + bars[1][1, 2] == pytest.approx(float(expected), rel=1e-4)


def test_probabilities_of_more_numbers_are_refused() -> None:
    with pytest.raises(zg.MissingRuleError, match="4 components"):
        zg.gradient(lambda x: st.multivariate_normal.cdf(x, np.zeros(4), np.eye(4)), np.zeros(4))


def test_inverse_wishart_density() -> None:
    x, scale = np.array([[1.5, 0.2], [0.2, 1.1]]), np.array([[1.0, 0.3], [0.3, 2.0]])
    bars = zg.gradient(lambda x, df: st.invwishart.logpdf(x, df, scale), x, 4.0)
    inverse = np.linalg.inv(x)
    whole = (inverse @ scale @ inverse - 7.0 * inverse) / 2
    expected = np.array([[whole[0, 0], 0.0], [2 * whole[1, 0], whole[1, 1]]])
    np.testing.assert_allclose(bars[0], expected, rtol=1e-10, atol=1e-14)
    by_freedom = reference.directional(lambda t: st.invwishart.logpdf(x, 4.0 + t, scale), 1e-2)
    assert bars[1] == pytest.approx(float(by_freedom))


def test_distributions_of_histograms() -> None:
    counts, borders = np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 2.0, 3.0])

    def program(x: float, q: float, scale: float) -> float:
        made = st.rv_histogram((counts, borders))
        return made.cdf(x, 0.1, scale) + made.ppf(q) + made.pdf(x, scale=scale)

    bars = zg.gradient(program, 1.4, 0.3, 1.2)
    density, z = 1 / 3, 1.3 / 1.2
    assert bars == pytest.approx((density / 1.2, 3.0, -density * z / 1.2 - density / 1.2**2))
    with pytest.raises(zg.MissingRuleError, match="histogram"):
        zg.gradient(lambda n: st.rv_histogram((np.array([n, 2.0]), np.arange(3.0))).cdf(1.2), 1.0)


def test_infinite_ends_of_the_support_spoil_nothing() -> None:
    bars = zg.gradient(lambda loc, scale: st.norm.expect(lambda x: x * x, loc=loc, scale=scale), 0.7, 1.5)
    assert bars == pytest.approx((1.4, 3.0), rel=1e-6)


def test_quantiles_of_distributions_without_rules_move_with_the_scale() -> None:
    bars = zg.gradient(lambda loc, scale: st.exponpow.ppf(0.3, 1.5, loc, scale), 0.2, 1.7)
    assert bars == pytest.approx((1.0, st.exponpow.ppf(0.3, 1.5)))
    bars = zg.gradient(lambda loc, scale: st.exponpow.isf(0.3, 1.5, loc=loc, scale=scale), 0.2, 1.7)
    assert bars == pytest.approx((1.0, st.exponpow.isf(0.3, 1.5)))
    assert zg.gradient(lambda s: st.exponpow.ppf(0.3, b=1.5, scale=s), 1.7)[0] == pytest.approx(
        st.exponpow.ppf(0.3, 1.5)
    )
