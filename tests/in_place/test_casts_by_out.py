"""Calls that store in an array of another dtype, which cuts what NumPy rounds, and only that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences

X = np.array([2.3, 1.4, 3.6])


def multiplied(x: Any, b: Any) -> None:
    np.multiply(x, 2.7, out=b, casting="unsafe")


def masked(x: Any, b: Any) -> None:
    np.multiply(x, 2.7, b, casting="unsafe", where=x > 2)


def added_up(x: Any, b: Any) -> None:
    x.cumsum(out=b)


def joined(x: Any, b: Any) -> None:
    np.concatenate([x[:1], x[1:]], out=b, casting="unsafe")


def summed(x: Any, b: Any) -> None:
    np.einsum("i,i->i", x, x, out=b, casting="unsafe")


def taken(x: Any, b: Any) -> None:
    np.take(x * x, [2, 0, 1], out=b, mode="clip")


FILLINGS = [multiplied, masked, added_up, joined, summed, taken]


@pytest.mark.parametrize("fill", FILLINGS)
def test_what_is_rounded_has_no_derivative(fill: Callable[..., None]) -> None:
    def f(x: Any) -> Any:
        whole, truths, rough, exact = np.zeros(3, int), np.zeros(3, bool), np.ones(3, "f4"), np.ones(3)
        for b in (whole, truths, rough, exact):
            fill(x, b)
        return np.sum(whole * x) + np.sum(truths * x**2) + np.sum(exact * exact * x) + 0 * rough[0]

    expected = differences(f, X)
    np.testing.assert_allclose(zg.gradient(f, X)[0], expected, rtol=1e-5)
    along = [zg.pushforward(f, X)(direction) for direction in np.eye(3)]
    np.testing.assert_allclose(along, expected, rtol=1e-5)


def test_what_is_rounded_has_no_second_derivative() -> None:
    def f(x: Any) -> Any:
        b = np.zeros(3, int)
        multiplied(x * x, b)
        return np.sum(b * x**2)

    np.testing.assert_allclose(zg.hvp(f, X, np.ones(3)), 2.0 * (X * X * 2.7).astype(int))


def test_whole_numbers_that_stay_whole_keep_theirs() -> None:
    def f(n: Any) -> Any:
        b = np.zeros(2, int)
        np.multiply(n, n, out=b)
        return np.sum(b * 3.0)

    n = np.array([2, 5])
    np.testing.assert_array_equal(zg.gradient(f, n)[0], 6.0 * n)
    assert zg.pushforward(f, n)(np.array([1.0, 0.0])) == 12.0
