"""Objects and exceptions in forward mode: aliases, what is reached in two ways, bodies that fail half way."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import pushing, tangent_functions
from zygpy.runtime.tangents import direction_of
from zygpy.runtime.zeros import CannotPush


class Point:
    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = x, y

    def norm(self) -> Any:
        return (self.x**2 + self.y**2) ** 0.5

    def move(self, by: Any) -> Point:
        self.x = self.x + by
        return self

    @property
    def area(self) -> Any:
        return self.x * self.y

    @staticmethod
    def tripled(value: Any) -> Any:
        return value * 3.0

    def __call__(self, factor: Any) -> Any:
        return self.x * factor


class Point3(Point):
    def __init__(self, x: Any, y: Any, z: Any) -> None:
        super().__init__(x, y)
        self.z = z

    def norm(self) -> Any:
        return super().norm() * self.z

    @classmethod
    def near(cls, x: Any) -> Point3:
        return cls(x, 2.0, x)


@dataclass
class Weighted:
    value: Any
    weight: Any = 2.0

    def product(self) -> Any:
        return self.value * self.weight


def aliases(x: Any) -> Any:
    p = Point(x, 2.0)
    q = p
    q.x = q.x * x
    p.move(x)
    return p.norm() + Weighted(x, 3.0).product()


def reached_twice(x: Any) -> Any:
    p = Point(1.0, 2.0)
    q = p
    both = [p, q]
    p.x = x
    both[1].y = both[0].x * x
    return q.x * q.y + both[0].norm()


def two_names_in_a_callee(x: Any) -> Any:
    p = Point(1.0, 2.0)
    return written_and_read(p, p, x) * p.x


def written_and_read(a: Point, b: Point, x: Any) -> Any:
    a.x = x * x
    return b.x


def rebound_by_itself(x: Any) -> Any:
    p = Point(x, 1.0)
    p = Point(p.y * x, p.x)
    p.x, p.y = p.y, p.x
    return p.x**2 * p.y


def properties_and_statics(x: Any) -> Any:
    p = Point(x, x * x)
    return p.area + Point.tripled(p.x) + p(x) + Weighted(x).product()


def one_object_three_times_in_a_list(x: Any) -> Any:
    p = Weighted(x, 2.0)
    items = [p, Weighted(1.0, x), p]
    for item in items:
        item.value = item.value * x
    return sum([item.product() for item in items])


def augmented_fields(x: Any) -> Any:
    p = Point(x, 3.0)
    p.x += x * x
    p.y -= p.x
    p.x *= p.y
    p.y /= x
    p.y *= 2.0
    return p.x + p.y * p.x


class Buffers:
    def __init__(self, x: Any) -> None:
        self.whole = np.zeros(3) + x
        self.tail = self.whole[1:]

    def scale(self, by: Any) -> None:
        self.tail[0] *= by
        self.whole[2] += by


def arrays_that_are_views_of_one_another(x: Any) -> Any:
    b = Buffers(x)
    b.scale(x)
    b.tail += b.whole[:2] * x
    return np.sum(b.whole * b.tail[1])


def subclass(x: Any) -> Any:
    p = Point3(x, 2.0, x)
    p.move(x)
    return p.norm()


class Point4(Point3):
    @classmethod
    def near(cls, x: Any) -> Any:
        return super().near(x * 2.0)


def class_method_of_a_subclass(x: Any) -> Any:
    return Point4.near(x).norm() * x


def active_later_by_another_name(x: Any) -> Any:
    p = Point(1.0, 2.0)
    keep = (p, 1.0)
    total = 0.0
    for _ in range(3):
        total = total + keep[0].x
        p.x = p.x * x
    return total


def fails_half_way(x: Any) -> Any:
    y = 0.0
    try:
        y = x * x
        y = 1.0 / (x - x)
    except ZeroDivisionError:
        y = y * x
    finally:
        y = y + x
    return y


def updated_before_it_fails(x: Any) -> Any:
    y = x * 1.0
    try:
        y = y * x
        y = y * math.sqrt(-x)
    except ValueError:
        y = y * 2.0
    return y


def written_before_it_fails(x: Any) -> Any:
    v = np.zeros(2)
    try:
        v[0] = x * 5.0
        v[1] = math.sqrt(-x)
    except ValueError:
        v[1] += 3.0 * x
    return v[0] * v[1]


def raised_and_caught(x: Any) -> Any:
    total = 0.0
    for k in range(4):
        try:
            if k == 1:
                raise KeyError("one")
            total = total + x * k
            if k == 2:
                continue
            total = total * x
        except KeyError:
            total = total - x
        else:
            total = total + 0.5 * x
        finally:
            total = total * 1.1
    return total


@pytest.mark.parametrize(
    "function",
    [
        aliases,
        reached_twice,
        two_names_in_a_callee,
        rebound_by_itself,
        properties_and_statics,
        one_object_three_times_in_a_list,
        augmented_fields,
        arrays_that_are_views_of_one_another,
        active_later_by_another_name,
        fails_half_way,
        updated_before_it_fails,
        written_before_it_fails,
        raised_and_caught,
        subclass,
    ],
)
def test_agrees(function: Any) -> None:
    x = 1.3
    found = pushing.push_of(function, (x,))
    assert isinstance(found, pushing.Push), found.why
    pushed = zg.pushforward(function, x)(0.7)
    assert pushed == pytest.approx(0.7 * zg.gradient(function, x)[0], rel=1e-12)
    slope = (function(x + 1e-6) - function(x - 1e-6)) / 2e-6
    assert pushed == pytest.approx(0.7 * slope, rel=1e-6)


def test_what_is_left_to_reverse_mode() -> None:
    assert isinstance(pushing.push_of(class_method_of_a_subclass, (1.3,)), tangent_functions.Refused)
    slope = (class_method_of_a_subclass(1.3 + 1e-6) - class_method_of_a_subclass(1.3 - 1e-6)) / 2e-6
    assert zg.pushforward(class_method_of_a_subclass, 1.3)(1.0) == pytest.approx(slope, rel=1e-6)


@pytest.mark.parametrize("function", [rebound_by_itself, fails_half_way])
def test_in_one_another(function: Any) -> None:
    """Second derivatives by each order of the modes."""

    def forward(t: Any) -> Any:
        return zg.pushforward(function, t)(1.0)

    def reverse(t: Any) -> Any:
        return zg.gradient(function, t)[0]

    x, step = 1.3, 1e-5
    expected = (reverse(x + step) - reverse(x - step)) / (2.0 * step)
    found = [
        zg.gradient(forward, x)[0],
        zg.pushforward(reverse, x)(1.0),
        zg.pushforward(forward, x)(1.0),
        zg.gradient(reverse, x)[0],
        zg.hvp(function, x, 1.0),
    ]
    assert found == pytest.approx([expected] * 5, rel=1e-5)


def test_perturbations_are_not_confused() -> None:
    def outer(x: Any) -> Any:
        return x * zg.pushforward(lambda y: x * y + y, 2.0)(1.0)

    assert zg.pushforward(outer, 3.0)(1.0) == pytest.approx(7.0)
    assert zg.gradient(outer, 3.0)[0] == pytest.approx(7.0)


def test_a_captured_object_is_constant_and_left_alone() -> None:
    p = Point(2.0, 5.0)
    found = zg.pushforward(lambda x: p.norm() * x + p(x), 1.5)(1.0)
    assert found == pytest.approx(29.0**0.5 + 2.0)
    assert vars(p) == {"x": 2.0, "y": 5.0}


def test_a_field_that_is_attached_to_what_is_constant() -> None:
    def function(x: Any) -> Any:
        p, values = Point(0.0, 0.0), [0.0, 1.0]
        attach(p, values)
        values[0] = x
        return p.x[0] * 3.0

    assert zg.pushforward(function, 1.5)(1.0) == 3.0


def attach(p: Point, values: Any) -> None:
    p.x = values


def views(n: int) -> Any:
    v = np.zeros(n)
    return v, v[1:]


def through_the_other_view(x: Any) -> Any:
    a, b = views(3)
    a[1] = x
    return b[0] * 2.0


def the_same_of_arrays(x: Any) -> Any:
    a, b = views(4)
    a[1:] = x
    return b * x


def test_constants_in_one_memory() -> None:
    """What a callee gives that has no derivative may lie in one memory, and be written to later."""
    assert zg.pushforward(through_the_other_view, 1.5)(1.0) == 2.0
    x = np.array([1.0, 2.0, 3.0])
    assert zg.jacobian(the_same_of_arrays, x)[0].tolist() == np.diag(2.0 * x).tolist()


def test_side_effects_happen_once() -> None:
    log: list[str] = []

    def function(x: Any) -> Any:
        p = Point(x, 1.0)
        log.append("made")
        return p.norm()

    zg.pushforward(function, 1.5)(1.0)
    assert log == ["made"]


def of_an_object(p: Any, x: Any) -> Any:
    return p.norm() * x + p.area


@pytest.mark.parametrize("tangent", [{"x": 0.5, "y": -1.0}, Point(0.5, -1.0), {"x": 0.5}, None])
def test_tangents_of_objects(tangent: Any) -> None:
    p, x = Point(2.0, 3.0), 1.5
    bars = zg.gradient(of_an_object, p, x)
    by_field = {} if tangent is None else tangent if isinstance(tangent, dict) else vars(tangent)
    expected = sum(getattr(bars[0], name) * value for name, value in by_field.items()) + 0.7 * bars[1]
    assert isinstance(pushing.push_of(of_an_object, (p, x)), pushing.Push)
    assert zg.pushforward(of_an_object, p, x)(tangent, 0.7) == pytest.approx(expected)
    if tangent is not None:
        assert zg.pushforward(of_an_object, p, x)(bars[0], 0.0) == pytest.approx(
            bars[0].x ** 2 + bars[0].y ** 2
        )


def test_an_object_that_is_reached_in_two_ways_has_one_tangent() -> None:
    p = Point(1.0, 2.0)
    both = Point(p, p)
    with pytest.raises(CannotPush):
        direction_of({"x": {"x": 1.0}, "y": None}, both)


def sums_of_objects(x: Any) -> Any:
    points = [Point(1.0, 2.0), Point(3.0, 4.0)]
    last = points[1]
    for p in points:
        p.x = p.x * x
    return last.x + points[0].x * points[1].y


def test_loops_over_objects_that_become_active() -> None:
    found = pushing.push_of(sums_of_objects, (1.3,))
    assert isinstance(found, pushing.Push)
    assert zg.pushforward(sums_of_objects, 1.3)(1.0) == pytest.approx(7.0)


class Diagonal:
    def __init__(self, entries: Any) -> None:
        self.entries = entries

    @property
    def T(self) -> Any:  # noqa: N802
        return self

    def __matmul__(self, x: Any) -> Any:
        return self.entries * x


FOUND = Diagonal(np.array([1.0, -2.0, 0.5]))


def test_what_a_class_calls_a_transpose_is_asked_of_the_object_alone() -> None:
    x, v = np.array([0.3, 0.7, 1.1]), np.array([1.0, 0.5, -2.0])

    def f(x: Any) -> Any:
        return np.sum((FOUND.T @ x) ** 2)

    slope = 2 * FOUND.entries**2
    assert zg.pushforward(f, x)(v) == pytest.approx(float(slope * x @ v))
    np.testing.assert_allclose(zg.hvp(f, x, v), slope * v)
