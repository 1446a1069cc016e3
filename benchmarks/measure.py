"""Timing contestants against each other: interleaved, in one run, the best of several repeats."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import zygpy as zg
from benchmarks.case import Case
from benchmarks.others import others

SLICE = 0.02
"""Seconds that one measurement of one contestant takes at least."""

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
    """The least seconds that one call of each contestant took."""
    numbers = {name: _number(call) for name, call in contestants.items()}
    best = dict.fromkeys(contestants, float("inf"))
    for _ in range(repeats):
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
        start = time.perf_counter()
        for _ in range(number):
            call()
        return (time.perf_counter() - start) / number
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
