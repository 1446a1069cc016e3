"""Quotients of short arrays, which are computed without silence where nothing has to be silenced."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from zygpy.runtime.derivatives import divided, divisor_cotangent, root

SPECIAL = [0.0, -0.0, 1.0, -2.5, math.inf, -math.inf, math.nan, 5e-324, -1e-160, 1e-140, 1e160, -1e300]
DTYPES = [np.float64, np.float32, np.complex128, np.int64]


def by_definition(value: float, by: float) -> float:
    """0 where the dividend is 0, and what IEEE 754 says elsewhere."""
    if value == 0:
        return 0.0
    if by == 0:
        return math.nan if math.isnan(value) else math.copysign(math.inf, value) * math.copysign(1.0, by)
    return value / by


@pytest.mark.parametrize("first", SPECIAL)
def test_quotients_of_special_values(first: float) -> None:
    for second, a, b in itertools.product(SPECIAL, SPECIAL, SPECIAL):
        value, by = np.array([first, second]), np.array([a, b])
        with np.errstate(over="ignore"):
            expected = [by_definition(float(x), float(y)) for x, y in zip(value, by, strict=True)]
        np.testing.assert_array_equal(divided(value, by), expected)


@pytest.mark.parametrize("g", SPECIAL)
def test_a_number_over_an_array(g: float) -> None:
    for a, b in itertools.product(SPECIAL, SPECIAL):
        expected = [by_definition(g, a), by_definition(g, b)]
        np.testing.assert_array_equal(divided(g, np.array([a, b])), expected)


def test_cotangents_of_divisors() -> None:
    for q, by in itertools.product(SPECIAL, SPECIAL):
        found = divisor_cotangent(np.array([0.0, 2.0]), np.array([q, 3.0]), np.array([by, 4.0]))
        assert found[0] == 0 and found[1] == -1.5


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (5000,)])
def test_shapes_and_dtypes(dtype: type, shape: tuple[int, ...]) -> None:
    by = np.full(shape, 2, dtype)
    found = divided(np.full(shape, 3, dtype), by)
    assert np.shape(found) == shape
    np.testing.assert_array_equal(found, np.full(shape, 1.5))
    np.testing.assert_array_equal(divided(np.ones((2, 1)), np.full(3, 2, dtype)), np.full((2, 3), 0.5))


def test_roots() -> None:
    np.testing.assert_array_equal(root(np.array([4.0, -1.0, math.nan, 0.0])), [2.0, math.nan, math.nan, 0.0])
    np.testing.assert_array_equal(root(np.array([4.0, 0.0, math.inf])), [2.0, 0.0, math.inf])
