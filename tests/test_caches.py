"""Functions under a cache: those that are given nothing differentiated, in programs that store in what others
find (what the cache keeps is one thing, however often it is asked for), and those that give what can be
changed, which are entered, and would give another every time."""

from __future__ import annotations

import functools
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


# ---------------------------------------------------------------- functions that give what can be changed


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
    *(
        stored_in_its_list,
        stored_by_a_function,
        stored_in_its_array,
        stored_in_its_object,
        stored_by_another_name,
    ),
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


def under_its_own_cache(x: Any) -> Any:
    @functools.cache
    def power(n: int) -> Any:
        return x**n

    return power(2) + power(2)


def by_equal_numbers(x: Any, n: Any) -> Any:
    @functools.cache
    def power(n: int) -> Any:
        return x**n

    return power(n) + power(3)


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
def test_caches_of_what_is_differentiated(*, specialise: bool) -> None:
    """Equal integers may depend on different things, which a table does not tell apart."""
    with units.options(specialise=specialise):
        assert zg.gradient(under_its_own_cache, 0.6) == (pytest.approx(2.4, rel=1e-12),)
        assert zg.gradient(lambda x: by_equal_numbers(x, 3), 0.6) == (pytest.approx(6 * 0.36, rel=1e-12),)
        with pytest.raises(zg.MissingRuleError, match="under a cache gives, by a whole number"):
            zg.gradient(lambda n: by_equal_numbers(0.6, n), 3)
        with pytest.raises(zg.MissingRuleError, match="under a cache gives, by a whole number"):
            zg.pushforward(lambda n: by_equal_numbers(0.6, n), 3)(1.0)


def read_alone(x: Any) -> Any:
    kept = kept_list(x)
    return kept_array(x)[0] * kept_array(x)[1] * kept[0] * sum([*kept, x])


def test_what_is_only_read() -> None:
    assert zg.gradient(read_alone, 0.6) == (pytest.approx(4 * 4 * 0.6**3, rel=1e-12),)
