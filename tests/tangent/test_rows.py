"""Rows of Jacobians, several at once, beside those of one seed after another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import rows
from zygpy.derivatives import withjacobian_by_reverse
from zygpy.rows import at_once, pull

RANDOM = np.random.default_rng(7)
FIRST, SECOND = RANDOM.normal(size=(12, 90)), RANDOM.normal(size=(10, 12))
X = RANDOM.normal(size=90)


def network(x: Any) -> Any:
    return np.tanh(SECOND @ np.tanh(FIRST @ x))


def sums_of_squares(x: Any) -> Any:
    return np.sum(x.reshape(10, -1) ** 2, axis=1)


def by_the_sum(x: Any) -> Any:
    return np.exp(x[:30] / 4) * np.sum(x)


def in_a_loop(x: Any) -> Any:
    y = x[:10] * 1.0
    for k in range(1, 5):
        y = y + np.sin(x[k * 10 : (k + 1) * 10]) * y
    return y


def written_in_place(x: Any) -> Any:
    y = np.zeros((8, 3))
    for k in range(8):
        y[k] = x[3 * k : 3 * k + 3] ** 2
        y[k, 1] += np.sum(x)
    return y


def by_a_helper(x: Any) -> Any:
    return helper(x, 2.0)[:11] + helper(x[::-1], 3.0)[:11]


def helper(x: Any, power: Any) -> Any:
    return np.abs(x) ** power * np.sign(x)


def the_argument_itself(x: Any) -> Any:
    return x[:8]


def without_an_argument(x: Any) -> Any:
    return FIRST[0, :9] + 0.0 * np.floor(x[:9])


def kinks(x: Any) -> Any:
    return np.where(x[:20] > 0, np.sqrt(np.abs(x[:20])), 0.0) * np.maximum(x[20:40], x[40:60])


WIDE = [network, sums_of_squares, by_the_sum, in_a_loop, written_in_place, by_a_helper, kinks]


@pytest.mark.parametrize("function", [*WIDE, the_argument_itself, without_an_argument])
def test_agrees(function: Any) -> None:
    found, expected = zg.withjacobian(function, X), withjacobian_by_reverse(function, X)
    assert found.val.tolist() == expected.val.tolist()
    assert found.grad[0].shape == expected.grad[0].shape
    assert found.grad[0].dtype == expected.grad[0].dtype
    np.testing.assert_allclose(found.grad[0], expected.grad[0], rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("function", WIDE)
def test_rows_of_these_are_taken_at_once(function: Any) -> None:
    y, back, raw = pull(function, (X,))
    found = at_once(raw, y, (X,))
    assert found is not None
    seeds = np.eye(y.size).reshape(y.size, *y.shape)
    expected = np.stack([back(seed)[0] for seed in seeds])
    np.testing.assert_allclose(found[0], expected, rtol=1e-12, atol=1e-13)


def roots(x: Any) -> Any:
    return np.where(x[:20] > 0, np.sqrt(x[:20]), 0.0) * 2.0


def test_zeros_stay_zeros_at_infinite_slopes() -> None:
    x = np.zeros(90)
    x[3] = 2.0
    found = zg.jacobian(roots, x)[0]
    assert np.isfinite(found).all()
    np.testing.assert_array_equal(found, withjacobian_by_reverse(roots, x).grad[0])


def test_several_arguments_and_numbers() -> None:
    def function(x: Any, weight: Any, unused: Any) -> Any:
        return (FIRST @ x)[:9] * weight

    found = zg.withjacobian(function, X, 1.5, X)
    expected = withjacobian_by_reverse(function, X, 1.5, X)
    for one, other in zip(found.grad, expected.grad, strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_in_bundles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "ENTRIES", 90 * 8)
    expected = withjacobian_by_reverse(network, X).grad[0]
    np.testing.assert_allclose(zg.jacobian(network, X)[0], expected, rtol=1e-12)


def test_results_are_nobody_elses() -> None:
    found = zg.jacobian(the_argument_itself, X)[0]
    found[...] = 5.0
    assert zg.jacobian(the_argument_itself, X)[0].tolist() == np.eye(8, 90).tolist()


def test_the_program_runs_as_often_as_before() -> None:
    runs: list[int] = []

    def function(x: Any) -> Any:
        runs.append(1)
        return (FIRST @ x)[:9] ** 2

    zg.jacobian(function, X)
    assert len(runs) == 1


def test_rules_of_the_users_own() -> None:
    def cube(x: Any) -> Any:
        return x**3

    @zg.adjoint(cube)
    def _(x: Any) -> Any:
        return x**3, lambda y_bar: (7.0 * y_bar,)

    found = zg.jacobian(lambda x: cube(x[:9]) * np.sum(x), X)[0]
    expected = withjacobian_by_reverse(lambda x: cube(x[:9]) * np.sum(x), X).grad[0]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert found[0, 0] == pytest.approx(7.0 * np.sum(X) + X[0] ** 3)
