"""Tuples of a program's own classes: with a `__new__` of their own, as arguments and made by programs."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg
from zygpy.errors import MissingRuleError, UnsupportedSyntaxError


class Pair(tuple):
    """Takes other arguments than its items."""

    def __new__(cls, a: Any, b: Any) -> Pair:
        return super().__new__(cls, (a, b))

    def dot(self) -> Any:
        return self[0] * self[1]

    def __add__(self, other: Any) -> Pair:
        return Pair(self[0] + other[0], self[1] * other[1])


class Interval(namedtuple("Interval", "low high")):
    """Puts its ends in order, which those of a cotangent must not be."""

    def __new__(cls, low: Any, high: Any = 1.0) -> Interval:
        return super().__new__(cls, min(low, high), high=max(low, high))


class Doubled(namedtuple("Doubled", "x y")):
    """Takes one argument for two fields."""

    __slots__ = ()

    def __new__(cls, x: Any) -> Doubled:
        return super().__new__(cls, x, 2 * x)


class Wrong(namedtuple("Wrong", "x")):
    """Gives what makes its tuples too much."""

    __slots__ = ()

    def __new__(cls, x: Any) -> Wrong:
        return super().__new__(cls, x, x)


class Plain(tuple):
    """Is made as tuples are."""

    __slots__ = ()

    def total(self) -> Any:
        return sum(self) * self[-1]


class Turned(tuple):
    """Gives its items in another order, but has them in that of the tuple."""

    __slots__ = ()

    def __iter__(self) -> Any:
        return iter((self[1], self[0]))


class Scaled(tuple):
    """Has a number beside its items."""

    def __new__(cls, items: Any, scale: float) -> Scaled:
        made = super().__new__(cls, items)
        made.scale = scale
        return made


def first_squared(p: Any) -> Any:
    return p[0] ** 2 * p[1]


def unpacked(p: Any) -> Any:
    a, b = p
    return a**2 * b


@pytest.mark.parametrize("f", [first_squared, unpacked])
@pytest.mark.parametrize("cls", [Plain, Turned])
def test_items_of_an_argument(f: Callable[[Any], Any], cls: Any) -> None:
    turned = cls is Turned and f is unpacked
    (gradient,) = zg.gradient(f, cls((2.0, 3.0)))
    assert gradient == ((9.0, 12.0) if turned else (12.0, 4.0))


@pytest.mark.parametrize("f", [first_squared, unpacked])
def test_cotangents_are_made_past_the_new_of_the_class(f: Callable[[Any], Any]) -> None:
    """They are no intervals: the first is greater than the second."""
    (gradient,) = zg.gradient(f, Interval(2.0, 3.0))
    assert type(gradient) is Interval
    assert tuple(gradient) == (12.0, 4.0)
    (gradient,) = zg.gradient(f, Doubled(2.0))
    assert type(gradient) is Doubled
    assert tuple(gradient) == (16.0, 4.0)
    assert zg.gradient(f, Pair(2.0, 3.0)) == ((12.0, 4.0),)


def test_second_derivatives_by_such_arguments() -> None:
    assert tuple(zg.hvp(first_squared, Interval(2.0, 3.0), Interval(0.0, 1.0))) == (4.0, 0.0)
    assert zg.hvp(first_squared, Pair(2.0, 3.0), Pair(1.0, 0.0)) == (6.0, 4.0)
    (jacobian,) = zg.jacobian(first_squared, Doubled(2.0))
    assert (float(jacobian.x), float(jacobian.y)) == (16.0, 4.0)


def test_checks_by_differences_of_such_arguments() -> None:
    for argument in (Pair(2.0, 3.0), Interval(2.0, 3.0), Doubled(2.0)):
        zg.testing.check_gradient(first_squared, argument)


def made_of_two(x: Any) -> Any:
    total = Pair(x, 2.0)
    for p in [Pair(x * k, k + x) for k in range(1, 3)]:
        total = total + p
    return total.dot()


def made_in_order(x: Any) -> Any:
    low, high = Interval(x * x, -x)
    return low**3 * high + Interval(x).high


def made_of_one(x: Any) -> Any:
    p = Doubled(x * x)
    return p.x * p[1] + p._replace(x=x).x


def replaced_past_the_new(x: Any) -> Any:
    """Neither `_replace` nor `_make` puts the ends in order."""
    turned = Interval(x)._replace(high=-x)
    return turned.high**2 * turned.low + Interval._make([x, -(x**3)]).high


def made_of_an_iterable(x: Any) -> Any:
    return Plain(x**k for k in range(3)).total() + Plain([x])[0]


def with_a_list_inside(x: Any) -> Any:
    p = Pair([x], x)
    p[0].append(x * x)
    return sum(p[0]) * p[1]


MADE: list[tuple[Callable[[Any], Any], Callable[[float], float]]] = [
    # 4 x times 2 (1 + x) (2 + x)
    (made_of_two, lambda x: 8 * (3 * x**2 + 6 * x + 2)),
    # (-x)**3 * x**2 + max(x, 1)
    (made_in_order, lambda x: -5 * x**4 + 1),
    # max(x, 1)**2 gives way to x**2
    (replaced_past_the_new, lambda x: 2 * x - 3 * x**2),
    (made_of_one, lambda x: 8 * x**3 + 1),
    # (1 + x + x**2) x**2 + x
    (made_of_an_iterable, lambda x: 2 * x + 3 * x**2 + 4 * x**3 + 1),
    (with_a_list_inside, lambda x: 2 * x + 3 * x**2),
]


@pytest.mark.parametrize(("f", "expected"), MADE)
def test_made_by_programs(f: Callable[[Any], Any], expected: Callable[[float], float]) -> None:
    y, back = zg.pullback(f, 1.5)
    assert y == f(1.5)
    assert back(1.0)[0] == pytest.approx(expected(1.5), rel=1e-12)
    assert back(1.0) == back(1.0)


def test_made_by_programs_at_second_order() -> None:
    assert zg.derivative(zg.derivative(made_of_one))(1.5) == pytest.approx(24 * 1.5**2)


def test_what_python_raises_is_raised() -> None:
    with pytest.raises(TypeError, match="takes 2 positional arguments but 3 were given"):
        zg.gradient(lambda x: Wrong(x).x, 1.0)


@pytest.mark.parametrize("f", [lambda p: p.scale**2, lambda p: p.scale * sum(p), lambda p: p.scale * p[0]])
def test_numbers_beside_the_items_are_refused(f: Callable[[Any], Any]) -> None:
    """Of which the gradient, a tuple, has no place."""
    with pytest.raises(UnsupportedSyntaxError, match="a Scaled holds items and has fields"):
        zg.gradient(f, Scaled((2.0, 3.0), 4.0))


def test_numbers_that_a_program_puts_beside_the_items_are_refused() -> None:
    def f(x: Any) -> Any:
        p = Scaled((x, x), x)
        return p.scale * p[0]

    with pytest.raises(UnsupportedSyntaxError, match="a Scaled is changed"):
        zg.gradient(f, 2.0)


def test_operators_of_tuples_on_such_classes_are_refused() -> None:
    with pytest.raises(MissingRuleError, match="on an object of class Plain"):
        zg.gradient(lambda p: (p * 2)[3], Plain((1.0, 2.0)))
