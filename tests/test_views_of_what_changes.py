"""Views of dicts, copies of iterators, and what unknown code makes of a list: they show what is there when it
is asked for, not what was there when they were made."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy
from zygpy.testing.numeric import slope

AT = (0.7, 0.9)


def square(q: Any) -> Any:
    return q * q


def cube(q: Any) -> Any:
    return q * q * q


# ---------------------------------------------------------------------- views that are unpacked


def unpacked(x: Any, y: Any) -> Any:
    table = {"a": 0.5, "b": 0.7}
    values, pairs = table.values(), table.items()
    table["b"] = x * y
    first, second = values
    (_, third), (_, fourth) = pairs
    return first * second + third * fourth * [*values][1] + (*values, 1.0)[1]


def unpacked_into_a_call(x: Any, y: Any) -> Any:
    table = {"a": 0.5, "b": 0.7}
    values, pairs = table.values(), table.items()
    table["b"] = x * y
    return math.hypot(*values) * max(*pairs)[1]


def unpacked_after_a_replacement(x: Any, y: Any) -> Any:
    table = {"a": x, "b": y}
    values = table.values()
    table["b"] = x * y
    table["c"] = y * y
    first, second, third = values
    return first * second * third


class Table:
    def __init__(self) -> None:
        self.items: dict[str, Any] = {"a": 0.5, "b": 0.7}
        self.values = self.items.values()

    def put(self, value: Any) -> None:
        self.items["b"] = value


def kept_in_a_field(x: Any, y: Any) -> Any:
    table = Table()
    table.put(x * y)
    first, second = table.values
    return first * second * second


def kept_in_a_list(x: Any, y: Any) -> Any:
    table = {"a": 0.5, "b": 0.7}
    views = [table.values()]
    table.update(b=x * y)
    return sum([second for _, second in views])


def copies_of_an_iterator(x: Any, y: Any) -> Any:
    values = [0.5, 0.7]
    first, second = itertools.tee(values)
    values[1] = x * y
    return sum(first) * sum(second)


# ---------------------------------------------------------------------- items of other kinds


def other_functions(x: Any, y: Any) -> Any:
    table, total = {"a": square, "b": square}, 0.0
    for _, function in table.items():  # noqa: PERF102
        table["b"] = cube
        total += function(x) * y
    return total


def other_functions_by_a_function(x: Any, y: Any) -> Any:
    table, total = {"a": square, "b": square}, 0.0
    pairs = table.items()

    def change() -> None:
        table["b"] = cube

    for _, function in pairs:
        change()
        total += function(x) * y
    return total


def other_functions_before_the_loop(x: Any, y: Any) -> Any:
    table, total = {"a": square, "b": square}, 0.0
    functions = table.values()
    table["b"] = cube
    for function in functions:
        total += function(x) * y
    _, second = functions
    return total * second(x)


def other_builtins(x: Any, y: Any) -> Any:
    table, total = {1: math.sin, 2: math.sin}, 0.0
    for function in table.values():
        table[2] = math.exp
        total += function(x) * y
    return total


class Twice:
    def __init__(self, value: Any) -> None:
        self.value = value

    def get(self) -> Any:
        return 2 * self.value


class Squared(Twice):
    def get(self) -> Any:
        return self.value * self.value


def other_classes(x: Any, y: Any) -> Any:
    table: dict[int, Any] = {1: Twice, 2: Twice}
    total = 0.0
    for cls in table.values():
        table[2] = Squared
        total += cls(x).get() * y
    return total


def arrays_for_numbers(x: Any, y: Any) -> Any:
    table: dict[int, Any] = {1: x, 2: x}
    total = 0.0
    for value in table.values():
        table[2] = np.array([x, y])
        total += np.sum(value * x)
    return total


def numbers_for_arrays(x: Any, y: Any) -> Any:
    table: dict[int, Any] = {1: np.ones(2), 2: np.ones(2)}
    total = 0.0
    for value in table.values():
        table[2] = x * y
        total += np.sum(value * x)
    return total


def numbers_for_none(x: Any, y: Any) -> Any:
    table: dict[int, Any] = {1: None, 2: None}
    total = 0.0
    for _, (_, value) in enumerate(table.items()):
        table[2] = x * y
        total += value if value else y
    return total


# ---------------------------------------------------------------------- what unknown code gives


def in_a_list(values: Any) -> Any:
    return [values]


def in_a_dict(values: Any) -> Any:
    return {"a": (values, 1)}


WRAPPING = {"list": in_a_list, "dict": in_a_dict}


def wrapped(values: Any) -> Any:
    return WRAPPING["list"](values)


def in_what_unknown_code_makes(x: Any, y: Any) -> Any:
    values = [0.5, 0.7]
    first, second = WRAPPING["list"](values)[0], WRAPPING["dict"](values)["a"][0]
    third = wrapped(values)[0]
    values[1] = x * y
    return first[1] * second[1] * third[1]


PROGRAMS = [
    *(unpacked, unpacked_into_a_call, unpacked_after_a_replacement, kept_in_a_field, kept_in_a_list),
    *(copies_of_an_iterator, other_functions, other_functions_by_a_function),
    *(other_functions_before_the_loop, other_builtins, other_classes, arrays_for_numbers),
    *(numbers_for_arrays, numbers_for_none, in_what_unknown_code_makes),
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_value_gradient_and_tangent(f: Callable[[Any, Any], Any]) -> None:
    x, y = AT
    expected = [
        slope(lambda t: float(f(x + t, y)), 0.02).value,
        slope(lambda t: float(f(x, y + t)), 0.02).value,
    ]
    value, back = zygpy.pullback(f, x, y)
    assert value == f(x, y)
    for _ in range(2):
        assert back(1.0) == pytest.approx(expected, rel=1e-7, abs=1e-9)
    tangent = zygpy.pushforward(f, x, y)(1.0, 2.0)
    assert tangent == pytest.approx(expected[0] + 2 * expected[1], rel=1e-7, abs=1e-9)


class Sum:
    """A sum with named terms, as polynomials and quantities with units are made."""

    def __init__(self, terms: Any) -> None:
        self.terms = terms

    def __add__(self, other: Any) -> Sum:
        terms = dict(self.terms)
        terms["n"] = other
        return Sum(terms)

    def __and__(self, other: Sum) -> Sum:
        terms = dict(zip(self.terms.keys(), self.terms.values(), strict=True))
        for key, value in other.terms.items():
            terms[key] = terms.get(key, 0.0) + value
        return Sum(terms)

    def __or__(self, other: Any) -> Sum:
        terms = dict(self.terms, n=other)
        terms["n"] = terms["n"] * 2
        return Sum(terms)


def test_operators_that_change_their_own_copy() -> None:
    def f(x: Any, y: Any) -> Any:
        added, joined, with_more = Sum({0: x}) + y, Sum({0: x}) & Sum({0: y, 1: x}), Sum({0: x}) | y
        return (
            added.terms["n"] * joined.terms[0] * joined.terms[1] * with_more.terms["n"] * with_more.terms[0]
        )

    x, y = AT  # y * (x + y) * x * 2 y * x
    expected = (2 * y**2 * (3 * x**2 + 2 * x * y), 2 * x**2 * (2 * x * y + 3 * y**2))
    assert zygpy.gradient(f, x, y) == pytest.approx(expected, rel=1e-12)


def keys_that_are_numbers(x: Any, y: Any) -> Any:
    flows, total = {1: x, 2: y}, 0.0
    for place, (year, flow) in enumerate(flows.items()):
        total += (place + 1) * year * flow * flow
    for year, flow in reversed(flows.items()):
        total = total * year + flow
    later = {year + 1: year * flow for year, flow in flows.items()}
    pairs = list(later.items())
    return total + sum(flow**year for year, flow in later.items()) * pairs[1][0] * pairs[1][1]


def keys_in_tuples(x: Any, y: Any) -> Any:
    table, total = {(1.0, 2.0): x, (3.0, 4.0): y}, 0.0
    for (first, second), value in table.items():
        total += first * value + second * value * value
    return total


@pytest.mark.parametrize("f", [keys_that_are_numbers, keys_in_tuples])
def test_keys_have_no_tangents(f: Callable[[Any, Any], Any]) -> None:
    test_value_gradient_and_tangent(f)
