"""The part of Python's own library that is about programs and texts, in programs that keep active values."""

from __future__ import annotations

import functools
import importlib.metadata
import inspect
import posixpath
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient

KEPT: dict[str, Any] = {}


@runtime_checkable
class HasSum(Protocol):
    """What has a sum."""

    def sum(self) -> Any: ...


@functools.cache
def installed() -> Any:
    """The names of what is installed, for whoever asks: found once."""
    return [point.name for point in importlib.metadata.entry_points(group="console_scripts")]


def loss_of_checked(x: Any) -> Any:
    """It keeps an active value in a global variable, so that nothing that it calls is sure to have none."""
    KEPT["x"] = x * 2
    installed()
    name = posixpath.splitext(posixpath.basename("a/b.txt"))[0]
    if not isinstance(x, HasSum) or name != "b" or inspect.cleandoc("  text ") != "text":
        return 0.0
    return np.sum(KEPT["x"] ** 2)


def test_what_looks_at_programs_and_files_is_just_called() -> None:
    check_gradient(loss_of_checked, np.array([0.3, 0.5]))


class Holder:
    """An object with a field, a class variable and a property."""

    scale: ClassVar[Any] = 2.0

    def __init__(self, x: Any) -> None:
        self.x = x

    @property
    def double(self) -> Any:
        return self.x * 2


def of_a_field(x: Any) -> Any:
    holder = Holder(x * x)
    return inspect.getattr_static(holder, "x") * 3 + inspect.getattr_static(holder, "scale") * x


def of_a_default(x: Any) -> Any:
    holder = Holder(x)
    return inspect.getattr_static(holder, "y", x * 2) + inspect.getattr_static(holder, "z", default=x)


def of_a_class(x: Any) -> Any:
    Holder.scale = x * 3
    found = inspect.getattr_static(Holder(1.0), "scale") * x
    Holder.scale = 2.0
    return found


def of_a_property(x: Any) -> Any:
    holder = Holder(x)
    return inspect.getattr_static(holder, "double").fget(holder)


def of_nothing(x: Any) -> Any:
    try:
        return inspect.getattr_static(Holder(x), "y")
    except AttributeError:
        return x * 2


@pytest.mark.parametrize("function", [of_a_field, of_a_default, of_a_class, of_a_property, of_nothing])
def test_attributes_that_are_found_statically(function: Any) -> None:
    check_gradient(function, 2.0)
    assert zg.pullback(function, 2.0)[0] == function(2.0)


class Controller:
    """What asks a clock that it has found when it was made."""

    def __init__(self, gain: Any, clock: Any = None) -> None:
        self.gain = gain
        self.last: Any = None
        if clock is not None:
            self.clock = clock
        else:
            import time

            try:
                self.clock = time.monotonic
            except AttributeError:
                self.clock = time.time

    def __call__(self, y: Any) -> Any:
        now = self.clock()
        waited = now - self.last if self.last is not None else 1.0
        self.last = now
        return self.gain * y * (waited >= 0.0)


def steered(gain: Any) -> Any:
    controller = Controller(gain)
    y = 1.0
    for _ in range(3):
        y = y + 0.1 * controller(y)
    return y


def test_a_clock_in_a_field() -> None:
    (found,) = zg.gradient(steered, 0.5)
    assert found == pytest.approx(0.3 * (1.0 + 0.1 * 0.5) ** 2, rel=1e-12)
