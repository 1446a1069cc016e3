"""Statements that bind anew, or change, what they have read, and keys that are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.test_operators_of_objects import X, check_all, check_first


def popped_into_its_key(x: Any) -> Any:
    d = {1.0: x[0] * x[0], 2.0: x[1]}
    k = 1.0
    k = d.pop(k, 0.0)
    return k * x[1] + sum(d.values())


def popped_into_its_index(x: Any) -> Any:
    q = [3, 1.0 * x[0], x[1], x[1] * x[1]]
    i = 0
    i = q.pop(-1) if i else q.pop(i)
    return q[i - 1] * x[0]


def popped_number_into_its_index(x: Any) -> Any:
    xs = [x[0] * x[0], x[1], x[0] * x[1]]
    i = 0
    i = xs.pop(i)
    return i * x[1] + xs[0] * xs[1]


def popped_by_name(x: Any) -> Any:
    d = {"a": x[0] * x[0], "b": x[1]}
    k = "a"
    k = d.pop(k)
    return k * x[1] + d["b"]


def popped_name_by_name(x: Any) -> Any:
    d = {"a": "b", "b": x[0] * x[1], "c": x[1]}
    k = "a"
    k = d.pop(k, "c")
    return d[k] * x[1]


def set_as_default_by_name(x: Any) -> Any:
    d = {"a": x[0] * x[0]}
    k = x[1]
    k = d.setdefault("b", k)
    k = d.setdefault("a", k)
    return k * x[1] + d["b"]


def list_popped_from_itself(x: Any) -> Any:
    xs: Any = [[x[0], x[1]], x[0] * x[1]]
    xs = xs.pop(0)
    return xs[0] * xs[1]


def last_popped_from_itself(x: Any) -> Any:
    xs: Any = [[x[0], x[1]], x[0] * x[1]]
    xs = xs.pop()
    return xs * x[0]


def lists_popped_from_themselves(x: Any) -> Any:
    xs: Any = [[x[0], x[1]], [x[0] * x[1], x[1]]]
    xs = xs.pop()
    xs.append(x[0])
    return xs[0] * xs[1] * xs[2]


def popped_in_a_loop(x: Any) -> Any:
    item: Any = [[[x[0], x[1]], x[1]], 2.0]
    total = 1.0
    while isinstance(item, list):
        total *= 1.0 + len(item) * x[1]
        item = item.pop(0)
    return total * item


def divided_by_a_part(x: Any) -> Any:
    a = np.ones(2) * x[0]
    a[1] = x[1]
    v = a[:1]
    a /= v
    return a[1] * x[0]


def divided_by_itself_backwards(x: Any) -> Any:
    a = np.array([x[0], x[1], x[0] * x[1]])
    v = a[::-1]
    a /= v
    return a[0] + 2.0 * a[1] * x[0] + 3.0 * a[2]


def divided_by_a_row(x: Any) -> Any:
    a = np.ones((2, 2)) * x[0]
    a[1] = x[1]
    a /= a[1]
    return np.sum(a * x[:2])


def _divided(a: Any, v: Any) -> Any:
    a /= v
    return a


def divided_by_a_part_in_a_call(x: Any) -> Any:
    a = np.array([x[0], x[1], x[0] * x[1]])
    return np.sum(_divided(a, a[1:2]) ** 2)


def other_operators_on_parts(x: Any) -> Any:
    a = np.array([x[0], x[1], x[0] * x[1]])
    v = a[::-1]
    a *= v
    a += v
    a += a[:1]
    a **= 2
    a[1:] /= a[:2]
    return np.sum(a * np.array([1.0, 2.0, 3.0]))


def filled_and_written_to(x: Any) -> Any:
    f = np.full_like(np.ones(2), x[0])
    f[1] = x[1]
    g = np.full_like(f, x[1])
    g *= x[0]
    return f[0] * f[1] + np.sum(g * f)


def extended_by_a_dict(x: Any) -> Any:
    d = {1.0: x[0], 2.0: x[1]}
    xs = [x[0] * x[1]]
    xs.extend(d)
    return xs[0] * xs[1] * xs[2]


def dict_taken_apart(x: Any) -> Any:
    d = {1.0: x[0], 2.0: x[1] * x[0]}
    a, b = d.values()
    (c,) = {"k": x[1]}
    return a * x[0] + b * x[1] * len(c)


class Making:
    def __init__(self, a: Any) -> None:
        self.u = a

    def __getattr__(self, name: str) -> Any:
        return self.u * len(name)


def made_up_attributes(x: Any) -> Any:
    made = Making(x[0])
    return made.abc * x[1] * made.u


PROGRAMS: list[Callable[[Any], Any]] = [
    popped_into_its_key,
    popped_into_its_index,
    popped_number_into_its_index,
    popped_by_name,
    popped_name_by_name,
    set_as_default_by_name,
    list_popped_from_itself,
    last_popped_from_itself,
    lists_popped_from_themselves,
    popped_in_a_loop,
    divided_by_a_part,
    divided_by_itself_backwards,
    divided_by_a_row,
    divided_by_a_part_in_a_call,
    other_operators_on_parts,
    filled_and_written_to,
    made_up_attributes,
    dict_taken_apart,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_derivatives(program: Callable[[Any], Any]) -> None:
    check_all(program)


def numbers_of_keys(x: Any) -> Any:
    d = {1.0: x[0], 2.0: x[1] * x[0]}
    a, b = d
    return a * x[0] + b * x[1]


def keys_in_a_loop(x: Any) -> Any:
    total = 0.0
    for a, b in [{1.0: x[0], 2.0: x[1]}, {2.0: x[0] * x[1], 3.0: x[1]}]:
        total += a * x[0] + b * x[1]
    return total


def keys_in_a_loop_beside_others(x: Any) -> Any:
    total = 0.0
    for n, (a, b) in enumerate([{1.0: x[0], 2.0: x[1]}, {2.0: x[0] * x[1], 3.0: x[1]}]):
        total += a * x[0] + b * x[1] * n
    return total


def _joined(a: Any, b: Any) -> Any:
    return a * b


def keys_handed_over(x: Any) -> Any:
    d = {1.0: x[0], 2.0: x[1]}
    return _joined(*d) * x[0]


def _sums(*numbers: Any) -> Any:
    return sum(numbers)


def keys_handed_over_beside_others(x: Any) -> Any:
    d = {1.0: x[0], 2.0: x[1]}
    return _sums(x[0], *d, x[1], *d.values()) * x[0]


def largest_of_keys(x: Any) -> Any:
    d = {1.0: x[0], 2.0: x[1]}
    return max(*d) * x[0] + min(*d.values())


KEYS: list[Callable[[Any], Any]] = [
    numbers_of_keys,
    keys_in_a_loop,
    keys_in_a_loop_beside_others,
    keys_handed_over,
    keys_handed_over_beside_others,
    largest_of_keys,
    extended_by_a_dict,
]


@pytest.mark.parametrize("program", KEYS)
def test_keys_that_are_read(program: Callable[[Any], Any]) -> None:
    """Right, or refused: a key that is a number and read is not told from one that has a tangent."""
    for check in (check_first, _check_pushed):
        try:
            check(program)
        except zg.UnsupportedSyntaxError as error:
            assert "Why: " in str(error)  # noqa: PT017


def _check_pushed(program: Callable[[Any], Any]) -> None:
    step, v = 1e-6, np.array([0.3, -0.8, 0.1, 0.2])
    slope = (program(X + step * v) - program(X - step * v)) / (2.0 * step)
    assert zg.pushforward(program, X)(v) == pytest.approx(slope, rel=1e-7)
