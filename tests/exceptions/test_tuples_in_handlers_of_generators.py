"""Generators that are closed, whose handlers begin with tuples of their variables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import zygpy

X = 0.6


def finishing(x: Any, log: list[Any]) -> Iterator[Any]:
    try:
        yield x
    finally:
        log.append((x, x))


def handling(x: Any, log: list[Any]) -> Iterator[Any]:
    try:
        yield x
    except GeneratorExit:
        a, b = x, x * 2.0
        log.append((a, b))
        raise


def handling_several(x: Any, log: list[Any]) -> Iterator[Any]:
    try:
        yield x
    except (ValueError, GeneratorExit):
        log.append((1.0, x * 3.0))


@pytest.mark.parametrize(("work", "factor"), [(finishing, 2.0), (handling, 4.0), (handling_several, 6.0)])
def test_what_a_closed_generator_stores(work: Callable[[Any, list[Any]], Any], factor: float) -> None:
    def f(x: Any) -> Any:
        log: list[Any] = []
        running = work(x, log)
        first = next(running)
        running.close()
        return first * log[0][1]

    assert zygpy.gradient(f, X) == pytest.approx((factor * X,))
