"""The peak memory of what a pullback keeps of the scalar loop, against the tape written by hand."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterator

import zygpy as zg
from benchmarks.case import Reading
from benchmarks.programs import scalar_loop


def readings(repeats: int) -> Iterator[Reading]:
    arguments = scalar_loop.CASE.arguments()
    by_hand = peak(lambda: scalar_loop.forward(*arguments), repeats)
    generated = peak(lambda: zg.pullback(scalar_loop.scalar_loop, *arguments), repeats)
    yield Reading("tape by hand", by_hand / 1024, "KiB")
    yield Reading("tape of zygpy", generated / 1024, "KiB")
    yield Reading("tape of zygpy over by hand", generated / by_hand, "times", 1.05)


ENOUGH = 10
"""Allocation does not vary much."""


def peak(call: Callable[[], object], repeats: int) -> int:
    """The least peak of bytes allocated during a call, caches warm."""
    call()
    return min(_peak_once(call) for _ in range(min(repeats, ENOUGH)))


def _peak_once(call: Callable[[], object]) -> int:
    gc.collect()
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
