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


# ----------------------------------------------------------------- changed by functions


def set_item(m, i, j, v):
    m[i][j] = v


def add_to_row(m, i, v):
    row = m[i]
    for j in range(len(row)):
        row[j] += v * (j + 1)


def change_two(m, row, v):
    m[0][1] = v
    row[0] = row[1] + m[0][0]


def change_each(m, v):
    for row in m:
        row[0] = row[0] * v + row[1]


def change_and_give(m, i, v):
    m[i][0] = v * m[i][1]
    return m[i]


def leave_early(m, v):
    for row in m:
        if row[0] > v:
            row[1] = v * row[0]
            return row
        row[1] = row[0] * 0.3
    return m[0]


def exchange(m, i, j):
    m[i], m[j] = m[j], m[i]


def rows_into(m, q):
    q[0] = m[1]
    q[1][0] = m[0][1]


def deep_into(mm):
    mm[1][0] = mm[0][0]


def from_behind(m):
    m[1].append(m[0][0])


def bind_anew(m, v):
    m[0][0] = v * 0.7
    m = [m[1], m[0]]
    m[0][1] = v * m[1][0]
    return m[0]


def total(m):
    s = 0.0
    for a, b in m:
        s = s + a * 0.31 + b * 1.7 * a
    return s


def rows_of(x):
    return [[x, 1.0], [0.7, x * x]]


def set_in_turn(x):
    m = [[0.1, 1.0], [0.7, 0.8], [0.2, 0.3]]
    for k in range(6):
        set_item(m, k % 3, k % 2, x * k + m[(k + 1) % 3][0])
        add_to_row(m, k % 3, x)
    return total(m)


def two_names_of_a_row(x):
    m = rows_of(x)
    row = m[0]
    change_two(m, row, x * 0.5)
    change_two(m, m[1], row[0])
    return total(m) + row[0] * row[1]


def a_row_in_two_matrices(x):
    m = rows_of(x)
    q = [m[0], [x, 0.3]]
    change_two(q, m[0], x * x)
    change_two(m, q[0], x * 0.4)
    return total(m) + 2.0 * total(q)


def a_row_moved_by_a_function(x):
    m, q = rows_of(x), rows_of(x * x)
    row = m[1]
    rows_into(m, q)
    set_item(q, 0, 1, row[0] * x)
    change_each(m, x)
    return total(m) + 3.0 * total(q) + row[0] * row[1]


def rows_exchanged(x):
    m = rows_of(x)
    first = m[0]
    set_item(m, 0, 0, x * 0.8)
    exchange(m, 0, 1)
    set_item(m, 0, 1, first[0] * x)
    return total(m) + first[1]


def rows_given_back(x):
    m = rows_of(x)
    row = change_and_give(m, 0, x)
    row[1] = row[0] * x
    other = leave_early(m, x * 1.25)
    other[0] = row[1] * 2.0
    return total(m) + row[0] * other[1]


def bound_anew_inside(x):
    m = rows_of(x)
    row = bind_anew(m, x)
    row[0] = row[1] * x
    return total(m) + row[0]


def matrices_of_matrices(x):
    mm = [rows_of(x), rows_of(x * x)]
    row = mm[0][0]
    set_item(mm[1], 0, 1, row[0] * 0.5)
    deep_into(mm)
    set_item(mm[1], 0, 1, x * 3.0)
    row[0] = row[1] * x
    return total(mm[0]) + 2.0 * total(mm[1])


def put_into_another_row(x):
    a, b = [[x, 2.0]], []
    m = [a, b]
    from_behind(m)
    set_item(b, 0, 1, x * a[0][0])
    a[0][0] = x * x * a[0][1]
    return b[0][0] * 3.0 + a[0][1]


def rows_of_integers(x):
    m, row = [[1, 2], [3, 0]], [1, 2]
    m[1] = row
    set_item(m, 1, 0, x * 2)
    change_two(m, row, np.float64(x) * x)
    return total(m) + row[0] * row[1]


def nothing_to_change(x):
    m = rows_of(x)
    for k in range(0):
        set_item(m, k, 0, x)
    change_each([], x)
    return total(m)


def add_edge(g, k, v):
    g.setdefault(k, []).append(v)


def share_lists(g, k, j, v):
    g[k] = g[j]
    g[k][0] = v * g[j][0]


def lists_in_a_dict(x):
    g = {}
    for k in range(6):
        add_edge(g, k % 2, x * k + 1.0)
    first = g[0]
    share_lists(g, 1, 0, x)
    add_edge(g, 1, first[0])
    s = first[-1]
    for k in g:
        for v in g[k]:
            s = s + v * v
    return s


def a_list_under_a_key(x):
    o = {"data": [0.0, 1.0], "more": [x]}
    set_item(o, "data", 0, x * x)
    share_lists(o, "more", "data", x)
    set_item(o, "data", 1, o["more"][0] * x)
    return o["data"][0] * o["more"][1]


def dicts_in_a_list(x):
    m = [{"a": x}, {"a": 2.0}]
    one = m[1]
    set_item(m, 1, "b", x * x)
    exchange(m, 0, 1)
    set_item(m, 0, "a", one["b"] * x)
    set_item(m, 1, "b", 3.0)
    return m[0]["a"] * m[1]["a"] * m[1]["b"] + one["a"]


def filled_by_key(x):
    o = {"data": [0.0] * 4, "n": 0}
    for k in range(4):
        set_item(o, "data", k, x * k)
    return sum([v * v for v in o["data"]])


CHANGED = [
    *(lists_in_a_dict, a_list_under_a_key, dicts_in_a_list, filled_by_key),
    *(set_in_turn, two_names_of_a_row, a_row_in_two_matrices, a_row_moved_by_a_function, rows_exchanged),
    *(rows_given_back, bound_anew_inside, matrices_of_matrices, put_into_another_row, rows_of_integers),
    nothing_to_change,
]


@pytest.mark.parametrize("f", CHANGED, ids=lambda f: f.__name__)
def test_rows_that_functions_change(f: Callable[[Any], Any]) -> None:
    check(f)


def test_what_functions_leave_of_a_matrix_is_known() -> None:
    text = str(zg.show_adjoint(set_in_turn, X))
    assert "pull(" not in text and "pull_item(" not in text
