"""Timing contestants against each other: interleaved, in one run, the best of many short repeats.

What is counted is the time that the processor works for this process, and of many short measurements the
least: what else the machine does at the time makes both the clock on the wall and an average unsteady, so
that a ratio of these says little. The least of a hundred times two milliseconds says the same in each run.
All run in a thread of their own: Python keeps its frames in pieces of 16 KiB, and whoever happened to be the
one whose calls reach into a new piece would pay for that.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

import zygpy as zg
from benchmarks.case import Case
from benchmarks.others import others

SLICE = 0.002
"""Seconds that one measurement of one contestant takes at least."""

PATIENCE, FEW = 8.0, 5
"""Seconds after which no more rounds are begun, unless there were only a few as yet."""

PRIMAL, HAND, ZYGPY = "primal", "by hand", "zygpy"


def measure(case: Case, repeats: int) -> dict[str, float]:
    """Seconds for each contestant of a case; gradients that differ are an error, not a result."""
    arguments = case.arguments()
    gradients = {
        HAND: lambda: case.hand(*arguments)[1],
        ZYGPY: lambda: zg.gradient(case.primal, *arguments),
        **others(case, arguments),
    }
    _check(case, gradients)
    return best_times({PRIMAL: lambda: case.primal(*arguments), **gradients}, repeats)


def best_times(contestants: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """The least seconds of work that one call of each contestant took."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_best_times, contestants, repeats).result()


def _best_times(contestants: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    numbers = {name: _number(call) for name, call in contestants.items()}
    gc.collect()  # what deriving has left lies scattered in the memory that all contestants take theirs from
    best = dict.fromkeys(contestants, float("inf"))
    end = time.perf_counter() + PATIENCE
    for done in range(repeats):
        if done >= FEW and time.perf_counter() > end:
            break
        for name, call in contestants.items():
            best[name] = min(best[name], _seconds(call, numbers[name]))
    return best


def _number(call: Callable[[], object]) -> int:
    """How many calls fill a time slice, after one that warms the caches."""
    call()
    number = 1
    while (seconds := _seconds(call, number) * number) < SLICE:
        number = max(2 * number, int(number * SLICE / max(seconds, 1e-9)))
    return number


def _seconds(call: Callable[[], object], number: int) -> float:
    """Seconds of one call, with the collector off as a collection hits one contestant by chance."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        start = time.process_time()
        for _ in range(number):
            call()
        return (time.process_time() - start) / number
    finally:
        if enabled:
            gc.enable()


def _check(case: Case, gradients: Mapping[str, Callable[[], tuple[Any, ...]]]) -> None:
    expected = gradients[HAND]()
    for name, gradient in gradients.items():
        for place, (bar, expected_bar) in enumerate(zip(gradient(), expected, strict=True)):
            if not _agree(bar, expected_bar):
                raise ArithmeticError(f"{case.name}: {name} differs in argument {place}")


def _agree(bar: Any, expected: Any) -> bool:
    if bar is None or expected is None:
        return bar is expected
    return bool(np.allclose(bar, expected, rtol=1e-6, atol=1e-9))
