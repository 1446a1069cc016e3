"""What is stored in lists and dicts that others hold: what their holders are known to hold stays true, and
what comes in for it lands where it belongs."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from zygpy import units

X = np.array([0.7, 1.3, 0.4])


class Holder:
    def __init__(self, rows: Any, state: Any) -> None:
        self.rows, self.state = rows, state


def table(x: Any) -> Any:
    t = [[0.0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(3):
            before = t[i - 1][j] if i else x[j]
            t[i][j] = before * x[(i + j) % 3] + t[i][j - 1]
    return t[2][2] + t[1][0]


def rows_that_are_one(x: Any) -> Any:
    t = [[x[0], 0.0]] * 3
    t[1][1] = t[0][0] * x[1]
    t[2][0] = t[0][1] ** 2
    return t[0][0] * t[1][1]


def cube(x: Any) -> Any:
    t = [[[0.0, x[0]] for _ in range(2)] for _ in range(2)]
    for i in range(2):
        for j in range(2):
            t[i][j][0] = t[i - 1][j][1] * x[i] + t[i][j - 1][0]
    return t[1][1][0] * t[0][1][0]


def a_list_among_numbers(x: Any) -> Any:
    rows = [[x[0]], [x[1]]]
    rows[0][0] = [x[1], x[2]]
    return rows[0][0][1] * rows[1][0]


def a_number_among_lists(x: Any) -> Any:
    rows = [[[x[0]], [x[1]]], [[x[2]]]]
    rows[0][1] = x[2] ** 2
    return rows[0][1] * rows[0][0][0] + rows[1][0][0]


def an_array_among_numbers(x: Any) -> Any:
    rows = [[x[0], 1.0], [x[1], 2.0]]
    rows[1][0] = x * 2.0
    return np.sum(rows[1][0] * x) + rows[0][0]


def a_text_among_numbers(x: Any) -> Any:
    rows = [[x[0], 1.0], [x[1], 2.0]]
    rows[0][1] = "text"
    return rows[0][0] * rows[1][0] * len(rows[0][1])


def empty_lists_that_grow(x: Any) -> Any:
    rows: Any = [[], []]
    rows[0].append(x[0])
    rows[1].append(rows[0])
    rows[1][0].append(x[1] * x[2])
    return rows[0][1] * rows[1][0][0]


def an_empty_list_by_two_names(x: Any) -> Any:
    inner: Any = []
    rows: Any = [inner]
    outer: Any = [rows]
    rows.append(x[0])
    inner.append(x[1] ** 2)
    return outer[0][1] * outer[0][0][0]


def a_slice_of_lists(x: Any) -> Any:
    rows = [[x[0], x[1]], [x[2], 1.0]]
    rows[0][:] = [[x[2]], x[0]]
    return rows[0][0][0] * rows[0][1] * rows[1][0]


def a_row_taken_out(x: Any) -> Any:
    rows = [[x[0], x[1]], [x[2], 1.0]]
    row = rows[0]
    rows[0] = [row[1] * 2.0, row[0]]
    row[0] = x[2] ** 3
    return rows[0][0] * rows[0][1] + row[0] * row[1]


def rows_swapped(x: Any) -> Any:
    rows = [[x[0], x[1]], [x[2], 1.0]]
    rows[0], rows[1] = rows[1], rows[0]
    rows[0][1] = rows[1][0] ** 2
    rows[0][0], rows[1][1] = rows[1][1], rows[0][0]
    return rows[0][0] * rows[0][1] + rows[1][1] ** 2


def dict_of_lists(x: Any) -> Any:
    d = {"a": [x[0], x[1]], "b": [x[2], 1.0]}
    for i in range(2):
        d["a"][i] = d["a"][i - 1] * d["b"][i]
        d["b"][i] += d["a"][i] * x[0]
    d["c"] = d["a"]
    d["c"][0] = x[1] ** 2
    return d["a"][0] * d["b"][1] + d["c"][1]


def dict_of_arrays(x: Any) -> Any:
    d = {"a": x * 2.0, "b": np.ones(3)}
    for i in range(3):
        d["a"][i] = d["a"][i - 1] * d["b"][i] + x[0]
        d["b"][i] += d["a"][i] * x[1]
    view = d["a"][1:]
    d["a"] = d["b"]
    view[0] = x[2] ** 2
    d["a"][1] *= view[0]
    return np.sum(d["a"]) * view[1]


def list_of_arrays(x: Any) -> Any:
    rows = [x * 1.0, x**2, x * 1.0]
    rows[2] = rows[0]
    for i in range(3):
        rows[0][i] = rows[1][i] * rows[2][i - 1]
        rows[1] = rows[1] * rows[0][i]
    return np.sum(rows[0] * rows[1]) + rows[2][1]


def list_of_dicts(x: Any) -> Any:
    bodies = [{"x": x[i], "v": 1.0} for i in range(3)]
    bodies.append(bodies[0])
    for body in bodies:
        body["v"] = body["v"] + body["x"] * 0.3
        body["x"] += body["v"] * x[1]
    return sum(body["x"] * body["v"] for body in bodies)


def numbers_by_keys(x: Any) -> Any:
    d: Any = {}
    e = d
    for i in range(3):
        for j in range(2):
            d[i, j] = x[i] if j == 0 else e[i, 0] * d[i - 1, 0] if i else 1.0
    e[0, 0] = d[2, 1] ** 2
    d[5] = e.pop((1, 0))
    del e[2, 0]
    d[2, 0] = x[1] * 3.0
    return sum(d.values()) * d[5]


def a_key_that_comes_back(x: Any) -> Any:
    d = {"a": x[0], "b": x[1]}
    e = [d]
    before = e[0]["a"]
    del e[0]["a"]
    e[0]["a"] = before * x[2]
    d["b"] = e[0]["a"] ** 2
    return d["a"] * e[0]["b"]


def keys_of_several_kinds(x: Any) -> Any:
    d: Any = {"n": 1.0, "row": [x[0], 2.0], "name": "a", "sub": {"k": x[1]}}
    e = d
    d["n"] = x[2] ** 2
    e["row"][1] = d["n"] * e["sub"]["k"]
    e["sub"]["k"] += d["row"][1]
    d["name"] = d["sub"]
    d["name"]["k"] *= 2.0
    return e["sub"]["k"] * e["row"][1] + d["n"]


def in_objects(x: Any) -> Any:
    h = Holder([[x[0], 1.0], [x[1], 2.0]], {"m": x[2]})
    g = Holder(h.rows, h.state)
    for i in range(2):
        h.rows[i][1] = g.rows[i - 1][0] * g.state["m"]
        g.state["m"] = h.rows[i][1] + x[0]
    h.rows[0] = h.rows[1]
    return g.rows[0][1] ** 2 + h.state["m"] * g.rows[0][0]


def given_to_a_function(x: Any) -> Any:
    def change(rows: Any, i: int) -> None:
        rows[i][0] = rows[i - 1][1] * x[i]

    rows = [[x[0], x[1]], [x[2], 1.0]]
    for i in range(2):
        change(rows, i)
    return rows[0][0] * rows[1][0]


def in_an_attempt(x: Any) -> Any:
    rows = [[x[0], x[1]], [x[2], 1.0]]
    d = {"a": rows[0]}
    try:
        rows[0][0] = x[1] ** 2
        d["b"] = rows[5]
    except IndexError:
        rows[1][1] = d["a"][0] * 2.0
    try:
        rows[1][0] = d["none"][0]
    except KeyError:
        d["a"][1] = rows[1][1] * x[0]
    return rows[0][1] * rows[1][1] + rows[1][0]


PROGRAMS = [
    *(table, rows_that_are_one, cube, a_list_among_numbers, a_number_among_lists, an_array_among_numbers),
    *(a_text_among_numbers, empty_lists_that_grow, an_empty_list_by_two_names, a_slice_of_lists),
    *(a_row_taken_out, rows_swapped, dict_of_lists, dict_of_arrays, list_of_arrays, list_of_dicts),
    *(numbers_by_keys, a_key_that_comes_back, keys_of_several_kinds, in_objects, given_to_a_function),
    in_an_attempt,
]


EVERY = 1 if "ZYGPY_ALL_CASES" in os.environ else 5  # each takes long to derive
BOTH = [(program, True) for program in PROGRAMS] + [(program, False) for program in PROGRAMS[::EVERY]]


@pytest.mark.parametrize(
    ("program", "specialise"), BOTH, ids=[f"{program.__name__}-{known}" for program, known in BOTH]
)
def test_gradients(program: Callable[[Any], Any], specialise: bool) -> None:
    expected = differences(program, X)
    with units.options(specialise=specialise):
        value, back = zg.pullback(program, X)
        assert float(value) == float(program(X))
        for _ in range(2):
            np.testing.assert_allclose(back(1.0)[0], expected, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("program", PROGRAMS[::EVERY], ids=lambda program: program.__name__)
def test_second_derivatives(program: Callable[[Any], Any]) -> None:
    v = np.array([0.3, -0.2, 0.9])
    expected = differences(lambda x: zg.gradient(program, x)[0] @ v, X)
    np.testing.assert_allclose(zg.hvp(program, X, v), expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("program", PROGRAMS[1::EVERY], ids=lambda program: program.__name__)
def test_tangents(program: Callable[[Any], Any]) -> None:
    v = np.array([0.3, -0.2, 0.9])
    assert float(zg.pushforward(program, X)(v)) == pytest.approx(differences(program, X) @ v, rel=1e-8)
