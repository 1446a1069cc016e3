"""Objects that hold what they do in slots: what is known of their fields, in all derivatives."""

from __future__ import annotations

import copy
import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
import pytest

import zygpy as zg
from tests.test_operators_of_objects import X, check_all, check_first
from zygpy.testing import check_gradient

T = TypeVar("T")


class Dual:
    __slots__ = ("du", "re")

    def __init__(self, re: Any, du: Any = 0.0) -> None:
        self.re, self.du = re, du

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Dual):
            return Dual(self.re + other.re, self.du + other.du)
        return Dual(self.re + other, self.du)

    __radd__ = __add__

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Dual):
            return Dual(self.re * other.re, self.re * other.du + self.du * other.re)
        return Dual(self.re * other, self.du * other)

    __rmul__ = __mul__


@dataclass(slots=True)
class Point:
    x: Any
    y: Any = 1.0

    def norm(self) -> Any:
        return math.sqrt(self.x**2 + self.y**2)

    @property
    def area(self) -> Any:
        return self.x * self.y

    @area.setter
    def area(self, area: Any) -> None:
        self.x = area / self.y


@dataclass(slots=True, frozen=True)
class Fixed:
    x: Any
    y: Any

    def __add__(self, other: Any) -> Any:
        return Fixed(self.x + other.x * other.y, self.y + other.y)


class Total:
    __slots__ = "total"

    def __init__(self) -> None:
        self.total = 0.0

    def add(self, v: Any) -> None:
        self.total += v


class Private:
    __slots__ = ("__held", "__weakref__")

    def __init__(self, held: Any) -> None:
        self.__held = held

    def twice(self) -> Any:
        return self.__held * 2.0

    def change(self, v: Any) -> Any:
        before, self.__held = self.__held, v
        return before


class Longer(Point):
    __slots__ = ("z",)

    def norm(self) -> Any:
        return Point.norm(self) * self.z


class Open(Point):
    """Which has a dict besides."""


class Hidden(Point):
    __slots__ = ("kept",)

    @property
    def x(self) -> Any:  # type: ignore[override]
        return self.kept * 3.0

    @x.setter
    def x(self, value: Any) -> None:
        self.kept = value * value


class Making:
    __slots__ = ("x",)

    def __getattr__(self, name: str) -> Any:
        return self.x * len(name)


class Watching:
    __slots__ = ("count", "x")

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value * 2.0)


class Box(Generic[T]):
    __slots__ = ("item",)

    def __init__(self, item: T) -> None:
        self.item = item


class Node:
    __slots__ = ("following", "value")

    def __init__(self, value: Any, following: Any = None) -> None:
        self.value, self.following = value, following


def dual_numbers(x: Any) -> Any:
    moving, held = Dual(x[0], 1.0), Dual(x[1])
    for _ in range(5):
        moving = moving * moving * 0.5 + held
    return moving.re + 3.0 * moving.du


def points_in_a_list(x: Any) -> Any:
    points = [Point(x[0] * i, x[1]) for i in range(1, 4)]
    total = 0.0
    for point in points:
        point.x += 1.0
        point.y *= x[0]
        total += point.norm()
    points[0].area = total
    return total * points[0].x + points[2].area


def frozen_points(x: Any) -> Any:
    point = Fixed(x[0], x[1])
    for _ in range(3):
        point = point + Fixed(x[1] * 0.1, x[0])
    return point.x * point.y


def a_sum_in_an_object(x: Any) -> Any:
    total = Total()
    for i in range(4):
        total.add(x[0] * i * x[1])
    return total.total**2


def private_names(x: Any) -> Any:
    held = Private(x[0])
    before = held.change(x[0] * x[1])
    return before * held.twice() + held.change(2.0)


def inherited_slots(x: Any) -> Any:
    point = Longer(x[0], x[1])
    point.z = x[0] * x[1]
    return point.norm() * point.area


def slots_beside_a_dict(x: Any) -> Any:
    point = Open(x[0], x[1])
    point.more = x[1] ** 2  # type: ignore[attr-defined]
    return point.norm() * point.more  # type: ignore[attr-defined]


def a_property_in_front(x: Any) -> Any:
    point = Hidden(x[0], x[1])
    point.x = point.x * x[1]
    return point.norm() * point.x


def made_up_attributes(x: Any) -> Any:
    thing = Making()
    thing.x = x[0] * x[1]
    return thing.abc * thing.x + thing.ab


def watched_attributes(x: Any) -> Any:
    thing = Watching()
    thing.x = x[0]
    thing.x = thing.x * x[1]
    return thing.x * x[0]


def with_a_parameter(x: Any) -> Any:
    box = Box(x[0])
    other = box
    box.item = box.item * x[1]
    return other.item * x[0]


