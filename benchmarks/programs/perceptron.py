"""A two-layer perceptron on a batch of 128 images of 784 pixels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.case import Case

BATCH, PIXELS, UNITS, CLASSES = 128, 784, 64, 10

Array = NDArray[np.float64]


def perceptron(w1: Array, b1: Array, w2: Array, b2: Array, x: Array, target: Array) -> Any:
    hidden = np.tanh(x @ w1 + b1)
    error = hidden @ w2 + b2 - target
    return np.sum(error * error) / len(x)


def hand(
    w1: Array, b1: Array, w2: Array, b2: Array, x: Array, target: Array
) -> tuple[Any, tuple[Array, ...]]:
    hidden = np.tanh(x @ w1 + b1)
    error = hidden @ w2 + b2 - target
    error_bar = error * (2.0 / len(x))
    sum_bar = error_bar @ w2.T
    sum_bar *= 1.0 - hidden * hidden
    bars = (
        x.T @ sum_bar,
        sum_bar.sum(axis=0),
        hidden.T @ error_bar,
        error_bar.sum(axis=0),
        sum_bar @ w1.T,
        -error_bar,
    )
    return np.sum(error * error) / len(x), bars


def over(np: Any) -> Callable[..., Any]:
    def program(w1: Any, b1: Any, w2: Any, b2: Any, x: Any, target: Any) -> Any:
        hidden = np.tanh(x @ w1 + b1)
        error = hidden @ w2 + b2 - target
        return np.sum(error * error) / len(x)

    return program


def _arguments() -> tuple[Array, ...]:
    random = np.random.default_rng(0)
    return (
        random.normal(size=(PIXELS, UNITS)) / PIXELS**0.5,
        random.normal(size=UNITS),
        random.normal(size=(UNITS, CLASSES)) / UNITS**0.5,
        random.normal(size=CLASSES),
        random.uniform(size=(BATCH, PIXELS)),
        random.normal(size=(BATCH, CLASSES)),
    )


CASE = Case("perceptron", perceptron, hand, _arguments, over, 1.3)
