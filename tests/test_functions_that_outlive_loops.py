"""Functions that share a variable which is bound anew, called where what made them has returned: they find
the last value, and its cotangent may come in when it is too late, which is refused."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from zygpy import units

# ruff: noqa: B023  (that a variable is bound anew is what is asked)

X = np.array([0.73, -1.21, 0.41])
KEPT: list[Any] = []


class Holder:
    def __init__(self) -> None:
        self.functions: list[Any] = []
        self.last: Any = None


def fill(things: Any, x: Any, a: Any) -> None:
    for v in x:
        things.append(lambda y: y * v * a)


def in_a_given_list(x: Any) -> Any:
    functions: list[Any] = []
    fill(functions, x, x[1])
    return functions[0](x[0]) * functions[1](x[2]) + functions[2](x[1])


def used(functions: Any, y: Any) -> Any:
    return functions[0](y) * functions[1](y) + functions[2](y)


def in_a_dict_of_a_comprehension(x: Any) -> Any:
    a = x[0]
    return used({k: lambda y: y * v * a for k, v in enumerate(x)}, x[1])


def bound_later(holder: Any, a: Any, b: Any) -> None:
    t = a
    holder.last = lambda y: y * t
    holder.functions.append(holder.last(2.0))
    t = t * b
    holder.functions.append(holder.last(3.0))
    t = t + b


def in_a_field(x: Any) -> Any:
    holder = Holder()
    bound_later(holder, x[0], x[1])
    before, between = holder.functions
    return holder.last(x[2]) * before + between * holder.last(x[0])


def used_from_outside(y: Any) -> Any:
    return KEPT[0](y) * KEPT[1](y) + KEPT.pop()(y)


def in_a_global_list(x: Any) -> Any:
    KEPT.clear()
    k = 0
    while k < 3:
        z = x[k] * x[0]
        k += 1

        def scaled(y: Any, *, w: Any = z) -> Any:
            return y * z + w

        KEPT.append(scaled)
    return used_from_outside(x[1])


FACTORS: dict[str, Any] = {}


def wrapping(function: Any) -> Any:
    v = FACTORS["a"] * 2

    @functools.wraps(function)
    def call(y: Any) -> Any:
        return function(y) * v

    return call


def fill_wrapped(functions: Any, x: Any, a: Any) -> None:
    for v in x:
        functions.append(wrapping(lambda y: y * v * a))


def with_a_variable_of_the_same_name_around(x: Any) -> Any:
    functions: list[Any] = []
    FACTORS["a"] = x[1]
    fill_wrapped(functions, x, x[0])
    return used(functions, x[2])


def fill_nested(functions: Any, x: Any, a: Any) -> None:
    for v in x:
        z = v * a
        functions.append(lambda y: lambda q: y * v * q + z)


def further_in(x: Any) -> Any:
    functions: list[Any] = []
    fill_nested(functions, x, x[0])
    return functions[0](x[1])(x[0]) * functions[1](x[0])(x[2]) + functions[2](x[0])(1.0)


def count(holder: Any, x: Any, a: Any) -> None:
    n = a
    for v in x:

        def step(y: Any) -> Any:
            nonlocal n
            n = n * y + v
            return n

        holder.functions.append(step)
    n = n * 2


def with_a_counter(x: Any) -> Any:
    holder = Holder()
    count(holder, x, x[0])
    first, second, _ = holder.functions
    return first(x[1]) + second(x[2]) * first(x[0])


def fill_and_fail(functions: Any, x: Any, a: Any) -> None:
    for v in x:
        functions.append(lambda y: y * v * a)
        if v < 0:
            raise ValueError(v)


def left_by_an_exception(x: Any) -> Any:
    functions: list[Any] = []
    try:
        fill_and_fail(functions, x, x[2])
    except ValueError as error:
        return functions[0](x[0]) * functions[1](x[2]) * error.args[0]
    return None


def fill_partly(holder: Any, x: Any, a: Any) -> None:
    for v in x:

        def scaled(k: Any, y: Any) -> Any:
            return k * y * v + a

        holder.functions.append(functools.partial(scaled, v))
    holder.last = holder.functions[1]
    v = a * 2


def partly_called(x: Any) -> Any:
    holder = Holder()
    fill_partly(holder, x, x[0])
    return holder.functions[0](x[1]) * holder.functions[1](x[2]) + holder.last(x[0])


def returned(x: Any) -> Any:
    def make() -> Any:
        functions = []
        for v in x:
            functions.append(lambda y: y * v)  # noqa: PERF401
        return functions

    return used(make(), x[0])


def called_where_they_are_made(x: Any) -> Any:
    functions: list[Any] = []
    total = 0.0
    for v in x:
        functions.append(lambda y: y * v)
        total = total + functions[0](x[1])
    return total * functions[0](x[0])


def applied_by_another(x: Any) -> Any:
    def applied(function: Any, *args: Any) -> Any:
        return function(*args)

    for k in range(3):
        a = {"a": k * x}
        x = applied(lambda h: np.tanh(h) * a["a"] + h, x)
    return np.sum(x)


PROGRAMS = (
    in_a_given_list,
    in_a_dict_of_a_comprehension,
    in_a_field,
    in_a_global_list,
    with_a_variable_of_the_same_name_around,
    further_in,
    with_a_counter,
    left_by_an_exception,
    partly_called,
)

FOLLOWED = (returned, called_where_they_are_made, applied_by_another)


WORDS = "is called when what binds"


def is_right(found: Callable[[], Any], expected: Any) -> bool:
    """Whether what is found is right; otherwise it must be refused."""
    try:
        value = found()
    except zg.UnsupportedSyntaxError as refusal:
        if WORDS in str(refusal) or "share" in str(refusal):
            return False
        raise
    np.testing.assert_allclose(value, expected, rtol=1e-6, atol=1e-7)
    return True


def modes(program: Callable[..., Any]) -> list[Callable[[], Any]]:
    along = np.eye(3)
    return [
        lambda: zg.gradient(program, X.copy())[0],
        lambda: zg.gradient(lambda x: [program][0](x), X.copy())[0],
        lambda: [zg.pushforward(program, X.copy())(direction) for direction in along],
    ]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_cotangent_is_that_of_the_last_value_or_refused(program: Callable[..., Any]) -> None:
    expected = differences(program, X)
    for found in modes(program):
        is_right(found, expected)


@pytest.mark.parametrize("program", FOLLOWED, ids=lambda program: program.__name__)
def test_functions_called_by_what_binds_the_variable_are_followed(
    program: Callable[..., Any],
) -> None:
    expected = differences(program, X)
    assert all(is_right(found, expected) for found in modes(program))


def test_the_refusal_says_what_to_do() -> None:
    with pytest.raises(
        zg.UnsupportedSyntaxError, match="'v' is called when what binds 'v' has returned"
    ) as info:
        zg.gradient(in_a_given_list, X.copy())
    assert "lambda v=v" in str(info.value)


def test_in_code_without_kinds() -> None:
    with units.options(specialise=False):
        is_right(modes(in_a_dict_of_a_comprehension)[0], differences(in_a_dict_of_a_comprehension, X))
