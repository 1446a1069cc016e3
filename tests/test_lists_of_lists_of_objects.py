"""Lists that are filled before anything holds them, beside objects that hold lists of lists: what is put into
the one is not taken for something in the others, unless it is."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from zygpy import units

X = np.array([0.7, 1.3, 0.4, -0.6])


class Matrix:
    def __init__(self, rows: Any) -> None:
        self.rows = rows

    def __matmul__(self, other: Any) -> Any:
        columns = list(zip(*other.rows, strict=True))
        rows = [[sum(a * b for a, b in zip(row, c, strict=True)) for c in columns] for row in self.rows]
        return Matrix(rows)

    def __add__(self, other: Any) -> Any:
        pairs = zip(self.rows, other.rows, strict=True)
        return Matrix([[a + b for a, b in zip(r, s, strict=True)] for r, s in pairs])

    def trace(self) -> Any:
        return sum(self.rows[i][i] for i in range(len(self.rows)))


def made(x: Any) -> Any:
    return Matrix([[x[0], x[1]], [x[2], x[3]]])


def products(x: Any) -> Any:
    m = made(x)
    return (m @ m + m).trace() * (m @ made(x[::-1])).rows[0][1]


def held_first(x: Any) -> Any:
    """A row is in the object before it has anything in it."""
    m = made(x)
    row: Any = []
    m.rows.append(row)
    for v in x:
        row.append(v * v)
    m.rows[2].append([x[0] * 3.0])
    return sum(row[:4]) * m.rows[2][1] + m.rows[2][4][0]


def of_other_kinds(x: Any) -> Any:
    """What the rows of the object hold becomes something else, by another name."""
    m = made(x)
    rows = m.rows
    for k in range(2):
        new: Any = []
        new.append([x[k], k])
        new.append(x[2] * k)
        rows.append(new)
    s = 0.0
    for row in m.rows:
        s += row[1] * (row[0][0] if isinstance(row[0], list) else row[0])
    return s


def in_later_rounds(x: Any) -> Any:
    """The list of the round before is held when the next one is filled."""
    m, last, s = made(x), [], 0.0
    for k in range(3):
        row: Any = []
        row.append(x[k])
        if last:
            last.append([x[3] * k])
            last.append("text")
        m.rows.append(row)
        last = row
    for row in m.rows:
        s += row[1][0] if len(row) > 1 and isinstance(row[1], list) else row[0]
    return s


def by_an_alias(x: Any) -> Any:
    m = made(x)
    row: Any = []
    other = row
    m.rows.append(other)
    row.append((x[0], x[1]))
    m.rows[-1].append(x[2])
    return m.rows[2][0][1] * m.rows[2][1] + m.rows[1][0]


def by_a_callee(x: Any) -> Any:
    m = made(x)

    def keep(row: Any) -> None:
        m.rows.append(row)

    row: Any = []
    keep(row)
    row.append({"k": x[0] * x[1]})
    return m.rows[2][0]["k"] * m.rows[0][1]


def in_a_closure(x: Any) -> Any:
    m = made(x)
    row: Any = []

    def fill(v: Any) -> None:
        row.append(v)

    row.append(x[0])
    fill([x[1]])
    m.rows.append(row)
    fill(x[2])
    return m.rows[2][0] * m.rows[2][1][0] * m.rows[2][2]


def in_a_dict_first(x: Any) -> Any:
    m, d = made(x), {}
    for k in range(2):
        row: Any = []
        d[k] = row
        row.append([x[k]])
        row.append(x[k + 1])
        m.rows.append(d[k])
    return sum(row[1] * (row[0][0] if isinstance(row[0], list) else row[0]) for row in m.rows)


def in_an_object_first(x: Any) -> Any:
    m, row = made(x), []
    inner = Matrix(row)
    m.rows.append(row)
    row.append(x[0])
    inner.rows.append([x[1], x[2]])
    return m.rows[2][0] * m.rows[2][1][1] + inner.rows[1][0]


def taken_out_again(x: Any) -> Any:
    m = made(x)
    row = m.rows.pop()
    row.append([x[0]])
    m.rows.append(row)
    return m.rows[1][2][0] * m.rows[0][1] * m.rows[1][0]


def handed_back(x: Any) -> Any:
    def empty(rows: Any) -> Any:
        row: Any = []
        rows.append(row)
        return row

    m = made(x)
    row = empty(m.rows)
    row.append(x[0])
    row.append([x[1]])
    return m.rows[2][0] * m.rows[2][1][0]


PROGRAMS = [
    *(products, held_first, of_other_kinds, in_later_rounds, by_an_alias, by_a_callee, in_a_closure),
    *(in_a_dict_first, in_an_object_first, taken_out_again, handed_back),
]
NAMES = [program.__name__ for program in PROGRAMS]
EVERY = 1 if "ZYGPY_ALL_CASES" in os.environ else 4  # each takes long to derive


def check(program: Callable[[Any], Any]) -> None:
    expected = differences(program, X)
    value, back = zg.pullback(program, X)
    assert value == program(X)
    for _ in range(2):
        np.testing.assert_allclose(back(1.0)[0], expected, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(zg.gradient(program, X.tolist())[0], expected, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("program", PROGRAMS, ids=NAMES)
def test_gradients(program: Callable[[Any], Any]) -> None:
    check(program)


@pytest.mark.parametrize("program", PROGRAMS[::EVERY], ids=NAMES[::EVERY])
def test_gradients_by_identity(program: Callable[[Any], Any]) -> None:
    with units.options(specialise=False):
        check(program)


@pytest.mark.parametrize("program", PROGRAMS[1::EVERY], ids=NAMES[1::EVERY])
def test_second_derivatives(program: Callable[[Any], Any]) -> None:
    v = np.array([0.3, -0.2, 0.9, 0.5])
    expected = differences(lambda x: zg.gradient(program, x)[0] @ v, X)
    np.testing.assert_allclose(zg.hvp(program, X, v), expected, rtol=1e-6, atol=1e-7)
