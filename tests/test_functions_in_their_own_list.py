"""Functions in a list that they reach themselves, called through copies of it; and lists of which arrays of
objects are made before they change."""

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
    whole = store.withdraw(what, ({"scale": 2.0}, None), (), False)
    assert store.take_entries(functions) is None
    left = store.give(what, whole)
    assert left[0]["scale"] == 2.0
    assert store.take_entries(functions)[0]["scale"] == 20.0


def through_a_tuple(a: Any) -> Any:
    functions: list[Any] = []
    log: list[Any] = []

    def charge(value: Any) -> None:
        log.append(a * a * value)
        functions.append(1)

    functions.append(charge)
    tuple(functions)[0](1.0)
    functions[0](10.0)
    return log[0] + log[1]


def test_gradient_of_the_gradient_through_a_copy_of_the_list() -> None:
    inner, outer = zygpy.pullback(lambda a: zygpy.gradient(through_a_tuple, a)[0], 2.0)
    assert inner == zygpy.gradient(through_a_tuple, 2.0)[0] == pytest.approx(44.0, rel=1e-12)
    assert outer(1.0) == outer(1.0) == pytest.approx((22.0,), rel=1e-12)
    assert zygpy.hvp(through_a_tuple, 2.0, 1.0) == pytest.approx(22.0, rel=1e-12)


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
    second = slope(lambda t: zygpy.gradient(f, 1.3 + t)[0], 0.02).value
    assert zygpy.hvp(f, 1.3, 1.0) == pytest.approx(second, rel=1e-8)
    assert zygpy.gradient(lambda a: zygpy.gradient(f, a)[0], 1.3)[0] == pytest.approx(second, rel=1e-8)
