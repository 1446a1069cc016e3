"""Calls that store several results, clipped numbers in the places of a mask, and views that are written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from zygpy.errors import MissingRuleError, UnsupportedSyntaxError

X = np.array([1.3, 0.45, 2.2])
MASK = np.array([True, False, True])


def by_a_tuple(x: Any) -> Any:
    a, b = np.empty(3), np.empty(3)
    np.modf(x, out=(a, b))
    return np.sum(a * x) + np.sum(b * x)


def by_position(x: Any) -> Any:
    a, b = np.empty(3), np.empty(3)
    np.divmod(x * 2, x[1], a, b)
    return np.sum(b * x) + np.sum(a * x)


def by_a_name(x: Any) -> Any:
    outs = (np.empty(3), np.empty(3))
    np.modf(x * x, out=outs)
    return np.sum(outs[0] * x)


def one_of_two(x: Any) -> Any:
    a = np.empty(3)
    found = np.modf(x, out=(a, None))
    a *= 3.0
    return np.sum(found[0] * x) + np.sum(found[1] * x)


def into_what_is_read(x: Any) -> Any:
    y, b = x * 2, np.empty(3)
    np.modf(y, out=(y, b))
    return np.sum(y * x)


def in_rows(x: Any) -> Any:
    rows, counts = np.zeros((2, 3)), np.zeros(3, int)
    total = 0.0
    for k in range(3):
        np.frexp(x * (k + 1), out=(rows[0], counts))
        total = total + np.sum(rows * x * counts)
    return total


def clipped(x: Any) -> Any:
    y = x * 3.0
    np.clip(x, 0.2, 1.1, out=y, where=MASK)
    return np.sum(y * y * x)


def between_named_bounds(x: Any) -> Any:
    y = np.ones((3, 3)) * x
    np.clip(np.outer(x, x), min=x * 0.5, max=x + 0.3, out=y, where=np.eye(3, dtype=bool))
    return np.sum(y * y * x)


def below_a_named_bound(x: Any) -> Any:
    y = x * 3.0
    np.clip(x, 0.2, a_max=x[::-1] * 0.7, out=y, where=MASK, dtype=float)
    return np.sum(y * y * x)


def by_a_view(x: Any) -> Any:
    y = x * 2
    rows = [y]
    y.view(np.float64)[0] = x[1]
    rows[0].view(type=np.ndarray)[2] *= x[0]
    return np.sum(y * x.view(dtype="f8"))


FILLINGS = [by_a_tuple, by_position, by_a_name, one_of_two, into_what_is_read, in_rows, clipped, by_a_view]
FILLINGS += [between_named_bounds, below_a_named_bound]


@pytest.mark.parametrize("f", FILLINGS)
def test_gradients_agree_with_differences(f: Callable[[Any], Any]) -> None:
    expected = differences(f, X)
    value, back = zg.pullback(f, X)
    assert value == f(X)
    np.testing.assert_allclose(back(1.0)[0], expected, rtol=1e-5)
    np.testing.assert_allclose(back(2.0)[0], 2 * expected, rtol=1e-5)
    along = [zg.pushforward(f, X)(direction) for direction in np.eye(3)]
    np.testing.assert_allclose(along, expected, rtol=1e-5)


@pytest.mark.parametrize("f", [by_a_tuple, one_of_two, clipped])
def test_second_derivatives_agree_with_differences(f: Callable[[Any], Any]) -> None:
    way = np.array([0.3, 0.5, 0.7])
    expected = differences(lambda x: float(zg.gradient(f, x)[0] @ way), X)
    np.testing.assert_allclose(zg.hvp(f, X, way), expected, rtol=1e-5, atol=1e-8)


def twice_the_same(x: Any) -> Any:
    a = np.empty(3)
    np.modf(x, out=(a, a))
    return np.sum(a)


def of_another_dtype(x: Any) -> Any:
    a, b = np.empty(3, "f4"), np.empty(3)
    np.modf(x, out=(a, b))
    return np.sum(a) * 1.0


def wider(x: Any) -> Any:
    a, b = np.empty((2, 3)), np.empty((2, 3))
    np.modf(x, out=(a, b))
    return np.sum(a)


@pytest.mark.parametrize("f", [twice_the_same, of_another_dtype, wider])
def test_arrays_that_are_not_like_the_results_are_refused(f: Callable[[Any], Any]) -> None:
    with pytest.raises(UnsupportedSyntaxError, match="not like its results"):
        zg.gradient(f, X)


def test_errors_are_those_of_numpy() -> None:
    def too_small(x: Any) -> Any:
        np.modf(x, out=(np.empty(2), np.empty(3)))
        return np.sum(x)

    with pytest.raises(ValueError, match="broadcast") as plain:
        too_small(X)
    with pytest.raises(ValueError, match="broadcast") as found:
        zg.gradient(too_small, X)
    assert str(found.value) == str(plain.value)


def test_clipped_numbers_without_a_value_are_refused() -> None:
    with pytest.raises(MissingRuleError, match="without a value"):
        zg.gradient(lambda x: np.sum(np.clip(x, 0.2, 1.1, where=MASK)), X)


def test_clipped_numbers_have_the_dtype_that_is_asked_for() -> None:
    f = lambda x: np.sum(np.clip(x, 0.2, 1.1, dtype="f4", casting="same_kind") * x)  # noqa: E731
    value, (found,) = zg.withgradient(f, X)
    assert value == f(X)
    high = float(np.float32(1.1))
    np.testing.assert_allclose(found, [high, 0.9, high], rtol=1e-7)


@pytest.mark.parametrize("f", [lambda x: np.sum((x * 1j).view("f4")), lambda x: np.sum(x.view("i8") * x)])
def test_views_of_other_numbers_are_refused(f: Callable[[Any], Any]) -> None:
    with pytest.raises(MissingRuleError, match="a view of an array of"):
        zg.gradient(f, X)
