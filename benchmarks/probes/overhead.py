"""What a pullback of a one-line function of a number costs beyond the function itself."""

from __future__ import annotations

from collections.abc import Iterator

import zygpy as zg
from benchmarks.case import Reading
from benchmarks.measure import best_times


def line(x: float) -> float:
    return x * x + 1.0


def readings(repeats: int) -> Iterator[Reading]:
    times = best_times(
        {
            "primal": lambda: line(2.0),
            "pullback": lambda: zg.pullback(line, 2.0),
            "gradient": lambda: zg.gradient(line, 2.0),
        },
        repeats,
    )
    for name, limit in {"pullback": 3.0, "gradient": None}.items():
        yield Reading(f"{name} over primal", 1e6 * (times[name] - times["primal"]), "us", limit)
