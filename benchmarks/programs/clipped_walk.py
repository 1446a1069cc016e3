"""Everyday numbers: powers, roots, extremes, a list that is augmented and a function that is made."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from benchmarks.case import Case

STEPS = 500


def clipped_walk(x: float) -> float:
    def pull(position: float) -> float:
        return x * (1.0 - position)

    r = 0.5
    sums = [0.0, 0.0]
    for i in range(STEPS):
        speed = (r**2 + x * x) ** 0.5
        r = r + 0.01 * pull(r) * speed - 0.01 * abs(r - x)
        r = min(max(r, 0.1), 2.0)
        sums[i % 2] += math.hypot(r, x)
    return sums[0] / sums[1] + r


def hand(x: float) -> tuple[float, tuple[float]]:
    tape = []
    r = 0.5
    sums = [0.0, 0.0]
    for i in range(STEPS):
        before = r
        speed = (r**2 + x * x) ** 0.5
        moved = r + 0.01 * (x * (1.0 - r)) * speed - 0.01 * abs(r - x)
        floored = max(moved, 0.1)
        r = min(floored, 2.0)
        size = math.hypot(r, x)
        sums[i % 2] += size
        tape.append((before, speed, moved, floored, r, size))
    y = sums[0] / sums[1] + r
    sums_bar = [1.0 / sums[1], -sums[0] / sums[1] ** 2]
    r_bar = 1.0
    x_bar = 0.0
    for i in range(STEPS - 1, -1, -1):
        before, speed, moved, floored, r, size = tape[i]
        size_bar = sums_bar[i % 2]
        r_bar += size_bar * r / size
        x_bar += size_bar * x / size
        if floored > 2.0 or moved < 0.1:
            r_bar = 0.0
        distance_bar = -0.01 * r_bar if before > x else 0.01 * r_bar
        pull_bar = 0.01 * r_bar * speed
        speed_bar = 0.01 * r_bar * (x * (1.0 - before))
        square_bar = speed_bar * 0.5 / speed
        x_bar += square_bar * 2.0 * x + pull_bar * (1.0 - before) - distance_bar
        r_bar += square_bar * 2.0 * before - pull_bar * x + distance_bar
    return y, (x_bar,)


def over(np: Any) -> Callable[..., Any]:
    def walk(x: Any) -> Any:
        r = 0.5
        sums = [0.0, 0.0]
        for i in range(STEPS):
            speed = (r**2 + x * x) ** 0.5
            r = r + 0.01 * x * (1.0 - r) * speed - 0.01 * abs(r - x)
            r = np.minimum(np.maximum(r, 0.1), 2.0)
            sums[i % 2] = sums[i % 2] + np.sqrt(r * r + x * x)
        return sums[0] / sums[1] + r

    return walk


CASE = Case("everyday numbers", clipped_walk, hand, lambda: (0.7,), over, 1.7, 4.0)
