"""Rows of matrices, and what lies in dicts and fields, that are changed by one name, or by a function, and
read by another one or taken apart by a loop: `m[0][0] = v` and `for a, b in m`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing.numeric import slope

X = 1.3


class Holder:
    def __init__(self, value: Any) -> None:
        self.value = value


# ----------------------------------------------------------------- taken apart by loops


def in_a_loop(x):
    m = [[x, 1.0], [0.7, x * x]]
    m[0][0] = x * 0.8
    s = 0.0
    for a, b in m:
        s = s + a * 0.31 + b * 1.7 * a
    return s


def augmented_by_another_name(x):
    m = [[x, 1.0], [0.7, x * x]]
    row = m[0]
    row[0] += x
    s = 0.0
    for a, b in reversed(m):
        s = s * a + b
    return s


def in_comprehensions(x):
    m = [[x, 1.0], [0.7, x * x]]
    m[0][0] = x * 0.8
    return sum(a * b for a, b in m) + sum([a * k for k, (a, b) in enumerate(m)])


def two_at_once(x):
    m = [[x, 1.0], [0.7, x * x]]
    q = [[x, 2.0], m[0]]
    m[0][0] = x * 0.8
    s = 0.0
    for (a, b), (c, d) in zip(m, q, strict=True):
        s = s + a * b * c + d
    return s


def lists_in_tuples(x):
    m = [([x, 1.0], 2.0), ([0.7, x * x], x)]
    m[0][0][0] = x * 0.8
    s = 0.0
    for (a, b), c in m:
        s = s + a * b * c + a
    return s


def in_dicts(x):
    d = {"u": [x, 1.0], "v": [0.7, x * x]}
    d["u"][0] = x * 0.8
    s = 0.0
    for k, (a, b) in d.items():
        s = s + a * b + a * len(k)
    for a, b in d.values():
        s = s + a * b + a
    return s


def arrays(x):
    o = Holder(x)
    m = [np.array([x, 1.0]), np.array([0.7, x * x])]
    m[0][0] = o.value * 0.8
    o.value = m[1][1]
    s = 0.0
    for a, b in m:
        s = s + a * b + a * o.value
    return float(s)


def lists_in_lists(x):
    o = Holder(x)
    m = [[[x, 1.0], [2.0, x]], [[0.7, x * x], [x, 0.3]]]
    m[0][0][0] = o.value * 0.8
    o.value = m[1][1][0]
    s = 0.0
    for (a, b), (c, d) in m:
        s = s + a * b + c * o.value + d * a
    for a, b in m:
        a[0] = b[1] * s
        s = s + a[0] * a[1]
    return s


def in_a_field(x):
    m = [[x, 1.0], [0.7, x * x]]
    o = Holder(m)
    m[0] = [x * x, 0.4]
    s = 0.0
    for a, b in o.value:
        s = s + a * b + a
    return s


def by_a_closure(x):
    m = [[x, 1.0], [0.7, x * x]]

    def put(v):
        m[1][0] = v

    put(x * 3)
    s = 0.0
    for a, b in m:
        s = s + a * b + a
    return s + max(a for a, b in m)


def rows_that_are_tuples(x):
    m = [(x, 1.0), (0.7, x * x)]
    o = Holder(m)
    o.value[0] = (x * 2, x)
    s = 0.0
    for a, b in m:
        s = s + a * b + a
    return s


def check(f: Callable[[Any], Any]) -> None:
    expected = slope(lambda t: f(X + t), 0.02).value
    value, back = zg.pullback(f, X)
    assert value == f(X)
    for _ in range(2):
        assert back(1.0)[0] == pytest.approx(expected, rel=1e-7, abs=1e-9)


APART = [
    *(in_a_loop, augmented_by_another_name, in_comprehensions, two_at_once, lists_in_tuples, in_dicts),
    *(arrays, lists_in_lists, in_a_field, by_a_closure, rows_that_are_tuples),
]


@pytest.mark.parametrize("f", APART, ids=lambda f: f.__name__)
def test_loops_that_take_changed_things_apart(f: Callable[[Any], Any]) -> None:
    check(f)
