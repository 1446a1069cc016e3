"""Heaps, and sets of whole numbers that are asked what is in them: plain code, where nothing is taken out of
the set as a number."""

from __future__ import annotations

import heapq
import math
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from zygpy import units

X = np.array([0.7, 1.3, 0.4, 0.9])


def shortest(x: Any) -> Any:
    graph = {0: [(1, x[0]), (2, x[1])], 1: [(2, x[2]), (3, x[3])], 2: [(3, x[0] * x[1])], 3: []}
    heap, done, far = [(0.0, 0)], set(), {0: 0.0}
    while heap:
        d, u = heapq.heappop(heap)
        if u in done:
            continue
        done.add(u)
        for v, w in graph[u]:
            if v not in done and (v not in far or d + w < far[v]):
                far[v] = d + w
                heapq.heappush(heap, (far[v], v))
    return sum(far.values()) * len(done)


def events(x: Any) -> Any:
    queue, s, n = [(0.0, 0)], 0.0, 0
    while queue and n < 6:
        t, who = heapq.heappop(queue)
        s += t * (who + 1)
        n += 1
        heapq.heappush(queue, (t + x[who] ** 2, (who + 1) % 4))
        if n < 3:
            heapq.heappush(queue, (t + x[who + 1], who + 1))
    return s


def top_changed(x: Any) -> Any:
    heap = [1.0, 2.0, 3.0]
    heapq.heapify(heap)
    s = heapq.heappushpop(heap, x[0])
    s += heapq.heapreplace(heap, x[1] * x[2])
    return s * heap[0] + heap[1] * heap[2]


def of_pairs(x: Any) -> Any:
    seen, s = set(), 0.0
    for (i, j), v in zip([(0, 1), (1, 0), (0, 1)], x, strict=False):
        if (i, j) in seen:
            seen.discard((i, j))
            s += v * v
        else:
            seen.add((i, j))
            s += v
    return s * (2.0 if seen else 3.0)


def given_whole_numbers(n: Any) -> Any:
    seen: Any = set()
    seen.add(n)
    return sum(v * v for v in seen)


def popped(n: Any) -> Any:
    seen: Any = set()
    if n not in seen:
        seen.add(n)
    return seen.pop() * 2.0


def by_another_name(n: Any) -> Any:
    seen: Any = set()
    other = seen
    seen.add(n)
    return math.fsum(other) ** 2


def by_a_function(n: Any) -> Any:
    seen: Any = set()

    def total() -> Any:
        return sum(seen)

    seen.add(n)
    return total() ** 2


def in_a_list(n: Any) -> Any:
    seen: Any = set()
    kept = [seen]
    seen.add(n)
    return sum(kept[0]) ** 2


def given_back(n: Any) -> Any:
    def made() -> Any:
        seen: Any = set()
        seen.add(n)
        return seen

    return sum(made()) ** 2


def compared(x: Any) -> Any:
    rows = [(x[0], 1), (x[1], 2), (x[2] * x[3], 3)]
    best = rows[0]
    for row in rows:
        if row > best or [row[1], row[0]] < [best[1], x[0]]:
            best = row
    return best[0] * best[1] + (x[0] if rows < [*rows, rows[0]] else x[1])


PROGRAMS = [shortest, events, top_changed, of_pairs, compared]
NAMES = [program.__name__ for program in PROGRAMS]
SECOND = PROGRAMS if "ZYGPY_ALL_CASES" in os.environ else PROGRAMS[2::2]


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("program", PROGRAMS, ids=NAMES)
def test_gradients(program: Callable[[Any], Any], specialise: bool) -> None:
    expected = differences(program, X)
    with units.options(specialise=specialise):
        for given, tolerance in ((X, 1e-8), (X.astype(np.float32), 1e-5)):
            value, back = zg.pullback(program, given)
            assert value == program(given)
            for _ in range(2):
                np.testing.assert_allclose(back(1.0)[0], expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("program", SECOND)
def test_second_derivatives(program: Callable[[Any], Any]) -> None:
    v = np.array([0.3, -0.2, 0.9, 0.5])
    expected = differences(lambda x: zg.gradient(program, x)[0] @ v, X)
    np.testing.assert_allclose(zg.hvp(program, X, v), expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize(
    ("program", "slope"),
    [
        *((given_whole_numbers, 6.0), (popped, 2.0), (by_another_name, 6.0), (by_a_function, 6.0)),
        *((in_a_list, 6.0), (given_back, 6.0)),
    ],
)
def test_whole_numbers_that_are_taken_out_again(program: Callable[[Any], Any], slope: float) -> None:
    assert zg.gradient(program, 3) == (slope,)
    assert zg.gradient(program, 3.0) == (slope,)


@pytest.mark.parametrize("program", [shortest, events, of_pairs, compared])
def test_they_are_plain_code(program: Callable[[Any], Any]) -> None:
    text = str(zg.show_adjoint(program, X.tolist()))
    assert "pull" not in text, text
    assert "store" not in text, text
