"""Methods and properties of named tuples, which are known by the class."""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

import zygpy as zg
from zygpy.units import options


class Vector(NamedTuple):
    x: float
    y: float = 2.0

    def norm(self) -> float:
        return math.hypot(self.x, self.y)

    def scaled(self, k: float, *, shift: float = 0.0) -> Vector:
        return self._replace(x=self.x * k + shift, y=self.y * k)

    @property
    def square(self) -> float:
        return self.x * self.x + self.y * self.y

    @classmethod
    def of_angle(cls, r: float, t: float) -> Vector:
        return cls(r * math.cos(t), r * math.sin(t))

    @staticmethod
    def product(left: float, right: float) -> float:
        return left * right * right

    def parts(self) -> Iterator[float]:
        yield self.x
        yield self.y * self.x

    def halved(self, count: int) -> Vector:
        return self if count == 0 else self.scaled(0.5, shift=self.y).halved(count - 1)


class Longer(Vector):
    __slots__ = ()

    def norm(self) -> float:
        return super().norm() * self.square


class WithFields(namedtuple("WithFields", "x y")):
    def norm(self) -> float:
        return math.hypot(self.x, self.y)


def methods(x: float) -> float:
    return Vector(x).scaled(x, shift=3.0).norm()


def properties(x: float) -> float:
    return Vector(x, x * x).square * Vector(x).square


def made_by_the_class(x: float) -> float:
    return Vector.of_angle(x, x * x).of_angle(x, 2.0).y + Vector(x).product(x, 3.0)


def recursion(x: float) -> float:
    return Vector(x, x).halved(4).norm()


def overridden(x: float) -> float:
    return Longer(x, 1.0).norm()


def generators(x: float) -> float:
    return sum(part * part for part in Vector(x).parts())


def bound(x: float) -> float:
    norm = Vector(x, x * x).norm
    return norm() * norm()


def with_fields(x: float) -> float:
    vector = WithFields(x, 2.0)
    before = vector.norm()
    vector.norm = lambda: x * before  # type: ignore[method-assign]
    return vector.norm() + before


def in_loops(x: float) -> float:
    total, found = 0.0, [Vector(x * k, 1.0) for k in range(4)]
    for vector in found:
        total += vector.scaled(x).norm() * vector.square
    return total


def different_classes(x: float) -> float:
    vectors: list[Any] = [Vector(x, 1.0), Longer(x, 2.0), WithFields(x, 3.0)]
    return sum(vector.norm() for vector in vectors) * vectors[x > 0.0].norm()


PROGRAMS = [methods, properties, made_by_the_class, recursion, overridden, generators, bound, with_fields]
PROGRAMS += [in_loops, different_classes]


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("program", PROGRAMS)
def test_methods_of_named_tuples(program: Callable[[float], float], specialise: bool) -> None:
    x, h = 1.3, 1e-5
    expected = (8.0 * (program(x + h) - program(x - h)) - (program(x + 2 * h) - program(x - 2 * h))) / (
        12 * h
    )
    with options(specialise=specialise):
        y, back = zg.pullback(program, x)
        assert y == program(x)
        assert back(1.0) == back(1.0) == pytest.approx((expected,), rel=1e-8)
        assert zg.pushforward(program, x)(1.0) == pytest.approx(expected, rel=1e-8)


def test_arguments_have_them_too() -> None:
    def norm(vector: Any, k: float) -> float:
        return vector.scaled(k).norm() + vector.square

    found, of_k = zg.gradient(norm, Vector(3.0, 4.0), 2.0)
    assert found == pytest.approx(Vector(2.0 * 0.6 + 6.0, 2.0 * 0.8 + 8.0))
    assert of_k == pytest.approx(5.0)


def test_methods_that_are_replaced_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def of(x: float) -> float:
        vector = Vector(x)
        return vector.norm() * vector.square

    x = 1.3
    root = math.hypot(x, 2.0)
    assert zg.gradient(of, x) == pytest.approx((3.0 * x * root,))
    monkeypatch.setattr(Vector, "norm", lambda self: self.x * 7.0)
    assert zg.gradient(of, x) == pytest.approx((7.0 * (3.0 * x * x + 4.0),))
    monkeypatch.setattr(Vector, "square", property(lambda self: self.x))
    assert zg.gradient(of, x) == pytest.approx((14.0 * x,))
