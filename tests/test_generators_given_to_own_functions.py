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


def counted(x: float, n: int) -> Any:
    for k in range(n):
        yield logged(x * k)


def smoothed(items: Any, weight: float) -> Any:
    state = 1.0
    for item in items:
        state = weight * item + (1 - weight) * state
        yield state


class Orbit:
    def __init__(self, x: float, v: float) -> None:
        self.place, self.v = (x, v), v
        self.history: list[Any] = []
        self.steps = 0

    def states(self, n: int) -> Any:
        for _ in range(n):
            x, v = self.place
            self.v -= 0.1 * x
            self.place = (x + 0.1 * v, self.v)
            self.history.append((x, self.place))
            yield logged(self.place)

    def energy(self, states: Any) -> Any:
        result = 0.0
        for x, v in states:
            result += x * v * self.v
            self.steps += 1
            if self.steps > 4:
                break
        return result

    def __iter__(self) -> Any:
        k = 0
        while k < len(self.history):
            yield self.history[k][0] * self.v
            k += 1


class Swapped(Orbit):
    def states(self, n: int) -> Any:
        yield (self.v, self.place[0] * n)
        yield from super().states(n)


class Tree:
    def __init__(self, value: float, *below: Any) -> None:
        self.value, self.below = value, below

    def walk(self) -> Any:
        yield self
        for tree in self.below:
            yield from tree.walk()


def by_names(x: float) -> Any:
    return total(smoothed(counted(x, 4), x)) * first_above(counted(x, 9), 2.0)


class Weighed:
    def __init__(self, weight: float) -> None:
        self.weight, self.sum = weight, (0.0, 1.0)

    def items(self, n: int) -> Any:
        for k in range(n):
            yield logged(self.weight * k + self.sum[0])

    def take(self, items: Any) -> Any:
        for item in items:
            self.sum = (self.sum[0] + item, item)
        return self.sum[0] * self.sum[1]


def within_methods(x: float) -> Any:
    one, other = Weighed(x), Weighed(2.0)
    return one.take(one.items(3)) * other.take(smoothed(one.items(2), x))


def by_methods(x: float) -> Any:
    orbit = Orbit(x, 1.0)
    result = orbit.energy(orbit.states(9)) * orbit.v
    for k, item in enumerate(orbit):
        result += item * k
    return result * sum(a * b[0] for a, b in orbit.history)


def unpacked(x: float) -> Any:
    a, b, c = (logged(u - v) for u, v in zip((x, 2 * x, 3.0), (1.0, x, x * x)))
    d, *e = counted(x, 3)
    for wrong in (2, 4):
        try:
            f, g, h = counted(x, wrong)
            a = f * g * h
        except ValueError:
            a = a * c
    return a * b + c * d + sum(e)


def by_other_methods(x: float) -> Any:
    result = 0.0
    for orbit in (Orbit(x, 1.0), Swapped(x, x)):
        result += orbit.energy(orbit.states(3)) * orbit.v
    orbit.states = lambda n: [orbit.place] * n  # type: ignore[method-assign]
    result += orbit.energy(orbit.states(2))
    for k, item in enumerate(orbit):
        result += item * k
        if k < 2:
            orbit.history.append((item, orbit.place))
    for tree in Tree(x, Tree(x * x, Tree(3.0)), Tree(2 * x)).walk():
        tree.value *= x
        result += tree.value * len(tree.below)
    return result


def queues(x: float) -> Any:
    items, states = [None, x, None, x * x], [(x, 1), (2 * x, 2)]
    result = 0.0
    while items:
        item = items.pop()
        if item is not None:
            result = result * x + item
    for _ in range(3):
        value, k = states.pop(0)
        states.append((value * x, k + 1))
        states.insert(0, states.pop(-1))
        states[-1] = (states[-1][0], value)
    return result + sum(a * b for a, b in states)


QUICK = (sums_of_vectors, items_as_arguments, by_names, within_methods, unpacked)
"""In which nothing is looked up when they run."""


@pytest.mark.parametrize(
    "function",
    [*QUICK, taken_in_turn, left_and_gone_on_with, failing, of_tuples, by_methods, by_other_methods, queues],
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
