"""Entry points inside of each other in forward mode: right, and each derived in a moment."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import pushing
from zygpy.pushing import Push

X = 1.3


def cubed(x: Any) -> Any:
    return x**3 * math.sin(x)


def first(x: Any) -> Any:
    return zg.pushforward(cubed, x)(1.0)


def second(x: Any) -> Any:
    return zg.pushforward(first, x)(1.0)


def by_gradient(x: Any) -> Any:
    return zg.gradient(cubed, x)[0]


def twice_by_gradient(x: Any) -> Any:
    return zg.pushforward(by_gradient, x)(1.0)


def by_hvp(x: Any) -> Any:
    return zg.hvp(cubed, x, 1.0)


def line(order: int) -> float:
    """The derivative of that order of `cubed`, by Cauchy's formula on a circle."""
    circle = 0.5 * np.exp(2j * np.pi * np.arange(32) / 32)
    values = (X + circle) ** 3 * np.sin(X + circle)
    return float(math.factorial(order) * np.mean(values * circle ** (-order)).real)


@pytest.mark.parametrize(
    ("f", "order"),
    [(first, 1), (second, 2), (by_gradient, 1), (twice_by_gradient, 2), (by_hvp, 2)],
)
def test_nested_entry_points_are_pushed_forward(f: Callable[[Any], Any], order: int) -> None:
    assert zg.pushforward(f, X)(2.0) == pytest.approx(2.0 * line(order + 1), rel=1e-9)
    push = pushing.push_of(f, (X,))
    assert isinstance(push, Push)
    y, y_dot = push.run((1.0,))
    assert (y, y_dot) == pytest.approx((line(order), line(order + 1)), rel=1e-9)


class Scale:
    def __init__(self, w: Any) -> None:
        self.w = w

    def at(self, z: Any) -> Any:
        return self.w**2 * z**3


def confused(x: Any) -> Any:
    return x * zg.pushforward(lambda y: x * y, 2.0)(1.0)


def captured_twice(x: Any) -> Any:
    def outer(y: Any) -> Any:
        def inner(z: Any) -> Any:
            return x * y * z * z

        return zg.pushforward(inner, y)(x)

    return zg.pushforward(outer, x)(1.0)


def direction_alone(x: Any) -> Any:
    return zg.pushforward(cubed, 1.0)(x * x)


def arguments_kept(x: Any) -> Any:
    given = np.array([x, 2.0 * x])
    push = zg.pushforward(lambda a: a[0] * a[1], given)
    given[0] = 5.0
    return push(np.array([1.0, x]))


def rebound(x: Any) -> Any:
    a = x * x

    def g(y: Any) -> Any:
        return a * y**3

    a = a * 2.0
    return zg.gradient(g, 2.0)[0]


def in_a_list(x: Any) -> Any:
    held = [0.0]

    def g(y: Any) -> Any:
        return held[0] * y**3

    held[0] = x * x
    return zg.gradient(g, 2.0)[0]


def of_a_method(x: Any) -> Any:
    return zg.gradient(Scale(x).at, 2.0)[0]


def called_twice(x: Any) -> Any:
    push = zg.pushforward(lambda y: y**3, x)
    x = x * x
    return push(1.0) + push(x)


def handed_on(x: Any) -> Any:
    return (lambda push: push(x) * push(1.0))(zg.pushforward(lambda y: y**2, x))


def product_along_itself(x: Any) -> Any:
    return zg.hvp(lambda z: x * z**4, x, x)


def second_of_two(x: Any) -> Any:
    return zg.gradient(lambda a, b: a * b * x, x, 2.0)[1]


def by_keys(x: Any) -> Any:
    return zg.gradient(lambda d: d["a"] * d["b"] ** 2, {"a": x, "b": x * x})[0]["b"]


def an_array(x: Any) -> Any:
    return zg.pushforward(lambda z: np.array([z, z * x]), x)(x)[1]


def in_a_loop(x: Any) -> Any:
    total = 0.0
    for power in range(3):
        total += zg.pushforward(lambda y, p=power: x * y**3, x)(1.0) * power
    return total


def summed(x: Any) -> Any:
    total = 0.0
    for k in range(3):
        total += zg.pushforward(cubed, x + k)(x)
    return total


def in_an_attempt(x: Any) -> Any:
    try:
        return zg.gradient(lambda y: math.sqrt(y) * x, -1.0)[0]
    except ValueError:
        return x**3


def of_a_rule(x: Any) -> Any:
    return zg.pushforward(math.sin, x)(x) + zg.gradient(np.cos, x)[0]


def levels(x: Any) -> Any:
    return zg.gradient(lambda y: zg.nestlevel() * y * x, x)[0] * zg.pushforward(
        lambda y: zg.nestlevel() * y, x
    )(x)


@pytest.mark.parametrize(
    ("f", "slope"),
    [
        (confused, lambda x: 2.0 * x),
        (captured_twice, lambda x: 12.0 * x**2),
        (direction_alone, lambda x: 2.0 * x * (3.0 * math.sin(1.0) + math.cos(1.0))),
        (arguments_kept, lambda x: 2.0 + 2.0 * x),
        (rebound, lambda x: 48.0 * x),
        (in_a_list, lambda x: 24.0 * x),
        (of_a_method, lambda x: 24.0 * x),
        (called_twice, lambda x: 6.0 * x + 12.0 * x**3),
        (handed_on, lambda x: 12.0 * x**2),
        (product_along_itself, lambda x: 48.0 * x**3),
        (second_of_two, lambda x: 2.0 * x),
        (by_keys, lambda x: 6.0 * x**2),
        (an_array, lambda x: 2.0 * x),
        (in_a_loop, lambda x: 3.0 * 9.0 * x**2),
        (in_an_attempt, lambda x: 3.0 * x**2),
        (of_a_rule, lambda x: math.cos(x) - x * math.sin(x) - math.cos(x)),
        (levels, lambda x: 4.0 * 2.0 * x),
    ],
)
def test_what_varies_with_entry_points(f: Callable[[Any], Any], slope: Callable[[float], float]) -> None:
    assert zg.pushforward(f, X)(1.0) == pytest.approx(slope(X), rel=1e-12)


def test_sums_of_them_are_pushed_forward_twice() -> None:
    def slope(x: Any) -> Any:
        return zg.pushforward(summed, x)(1.0)

    circle = X + 0.5 * np.exp(2j * np.pi * np.arange(64) / 64)
    first_by = [z**2 * (3.0 * np.sin(z) + z * np.cos(z)) for z in (circle, circle + 1.0, circle + 2.0)]
    expected = 2.0 * np.mean(circle * sum(first_by) * (circle - X) ** -2).real
    assert zg.pushforward(slope, X)(1.0) == pytest.approx(expected, rel=1e-9)


def test_each_runs_once(capsys: pytest.CaptureFixture[str]) -> None:
    def told(x: Any) -> Any:
        print(type(x).__name__)
        return x**3

    assert zg.pushforward(lambda x: zg.pushforward(told, x)(x), 2.0)(1.0) == pytest.approx(36.0)
    assert capsys.readouterr().out == "float\n"


def test_implicit_parameters_inside_are_left_to_reverse_mode() -> None:
    held = np.array([1.0, 2.0])

    def by_parameters(x: Any) -> Any:
        return zg.gradient(lambda: np.sum(held**2) * x**2, zg.Params([held]))[held][1]

    assert zg.pushforward(by_parameters, X)(1.0) == pytest.approx(8.0 * X)
