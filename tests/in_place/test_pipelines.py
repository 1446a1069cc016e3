"""Generators that are given others, all of which run in place: as Python runs them, turn by turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import zygpy as zg
from tests.in_place.judge import LOG, Program, check_first_order, check_second_order


def source(x: Any, n: int = 4) -> Iterator[Any]:
    LOG.append("begin")
    for k in range(n):
        LOG.append(k)
        yield x * (k + 1)
    LOG.append("end")


def scaled(it: Any, c: Any) -> Iterator[Any]:
    for v in it:
        LOG.append("scaled")
        yield v * c


def above(it: Any, low: float) -> Iterator[Any]:
    for v in it:
        if v > low:
            yield v


def paired(it: Any) -> Iterator[Any]:
    last = None
    for v in it:
        if last is not None:
            yield last, v
        last = v


def first(it: Any, n: int) -> Iterator[Any]:
    k = 0
    for v in it:
        if k >= n:
            return
        k += 1  # noqa: SIM113
        yield v * k


def running(it: Any) -> Iterator[Any]:
    total = 0.0
    for v in it:
        total += v
        yield total
    LOG.append("summed")


def joined(a: Any, b: Any) -> Iterator[Any]:
    for v in a:
        yield v
    for v in b:
        yield v * v


def twice(it: Any) -> Iterator[Any]:
    """What is left for the second loop is nothing."""
    for v in it:
        yield v
    for v in it:
        yield v * 100.0


def kept(it: Any) -> Iterator[Any]:
    it = list(it)
    for v in it:
        yield v * len(it)


def two(x: Any) -> Any:
    return sum(scaled(source(x), x))


def four(x: Any) -> Any:
    s = 0.0
    for a, b in paired(above(scaled(source(x), 2.0), 2.5)):
        LOG.append("used")
        s += a * b
    return s


def left_early(x: Any) -> Any:
    s = 0.0
    for v in scaled(source(x), x):
        s += v
        if s > 3.0:
            break
    return s * x


def ends_early(x: Any) -> Any:
    return sum(first(running(source(x)), 2)) + sum(first(source(x), 9))


def left_by_return(x: Any) -> Any:
    for v in running(scaled(source(x), x)):
        if v > 4.0:
            return v * x
    return x


def next_to_each_other(x: Any) -> Any:
    s = 0.0
    for v in joined(scaled(source(x, 2), 2.0), above(source(x, 3), 1.5)):
        s += v * x
    return s


def asked_again(x: Any) -> Any:
    return sum(twice(source(x))) * x


def bound_anew(x: Any) -> Any:
    return sum(kept(scaled(source(x), x)))


def in_loops(x: Any) -> Any:
    s = 0.0
    for k in range(3):
        for v in scaled(source(x, k), x + k):
            for w in running(source(v, 2)):
                s += w * v
    return s


def by_name(x: Any) -> Any:
    g = source(x)
    h = scaled(g, x)
    s = 0.0
    for k, v in enumerate(h):
        s += v * k
    return s + sum(g)


def begun_before(x: Any) -> Any:
    g = source(x)
    head = next(g)
    return head * sum(scaled(g, x))


def local(x: Any) -> Any:
    c = x * 2.0

    def shifted(it: Any) -> Iterator[Any]:
        for v in it:
            yield v + c

    def stopped(it: Any) -> Iterator[Any]:
        for v in it:
            if v > 6.5:
                return
            yield v * c

    return sum(stopped(shifted(source(x))))


def of_expressions(x: Any) -> Any:
    return sum(v * w for v, w in paired(v * v for v in scaled((u + x for u in source(x)), x)))


def failing(x: Any) -> Any:
    s = 0.0
    try:
        for v in running(scaled(source(x), x)):
            if v > 5.0:
                raise ValueError
            s += v * x
    except ValueError:
        s *= 3.0
    return s


def arguments_first(x: Any) -> Any:
    def noted(v: Any) -> Any:
        LOG.append("argument")
        return v

    return sum(scaled(above(source(noted(x)), noted(0.1)), noted(x)))


PROGRAMS = [
    *(two, four, left_early, ends_early, left_by_return, next_to_each_other, asked_again, bound_anew),
    *(in_loops, by_name, begun_before, local, of_expressions, failing, arguments_first),
]


@pytest.mark.parametrize("x", [1.2, 0.3])
@pytest.mark.parametrize("f", PROGRAMS)
def test_first_order(f: Program, x: float) -> None:
    check_first_order(f, x)


@pytest.mark.parametrize("f", [two, four, ends_early, local, of_expressions])
def test_second_order(f: Program) -> None:
    check_second_order(f, 1.2)


@pytest.mark.parametrize("f", [two, four, left_early, local])
def test_they_are_plain_code(f: Program) -> None:
    text = str(zg.show_adjoint(f, 1.2))
    assert "pull(" not in text, text
    assert "walked" not in text, text
