"""Where what a class has by a name gives nothing, as a property that raises AttributeError, or an empty slot,
Python asks `__getattr__`: derivatives go through what that gives."""

from __future__ import annotations

import functools
import operator
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg
from zygpy.testing.numeric import slope
from zygpy.units import options


class Slot:
    __slots__ = ("v", "x")

    def __init__(self, x: Any) -> None:
        self.x = x

    def __getattr__(self, name: str) -> Any:
        return self.x**3


class Above:
    __slots__ = ("v", "x")

    def __init__(self, x: Any) -> None:
        self.x = x


class Below(Above):
    def __getattr__(self, name: str) -> Any:
        return self.x**2

    def both(self) -> Any:
        try:
            return super().v
        except AttributeError:
            return self.v * 2.0


class Sometimes:
    def __init__(self, x: Any, n: int) -> None:
        self.x, self.n = x, n

    @property
    def y(self) -> Any:
        if self.n > 1:
            raise AttributeError("y")
        return self.x * 2.0

    def __getattr__(self, name: str) -> Any:
        return self.x * self.x


class Changing:
    def __init__(self, x: Any) -> None:
        self.x, self.seen = x, []  # type: ignore[var-annotated]

    @property
    def y(self) -> Any:
        self.seen.append(self.x * 2.0)
        self.x = self.x * 3.0
        return self.x if len(self.seen) > 1 else self.hidden

    def __getattr__(self, name: str) -> Any:
        if name == "hidden":
            raise AttributeError(name)
        return self.x * self.seen[-1]


class Never:
    def __get__(self, thing: Any, cls: Any) -> Any:
        raise AttributeError("never")


class Described(Slot):
    d = Never()


class Failing:
    def __init__(self, x: Any) -> None:
        self.x = x

    @property
    def y(self) -> Any:
        raise ValueError("y")

    def __getattr__(self, name: str) -> Any:
        return self.x**2


class Named(namedtuple("Pair", "a b")):
    @property
    def y(self) -> Any:
        raise AttributeError("y")

    def __getattr__(self, name: str) -> Any:
        return self.a**2 * self.b


class Table(dict):  # type: ignore[type-arg]
    @property
    def y(self) -> Any:
        raise AttributeError("y")

    __getattr__ = dict.__getitem__


class Delegating:
    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def deleted(x: Any) -> Any:
    s = Slot(x * 2.0)
    s.v = x
    first = s.v
    del s.v
    return first * s.v


def augmented(x: Any) -> Any:
    s = Slot(x)
    s.v += x
    return s.v * x


def in_a_list(x: Any) -> Any:
    total = 0.0
    for thing in [Sometimes(x, n) for n in range(4)]:
        total = total + thing.y * x
    return total


def by_computed_name(x: Any) -> Any:
    total = 0.0
    for name in ["y", "x", "other"]:
        total = total + getattr(Sometimes(x, 2), name) * x
    return total


def in_a_try(x: Any) -> Any:
    try:
        return Sometimes(x, 2).y * x
    except AttributeError:
        return x


def changes_first(x: Any) -> Any:
    thing = Changing(x)
    first, second = thing.y, thing.y
    return first * second + thing.seen[0] * thing.seen[1]


def read_plainly(x: Any) -> Any:
    thing = Sometimes(x, 2)
    try:
        value = object.__getattribute__(thing, "y")
    except AttributeError:
        value = x * 5.0
    return value * thing.y


def another_exception(x: Any) -> Any:
    try:
        return Failing(x).y * x
    except ValueError:
        return x**3


def delegated(x: Any) -> Any:
    thing = Delegating(Delegating(Sometimes(x, 0)))
    thing.inner.inner.x = x * x
    return thing.y * thing.x * thing.n


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "an empty slot": lambda x: Slot(x).v * x,
    "a slot that is emptied": deleted,
    "a slot that is filled": augmented,
    "an empty slot that is inherited": lambda x: Below(x).both() * x,
    "a property": lambda x: Sometimes(x, 0).y * Sometimes(x, 2).y,
    "a property of some": in_a_list,
    "a property that changes something first": changes_first,
    "a property with a default": lambda x: getattr(Sometimes(x, 2), "y", 1.0) * x,
    "a property by a computed name": by_computed_name,
    "a property in a try": in_a_try,
    "a property that is read plainly": read_plainly,
    "a property that raises something else": another_exception,
    "a property by a getter": lambda x: sum(map(operator.attrgetter("y"), [Sometimes(x, 2)])) * x,
    "a property of a named tuple": lambda x: Named(x, x + 1.0).y * x,
    "a property of a dict": lambda x: Table(y=x * x, b=x).y * x,
    "another descriptor": lambda x: Described(x).d * x,
    "an object that has it": delegated,
}


@pytest.mark.parametrize("which", PROGRAMS)
def test_first_derivatives(which: str) -> None:
    program = PROGRAMS[which]
    expected = slope(lambda t: program(0.7 + t), 0.02).value
    assert zg.gradient(program, 0.7)[0] == pytest.approx(expected, rel=1e-8)
    assert zg.pushforward(program, 0.7)(1.0) == pytest.approx(expected, rel=1e-8)


FAILING = {
    "a property that changes something first",
    "a property that is read plainly",
    "a property that raises something else",
}
"""What fails inside a `try`, where it is not known without kinds what is read."""


@pytest.mark.parametrize("which", [one for one in PROGRAMS if one not in FAILING])
def test_unspecialised(which: str) -> None:
    program = PROGRAMS[which]
    expected = slope(lambda t: program(0.7 + t), 0.02).value
    with options(specialise=False):
        assert zg.gradient(program, 0.7)[0] == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("which", sorted(FAILING))
def test_failing_unspecialised(which: str) -> None:
    with options(specialise=False), pytest.raises(zg.UnsupportedSyntaxError, match="and was caught"):
        zg.gradient(PROGRAMS[which], 0.7)


TWICE = ("a property by a computed name", "another descriptor", "an object that has it")


@pytest.mark.parametrize("which", TWICE)
def test_second_derivatives(which: str) -> None:
    program = PROGRAMS[which]
    expected = slope(lambda t: zg.gradient(program, 0.7 + t)[0], 0.02).value
    assert zg.hvp(program, 0.7, 1.0) == pytest.approx(expected, rel=1e-7)


def test_a_cached_property_that_fails_is_refused() -> None:
    class Cached(Slot):
        y = functools.cached_property(lambda self: self.hidden)

        def __getattr__(self, name: str) -> Any:
            if name == "hidden":
                raise AttributeError(name)
            return self.x**2

    with pytest.raises(zg.UnsupportedSyntaxError, match="cached property 'y' of a Cached"):
        zg.gradient(lambda x: Cached(x).y * x, 0.7)


def test_a_class_that_gets_a_getattr_later() -> None:
    class Late:
        def __init__(self, x: Any) -> None:
            self.x = x

        @property
        def y(self) -> Any:
            if self.x > 1.0:
                raise AttributeError("y")
            return self.x * 2.0

    def program(x: Any) -> Any:
        return Late(x).y * x

    assert zg.gradient(program, 0.5) == (2.0,)
    Late.__getattr__ = lambda self, name: self.x**2  # type: ignore[attr-defined]
    assert zg.gradient(program, 2.0) == (12.0,)
