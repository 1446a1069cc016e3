"""Operators on objects are calls of methods that are known beforehand, where the classes are; and otherwise
what Python asks, in its order."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient

X = np.array([0.7, 1.3, 0.4, 0.9])
V = np.array([1.0, -0.5, 0.3, 0.2])


class Vector:
    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = x, y

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Vector):
            return NotImplemented
        return Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other: Any) -> Any:
        return Vector(self.x - other.x, self.y - other.y)

    def __neg__(self) -> Any:
        return Vector(-self.x, -self.y)

    def __mul__(self, scale: Any) -> Any:
        return Vector(self.x * scale, self.y * scale)

    __rmul__ = __mul__

    def __matmul__(self, other: Any) -> Any:
        return self.x * other.x + self.y * other.y

    def __getitem__(self, place: int) -> Any:
        return self.x if place == 0 else self.y


class Swapped(Vector):
    """A subclass whose reflected operator comes first."""

    def __radd__(self, other: Any) -> Any:
        return Vector(self.x * other.y, self.y * other.x)


class Inherited(Vector):
    """One that has no operator of its own."""


class Counting:
    """Its operators change it, and give it."""

    def __init__(self, value: Any) -> None:
        self.value, self.asked = value, 0

    def __add__(self, other: Any) -> Any:
        self.asked += 1
        self.value = self.value * other
        return self

    def __iadd__(self, other: Any) -> Any:
        self.value = self.value + other * other
        return self


class Both:
    """It refuses some operands by their number."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __mul__(self, other: Any) -> Any:
        if self.value > 1.0:
            return NotImplemented
        return self.value * other.value

    def __rmul__(self, other: Any) -> Any:
        return self.value + other.value


class Other(Both):
    def __rmul__(self, other: Any) -> Any:
        return self.value - other.value


class Items:
    """What its items are changes as they are read."""

    def __init__(self, items: Any) -> None:
        self.items, self.reads = items, 0

    def __getitem__(self, place: Any) -> Any:
        self.reads += 1
        return self.items[place] * self.reads

    def __setitem__(self, place: Any, value: Any) -> None:
        self.items[place] = value * 2.0


@dataclass
class Dual:
    value: Any
    slope: Any = 0.0

    def __add__(self, other: Any) -> Any:
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value + other.value, self.slope + other.slope)

    __radd__ = __add__

    def __mul__(self, other: Any) -> Any:
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value * other.value, self.value * other.slope + self.slope * other.value)

    __rmul__ = __mul__

    def __pow__(self, power: int) -> Any:
        return Dual(self.value**power, power * self.value ** (power - 1) * self.slope)


def sums(x: Any) -> Any:
    a, b = Vector(x[0], x[1]), Vector(x[2], x[3])
    total = Vector(0.0, 0.0)
    for place in range(4):
        total = total + a * 0.5 + 2.0 * b - -a
        a = a + total * x[place]
    return total @ a


def augmented(x: Any) -> Any:
    a, b = Vector(x[0], x[1]), Vector(x[2], x[3])
    same = a
    for _ in range(3):
        a += b
        b -= a * x[0]
    return same.x * a.x + b.y * a[1]  # `same` is what it was


def augmented_fields(x: Any) -> Any:
    class_like = [Vector(x[0], x[1]), Vector(x[2], x[3])]
    holder = Items([0.0])
    holder.where = class_like[0]  # type: ignore[attr-defined]
    for _ in range(3):
        holder.where += class_like[1] * x[0]  # type: ignore[attr-defined]
    return holder.where @ class_like[0]  # type: ignore[attr-defined]


def subclass_first(x: Any) -> Any:
    a, b = Vector(x[0], x[1]), Swapped(x[2], x[3])
    return (a + b) @ (b + a)


def subclass_without(x: Any) -> Any:
    a, b = Vector(x[0], x[1]), Inherited(x[2], x[3])
    return (a + b) @ (b + a)


