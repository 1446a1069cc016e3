"""Stores of lists, tuples, and of what may be a number or an array, into arrays, in forward mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.tangent.test_called_when_found import V, X, product_by_steps
from zygpy.gradients_pushed import gradient_push
from zygpy.pushing import Push, push_of


def rows_of_numbers(x: Any) -> Any:
    y = np.zeros((3, 2), dtype=x.dtype)
    y[0] = [x[0], 1.0]
    y[1] = x[1] * x[2], 2
    y[2] = [1.0, x[3] ** 2]
    y[1] += [x[0], 3.0]
    y[:, 0] *= [x[1], 2, x[2]]
    return np.sum(y**2 * np.arange(6).reshape(3, 2))


def sums_from_a_whole_number(x: Any) -> Any:
    y = np.zeros((2, 2), dtype=x.dtype)
    for i in range(2):
        for j in range(2):
            y[i, j] = sum(x[k] * x[i] for k in range(j + 1))
    y[0] = [sum(x[k] ** 2 for k in range(2)), 0]
    return np.sum(y**3)


def numbers_or_arrays(x: Any) -> Any:
    s = 0
    for k in range(3):
        s = s + x * x[k]
    y = np.zeros((2, 4), dtype=x.dtype)
    y[0] = s
    y[1] += s * s
    y[1, 2] = sum(s)
    y[0, 1:3] = sum([x[1:3], x[2:]])
    return np.sum(y**2)


def rows_in_rows(x: Any) -> Any:
    y = np.zeros((2, 2), dtype=x.dtype)
    y[:] = [[x[0], x[1]], [2.0, x[2]]]
    y[0, :] = list(y[0, :] * x[3])
    y[1] = (x[0] * 2, x[1] * y[0, 0])
    return np.sum(y**3)


def arrays_in_rows(x: Any) -> Any:
    y = np.zeros((2, 4), dtype=x.dtype)
    y[:] = [x * x[0], X]
    y[0] *= y[1]
    y[:, 1:3] = [x[:2], x[2:] * 2]
    return np.sum(y**2)


def neighbours_walked_over(x: Any) -> Any:
    walk = iter(x)
    before, total = next(walk), 0.0
    for value in walk:
        total += before * value
        before = value
    return total**2


STORED = [
    rows_of_numbers,
    sums_from_a_whole_number,
    numbers_or_arrays,
    rows_in_rows,
    arrays_in_rows,
    neighbours_walked_over,
]


@pytest.mark.parametrize("f", STORED, ids=lambda f: f.__name__)
def test_rows_are_stored_beside_their_tangents(f: Callable[[Any], Any]) -> None:
    x = X.copy()
    assert isinstance(push_of(f, (x,)), Push)
    assert isinstance(gradient_push(f, (x,)), Push)
    expected = product_by_steps(f, X, V)
    assert zg.hvp(f, x, V) == pytest.approx(expected, rel=1e-8, abs=1e-8)
    assert zg.hessian(f, x) @ V == pytest.approx(expected, rel=1e-8, abs=1e-8)
    slopes = [f(X + 1e-30j * axis).imag / 1e-30 for axis in np.eye(len(X))]
    assert zg.pushforward(f, x)(V) == pytest.approx(np.dot(slopes, V))
