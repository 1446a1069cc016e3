"""Second derivatives of functions that change what they have captured or are bound to, once for every run."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg

X = 2.0


class Counting:
    def __init__(self) -> None:
        self.seen: list[Any] = []

    def __call__(self, x: Any) -> Any:
        self.seen.append(x)
        return x * x * x


def appending() -> tuple[Callable[[Any], Any], list[Any]]:
    seen: list[Any] = []

    def cube(x: Any) -> Any:
        seen.append(x)
        return x * x * x

    return cube, seen


def calling_an_object() -> tuple[Callable[[Any], Any], list[Any]]:
    counting = Counting()
    return counting, counting.seen


def hooked() -> tuple[Callable[[Any], Any], list[Any]]:
    seen: list[Any] = []

    def store(bar: Any) -> Any:
        seen.append(bar)
        return bar

    return lambda x: zg.hook(store, x) * x * x, seen


def taken_up() -> tuple[Callable[[Any], Any], list[Any]]:
    """What is stored before is read."""
    seen: list[Any] = []

    def cube(x: Any) -> Any:
        seen.append(x)
        return seen[-1] * x * seen[-1]

    return cube, seen


WAYS = {
    "derivatives": lambda f: zg.derivative(zg.derivative(f))(X),
    "hvp": lambda f: zg.hvp(f, X, 1.0),
    "hessian": lambda f: zg.hessian(f, X),
    "reverse": lambda f: zg.hessian_reverse(f, X),
    "diagonal": lambda f: zg.diaghessian(f, X)[0],
    "tangent": lambda f: zg.pushforward(zg.derivative(f), X)(1.0),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("made", [appending, calling_an_object, taken_up])
def test_second_derivative_and_one_change(made, way):
    function, seen = made()
    assert WAYS[way](function) == pytest.approx(6 * X)
    assert seen == [X]  # as a plain call has it


@pytest.mark.parametrize("way", ["derivatives", "hvp", "hessian"])
def test_hooks_that_store(way):
    function, seen = hooked()
    assert WAYS[way](function) == pytest.approx(6 * X)
    assert seen == [X * X]


def test_arrays():
    function, seen = appending()
    hessian = zg.hessian(lambda v: function(v[0]) + function(v[1]), np.array([2.0, 1.0]))
    assert hessian.tolist() == [[12.0, 0.0], [0.0, 6.0]] and len(seen) == 2
