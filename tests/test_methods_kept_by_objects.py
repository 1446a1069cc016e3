"""Methods that objects keep in fields, lists and dicts, bound to themselves or to others, and call later."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing.numeric import slope


class Solver:
    def __init__(self, rate: Any, first: bool) -> None:
        self.step = self.one if first else self.other
        self.rate = rate

    def one(self, y: Any) -> Any:
        return y - 0.1 * self.rate * y

    def other(self, y: Any) -> Any:
        return y * self.rate - 0.2 * self.rate**2 * y

    def run(self, y: Any) -> Any:
        for _ in range(3):
            y = self.step(y)
        return y


class Table:
    def __init__(self, x: float) -> None:
        self.x = x
        self.found = {"up": self.up, "down": self.down}
        self.listed = [self.up, self.down]

    def up(self, y: float) -> None:
        self.x = self.x + y

    def down(self, y: float) -> None:
        self.x *= math.sin(y)


class Node:
    """Keeps its own method, or that of another one of its class."""

    def __init__(self, x: float, other: Any = None) -> None:
        self.x = x
        if other is not None:
            self.times = other.times
        self.kept = self.times

    def times(self, y: float) -> float:
        return self.x * y


class Subject:
    def __init__(self) -> None:
        self.observers: list[Any] = []

    def attach(self, observer: Any) -> None:
        self.observers.append(observer)

    def notify(self, v: Any) -> None:
        for observer in self.observers:
            observer(v)


class Meter:
    def __init__(self, weight: Any) -> None:
        self.weight, self.total = weight, 0.0

    def see(self, v: Any) -> None:
        self.total += self.weight * v

    def grow(self, v: Any) -> None:
        self.weight = self.weight * 1.1 + v


class Squares(Meter):
    def see(self, v: Any) -> None:
        self.total += self.weight * v * v


def two_solvers(x: float, y: float) -> float:
    a, b = Solver(x, True), Solver(y, False)
    return float(a.run(x) * b.run(y))


def handlers(x: float, y: float) -> float:
    table = Table(x)
    for i in range(4):
        table.found["up" if i % 2 else "down"](y)
        for handler in table.listed:
            handler(x)
    return table.x


def observers(x: float, y: float) -> float:
    subject, meter, squares = Subject(), Meter(y), Squares(x)
    for observer in (meter.see, squares.see, meter.grow):
        subject.attach(observer)
    for i in range(3):
        subject.notify(x * i)
    return float(meter.total + squares.total * meter.weight)


def of_another(x: float, y: float) -> float:
    a, b = Solver(x, True), Solver(3, False)
    a.step = b.one
    return float(a.run(x) * b.run(y))


def of_the_original(x: float, y: float) -> float:
    a = Solver(x, True)
    b = copy.copy(a)
    b.rate = np.array([y, x])
    return float(b.run(x) + a.run(y))


def shadowed(x: float, y: float) -> float:
    a = Node(x)
    b = Node(y, a)
    return b.kept(x * y) + a.kept(y)


def other_numbers(x: float, y: float) -> float:
    subject, meter = Subject(), Meter(2)
    subject.attach(meter.see)
    subject.notify(1)
    meter.weight, meter.total = np.array([x, y]), np.zeros(2)
    subject.notify(y)
    return float(np.sum(meter.total * np.array([1.0, 2.0])))


def changed_while_walked(x: float, y: float) -> float:
    subject, meter, squares = Subject(), Meter(y), Squares(x)

    def once(v: float) -> None:
        if len(subject.observers) < 3:
            subject.attach(meter.see)

    subject.attach(once)
    for i in range(3):
        subject.notify(x * i)
        subject.observers[0] = squares.see if i % 2 else squares.grow
    return float(meter.total + squares.total * squares.weight)


def slope_at(function: Callable[[float], float], place: float) -> float:
    return slope(lambda t: function(place + t)).value


FOLLOWED = [two_solvers, handlers, observers]
"""Programs in which every method is known beforehand."""


@pytest.mark.parametrize(
    "program",
    [*FOLLOWED, of_another, of_the_original, shadowed, other_numbers, changed_while_walked],
    ids=lambda program: str(program.__name__),
)
def test_gradient(program: Callable[[float, float], float]) -> None:
    expected = slope_at(lambda x: program(x, 1.3), 0.7), slope_at(lambda y: program(0.7, y), 1.3)
    _, back = zg.pullback(program, 0.7, 1.3)
    for _ in range(2):
        np.testing.assert_allclose(back(1.0), expected, rtol=1e-6)


@pytest.mark.parametrize("program", FOLLOWED, ids=lambda program: str(program.__name__))
def test_methods_are_known_beforehand(program: Callable[[float, float], float]) -> None:
    text = str(zg.show_adjoint(program, 0.7, 1.3))
    assert "pull(" not in text
    assert "pull_method" not in text


def run(solver: Solver, y: float) -> float:
    return float(solver.run(y))


def test_given_object_that_gets_another_method() -> None:
    solver = Solver(0.7, True)
    for first in (True, False):
        solver.step = solver.one if first else solver.other
        by_solver, y_bar = zg.gradient(run, solver, 1.3)
        rate_bar = slope_at(lambda x, f=first: run(Solver(x, f), 1.3), 0.7)  # type: ignore[misc]
        np.testing.assert_allclose(by_solver.rate, rate_bar, rtol=1e-6)
        np.testing.assert_allclose(y_bar, slope_at(lambda y: run(solver, y), 1.3), rtol=1e-6)
    solver.step = Solver(2, False).one
    y_bar = zg.gradient(run, solver, 1.3)[1]
    np.testing.assert_allclose(y_bar, slope_at(lambda y: run(solver, y), 1.3), rtol=1e-6)
