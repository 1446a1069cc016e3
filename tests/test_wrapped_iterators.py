"""Iterators that ask another one for its items, and end when that ends."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg
from zygpy.testing import check_gradient


class Counted:
    def __init__(self, source: Any) -> None:
        self.source = iter(source)
        self.count = 0

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        item = next(self.source)
        self.count += 1
        return item


class CountedBefore(Counted):
    def __next__(self) -> Any:
        self.count += 1
        return next(self.source) * self.count


class Growing(Counted):
    def __next__(self) -> Any:
        self.count = 2 * self.count + 1
        return next(self.source) * self.count


class Squared(Counted):
    def __next__(self) -> Any:
        found = self.square(next(self.source))
        self.count += found
        return found + self.count

    def square(self, item: Any) -> Any:
        return item * item


class Large(Counted):
    def __next__(self) -> Any:
        self.last = next(self.source)
        while self.last < 0.45:
            self.last = next(self.source)
        self.count += 1
        return self.last


class Patient(Counted):
    def __next__(self) -> Any:
        self.count += 1
        with contextlib.suppress(StopIteration):
            return next(self.source)
        if self.count > 5:
            raise StopIteration
        return self.count * self.last

    def __init__(self, source: Any, last: Any) -> None:
        super().__init__(source)
        self.last = last


def behind_the_end(x: Any, y: Any) -> Any:
    return sum(Patient([x, y], x * y))


def test_an_end_that_is_suppressed_is_none() -> None:
    """It is right, or refused."""
    assert behind_the_end(1.0, 2.0) == 1 + 2 + (3 + 4 + 5) * 2
    with contextlib.suppress(zg.ZygpyError):
        assert zg.gradient(behind_the_end, 1.0, 2.0) == pytest.approx((1 + 12 * 2, 1 + 12))


def in_a_loop(x: Any, y: Any) -> Any:
    items, total = Counted([x, y]), 0
    for item in items:
        total += item * items.count
    return total * x


def summed(x: Any, y: Any) -> Any:
    items = CountedBefore([x, y, x * y])
    return sum(items) * items.count


def grown(x: Any, y: Any) -> Any:
    items = Growing([x, y])
    return sum(items) * items.count


def of_a_generator(x: Any, y: Any) -> Any:
    items = Squared(item for item in (x, y))
    found = list(items)
    return found[0] * found[1] + items.count


def asked_in_a_try(x: Any, y: Any) -> Any:
    items, total = Large([x, y, x * 2]), 0
    while True:
        try:
            item = next(items)
        except StopIteration:
            break
        total += item * items.count
    return total * x + items.last * y


def with_a_default(x: Any, y: Any) -> Any:
    items, total = Counted([x, y]), 0
    while (item := next(items, None)) is not None:
        total += item * items.count
    return total * items.count * y


def of_another(x: Any, y: Any) -> Any:
    items, total = Counted(Counted([x, y])), 0
    for item in items:
        total += item * items.count + items.source.count * x
    return total * items.count


@pytest.mark.parametrize(
    "program", [in_a_loop, summed, grown, of_a_generator, asked_in_a_try, with_a_default, of_another]
)
def test_gradients(program: Callable[..., Any]) -> None:
    check_gradient(program, 0.7, 0.4, order=2)
    found = [0.0 if bar is None else bar for bar in zg.gradient(program, 0.7, 0.4)]
    assert zg.pushforward(program, 0.7, 0.4)(0.3, -0.8) == pytest.approx(0.3 * found[0] - 0.8 * found[1])
