"""Functions that call themselves: the adjoint returns the one cotangent that there is, not a tuple."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient


def power(x, n):
    return 1.0 if n == 0 else x * power(x, n - 1)


def tower(n, x):
    if n == 0:
        return x
    return math.sin(x) * tower(n - 1, x)


def even(x, n):
    return x if n == 0 else x * odd(x, n - 1)


def odd(x, n):
    return x if n == 0 else x + even(x, n - 1)


def tree(weights, depth):
    if depth == 0:
        return weights.sum()
    return tree(weights * weights, depth - 1) + tree(2.0 * weights, depth - 1)


def both(x, y, n):
    return x * y if n == 0 else x + both(y, x, n - 1) * y


def counted(x, n):
    """What the inner call gives is not used: nothing comes back from it."""
    if n > 0:
        counted(x, n - 1)
    return x * int(n)


def detour(x, n, box):
    box.append(n)
    return x if n == 0 else x * detour(x, n - 1, box)


class Scale:
    """Holds the factor of a recursion in an attribute that the program changes."""

    def __init__(self, factor):
        self.factor = factor


def slope(function, x, *rest, step=1e-5):
    low, high = (function(x + sign * step, *rest) for sign in (-1, 1))
    return (high - low) / (2 * step)


def test_the_only_cotangent_is_returned_as_it_is():
    text = str(zg.show_adjoint(power, 2.0, 3))
    assert "return x_bar\n" in text
    assert zg.gradient(power, 2.0, 3) == (12.0, None)


def test_the_place_of_the_only_cotangent():
    value, (n_bar, x_bar) = zg.withgradient(tower, 4, 0.7)
    assert value == tower(4, 0.7)
    assert n_bar is None
    assert x_bar == pytest.approx(slope(lambda x: tower(4, x), 0.7), rel=1e-8)


def test_back_gives_an_entry_for_each_argument():
    y, back = zg.pullback(power, 3.0, 4)
    assert y == 81.0
    assert back(1.0) == (108.0, None)
    assert back(0.5) == (54.0, None)
    assert back(None) == (None, None)


@pytest.mark.parametrize("function", [even, odd])
@pytest.mark.parametrize("n", range(4))
def test_two_that_call_each_other(function, n):
    assert zg.gradient(function, 0.8, n)[0] == pytest.approx(slope(function, 0.8, n), rel=1e-8)


def test_arrays_and_two_calls():
    weights = np.array([0.5, -0.25, 0.75])
    before = weights.copy()
    (bar, none) = zg.gradient(tree, weights, 3)
    assert none is None
    for place in range(3):
        moved = [tree(weights + sign * 1e-5 * np.eye(3)[place], 3) for sign in (1, -1)]
        assert bar[place] == pytest.approx((moved[0] - moved[1]) / 2e-5, rel=1e-7)
    np.testing.assert_array_equal(weights, before)


def test_two_cotangents_are_a_tuple():
    x_bar, y_bar, _ = zg.gradient(both, 0.5, 1.5, 3)
    assert x_bar == pytest.approx(slope(lambda x: both(x, 1.5, 3), 0.5), rel=1e-8)
    assert y_bar == pytest.approx(slope(lambda y: both(0.5, y, 3), 1.5), rel=1e-8)


def test_a_result_that_is_not_used():
    assert zg.gradient(counted, 0.5, 3) == (3.0, None)


def test_inside_a_loop_and_a_closure():
    def total(x):
        def inner(y, n):
            return y if n == 0 else x * inner(y * y, n - 1)

        result = 0.0
        for n in range(4):
            result += inner(x, n) * power(x, n)
        return result

    assert zg.gradient(total, 0.9)[0] == pytest.approx(slope(total, 0.9), rel=1e-7)


def test_called_by_a_program_that_changes_objects():
    def program(x):
        scale = Scale(x)
        same = scale
        same.factor *= power(x, 2)
        return scale.factor * power(scale.factor, 2)

    assert zg.gradient(program, 1.1)[0] == pytest.approx(9 * 1.1**8, rel=1e-12)


def test_a_recursion_that_appends_to_a_list():
    def program(x):
        box = []
        return detour(x, 3, box) * len(box)

    assert zg.gradient(program, 1.5)[0] == pytest.approx(16 * 1.5**3, rel=1e-12)


def test_integers_and_float32():
    assert zg.gradient(power, 2, 3) == (12.0, None)
    (bar, _) = zg.gradient(power, np.float32(2.0), 3)
    assert bar == 12.0
    assert bar.dtype == np.float32


def test_derivatives_of_higher_order():
    fifth = zg.derivative(lambda x: power(x, 5))
    assert zg.derivative(fifth)(2.0) == pytest.approx(160.0, rel=1e-12)
    assert zg.derivative(zg.derivative(fifth))(2.0) == pytest.approx(240.0, rel=1e-12)
    second = zg.gradient(lambda x: zg.gradient(tower, 3, x)[1], 0.7)[0]
    assert second == pytest.approx(slope(lambda x: zg.gradient(tower, 3, x)[1], 0.7), rel=1e-7)


def test_a_pullback_inside_differentiated_code():
    def program(x):
        y, back = zg.pullback(power, x, 3)
        return y + back(x)[0]

    assert zg.gradient(program, 1.5)[0] == pytest.approx(3 * 1.5**2 + 9 * 1.5**2, rel=1e-12)


def by_form(value: Any) -> Any:
    if isinstance(value, list):
        return by_form(value[0])
    if isinstance(value, dict):
        return by_form(list(value.values()))
    return value * value


def of_all_parts(value: Any) -> Any:
    if isinstance(value, list):
        return of_all_parts(value[0])
    if isinstance(value, dict):
        return sum([of_all_parts(part) for part in list(value.values())])
    return value * value


@pytest.mark.parametrize(
    "program",
    [
        lambda x, y: by_form({"k": y}) * x,
        lambda x, y: by_form([x, y]) * y,
        lambda x, y: of_all_parts([x, y]) + of_all_parts({"a": x, "b": [y]}) * x,
    ],
)
def test_recursion_by_the_form_of_what_is_given(program: Any) -> None:
    """What such a function does with its argument went up and down with what was assumed of it."""
    check_gradient(program, 0.7, 0.4, order=2)
    pushed = zg.pushforward(program, 0.7, 0.4)(0.3, -0.8)
    found = [0.0 if bar is None else bar for bar in zg.gradient(program, 0.7, 0.4)]
    assert pushed == pytest.approx(0.3 * found[0] - 0.8 * found[1])


def of_rows(rows: Any) -> Any:
    if isinstance(rows, tuple | list):
        total = 0.0
        for row in rows:
            total = total + of_rows(row)
        return total
    return np.sum(rows**2)


def test_texts_turned_into_numbers_in_a_gradient_of_a_gradient() -> None:
    check_gradient(
        lambda x: of_rows(np.array(["1.5", "2.5"]).astype(float) * x), np.array([0.7, 0.4]), order=2
    )


def of_scalars(x):
    """A number is made an array, and the array's first item is taken."""
    x = np.asarray(x)
    return of_scalars(x[None])[0] if x.ndim == 0 else x * x


def doubled(x, count):
    return x if count == 0 else doubled(np.stack([x, 2 * x]), count - 1)


def test_arrays_of_ever_higher_ranks():
    assert zg.gradient(of_scalars, 2.0) == (4.0,)
    assert zg.gradient(lambda x: np.sum(of_scalars(x)), np.array([1.0, 3.0]))[0].tolist() == [2.0, 6.0]
    assert zg.gradient(lambda x: np.sum(doubled(x, 3) ** 2), np.array([1.0, 2.0]))[0].tolist() == [
        250.0,
        500.0,
    ]


def test_arrays_of_many_axes():
    x = np.arange(1024.0).reshape((2,) * 10)
    (bars,) = zg.gradient(lambda x: np.sum((x * x)[0, 1].sum(axis=(1, 2)) * x.T[0, 0, 0, 0]), x)
    rest = x.copy()
    rest[0, 1] += 1e-3
    moved = [np.sum((y * y)[0, 1].sum(axis=(1, 2)) * y.T[0, 0, 0, 0]) for y in (rest, 2 * x - rest)]
    assert bars[0, 1].sum() == pytest.approx((moved[0] - moved[1]) / 2e-3, rel=1e-9)