def linked(x: Any) -> Any:
    node = None
    for i in range(3):
        node = Node(x[i % 2] * (i + 1), node)
    total = 1.0
    while node is not None:
        total *= node.value
        node = node.following
    return total


def without_a_value(x: Any) -> Any:
    box = Box.__new__(Box)
    try:
        found = box.item * 2.0
    except AttributeError:
        found = x[0]
    box.item = found * x[1]
    first = box.item
    del box.item
    missing = hasattr(box, "item")
    return first * x[1] + (5.0 if missing else x[0]) + getattr(box, "item", x[1]) ** 2


def by_names(x: Any) -> Any:
    point = Point(x[0])
    for name in ("x", "y"):
        setattr(point, name, getattr(point, name) * x[1])
    object.__setattr__(point, "y", point.y * 2.0)
    return point.x * point.y


def swapped(x: Any) -> Any:
    one, other = Point(x[0], x[1]), Point(x[1] * 2.0, x[0])
    one.x, other.x = other.x, one.x * one.y
    both = {"one": one, "other": other}
    both["one"].y = both["other"].x
    return one.norm() * other.area


def copied(x: Any) -> Any:
    one = Point(x[0], x[1])
    other = copy.copy(one)
    deep = copy.deepcopy(one)
    other.x = x[1] ** 2
    deep.y = other.x * one.x
    changed = dataclasses.replace(one, y=deep.y)
    return one.x * other.x * deep.y + changed.norm()


def arrays_in_slots(x: Any) -> Any:
    box = Box(x * 2.0)
    view = box.item
    box.item[0] = x[1] * x[0]
    view += x
    return np.sum(box.item**2)


def stored_in_each_other(x: Any) -> Any:
    outer = Box(Point(x[0], x[1]))
    outer.item.x = outer.item.y * x[0]
    inner = outer.item
    outer.item = Point(inner.x**2, x[1])
    return outer.item.norm() * inner.x


def compared(x: Any) -> Any:
    one, other = Point(x[0], x[1]), Point(x[0], x[1])
    return one.norm() * (2.0 if one == other else x[1]) * (3.0 if one is other else x[0])


def chosen(x: Any) -> Any:
    one = Point(x[0], x[1]) if x[0] > 0.0 else Fixed(x[0], x[1])
    return one.x * one.y**2


PROGRAMS: list[Callable[[Any], Any]] = [
    dual_numbers,
    points_in_a_list,
    frozen_points,
    a_sum_in_an_object,
    private_names,
    inherited_slots,
    slots_beside_a_dict,
    a_property_in_front,
    made_up_attributes,
    watched_attributes,
    with_a_parameter,
    linked,
    by_names,
    swapped,
    arrays_in_slots,
    stored_in_each_other,
    compared,
    chosen,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_derivatives(program: Callable[[Any], Any]) -> None:
    check_all(program)


@pytest.mark.parametrize("program", [without_a_value, copied])
def test_first_derivatives(program: Callable[[Any], Any]) -> None:
    check_first(program)


def length(point: Any) -> Any:
    point.x = point.x * 2.0
    return point.norm()


@pytest.mark.parametrize("point", [Point(0.7, 0.4), Longer(0.7, 0.4)])
def test_arguments(point: Any) -> None:
    if isinstance(point, Longer):
        point.z = 2.0
    check_gradient(length, copy.copy(point))
    slope = zg.gradient(length, copy.copy(point))[0]
    along = {"x": 0.3, "y": -0.8}
    pushed = zg.pushforward(length, copy.copy(point))(along)
    assert pushed == pytest.approx(0.3 * slope.x - 0.8 * slope.y, rel=1e-12)


def test_what_changes_in_the_class_counts() -> None:
    class Plain:
        __slots__ = ("kept", "x")

    def f(x: Any) -> Any:
        thing = Plain()
        thing.x = x[0] * 2.0
        return thing.x * x[1]

    check_all(f)

    def squared(thing: Any, value: Any) -> None:
        thing.kept = value * value

    Plain.x = property(lambda thing: thing.kept * 3.0, squared)  # type: ignore[attr-defined]
    check_first(f)


def test_a_slot_that_is_not_there() -> None:
    def f(x: Any) -> Any:
        point = Point(x[0], x[1])
        point.z = x[0]  # type: ignore[attr-defined]
        return point.norm()

    for derivative in (zg.gradient, lambda f, x: zg.hvp(f, x, x), lambda f, x: zg.pushforward(f, x)(x)):
        with pytest.raises(AttributeError, match="z"):
            derivative(f, X)


def test_slots_are_plain_code() -> None:
    for program in (a_sum_in_an_object, frozen_points, inherited_slots):
        assert "pull" not in str(zg.show_adjoint(program, X))
