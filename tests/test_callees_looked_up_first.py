"""What is called is looked up before the arguments of the call are evaluated, which may bind it anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from zygpy.testing import check_gradient

X = np.array([0.7, 1.3, 0.4])


class Machine:
    """Each state handles what is read, and reading goes on to the next one."""

    def __init__(self, gain: Any) -> None:
        self.gain = gain
        self.handler = self.amplified
        self.scaled = lambda value: value * gain

    def amplified(self, value: Any) -> Any:
        return value * self.gain

    def squared(self, value: Any) -> Any:
        return value * value

    def read(self, value: Any) -> Any:
        self.handler = self.squared
        self.scaled = lambda other: other * other
        return value

    def read_by_name(self, value: Any) -> Any:
        setattr(self, "handler", self.squared)  # noqa: B010 (by this name)
        return value


class First:
    def go(self, value: Any) -> Any:
        return value * 2

    def become(self, value: Any) -> Any:
        self.__class__ = Second  # type: ignore[assignment]
        return value


class Second(First):
    def go(self, value: Any) -> Any:
        return value * value


def of_fields(x: Any) -> Any:
    machine = Machine(x[1])
    return machine.scaled(machine.read(x[0])) + machine.scaled(x[2])


def of_methods(x: Any) -> Any:
    machine = Machine(x[1])
    return machine.handler(machine.read(x[0])) + machine.handler(x[2])


def by_name(x: Any) -> Any:
    machine = Machine(x[1])
    return machine.handler(value=machine.read_by_name(x[0])) + machine.handler(x[2])


def of_another_class(x: Any) -> Any:
    thing = First()
    return thing.go(thing.become(x[0])) + thing.go(x[2])


def in_a_list(x: Any) -> Any:
    machine = Machine(x[1])
    found = [machine.handler(machine.read(value * 2)) for value in x]
    return found[0] + found[1] * found[2]


CHANGED: Callable[[Any], Any] = lambda value: value * 3  # noqa: E731


def of_a_global(x: Any) -> Any:
    global CHANGED

    def read(value: Any) -> Any:
        global CHANGED
        CHANGED = lambda other: other * other  # noqa: E731
        return value

    CHANGED = lambda value: value * 3  # noqa: E731
    return CHANGED(read(x[0])) + CHANGED(x[2])


def in_a_table(x: Any) -> Any:
    table = {"f": lambda value: value * x[1]}

    def read(value: Any) -> Any:
        table["f"] = lambda other: other * other
        return value

    return table["f"](read(x[0])) + table["f"](x[2])


class Computing:
    """Its attributes are what code gives when they are read."""

    def __init__(self, rate: Any) -> None:
        self.rate = rate

    @property
    def slower(self) -> Callable[[Any], Any]:
        rate = self.rate
        return lambda value: rate * value

    def _faster(self) -> Callable[[Any], Any]:
        rate = self.rate
        return lambda value: rate * value**2

    faster = property(_faster)

    def set_rate(self, rate: Any) -> Any:
        self.rate = rate * 10
        return rate


class Inheriting(Computing):
    def both(self, value: Any) -> Any:
        return super().slower(self.set_rate(value)) * self.faster(v_of(self, value))


class HandingOn:
    """Gives what another has."""

    def __init__(self, other: Any) -> None:
        self.other = other

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["other"], name)


def v_of(computing: Computing, value: Any) -> Any:
    return computing.set_rate(value) + computing.rate


def exchanged(handing: HandingOn, value: Any) -> Any:
    handing.other = Machine(value)
    return value


def of_properties(xs: Any) -> Any:
    computing = Computing(xs[0])
    return computing.slower(computing.set_rate(xs[1])) + computing.faster(computing.set_rate(xs[2]))


def of_inherited_properties(xs: Any) -> Any:
    return Inheriting(xs[0]).both(xs[1]) * xs[2]


def of_what_is_handed_on(xs: Any) -> Any:
    handing, total = HandingOn(Machine(xs[0])), 0.0
    for k in range(3):
        total = total + handing.amplified(exchanged(handing, xs[k])) * handing.gain
    return total * handing.amplified(value=exchanged(handing, xs[1]))


@pytest.mark.parametrize("program", [of_properties, of_inherited_properties, of_what_is_handed_on])
def test_gradients_of_what_is_computed_when_it_is_read(program: Callable[[Any], Any]) -> None:
    test_gradients(program)
    wanted = differences(lambda xs: float(zg.gradient(program, xs)[0] @ np.ones(3)), X)
    assert zg.hvp(program, X, np.ones(3)) == pytest.approx(wanted, rel=1e-7)


@pytest.mark.parametrize(
    "program", [of_fields, of_methods, by_name, of_another_class, in_a_list, of_a_global, in_a_table]
)
def test_gradients(program: Callable[[Any], Any]) -> None:
    value, _ = zg.pullback(program, X)
    assert value == program(X)
    check_gradient(program, X)
    pushed = zg.pushforward(program, X)(np.ones(3))
    assert pushed == pytest.approx(np.sum(zg.gradient(program, X)[0]))
