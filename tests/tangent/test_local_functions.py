"""Functions that are defined inside, in forward mode: against differences and reverse mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import pushing


def called_twice(x: Any, y: Any) -> Any:
    def g(a: Any) -> Any:
        return a * x

    return g(y) + g(2.0)


def inside_of_another(x: Any, y: Any) -> Any:
    def outer(z: Any) -> Any:
        inner = lambda w: w * z * x + y  # noqa: E731 (it is what is tested)
        return inner(y) + inner(2.0)

    return outer(x)


def in_a_loop(x: Any, y: Any) -> Any:
    def step(total: Any, k: Any) -> Any:
        return total * x + k * y

    total = y
    for k in range(4):
        total = step(total, k)
    return total


def over_arrays(x: Any, y: Any) -> Any:
    weights = np.array([x, 2.0, y])

    def residual(z: Any) -> Any:
        return weights * z - y

    return np.sum(residual(weights) ** 2) + np.sum(residual(x))


def never_called(x: Any, y: Any) -> Any:
    def unused() -> Any:
        return x

    return x * y


PUSHED = [called_twice, inside_of_another, in_a_loop, over_arrays, never_called]


def rebound_behind(x: Any, y: Any) -> Any:
    g = lambda z: z * x  # noqa: E731
    x = x * 2
    return g(y) + x


def changed_between_calls(x: Any, y: Any) -> Any:
    held = np.array([x, y])

    def g(z: Any) -> Any:
        return np.sum(held * z)

    first = g(y)
    held[0] = x * x
    return first + g(x)


def one_of_two(x: Any, y: Any) -> Any:
    if x > 0:  # noqa: SIM108
        g = lambda z: z * x  # noqa: E731
    else:
        g = lambda z: z + x  # noqa: E731
    return g(y) * g(2.0)


def defined_again(x: Any, y: Any) -> Any:
    g = lambda z: z * x  # noqa: E731
    first = g(y)
    g = lambda z: z * z * y  # noqa: E731
    return first + g(x)


def handed_on(x: Any, y: Any) -> Any:
    def twice(f: Any, z: Any) -> Any:
        return f(f(z))

    return twice(lambda z: z * x + 1.0, y)


def kept_in_a_list(x: Any, y: Any) -> Any:
    functions = [lambda z: z * x, lambda z: z + y]
    return functions[0](y) * functions[1](x)


def calls_itself(x: Any, y: Any) -> Any:
    def power(n: Any) -> Any:
        return 1.0 if n == 0 else x * power(n - 1)

    return power(3) * y


def with_defaults(x: Any, y: Any) -> Any:
    z = x * y

    def g(a: Any, b: Any = z) -> Any:
        return a * b

    z = z * 2
    return g(y) + z


def appends_to_what_it_captures(x: Any, y: Any) -> Any:
    items = [x, y]

    def add(z: Any) -> Any:
        items.append(z * x)
        return items[-1]

    return add(y) + add(2.0) + sum(items)


def counts_up(x: Any, y: Any) -> Any:
    total = 0.0

    def add(z: Any) -> Any:
        nonlocal total
        total += z * x
        return total

    return add(y) * add(2.0) + total


OTHERS = [
    *(rebound_behind, changed_between_calls, one_of_two, defined_again, handed_on, kept_in_a_list),
    *(calls_itself, with_defaults, appends_to_what_it_captures, counts_up),
]


@pytest.mark.parametrize("function", PUSHED)
def test_these_have_tangent_functions(function: Any) -> None:
    assert isinstance(pushing.push_of(function, (1.3, 0.7)), pushing.Push)


@pytest.mark.parametrize("function", PUSHED + OTHERS)
def test_tangents_agree(function: Any) -> None:
    x, y, step = 1.3, 0.7, 1e-6
    pushed = zg.pushforward(function, x, y)(1.0, -2.0)
    bars = zg.gradient(function, x, y)
    assert pushed == pytest.approx(bars[0] - 2.0 * bars[1], rel=1e-12)
    slope = (function(x + step, y - 2 * step) - function(x - step, y + 2 * step)) / (2 * step)
    assert pushed == pytest.approx(slope, rel=1e-7)


@pytest.mark.parametrize("function", [called_twice, in_a_loop, over_arrays])
def test_second_derivatives(function: Any) -> None:
    def of_both(z: Any) -> Any:
        return function(z[0], z[1])

    z = np.array([1.3, 0.7])
    np.testing.assert_allclose(zg.hessian(of_both, z), zg.hessian_reverse(of_both, z), rtol=1e-12)


class Scaled:
    def __init__(self, factor: Any) -> None:
        self.factor = factor

    def of(self, x: Any) -> Any:
        return self.factor * x * x

    def kept(self, x: Any) -> Any:
        self.factor = x * x
        return self.of(x)


def test_methods_of_what_functions_share() -> None:
    scaled, module, x = Scaled(3.0), np, np.array([3.0])

    def replace() -> None:
        nonlocal scaled, module
        scaled, module = Scaled(5.0), np

    def by_object(v: Any) -> Any:
        return scaled.of(v[0])

    def by_change(v: Any) -> Any:
        return scaled.kept(v[0])

    def by_module(v: Any) -> Any:
        return module.multiply(v[0], v[0]) * scaled.of(v[0])

    for f, first, second in ((by_object, 18.0, 6.0), (by_module, 324.0, 324.0), (by_change, 108.0, 108.0)):
        replace() if f is by_change else None
        scaled.factor = 3.0
        np.testing.assert_allclose(zg.gradient(f, x)[0], [first])
        scaled.factor = 3.0
        np.testing.assert_allclose(zg.pushforward(f, x)(np.ones(1)), first)
        scaled.factor = 3.0
        np.testing.assert_allclose(zg.hvp(f, x, np.ones(1)), [second])
        scaled.factor = 3.0
        np.testing.assert_allclose(zg.hessian(f, x), [[second]])
