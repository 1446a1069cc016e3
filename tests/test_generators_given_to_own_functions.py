"""Generators that a program gives to its own functions and classes, and lists whose items are arguments: what
is done and in which order is what Python does, and where it can be told nothing is looked up when it runs."""

# ruff: noqa: B905

import math
from typing import Any

import pytest

import zygpy as zg

LOG: list[str] = []


class Vector:
    def __init__(self, items: Any, scale: float = 1.0) -> None:
        self.items = list(items)
        self.scale = scale

    def __iter__(self) -> Any:
        return iter(self.items)

    def __add__(self, other: Any) -> Any:
        return Vector(a + b for a, b in zip(self, other))


class Logging:
    def __init__(self, items: Any) -> None:
        LOG.append("made")
        self.items = tuple(items)


class Keeping:
    def __init__(self, items: Any) -> None:
        self.given = items
        self.items = list(items)


class Row(tuple):  # type: ignore[type-arg]
    pass


class Fixed:
    def __init__(self, items: Any) -> None:
        self.items = tuple(items)


def logged(value: Any) -> Any:
    LOG.append("item")
    return value


def total(items: Any) -> Any:
    result = 0.0
    for item in items:
        LOG.append("added")
        result += item
    return result


def first_above(items: Any, bound: float) -> Any:
    for item in items:
        if item > bound:
            return item * item
    return 0.0


def caught(items: Any) -> Any:
    result = 0.0
    try:
        for item in items:
            result += item
    except ZeroDivisionError:
        result *= 5.0
    return result


def three(a: Any, b: Any, c: Any) -> Any:
    return a * b + c


def sums_of_vectors(x: float) -> Any:
    a, b = Vector([x, 2 * x]), Vector([1.0, x])
    for _ in range(2):
        a = a + b
    return sum(u * v for u, v in zip(a, b))


def items_as_arguments(x: float) -> Any:
    values = [x, 2.0 * x, 3.0]
    result = 0.0
    for k in range(3):
        result += three(*values) * k
    return result


def taken_in_turn(x: float) -> Any:
    made = Logging(logged(v * x) for v in (x, 2.0))
    kept = Keeping(logged(v * x) for v in (x, 2.0))
    return made.items[0] * made.items[1] + sum(kept.items) + sum(kept.given) * x


def left_and_gone_on_with(x: float) -> Any:
    items = (logged(v * x) for v in (1.0, 2.0, 3.0))
    # one is left and gone on with, the other one runs in place
    return first_above(items, 1.0) + sum(items) * x + first_above((v * x for v in (1.0, 5.0, 7.0)), 2.0)


def failing(x: float) -> Any:
    result = caught(logged(x / v) for v in (1.0, 0.0, 2.0))
    try:
        Vector(logged(x / v) for v in (1.0, 0.0))
    except ZeroDivisionError:
        result *= x
    try:
        three(*[x, result])
    except TypeError:
        result *= x
    return result


def of_tuples(x: float) -> Any:
    row, values = Row(v * x for v in (x, 2.0)), [x, 2 * x]
    fixed = Fixed(values)
    values[0] = 7.0
    other = Fixed(u * v for u, v in zip(fixed.items, row))
    return sum(other.items) * math.hypot(*fixed.items) + sum(values) + sum(Fixed(v * x for v in ()).items)


QUICK = (sums_of_vectors, items_as_arguments)
"""In which nothing is looked up when they run."""


@pytest.mark.parametrize(
    "function",
    [*QUICK, taken_in_turn, left_and_gone_on_with, failing, of_tuples],
)
def test_generators_are_taken_as_python_takes_them(function: Any) -> None:
    LOG.clear()
    expected = function(0.7)
    done = list(LOG)
    LOG.clear()
    value, back = zg.pullback(function, 0.7)
    assert value == expected
    assert done == LOG
    step = 1e-3
    near = [function(0.7 + k * step) for k in (-2, -1, 1, 2)]
    slope = (near[0] - 8 * near[1] + 8 * near[2] - near[3]) / (12 * step)
    assert back(1.0)[0] == pytest.approx(slope, rel=1e-7)
    assert back(2.0)[0] == pytest.approx(2 * slope, rel=1e-7)
    if function in QUICK:
        assert "pull" not in zg.show_adjoint(function, 0.7)


def test_what_takes_the_items_may_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    class Own:
        def __init__(self, items: Any) -> None:
            self.items = list(items)

    def program(x: float) -> Any:
        return sum(OWN(v * x for v in (1.0, x)).items) + total(v * x for v in (1.0, x))

    def doubling(self: Any, items: Any) -> None:
        self.items = [2 * item for item in items]

    monkeypatch.setitem(globals(), "OWN", Own)
    assert zg.gradient(program, 2.0) == (10.0,)
    with monkeypatch.context() as changed:
        changed.setattr(Own, "__init__", doubling)
        changed.setitem(globals(), "total", lambda items: 3 * sum(items))
        assert zg.gradient(program, 2.0) == (25.0,)
    assert zg.gradient(program, 2.0) == (10.0,)
    monkeypatch.setattr(total, "__code__", (lambda items: 3 * sum(items)).__code__)
    assert zg.gradient(program, 2.0) == (20.0,)


OWN: Any = None
