"""Helpers that take a quicker way where the numbers allow it, beside the way that always holds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.runtime import derivatives, linear_algebra, scans, shaping

GENERATOR = np.random.default_rng(11)
LONG = derivatives.SHORT + 3


@pytest.mark.parametrize("size", [3, LONG])
@pytest.mark.parametrize("scale", [1.0, 1e-170, 1e170])
def test_angles_of_all_sizes(size: int, scale: float) -> None:
    x, y = GENERATOR.normal(size=(2, size))
    found = zg.gradient(lambda x, y: np.sum(np.arctan2(x, y)), scale * x, scale * y)
    square = x * x + y * y
    np.testing.assert_allclose(found[0], y / square / scale, rtol=1e-13)
    np.testing.assert_allclose(found[1], -x / square / scale, rtol=1e-13)


@pytest.mark.parametrize("size", [3, LONG])
def test_angles_at_the_origin_and_of_integers(size: int) -> None:
    x, y = np.zeros(size), np.ones(size)
    y[0] = 0.0
    for bar in zg.gradient(lambda x, y: np.sum(np.arctan2(x, y)), x, y):
        assert bar[0] == 0.0
        assert np.isfinite(bar).all()
    whole = np.full(size, 4_000_000_000)
    (found,) = zg.gradient(lambda x: np.sum(np.arctan2(x, 3_000_000_000)), whole)
    np.testing.assert_allclose(found, np.full(size, 3.0 / 25e9), rtol=1e-14)


@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1), ()])
@pytest.mark.parametrize("special", [1.0, 0.0, 1e-300, 1e300, np.inf])
def test_products_of_others(axis: Any, special: float) -> None:
    x = GENERATOR.normal(size=(3, 4)) + 3.0
    x[1, 2] = special
    with np.errstate(all="ignore"):
        found = scans.products_of_others(x, axis)
        expected = np.empty_like(x)
        for place in np.ndindex(x.shape):
            others = x.copy()
            others[place] = 1.0
            along = np.broadcast_to(np.prod(others, axis=axis, keepdims=True), x.shape)
            expected[place] = along[place]
    np.testing.assert_allclose(found, expected, rtol=1e-13)


@pytest.mark.parametrize("axis", [0, 1, -1, -3, None])
def test_parts_of_what_was_joined(axis: int | None) -> None:
    arrays = [GENERATOR.normal(size=(2, 3, 4)) for _ in range(3)]
    shapes = [np.shape(one) for one in arrays]
    for part, one in zip(
        shaping.split_parts(np.concatenate(arrays, axis), shapes, axis), arrays, strict=True
    ):
        np.testing.assert_array_equal(part, one)


@pytest.mark.parametrize("function", [np.hstack, np.vstack, np.dstack, np.column_stack])
@pytest.mark.parametrize("shape", [(), (2,), (2, 2), (2, 2, 2)])
def test_parts_of_what_was_stacked(function: Any, shape: tuple[int, ...]) -> None:
    x, y = GENERATOR.normal(size=(2, *shape))
    weights = GENERATOR.normal(size=np.shape(function([x, y])))
    found = zg.gradient(lambda x, y: np.sum(weights * function([x, y])), x, y)
    for place, bar in enumerate(found):
        one = [np.zeros(shape), np.zeros(shape)]
        for index in np.ndindex(shape):
            one[place] = np.zeros(shape)
            one[place][index] = 1.0
            assert np.asarray(bar)[index] == pytest.approx(np.sum(weights * function(one)))


@pytest.mark.parametrize("offset", [0, 1, -2, 7, -7])
def test_diagonals(offset: int) -> None:
    shape = (3, 4, 5)
    value = GENERATOR.normal(size=np.diagonal(np.zeros(shape), offset, 2, 0).shape)
    found = linear_algebra.diagonal_transpose(value, shape, offset, 2, 0)
    np.testing.assert_array_equal(np.diagonal(found, offset, 2, 0), value)
    assert np.count_nonzero(found) == value.size


@pytest.mark.parametrize("size", [3, LONG])
def test_products_with_zeros_and_infinities(size: int) -> None:
    a, b = np.full(size, 2.0), np.full(size, 3.0)
    a[0], b[0], a[1] = 0.0, np.inf, np.inf
    assert derivatives.times(a, b)[:3].tolist() == [0.0, np.inf, 6.0]
    np.testing.assert_array_equal(derivatives.times(a[2:], b[2:]), a[2:] * b[2:])


def test_signs_have_no_slope() -> None:
    for dtype in (np.float32, np.float64):
        x = np.array([-2.0, 0.0, 3.0], dtype)
        assert derivatives.unit_cotangent(np.ones(3, dtype), x).dtype == dtype
        np.testing.assert_array_equal(zg.gradient(lambda x: np.sum(np.sign(x) * x), x)[0], np.sign(x))
