"""Gradients inside of gradients, of programs whose things are found by identity: second differences."""

from __future__ import annotations

import functools
import math
import os
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import zygpy

X = 1.5
PROGRAMS: list[Callable[[Any], Any]] = []
"""Functions of one number."""
TOTALS: dict[str, Any] = {}


def program(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Add a function to the programs."""
    PROGRAMS.append(function)
    return function


def second_difference(function: Callable[[Any], Any], x: float) -> float:
    """The second derivative of a plain function, by Richardson's extrapolation of two steps."""
    coarse, fine = (
        (function(x + step) - 2 * function(x) + function(x - step)) / step**2 for step in (2e-3, 1e-3)
    )
    return float((4 * fine - coarse) / 3)


class Body:
    def __init__(self, place: Any, speed: Any) -> None:
        self.place, self.speed = place, speed

    def move(self, step: Any) -> None:
        self.place = self.place + step * self.speed

    @property
    def energy(self) -> Any:
        return self.speed * self.speed + self.place * self.place

    def __iter__(self) -> Iterator[Any]:
        return iter([self.place, self.speed])


@dataclass
class Pair:
    first: Any
    rest: list[Any]


class Table(dict[str, Any]):
    def __missing__(self, key: str) -> Any:
        self[key] = value = self["base"] * len(key)
        return value


@program
def list_under_two_names(x: Any) -> Any:
    values = [x]
    same = values
    same.append(values[0] * x)
    return values[1] * same[0]


@program
def popped_and_inserted(x: Any) -> Any:
    values = [x, x * x]
    same = values
    last = same.pop()
    values.insert(0, last * x)
    return values[0] * last * values[-1]


@program
def method_of_a_list_in_a_variable(x: Any) -> Any:
    values: list[Any] = [x]
    take, put = values.pop, values.append
    put(x * x)
    return take() * take() * x


@program
def items_of_a_dict(x: Any) -> Any:
    table = {"a": x}
    same = table
    for key in list(table):
        same[key] = table[key] * x
    table.setdefault("b", 2 * x)
    return table["a"] + table["b"] * x * table["a"]


@program
def dict_filled_by_keywords(x: Any) -> Any:
    return Table(base=x)["abc"] * x


@program
def object_that_moves(x: Any) -> Any:
    body = Body(x, x * x)
    same = body
    same.speed = body.place * x
    body.move(x)
    return body.energy * same.place


@program
def object_that_is_walked_over(x: Any) -> Any:
    total = 0.0
    for number, value in enumerate(Body(x, x * x)):
        total += value * value * (number + x)
    return total


@program
def dataclass_with_a_list(x: Any) -> Any:
    pair = Pair(x, [x * x])
    pair.rest.append(pair.first * x)
    pair.first += pair.rest[0]
    return pair.first * pair.rest[1]


@program
def array_through_a_view(x: Any) -> Any:
    values = np.zeros(3)
    part = values[1:]
    part[0] = x
    part *= x
    values[1] = values[1] * x
    return np.sum(part * part) + values[1]


@program
def closure_that_counts(x: Any) -> Any:
    total = x

    def add(value: Any) -> Any:
        nonlocal total
        total = total * value
        return total

    return add(x) * add(2 * x) + total


@program
def caught_in_the_middle(x: Any) -> Any:
    values = [x]
    try:
        values.append(values[0] * x)
        raise ValueError(values[1] * x)
    except ValueError as error:
        return error.args[0] * values[0]


@program
def generator_with_a_state(x: Any) -> Any:
    def states() -> Iterator[Any]:
        state = [x, 1.0]
        for number in range(3):
            state[number % 2] = state[0] * state[1] + number / 10
            yield state

    return sum(state[0] * state[1] for state in states())


@program
def generator_expressions(x: Any) -> Any:
    values = [x, 2 * x]
    return sum(v * v * x for v in values) * max(v for v in values)


@program
def reduced(x: Any) -> Any:
    found: list[Any] = []
    for value in (x, x * x, 2.0):
        found.append(value * x)  # noqa: PERF401
    return functools.reduce(lambda a, b: a * b, found)


@program
def queue(x: Any) -> Any:
    waiting = deque([x, x * x])
    waiting.rotate(1)
    waiting.append(waiting.popleft() * waiting[0])
    return waiting[0] * waiting[1]


@program
def global_table(x: Any) -> Any:
    TOTALS["a"] = x
    return TOTALS["a"] * TOTALS["a"] * x


@program
def closure_that_calls_one_and_reads(x: Any) -> Any:
    state = x

    def write(value: Any) -> None:
        nonlocal state
        state = value

    def step(value: Any) -> None:
        write(value * state)

    step(x)
    step(x)
    return state


@program
def closure_inside_a_closure(x: Any) -> Any:
    state = x

    def middle() -> Callable[[Any], None]:
        def write(value: Any) -> None:
            nonlocal state
            state = value * state

        return lambda value: write(value * state)

    write = middle()
    write(x)
    return state * x


class Carried(Exception):
    pass


@program
def raised_in_a_loop_with_what_an_object_holds(x: Any) -> Any:
    y = x
    for _ in range(2):
        place = Body(y, 1.0).place
        try:
            if x > 0:
                raise Carried(place)
        except Carried as error:
            y = error.args[0] * x
    return y


@program
def values_made_by_a_function(x: Any) -> Any:
    squares = defaultdict(lambda: x * x)
    return squares["a"] * squares["b"]


class Two(NamedTuple):
    a: Any
    b: Any

    def product(self) -> Any:
        return self.a * self.b


class Doubled(Two):
    def product(self) -> Any:
        return super().product() * self.a


@program
def inherited_by_a_named_tuple(x: Any) -> Any:
    return Doubled(x, x * x).product()


@program
def product_of_a_list(x: Any) -> Any:
    values = [x, x * x]
    values.append(values[0])
    return math.prod(values)


EVERY = 1 if "ZYGPY_ALL_CASES" in os.environ else 4  # each takes long to derive


@pytest.mark.parametrize("function", PROGRAMS[::EVERY])
def test_gradient_inside(function: Callable[[Any], Any]) -> None:
    (found,) = zygpy.gradient(lambda x: zygpy.gradient(function, x)[0], X)
    assert found == pytest.approx(second_difference(function, X), rel=1e-6)


@pytest.mark.parametrize("function", PROGRAMS[:20:5])
def test_pullback_inside(function: Callable[[Any], Any]) -> None:
    def inner(x: Any) -> Any:
        _, back = zygpy.pullback(function, x)
        return back(x)[0]

    (found,) = zygpy.gradient(inner, X)
    first = zygpy.gradient(function, X)[0]
    assert found == pytest.approx(first + X * second_difference(function, X), rel=1e-6)


def test_value_and_gradient_inside() -> None:
    def inner(x: Any) -> Any:
        value, (bar,) = zygpy.withgradient(list_under_two_names, x)
        return value * bar

    assert zygpy.gradient(inner, X)[0] == pytest.approx(15 * X**4, rel=1e-12)  # x^3 times 3 x^2


def test_third_derivative() -> None:
    third = zygpy.derivative(zygpy.derivative(zygpy.derivative(list_under_two_names)))
    assert third(X) == pytest.approx(6.0, rel=1e-12)


def test_arguments_that_are_changed() -> None:
    def grow(values: list[Any], x: Any) -> Any:
        values.append(values[0] * x)
        values[0] = values[1] * values[1]
        return values[0] * x

    def inner(x: Any) -> Any:
        return zygpy.gradient(grow, [2.0], x)[1]

    # grow gives 4 x^3
    assert zygpy.gradient(inner, X)[0] == pytest.approx(24 * X, rel=1e-12)


def test_the_gradient_of_an_object_is_differentiated() -> None:
    def inner(x: Any) -> Any:
        bar = zygpy.gradient(lambda body: body.energy, Body(x, x * x))[0]
        return bar.place * bar.speed

    assert zygpy.gradient(inner, X)[0] == pytest.approx(12 * X**2, rel=1e-12)  # 2 x times 2 x^2


def filled_through_a_view(a, v, w):
    w[:] = a
    return math.sin(v[2])


def test_a_gradient_inside_of_arguments_that_share_memory():
    def outer(a):
        v = np.ones(3)
        return zygpy.gradient(filled_through_a_view, a, v, v[::-1])[0]

    def by_pullback(a):
        v = np.ones(3)
        return zygpy.pullback(filled_through_a_view, a, v, v[::-1])[1](1.0)[0]

    assert zygpy.gradient(outer, 0.7) == pytest.approx((-math.sin(0.7),))
    assert zygpy.gradient(by_pullback, 0.7) == pytest.approx((-math.sin(0.7),))


def test_an_array_of_rank_zero_that_is_written_between():
    def inner(a):
        y = np.zeros(())
        y[...] = a
        z = y * y
        y[...] = 2.0
        return y * z

    def outer(x, rest=()):
        return inner(x, *rest)

    for x in (np.array(0.5), 0.5, np.array([0.5])):
        (second,) = zygpy.gradient(lambda z: np.sum(zygpy.gradient(lambda q: np.sum(outer(q)), z)[0]), x)
        assert second == 4.0


def kept_in_a_global(x: Any) -> Any:
    TOTALS["kept"] = x**3
    return TOTALS["kept"]


def kept_in_an_object(x: Any) -> Any:
    body = Body(x * x, x)
    body.move(x)
    return body.place


chosen: Callable[[Any], Any] = math.sin


def through_the_chosen(x: Any) -> Any:
    return chosen(x) * x


@pytest.mark.parametrize("of", [zygpy.hessian_reverse, lambda f, x: zygpy.hvp(f, x, 1.0), zygpy.hessian])
@pytest.mark.parametrize("other", [kept_in_a_global, kept_in_an_object])
def test_a_global_function_becomes_another_one(
    other: Callable[[Any], Any], of: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was asked of the inner function when the outer one was derived is asked again."""
    for function in (lambda x: x**4, other, lambda x: x**2, other):
        monkeypatch.setitem(globals(), "chosen", function)
        expected = second_difference(through_the_chosen, X)
        assert of(through_the_chosen, X) == pytest.approx(expected, rel=1e-7)


def grown_in_an_attempt(a: float, items: list[Any], n: int) -> float:
    match (n, 1):
        case [0, _]:
            pass
        case [1, 1] | [_, 2]:
            try:
                kept = items
                items += [0.5]
                seen = kept  # noqa: F841
            finally:
                third = items[2]  # noqa: F841
        case _:
            pass
    return a * a * a


def shortened_in_an_attempt(a: float, items: list[Any], n: int) -> float:
    match (n, 1):
        case [1, 1] | [_, 2]:
            try:
                kept = items
                items *= 0
                items += [a]
                seen = kept  # noqa: F841
            finally:
                third = items[0]
        case _:
            third = a
    return third * a * a


@pytest.mark.parametrize("program", [grown_in_an_attempt, shortened_in_an_attempt])
@pytest.mark.parametrize("n", [0, 1, 2])
def test_second_derivatives_where_lists_become_longer_and_shorter(
    program: Callable[[float, list[Any], int], float], n: int
) -> None:
    """A list that is found by identity has no cotangent of its own at the call, however long it became."""

    def first(a: float, n: int) -> Any:
        return zygpy.gradient(program, a, [np.ones(3), np.ones(3)], n)[0]

    def with_list(a: float, items: list[Any]) -> Any:
        return zygpy.gradient(program, a, items, n)[0]

    assert zygpy.gradient(first, X, n)[0] == pytest.approx(6 * X)
    assert zygpy.gradient(with_list, X, [np.ones(3), np.ones(3)])[0] == pytest.approx(6 * X)


def test_second_derivatives_where_lists_of_other_lengths_come_into_a_variable() -> None:
    def exchanged(a: Any, b: Any) -> Any:
        total = a * a * b
        for _ in range(2):
            h = [b, a]
            v = [a, b, a]
            for _ in range(1):
                h[-1] += 1.0
                h, v = v, [a, a * b, a, b, a][:4]
            seen = sum(h) + len(v)
        return total + 0.0 * seen

    def slope(a: Any) -> Any:
        return zygpy.gradient(exchanged, a, 0.5)[0]

    assert zygpy.gradient(slope, X) == (pytest.approx(1.0),)


class Told(Exception):
    """An exception that carries a number."""


def tell(v: Any, x: Any) -> Any:
    raise Told(v)


PARTIALS = [functools.partial]


def passed_on(*args: Any) -> Any:
    return TELLERS[0](*args)


TELLERS = [tell]


def test_gradients_of_gradients_where_the_inner_one_calls_what_nobody_has_named() -> None:
    """What the function that is captured needs is known only in the way in which it is derived in the end."""

    def by_partial(x: Any) -> Any:
        v = np.array([x, x * x, 1.0])[1:]
        try:
            PARTIALS[0](tell, v)(x)
        except Told as e:
            return e.args[0][0] * x
        return 0.0

    def by_stars(x: Any) -> Any:
        try:
            PARTIALS[0](passed_on, x * x)(x)
        except Told as e:
            return e.args[0] * x
        return 0.0

    def slope_of(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def slope(x: Any) -> Any:
            return zygpy.gradient(f, x)[0]

        return slope

    for f in (by_partial, by_stars):
        assert zygpy.gradient(slope_of(f), X) == (pytest.approx(6 * X),)


class Gate:
    """Stands to the right of numbers of NumPy."""

    def __init__(self, gain: Any) -> None:
        self.gain = gain

    def __rmul__(self, other: Any) -> Any:
        return other + self.gain

    def __radd__(self, other: Any) -> Any:
        return other * self.gain


def test_methods_behind_numbers_of_numpy() -> None:
    def function(z: Any) -> Any:
        return (z[0] * Gate(z[1])) * z[0] + (z[0] + Gate(z[1]))

    # (z0 + z1) * z0 + z0 * z1
    product = zygpy.hvp(function, np.array([0.7, 0.4]), np.array([0.3, -0.8]))
    assert product == pytest.approx(np.array([[2.0, 2.0], [2.0, 0.0]]) @ [0.3, -0.8])


def through_a_copy(a: Any) -> Any:
    functions: list[Any] = []
    log: list[Any] = []

    def charge(value: Any) -> None:
        log.append(a * a * value)
        functions.append(1)

    functions.append(charge)
    copied = tuple(functions)
    copied[0](1.0)
    functions[0](10.0)
    return log[0] + log[1]


def test_functions_in_their_own_list_through_a_copy_of_it() -> None:
    inner, outer = zygpy.pullback(lambda a: zygpy.gradient(through_a_copy, a)[0], 2.0)
    assert inner == zygpy.gradient(through_a_copy, 2.0)[0] == pytest.approx(44.0, rel=1e-12)
    assert outer(1.0) == outer(1.0) == pytest.approx((22.0,), rel=1e-12)
    assert zygpy.hvp(through_a_copy, 2.0, 1.0) == pytest.approx(22.0, rel=1e-12)


def test_an_array_of_objects_that_is_made_of_lists_which_change() -> None:
    def f(a: Any) -> Any:
        items = [[a, 1.0], [2.0 * a, a]]
        table = np.array(items, dtype=object)
        items.reverse()
        items[0] = [a * a]
        return table[0, 0] * table[0, 0] * table[1, 1] + items[0][0] * items[1][0]

    assert zygpy.gradient(f, 2.0) == pytest.approx((24.0,), rel=1e-12)  # a^3 + a^3
    assert zygpy.gradient(lambda a: zygpy.gradient(f, a)[0], 2.0) == pytest.approx((24.0,), rel=1e-12)
    assert zygpy.hvp(f, 2.0, 1.0) == pytest.approx(24.0, rel=1e-12)
