"""Programs that combine what users combine: methods of arrays that are handed on, sums of objects of several
classes, queues as listeners, attributes that are not there."""

from __future__ import annotations

import operator
from collections import deque, namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences

X = np.array([0.5, 1.2, -0.7])
Pair = namedtuple("Pair", "x y")


def by_methods_of_operators(x: np.ndarray) -> Any:
    y = x * 1.0
    store = lambda a, value: a.__setitem__(0, value)  # noqa: E731
    store(y, y[-1] ** 2)
    y.__imul__(x[1])
    y.__iadd__(x)
    return np.sum(y * x)


def by_methods_handed_on(x: np.ndarray) -> Any:
    y = x * 1.0
    part = y[1:]
    fill, store, scale = y.fill, part.__setitem__, part.__imul__
    fill(x[1] * x[0])
    for _ in range(2):
        store(0, x[0] * part[1])
        scale(x[2])
    y.sort()
    return np.sum(y * x)


def by_methods_in_a_loop(x: np.ndarray) -> Any:
    y = x * 1.0
    for write, value in ((y.__iadd__, x), (y.__imul__, x[0]), (y.__isub__, 2.0)):
        write(value)
    operator.setitem(y, 1, y[2] * x[2])
    return np.sum(y * x * np.arange(3))


class Square:
    """Adds its area to what is added."""

    def __init__(self, side: Any) -> None:
        self.side = side

    def area(self) -> Any:
        return self.side**2

    def __lt__(self, other: Any) -> bool:
        return bool(self.area() < other.area())

    def __add__(self, other: Any) -> Any:
        return self.area() + (other.area() if isinstance(other, Square) else other)

    __radd__ = __add__


class Cube(Square):
    """Another one."""

    def area(self) -> Any:
        return 6 * super().area()


def sums_of_objects_of_two_classes(x: np.ndarray) -> Any:
    shapes = [Square(x[0]), Cube(x[1]), Square(x[0] * x[2]), 3.0]
    largest = max(shapes[:3]).side
    return sum(shapes) * largest + sum(sorted(shapes[:2]), x[2])


def queues_that_listen(x: np.ndarray) -> Any:
    queue: deque[Any] = deque(maxlen=2)
    squares: list[Any] = []

    def second(v: Any) -> None:
        squares.append(v * v)

    listeners: dict[str, list[Callable[[Any], Any]]] = {}
    for listener in (second, queue.append):
        listeners.setdefault("moved", []).append(listener)
    for v in x:
        for listener in listeners["moved"]:
            listener(v * x[0])
    return sum(queue) * sum(squares)


def attributes_that_are_not_there(x: np.ndarray) -> Any:
    pair = Pair(x[0], x[1])
    held = {"pair": pair}
    try:
        return held["pair"].first  # type: ignore[attr-defined]
    except AttributeError:
        return pair.x * pair.y * getattr(pair, "second", x[2])


PROGRAMS = [
    by_methods_of_operators,
    by_methods_handed_on,
    by_methods_in_a_loop,
    sums_of_objects_of_two_classes,
    queues_that_listen,
    attributes_that_are_not_there,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_derivatives(program: Callable[..., Any]) -> None:
    y, back = zg.pullback(program, X)
    assert y == program(X)
    expected = differences(program, X)
    for found in (back(1.0)[0], back(1.0)[0]):
        assert np.allclose(found, expected, rtol=1e-8, atol=1e-8)
    assert np.isclose(zg.pushforward(program, X)(np.array([1.0, -2.0, 0.5])), expected @ [1.0, -2.0, 0.5])
    single = zg.gradient(program, X.astype(np.float32))[0]
    assert single.dtype == np.float32
    assert np.allclose(single, expected, rtol=1e-4, atol=1e-4)


def test_second_order() -> None:
    v = np.array([0.3, -1.0, 2.0])
    expected = differences(lambda x: zg.gradient(by_methods_of_operators, x)[0] @ v, X)
    assert np.allclose(zg.hvp(by_methods_of_operators, X, v), expected, rtol=1e-7)


class Holder:
    """Has a function in a slot."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function


def a_function_that_fails(a: Any) -> Any:
    kept: list[Any] = []

    def keep(v: Any) -> None:
        kept.append(a * v)
        raise ValueError

    try:
        keep(a)
    except ValueError:
        kept.append(a)
    return sum(kept)


def a_function_in_a_slot_that_fails(a: Any) -> Any:
    kept: list[Any] = []

    def keep(v: Any) -> None:
        kept.append(a * v)
        raise ValueError

    try:
        Holder(keep).function(a)
    except ValueError:
        kept.append(a)
    return sum(kept)


@pytest.mark.parametrize("program", [a_function_that_fails, a_function_in_a_slot_that_fails])
def test_what_a_function_did_before_it_failed(program: Callable[..., Any]) -> None:
    assert np.isclose(zg.gradient(program, 0.7)[0], 2.4)


def test_a_product_with_what_a_function_did_before_it_failed() -> None:
    assert np.isclose(zg.hvp(a_function_that_fails, 0.7, 1.0), 2.0)


def test_an_attribute_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'first'"):
        zg.gradient(lambda a: Pair(a, a).first, 2.0)  # type: ignore[attr-defined]
