"""Products with Hessians of programs whose containers are changed by programs of the standard library, or by
keywords, or are named tuples with other fields: by tangent code, which does the same to the tangents."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush, heappushpop, heapreplace
from typing import Any, NamedTuple

import numpy as np
import pytest

import zygpy as zg
from zygpy import tangents_pulled
from zygpy.testing import check_gradient

X = np.array([1.2, 0.7, 0.4, 1.1, 0.9])
V = np.array([0.9, 0.4, -0.6, 0.3, -0.2])
WAITING: list[Any] = []


def lists_in_a_heap(w: Any) -> Any:
    heap: list[Any] = []
    same = heap
    for k in range(4):
        heappush(heap, [w[k] * w[k], k])
    same[0][0] = same[0][0] * w[2]
    first = heappop(same)
    first[0] *= w[3]
    heappush(same, first)
    total = 0.0
    while heap:
        v, k = heappop(heap)
        total += v**3 * (k + 1)
    return total


def in_a_heap_of_rows(w: Any) -> Any:
    heap = [[w[k] ** 2, k] for k in range(3)]
    heapify(heap)
    total = 0.0
    for k in range(3, 5):
        v = heapreplace(heap, [w[k] * w[k - 1], k])
        u = heappushpop(heap, [w[k] * 0.5, -k])
        total += v[0] * u[0] ** 2
    return total + sum(v[0] for v in heap)


def arrays_in_a_heap(w: Any) -> Any:
    heap: list[Any] = []
    for k in range(3):
        heappush(heap, [w[k], w[: k + 1] * 1.0])
    out = []
    while heap:
        p, part = heappop(heap)
        part *= p
        part[0] = p * p
        out.append(part.sum())
    return sum(o * o for o in out)


def found_by_its_name(w: Any) -> Any:
    WAITING.clear()
    for k in range(4):
        heappush(WAITING, [w[k] * w[k + 1], k])
    total = 0.0
    while WAITING:
        v, _ = heappop(WAITING)
        total = 0.5 * total + v * v
    return total


def in_a_function(w: Any) -> Any:
    def exchanged(heap: Any) -> Any:
        heappush(heap, [w[0] ** 2, 1.0])
        return heappop(heap)[0]

    known = [[w[1], w[2]]]
    return exchanged(known) * exchanged(known) * exchanged([])


def updated_by_keyword(w: Any) -> Any:
    options = {"alpha": w[0], "beta": w[1]}
    total = 0.0
    for v in w[2:]:
        options.update(beta=v * v)
        total += options["alpha"] * options["beta"] ** 2
    return total


def updated_by_dicts_and_keywords(w: Any) -> Any:
    options = {"alpha": w[0], "beta": w[1]}
    other = {"beta": w[2] * w[3], "gamma": w[4]}
    same = options
    options.update(other, gamma=w[0] * w[0], delta=3)
    other["gamma"] = w[1] * 100
    same.update(**other, zeta=w[2])
    same.update()
    total = 0.0
    for k, v in enumerate(options.values()):
        total += (k + 1) * v * v * w[3]
    return total


def updated_by_things(w: Any) -> Any:
    d: dict[str, Any] = {}
    items = [w[0], w[1]]
    d.update(a=items, b=w)
    items.append(w[2] ** 2)
    d.update(self=w[3] ** 3, n=None)
    return sum(v * v for v in d["a"]) * d["self"] + (d["b"] ** 3).sum()


class Point(NamedTuple):
    x: Any
    y: Any


def fields_replaced(w: Any) -> Any:
    p = Point(w[0], w[1])
    for v in w[2:]:
        p = p._replace(x=p.x * v + p.y)
    return p.x * p.y


def fields_that_can_be_changed(w: Any) -> Any:
    p = Point([w[0], w[1]], w[:2] * 1.0)
    q = p._replace(x=p.x)
    q.x.append(w[4])
    p.x[0] = w[3] * w[3]
    q.y[0] *= w[2]
    r = q._replace(x=1.0)
    return sum(v * v for v in q.x) * (r.y**3).sum() * r.x + p.x[2] ** 3


def replaced_by_itself(w: Any) -> Any:
    p = Point(w[:2] * w[3], w[1:3])
    q = p._replace(x=p)
    return (q.x.x * q.x.y * q.y * np.array([1.0, 2.0])).sum() + (q.y**3)[0]


def in_a_list(w: Any) -> Any:
    points = [Point(w[k], w[k + 1]) for k in range(4)]
    for k, p in enumerate(points):
        points[k] = p._replace(x=p.x * p.y)
    return sum(p.x * p.x * p.y for p in points)


PROGRAMS: list[Callable[[Any], Any]] = [
    lists_in_a_heap,
    in_a_heap_of_rows,
    arrays_in_a_heap,
    found_by_its_name,
    in_a_function,
    updated_by_keyword,
    updated_by_dicts_and_keywords,
    updated_by_things,
    fields_replaced,
    fields_that_can_be_changed,
    replaced_by_itself,
    in_a_list,
]


def by_differences(f: Any, h: float = 1e-3) -> Any:
    """The product of the Hessian at `X` with `V`, out of gradients."""

    def slope(step: float) -> Any:
        above, below = (zg.gradient(f, X + side * V)[0] for side in (step, -step))
        return (above - below) / (2 * step)

    return (4 * slope(h / 2) - slope(h)) / 3


@pytest.mark.parametrize("program", PROGRAMS)
def test_products_by_tangent_code(program: Callable[[Any], Any]) -> None:
    value = program(X)
    pull = tangents_pulled.tangent_pull(program, X)
    assert pull is not None
    assert pull.product(V) == pytest.approx(by_differences(program), rel=1e-7, abs=1e-7)
    assert zg.hvp(program, X, V) == pytest.approx(by_differences(program), rel=1e-7, abs=1e-7)
    assert program(X) == value
    assert not pull.push.tangent.unpulled


@pytest.mark.parametrize("program", [fields_that_can_be_changed, replaced_by_itself])
def test_gradients(program: Callable[[Any], Any]) -> None:
    """An array in a named tuple was taken for the cotangent of one that is put into its own copy."""
    check_gradient(program, X)


class Stack(list[Any]):
    """A list whose methods the functions of `heapq` do not ask."""

    def append(self, item: Any) -> None:
        raise AssertionError

    def pop(self, *args: Any) -> Any:
        raise AssertionError


def in_a_list_of_its_own_class(w: Any) -> Any:
    heap: Any = Stack()
    for k in range(3):
        heappush(heap, [w[k] ** 2, k])
    return heappop(heap)[0] ** 2 * heappop(heap)[0]


def test_lists_of_other_classes_are_left_to_reverse_mode() -> None:
    expected = by_differences(in_a_list_of_its_own_class)
    assert zg.hvp(in_a_list_of_its_own_class, X, V) == pytest.approx(expected, rel=1e-7, abs=1e-7)
