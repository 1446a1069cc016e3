"""Lists, dicts and arrays that a loop changes while it walks over them: later iterations see the changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import zygpy
from zygpy.testing.numeric import slope

AT = (0.7, 0.3)


# ------------------------------------------------------------------- nothing active at the beginning


def table_in_place(x: Any, y: Any) -> Any:
    table = [0.5, 0.0, 0.0, 0.0]
    for place, value in enumerate(table):
        if place < 3:
            table[place + 1] = value * x + y
    return table[-1]


def array_in_place(x: Any, y: Any) -> Any:
    table = np.array([0.5, 0.2, 0.1])
    total = 0.0
    for place, value in enumerate(table):
        if place < 2:
            table[place + 1] = value * x + y
        total += value * value
    return total


def rows_in_place(x: Any, y: Any) -> Any:
    table = np.zeros((3, 2))
    total = 0.0
    for place, row in enumerate(table):
        if place < 2:
            table[place + 1] = row * x + y
        total += row.sum()
    return total


def worklist(x: Any, y: Any) -> Any:
    work, total = [(0, 0.0)], 0.0
    for depth, value in work:
        if depth < 2:
            work.append((depth + 1, value + x))
            work.append((depth + 1, value * y + x))
        total += value * y
    return total


def values_of_a_dict(x: Any, y: Any) -> Any:
    table, total = {"a": 0.5, "b": 0.0}, 0.0
    for key, value in table.items():
        if key == "a":
            table["b"] = value * x + y
        total += value
    return total


def filled_with_none(x: Any, y: Any) -> Any:
    table: list[Any] = [0.5, None, None]
    total = 0.0
    for place, value in enumerate(table):
        if value is None:
            continue
        if place < 2:
            table[place + 1] = value * x
        total += value * y
    return total


def texts(x: Any, y: Any) -> Any:
    table: list[Any] = ["a", "b"]
    total = 0.0
    for place, value in enumerate(table):
        if place == 0:
            table[1] = x * y
        total += 1.0 if isinstance(value, str) else value
    return total


def integers(x: Any, y: Any) -> Any:
    table: list[Any] = [1, 2, 3]
    total = 0.0
    for value in table:
        if len(table) < 6:
            table.append(value * x)
        total += value * y
    return total


def functions(x: Any, y: Any) -> Any:
    table: list[Any] = [lambda q: q]
    total = 0.0
    for function in table:
        if len(table) < 3:
            table.append(lambda q, function=function: function(q) * x + y)
        total += function(y)
    return total


def two_loops(x: Any, y: Any) -> Any:
    table, total = [1.0], 0.0
    for first in table:
        for second in table:
            if len(table) < 5:
                table.append(first * x + second * y)
        total += first
    return total


def by_a_function(x: Any, y: Any) -> Any:
    table = [0.5, 0.2, 0.1]

    def put(place: int, value: Any) -> Any:
        if place < 2:
            table[place + 1] = value * x + y
        return value * value

    return sum([put(place, value) for place, value in enumerate(table)])


def by_a_generator(x: Any, y: Any) -> Any:
    table, total = [0.5, 0.2, 0.1], 0.0

    def values() -> Iterator[Any]:
        yield from table

    for place, value in enumerate(values()):
        if place < 2:
            table[place + 1] = value * x + y
        total += value * value
    return total


class Field:
    def __init__(self, count: int) -> None:
        self.values = np.zeros(count)
        self.values[0] = 1.0
        self.work = [1.0]
        self.total = 0.0

    def sweep(self, factor: Any) -> None:
        for place, value in enumerate(self.values[:-1]):
            self.values[place + 1] += factor * value

    def run(self, x: Any) -> None:
        for value in self.work:
            if value < 3:
                self.work.append(value * 1.5 + x)
            self.total += value * x


def views_in_objects(x: Any, y: Any) -> Any:
    field = Field(4)
    field.sweep(x)
    field.sweep(y)
    field.run(x)
    return field.values[-1] + field.values[2] * field.total


def shifted_view(x: Any, y: Any) -> Any:
    values, total = np.zeros(4), 0.0
    for first, second in zip(values, values[1:], strict=False):  # noqa: RUF007
        values += x
        total += first * second
    return total * y


# ------------------------------------------------------------------- lists that grow or shrink


def queue_of_handlers(x: Any, y: Any) -> Any:
    queue: list[Any] = []

    def arrive(time: Any) -> Any:
        if time < 2:
            queue.append((time + x, arrive))
        return y * time

    queue.append((0.5, arrive))
    total = 0.0
    for time, function in queue:
        total += function(time) * time
    return total


def grown_by_a_function(x: Any, y: Any) -> Any:
    queue, total = [x], 0.0

    def add(value: Any) -> None:
        if value < 2:
            queue.append(value + y)

    for value in queue:
        add(value)
        total += value * value * y
    return total


def grown_by_another_name(x: Any, y: Any) -> Any:
    holder = {"queue": [x]}
    push, total = holder["queue"].append, 0.0
    for value in holder["queue"]:
        if value < 2:
            push(value + y)
        total += value * value * y
    return total


def grown_in_place(x: Any, y: Any) -> Any:
    queue, total = [1.0], 0.0
    for value in queue:
        if len(queue) < 7:
            queue += [value + x, value * y + 1]
        total += value * value * y
    return total


def backwards_and_grown(x: Any, y: Any) -> Any:
    values, total = [x, y, x * y], 0.0
    for value in reversed(values):
        values.append(value)
        values.insert(0, value * y)
        total += value * value
    return total


def backwards_and_shrunk(x: Any, y: Any) -> Any:
    values, total = [x, y, x * y, y * y], 0.0
    for place, value in enumerate(reversed(values)):
        values.pop(0)
        total += value * value * (place + 1)
    return total


def backwards_and_removed(x: Any, y: Any) -> Any:
    values, total = [x, y, x * y, y * y], 0.0
    for place, value in enumerate(reversed(values)):
        values.remove(value)
        total += value * value * (place + 1)
    return total


def backwards_in_place(x: Any, y: Any) -> Any:
    values, total = np.array([0.5, 0.2, 0.1]), 0.0
    for place, value in enumerate(reversed(values)):
        if place < 2:
            values[1 - place] = value * x + y
        total += value * value
    return total


# ------------------------------------------------------------------- rows of arrays, kept or written to


def rows_written_to(x: Any, y: Any) -> Any:
    table = np.zeros((3, 2))
    for place, row in enumerate(table):
        row[0] = x * place
    for first, second in zip(table, table[1:], strict=False):  # noqa: RUF007
        second[:] = first * x + y
    return (table * table).sum() * y


def rows_kept(x: Any, y: Any) -> Any:
    table, arrays = np.zeros((3, 2)), [np.zeros(2), np.zeros(2)]
    rows = [row for row in table]  # noqa: C416
    named = dict(zip("ab", table, strict=False))
    others = [(place, array) for place, array in enumerate(arrays)]
    rows[0][:] = x
    named["b"][:] = x * y
    others[1][1][:] = y
    return (table * table).sum() * sum([(array * array).sum() for array in arrays])


def one_row_kept(x: Any, y: Any) -> Any:
    table: Any = np.zeros((2, 2))
    kept: Any = None
    for row in table:
        if kept is None:
            kept = row
    kept[:] = x
    return (table * table).sum() * y


PROGRAMS = [
    *(table_in_place, array_in_place, rows_in_place, worklist, values_of_a_dict, filled_with_none, texts),
    *(integers, functions, two_loops, by_a_function, by_a_generator, views_in_objects, shifted_view),
    *(queue_of_handlers, grown_by_a_function, grown_by_another_name, grown_in_place),
    *(rows_written_to, rows_kept, one_row_kept),
    *(backwards_and_grown, backwards_and_shrunk, backwards_and_removed, backwards_in_place),
]


# ------------------------------------------------------------ columns of rows that get longer meanwhile


def rows_of(x: Any, y: Any) -> list[list[Any]]:
    return [[x, 2 * y], [x * x, y, 3.0 * x * y]]


def column_and_list_made_there(x: Any, y: Any) -> Any:
    rows, total = rows_of(x, y), 0.0
    for first, second in zip(*rows, strict=False):
        there = [rows[0]]
        there[0] += [7.0 * x]
        total = total + first * second
    return total


def column_and_repeated_list(x: Any, y: Any) -> Any:
    rows, total = rows_of(x, y), 0.0
    for first, second in zip(*rows, strict=False):
        there = [rows[0]] * 2
        there[1] += [7.0 * y]
        total = total + first * second
    return total


def column_and_list_made_before(x: Any, y: Any) -> Any:
    rows, total = rows_of(x, y), 0.0
    columns = zip(*rows, strict=False)
    there: list[Any] = []
    for first, second in columns:
        there.append(rows[0])
        there[0] += [7.0 * x]
        total = total + first * second
    return total


def column_and_list_that_holds_a_row(x: Any, y: Any) -> Any:
    rows, total = rows_of(x, y), 0.0
    columns = zip(*rows)  # noqa: B905
    there = [rows[0]]
    for first, second in columns:
        there[0] += [7.0 * x]
        total = total + first * second
    return total


def column_and_another_name(x: Any, y: Any) -> Any:
    rows, total = rows_of(x, y), 0.0
    for first, second in zip(*rows):  # noqa: B905
        longer = rows[0]
        longer += [7.0 * x]
        total = total + first * second
    return total


def column_and_a_name_that_was_a_number(x: Any, y: Any) -> Any:
    rows, total = rows_of(x, y), 0.0
    longer: Any = 0.0
    for first, second in zip(*rows):  # noqa: B905
        longer = rows[0]
        longer += [7.0 * x]
        total = total + first * second
    return total


def column_of_arrays(x: Any, y: Any) -> Any:
    rows, total = [np.array([x, 2 * y, x * y]), np.array([x * x, y, x])], 0.0
    for first, second in zip(*rows):  # noqa: B905
        there = [rows[0]]
        there[0] += x
        total = total + first * second
    return total


def column_in_a_generator_expression(x: Any, y: Any) -> Any:
    rows = rows_of(x, y)

    def longer(column: tuple[Any, Any]) -> Any:
        rows[0].append(5.0 * x)
        return column[0] * column[1]

    return sum(longer(column) for column in zip(*rows))  # noqa: B905


COLUMNS = [
    *(column_and_list_made_there, column_and_repeated_list, column_and_list_made_before),
    *(column_and_list_that_holds_a_row, column_and_another_name, column_and_a_name_that_was_a_number),
    *(column_of_arrays, column_in_a_generator_expression),
]


def sums_of_columns(x: Any, y: Any) -> Any:
    """Nothing is changed: these need no bookkeeping."""
    rows = [[x, y], [x * y, x]]
    means = tuple(sum(column) / 2 for column in zip(*rows))  # noqa: B905
    total = sum(first * second for first, second in zip(*rows))  # noqa: B905
    for column in zip(*rows):  # noqa: B905
        counts = [0.0] * 2
        for place, value in enumerate(column):
            counts[place] += value
        total += counts[0] * counts[1]
    return means[0] * means[1] + total


def test_columns_are_walked_over_without_bookkeeping() -> None:
    assert "store" not in str(zygpy.show_adjoint(sums_of_columns, *AT))


@pytest.mark.parametrize("f", [*PROGRAMS, *COLUMNS, sums_of_columns], ids=lambda f: f.__name__)
def test_gradients_and_tangents(f: Callable[[Any, Any], Any]) -> None:
    x, y = AT
    expected = [
        slope(lambda t: float(f(x + t, y)), 0.02).value,
        slope(lambda t: float(f(x, y + t)), 0.02).value,
    ]
    value, back = zygpy.pullback(f, x, y)
    assert value == f(x, y)
    for _ in range(2):
        assert back(1.0) == pytest.approx(expected, rel=1e-7, abs=1e-9)
    tangent = zygpy.pushforward(f, x, y)(1.0, 2.0)
    assert tangent == pytest.approx(expected[0] + 2 * expected[1], rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("f", PROGRAMS[::3], ids=lambda f: f.__name__)
def test_second_derivatives(f: Callable[[Any, Any], Any]) -> None:
    x, y = AT
    expected = slope(lambda t: zygpy.gradient(f, x + t, y - 2 * t)[0], 0.02).value
    found = zygpy.hvp(lambda z: f(z[0], z[1]), np.array(AT), np.array([1.0, -2.0]))
    assert found[0] == pytest.approx(expected, rel=1e-6, abs=1e-8)
