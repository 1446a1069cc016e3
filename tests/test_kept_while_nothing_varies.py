"""Helpers in which an operation, or a call of the unknown, keeps a thing in which nothing varies yet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg


class Keeping:
    def __init__(self):
        self.kept = [7.0]

    def __iadd__(self, value):
        return self

    def keep(self, value):
        self.kept = value

    def keep_by_name(self, *, value):
        self.kept = value

    def __add__(self, value):
        self.kept = value
        return 1.0

    __mul__ = __getitem__ = __add__

    def __eq__(self, value):
        self.kept = value
        return True

    __hash__ = None

    def __contains__(self, value):
        self.kept = value
        return True


def method(it, c):
    it.keep(c)


def method_by_name(it, c):
    it.keep_by_name(value=c)


def deeper(it, c):
    method({"it": it}["it"], [c][0])


def in_a_function(it, c):
    (lambda v: it.keep(v))(c)


def in_a_loop(it, c):
    for value in (c,):
        it.keep(value)


def handed_to_map(it, c):
    list(map(it.keep, [c]))


def added(it, c):
    it + c


def multiplied(it, c):
    return 0 * (it * c)


def asked_for_an_item(it, c):
    return 0 * it[c]


def compared(it, c):
    return 0 * (it == c)


def searched(it, c):
    return 0 * (c in it)


WAYS = [
    *(method, method_by_name, deeper, in_a_function, in_a_loop, handed_to_map, added, multiplied),
    *(asked_for_an_item, compared, searched),
]


def a_list(x: Any, keep: Any) -> Any:
    it = Keeping()
    it += 1.0  # of which nothing is known then
    c: list[Any] = []
    keep(it, c)
    c.append(3.0 * x)
    return sum(it.kept)


def an_array(x: Any, keep: Any) -> Any:
    it = Keeping()
    it += 1.0
    c = np.zeros(2)
    keep(it, c)
    c[1] = 3.0 * x
    return np.sum(it.kept)


def in_a_dict(x: Any, keep: Any) -> Any:
    things = {"it": Keeping()}
    c: dict[str, Any] = {}
    keep(things["it"], c)
    c["k"] = 3.0 * x
    return things["it"].kept["k"]


@pytest.mark.parametrize("filled", [a_list, an_array, in_a_dict])
@pytest.mark.parametrize("way", WAYS)
def test_what_is_kept_may_vary_later(way: Callable[..., Any], filled: Callable[..., Any]) -> None:
    def program(x: Any) -> Any:
        return filled(x, way)

    assert program(2.0) == 6.0
    value, back = zg.pullback(program, 2.0)
    assert value == 6.0
    assert [back(1.0)[0], back(1.0)[0]] == [3.0, 3.0]
    assert zg.pushforward(program, 2.0)(1.0) == 3.0


@pytest.mark.parametrize("way", [compared, searched])
def test_questions_that_keep_what_varies_are_refused(way: Callable[..., Any]) -> None:
    def program(x):
        it = Keeping()
        it += 1.0
        way(it, x)
        return it.kept * 3.0

    assert program(2.0) == 6.0
    with pytest.raises(zg.UnsupportedSyntaxError, match="changes something when it is asked"):
        zg.gradient(program, 2.0)


def test_an_item_that_nobody_reads_may_be_asked_for_to_keep_the_index() -> None:
    def program(x):
        it = Keeping()
        it += 1.0
        it[x]
        return it.kept * 3.0

    assert program(2.0) == 6.0
    assert zg.gradient(program, 2.0)[0] == 3.0
