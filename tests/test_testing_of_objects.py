"""The tester on objects and functions as arguments: what it varies, what it leaves alone, what it catches."""

from __future__ import annotations

import enum
import functools
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import GradientMismatch, check_gradient, trees

W = np.array([1.5, -0.5])


class Line:
    def __init__(self, a: Any, b: Any) -> None:
        self.a = a
        self.b = b

    def at(self, x: Any) -> Any:
        return self.a * x**2 + self.b

    def __call__(self, x: Any) -> Any:
        return self.a * x * self.b


@dataclass
class Weighted:
    a: float
    w: Any
    name: str = "weighted"


@dataclass(frozen=True, slots=True)
class Frozen:
    a: float
    w: Any


class Slotted:
    __slots__ = ("__hidden", "a")

    def __init__(self, a: float, hidden: float) -> None:
        self.a = a
        self.__hidden = hidden

    def value(self) -> float:
        return self.a * self.__hidden**2


class Extended(Slotted):
    def __init__(self, a: float, hidden: float) -> None:
        super().__init__(a, hidden)
        self.more = 2.0 * a


class Node:
    def __init__(self, value: float) -> None:
        self.value = value
        self.below: list[Node] = []
        self.above: Node | None = None

    def add(self, node: Node) -> Node:
        self.below.append(node)
        node.above = self
        return self


class Mode(enum.Enum):
    FAST = 1.5


def closure(w: float, v: Any) -> Callable[[Any], Any]:
    return lambda x: w * x**2 + np.sum(v * v) * w


def squaring(w: float) -> tuple[Callable[[float], float], Callable[[], None]]:
    def read(x: float) -> float:
        return w * x

    def square() -> None:
        nonlocal w
        w = w * w

    return read, square


def squared_and_read(functions: Any) -> Any:
    functions[1]()
    return functions[0](3.0)


def scaled(first: Any, second: Any) -> Any:
    first.a = first.a * 2 * second.b
    return second.a * first.b**2


def of_tree(node: Node) -> float:
    return node.value**2 + sum([of_tree(below) * node.value for below in node.below])


def of_path(node: Node) -> float:
    total, here = 0.0, node.below[0].below[0]
    while here is not None:
        total, here = total + here.value**3, here.above
    return total


def weighted(o: Any) -> Any:
    return o.a**2 * np.sum(np.sin(o.w))


LINE = Line(2.0, 3.0)
TREE = Node(1.5).add(Node(0.5).add(Node(2.0)))

RIGHT: dict[str, tuple[Any, ...]] = {
    "plain": (lambda o: o.at(3.0) * o.a, LINE),
    "called": (lambda o, x: o(x), LINE, 2.0),
    "dataclass": (weighted, Weighted(2.0, W)),
    "frozen": (weighted, Frozen(2.0, W)),
    "slots": (lambda o: o.value() * o.a, Slotted(2.0, 3.0)),
    "slots and fields": (lambda o: o.value() * o.a * o.more, Extended(2.0, 3.0)),
    "in a list": (lambda items: items[0].at(items[1].a), [LINE, Line(1.0, 2.0)]),
    "in dicts and tuples": (lambda d: d["m"].at(d["x"][0]), {"m": LINE, "x": (2.0, LINE)}),
    "in a queue": (lambda q: q[0].at(q[1]), deque([LINE, 2.0])),
    "in an array": (lambda a: a[0].at(a[1].b), np.array([LINE, Line(1.0, 2.0)], object)),
    "in objects": (lambda o: o.a.a * o.b.b**2, Line(LINE, Line(LINE, 4.0))),
    "namespace": (lambda o: o.a**2 * o.b, SimpleNamespace(a=2.0, b=3)),
    "twice, read": (lambda one, other: one.at(other.a), LINE, LINE),
    "twice, changed": (scaled, LINE, LINE),
    "array twice": (lambda a, o: np.sum(a * o.w**2), W, Frozen(2.0, W)),
    "tree": (of_tree, TREE),
    "cycle": (of_path, TREE),
    "closure": (lambda g: g(3.0) * g(2.0), closure(2.0, W)),
    "closures": (squared_and_read, list(squaring(2.0))),
    "method": (lambda g: g(3.0) ** 2, LINE.at),
    "partial": (lambda g: g(3.0) ** 2, functools.partial(closure(2.0, W))),
    "complex": (lambda o: np.sum(np.abs(o.a * o.b) ** 2), Line(np.array([1 + 2j, 3.0]), 2.0)),
    "single": (lambda o: np.sum(o.a * o.b), Line(np.array([1.0, 3.0], np.float32), 2.0)),
    "results": (lambda a, w: [Weighted(a, w * a), {"x": Frozen(a * a, w)}], 2.0, W),
}

