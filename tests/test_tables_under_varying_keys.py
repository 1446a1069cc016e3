"""Tables that a program fills under keys that vary: entries of earlier calls have no derivative."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg
from zygpy.errors import UnsupportedSyntaxError
from zygpy.testing import check_gradient


def remembering(f: Callable[..., Any]) -> Callable[..., Any]:
    kept: dict[Any, Any] = {}

    def wrapper(*args: Any) -> Any:
        if args not in kept:
            kept[args] = f(*args)
        return kept[args]

    return wrapper


@remembering
def squared(v):
    return v * v


def by_decorator(x):
    return squared(x) * x + squared(x)


TABLE: dict[float, Any] = {}


def by_global(x):
    if x not in TABLE:
        TABLE[x] = x * x
    return TABLE[x] * x


class Model:
    def __init__(self) -> None:
        self.kept: dict[float, Any] = {}

    def value(self, x):
        found = self.kept.get(x)
        if found is None:
            found = self.kept[x] = x * x * x
        return found


MODEL = Model()


def by_object(x):
    return MODEL.value(x) + x


PROGRAMS = {
    by_decorator: lambda x: 3 * x * x + 2 * x,
    by_global: lambda x: 3 * x * x,
    by_object: lambda x: 3 * x * x + 1,
}


@pytest.mark.parametrize("f", PROGRAMS)
def test_entries_of_earlier_calls_are_refused(f):
    derivative = PROGRAMS[f]
    assert zg.gradient(f, 0.7)[0] == pytest.approx(derivative(0.7))
    assert zg.pushforward(f, 0.8)(1.0) == pytest.approx(derivative(0.8))
    f(0.9)
    for x in (0.7, 0.8, 0.9):
        with pytest.raises(UnsupportedSyntaxError, match="which varies, that the running call has not made"):
            zg.gradient(f, x)
    with pytest.raises(UnsupportedSyntaxError, match="which varies, that the running call has not made"):
        zg.pushforward(f, 0.8)(1.0)
    assert zg.gradient(f, 1.1)[0] == pytest.approx(derivative(1.1))


def local_table(x):
    kept: dict[float, Any] = {}

    def fibonacci(t):
        if t < 2.0:
            return t * x
        if t not in kept:
            kept[t] = fibonacci(t - 1.0) + fibonacci(t - 2.0)
        return kept[t]

    return fibonacci(x)


def local_object(x):
    model = Model()
    return model.value(x) * model.value(x) + model.value(2 * x)


HISTORY: dict[float, Any] = {}


def recording(x):
    HISTORY[x] = x * x
    return HISTORY[x] + x


COUNTS: dict[int, float] = {}


def whole_keys(x, n=10):
    if n not in COUNTS:
        COUNTS[n] = 2.0 if n < 2 else whole_keys(1.0, n - 1) + whole_keys(1.0, n - 2)
    return COUNTS[n] * x


@pytest.mark.parametrize("f", [local_table, local_object, recording, whole_keys])
def test_entries_of_the_running_call_are_differentiated(f):
    for _ in range(2):
        check_gradient(f, 5.25)
