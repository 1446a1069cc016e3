"""A small recurrent network: 50 steps of h = tanh(W@h + U@x_t) with 32 units."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.case import Case

STEPS, UNITS = 50, 32

Array = NDArray[np.float64]


def recurrent(w: Array, u: Array, xs: Array) -> Any:
    h = np.zeros(len(w))
    for t in range(len(xs)):
        h = np.tanh(w @ h + u @ xs[t])
    return np.sum(h * h)


def hand(w: Array, u: Array, xs: Array) -> tuple[Any, tuple[Array, Array, Array]]:
    h = np.zeros(len(w))
    tape = []
    for t in range(len(xs)):
        before, h = h, np.tanh(w @ h + u @ xs[t])
        tape.append((before, h))
    w_bar, u_bar, xs_bar = np.zeros_like(w), np.zeros_like(u), np.zeros_like(xs)
    value = np.sum(h * h)
    h_bar = 2.0 * h
    for t in range(len(xs) - 1, -1, -1):
        before, h = tape[t]
        sum_bar = h_bar * (1.0 - h * h)
        w_bar += np.outer(sum_bar, before)
        u_bar += np.outer(sum_bar, xs[t])
        xs_bar[t] += sum_bar @ u
        h_bar = sum_bar @ w
    return value, (w_bar, u_bar, xs_bar)


def over(np: Any) -> Callable[..., Any]:
    def program(w: Any, u: Any, xs: Any) -> Any:
        h = np.tanh(u @ xs[0])
        for t in range(1, len(xs)):
            h = np.tanh(w @ h + u @ xs[t])
        return np.sum(h * h)

    return program


def _arguments() -> tuple[Array, Array, Array]:
    random = np.random.default_rng(0)
    scale = UNITS**-0.5
    w, u = scale * random.normal(size=(2, UNITS, UNITS))
    return w, u, random.normal(size=(STEPS, UNITS))


CASE = Case("recurrent network", recurrent, hand, _arguments, over, 1.3)
