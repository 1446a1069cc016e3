"""Functions under a cache: those that are given nothing differentiated, in programs that store in what others
find (what the cache keeps is one thing, however often it is asked for); those that programs put under a cache
themselves; and those that give what can be changed, which are entered, and would give another every time."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import units


class Holder:
    def __init__(self, value: float) -> None:
        self.value = value


@functools.lru_cache
def holder() -> Holder:
    return Holder(3.0)


@functools.cache
def table(count: int) -> list[float]:
    return [float(number) for number in range(count)]


@functools.cache
def fibonacci(number: int) -> int:
    return number if number < 2 else fibonacci(number - 1) + fibonacci(number - 2)


class Library:
    @functools.lru_cache  # noqa: B019
    def holder(self) -> Holder:
        return Holder(2.0)


LIBRARY = Library()
KEPT = [1.0]


@pytest.fixture(autouse=True)
def _as_they_were() -> Iterator[None]:
    forget()
    yield
    forget()


def forget() -> None:
    holder.cache_clear()
    table.cache_clear()
    Library.holder.cache_clear()
    KEPT[:] = [1.0]


def object_of_a_cache(x: float) -> Any:
    kept = holder()
    kept.value = x
    return holder().value * x


def object_of_a_method(x: float) -> Any:
    LIBRARY.holder().value = x
    return LIBRARY.holder().value * x


def list_of_a_cache(x: float) -> Any:
    table(3)[0] = x
    return table(3)[0] * x + table(3)[2]


def number_of_a_cache(x: float) -> Any:
    KEPT[0] = x * x
    return KEPT[0] * fibonacci(7) + len(table(4)) * x


PROGRAMS = [object_of_a_cache, object_of_a_method, list_of_a_cache, number_of_a_cache]


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize(
    "program", [object_of_a_cache, object_of_a_method, list_of_a_cache, number_of_a_cache]
)
def test_a_cache_gives_one_thing(program: Callable[[float], Any], *, specialise: bool) -> None:
    def plain(x: float) -> Any:
        forget()
        return program(x)

    forget()
    with units.options(specialise=specialise):
        value, back = zg.pullback(program, 2.0)
    assert value == plain(2.0)
    slope = (8 * (plain(2.001) - plain(1.999)) - (plain(2.002) - plain(1.998))) / 12e-3
    assert [back(1.0), back(1.0)] == [(pytest.approx(slope, rel=1e-9),)] * 2


# ------------------------------------------------------------------------------ caches that programs make


def path_of_least_cost(x: Any) -> Any:
    @functools.cache
    def cost(row: int, column: int) -> Any:
        here = x[(row * 3 + column) % 3] * (row + 1)
        if row == column == 0:
            return here
        best = math.inf
        if row > 0:
            best = min(best, cost(row - 1, column))
        if column > 0:
            best = min(best, cost(row, column - 1))
        return here + best

    return cost(4, 4)


def recurrence(x: Any) -> Any:
    @functools.lru_cache(maxsize=None)  # noqa: UP033  (as people write it)
    def term(n: int) -> Any:
        return x[n] if n < 2 else term(n - 1) * 0.5 + term(n - 2) * x[2]

    return term(9)


def what_it_tells(x: Any) -> Any:
    @functools.lru_cache(maxsize=2)
    def power(n: int, factor: int = 1) -> Any:
        return x[0] ** n * factor

    total = power(1) + power(2) + power(1) + power(3) + power(2, factor=2)
    told = power.cache_info()
    total = total + told.hits * x[1] + told.misses * x[0] + told.currsize * x[2]
    power.cache_clear()
    return (
        total * power.cache_parameters()["maxsize"] * len(power.__name__) + power.cache_info().misses * x[1]
    )


def one_list(x: Any) -> Any:
    @functools.cache
    def row(n: int) -> Any:
        return [x[0]] * n

    row(3)[1] = x[1]
    return row(3)[1] * row(3)[0] + (row(3) is row(3)) * x[2]


def one_array(x: Any) -> Any:
    @functools.cache
    def row(n: int) -> Any:
        return np.array([x[0] * n, x[1]])

    row(1)[0] = x[2]
    return row(1)[0] * row(1)[1] + row(2).sum()


def done_once(x: Any) -> Any:
    seen = []

    @functools.cache
    def power(n: int) -> Any:
        seen.append(n)
        return x[0] ** n

    return power(2) + power(2) + power(3) + len(seen) * x[1]


def by_types(x: Any) -> Any:
    @functools.lru_cache(typed=True)
    def row(a: Any, b: Any) -> Any:
        return [a * b * x[0]]

    row(1, 2)[0] = x[1]
    row(True, 2)[0] = x[2]
    return row(1, 2)[0] * row(True, 2)[0]


def of_a_factory(x: Any) -> Any:
    def made(y: Any) -> Any:
        @functools.cache
        def times(n: int) -> Any:
            return y * n

        return times

    a, b = made(x[0]), made(x[1])
    return a(2) * b(2) * a(2) + sum(map(a, [1, 1, 2]))


def by_numbers(x: Any) -> Any:
    """Two equal numbers depend on different things."""

    @functools.cache
    def rate(time: Any) -> Any:
        return math.exp(-x[0] * time)

    return rate(x[1]) + 3 * rate(x[2]) + rate(x[1])


def without_room(x: Any) -> Any:
    count = [0]

    @functools.lru_cache(maxsize=0)
    def counted(n: int) -> Any:
        count[0] += 1
        return x[0] * n * count[0]

    return counted(2) + counted(2)


def under_another_decorator(x: Any) -> Any:
    def scaled(function: Any) -> Any:
        kept = functools.cache(function)

        @functools.wraps(function)
        def wrapper(*args: Any) -> Any:
            return kept(*args) * x[1]

        return wrapper

    @scaled
    def times(n: int) -> Any:
        return x[0] * n

    return times(3) * times(3)


def of_a_class(x: Any) -> Any:
    class Base:
        def __init__(self, value: Any) -> None:
            self.value = value

        @functools.cache  # noqa: B019
        def power(self, n: int) -> Any:
            return self.value**n * x[2]

    a, b = Base(x[0]), Base(x[1])
    return a.power(2) * a.power(3) + b.power(2) + b.power(2)


OWN = [
    *(path_of_least_cost, recurrence, what_it_tells, one_list, one_array, done_once, by_types, of_a_factory),
    *(by_numbers, without_room, under_another_decorator, of_a_class),
]
"""Programs that put functions under a cache."""


def slopes(program: Callable[[Any], float], at: list[float]) -> list[float]:
    """The gradient by differences of fourth order."""

    def moved(place: int, step: float) -> float:
        return program([value + step * (place == index) for index, value in enumerate(at)])

    near = [moved(place, 1e-3) - moved(place, -1e-3) for place in range(3)]
    far = [moved(place, 2e-3) - moved(place, -2e-3) for place in range(3)]
    return [(8 * a - b) / 12e-3 for a, b in zip(near, far, strict=True)]


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("program", OWN)
def test_caches_of_programs(program: Callable[[Any], Any], *, specialise: bool) -> None:
    at = [0.6, 0.7, 0.7]
    with units.options(specialise=specialise):
        value, back = zg.pullback(program, at)
        (bar,), again = back(1.0), back(1.0)
    assert value == program(at)
    assert again == (bar,)
    assert [part or 0.0 for part in bar] == pytest.approx(slopes(program, at), rel=1e-8)


@pytest.mark.parametrize("program", OWN[::3])
def test_second_derivatives(program: Callable[[Any], Any]) -> None:
    at, along = [0.6, 0.7, 0.9], [1.0, -0.5, 0.25]

    def slope(values: list[float]) -> float:
        (bar,) = zg.gradient(program, values)
        return sum((part or 0.0) * step for part, step in zip(bar, along, strict=True))

    found = zg.hvp(program, at, along)
    assert [part or 0.0 for part in found] == pytest.approx(slopes(slope, at), rel=1e-6)


def test_calls_are_counted_as_by_python() -> None:
    """The work is that of the plain program, not more."""
    calls = []

    def program(x: float) -> Any:
        @functools.cache
        def fibonacci(n: int) -> Any:
            zg.ignore(lambda: calls.append(n))
            return x**n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

        return fibonacci(20)

    program(1.1)
    plain = list(calls)
    calls.clear()
    assert zg.gradient(program, 1.1) == (6765.0,)
    assert calls == plain


def equal_numbers_of_a_function_that_counts(x: Any) -> Any:
    count = [0]

    @functools.cache
    def counted(v: Any) -> Any:
        count[0] += 1
        return v * count[0]

    return counted(x) + counted(x)


def a_list_by_equal_numbers(x: Any) -> Any:
    @functools.cache
    def pair(v: Any) -> Any:
        return [v, 1.0]

    pair(x)[1] = x
    return pair(x)[1]


@functools.cache
def kept_list(x: Any) -> list[Any]:
    return [x, 0.0]


@functools.cache
def kept_array(x: Any) -> Any:
    return np.array([x, 2 * x])


@functools.cache
def kept_holder(x: Any) -> Holder:
    return Holder(x)


@functools.cache
def what_is_kept(number: int) -> Any:
    return [KEPT, number]


def stored_in_its_list(x: Any) -> Any:
    kept_list(x)[1] = x
    return kept_list(x)[1]


def stored_by_a_function(x: Any) -> Any:
    def fill(items: Any) -> None:
        items.append(x)

    fill(kept_list(x))
    return kept_list(x)[-1]


def stored_in_its_array(x: Any) -> Any:
    kept_array(x)[0] = x * x
    return kept_array(x)[0]


def stored_in_its_object(x: Any) -> Any:
    kept_holder(x).value = x * x
    return kept_holder(x).value


def stored_by_another_name(x: Any) -> Any:
    [kept_list][0](x)[1] = x
    return [kept_list][0](x)[1]


def stored_in_what_it_found(x: Any) -> Any:
    what_is_kept(1)[0] = x
    KEPT[0] = x
    return what_is_kept(1)[0]


REFUSED = [
    *(equal_numbers_of_a_function_that_counts, a_list_by_equal_numbers, stored_in_its_list),
    *(stored_by_a_function, stored_in_its_array, stored_in_its_object, stored_by_another_name),
    stored_in_what_it_found,
]


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("program", REFUSED)
def test_refused(program: Callable[[Any], Any], *, specialise: bool) -> None:
    """Another thing would be given every time, or something would be done twice."""
    with (
        units.options(specialise=specialise),
        pytest.raises(zg.UnsupportedSyntaxError, match="under a cache"),
    ):
        zg.gradient(program, 0.6)


def read_alone(x: Any) -> Any:
    kept = kept_list(x)
    return kept_array(x)[0] * kept_array(x)[1] * kept[0] * sum([*kept, x])


def test_what_is_only_read() -> None:
    assert zg.gradient(read_alone, 0.6) == (pytest.approx(4 * 4 * 0.6**3, rel=1e-12),)