def of_another_class(x: Any) -> Any:
    things = [Vector(x[0], x[1]), Inherited(x[1], x[2]), Swapped(x[2], x[3])]
    total = things[0]
    for thing in things:
        total = total + thing
    return total @ things[1]


def giving_itself(x: Any) -> Any:
    a = Counting(x[0])
    b = a + x[1]
    c = b + x[2]
    return a.value * c.value * a.asked + x[3]


def changing_itself(x: Any) -> Any:
    a = Counting(x[0])
    same = a
    for place in range(3):
        a += x[place]
    return same.value * a.value


def not_implemented_by_number(x: Any) -> Any:
    small, large = Both(x[0]), Both(x[1] + 1.0)
    total = small * large
    total = total + small * Other(x[2])
    return total + large * Other(x[3])


def nobody_implements(x: Any) -> Any:
    try:
        return Both(x[1] + 1.0) * Both(x[0])
    except TypeError:
        return x[0] * x[3]


def counting_reads(x: Any) -> Any:
    items = Items([x[0], x[1], x[2]])
    items[1] = items[0] * items[2]
    items[0] += x[3]
    return items[0] * items[1]


def duals(x: Any) -> Any:
    d, total = Dual(x[0], 1.0), Dual(x[1])
    for _ in range(4):
        total = total * d + 0.5 * d**2 + x[2]
    return total.slope * x[3]


def begins_as_a_number(x: Any) -> Any:
    total: Any = 0.0
    for value in x:
        total = total + Dual(value, 1.0) * value
    return total.value * total.slope


def summed(x: Any) -> Any:
    return sum([Dual(value, value * value) for value in x]).slope * x[0]  # type: ignore[attr-defined]


def numpy_numbers_on_the_left(x: Any) -> Any:
    return (x[0] * Vector(x[1], x[2]) + np.float64(2.0) * Vector(x[3], 1.0)) @ Vector(x[0], x[0])


def of_the_instance(x: Any) -> Any:
    a, b = Vector(x[0], x[1]), Vector(x[2], x[3])
    a.__add__ = lambda other: 1.0 / 0.0  # type: ignore[method-assign,assignment]  # which no operator asks
    return (a + b) @ b


def in_a_branch(x: Any) -> Any:
    a: Any = Vector(x[0], x[1]) if x[0] > 0.5 else Dual(x[0])
    for place in range(3):
        a = a * x[place] if isinstance(a, Vector) else a + x[place]
    return a.x * a.y if isinstance(a, Vector) else a.value


def of_either_class(x: Any) -> Any:
    total = 0.0
    for thing in (Vector(x[0], x[1]), Dual(x[2], x[3]), x[3]):
        scaled = thing * 2.0
        if isinstance(scaled, Vector):
            total += scaled.x * scaled.y
        elif isinstance(scaled, Dual):
            total += scaled.value * scaled.slope
        else:
            total += scaled**2
    return total


def recursive(x: Any) -> Any:
    class Node:
        def __init__(self, value: Any, following: Any = None) -> None:
            self.value, self.following = value, following

        def __mul__(self, scale: Any) -> Any:
            rest = None if self.following is None else self.following * (scale * x[3])
            return Node(self.value * scale, rest)

    made = Node(x[0], Node(x[1], Node(x[2]))) * x[0]
    return made.value + made.following.value * made.following.following.value


class Without(Vector):
    __add__ = None  # type: ignore[assignment]


def without_an_operator(x: Any) -> Any:
    try:
        return (Without(x[0], x[1]) + Swapped(x[2], x[3])).x  # type: ignore[misc]
    except TypeError:
        return x[2] * x[3]


class Becoming(Vector):
    def become(self, cls: Any) -> None:
        self.__class__ = cls


def of_another_class_later(x: Any) -> Any:
    a = Becoming(x[0], x[1])
    if isinstance(a, Swapped):
        return x[0]
    a.become(Swapped)
    total = Vector(x[2], x[3]) + a
    return total @ total if isinstance(a, Swapped) else total.x


