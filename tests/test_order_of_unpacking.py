"""What is unpacked by `**`, and what is put into a text, is taken before anything behind it is evaluated.

So is what is unpacked by `*`, but for one alone: Python takes the items of that behind all keywords.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg
from zygpy.testing import check_gradient


def stored(table: Any, value: Any) -> Any:
    table["b"] = value
    return value


def weighed(a: Any, b: Any, c: Any = 0.0) -> Any:
    return a * b * b + c


class Particle:
    def __init__(self, a: Any, b: Any) -> None:
        self.a = a
        self.b = b

    def moved(self, a: Any) -> Any:
        self.a = a
        return 2 * a


def by_a_function(x: Any, y: Any) -> Any:
    table = {"a": x, "b": y}
    changed = {**table, "a": stored(table, x * y)}
    return changed["a"] + changed["b"] * 3


def renamed(x: Any, y: Any) -> Any:
    table = {"a": x, "b": y}
    changed = {**table, "c": table.pop("b")}
    return changed["b"] * changed["c"] * changed["a"]


def in_a_call(x: Any, y: Any) -> Any:
    table = {"a": x, "b": y}
    return weighed(**table, c=stored(table, x * y))


def taken_in_a_call(x: Any, y: Any) -> Any:
    table = {"a": x, "b": y}
    return weighed(**table, c=table.pop("a")) + table["b"]


def twice(x: Any, y: Any) -> Any:
    table = {"a": x, "b": y}

    def changed() -> Any:
        table["a"] = x * y
        return table

    found = {**table, **changed(), "b": table["a"]}
    return found["a"] * found["b"] * 3


def of_fields(x: Any, y: Any) -> Any:
    particle = Particle(x, y)
    found = {**vars(particle), "c": particle.moved(x * y)}
    return found["a"] * found["b"] * found["c"] + particle.a


def in_a_loop(x: Any, y: Any) -> Any:
    table = {"a": x, "b": y}
    for _ in range(3):
        table = {**table, "b": stored(table, table["a"] * 0.5) * table["a"]}
    return table["a"] * table["b"]


def by_default(x: Any, y: Any) -> Any:
    table = {"a": x}
    found = {**table, "c": table.setdefault("b", x * y)}
    return found["a"] * found["c"] + found.get("b", y) * table["b"]


def in_texts(x: Any, y: Any) -> Any:
    items, table = [1, 2], {}
    table[f"{items}{items.pop()}{items}"] = x
    return table["[1, 2]2[1]"] * y


def summed(*items: Any, k: Any = None, **rest: Any) -> Any:
    return sum(items) * len(items) if k is None else sum(items) * k


def behind_keywords(x: Any, y: Any) -> Any:
    items = [x, y]
    found = summed(*items, k=items.append(x * y)) * summed(*items, c=items.pop(0))
    found = found + summed(y, *items, k=items.append(x)) + summed(*items, *items, k=items.pop() * y)
    return found * summed(*items, k=(items := [y, x]).pop() * items[0])


PROGRAMS: tuple[Callable[..., Any], ...] = (
    *(by_a_function, renamed, in_a_call, taken_in_a_call, twice, of_fields, in_a_loop, by_default, in_texts),
    behind_keywords,
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_in_the_order_of_evaluation(program: Callable[..., Any]) -> None:
    value, _ = zg.pullback(program, 0.7, 0.4)
    assert value == program(0.7, 0.4)
    check_gradient(program, 0.7, 0.4)
    found = [0.0 if bar is None else bar for bar in zg.gradient(program, 0.7, 0.4)]
    assert zg.pushforward(program, 0.7, 0.4)(0.3, -0.8) == pytest.approx(0.3 * found[0] - 0.8 * found[1])
