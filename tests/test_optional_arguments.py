"""Arguments that may be None, and whatever else is None at first: `if weights is None`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient

X = np.array([0.7, 1.3, 0.4, 1.9])


def power(v: Any, p: Any = None, scale: Any = None) -> Any:
    if p is None:
        p = 2
    if scale is not None:
        v = v * scale
    return v**p


def three_ways(x: Any) -> Any:
    return power(x[0]) + power(x[1], 3) + power(x[2], scale=x[3]) + power(x[3], x[0], x[1])


def weighted(x: Any, w: Any = None) -> Any:
    w = np.ones(len(x)) if w is None else w
    return np.sum(w * x**2)


def either(x: Any, w: Any = None) -> Any:
    w = w or None
    return x[0] * (2.0 if w is None else w)


def best_so_far(x: Any) -> Any:
    best, place = None, None
    for i, v in enumerate(x):
        if best is None or math.sin(3 * v) > best:
            best, place = math.sin(3 * v), i
    assert best is not None and place is not None
    return best * x[place]


def tree(x: Any) -> Any:
    def build(i: int) -> Any:
        return None if i >= len(x) else (x[i], build(2 * i + 1), build(2 * i + 2))

    def total(t: Any) -> Any:
        if t is None:
            return 0.0
        return t[0] ** 2 + total(t[1]) * t[0] + total(t[2])

    return total(build(0))


class Node:
    """A list of linked nodes."""

    def __init__(self, value: Any, behind: Any = None) -> None:
        self.value, self.behind = value, behind


def linked(x: Any) -> Any:
    head = None
    for v in x:
        head = Node(v, head)
    total, k = 0.0, 1
    while head is not None:
        total = total + head.value**2 * k
        head, k = head.behind, k + 1
    return total


def field_set_later(x: Any) -> Any:
    node = Node(None)
    first = 1.0 if node.value is None else 2.0
    node.value = x[0]
    second = 1.0 if node.value is None else node.value
    node.value = None
    return first * second * x[1] + (x[2] if node.value is None else 0.0)


def changed_in_a_loop(x: Any) -> Any:
    last = None
    total = 0.0
    for v in x:
        total = total + (v if last is None else v * last)
        last = v if v > 0.5 else None
    return total


def got_from_a_dict(x: Any) -> Any:
    table = {"a": x[0]}
    found, missing = table.get("a"), table.get("b")
    return (found if found is not None else 1.0) * (x[1] if missing is None else missing)


def given_back(v: Any) -> Any:
    return v * v if v > 1 else None


def results_that_are_none(x: Any) -> Any:
    found = [given_back(v) for v in x]
    return sum(f for f in found if f is not None) * x[0]


def nothing_of_other_sorts(x: Any, index: Any = ...) -> Any:
    if index is None:
        return x[0] * 2.0
    return np.sum(x[index])


def rebound(x: Any, w: Any = None) -> Any:
    def use() -> Any:
        return x[0] if w is None else w * x[1]

    first = use()
    w = x[2]
    return first * use()


PROGRAMS: tuple[Callable[..., Any], ...] = (
    *(three_ways, weighted, either, best_so_far, tree, linked, field_set_later, changed_in_a_loop),
    *(got_from_a_dict, results_that_are_none, nothing_of_other_sorts, rebound),
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_value_and_gradient(program: Callable[..., Any]) -> None:
    assert zg.pullback(program, X.copy())[0] == program(X.copy())
    check_gradient(program, X.copy())


@pytest.mark.parametrize("program", [three_ways, weighted, best_so_far, field_set_later, got_from_a_dict])
def test_second_order(program: Callable[..., Any]) -> None:
    check_gradient(program, X.copy(), order=2)


@pytest.mark.parametrize("program", [weighted, either, rebound])
@pytest.mark.parametrize("w", [None, 2.5, 3, np.float64(1.5)])
def test_given_and_not(program: Callable[..., Any], w: Any) -> None:
    x_bar, w_bar = zg.gradient(program, X, w)
    assert zg.pullback(program, X, w)[0] == program(X, w)
    step = 1e-6
    for place in range(len(X)):
        h = step * np.eye(len(X))[place]
        assert x_bar[place] == pytest.approx((program(X + h, w) - program(X - h, w)) / (2 * step), abs=1e-7)
    if w is None:
        assert w_bar is None
    else:
        assert w_bar == pytest.approx((program(X, w + step) - program(X, w - step)) / (2 * step), abs=1e-7)


@pytest.mark.parametrize("index", [None, ..., slice(1, 3), slice(None), 2, np.array([0, 0, 3]), [1, 2]])
def test_what_is_no_number_is_not_taken_for_none(index: Any) -> None:
    """One after the other, so that what was derived for one of them is not used for another."""
    for other in (index, None, ..., slice(0, 2), index):
        y, back = zg.pullback(nothing_of_other_sorts, X, other)
        assert y == nothing_of_other_sorts(X, other)
        expected = np.zeros(4)
        np.add.at(expected, 0 if other is None else other, 2.0 if other is None else 1.0)
        assert np.array_equal(back(1.0)[0], expected)


def test_the_branch_that_is_not_taken_is_left_out() -> None:
    assert " is None" not in str(zg.show_adjoint(weighted, X))
    assert "np.ones" not in str(zg.show_adjoint(weighted, X, X))
    assert "pull(" not in str(zg.show_adjoint(three_ways, X))
