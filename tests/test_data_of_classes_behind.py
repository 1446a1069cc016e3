"""Data of classes that is read by `__class__` of an object, or by the name of a class that inherits it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import zygpy
from zygpy.testing.numeric import slope

X = 0.7


class Own:
    k: Any = 1.0
    log: list[Any] = []  # noqa: RUF012
    table: dict[str, Any] = {}  # noqa: RUF012
    weights: Any = np.ones(2)

    def by_class(self) -> Any:
        return self.__class__.k

    def put(self, v: Any) -> None:
        self.__class__.log.append(v)
        self.__class__.table["a"] = v

    def get(self) -> Any:
        return self.__class__.log[-1] * self.__class__.table["a"]

    def another(self) -> Any:
        return self.__class__()


class Base:
    rate: Any = 0.1


class Derived(Base):
    pass


class Shadowing(Base):
    def __init__(self, v: Any) -> None:
        self.rate = v


@dataclass
class Settings:
    a: Any = 1.0


@dataclass
class MoreSettings(Settings):
    c: float = 2.0


READ: dict[str, Callable[[Any], Any]] = {
    "attribute": lambda o: o.__class__.k,
}


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    Own.k, Own.log, Own.table, Own.weights, Base.rate, Settings.a = 1.0, [], {}, np.ones(2), 0.1, 1.0


def in_a_method(x: Any) -> Any:
    Own.k = x
    return Own().by_class() * x


def of_an_object(x: Any) -> Any:
    Own.k = x
    own = Own()
    cls = own.__class__
    return own.__class__.k + own.k * cls.k


def containers_of_the_class(x: Any) -> Any:
    Own.log = []
    own = Own()
    own.put(x)
    return own.get()


def arrays_of_the_class(x: Any) -> Any:
    Own.weights = np.array([x, x * x])
    return Own().another().__class__.weights @ np.ones(2)


def stored_in_place(x: Any) -> Any:
    Own.weights = np.ones(2)
    Own.weights[0] = x
    return Own().__class__.weights[0] * x


def in_a_loop(x: Any) -> Any:
    Own.k = x
    return sum(own.__class__.k * x for own in [Own(), Own()])


def by_a_function_of_a_table(x: Any) -> Any:
    Own.k = x
    return READ["attribute"](Own()) * x


def stored_by_the_class_of_an_object(x: Any) -> Any:
    own = Own()
    own.__class__.k = x
    return Own.k * x


def inherited_beside_a_field(x: Any) -> Any:
    Base.rate = x
    one = Derived()
    one.rate = 3.0
    return Derived.rate * one.rate * x


def inherited_beside_a_field_that_is_initialised(x: Any) -> Any:
    Base.rate = x
    one = Shadowing(x * x)
    return Shadowing.rate * one.rate


def defaults_of_dataclasses(x: Any) -> Any:
    Settings.a = x
    one = MoreSettings()
    return one.a * x + 3 * MoreSettings.a


PROGRAMS = [
    in_a_method,
    of_an_object,
    containers_of_the_class,
    arrays_of_the_class,
    stored_in_place,
    in_a_loop,
    by_a_function_of_a_table,
    stored_by_the_class_of_an_object,
    inherited_beside_a_field,
    inherited_beside_a_field_that_is_initialised,
    defaults_of_dataclasses,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_against_differences(program: Callable[[Any], Any]) -> None:
    expected = slope(lambda t: program(X + t), 0.02).value
    assert zygpy.gradient(program, X)[0] == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("program", [in_a_method, inherited_beside_a_field], ids=lambda f: f.__name__)
def test_second_derivatives(program: Callable[[Any], Any]) -> None:
    expected = slope(lambda t: slope(lambda s: program(X + t + s), 0.02).value, 0.02).value
    assert zygpy.hvp(program, X, 1.0) == pytest.approx(expected, rel=1e-6)