class Posing(Vector):
    @property
    def __class__(self) -> Any:  # type: ignore[override]
        return Dual


def posing(x: Any) -> Any:
    thing = Posing(x[0], x[1])
    return x[2] * thing.x if isinstance(thing, Dual) else x[3] * thing.y


def bound_in_a_branch_alone(x: Any) -> Any:
    def given(thing: Any) -> Any:
        if isinstance(thing, Dual):
            PROGRAMS = 1.0  # noqa: N806 (a variable of its own)
        return thing.x * PROGRAMS  # type: ignore[has-type]

    try:
        return given(Vector(x[0], x[1]))
    except UnboundLocalError:
        return x[1] * x[2]


def put_there_by_the_program(x: Any) -> Any:
    first = Vector(x[0], x[1]) + Inherited(x[2], x[3])
    try:
        Inherited.__radd__ = Swapped.__radd__  # type: ignore[attr-defined]
        second = Vector(x[0], x[1]) + Inherited(x[2], x[3])
        Inherited.__iadd__ = Vector.__sub__  # type: ignore[attr-defined]
        third = Inherited(x[0], x[3])
        third += Vector(x[1], x[2])
    finally:
        del Inherited.__radd__  # type: ignore[attr-defined]
        del Inherited.__iadd__  # type: ignore[attr-defined]
    return first @ second + third.x * third.y


def put_there_before(x: Any) -> Any:
    try:
        Inherited.__iadd__ = Vector.__sub__  # type: ignore[attr-defined]
        thing = Inherited(x[0], x[1])
        thing += Vector(x[2], x[3])
    finally:
        del Inherited.__iadd__  # type: ignore[attr-defined]
    return thing.x * thing.y


PROGRAMS: list[Callable[[Any], Any]] = [
    *(sums, augmented, augmented_fields, subclass_first, subclass_without, of_another_class, giving_itself),
    *(changing_itself, not_implemented_by_number, nobody_implements, counting_reads, duals),
    *(begins_as_a_number, summed, numpy_numbers_on_the_left, of_the_instance, in_a_branch, of_either_class),
    *(without_an_operator, of_another_class_later, posing, bound_in_a_branch_alone),
]


def check_first(program: Callable[[Any], Any]) -> None:
    """The value, the gradient twice, and the derivative along a direction."""
    value, back = zg.pullback(program, X)
    assert value == program(X)
    assert np.array_equal(back(1.0)[0], back(1.0)[0])
    check_gradient(program, X)
    slope = zg.gradient(program, X)[0]
    assert zg.pushforward(program, X)(V) == pytest.approx(slope @ V, rel=1e-10)


