"""Products with Hessians go through the code of gradients that put cotangents of dicts, heaps and tuples
together: against differences of the gradient, which is checked by differences of the program."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from zygpy.analyse.rule_kinds import rule_kind
from zygpy.gradients_pushed import gradient_push
from zygpy.ir.kinds import FLOAT, INT, NONE, Optional, Tuple, is_mutable
from zygpy.ir.kinds.nesting import widen
from zygpy.rules import declare
from zygpy.runtime import helpers

X = np.array([0.7, 1.3, 0.4, 2.1, 0.9, 1.6])
V = np.array([0.3, -0.7, 0.5, 0.2, -0.4, 0.9])


def by_pairs_of_keys(x: Any) -> Any:
    grid = {(i, j): x[(i + 2 * j) % 6] for i in range(3) for j in range(3)}
    for _ in range(2):
        grid = {
            (i, j): grid.get((i + 1, j), 0.0) * 0.25 + grid.get((i, j - 1), 0.0) + v**2 * 0.1
            for (i, j), v in grid.items()
        }
    return sum(grid.values()) ** 2


def keys_are_values_too(x: Any) -> Any:
    grid = {(i, i + 1): x[i] for i in range(5)}
    return sum(a * v**2 + b * v for (a, b), v in grid.items())


def rebound_under_pairs(x: Any) -> Any:
    grid = {(0, 0): x[0]}
    for _ in range(3):
        for (a, b), v in list(grid.items()):
            grid[(a + 1, b)] = v * x[1] + grid.get((a + 1, b), 0.0)
            grid[(a, b + 1)] = v * v * 0.1
    return sum(grid.values())


def sorted_items(x: Any) -> Any:
    table = defaultdict(float)
    for i in range(20):
        table[f"n{i % 5}"] += x[i % 6] * x[(i + 1) % 6]
    return sum((i + 1) * v * v for i, (_, v) in enumerate(sorted(table.items())))


def left_early(x: Any) -> Any:
    table = {i: x[i] for i in range(6)}
    total = 0.0
    for k, v in table.items():
        if k == 4:
            break
        if k % 2:
            continue
        total += v**3 * table[5]
    return total


def walked_over_twice(x: Any) -> Any:
    table = {i % 3: x[i] ** 2 for i in range(6)}
    return sum(v * w for v in table.values() for w in table.values())


def best_pair(x: Any) -> Any:
    best = None
    for i in range(6):
        pair = (x[i] * x[(i + 1) % 6], x[i] ** 2)
        if best is None or pair[0] > best[0]:
            best = pair
    u, v = best
    return u * v


def slots_that_are_empty(x: Any) -> Any:
    slots: list[Any] = [None] * 4
    for i in range(9):
        old = slots[i % 4]
        slots[i % 4] = (x[i % 6], 1.0) if old is None else (old[0] * x[i % 6], old[1] + x[0])
    return sum(pair[0] * pair[1] for pair in slots if pair is not None)


def heap_of_tuples(x: Any) -> Any:
    heap: list[Any] = []
    for i in range(15):
        heapq.heappush(heap, (i * 7 % 11, i, x[i % 6] * x[(i + 1) % 6]))
    total = 0.0
    while heap:
        k, _, v = heapq.heappop(heap)
        total = total * 0.5 + v * v * (k + 1)
    return total


def heap_by_what_varies(x: Any) -> Any:
    events = [(x[i] * 0.5 + i, i) for i in range(6)]
    heapq.heapify(events)
    cost, n = 0.0, 0
    while events and n < 15:
        t, k = heapq.heappop(events)
        cost += t * x[k]
        if n < 8:
            heapq.heappush(events, (t + x[k] ** 2, k))
        n += 1
    return cost


def heap_of_numbers(x: Any) -> Any:
    heap: list[Any] = []
    for i in range(12):
        heapq.heappush(heap, x[i % 6] * (1 + i * 0.37 % 1))
    return sum((i + 1) * heapq.heappop(heap) ** 2 for i in range(12))


def state_of_arrays(x: Any) -> Any:
    state = {"position": x[:3], "velocity": x[3:]}
    for _ in range(3):
        force = -np.sin(state["position"]) * x[0]
        velocity = state["velocity"] + 0.1 * force
        state = {"position": state["position"] + 0.1 * velocity, "velocity": -velocity}
    return np.sum(state["position"] * state["velocity"]) + x[0]


def layers_of_other_shapes(x: Any) -> Any:
    layers = [{"w": np.outer(x[:2], x[2:5]), "b": x[5]}, {"w": x[:3] * x[0], "b": np.array([[x[1]]])}]
    y = np.ones((4, 2))
    for layer in layers:
        y = (
            np.tanh(y @ layer["w"] * 0.1 + layer["b"])
            if layer["w"].ndim == 2
            else -(y * layer["w"]) - layer["b"]
        )
    return np.sum(y * y * np.arange(3.0))


def changed_in_place_and_read_as_one(x: Any) -> Any:
    held = {"a": x * 1.0, "b": x[:1] * x[1:2]}
    other = held["a"]
    for k in range(2):
        other += -held["b"] * (k + 1)
        held["a"][k:] *= held["b"]
        held["b"] = -held["b"] + held["a"][k]
    return np.sum(held["a"] * other) + np.sum(held["b"] ** 3)


PROGRAMS = [
    state_of_arrays,
    *(
        by_pairs_of_keys,
        keys_are_values_too,
        rebound_under_pairs,
        sorted_items,
        left_early,
        walked_over_twice,
    ),
    *(best_pair, slots_that_are_empty, heap_of_tuples, heap_by_what_varies, heap_of_numbers),
]

IN_OTHER_WAYS = [layers_of_other_shapes, changed_in_place_and_read_as_one]


def product_by_differences(f: Callable[[Any], Any], x: Any, v: Any) -> Any:
    def slope(step: float) -> Any:
        return (zg.gradient(f, x + step * v)[0] - zg.gradient(f, x - step * v)[0]) / (2.0 * step)

    return (4.0 * slope(5e-4) - slope(1e-3)) / 3.0


@pytest.mark.parametrize("f", PROGRAMS + IN_OTHER_WAYS)
def test_products(f: Callable[[Any], Any]) -> None:
    np.testing.assert_allclose(zg.gradient(f, X)[0], differences(f, X), rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(zg.hvp(f, X, V), product_by_differences(f, X, V), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("f", PROGRAMS)
def test_products_are_pushed(f: Callable[[Any], Any]) -> None:
    found: Any = gradient_push(f, (X,))
    assert not hasattr(found, "why"), found.why
    _, dots = found.run((V,))  # in forward mode, which is what the products cost little by
    np.testing.assert_array_equal(dots[found.first], zg.hvp(f, X, V))


HEAPS: list[Callable[[list[Any]], Any]] = [
    lambda h: heapq.heappop(h),
    lambda h: heapq.heappush(h, 3),
    lambda h: heapq.heappushpop(h, 5),
    lambda h: heapq.heapreplace(h, 9),
    lambda h: heapq.heapify(h),
]


@pytest.mark.parametrize("change", HEAPS)
def test_heaps_lie_as_the_c_code_lays_them_out(change: Callable[[list[Any]], Any]) -> None:
    random = np.random.default_rng(1)
    for size in range(1, 12):
        items = [(int(k), n) for n, k in enumerate(random.integers(0, 5, size))]
        mine = [(float(k), float(n)) for k, n in items]
        if change is not HEAPS[-1]:
            heapq.heapify(mine)
        own = [*mine]
        if change in HEAPS[1:4]:
            own, mine = [a for a, _ in own], [a for a, _ in mine]

        def program(x: Any, given: Any = mine) -> Any:
            heap = [*given]
            change(heap)
            KEPT[:] = heap
            return x

        zg.gradient(program, 1.0)
        change(own)
        assert own == KEPT


KEPT: list[Any] = []


def test_positions_from_behind() -> None:
    positions = {0: 1.0, -2: 2.0, 1: 5.0}
    assert helpers.values_at({"a": 4.0, "b": 5.0}, ["a", "b"], positions) == {0: 4.0, -2: 4.0, 1: 5.0}
    pairs = {0: (None, 1.0), -1: None}
    assert helpers.items_at({"b": 5.0}, ["a", "b"], pairs) == {-1: (None, 5.0)}
    assert helpers.items_dot({0: (0.0, 2.0), -1: 0.0}, ["a", "b"]) == {"a": 2.0}


def test_kinds_of_cotangents_that_may_be_none() -> None:
    pair = Tuple((FLOAT, NONE))
    rule = declare.find(helpers.accumulate)
    assert rule is not None
    assert rule_kind(rule, {"a": (Optional(pair), None), "b": (pair, None)}) == pair
    assert rule_kind(rule, {"a": (Optional(pair), None), "b": (Optional(pair), None)}) == Optional(pair)
    assert not is_mutable(Optional(pair))
    deep = INT
    for _ in range(6):
        deep = Tuple((deep,))
    assert widen(deep) == deep
    assert widen(Tuple((deep,))) != Tuple((deep,))


def of_a_tuple(x: Any) -> Any:
    return x * x, x * x * x


def of_a_dict(x: Any) -> Any:
    return {"a": x * x, "b": x * x * x}


def test_seeds_have_tangents() -> None:
    """A number that depends on the seed: 4 s + 12 s squared."""

    def by_a_tuple(s: Any) -> Any:
        return zg.pullback(of_a_tuple, 2.0)[1]((s, s * s))[0]

    def by_a_dict(s: Any) -> Any:
        return zg.pullback(of_a_dict, 2.0)[1]({"a": s, "b": s * s})[0]

    for f in (by_a_tuple, by_a_dict):
        assert zg.pushforward(f, 1.5)(1.0) == pytest.approx(40.0)
        assert zg.hvp(f, 1.5, 1.0) == pytest.approx(24.0)
