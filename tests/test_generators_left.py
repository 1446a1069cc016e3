"""Generators that are left in the middle: handlers run where Python runs them, or the call is refused."""

from __future__ import annotations

import copy
import functools
import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import zygpy as zg
from zygpy.errors import UnsupportedSyntaxError
from zygpy.testing import check_gradient


class Stop(Exception):
    pass


def paired(c: list[Any]) -> Iterator[Any]:
    while True:
        yield c[1]
        try:
            yield c[0] + c[-1]
        finally:
            c[0] += c[1]


def kept_elsewhere(kept: list[Any], items: Any) -> Iterator[Any]:
    kept.append(items)
    yield from items


LEFT: list[Any] = []


def left(program: Callable[..., Any]) -> Callable[..., Any]:
    LEFT.append(pytest.param(program, id=program.__name__))
    return program


@left
def by_zip_in_a_raise(a: Any, c: list[Any]) -> Any:
    try:
        raise Stop([q for _, q in zip(range(2), paired(c), strict=False)][-1])
    except Stop as stop:
        return a * c[0] * stop.args[0]


@left
def by_zip_in_a_raise_that_nobody_reads(a: Any, c: list[Any]) -> Any:
    try:
        raise Stop([q for _, q in zip(range(2), paired(c), strict=False)][-1])
    except Stop:
        return a * c[2]


@left
def by_a_loop_in_a_try(a: Any, c: list[Any]) -> Any:
    try:
        for k, q in enumerate(paired(c)):
            if k == 1:
                raise Stop(q)
    except Stop as stop:
        a = a * stop.args[0]
    return a * c[0]


@left
def by_break_in_a_try(a: Any, c: list[Any]) -> Any:
    try:
        for q in paired(c):
            if q != c[1]:
                break
        raise Stop(q)
    except Stop as stop:
        a = a * stop.args[0]
    return a * c[0]


@left
def in_a_function_that_raises(a: Any, c: list[Any]) -> Any:
    def inner() -> None:
        for q in paired(c):
            if q != c[1]:
                raise Stop(q)

    try:
        inner()
    except Stop as stop:
        a = a * stop.args[0]
    return a * c[0]


@left
def in_every_round_of_a_loop(a: Any, c: list[Any]) -> Any:
    for _ in range(3):
        try:
            for k, q in enumerate(paired(c)):
                if k == 1:
                    raise Stop(q)
        except Stop as stop:
            a = a + stop.args[0]
    return a * c[0]


@left
def by_list_of_zip(a: Any, c: list[Any]) -> Any:
    pairs = list(zip(range(2), paired(c), strict=False))
    return a * c[0] * pairs[1][1]


@left
def by_dict_of_zip(a: Any, c: list[Any]) -> Any:
    found = dict(zip("ab", paired(c), strict=False))
    return a * c[0] * found["b"]


@left
def by_islice(a: Any, c: list[Any]) -> Any:
    first, second = itertools.islice(paired(c), 2)
    return a * c[0] * first * second


@left
def by_sum_of_islice_of_an_expression(a: Any, c: list[Any]) -> Any:
    return a * sum(itertools.islice((2 * q for q in paired(c)), 2)) * c[0]


@left
def by_any(a: Any, c: list[Any]) -> Any:
    return a * c[0] if any(q > 0.75 for q in paired(c)) else a


@left
def by_next(a: Any, c: list[Any]) -> Any:
    return a * next(paired(c)) * c[0]


@left
def by_takewhile(a: Any, c: list[Any]) -> Any:
    return a * math.prod(itertools.takewhile(lambda q: q < 0.75, paired(c))) * c[0]


@left
def by_reduce(a: Any, c: list[Any]) -> Any:
    return a * functools.reduce(lambda p, q: p * q, itertools.islice(paired(c), 2)) * c[0]


@left
def by_a_loop_over_map(a: Any, c: list[Any]) -> Any:
    for q in map(math.exp, paired(c)):
        if q > 2.1:
            break
    return a * c[0] * q


@left
def by_a_loop_over_an_expression(a: Any, c: list[Any]) -> Any:
    for q in (2 * q for q in paired(c)):
        if q > 1.5:
            break
    return a * c[0] * q


@left
def but_known_by_a_name(a: Any, c: list[Any]) -> Any:
    for q in (items := paired(c)):
        if q > 0.75:
            break
    a = a * next(items) * c[0] * q
    items.close()
    return a


@left
def but_known_by_a_name_in_a_try(a: Any, c: list[Any]) -> Any:
    try:
        for q in (items := paired(c)):
            if q > 0.75:
                break
        a = a * next(items) * c[0] * q
        items.close()
    except Stop:
        return a
    return a * c[0]