def check_all(program: Callable[[Any], Any]) -> None:
    """The same, and the product with the Hessian."""
    check_first(program)
    step = 1e-5
    ahead, behind = (zg.gradient(program, X + sign * step * V)[0] for sign in (1, -1))
    assert zg.hvp(program, X, V) == pytest.approx((ahead - behind) / (2 * step), rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("program", PROGRAMS)
def test_derivatives(program: Callable[[Any], Any]) -> None:
    check_all(program)


@pytest.mark.parametrize("program", [put_there_by_the_program, put_there_before])
def test_methods_that_the_program_puts_there(program: Callable[[Any], Any]) -> None:
    value, _ = zg.pullback(program, X)
    assert value == program(X)
    check_gradient(program, X)


def test_of_a_class_in_the_program() -> None:
    value, _ = zg.pullback(recursive, X)
    assert value == recursive(X)
    check_gradient(recursive, X)


def test_methods_put_in_their_place() -> None:
    before = Vector.__sub__

    def other(self: Any, given: Any) -> Any:
        return Vector(self.x * given.x, self.y * given.y)

    def program(x: Any) -> Any:
        difference = Vector(x[0], x[1]) - Vector(x[2], x[3])
        return difference.x * difference.y

    check_gradient(program, X)
    try:
        Vector.__sub__ = other  # type: ignore[method-assign]
        assert zg.gradient(program, X)[0] == pytest.approx(math.prod(X) / X)
    finally:
        Vector.__sub__ = before  # type: ignore[method-assign]
    check_gradient(program, X)


def test_a_method_of_its_own_that_comes_later() -> None:
    def program(x: Any) -> Any:
        a = Inherited(x[0], x[1])
        same = a
        a += Vector(x[2], x[3])
        return a.x * same.y

    check_gradient(program, X)

    def changed(self: Any, other: Any) -> Any:
        self.y = self.y * other.y
        return self

    try:
        Inherited.__iadd__ = changed  # type: ignore[attr-defined]
        check_gradient(program, X)
        assert zg.gradient(program, X)[0] == pytest.approx([X[1] * X[3], X[0] * X[3], 0.0, X[0] * X[1]])
    finally:
        del Inherited.__iadd__  # type: ignore[attr-defined]
    check_gradient(program, X)


def test_code_for_operators_is_that_of_calls() -> None:
    source = zg.show_adjoint(sums, X)
    assert "__add___forward(" in source
    assert "pull(" not in source
    assert "NotImplemented" not in zg.show_adjoint(Vector.__add__, Vector(1.0, 2.0), Vector(1.0, 2.0))


class Doubling(np.ndarray):
    """An array whose products are twice as much; it has the priority of all arrays."""

    def __mul__(self, other: Any) -> Any:
        return np.asarray(self) * np.asarray(other) * 2.0

    __rmul__ = __mul__


@pytest.mark.parametrize("program", [lambda c, x: np.sum(c * x), lambda c, x: np.sum(x * c)])
def test_arrays_of_another_class_are_refused(program: Any) -> None:
    with pytest.raises(zg.MissingRuleError, match="on an array of the class 'Doubling'"):
        zg.gradient(lambda x: program(np.ones(3).view(Doubling), x), np.ones(3))


class Weighed:
    """An object without any operator."""

    def __init__(self, weight: Any) -> None:
        self.weight = weight


OPERATIONS_OF_NOBODY: dict[str, Callable[[Any, Any], Any]] = {
    "left": lambda o, b: o * 2.0,
    "right": lambda o, b: b - o,
    "both": lambda o, b: o @ o,
    "number of NumPy": lambda o, b: np.float64(b) / o,
    "array": lambda o, b: np.array([b, 1.0]) + o,
    "power": lambda o, b: o**b,
    "unary": lambda o, b: -o,
    "builtin": lambda o, b: abs(o),
    "float": lambda o, b: float(o),
    "call": lambda o, b: o(b),
}


@pytest.mark.parametrize("operation", OPERATIONS_OF_NOBODY.values(), ids=OPERATIONS_OF_NOBODY)
def test_operators_that_nobody_has_raise_what_they_raise(operation: Any) -> None:
    def program(a: Any, b: Any) -> Any:
        thing = Weighed(a * b)
        try:
            found = operation(thing, b)
        except TypeError:
            found = thing.weight * a
        return found * b

    a, b = 1.3, 0.7
    assert program(a, b) == pytest.approx(a * a * b * b)
    assert zg.gradient(program, a, b) == pytest.approx((2 * a * b * b, 2 * a * a * b))
    with pytest.raises(TypeError) as caught:
        zg.gradient(lambda a: operation(Weighed(a), b), a)
    assert not isinstance(caught.value, zg.ZygpyError)


def test_things_of_which_some_have_an_operator() -> None:
    def program(a: Any, b: Any) -> Any:
        total = 0.0
        for thing in (a, Weighed(b), 2.0):
            try:
                total += thing * a
            except TypeError:
                total += thing.weight * a * a
        return total

    a, b = 1.3, 0.7
    assert zg.gradient(program, a, b) == pytest.approx((2 * a + 2 * a * b + 2.0, a * a))
