"""`any` and `all` of objects that are iterated over by methods of their own, and of lazy iterators."""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import units
from zygpy.testing import check_gradient

AT = np.array([0.7, -1.3, 2.1])


class ByIndex:
    """Items that are computed, which leaves a trace in a list."""

    def __init__(self, trace: list[Any]) -> None:
        self.trace = trace

    def __getitem__(self, index: int) -> float:
        self.trace.append(self.trace[0] * 2.0)
        if index == 2:
            raise IndexError
        return index - 1.0


class ByNext:
    """An iterator that leaves a trace."""

    def __init__(self, trace: list[Any]) -> None:
        self.trace = trace

    def __iter__(self) -> ByNext:
        return self

    def __next__(self) -> float:
        self.trace.append(self.trace[0] * 2.0)
        if len(self.trace) > 4:
            raise StopIteration
        return 1.0


class ByGenerator:
    """Items of a generator that leaves a trace."""

    def __init__(self, trace: list[Any]) -> None:
        self.trace = trace

    def __iter__(self) -> Any:
        for factor in (1, 2):
            self.trace.append(self.trace[0] * factor)
            yield factor


class Reading:
    """Items of a list, as they are."""

    def __init__(self, trace: list[Any]) -> None:
        self.trace = trace

    def __iter__(self) -> Any:
        return iter(self.trace)


def weighted(values):
    return sum(value * value * (place + 1) for place, value in enumerate(values))


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("cls", [ByIndex, ByNext, ByGenerator, Reading])
@pytest.mark.parametrize("ask", [any, all])
def test_objects_that_are_iterated_over(ask: Callable[[Any], bool], cls: Any, specialise: bool) -> None:
    def by_all(x):
        trace = [x[1]]
        trace.append(all(cls(trace)) * x[2])
        return weighted(trace)

    def by_any(x):
        trace = [x[1]]
        trace.append(any(cls(trace)) * x[2])
        return weighted(trace)

    with units.options(specialise=specialise):
        check_gradient(by_any if ask is any else by_all, AT)


def asks(items):
    return all(items)


def test_a_generator_that_another_function_asks() -> None:
    def function(x):
        trace = [x[1]]

        def see(value):
            trace.append(value * value)
            return value + 2

        asks(see(value) for value in x)
        return weighted(trace)

    check_gradient(function, AT)


class Holding:
    """An object with a container of which nothing is known where it is asked for its truth."""

    def __init__(self, waiting: Any, question: Callable[[Any], Any], x: float) -> None:
        self.waiting, self.question, self.x = waiting, question, x

    def go(self) -> float:
        waiting = self.waiting
        try:
            y = self.x * 3 if self.question(waiting) else self.x * 2
            with suppress(RuntimeError):
                self.x = y * y
        finally:
            self.question = None
        return self.x * self.x


def by_item(values: Any) -> bool:
    """Truth, found in an attempt."""
    try:
        return True if values else False  # noqa: SIM210
    except RuntimeError:
        return False


CONTAINERS: list[Callable[[], Any]] = [
    *(frozenset, deque, Counter),
    *(lambda: {1.5}, lambda: OrderedDict({1.5: 2.0})),
]


@pytest.mark.parametrize("question", [by_item, any, all])
def test_truth_of_containers_inside_objects(question: Any) -> None:
    for made in CONTAINERS:

        def program(x: float, made: Any = made) -> float:
            return Holding(made(), question, x).go()

        factor = (3 if question(made()) else 2) ** 4
        assert zg.gradient(program, 0.7)[0] == pytest.approx(4 * factor * 0.7**3)
        if made is deque:
            assert zg.derivative(zg.derivative(program))(0.7) == pytest.approx(12 * factor * 0.7**2)
