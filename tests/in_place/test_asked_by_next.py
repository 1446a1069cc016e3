"""Generators that `next` asks for their items run in place, from where they were left, as Python runs."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.in_place.judge import LOG, Program, check_first_order, check_second_order


def terms(x: Any, n: int) -> Iterator[Any]:
    LOG.append("begin")
    t = x * 1.5
    for i in range(n):
        t = t * 0.9 + 0.1 * math.sin(t)
        LOG.append(i)
        yield t
    LOG.append("end")


def counted(x: Any, first: int, last: int, step: int) -> Iterator[Any]:
    for i in range(first, last, step):
        yield x * i


def powers(x: Any) -> Iterator[Any]:
    k = 0
    while True:
        yield x**k
        k += 1


def fibonacci(a: Any, b: Any) -> Iterator[Any]:
    yield a
    while True:
        yield b
        a, b = b, 0.5 * a + 0.4 * b


def positive(xs: Any) -> Iterator[Any]:
    for v in xs:
        if v > 0:
            LOG.append("given")
            yield v
        LOG.append("next")


def in_threes(xs: Any) -> Iterator[Any]:
    part = []
    for v in xs:
        part.append(v)
        if len(part) == 3:
            yield part
            part = []
    if part:
        yield part


def until(x: Any, most: float) -> Iterator[Any]:
    for k in range(10):
        if x * k > most:
            LOG.append("left")
            return
        yield x * k


def broken_off(x: Any) -> Iterator[Any]:
    for k in range(10):
        if k == 2:
            break
        yield x + k
    LOG.append("behind")
    yield x * x


def one_by_one(x: Any) -> Iterator[Any]:
    y = x * 2.0
    yield y
    y = y * x
    sent = yield y
    LOG.append(sent)
    yield y + x if sent is None else 100.0 * x


def failing(x: Any, at: int) -> Iterator[Any]:
    for k in range(6):
        if k == at:
            raise KeyError(k)
        yield x * (k + 1)


def dividing(x: Any) -> Iterator[Any]:
    for k in (2, 1, 0, 3):
        yield x / k


def with_nones(x: Any) -> Iterator[Any]:
    for v in [x, None, 3.0 * x, None]:
        LOG.append(v is None)
        yield v


def last_bound(xs: Any) -> Iterator[Any]:
    for v in xs:
        kept = v * v
        yield kept
    yield kept * v


def in_two_loops(x: Any) -> Iterator[Any]:
    for k in range(2):
        yield x * k
    for k in range(2):
        yield x - k


def giving_back(x: Any) -> Iterator[Any]:
    yield x
    return 3.0 * x


# ------------------------------------------------------------------------------------------ programs


def with_default(x: Any) -> Any:
    it = terms(x, 4)
    total = 0.0
    while True:
        v = next(it, None)
        if v is None:
            break
        total += v * v
    assert next(it, None) is None  # it has ended for good
    return total


def default_that_is_active(x: Any) -> Any:
    it = terms(x, 2)
    return sum([next(it, x * k) * (k + 1) for k in range(5)])


def default_that_is_rebound(x: Any) -> Any:
    it = terms(x, 2)
    v = x
    for _ in range(4):
        v = next(it, v)
        v = v * 1.1
    return v


def until_it_stops(x: Any) -> Any:
    it = terms(x, 4)
    total = 0.0
    while True:
        try:
            v = next(it)
        except StopIteration:
            break
        total += v * v
    return total


def a_rest(x: Any) -> Any:
    it = terms(x, 5)
    before = next(it)
    total = 0.0
    for v in it:
        total += (v - before) ** 2
        before = v
    return total


def a_rest_that_is_left(x: Any) -> Any:
    it = terms(x, 8)
    total = next(it)
    for v in it:
        if total > 3.0 * x:
            break
        total += v
    for v in it:
        total += 10.0 * v
        break
    return total * next(it)


def of_no_end(x: Any) -> Any:
    it = powers(x)
    return sum([next(it) / (k + 1) for k in range(6)])


def never_asked(x: Any) -> Any:
    it = terms(x, 3)
    total = x
    for _ in range(0):
        total += next(it)
    return total * x


def begun_anew(x: Any) -> Any:
    total = 0.0
    for k in range(3):
        it = powers(x + k)
        total += next(it) + next(it) * next(it)
    return total


def begun_once_in_a_while(x: Any) -> Any:
    total = x
    for k in range(5):
        if k % 2 == 0:
            it = powers(x + k)
        total += next(it)
    return total


def two_at_once(x: Any) -> Any:
    one, other = fibonacci(x, 1.0), powers(x)
    total = 0.0
    for k in range(6):
        total += next(one) * (next(other) if k % 2 else x)
    return total


def argument_rebound(x: Any) -> Any:
    y = x
    it = powers(y)
    y = 100.0
    return next(it) + next(it) * y + next(it)


def captured_rebound(x: Any) -> Any:
    y = x

    def scaled() -> Iterator[Any]:
        while True:
            yield y * 2.0

    it = scaled()
    total = next(it)
    y = x * x
    return total + 3.0 * next(it)


def list_changed_meanwhile(x: Any) -> Any:
    xs = [x, -x, 2.0 * x]
    it = positive(xs)
    total = next(it)
    xs.append(5.0 * x)
    xs[2] = x * x
    return total + next(it) * next(it)


def list_rebound_meanwhile(x: Any) -> Any:
    xs = [x, 2.0 * x]
    it = positive(xs)
    total = next(it)
    xs = [100.0 * x]
    return total + next(it) + xs[0]


def items_changed(x: Any) -> Any:
    it = in_threes([x * k for k in range(8)])
    total = 0.0
    while (part := next(it, None)) is not None:
        part[0] = part[0] + x * x
        total += sum(part) * len(part)
    return total


def from_range_to_range(x: Any) -> Any:
    down, up = counted(x, 5, 0, -2), counted(x * x, True, 9, 3)
    return next(down) * next(up) + next(down) * next(up) - next(down) / next(up) + next(up, 7.0)


def of_few(x: Any) -> Any:
    it = one_by_one(x)
    return next(it) + 2.0 * next(it) + 3.0 * next(it) + 4.0 * next(it, x)


def ends_early(x: Any) -> Any:
    it = until(x, 3.0)
    total = 0.0
    for k in range(8):
        total += next(it, -x) * (k + 1)
    return total


def is_broken_off(x: Any) -> Any:
    it = broken_off(x)
    return sum([next(it, 2.0 * x) * (k + 1) for k in range(5)])


def fails(x: Any) -> Any:
    it = failing(x, 2)
    total = 0.0
    for _ in range(5):
        try:
            total += next(it)
        except KeyError as error:
            LOG.append(error.args)
            total += 0.5 * x
        except StopIteration:
            LOG.append("stopped")
            total += 0.25 * x * x
    return total


def divides(x: Any) -> Any:
    it = dividing(x)
    total = 0.0
    for k in range(5):
        try:
            total += (k + 1) * next(it)
        except ZeroDivisionError:
            total += x * x
        except StopIteration:
            total -= x
    return total


def stops_inside(x: Any) -> Any:
    it = powers(x)
    total = 0.0
    for v in (x, 2.0 * x, 3.0):
        total += v * next(it)
    return total


def of_one_another(x: Any) -> Any:
    it = positive(terms(x, 6))
    first = next(it)
    total = 0.0
    while (v := next(it, None)) is not None:
        total += first * v
    return total


def expression(x: Any) -> Any:
    it = (x * i + k for k in range(2) for i in (1.0, 2.0))
    return next(it) * next(it) * next(it) - next(it) + next(it, x)


def of_numbers(x: Any) -> Any:
    it = (x * i for i in range(1, 9, 2))
    return next(it) * next(it) - next(it) * next(it) + next(it, x)


def first_of(x: Any) -> Any:
    return next(v for v in [x - 5.0, x, 2.0 * x] if v > 0) ** 2


def with_a_cap(x: Any) -> Any:
    it = iter(range(2, 5))
    total = 0.0
    while (k := next(it, None)) is not None:
        total += x**k
    return total


def items_that_are_none(x: Any) -> Any:
    it = with_nones(x)
    total = 0.0
    for k in range(6):
        v = next(it, 7.0 * x)
        total += x * x if v is None else v * (k + 1)
    return total


def names_of_both(x: Any) -> Any:
    k, t, state, item = 2, x, 3.0 * x, 0.5
    it = terms(t, 3)
    total = next(it) * state + item
    t = x * 7.0
    return total + next(it) * t + k


def seen_by_others(x: Any) -> Any:
    it = powers(x)
    kept = [it]
    return next(it) + next(kept[0]) + next(it)


def handed_on(x: Any) -> Any:
    it = terms(x, 5)
    return next(it) * sum(it)


def two_names(x: Any) -> Any:
    it = powers(x)
    other = it
    return next(it) + next(other) * next(it)


def closed(x: Any) -> Any:
    it = terms(x, 5)
    total = next(it)
    it.close()
    return total + next(it, x * x)


def sent_to(x: Any) -> Any:
    it = one_by_one(x)
    total = next(it) + next(it)
    return total + it.send(3.0)


def stopping(x: Any) -> Any:
    raise StopIteration(x)


def stopped_inside(x: Any) -> Iterator[Any]:
    yield x
    stopping(x)
    yield 2.0 * x


def stopped_by_what_it_calls(x: Any) -> Any:
    it = stopped_inside(x)
    total = 0.0
    for _ in range(4):
        try:
            total += next(it)
        except StopIteration:
            total += 3.0 * x
        except RuntimeError:
            total += x * x
    return total


class Bag:
    def get(self) -> Any:
        raise StopIteration


def from_bag(x: Any, bag: Bag) -> Iterator[Any]:
    yield x
    bag.get()
    yield 2.0 * x


def stopped_by_a_method(x: Any) -> Any:
    it = from_bag(x, Bag())
    total = 0.0
    for _ in range(4):
        try:
            total += next(it)
        except StopIteration:
            total += 3.0 * x
        except RuntimeError:
            total += x * x
    return total


def two_loops(x: Any) -> Any:
    it = in_two_loops(x)
    return sum([next(it) * (k + x) for k in range(4)])


def given_back(x: Any) -> Any:
    it = giving_back(x)
    total = next(it)
    try:
        next(it)
    except StopIteration as stopped:
        total += stopped.value
    return total


def kept_variable(x: Any) -> Any:
    it = last_bound([x, 2.0 * x])
    return next(it) + next(it) + next(it)


def array_items(x: Any) -> Any:
    it = positive(np.array([x, -x, x * x]))
    return next(it) * next(it) + next(it, x)


def rows(x: Any) -> Any:
    it = (row * x for row in np.array([[x, 1.0], [2.0, x]]))
    first = next(it)
    first += 1.0
    return (first * next(it)).sum()


PROGRAMS: tuple[Program, ...] = (
    *(with_default, default_that_is_active, default_that_is_rebound, until_it_stops, a_rest),
    *(a_rest_that_is_left, of_no_end, never_asked, begun_anew, begun_once_in_a_while, two_at_once),
    *(argument_rebound, captured_rebound, list_changed_meanwhile, list_rebound_meanwhile, items_changed),
    *(from_range_to_range, of_few, ends_early, is_broken_off, fails, divides, stops_inside, of_one_another),
    *(expression, of_numbers, first_of, with_a_cap, items_that_are_none, names_of_both, seen_by_others),
    *(handed_on, two_names, closed, sent_to, two_loops, given_back, kept_variable, array_items),
    *(rows, stopped_by_what_it_calls, stopped_by_a_method),
)

IN_PLACE = (
    *(with_default, default_that_is_active, default_that_is_rebound, until_it_stops, a_rest),
    *(a_rest_that_is_left, of_no_end, never_asked, begun_anew, begun_once_in_a_while, two_at_once),
    *(argument_rebound, list_changed_meanwhile, list_rebound_meanwhile, items_changed),
    *(from_range_to_range, of_few, ends_early, is_broken_off, stops_inside, of_one_another, array_items),
    *(of_numbers, names_of_both, fails, divides, items_that_are_none),
)

GENERATORS = [name for name, found in list(globals().items()) if inspect.isgeneratorfunction(found)]


@pytest.mark.parametrize("f", PROGRAMS)
def test_values_effects_and_gradients(f: Program) -> None:
    check_first_order(f, 1.3)


@pytest.mark.parametrize("f", PROGRAMS)
def test_second_derivatives_and_tangents(f: Program) -> None:
    check_second_order(f, 1.3)


@pytest.mark.parametrize("f", IN_PLACE)
def test_those_that_may_are_in_place(f: Program) -> None:
    text = zg.show_adjoint(f, 1.3)
    assert not re.search(rf"\byield\b|\bnext\b.*pull|pull\(({'|'.join(GENERATORS)})\b", text)


def asking(x: Any) -> Any:
    it = replaced(x)
    return next(it) * next(it)


def replaced(x: Any, k: float = 2.0) -> Iterator[Any]:
    yield x
    yield k * x


def replacing(x: Any, k: float = 2.0) -> Iterator[Any]:
    yield x
    yield k * x * x


def test_what_is_found_by_names_is_found_when_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    here = globals()
    assert zg.gradient(asking, 3.0) == (12.0,)
    monkeypatch.setattr(replaced, "__defaults__", (5.0,))
    assert zg.gradient(asking, 3.0) == (30.0,)
    monkeypatch.setattr(replaced, "__code__", replacing.__code__)
    assert zg.gradient(asking, 3.0) == (5.0 * 27.0,)
    monkeypatch.setitem(here, "next", lambda it: 7.0 * it.__next__())
    assert asking(3.0) == 49.0 * 5.0 * 27.0
    assert zg.gradient(asking, 3.0) == (49.0 * 5.0 * 27.0,)
    monkeypatch.delitem(here, "next")
    assert zg.gradient(asking, 3.0) == (5.0 * 27.0,)
