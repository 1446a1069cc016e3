"""Threads, failures on the way, leaks, deep recursion, long functions."""

from __future__ import annotations

import gc
import math
import struct
import sys
import threading
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.properties.strategies import compiled
from zygpy.rules import declare
from zygpy.runtime.stack import with_room


def planted(x: float) -> float:
    """Has a rule that raises ValueError where the value is not positive."""
    return x - 1.0


@pytest.fixture(autouse=True)
def planted_rule() -> Iterator[None]:
    declare.elementwise(planted, "y = planted(x)", x_bar="y_bar * math.log(y) / math.log(y)")
    yield
    del declare.REGISTRY[planted]


def through_planted(x: float, n: int) -> float:
    total = 0.0
    for i in range(n):
        total = total * x + planted(x + i) ** 2
    return total


def power(x: float, n: int) -> float:
    r = 1.0
    for _ in range(n):
        r = r * x
    return r


def recursive_sum(x: float, n: int) -> float:
    if n == 0:
        return x
    return x * 0.5 + recursive_sum(x, n - 1)


def second(x: float, n: int) -> Any:
    return zg.gradient(lambda t: zg.gradient(power, t, n)[0] * t, x)[0]


class TestThreads:
    def test_eight_threads_of_nested_gradients(self) -> None:
        start = threading.Barrier(8)

        def work(k: int) -> list[float]:
            start.wait()
            return [second(1.0 + k / 10, 2 + (k + i) % 3) for i in range(40)]

        def expected(x: float, n: int) -> float:
            return n * n * x ** (n - 1)

        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(work, range(8)))
        for k, found in enumerate(results):
            wanted = [expected(1.0 + k / 10, 2 + (k + i) % 3) for i in range(40)]
            assert found == pytest.approx(wanted, rel=1e-12)

    def test_eight_threads_share_one_back(self) -> None:
        def program(v: Any) -> Any:
            y = v * 1.0
            for i in range(3):
                y[i] = y[i] * y[i + 1]
            return y

        _, back = zg.pullback(program, np.arange(1.0, 5.0))
        seeds = [np.arange(4.0) + k for k in range(8)]
        alone = [back(seed)[0] for seed in seeds]
        with ThreadPoolExecutor(8) as pool:
            together = list(pool.map(lambda seed: back(seed)[0], seeds))
        for one, other in zip(alone, together, strict=True):
            np.testing.assert_array_equal(one, other)

    def test_eight_threads_derive_a_new_function_at_once(self) -> None:
        start = threading.Barrier(8)

        def fresh(x: float) -> float:
            return math.sin(x) * power(x, 3)

        def work(_: int) -> Any:
            start.wait()
            return zg.gradient(fresh, 0.5)[0]

        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(work, range(8)))
        assert results == pytest.approx([math.cos(0.5) * 0.125 + math.sin(0.5) * 0.75] * 8, rel=1e-12)


class TestFailures:
    def test_in_the_primal(self) -> None:
        def fails_sometimes(x: float) -> float:
            y = x * x
            if x < 0:
                raise KeyError("negative")
            return y

        for _ in range(3):
            with pytest.raises(KeyError, match="negative"):
                zg.gradient(fails_sometimes, -1.0)
            assert zg.gradient(fails_sometimes, 3.0) == (6.0,)

    def test_in_a_rule_half_way_through_back(self) -> None:
        _, back = zg.pullback(through_planted, 0.25, 4)
        for _ in range(3):
            with pytest.raises(ValueError, match="math domain error"):
                back(1.0)
        x, n = 3.0, 4
        expected = zg.gradient(lambda t: sum((t + i - 1) ** 2 * t ** (n - 1 - i) for i in range(n)), x)
        assert zg.gradient(through_planted, x, n)[0] == pytest.approx(expected[0], rel=1e-12)

    def test_in_an_inner_gradient(self) -> None:
        def outer(x: float) -> Any:
            return x * zg.gradient(through_planted, x, 2)[0]

        good = zg.gradient(outer, 3.0)
        with pytest.raises(ValueError, match="math domain error"):
            zg.gradient(outer, 0.25)
        assert zg.gradient(outer, 3.0) == good
        assert zg.gradient(power, 2.0, 3) == (12.0, None)

    def test_when_no_rule_is_found(self) -> None:
        def program(x: float, function: Any) -> float:
            return float(function(x)) * x

        for _ in range(2):
            with pytest.raises(zg.ZygpyError):
                zg.gradient(program, 1.5, struct.Struct("d").pack)
            assert zg.gradient(program, 1.5, math.floor)[0] == 1.0

    def test_a_wrong_seed_leaves_back_usable(self) -> None:
        _, back = zg.pullback(lambda v: v * v, np.ones(3))
        with pytest.raises(zg.CotangentShapeError):
            back(np.ones(5))
        np.testing.assert_array_equal(back(np.ones(3))[0], np.full(3, 2.0))

    def test_keyboard_interrupt_passes_through(self) -> None:
        def interrupted(x: float) -> float:
            if x > 1:
                raise KeyboardInterrupt
            return x * x

        with pytest.raises(KeyboardInterrupt):
            zg.gradient(interrupted, 2.0)
        assert zg.gradient(interrupted, 0.5) == (1.0,)

    def test_an_interrupted_derivation_ends(self, monkeypatch: pytest.MonkeyPatch) -> None:
        limit, join = sys.getrecursionlimit(), threading.Thread.join
        ends: list[threading.Thread] = []

        def interrupted_join(thread: threading.Thread, timeout: float | None = None) -> None:
            if timeout is None:
                assert begun.wait(10)
                raise KeyboardInterrupt
            join(thread, timeout)

        def work() -> None:
            begun.set()
            try:
                while True:
                    zg.gradient(power, 3.0, 2)
            finally:
                ends.append(threading.current_thread())

        begun = threading.Event()
        monkeypatch.setattr(threading.Thread, "join", interrupted_join)
        with pytest.raises(KeyboardInterrupt):
            with_room(work, deep=True)
        assert len(ends) == 1
        assert not ends[0].is_alive()
        assert sys.getrecursionlimit() == limit
        assert zg.gradient(recursive_sum, 2.0, 3) == (2.5, None)


