"""A loop that reads and writes single elements of arrays: a recursive filter."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.case import Case

DECAY = 0.5


def smooth(x: NDArray[np.float64]) -> Any:
    y = np.zeros(len(x))
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = DECAY * y[i - 1] + x[i] * x[i]
    return y.sum()


def hand(x: NDArray[np.float64]) -> tuple[Any, tuple[NDArray[np.float64]]]:
    y = np.zeros(len(x))
    y[0] = x[0]
    tape = []
    for i in range(1, len(x)):
        entry = x[i]
        tape.append(entry)
        y[i] = DECAY * y[i - 1] + entry * entry
    y_bar = np.ones(len(x))
    x_bar = np.zeros(len(x))
    for i in range(len(x) - 1, 0, -1):
        bar = y_bar[i]
        y_bar[i - 1] += DECAY * bar
        x_bar[i] += 2.0 * tape[i - 1] * bar
    x_bar[0] += y_bar[0]
    return y.sum(), (x_bar,)


def _signal(size: int) -> tuple[NDArray[np.float64]]:
    return (np.random.default_rng(0).normal(size=size),)


SHORT = Case("elements, 10^4", smooth, hand, lambda: _signal(10**4))
LONG = Case("elements, 10^5", smooth, hand, lambda: _signal(10**5))
