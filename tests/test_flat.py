"""The elements of an array one by one, by its `flat`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient

POINT = np.array([[0.3, 0.7, -0.4], [1.1, 1.9, 0.6]])


def unpacked(x: Any) -> Any:
    a, b, c, d, e, f = x.flat
    return a * b + c * d * d + e / f


def unpacked_with_a_star(x: Any) -> Any:
    first, *others = (x * 2).T.flat
    return first * others[0] * others[-1] ** 2


def walked_over(x: Any) -> Any:
    total = 0.0
    for value in x.flat:
        total = total * value + value * value
    return total


def numbered(x: Any) -> Any:
    total = 0.0
    for place, value in enumerate(x[:, 1:].flat):
        total += (place + 1) * value**3
    return total


def side_by_side(x: Any) -> Any:
    return sum(u * v for u, v in zip(x.flat, (x * x).T.flat, strict=True))


def one_after_the_other(x: Any) -> Any:
    elements = iter(x.T.flat)
    first = next(elements)
    return first * next(elements) + max(elements) * sum(elements)


def begun_and_gone_on_with(x: Any) -> Any:
    elements = x.flat
    first = next(elements)
    return first * sum([value * value for value in elements])


def in_lists(x: Any) -> Any:
    return list(x.flat)[2] ** 2 + tuple(x.flat)[3] * max(x.flat) + sorted(x.flat)[1]


def changed_on_the_way(x: Any) -> Any:
    y = x.copy()
    elements = y.flat
    y[0, 1] = x[0, 0] ** 2
    total = 0.0
    for value in elements:
        y[1, 1] = 7.0 * x[0, 0]
        total += value * value
    return total


def changed_by_place(x: Any) -> Any:
    y = x.copy()
    total = 0.0
    for place, value in enumerate(y.flat):
        y.flat[place] = value * value
        total += y.flat[place] * y[0, 0]
    return total


def left_early(x: Any) -> Any:
    for value in x.flat:
        if value < 0:
            break
    return value * x[0, 0]


def given_to_functions(x: Any) -> Any:
    return np.dot(x.flat, x.T.flat) + np.sum(x.flat) ** 2 + np.array(x.flat)[1] * np.asarray(x.T.flat)[2]


def kept_in_a_list(x: Any) -> Any:
    kept = [x.flat, (x * x).flat]
    return sum(value * value for elements in kept for value in elements)


FUNCTIONS = [
    unpacked,
    unpacked_with_a_star,
    walked_over,
    numbered,
    side_by_side,
    one_after_the_other,
    begun_and_gone_on_with,
    in_lists,
    changed_on_the_way,
    changed_by_place,
    left_early,
    given_to_functions,
    kept_in_a_list,
]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("point", [POINT, np.asfortranarray(POINT)])
def test_elements_by_flat(function: Any, point: Any) -> None:
    assert zg.pullback(function, point)[0] == function(point)
    check_gradient(function, point)


@pytest.mark.parametrize("function", [unpacked, walked_over, changed_on_the_way, given_to_functions])
def test_second_derivatives_of_elements_by_flat(function: Any) -> None:
    check_gradient(function, POINT, order=2)
