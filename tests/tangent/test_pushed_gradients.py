"""Second derivatives of loops over numbers are tangents of the gradient's own code, by formulas by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.gradients_pushed import gradient_push
from zygpy.tangent_functions import Refused

X = np.linspace(0.5, 1.5, 7)
V = np.cos(3.0 * X)


def powers_of_items(x: Any) -> Any:
    total = 0.0
    for item in x:
        total = total + item**3
    return total * total


def powers_of_items_product(x: Any, v: Any) -> Any:
    return 18.0 * x**2 * np.sum(x**2 * v) + 12.0 * np.sum(x**3) * x * v


def neighbours(x: Any) -> Any:
    squares = []
    for item in x:
        squares.append(item * item)  # noqa: PERF401  (the loop is what is tested)
    return sum([a * b for a, b in zip(squares, squares[1:])])  # noqa: B905, RUF007  (a slice is what is tested)


def neighbours_product(x: Any, v: Any) -> Any:
    around, moving = np.pad(x * x, 1), np.pad(2.0 * x * v, 1)
    return 2.0 * v * (around[:-2] + around[2:]) + 2.0 * x * (moving[:-2] + moving[2:])


def every_other(x: Any) -> Any:
    squares = [item * item for item in x]
    chosen = squares[5:0:-2]
    return chosen[0] * chosen[1] * chosen[2]


def every_other_product(x: Any, v: Any) -> Any:
    a, b, c = (x[place] for place in (1, 3, 5))
    u, r, s = (v[place] for place in (1, 3, 5))
    result = np.zeros(len(x))
    result[1] = 2 * u * (b * c) ** 2 + 4 * a * b * c * (c * r + b * s)
    result[3] = 2 * r * (a * c) ** 2 + 4 * a * b * c * (c * u + a * s)
    result[5] = 2 * s * (a * b) ** 2 + 4 * a * b * c * (b * u + a * r)
    return result


def length(x: Any) -> Any:
    return math.hypot(x[0], x[2], 2.0)


def length_product(x: Any, v: Any) -> Any:
    own, moving = np.zeros(len(x)), np.zeros(len(x))
    own[[0, 2]], moving[[0, 2]] = x[[0, 2]], v[[0, 2]]
    r = math.sqrt(own @ own + 4.0)
    return moving / r - own * (own @ moving) / r**3


def grown(x: Any) -> Any:
    y = x * x
    if x[0] > 0.0:
        y = y * np.exp(x)
    return np.sum(y)


def grown_product(x: Any, v: Any) -> Any:
    return (2.0 + 4.0 * x + x * x) * np.exp(x) * v if x[0] > 0.0 else 2.0 * v


def of_three(a: Any, b: Any, c: Any) -> Any:
    return a * b * c


def mapped(a: Any, b: Any) -> Any:
    return sum(map(partial(of_three, a, b), (a, b)))


def bound_and_mapped(x: Any) -> Any:
    return mapped(x[0], x[1])


def bound_and_mapped_product(x: Any, v: Any) -> Any:
    result, mixed = np.zeros(len(x)), 2.0 * (v[0] * x[1] + x[0] * v[1])
    result[:2] = mixed + 2.0 * x[1] * v[1], mixed + 2.0 * x[0] * v[0]
    return result


def left_early(x: Any) -> Any:
    if x[0] > 10.0:
        return x[0] ** 3
    total = 0.0
    for item in x:
        total = total + item * item * item
    return total


def left_early_product(x: Any, v: Any) -> Any:
    product = 6.0 * x * v
    return np.where(np.arange(len(x)) == 0, product, 0.0) if x[0] > 10.0 else product


def of_positive_numbers_alone(x: Any) -> Any:
    if x[0] < 0.0:
        raise ValueError
    return x[0] * x[0] * x[1]


def of_positive_numbers_alone_product(x: Any, v: Any) -> Any:
    result = np.zeros(len(x))
    result[:2] = 2.0 * (v[0] * x[1] + x[0] * v[1]), 2.0 * x[0] * v[0]
    return result


CASES = (
    (grown, grown_product),
    (left_early, left_early_product),
    (of_positive_numbers_alone, of_positive_numbers_alone_product),
    (powers_of_items, powers_of_items_product),
    (neighbours, neighbours_product),
    (every_other, every_other_product),
    (length, length_product),
    (bound_and_mapped, bound_and_mapped_product),
)


@pytest.mark.parametrize(("f", "product"), CASES)
def test_the_gradient_is_pushed(f: Callable[[Any], Any], product: Callable[[Any, Any], Any]) -> None:
    for _ in range(2):
        np.testing.assert_allclose(zg.hvp(f, X, V), product(X, V), rtol=1e-12, atol=1e-14)
    assert not isinstance(gradient_push(f, (X,)), Refused)
    np.testing.assert_allclose(zg.hessian(f, X) @ V, product(X, V), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("first", [-1.0, 11.0])
def test_every_end_of_a_function_is_pushed(first: float) -> None:
    x = np.concatenate([[first], X[1:]])
    for f, product in ((grown, grown_product), (left_early, left_early_product)):
        np.testing.assert_allclose(zg.hvp(f, x, V), product(x, V), rtol=1e-12, atol=1e-14)
        assert not isinstance(gradient_push(f, (x,)), Refused)
    if first < 0.0:
        with pytest.raises(ValueError):  # noqa: PT011  (it has no message)
            zg.hvp(of_positive_numbers_alone, x, V)


def test_a_length_of_nothing_has_the_tangent_zero() -> None:
    assert zg.pushforward(lambda x: math.hypot(x, 0.0 * x), 0.0)(1.0) == 0.0
