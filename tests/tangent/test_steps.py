"""Iterators that are stepped by hand, in forward mode: one over the tangents steps beside each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.exceptions.test_exceptions import slope
from zygpy.pushing import Push, push_of

X = np.array([0.7, 0.3, 1.1, 0.5, 0.9])
V = np.array([1.0, -0.5, 0.3, 0.2, 0.4])


def first_and_rest(x: Any) -> Any:
    it = iter(x)
    t = next(it)
    for v in it:
        t = t + v * v
    return t * t


def values_of_a_dict(x: Any) -> Any:
    d = {"a": x[0], "b": x[1] * 3}
    return next(iter(d.values())) ** 2 * x[1]


def items_of_a_dict(x: Any) -> Any:
    key, v = next(iter({"a": x[0], "b": x[1]}.items()))
    return v * v * len(key) * x[1]


def items_of_a_dict_that_changes(x: Any) -> Any:
    d = {"a": x[0], "b": x[1], "c": x[2]}
    it = iter(d.items())
    _, v = next(it)
    d["b"] = v * d["c"]
    _, w = next(it)
    return v * w * w


def keys_of_a_dict(x: Any) -> Any:
    keys, d = iter({"p": x[0], "q": x[1]}), {"p": x[1], "q": x[2]}
    return d[next(keys)] ** 2 * d[next(keys)]


def a_default(x: Any) -> Any:
    it, t = iter(list(x)), 0.0
    while (v := next(it, None)) is not None:
        t = t + v**3
    return t * next(it, x[1])


def two_at_a_time(x: Any) -> Any:
    it, t = iter(x), 0.0
    for v in it:
        w = next(it, 0.0)
        t = t + v * v * w
    return t


def to_the_end(x: Any) -> Any:
    it, t = iter(x), 1.0
    try:
        while True:
            t = t * next(it) + next(it)
    except StopIteration:
        t = t * 2
    return t


def what_the_end_brings(x: Any) -> Any:
    it = iter(x)
    t = next(it)
    try:
        for _ in range(20):
            t = t * 1.1 + next(it) ** 2
    except StopIteration as end:
        t = t * len(end.args) + t * x[0]
    return t


def a_list_that_grows(x: Any) -> Any:
    xs = [x[0], x[1]]
    it, t = iter(xs), 0.0
    for _ in range(4):
        v = next(it)
        t = t + v * v * v
        if len(xs) < 6:
            xs.append(v * x[2])
    return t


def a_list_that_changes(x: Any) -> Any:
    xs = list(x)
    it = iter(xs)
    t = next(it)
    xs[1] = xs[0] * x[3]
    t = t * next(it)
    del xs[-1]
    for v in it:
        t = t + v * v
    return t


def two_beside_each_other(x: Any) -> Any:
    a, b = iter(x), iter(x[1:])
    next(b)
    return sum(p * q for p, q in zip(a, b, strict=False))


def rows(x: Any) -> Any:
    products = np.outer(x, x)
    it = iter(products)
    first = next(it)
    first[0] = x[1] * 2
    return np.sum(products * products) * next(it)[0]


def lists_of_an_array(x: Any) -> Any:
    it = iter(np.outer(x, x).tolist())
    first, second = next(it), next(it)
    return first[0] * second[1] * second[2] * next(iter(x.tolist()))


class Reader:
    def __init__(self, items: Any) -> None:
        self.items = iter(items)

    def read(self) -> Any:
        return next(self.items)


def in_an_object(x: Any) -> Any:
    reader = Reader(list(x))
    return reader.read() * reader.read() ** 2


def by_another_name(x: Any) -> Any:
    it = iter(x)
    other = it
    it = iter(it)
    a, b = next(other), next(it)
    it = next(other)
    return a * b * b * it**3


def taken_apart(x: Any) -> Any:
    it = iter(x)
    a, b = next(it), next(it)
    c, *d = it
    return a * b * c * sum(d)


class Countdown:
    def __init__(self, x: Any) -> None:
        self.x, self.count = x, 3

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if not self.count:
            raise StopIteration
        self.count -= 1
        return self.x * self.count


def of_a_class(x: Any) -> Any:
    it = iter(Countdown(x[0]))
    return next(it) * next(it) ** 2


FOUND = iter([2.0, 3.0, 4.0] * 10_000)


def found_elsewhere(x: Any) -> Any:
    it = iter(x)
    return next(it) * x[1] ** 2 * (next(FOUND) > 1.0)


BY_TANGENTS = (
    *(first_and_rest, values_of_a_dict, items_of_a_dict, items_of_a_dict_that_changes, keys_of_a_dict),
    *(a_default, two_at_a_time, to_the_end, what_the_end_brings, a_list_that_grows, a_list_that_changes),
    *(two_beside_each_other, rows, in_an_object, by_another_name),
)
OTHERS = (of_a_class, found_elsewhere, lists_of_an_array, taken_apart)


@pytest.mark.parametrize("program", BY_TANGENTS + OTHERS, ids=lambda program: program.__name__)
def test_derivatives(program: Callable[..., Any]) -> None:
    assert zg.pushforward(program, X)(V) == pytest.approx(slope(program, X, V), rel=1e-8)
    products = slope(lambda x: zg.gradient(program, x)[0], X, V)
    np.testing.assert_allclose(zg.hvp(program, X, V), products, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("program", BY_TANGENTS, ids=lambda program: program.__name__)
def test_they_have_tangent_code(program: Callable[..., Any]) -> None:
    found = push_of(program, (X,))
    assert isinstance(found, Push)
    found.run((V,))
    assert not found.tangent.failed
