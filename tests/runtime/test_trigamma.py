"""The derivative of the digamma function of long arrays, which is a series of its own."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special as sc

import zygpy as zg
from zygpy.runtime.special_derivatives import _MANY


@pytest.mark.parametrize("numbers", [np.logspace(-12, 12, 3001), np.linspace(1e-3, 30.0, 3001)])
def test_it_is_that_of_scipy(numbers: np.ndarray) -> None:
    assert numbers.size > _MANY
    slope = zg.gradient(lambda x: np.sum(sc.psi(x)), numbers)[0]
    np.testing.assert_allclose(slope, sc.zeta(2.0, numbers), rtol=3e-15, atol=0)


def test_ends_of_the_range_are_as_in_scipy() -> None:
    numbers = np.ones(2 * _MANY)
    numbers[:3] = np.inf, 1e-200, 1e160
    slope = zg.gradient(lambda x: np.sum(sc.psi(x)), numbers)[0]
    np.testing.assert_array_equal(slope[:3], sc.zeta(2.0, numbers[:3]))


def test_poles_and_what_is_no_number_are_left_to_scipy() -> None:
    numbers = np.ones(2 * _MANY)
    numbers[:2] = np.nan, -0.5
    slope = zg.gradient(lambda x: np.sum(sc.psi(x)), numbers)[0]
    np.testing.assert_array_equal(slope[:3], sc.zeta(2.0, numbers[:3]))


def test_it_has_derivatives_itself() -> None:
    numbers = np.linspace(0.5, 9.0, 2 * _MANY)
    product = zg.hvp(lambda x: np.sum(sc.psi(x)), numbers, np.ones(numbers.size))
    np.testing.assert_allclose(product, -2.0 * sc.zeta(3.0, numbers), rtol=1e-14)
