"""Functions in a list that they reach themselves, things that all know each other, and arrays of objects that
are made of lists which change afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy
from zygpy.runtime.store import Store, described
from zygpy.testing.numeric import slope


def test_what_is_taken_out_of_the_store_and_given_back_is_the_same() -> None:
    functions: list[Any] = []
    table: dict[str, Any] = {"table": functions}

    def charge(value: float) -> float:
        return 2.0 * value if table else charge(functions[0](value))

    functions.append(charge)
    what = described((charge, functions))
    store = Store()
    store.add_entry(functions, 1, 0, {"table": None, "scale": 20.0})
    whole = store.withdraw(what, ({"scale": 2.0}, None), False)
    assert store.take_entries(functions) is None
    left = store.give(what, whole)
    assert left[0]["scale"] == 2.0
    assert store.take_entries(functions)[0]["scale"] == 20.0


class Node:
    def __init__(self, value: Any) -> None:
        self.value = value
        self.others: list[Any] = []


def test_things_that_all_know_each_other() -> None:
    def stepped(node: Node, a: Any) -> Any:
        node.value = node.value * a
        return node.others[1].value * node.value

    def f(a: Any) -> Any:
        nodes = [Node(a * k) for k in range(1, 11)]
        for node in nodes:
            node.others = list(nodes)
        inner = zygpy.gradient(stepped, nodes[0], a)[0].value
        return inner * tuple(nodes)[1].others[2].value

    assert zygpy.gradient(f, 2.0) == pytest.approx((3.0 * 2.0 * 3.0 * 2.0**2,), rel=1e-12)  # 2 a a times 3 a


# ------------------------------------------------------------ arrays of objects made of lists that change


def shorter(a: Any) -> Any:
    items = [a, 2.0 * a]
    table = np.array(items, dtype=object)
    items.pop()
    return table[0] * table[1] * items[0]


def longer(a: Any) -> Any:
    items = [a, 2.0 * a]
    table = np.array(items, dtype=object)
    items.insert(0, a * a)
    return table[0] * table[1] * items[0]


def empty(a: Any) -> Any:
    items = [a, 2.0 * a]
    table = np.array(items, dtype=object)
    items.clear()
    return table[0] * table[1]


def rows(a: Any) -> Any:
    items = [[a, 1.0], [2.0 * a, a]]
    table = np.array(items, dtype=object)
    items.reverse()
    items[0] = [a * a]
    return table[0, 0] * table[0, 0] * table[1, 1] + items[0][0] * items[1][0]


def in_a_tuple(a: Any) -> Any:
    inner = [a, 2.0 * a]
    table = np.array((inner, np.array([3.0, 4.0])), dtype=object)
    del inner[0]
    return table[0, 0] * table[0, 1] * table[1, 1] + inner[0]


@pytest.mark.parametrize("f", [shorter, longer, empty, rows, in_a_tuple], ids=lambda f: f.__name__)
def test_arrays_of_objects_have_what_the_list_had(f: Callable[[Any], Any]) -> None:
    first = slope(lambda t: float(f(1.3 + t)), 0.02).value
    _, back = zygpy.pullback(f, 1.3)
    assert back(1.0) == back(1.0) == pytest.approx((first,), rel=1e-8)
