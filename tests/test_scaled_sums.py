"""Sums of arrays that are multiplied or divided by a literal number, whose cotangents stay numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.runtime.derivatives import power_base
from zygpy.testing import check_gradient

X = np.array([0.5, 1.5, -0.7, 2.0])
M = np.cos(np.arange(6.0)).reshape(2, 3)


def parts(x: Any) -> Any:
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def used_twice(x: Any) -> Any:
    u = 3.0 * x
    return np.sum(u / 4) + np.sum(2 * u * x) + u[1]


def scaled_rows(m: Any) -> Any:
    rows = np.sum(m * 5.0, axis=0)
    return np.sum(rows * rows * 0.5) + np.sum(7.0 * m[:, :1] + m / 2)


def written(x: Any) -> Any:
    u = 2.0 * x
    v = u[1:]
    u[0] = v[0] * x[1]
    return np.sum(-3.0 * u) + np.sum(0.25 * v)


def in_a_branch(x: Any) -> Any:
    total = 0.0
    for k in range(3):
        u = x * 2.0 if k % 2 else 4.0 * x[::-1]
        total = total + np.sum(u * 3.0) * k
    return total * np.sum(0 * x + 1.0) + np.mean(6.0 * x)


@pytest.mark.parametrize("function", [parts, used_twice, written, in_a_branch])
def test_vectors(function: Any) -> None:
    check_gradient(function, X, order=2)
    assert zg.gradient(function, X.astype(np.float32))[0].dtype == np.float32
    np.testing.assert_allclose(
        zg.gradient(function, X.astype(np.float32))[0], zg.gradient(function, X)[0], rtol=1e-5
    )
    np.testing.assert_allclose(zg.hessian(function, X), zg.hessian_reverse(function, X), atol=1e-12)


def test_matrices() -> None:
    check_gradient(scaled_rows, M, order=2)
    check_gradient(scaled_rows, np.asfortranarray(M))
    assert zg.gradient(scaled_rows, np.array([[1, 2], [3, 4]]))[0].dtype == np.float64
    assert zg.gradient(lambda m: np.sum(2.0 * m), np.ones((0, 3)))[0].shape == (0, 3)


def test_complex_and_several_results_of_one_array() -> None:
    z = X + 0.5j
    check_gradient(lambda z: np.sum(np.abs(2.0 * z) ** 2), z)
    check_gradient(lambda x: np.sum(3.0 * x) * np.sum(1j * x).imag, X)
    first, second = zg.gradient(lambda x, y: np.sum(2.0 * (x + y)), X, X[:1])
    assert first.tolist() == [2.0] * 4
    assert second.tolist() == [8.0]


@pytest.mark.parametrize("g", [1.0, np.float64(-2.0), np.array([1.0, np.inf, 0.0, -np.inf]), 0.0, np.inf])
@pytest.mark.parametrize("x", [np.array([0.0, 0.0, np.inf, 3.0]), np.array([1.0, 0.0, -2.0, 1e200])])
def test_slopes_of_squares_are_silent(g: Any, x: Any) -> None:
    with np.errstate(all="raise", under="ignore"):
        found = power_base(g, x, 2)
    for entry, slope, factor in zip(found, 2.0 * x, np.broadcast_to(g, x.shape), strict=True):
        assert entry == (0.0 if 0.0 in (slope, factor) else slope * factor)


def test_slopes_of_squares_of_all_shapes() -> None:
    rows = np.array([[1.0, 2.0], [np.inf, 3.0]])
    assert power_base(rows, np.array([0.0, 2.0]), 2).tolist() == [[0.0, 8.0], [0.0, 12.0]]
    assert power_base(rows[:, ::-1], rows.T[::-1], 2)[1].tolist() == [6.0, np.inf]
    assert power_base(np.array(3.0), np.array(2.0), 2) == 12.0
    assert power_base(np.array([1.0], np.float32), np.array([2.0]), 2).tolist() == [4.0]
    assert np.isnan(power_base(np.array([np.nan]), np.array([2.0]), 2)).all()
