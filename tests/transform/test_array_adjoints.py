"""Adjoints of array programs: right, of the argument's dtype, never aliases, and without needless helpers."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg

A, B, M = np.array([1.0, 2.0, 3.0]), np.array([0.5, -1.0, 2.0]), np.sin(np.arange(9.0)).reshape(3, 3)

PROGRAMS: dict[str, Callable[[Any, Any], Any]] = {
    "sum of a sum": lambda x, y: (x + y).sum(),
    "sum of a difference": lambda x, y: (x - y).sum() * 2,
    "square of a sum": lambda x, y: ((x + y) ** 2).sum(),
    "product and sum": lambda x, y: (x * y + x).sum(),
    "twice the same operand": lambda x, y: (x + x).sum() + (y * y).sum(),
    "one side through tanh": lambda x, y: np.sum(np.tanh(x) + y),
    "an item as a factor": lambda x, y: (x[0] * y).sum(),
    "extremes": lambda x, y: np.max(x) * np.min(y),
    "extreme of a matrix": lambda x, y: (x[:, None] * y).max() + (x[:, None] - y).min(),
    "quotient": lambda x, y: (x / y).sum() + (1 / y).sum() + (x / 2).sum(),
    "moments": lambda x, y: np.var(x) * np.std(y) + np.mean(x * y) + np.prod(x),
    "matrix products": lambda x, y: (M @ x) @ y + x @ M @ y + (M @ (M * x)).sum(),
    "sums along axes": lambda x, y: (np.outer(x, y).sum(axis=1, keepdims=True) * M).sum(),
    "sum along the last axis": lambda x, y: (np.exp(M * x).sum(axis=-1) * y).sum(),
    "sum along the first axis": lambda x, y: ((M * x).sum(axis=0) * y).sum(),
    "some elements": lambda x, y: np.sum(x * y, where=x > 1.5),
    "repeated items": lambda x, y: (x[[0, 0, 1]] * y).sum(),
    "a sum used twice": lambda x, y: ((x + y).sum() * (x - y)).sum(),
    "broadcast both ways": lambda x, y: (x[:, None] * y - M).sum(axis=0).max(),
    "rebound to its own sum": lambda x, y: _rebound(x, y),
    "sum in a loop": lambda x, y: _looped(x, y),
    "sum in a branch": lambda x, y: _branched(x, y),
    "sum of what is written": lambda x, y: _written(x, y),
}


def _rebound(x: Any, y: Any) -> Any:
    x = np.sum(x * y)
    x = x * x + x
    return x * 2.0


def _looped(x: Any, y: Any) -> Any:
    total = 0.0
    for _ in range(3):
        x = x * y
        total = total + x.sum()
    return total


def _branched(x: Any, y: Any) -> Any:
    z = x * y
    if z[0] > 0:
        return z.sum()
    return z.sum() * 2


def _written(x: Any, y: Any) -> Any:
    z = x * y
    z[1] = x[2]
    z[1:] *= 2.0
    return z.sum()


def differences(f: Callable[..., Any], position: int) -> Any:
    """Central differences."""
    result = np.zeros(3)
    for index in range(3):
        values = []
        for step in (1e-5, -1e-5):
            arguments = [A.copy(), B.copy()]
            arguments[position][index] += step
            values.append(f(*arguments))
        result[index] = (values[0] - values[1]) / 2e-5
    return result


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_are_those_of_differences(name: str) -> None:
    gradients = zg.gradient(PROGRAMS[name], A, B)
    for position, gradient in enumerate(gradients):
        expected = differences(PROGRAMS[name], position)
        np.testing.assert_allclose(0.0 if gradient is None else gradient, expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_is_aliased_and_back_can_be_called_again(name: str) -> None:
    gradients = [gradient for gradient in zg.gradient(PROGRAMS[name], A, B) if gradient is not None]
    for one, other in itertools.combinations([*gradients, A, B, M], 2):
        assert not np.shares_memory(one, other)
    _, back = zg.pullback(PROGRAMS[name], A, B)
    for first, second in zip(back(1.0), back(1.0), strict=True):
        np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("name", PROGRAMS)
def test_single_precision_stays(name: str) -> None:
    single = [A.astype(np.float32), B.astype(np.float32)]
    for gradient in zg.gradient(PROGRAMS[name], *single):
        assert gradient is None or gradient.dtype == np.float32


def test_a_zero_cotangent_beats_an_infinite_derivative() -> None:
    with np.errstate(divide="ignore", invalid="ignore"):
        gradient = zg.gradient(lambda x, y: np.where(y > 0, x / y, x).sum(), A, np.array([1.0, 0.0, -1.0]))
    np.testing.assert_array_equal(gradient[0], [1.0, 1.0, 1.0])
    np.testing.assert_array_equal(gradient[1], [-1.0, 0.0, 0.0])


def layers(w: Any, v: Any, x: Any) -> Any:
    h = np.tanh(w @ x)
    return np.sum(h * h) + v @ h


def test_matrix_programs_need_no_helpers() -> None:
    text = str(zg.show_adjoint(layers, M, A, B)).partition("_adjoint(")[2]
    for helper in ("unbroadcast", "unreduce", "matmul_left", "matmul_right", "accumulate", "conj"):
        assert helper not in text, text


def element_loop(x: Any) -> Any:
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = 0.5 * y[i - 1] + x[i] * x[i]
    return y.sum()


def test_element_loops_need_no_helpers() -> None:
    text = str(zg.show_adjoint(element_loop, A)).partition("_adjoint(")[2]
    for helper in ("unbroadcast", "setitem_cotangent", "add_at", "accumulate"):
        assert helper not in text, text