def blocks_after(calls: int, function: Any) -> int:
    for _ in range(calls):
        function()
    gc.collect()
    return sys.getallocatedblocks()


class TestLeaks:
    def test_a_hundred_thousand_calls(self) -> None:
        def call() -> None:
            zg.gradient(power, 1.5, 1)

        before = blocks_after(500, call)
        assert blocks_after(100_000, call) - before < 1000

    def test_functions_made_afresh(self) -> None:
        def call() -> None:
            scale = np.ones(3)
            zg.gradient(lambda v: (v * scale).sum(), np.ones(3))

        before = blocks_after(200, call)
        assert blocks_after(3000, call) - before < 1000

    def test_arguments_and_captured_data_are_let_go(self) -> None:
        v, scale = np.ones(1000), np.ones(1000)
        watched = [weakref.ref(v), weakref.ref(scale)]

        def program(u: Any, scale: Any = scale) -> Any:
            return (u * scale).sum()

        zg.gradient(program, v)
        del v, scale, program
        gc.collect()
        assert [reference() for reference in watched] == [None, None]

    def test_failed_calls(self) -> None:
        def call() -> None:
            with pytest.raises(ValueError, match="math domain error"):
                zg.gradient(through_planted, 0.25, 3)

        before = blocks_after(200, call)
        assert blocks_after(2000, call) - before < 1000


class TestSizes:
    def test_recursion_of_a_third_of_the_limit(self) -> None:
        depth = sys.getrecursionlimit() // 3
        assert zg.gradient(recursive_sum, 2.0, depth)[0] == pytest.approx(0.5 * depth + 1)

    def test_too_deep_a_recursion_raises_and_is_forgotten(self) -> None:
        with pytest.raises(RecursionError):
            zg.gradient(recursive_sum, 2.0, 10 * sys.getrecursionlimit())
        assert zg.gradient(recursive_sum, 2.0, 3)[0] == pytest.approx(2.5)

    def test_a_long_loop(self) -> None:
        assert zg.gradient(power, 1.0, 100_000)[0] == pytest.approx(1e5)

    def test_a_long_straight_line(self) -> None:
        lines = [f"    x = math.sin(x) + {k % 7} * x / 9" for k in range(300)]
        program = compiled("\n".join(["def program(x):", *lines, "    return x", ""]))
        point, slope = 0.3, 1.0
        for k in range(300):
            slope *= math.cos(point) + (k % 7) / 9
            point = math.sin(point) + k % 7 * point / 9
        assert zg.gradient(program, 0.3)[0] == pytest.approx(slope, rel=1e-9)

    def test_a_deeply_nested_expression(self) -> None:
        program = compiled(f"def program(x):\n    return {'(' * 60}x{' * 0.9 + x)' * 60}\n")
        expected = 1.0
        for _ in range(60):
            expected = expected * 0.9 + 1
        assert zg.gradient(program, 0.3)[0] == pytest.approx(expected, rel=1e-12)
