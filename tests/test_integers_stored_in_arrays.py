"""Integers that are stored in arrays of integers keep their derivative; floats that are stored there do not.

Every program is run with integers and an array of integers, and compared with differences of the same program
with floats and an array of floats.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg


class Held:
    """Something that holds an array."""

    def __init__(self, y: Any) -> None:
        self.y = y

    def put(self, index: Any, value: Any) -> None:
        self.y[index] = value


def filled(b: Any, kind: Any) -> Any:
    y = np.full(3, b)
    y[0] = b * 2
    return y[0]


def fresh(b: Any, kind: Any) -> Any:
    y = np.zeros(3, kind)
    y[0] = b * 2
    return y[0] * y[0]


def from_numbers(b: Any, kind: Any) -> Any:
    y = np.array([b, kind(2)])
    y[1] = y[0] * y[0]
    return y[1] + y[0]


def small(b: Any, kind: Any) -> Any:
    y = np.zeros(3, np.int32 if kind is int else float)
    y[0] = b
    return y[0] * kind(2)


def unsigned(b: Any, kind: Any) -> Any:
    y = np.zeros(3, np.uint16 if kind is int else float)
    y[:] = b
    return y[0] * y[1]


def sliced(b: Any, kind: Any) -> Any:
    y = np.zeros(4, kind)
    y[1:3] = np.array([b, b * b])
    return y[1] * y[2]


def listed(b: Any, kind: Any) -> Any:
    y = np.zeros(4, kind)
    y[1:3] = [b, b * b]
    return y[1] * y[2]


def picked(b: Any, kind: Any) -> Any:
    y = np.zeros(4, kind)
    y[[0, 0, 2]] = np.array([b, b * b, b * 3])
    return y[0] * y[2]


def masked(b: Any, kind: Any) -> Any:
    y = np.arange(4).astype(kind)
    y[y > 1] = b
    return np.sum(y * y)


def viewed(b: Any, kind: Any) -> Any:
    y = np.full(3, b)
    z = y[1:]
    z[0] = b * 3
    return y[1] * y[0]


def in_a_loop(b: Any, kind: Any) -> Any:
    y = np.zeros(5, kind)
    y[0] = b
    for i in range(1, 5):
        y[i] = y[i - 1] * b
    return np.sum(y)


def item_added(b: Any, kind: Any) -> Any:
    y = np.full(3, b)
    y[0] += b * 2
    y[1] -= b
    return y[0] * y[2] + y[1]


def item_multiplied(b: Any, kind: Any) -> Any:
    y = np.arange(1, 4).astype(kind)
    y[1] *= b
    y[1:] *= y[1]
    return np.sum(y)


def item_raised(b: Any, kind: Any) -> Any:
    y = np.full(3, b)
    y[1] **= 3
    y[[0, 2]] += y[1]
    return y[0] * y[2]


def added_in_place(b: Any, kind: Any) -> Any:
    y = np.zeros(3, kind)
    z = y[1:]
    z += b * 3
    return y[1] * y[2]


def with_out(b: Any, kind: Any) -> Any:
    y = np.zeros(3, kind)
    np.multiply(b, 3, out=y)
    return y[0] * y[1]


def copied_into(b: Any, kind: Any) -> Any:
    y = np.zeros(3, kind)
    np.copyto(y, b * b)
    return y[0] + y[1]


def filled_in_place(b: Any, kind: Any) -> Any:
    y = np.zeros(3, kind)
    y.fill(b * 2)
    return y[0] * y[1]


def added_at(b: Any, kind: Any) -> Any:
    y = np.zeros(3, kind)
    np.add.at(y, [0, 0, 1], b)
    return y[0] * y[1]


def multiplied_at(b: Any, kind: Any) -> Any:
    y = np.ones(3, kind)
    np.multiply.at(y, [0, 0, 1], b)
    np.subtract.at(y, [2], np.array([b * b]))
    return y[0] * y[1] + y[2]


def added_at_by_another_name(b: Any, kind: Any) -> Any:
    held = [np.zeros(3, kind)]
    for add in (np.add.at, np.subtract.at):
        add(held[0], [0, 0, 1], b * b)
        held[0] += b
    return held[0][0] * held[0][1]


def put_in_place(b: Any, kind: Any) -> Any:
    y = np.zeros(3, kind)
    np.put(y, [0, 2], [b, b * 4])
    y.put([1], b * b)
    return np.sum(y * y)


def placed(b: Any, kind: Any) -> Any:
    y = np.zeros(3, kind)
    np.place(y, np.array([True, False, True]), [b, b * 2])
    np.putmask(y, np.array([False, True, False]), b)
    return np.sum(y * y)


def on_the_diagonal(b: Any, kind: Any) -> Any:
    y = np.ones((2, 2), kind)
    np.fill_diagonal(y, b)
    return y[0, 0] * y[1, 1] * y[0, 1]


def flat(b: Any, kind: Any) -> Any:
    y = np.ones((2, 2), kind)
    y.flat[1] = b * b
    y.flat[[2, 3]] = [b, b * 2]
    return np.sum(y * y)


def in_an_object(b: Any, kind: Any) -> Any:
    h = Held(np.zeros(3, kind))
    h.put(0, b * 2)
    h.y[1] = h.y[0] * b
    h.y[2] += b
    h.y += b
    return h.y[1] * h.y[2]


def in_a_list_of_arrays(b: Any, kind: Any) -> Any:
    held = [np.zeros(2, kind), np.ones(2, kind)]
    for y in held:
        y[0] = b
        y[1] += b * b
        y *= b
    return held[0][0] * held[1][1]


def by_another_function(b: Any, kind: Any) -> Any:
    y = np.zeros(3, kind)
    for change in (store_twice, lambda y, v: y.fill(v)):
        y = y.copy()
        change(y, b * b)
    return y[0] * y[1]


def store_twice(y: Any, v: Any) -> None:
    """Store in two places."""
    y[0] = v
    y[1] = v * 2


def by_a_function_of_unknown_name(b: Any, kind: Any) -> Any:
    y = np.zeros(3, kind)
    {"store": store_twice}["store"](y, b * b)
    return y[0] * y[1]


def under_try(b: Any, kind: Any) -> Any:
    y = np.zeros(3, kind)
    try:
        y[0] = b * 3
        y[7] = b
    except IndexError:
        y[1] = y[0] * b
    return y[1] + y[0]


def copied(b: Any, kind: Any) -> Any:
    y = np.zeros(3, kind)
    y[0] = b
    z = copy.deepcopy(y)
    z[0] *= b
    return z[0] + y[0]


PROGRAMS = (
    filled,
    fresh,
    from_numbers,
    small,
    unsigned,
    sliced,
    listed,
    picked,
    masked,
    viewed,
    in_a_loop,
    item_added,
    item_multiplied,
    item_raised,
    added_in_place,
    with_out,
    copied_into,
    filled_in_place,
    added_at,
    added_at_by_another_name,
    multiplied_at,
    put_in_place,
    placed,
    on_the_diagonal,
    flat,
    in_an_object,
    in_a_list_of_arrays,
    by_another_function,
    by_a_function_of_unknown_name,
    under_try,
    copied,
)


def differences(program: Callable[..., Any], at: float) -> float:
    """The derivative of a program of floats, by Richardson's extrapolation."""
    coarse, fine = [(program(at + h, float) - program(at - h, float)) / (2 * h) for h in (1e-3, 5e-4)]
    return float((4 * fine - coarse) / 3)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_with_floats(program: Callable[..., Any]) -> None:
    gradient = zg.gradient(program, 2, int)[0]
    assert type(gradient) is float
    assert gradient == pytest.approx(differences(program, 2.0), rel=1e-8)
    assert gradient == pytest.approx(zg.gradient(program, 2.0, float)[0], rel=1e-12)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_tangents_agree(program: Callable[..., Any]) -> None:
    tangent = zg.pushforward(lambda b: program(b, int), 2)(1)
    assert tangent == pytest.approx(zg.gradient(program, 2, int)[0], rel=1e-12)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_second_derivatives_as_with_floats(program: Callable[..., Any]) -> None:
    def slope(b: Any, kind: Any) -> Any:
        return zg.gradient(program, b, kind)[0]

    second = zg.gradient(slope, 2, int)[0]
    expected = zg.gradient(slope, 2.0, float)[0]
    assert (second or 0.0) == pytest.approx(expected or 0.0, rel=1e-12)


def float_stored(b: Any) -> Any:
    y = np.full(3, b)
    y[0] = b * 2.5
    return y[0] + y[1]


def quotient_stored(b: Any) -> Any:
    y = np.full(3, b)
    y[0] = y[1] / 2
    return y[0] + y[1]


def item_halved(b: Any) -> Any:
    h = Held(np.full(3, b))
    h.y[0] *= 0.5
    return h.y[0] + h.y[1]


def truth_stored(b: Any) -> Any:
    y = np.zeros(3, bool)
    y[0] = b
    return y[0] * 3 + b


@pytest.mark.parametrize("program", [float_stored, quotient_stored, item_halved, truth_stored])
def test_what_is_cut_off_has_no_derivative(program: Callable[..., Any]) -> None:
    assert zg.gradient(program, 3) == (1.0,)


def test_an_array_of_integers_is_stored() -> None:
    def program(x: Any) -> Any:
        y = np.zeros_like(x)
        y[1:] = x[:-1] * x[1:]
        return np.sum(y * x)

    x = np.array([2, 3, 5])
    expected = [9.0, 12.0 + 25.0, 30.0]
    assert zg.gradient(program, x)[0].tolist() == expected
