"""Functions that carry what is differentiated - methods of tuples and numbers, partial calls, closures -
found where programs keep functions, and called from there."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import operator
from collections import defaultdict
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

import zygpy as zg
from zygpy import units

KEPT = [1.0]


class Rate(NamedTuple):
    value: Any

    def times(self, count: Any) -> Any:
        return self.value * count

    def __call__(self, count: Any) -> Any:
        return self.value * count


class Twice(Rate):
    __slots__ = ()

    def times(self, count: Any) -> Any:
        above = super().times
        return above(count) * 2

    def here(self, count: Any) -> Any:
        method = self.times
        return method(count) * method.__self__.value


class Weight:
    def __init__(self, value: Any) -> None:
        self.value = value

    def times(self, count: Any) -> Any:
        return self.value * count


class Holder:
    function: Any

    def __init__(self, function: Any) -> None:
        self.function = function

    def run(self, count: Any) -> Any:
        return self.function(count)


class Pair(NamedTuple):
    function: Any
    number: Any


@dataclasses.dataclass
class Field:
    function: Any


def product(a: Any, count: Any) -> Any:
    return a * count


def product_of(count: Any, a: Any) -> Any:
    return a * count


# ------------------------------------------------------------------------------------ what carries a number


def closure(x: Any) -> Any:
    a = x * x
    return lambda count: a * count


def default_value(x: Any) -> Any:
    def function(count: Any, a: Any = x * x) -> Any:
        return a * count

    return function


def method_of_a_number_inside(x: Any) -> Any:
    conjugate = (x * x * (1 + 2j)).conjugate
    return lambda count: conjugate().imag * count


CARRIERS: dict[str, Callable[[Any], Any]] = {
    "method of a named tuple": lambda x: Rate(x * x).times,
    "inherited method": lambda x: Twice(x * x).times,
    "method that asks for itself": lambda x: Twice(x * x).here,
    "named tuple that is called": lambda x: Rate(x * x),
    "method of an object": lambda x: Weight(x * x).times,
    "partial call": lambda x: functools.partial(product, x * x),
    "partial call by keyword": lambda x: functools.partial(product_of, a=x * x),
    "partial call of a partial call": lambda x: functools.partial(functools.partial(Rate.times, Rate(x * x))),
    "partial call of a method": lambda x: functools.partial(Rate(x * x).times),
    "closure": closure,
    "default value": default_value,
    "operator of a number": lambda x: (x * x).__mul__,
    "method of a number": method_of_a_number_inside,
    "item of a tuple": lambda x: (x, x * x).__getitem__,
    "item of a list": lambda x: [x, x * x].__getitem__,
    "entry of a dict": lambda x: {1: x * x, 0: x}.get,
}


# ------------------------------------------------------------------------------------ where it is called from


def apply(function: Any, count: Any) -> Any:
    return function(count)


def in_a_field_that_changes(function: Any, x: Any) -> Any:
    holder = Holder(lambda count: x)
    old = holder.function
    holder.function = function
    result = holder.function(1)
    holder.function = old
    return result + holder.function(1)


def by_setattr(function: Any, x: Any) -> Any:
    holder = SimpleNamespace()
    setattr(holder, "function", function)  # noqa: B010
    return getattr(holder, "function")(1) * x  # noqa: B009


def in_several_fields(function: Any, x: Any) -> Any:
    holders = [Holder(function), Holder(function)]
    return sum([holder.function(1) * x for holder in holders])


def nested(function: Any, x: Any) -> Any:
    result = 0.0
    for found, factor in {"a": [(function, x)]}["a"]:
        result = found(1) * factor
    return result


def in_a_try(function: Any, x: Any) -> Any:
    try:
        return function(1)
    except ValueError:
        return x


def wrapped(function: Any, x: Any) -> Any:
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs) * x

    return wrapper(1)


def as_default_value(function: Any, x: Any) -> Any:
    def called(count: Any, function: Any = function) -> Any:
        return function(count) * x

    return called(1)


def returned(function: Any, x: Any) -> Any:
    def both() -> Any:
        return function, x

    found, factor = both()
    return found(1) * factor


USES: dict[str, Callable[[Any, Any], Any]] = {
    "directly": lambda function, x: function(1),
    "field": lambda function, x: Holder(function).function(1) * x,
    "field that a method calls": lambda function, x: Holder(function).run(1) * x,
    "field that changes": in_a_field_that_changes,
    "fields of several objects": in_several_fields,
    "field of a dataclass": lambda function, x: Field(function).function(1) * x,
    "field of a named tuple": lambda function, x: Pair(function, x).function(1) * Pair(function, x)[0](1),
    "field by its name": by_setattr,
    "dict": lambda function, x: {"k": function}["k"](1) * x,
    "default of a dict": lambda function, x: defaultdict(lambda: function)["k"](1),
    "list": lambda function, x: [function][0](1) * x,
    "nested containers": nested,
    "map": lambda function, x: sum(map(function, [0, 1])),
    "starmap": lambda function, x: sum(itertools.starmap(function, [(0,), (1,)])),
    "accumulate": lambda function, x: list(itertools.accumulate([x, x], lambda a, b: a + b * function(1)))[
        -1
    ],
    "reduce": lambda function, x: functools.reduce(lambda a, b: a * function(b), [1, 1], x),
    "comprehension": lambda function, x: sum([function(count) for count in (0, 1)]),
    "generator": lambda function, x: sum(function(count) for count in (0, 1)),
    "key": lambda function, x: max([0, 1], key=function) * function(1),
    "other function": lambda function, x: apply(function, 1),
    "partial call of another function": lambda function, x: functools.partial(apply, function)(1),
    "operator.call": lambda function, x: operator.call(function, 1),
    "unpacked arguments": lambda function, x: function(*[1]),
    "try": in_a_try,
    "wrapper": wrapped,
    "default value": as_default_value,
    "result": returned,
}


def expected(program: Callable[[float], float], at: float) -> float:
    """The derivative by differences of fourth order."""
    step = 1e-3
    near, far = program(at + step) - program(at - step), program(at + 2 * step) - program(at - 2 * step)
    return (8 * near - far) / (12 * step)


def in_the_way(
    carrier: Callable[[Any], Any], use: Callable[[Any, Any], Any], place: int
) -> Callable[[Any], Any]:
    """A program in which a function that carries something is kept while something else is stored."""

    def stored_outside(x: Any) -> Any:
        function = carrier(x)
        KEPT[0] = x
        return use(function, x) * KEPT[0]

    def stored_in_a_list(x: Any) -> Any:
        kept = [x]
        function = carrier(x)
        kept[0] = x * x
        return use(function, x) * kept[0]

    def nothing_stored(x: Any) -> Any:
        return use(carrier(x), x)

    return (stored_outside, stored_in_a_list, nothing_stored)[place % 3]


NUMBERED = list(enumerate(itertools.product(CARRIERS, USES)))


@pytest.mark.parametrize(
    ("number", "carrier", "use"), [(number, *case) for number, case in NUMBERED], ids=lambda value: str(value)
)
def test_gradients(number: int, carrier: str, use: str) -> None:
    """Every third program stores what others find, every second is derived without kinds."""
    program = in_the_way(CARRIERS[carrier], USES[use], number)
    with units.options(specialise=number % 2 == 0):
        value, back = zg.pullback(program, 1.5)
        bars = [back(1.0), back(1.0)]
    assert value == program(1.5)
    assert bars == [(pytest.approx(expected(program, 1.5), rel=1e-8),)] * 2


HANDED_ON = ("method of a number", "item of a list", "entry of a dict")
"""Carriers whose second derivatives are refused where `hvp` does not know the functions by name."""


@pytest.mark.parametrize(
    ("carrier", "use"),
    [case for number, case in NUMBERED if number % 29 == 0 and case[0] not in HANDED_ON],
)
def test_second_derivatives(carrier: str, use: str) -> None:
    program = in_the_way(CARRIERS[carrier], USES[use], 2)
    slope = expected(lambda at: zg.gradient(program, at)[0], 1.5)
    assert zg.hvp(program, 1.5, 1.0) == pytest.approx(slope, rel=1e-8)


@pytest.mark.parametrize("noted", [False, True])
def test_partial_calls_of_partials_found_by_name(noted: bool) -> None:
    scaled = functools.partial(lambda c, x: c * x * x, 2.0)
    if noted:  # Python makes one of two only where the inner one has no attributes
        scaled.note = "doubled"  # type: ignore[attr-defined]
    assert zg.gradient(lambda x: functools.partial(scaled, x)() * 3.0, 0.5) == (6.0,)
