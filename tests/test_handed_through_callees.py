"""What has no place of its own - functions that carry numbers, iterators over tuples - and is handed through
functions, lists and lazy builtins, where the callees are found when they are called."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import zygpy as zg


class Held:
    """What gives back what it holds."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def get(self) -> Any:
        return self.value

    def __enter__(self) -> Any:
        return self.value

    def __exit__(self, *failure: object) -> None:
        pass


def same(value: Any) -> Any:
    return value


def by_a_callee(value: Any) -> Any:
    return same(value)


def by_a_method(value: Any) -> Any:
    return Held(value).get()


def by_a_context_manager(value: Any) -> Any:
    with Held(value) as entered:
        pass
    return entered


def by_an_item(value: Any) -> Any:
    return same([value])[0]


def called(function: Any) -> Any:
    return function()


def called_behind_a_callee(function: Any) -> Any:
    return same(function)()


TABLE: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        by_a_callee,
        by_a_method,
        by_a_context_manager,
        by_an_item,
        called,
        called_behind_a_callee,
    )
}


def called_with_nothing(function: Any, beside: Any) -> Any:
    return function()


CALLING = {"it": called_with_nothing}


def scaled(u: Any, *, by: Any) -> Any:
    return u * by


def partial_by_a_callee(x: Any) -> Any:
    r = TABLE["by_a_callee"](functools.partial(operator.mul, x * x))
    return r(2.0) * x


def partial_by_a_method(x: Any) -> Any:
    r = TABLE["by_a_method"](functools.partial(scaled, by=x * x))
    return r(2.0) * x


def partial_by_a_context_manager(x: Any) -> Any:
    r = TABLE["by_a_context_manager"](functools.partial(operator.mul, x * x))
    return r(2.0) * x


def partial_by_an_item(x: Any) -> Any:
    r = TABLE["by_an_item"](functools.partial(operator.mul, x * x))
    return r(2.0) * x


def method_of_an_array(x: Any) -> Any:
    return TABLE["called"](np.array([x, x * x]).sum) * x


def method_of_an_array_beside_a_number(x: Any) -> Any:
    a = np.array([x, x * x])
    m = a.sum
    return CALLING["it"](m, x) * x


def method_of_an_array_behind_a_callee(x: Any) -> Any:
    return TABLE["called_behind_a_callee"](np.array([x, x * x]).prod) * x


def method_of_an_array_given_back(x: Any) -> Any:
    r = TABLE["by_a_callee"](np.array([x, x * x]).dot)
    return r(np.array([1.0, 2.0])) * x


def method_of_a_list(x: Any) -> Any:
    return TABLE["called_behind_a_callee"]([x, x * x].pop) * x


def iterators_in_a_mapped_list(x: Any) -> Any:
    r = list(map(same, [iter((x * x, x))]))
    return next(r[0]) * x


def iterators_in_a_copied_list(x: Any) -> Any:
    given = [iter((x * x, x)), reversed((x, x**3))]
    r = list(given)
    return next(r[0]) * next(r[1])


def iterator_mapped_over(x: Any) -> Any:
    for r in map(TABLE["by_a_callee"], [iter((x * x, x))]):
        next(r)
        return next(r) * x
    return x


def iterators_given_back(x: Any) -> Any:
    r: Iterator[Any] = TABLE["by_a_method"](iter((x, x * x)))
    q: Iterator[Any] = TABLE["by_an_item"](iter(np.array([x, x * x])))
    next(q)
    return sum(r) * next(q)


PROGRAMS = (
    partial_by_a_callee,
    partial_by_a_method,
    partial_by_a_context_manager,
    partial_by_an_item,
    method_of_an_array,
    method_of_an_array_beside_a_number,
    method_of_an_array_behind_a_callee,
    method_of_an_array_given_back,
    method_of_a_list,
    iterators_in_a_mapped_list,
    iterators_in_a_copied_list,
    iterator_mapped_over,
    iterators_given_back,
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_gradients(program: Callable[..., Any]) -> None:
    def slope(h: float) -> float:
        return float(program(1.5 + h) - program(1.5 - h)) / (2 * h)

    value, gradients = zg.withgradient(program, 1.5)
    assert value == pytest.approx(program(1.5), rel=1e-14)
    assert gradients[0] == pytest.approx((4 * slope(5e-4) - slope(1e-3)) / 3, rel=1e-8)


def test_a_method_of_a_list_that_a_function_captures_may_change_it() -> None:
    def factory(store: Any) -> Callable[[Any], Any]:
        return lambda value: store(value)

    def program(x: Any) -> Any:
        kept: list[Any] = [x]
        keep = factory(kept.append)
        keep(x * x)
        keep(kept[1] * x)
        return sum(kept)

    assert zg.gradient(program, 2.0) == (pytest.approx(1.0 + 4.0 + 12.0),)
