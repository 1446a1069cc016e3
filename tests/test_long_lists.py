"""Long lists and dicts: what is in them has the same kind as in short ones, and reading an item of an item
takes no longer, however many there are."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from zygpy.ir.kinds import MAXIMUM_ITEMS, kind_of

Pair = namedtuple("Pair", "m x")


class Body:
    def __init__(self, m: float) -> None:
        self.m = m


ITEMS: dict[str, Callable[[int], Any]] = {
    "number": lambda k: 0.5 * k,
    "number or int": lambda k: k if k % 2 else 0.5 * k,
    "pair": lambda k: (0.5 * k, k),
    "pairs of several lengths": lambda k: (1.0,) * (k % 2),
    "named": lambda k: Pair(0.5 * k, np.ones(2)),
    "dict": lambda k: {"m": 0.5 * k, "x": [1.0]},
    "dicts of several keys": lambda k: {"m": 0.5 * k} if k % 2 else {"x": 0.5 * k},
    "row": lambda k: [0.5 * k, 1.0],
    "rows of rows": lambda k: [[0.5 * k], [1.0, 2.0]],
    "empty and not": lambda k: [0.5 * k] * (k % 2),
    "array": lambda k: np.ones(3),
    "arrays of several ranks": lambda k: np.ones((3,) * (1 + k % 2)),
    "text": lambda k: "a" * k,
    "text or number": lambda k: "a" if k % 2 else 0.5,
    "nothing": lambda k: None,
    "numbers of NumPy": lambda k: np.float32(k),
}


@pytest.mark.parametrize("item", ITEMS.values(), ids=ITEMS)
def test_the_kind_of_many_is_that_of_few(item: Callable[[int], Any]) -> None:
    few, many = ([item(k) for k in range(n)] for n in (MAXIMUM_ITEMS, 3 * MAXIMUM_ITEMS))
    assert kind_of(many) == kind_of(few)
    assert kind_of(dict(enumerate(many))) == kind_of(dict(enumerate(few)))


def test_the_kind_of_many_objects_is_their_class() -> None:
    kind = kind_of([Body(0.5)] * 3 * MAXIMUM_ITEMS)
    assert kind == kind_of([Body(0.5)])


def test_a_last_one_of_another_kind_is_seen() -> None:
    for odd in ("a", None, Body(1.0), (1.0,), 1j):
        values = [1.0] * (2 * MAXIMUM_ITEMS)
        assert kind_of([*values, odd]) == kind_of([1.0, odd])
        rows = [[1.0]] * (2 * MAXIMUM_ITEMS)
        assert kind_of([*rows, [odd]]) == kind_of([[1.0, odd]])
