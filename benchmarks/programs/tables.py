"""Tables as lists of lists: dynamic time warping, which fills one, and a product, which reads two."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from benchmarks.case import Case

SIZE, ORDER = 30, 12
Row = list[float]


def warping(a: Row, b: Row) -> float:
    n, m = len(a), len(b)
    costs = [[1e3] * (m + 1) for _ in range(n + 1)]
    costs[0][0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            distance = (a[i - 1] - b[j - 1]) ** 2
            costs[i][j] = distance + min(costs[i - 1][j], costs[i][j - 1], costs[i - 1][j - 1])
    return costs[n][m]


def warping_by_hand(a: Row, b: Row) -> tuple[float, tuple[Row, Row]]:
    n, m = len(a), len(b)
    costs = [[1e3] * (m + 1) for _ in range(n + 1)]
    costs[0][0] = 0.0
    tape = []
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            difference = a[i - 1] - b[j - 1]
            above, before, across = costs[i - 1][j], costs[i][j - 1], costs[i - 1][j - 1]
            least = min(above, before, across)
            tape.append((difference, least == above, least == before))
            costs[i][j] = difference**2 + least
    costs_bar = [[0.0] * (m + 1) for _ in range(n + 1)]
    costs_bar[n][m] = 1.0
    a_bar, b_bar = [0.0] * n, [0.0] * m
    for i in range(n, 0, -1):
        for j in range(m, 0, -1):
            difference, is_above, is_before = tape.pop()
            bar = costs_bar[i][j]
            costs_bar[i][j] = 0.0
            if is_above:
                costs_bar[i - 1][j] += bar
            elif is_before:
                costs_bar[i][j - 1] += bar
            else:
                costs_bar[i - 1][j - 1] += bar
            difference_bar = 2.0 * difference * bar
            b_bar[j - 1] -= difference_bar
            a_bar[i - 1] += difference_bar
    return costs[n][m], (a_bar, b_bar)


def warping_over(np: Any) -> Callable[..., Any]:
    def warping(a: Any, b: Any) -> Any:
        n, m = len(a), len(b)
        costs: list[list[Any]] = [[1e3] * (m + 1) for _ in range(n + 1)]
        costs[0][0] = 0.0
        for i in range(1, n + 1):
            for j in range(1, m + 1):
                least = np.minimum(costs[i - 1][j], np.minimum(costs[i][j - 1], costs[i - 1][j - 1]))
                costs[i][j] = (a[i - 1] - b[j - 1]) ** 2 + least
        return costs[n][m]

    return warping


def product(a: list[Row], b: list[Row]) -> float:
    total = 0.0
    for i in range(len(a)):
        for j in range(len(b[0])):
            s = 0.0
            for k in range(len(b)):
                s += a[i][k] * b[k][j]
            total += s * s
    return total


def product_by_hand(a: list[Row], b: list[Row]) -> tuple[float, tuple[list[Row], list[Row]]]:
    total, tape = 0.0, []
    for i in range(len(a)):
        for j in range(len(b[0])):
            s = 0.0
            for k in range(len(b)):
                s += a[i][k] * b[k][j]
            tape.append(s)
            total += s * s
    a_bar, b_bar = [[0.0] * len(row) for row in a], [[0.0] * len(row) for row in b]
    for i in range(len(a) - 1, -1, -1):
        for j in range(len(b[0]) - 1, -1, -1):
            s_bar = 2.0 * tape.pop()
            for k in range(len(b) - 1, -1, -1):
                b_bar[k][j] += s_bar * a[i][k]
                a_bar[i][k] += s_bar * b[k][j]
    return total, (a_bar, b_bar)


def _wave(count: int, pace: float) -> Row:
    return [math.sin(pace * i * i) for i in range(count)]


def _table(pace: float) -> list[Row]:
    return [_wave(ORDER, pace * (i + 1)) for i in range(ORDER)]


WARPING = Case(
    "tables that are filled",
    warping,
    warping_by_hand,
    lambda: (_wave(SIZE, 0.1), _wave(SIZE, 0.13)),
    warping_over,
    4.0,
    12.0,
)
PRODUCT = Case(
    "tables that are read", product, product_by_hand, lambda: (_table(0.1), _table(0.13)), None, 4.0, 12.0
)
