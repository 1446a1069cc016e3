"""Programs whose lists, dicts and objects keep kinds that are known, so that arithmetic in them is not asked
what it is of when they run; and programs that look like them, in which more is stored than was there."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient

X = [0.7, 1.3, 0.4]


class Matrix:
    def __init__(self, rows: Any) -> None:
        self.rows = [list(row) for row in rows]

    def __getitem__(self, at: Any) -> Any:
        i, j = at
        return self.rows[i][j]

    def __setitem__(self, at: Any, value: Any) -> None:
        i, j = at
        self.rows[i][j] = value

    def __delitem__(self, i: int) -> None:
        del self.rows[i]


def items_by_pairs(x: Any) -> Any:
    a = Matrix([x, x, x])
    for i in range(3):
        a[i, 0] = a[(i + 1) % 3, 1] * 1.5
        a[i, 1] += a[i, 0] * x[i]
        a[i, 2] *= x[2]
    del a[1]
    return a[0, 0] * a[1, 1] + a[0, 2]


def items_of_what_a_function_captured(x: Any) -> Any:
    known: dict[Any, Any] = {}
    total = [0.0] * 3

    def kernel(i: int, j: int) -> Any:
        if (i, j) not in known:
            known[i, j] = x[i] * x[j] ** 2
        total[i] += known[i, j]
        return known[i, j]

    value = 0.0
    for k in range(12):
        value += kernel(k % 3, k * k % 3) * k
    return value + total[0] * total[1] + sum(known.values())


@dataclass
class State:
    mean: float
    variance: float


@dataclass
class Filter:
    noise: float
    state: State = field(default_factory=lambda: State(0.0, 1.0))
    history: list[Any] = field(default_factory=list)

    def update(self, z: float) -> None:
        gain = self.state.variance / (self.state.variance + self.noise)
        mean = self.state.mean + gain * (z - self.state.mean)
        self.state = State(mean, (1 - gain) * self.state.variance + 0.1)
        self.history.append(self.state)


def objects_kept_in_a_list(x: Any) -> Any:
    kalman = Filter(x[0])
    for k in range(6):
        kalman.update(x[k % 3] * k)
    total = 0.0
    for state in kalman.history:
        total += state.mean**2 / state.variance
    return total


class Account:
    def __init__(self, balance: Any) -> None:
        self.balance = balance
        self.history: list[Any] = []

    def deposit(self, amount: Any) -> None:
        self.balance += amount
        self.history.append(("in", amount))


def objects_in_a_dict(x: Any) -> Any:
    accounts = {}
    for name, balance in zip("abc", x, strict=True):
        accounts[name] = Account(balance)
    for _ in range(3):
        for account in accounts.values():
            account.deposit(account.balance * x[1])
    return accounts["a"].balance * accounts["b"].history[1][1] + accounts["c"].balance


def in_order_of_what_does_not_vary(x: Any) -> Any:
    weights = [5 * i % 7 for i in range(6)]
    order = sorted(range(len(weights)), key=lambda i: weights[i])
    total = 0.0
    for k, i in enumerate(order):
        total += x[i % 3] ** 2 * k * weights[i]
    return total


KNOWN = [
    items_by_pairs,
    items_of_what_a_function_captured,
    objects_kept_in_a_list,
    objects_in_a_dict,
    in_order_of_what_does_not_vary,
]


def rows_that_become_numbers(x: Any) -> Any:
    a = Matrix([x, x])
    row = a.rows[0]
    a.rows[0] = x[0] * x[1]
    row[1] = row[1] * 2.0
    return a.rows[0] * row[1] + a[1, 2]


def captured_numbers_that_become_lists(x: Any) -> Any:
    kept: dict[int, Any] = {0: x[0]}
    slots: list[Any] = [0.0, 0.0]

    def keep(i: int, value: Any) -> Any:
        kept[i] = [value * x[1]]
        slots[i] = [value]
        return kept[i][0]

    total = 0.0
    for i in range(2):
        total += keep(i, x[2] + i)
    return total * kept[0][0] * slots[1][0] + x[0]


def an_empty_list_of_two_kinds(x: Any) -> Any:
    empty: list[Any] = []
    box = Account(x[0])
    box.history = empty if x[0] > 0 else [[1.0]]
    numbers = empty if x[1] > 0 else [2.0]
    numbers.append(x[1])
    numbers[0] = numbers[0] * x[2]
    return box.history[0] * x[0]  # type: ignore[operator]


def pairs_changed_while_they_are_shown(x: Any) -> Any:
    class Held:
        def __init__(self) -> None:
            self.found: dict[str, Any] = {"a": x[0], "b": x[1]}

        def replace(self, name: str, value: Any) -> None:
            self.found[name] = (value, value * 2.0)

    held, total = Held(), 0.0
    held.replace("b", x[2])
    for name, value in held.found.items():
        total += value if name == "a" else value[1] * x[0]
        held.replace("b", x[1])
    return total


class Ignoring:
    """What an object holds by the name of such a method is not asked for its items."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self.__setitem__ = self.ignore  # type: ignore[method-assign, assignment]

    def ignore(self, i: int, value: Any) -> None:
        pass

    def __setitem__(self, i: int, value: Any) -> None:
        self.value = value * (i + 1)