TWICE = ("plain", "frozen", "slots", "in dicts and tuples", "twice, changed", "cycle", "closure", "results")
"""Programs whose second derivatives are checked."""


@pytest.mark.parametrize("name", RIGHT)
def test_right_gradients_pass(name: str) -> None:
    function, *args = RIGHT[name]
    check_gradient(function, *args, order=2 if name in TWICE else 1)


def square(x: Any) -> Any:
    return x * x


@zg.adjoint(square)
def _(x: Any) -> Any:
    return x * x, lambda bar: (bar * 2.001 * x,)


@pytest.mark.parametrize(
    ("function", "args", "argument", "index"),
    [
        (lambda o: square(o.a) + o.b, (LINE,), "0.a", ()),
        (lambda x, o: square(o["k"][0].w)[1] * x, (1.0, {"k": [Weighted(1.0, W), 2.0]}), "1['k'][0].w", (1,)),
        (lambda o: square(o.value()), (Slotted(2.0, 1.0),), "0._Slotted__hidden", ()),
        (lambda g: square(g(3.0)), (closure(2.0, W),), "0.v", (0,)),
        (lambda g: square(g(3.0)), (LINE.at,), "0.__self__.a", ()),
        (lambda x: Line(square(x), x), (2.0,), "0", ()),
    ],
)
def test_an_error_of_a_twentieth_percent_in_a_field_is_caught(
    function: Any, args: Any, argument: str, index: Any
) -> None:
    with pytest.raises(GradientMismatch) as caught:
        check_gradient(function, *args)
    assert (caught.value.argument, caught.value.index) == (argument, index)


def test_a_field_that_is_taken_for_constant_is_caught() -> None:
    def lost(o: Any) -> Any:
        return o.a * o.b

    @zg.adjoint(lost)
    def _(o: Any) -> Any:
        return o.a * o.b, lambda bar: ({"a": bar * o.b},)

    with pytest.raises(GradientMismatch, match=r"argument 0\.b"):
        check_gradient(lambda o: lost(o), LINE)


def test_what_is_found_in_two_places_has_a_contribution_from_each() -> None:
    assert trees.parts_of((LINE, [LINE]), ({"a": 1.0}, [zg.Record({"a": 2.0, "b": None})])) == {
        (0, ("a",)): [1.0, 2.0]
    }


def test_arguments_are_left_as_they_are() -> None:
    line = Line(2.0, 3.0)
    check_gradient(scaled, line, line)
    assert (line.a, line.b) == (2.0, 3.0)


def test_copies_keep_what_is_one_thing_and_what_holds_no_numbers() -> None:
    read, double = squaring(2.0)
    nothing = object()
    given = [LINE, LINE, TREE, (read, double), Mode.FAST, nothing, np, len, check_gradient]
    made = trees.copy(given)
    assert made[0] is made[1] is not LINE
    assert made[2].below[0].above is made[2] is not TREE
    made[3][1]()
    assert (made[3][0](1.0), read(1.0)) == (4.0, 2.0)
    assert all(one is other for one, other in zip(made[4:], given[4:], strict=True))


def test_a_function_with_a_rule_of_its_own_is_not_copied() -> None:
    ruled = closure(2.0, W)

    @zg.adjoint(ruled)
    def _(x: float) -> Any:
        return ruled(x), lambda bar: (4.0 * x * bar,)

    assert trees.copy([ruled])[0] is ruled
    check_gradient(lambda g, x: g(x), ruled, 3.0)
