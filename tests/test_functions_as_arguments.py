"""Functions in arguments, wherever they are: gradients by what they have captured, share or carry."""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient

Function = Callable[..., Any]


def doubling(w: float) -> tuple[Function, Function]:
    """Two functions that share a variable."""

    def read(x: float) -> float:
        return w * x

    def double() -> None:
        nonlocal w
        w = w * 2.0

    return read, double


def reader(w: float, u: float) -> Function:
    """A function whose `w` has the name of a variable that other functions of this file share."""

    def read(x: float) -> float:
        return w * x * u

    return read


def with_defaults(w: float, u: Any) -> Function:
    def read(x: float, k: float = w, *, z: Any = u) -> Any:
        return k * x * u * z

    return read


class Holder:
    def __init__(self, read: Function) -> None:
        self.read = read


@pytest.mark.parametrize(
    ("call", "holder", "grad"),
    [
        (lambda g: g(3.0), lambda f: f, lambda bar: bar),
        (lambda g: g[0](3.0), lambda f: [f], lambda bar: bar[0]),
        (lambda g: g[1](3.0), lambda f: (1.0, f), lambda bar: bar[1]),
        (lambda g: g["a"][0](3.0), lambda f: {"a": [f]}, lambda bar: bar["a"][0]),
        (lambda g: g[0](3.0), lambda f: deque([f]), lambda bar: bar[0]),
        (lambda g: g.read(3.0), Holder, lambda bar: bar.read),
        (lambda g: g.read(3.0), lambda f: SimpleNamespace(read=f), lambda bar: bar.read),
        (lambda g: g(3.0), functools.partial, lambda bar: bar.__wrapped__),
        (lambda g: g(), lambda f: functools.partial(f, 3.0), lambda bar: bar.__wrapped__),
        (lambda g: g[0](), lambda f: [functools.partial(f, x=3.0)], lambda bar: bar[0].__wrapped__),
    ],
)
def test_what_a_function_has_captured(call: Function, holder: Function, grad: Function) -> None:
    bar = grad(zg.gradient(call, holder(reader(2.0, 5.0)))[0])
    assert bar == {"w": 15.0, "u": 6.0}
    assert type(bar.w) is type(bar.u) is float


@pytest.mark.parametrize("holder", [tuple, list, deque, lambda both: {"a": both}, lambda both: [*both, 1.0]])
def test_a_variable_that_two_functions_share(holder: Function) -> None:
    def doubled(given: Any) -> Any:
        both = given["a"] if isinstance(given, dict) else given
        read, double = both[0], both[1]
        double()
        return read(3.0)

    bars = zg.gradient(doubled, holder(doubling(2.0)))[0]
    bars = bars["a"] if isinstance(bars, dict) else bars
    assert bars[0] == {"w": 6.0}


def test_defaults_have_the_types_of_what_they_are() -> None:
    (bar,) = zg.gradient(lambda g: g(3.0), with_defaults(2.0, np.float32(3.0)))
    assert bar == {"u": 18.0, "k=": 27.0, "z=": 18.0}
    assert [type(value) for value in bar._asdict().values()] == [np.float32, float, np.float32]


def test_the_same_function_twice_has_its_gradient_once() -> None:
    read, _ = doubling(2.0)
    first, second = zg.gradient(lambda g: g[0](3.0) * g[1](5.0), [read, read])[0]
    assert first.w + (0.0 if second is None or not second._asdict() else second.w) == 60.0


@pytest.mark.parametrize("holder", [tuple, list])
def test_shared_variables_at_second_order(holder: Function) -> None:
    def tripled_and_squared(both: Any) -> Any:
        both[1]()
        return both[0](3.0) ** 2

    def slope(w: float) -> Any:
        return zg.gradient(tripled_and_squared, holder(doubling(w)))[0][0].w

    assert zg.gradient(slope, 2.0) == (72.0,)


def test_gradients_of_functions_at_second_order() -> None:
    check_gradient(lambda g: g(3.0) * g(2.0), reader(2.0, 5.0), order=2)
