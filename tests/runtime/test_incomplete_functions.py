"""Derivatives of incomplete gamma and beta functions by their parameters, over many magnitudes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.special as sc
import scipy.stats as st

import zygpy as zg
from tests.rules import reference
from zygpy.testing import check_gradient


def by_parameter(below: Any, above: Any, at: Any, share: float) -> Any:
    """The derivative by a parameter `at`, of whichever of two functions is not nearly constant."""
    function = below if share < 0.5 else above
    expected = reference.directional(lambda t: function(at + t), 0.02 * min(at, at**0.5))
    return zg.gradient(function, at)[0], float(expected)


@pytest.mark.parametrize("share", [1e-9, 0.02, 0.4, 0.9, 1 - 1e-9])
def test_incomplete_gamma_function_by_its_parameter(share: float) -> None:
    for a in (0.1, 1.0, 7.0, 200.0, 1e5):
        x = float(sc.gammaincinv(a, share))
        bar, expected = by_parameter(
            lambda a, x=x: sc.gammainc(a, x), lambda a, x=x: sc.gammaincc(a, x), a, share
        )
        assert bar == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("share", [1e-6, 0.3, 0.97])
def test_incomplete_beta_function_by_its_parameters(share: float) -> None:
    for a, b in ((1e-2, 0.3), (0.5, 40.0), (30.0, 2.0), (3e3, 1e3)):
        x = float(sc.betaincinv(a, b, share))
        bar, expected = by_parameter(
            lambda a, b=b, x=x: sc.betainc(a, b, x), lambda a, b=b, x=x: sc.betaincc(a, b, x), a, share
        )
        assert bar == pytest.approx(expected, rel=1e-5)
        bar, expected = by_parameter(
            lambda b, a=a, x=x: sc.betainc(a, b, x), lambda b, a=a, x=x: sc.betaincc(a, b, x), b, share
        )
        assert bar == pytest.approx(expected, rel=1e-5)


def test_quantiles_move_with_shapes_to_second_order() -> None:
    def quantiles(q: float, a: float, b: float) -> float:
        gammas = st.gamma.ppf(q, a, scale=b) + st.invgamma.isf(q, a) + st.gengamma.ppf(q, a, -b)
        return gammas + st.beta.ppf(q, a, b) + st.f.isf(q, a, b) + st.t.ppf(q, a)

    check_gradient(quantiles, 0.3, 1.3, 2.4, order=2)


def test_far_tails_neither_underflow_nor_cancel() -> None:
    bars = zg.gradient(lambda df: st.t.logsf(1e6, df), 3.0)
    assert bars[0] == pytest.approx(float(reference.directional(lambda t: st.t.logsf(1e6, 3.0 + t), 0.05)))
    assert zg.gradient(lambda df: st.t.cdf(0.0, df), 3.0) == (0.0,)
    assert zg.gradient(lambda a: np.sum(sc.betainc(a, 2.0, np.array([0.0, 1.0]))), 3.0) == (0.0,)