@left
def but_kept_by_another_generator(a: Any, c: list[Any]) -> Any:
    kept: list[Any] = []
    pairs = list(zip(range(2), kept_elsewhere(kept, paired(c)), strict=False))
    return a * c[0] * pairs[1][1]


@pytest.mark.parametrize("program", LEFT)
def test_gradients_of_what_is_left(program: Callable[..., Any]) -> None:
    def f(a: Any, b: Any) -> Any:
        return program(a, [b, 0.7, 0.3])

    check_gradient(f, 1.5, 0.5)


@pytest.mark.parametrize("specialised", [False, True])
@pytest.mark.parametrize("program", LEFT)
def test_what_the_caller_sees(program: Callable[..., Any], specialised: bool) -> None:
    plain = [0.5, 0.7, 0.3]
    y = program(1.5, plain)
    c = [0.5, 0.7, 0.3]
    found, _ = zg.pullback(zg.differentiable(copy.copy(program)) if specialised else program, 1.5, c)
    assert found == y
    assert c == plain


REFUSED: list[Any] = []


def refused(program: Callable[..., Any]) -> Callable[..., Any]:
    REFUSED.append(pytest.param(program, id=program.__name__))
    return program


@refused
def a_name_at_the_end(a: Any, c: list[Any]) -> Any:
    items = paired(c)
    next(items), next(items)
    return a


@refused
def a_name_that_is_deleted(a: Any, c: list[Any]) -> Any:
    items = paired(c)
    next(items), next(items)
    del items
    return a * c[0]


@refused
def a_name_in_a_function(a: Any, c: list[Any]) -> Any:
    def inner() -> None:
        items = paired(c)
        next(items), next(items)

    inner()
    return a * c[0]


@pytest.mark.parametrize("program", REFUSED)
def test_names_that_are_given_up_are_refused_when_the_call_is_made(program: Callable[..., Any]) -> None:
    with pytest.raises(UnsupportedSyntaxError, match="'paired' was left in the middle"):
        zg.pullback(program, 1.5, [0.5, 0.7, 0.3])


ASKED_AGAIN: list[Any] = []


def asked_again(program: Callable[..., Any]) -> Callable[..., Any]:
    ASKED_AGAIN.append(pytest.param(program, id=program.__name__))
    return program


@asked_again
def the_first_index(k: Any) -> Any:
    r = next(i for i, c in enumerate([k, 2 * k, 3 * k]) if c > 1.0)
    return r * k


@asked_again
def the_first_index_or_another(k: Any) -> Any:
    return next((i for i, c in enumerate([k, 2 * k]) if c > 1.0), 7) * k


@asked_again
def the_first_item(k: Any) -> Any:
    rows = [("a", k), ("b", k * k)]
    return next(v * i for i, (name, v) in enumerate(rows) if name == "b")


@asked_again
def of_a_zip_in_a_loop(k: Any) -> Any:
    total = 0.0
    for row in ([k, 2 * k], [3 * k, k], [0.1 * k, 0.2 * k, 9 * k]):
        total += next((v * w for v, w in zip(row, (1.0, 2.0, 3.0), strict=False) if v > 1.0), k)
    return total


@asked_again
def in_a_try(k: Any) -> Any:
    total = k
    try:
        total += next(c * i for i, c in enumerate([k, 2 * k]) if c > 1.0)
    finally:
        total = total * k
    return total


@asked_again
def one_that_has_a_name_twice(k: Any) -> Any:
    found = (i * c for i, c in enumerate([k, 2 * k, 3 * k]) if c > 1.0)
    a = next(found)
    return a * next(found) * k


@asked_again
def one_that_has_a_name_in_a_loop_and_later(k: Any) -> Any:
    found = (c for i, c in enumerate([k, 2 * k, 3 * k, 9 * k * k]) if c > 1.0)
    total = 0.0
    for _ in range(2):
        total = total * k + next(found)
    total += next(found, 5.0) * k
    return total + next(found, 5.0) * k


@pytest.mark.parametrize("program", ASKED_AGAIN)
def test_what_is_asked_for_one_item_at_a_time_is_asked_again(program: Callable[..., Any]) -> None:
    y, back = zg.pullback(program, 0.7)
    numerical = (program(0.7 + 1e-5) - program(0.7 - 1e-5)) / 2e-5
    assert y == program(0.7)
    assert back(1.0)[0] == pytest.approx(numerical, rel=1e-7)
    assert back(1.0) == back(1.0)
    assert zg.pushforward(program, 0.7)(1.0) == pytest.approx(numerical, rel=1e-7)
