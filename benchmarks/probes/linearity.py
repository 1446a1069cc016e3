"""Whether ten times the elements cost ten times the time, and not a hundred times."""

from __future__ import annotations

from collections.abc import Iterator

import zygpy as zg
from benchmarks.case import Reading
from benchmarks.measure import best_times
from benchmarks.programs import elements


def readings(repeats: int) -> Iterator[Reading]:
    short, long = elements.SHORT.arguments(), elements.LONG.arguments()
    times = best_times(
        {
            "short": lambda: zg.gradient(elements.smooth, *short),
            "long": lambda: zg.gradient(elements.smooth, *long),
        },
        repeats,
    )
    yield Reading("10^5 elements over 10^4", times["long"] / times["short"], "times", 15.0)
