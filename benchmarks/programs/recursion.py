"""A function of numbers that calls itself, a few hundred levels deep."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from benchmarks.case import Case

DEPTH = 300


def tower(x: float, n: int) -> float:
    if n == 0:
        return x
    return x * math.sin(tower(x, n - 1))


def forward(x: float, n: int) -> tuple[float, Any]:
    if n == 0:
        return x, None
    below, stash = forward(x, n - 1)
    sine = math.sin(below)
    return x * sine, (x, below, sine, stash)


def adjoint(stash: Any, y_bar: float) -> float:
    if stash is None:
        return y_bar
    x, below, sine, stash_below = stash
    x_bar: float = y_bar * sine
    return x_bar + adjoint(stash_below, y_bar * x * math.cos(below))


def hand(x: float, n: int) -> tuple[float, tuple[float, None]]:
    y, stash = forward(x, n)
    return y, (adjoint(stash, 1.0), None)


def over(np: Any) -> Callable[..., Any]:
    def program(x: Any, n: int) -> Any:
        return x if n == 0 else x * np.sin(program(x, n - 1))

    return program


CASE = Case("recursion", tower, hand, lambda: (1.5, DEPTH), over, 1.2)
