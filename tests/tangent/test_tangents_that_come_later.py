"""Arrays that vary only after they were made, or were looked at by parts, and sums of what may be numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.pushing import Push, push_of


class Held:
    """What holds something."""

    value: Any = None


TABLE: dict[str, Callable[..., Any]] = {
    "square": lambda x: x * x,
    "cube": lambda x: x**3,
    "pair": lambda x: np.array([x, x * 2]),
    "list": lambda x: [x, x * 2],
}


def numbers_scaled(x: Any) -> Any:
    y = np.array([1.0, 0.5])
    y *= x
    y += x
    return np.sum(y * y)


def whole_numbers_beside_floats(x: Any) -> Any:
    y = np.array([1.0, 2, True])
    y *= x
    y[0] = x * x
    return np.sum(y * y)


def parts_of_parts(x: Any) -> Any:
    y = np.zeros(6)
    z = y.reshape(2, 3)
    w = z.T
    z[0] = x
    w[1] *= x
    y[4] = x * x
    return np.sum(y * np.arange(6)) * x


def part_that_is_a_copy(x: Any) -> Any:
    y = np.zeros((2, 3)).T
    z = y.reshape(6)
    z[1] = x
    y[0, 0] = x * x
    return np.sum(y) * x + np.sum(z * z)


def parts_of_all_sorts(x: Any) -> Any:
    y = np.ones((2, 3))
    z = y.ravel()
    u = y.squeeze()
    z *= x
    u[1] += x
    v = y.swapaxes(0, 1)
    v[2] = x**3
    return np.sum(y**2)


def flattened_with_gaps(x: Any) -> Any:
    y = np.ones((2, 3))[:, ::2]
    z = y.ravel()
    z *= x
    return np.sum(y**2) * x + np.sum(z**2)


def array_in_a_field(x: Any) -> Any:
    held = Held()
    held.value = 0.0
    other = held
    other.value = np.array([x, x * 2])
    return np.sum(held.value) * x


def array_by_two_names(x: Any) -> Any:
    y = np.array([x, 1.0])
    held = {"y": y}
    held["y"][0] += x
    z = y
    z *= 2
    return np.sum(y * x)


def orthogonalised(x: Any) -> Any:
    basis: list[Any] = []
    for row in np.array([[x, 1.0], [2.0, x * x]]):
        v = row.copy()
        for q in basis:
            v -= (q @ v) * q
        basis.append(v / np.sqrt(v @ v))
    return np.array(basis)[1, 0] * x


def sine_of_what_is_not_known(x: Any) -> Any:
    y = TABLE["square"](x)
    try:
        y = math.sin(y) + y
        if y > 100.0:
            raise ValueError
    except ValueError:
        y = math.cos(y)
    return y * x


def sums_of_what_is_not_known(x: Any) -> Any:
    t = TABLE["square"](x)
    t += TABLE["cube"](t)
    t *= TABLE["square"](x)
    t /= x
    t -= TABLE["cube"](x)
    t **= 2
    return t


def number_that_becomes_an_array(x: Any) -> Any:
    t = TABLE["square"](x)
    u = t
    t += np.array([x, 1.0])
    return np.sum(t * t) * u


PUSHED = (
    numbers_scaled,
    parts_of_parts,
    part_that_is_a_copy,
    parts_of_all_sorts,
    flattened_with_gaps,
    array_in_a_field,
    array_by_two_names,
    sine_of_what_is_not_known,
    sums_of_what_is_not_known,
)


def array_that_is_not_known_and_has_two_names(x: Any) -> Any:
    t = TABLE["pair"](x)
    u = t
    t += x
    t *= 3.0
    return np.sum(u * x)


def array_given_back_and_kept(x: Any) -> Any:
    first = TABLE["pair"](x)
    second = (lambda v: v + 1.0)(first)
    second += x
    return np.sum(first * first) + np.sum(second)


def list_that_is_not_known(x: Any) -> Any:
    t = TABLE["list"](x)
    u = t
    t += [x * x]
    return u[2] * len(t)


def whole_numbers_that_cannot_be_scaled(x: Any) -> Any:
    y = np.array([1, 2])
    z = np.array([1.0, 2])
    try:
        z += x
        y += x
    except TypeError:
        z *= x
    return np.sum(y * x) + np.sum(z)


LEFT = (
    orthogonalised,
    whole_numbers_beside_floats,
    number_that_becomes_an_array,
    array_that_is_not_known_and_has_two_names,
    array_given_back_and_kept,
    list_that_is_not_known,
    whole_numbers_that_cannot_be_scaled,
)


@pytest.mark.parametrize("program", PUSHED, ids=lambda program: program.__name__)
def test_a_tangent_function_is_written(program: Callable[..., Any]) -> None:
    assert isinstance(push_of(program, (2.0,), at_once=True, changing=True), Push)


@pytest.mark.parametrize("program", PUSHED + LEFT, ids=lambda program: program.__name__)
def test_tangents_are_those_of_differences(program: Callable[..., Any]) -> None:
    def slope(h: float) -> float:
        return float(program(1.5 + h) - program(1.5 - h)) / (2 * h)

    expected = (4 * slope(5e-4) - slope(1e-3)) / 3
    assert zg.pushforward(program, 1.5)(1.0) == pytest.approx(expected, rel=1e-8)
    assert zg.gradient(program, 1.5)[0] == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("program", PUSHED + LEFT, ids=lambda program: program.__name__)
def test_products_with_hessians_are_those_of_differences(program: Callable[..., Any]) -> None:
    def curvature(h: float) -> float:
        return float(program(1.5 + h) - 2 * program(1.5) + program(1.5 - h)) / h**2

    expected = (4 * curvature(1e-3) - curvature(2e-3)) / 3
    assert zg.hvp(program, 1.5, 1.0) == pytest.approx(expected, rel=1e-6)
    assert zg.hvp(program, 1.5, 1.0) == pytest.approx(zg.hessian_reverse(program, 1.5), rel=1e-10)
