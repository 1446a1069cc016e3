"""Kernel estimates of densities by `scipy.stats.gaussian_kde`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.stats as st

import zygpy as zg
from tests.solvers.references import agrees, agrees_to_second_order

SAMPLES = np.sin(np.arange(1.0, 13.0) ** 1.1) + 0.1 * np.arange(12)
PLACES = np.array([0.3, 0.9, -2.0])

PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "samples": lambda x: np.sum(st.gaussian_kde(x)(PLACES)),
    "two dimensions": lambda x: np.sum(st.gaussian_kde(x.reshape(2, 6)).pdf(x.reshape(2, 6) + 0.1)),
    "logarithms": lambda x: np.sum(st.gaussian_kde(x).logpdf(PLACES * x[0])),
    "weights and width": lambda x: st.gaussian_kde(SAMPLES, x[0] ** 2, weights=x**2 + 0.1).evaluate([0.3])[0],
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_densities(name: str) -> None:
    agrees(PROGRAMS[name], SAMPLES.copy())


def test_far_places_of_an_estimate_that_is_made_outside() -> None:
    made = st.gaussian_kde(SAMPLES)
    y, back = zg.pullback(made.logpdf, np.array([90.0, 0.3]))
    np.testing.assert_array_equal(y, made.logpdf([90.0, 0.3]))
    for _ in range(2):
        (bar,) = back(np.array([1.0, 0.0]))
        np.testing.assert_allclose(bar, [(np.max(SAMPLES) - 90.0) / made.covariance[0, 0], 0.0], rtol=1e-9)
    agrees_to_second_order(lambda x: np.sum(made(x) ** 2), PLACES)