def a_method_that_is_hidden(x: Any) -> Any:
    a = Ignoring(x[0])
    a[2] = a.value * x[1]
    return a.value * x[2]


class Formula:
    operations: ClassVar = {"+": operator.add, "*": operator.mul}

    def __init__(self, symbol: str, a: Any, b: Any) -> None:
        self.symbol, self.a, self.b = symbol, a, b

    def value(self) -> Any:
        return self.operations[self.symbol](self.a, self.b)


def functions_of_a_class(x: Any) -> Any:
    return Formula("+*"[int(x[0] > 0)], x[0], x[1] * x[2]).value()


def total_of(value: Any) -> Any:
    return sum(map(total_of, value)) if isinstance(value, list) else value


def lists_found_in_what_was_handed_out(x: Any) -> Any:
    known = {"a": [x[0] * 2.0, 1.0]}
    rows = [[x[1] * 2.0, 1.0]]
    total = 0.0
    for _ in range(2):
        for value in known["a"] + rows[0]:
            total += total_of(value + value) * x[1]
        known.copy()["a"].append([x[2]])
        found = [row for every in [rows] for row in every]
        found[0].insert(0, [total])
    return total


def lists_that_come_to_hold_each_other(x: Any) -> Any:
    def put(holder: Any, value: Any) -> None:
        holder[0] = value

    def alternate(a: Any, b: Any, n: int) -> None:
        if n:
            put(a, b)
            alternate(b, a, n - 1)

    a, b = [x[0], x[1]], [x[1], x[2]]
    alternate(a, b, 2)
    return x[0] * a[0][1] * b[0][1]  # type: ignore[index]


OTHERS = [
    lists_found_in_what_was_handed_out,
    lists_that_come_to_hold_each_other,
    rows_that_become_numbers,
    captured_numbers_that_become_lists,
    an_empty_list_of_two_kinds,
    pairs_changed_while_they_are_shown,
    a_method_that_is_hidden,
    functions_of_a_class,
]


@pytest.mark.parametrize("program", KNOWN + OTHERS)
def test_derivatives(program: Callable[..., Any]) -> None:
    check_gradient(program, X)
    value, back = zg.pullback(program, X)
    found = back(1.0)[0]
    assert value == program(list(X))
    assert back(1.0)[0] == found
    along = [0.3, -0.2, 0.5]
    assert zg.pushforward(program, X)(along) == pytest.approx(np.dot(found, along), rel=1e-12)


@pytest.mark.parametrize("program", KNOWN)
def test_no_arithmetic_is_asked_what_it_is_of(program: Callable[..., Any]) -> None:
    text = zg.show_adjoint(program, X)
    assert not any(door in text for door in ("pull_augment(", "pull(operator."))
