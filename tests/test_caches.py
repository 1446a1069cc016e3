"""Functions under a cache that are given nothing differentiated, in programs that store in what others find:
what the cache keeps is one thing, however often it is asked for."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

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
