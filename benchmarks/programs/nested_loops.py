"""A loop over numbers inside another one."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from benchmarks.case import Case

OUTER, INNER = 40, 25


def nested_loops(x: float) -> float:
    total = 0.0
    for i in range(OUTER):
        term = x / (i + 1)
        for _ in range(INNER):
            term = term * x + math.sin(term)
        total = total + term * term
    return total


def hand(x: float) -> tuple[float, tuple[float]]:
    total = 0.0
    outer = []
    for i in range(OUTER):
        term = x / (i + 1)
        inner = []
        for _ in range(INNER):
            inner.append(term)
            term = term * x + math.sin(term)
        outer.append((term, inner))
        total = total + term * term
    x_bar = 0.0
    for i in range(OUTER - 1, -1, -1):
        term, inner = outer[i]
        term_bar = 2.0 * term
        for term in reversed(inner):
            x_bar += term_bar * term
            term_bar = term_bar * x + term_bar * math.cos(term)
        x_bar += term_bar / (i + 1)
    return total, (x_bar,)


def over(np: Any) -> Callable[..., Any]:
    def program(x: Any) -> Any:
        total = 0.0
        for i in range(OUTER):
            term = x / (i + 1)
            for _ in range(INNER):
                term = term * x + np.sin(term)
            total = total + term * term
        return total

    return program


CASE = Case("nested loops", nested_loops, hand, lambda: (0.5,), over, 1.2, 3.5)
