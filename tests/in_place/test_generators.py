"""Generators whose items are all asked for where they are made run in place, as Python runs them."""

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


def multiples(x: Any, n: int = 3) -> Iterator[Any]:
    k = 0
    while k < n:
        k += 1
        yield x * k


def squares(xs: Any) -> Iterator[Any]:
    for t in xs:
        yield t * t


def with_two_yields(x: Any) -> Iterator[Any]:
    LOG.append("begin")
    yield x
    LOG.append("between")
    for k in range(3):
        yield x * x + k
    LOG.append("end")


def up_to(x: Any, most: float) -> Iterator[Any]:
    for k in range(10):
        if x * k > most:
            return
        yield x * k


def both_ways(x: Any) -> Iterator[Any]:
    for k in range(3):
        for j in range(2):
            LOG.append((k, j))
            if (k + j) % 2:
                yield x * k
            else:
                yield x - j
        LOG.append(k)
    LOG.append("over")


def pairs(x: Any) -> Iterator[Any]:
    for k in range(3):
        yield k, (x * k, x + k)


def of_others(x: Any) -> Iterator[Any]:
    yield x
    yield from multiples(x, 2)
    for v in squares((x, 2.0 * x)):
        yield v - x


def depth(x: Any, n: int) -> Iterator[Any]:
    yield x * n
    if n > 1:
        yield from depth(x, n - 1)


def failing(x: Any) -> Iterator[Any]:
    for k in range(3):
        LOG.append(k)
        yield math.sqrt(x - k)


def raising_stop(x: Any) -> Iterator[Any]:
    yield x
    raise StopIteration


def taking_next(x: Any) -> Iterator[Any]:
    it = iter((x, 2.0 * x))
    while True:
        yield next(it)


def guarded(x: Any) -> Iterator[Any]:
    try:
        yield x
        yield x * x
    finally:
        LOG.append("closed")


def perhaps_unbound(x: Any, n: int) -> Iterator[Any]:
    if n == 0:
        y = x * 3.0
    yield y * x


def asking(x: Any) -> Iterator[Any]:
    got = yield x
    LOG.append(got)
    yield x * (2.0 if got is None else got)


def sum_of_list(x: Any) -> Any:
    return sum(multiples(x)) * x


def list_of(x: Any) -> Any:
    items = list(multiples(x, n=4))
    items.append(x)
    return items[0] * items[-1] + items[2]


def tuple_of(x: Any) -> Any:
    a, b, c = tuple(multiples(x))
    return a * b + c


def largest(x: Any) -> Any:
    return max(multiples(x)) + min(multiples(x, 5), default=0.0) * max(multiples(x, 0), default=x * x)


def in_order(x: Any) -> Any:
    first, *_, last = sorted(both_ways(x), key=lambda v: -v)
    return first * 2.0 + last * x


def by_key(x: Any) -> Any:
    table = dict(pairs(x))
    return table[2][0] * table[1][1]


def starting(x: Any) -> Any:
    return sum(squares([x, 2.0]), x)


def left_by_break(x: Any) -> Any:
    total = 0.0
    for v in with_two_yields(x):
        LOG.append("body")
        total += v
        if total > 3.0:
            LOG.append("left")
            break
        total *= 1.5
    return total * x


def left_deep_inside(x: Any) -> Any:
    total = 0.0
    for v in both_ways(x):
        if v > 1.9:
            total += v
            if total > 2.0:
                break
            total += 0.5 * x
        elif v < 0.2:
            continue
        total += v * v
    else:
        LOG.append("else")
        total += 100.0
    return total


def returned_from(x: Any) -> Any:
    for v in both_ways(x):
        if v > 1.0:
            return v * x
    return x


def never(x: Any) -> Any:
    total = x
    for v in multiples(x, 0):
        total += v
    return total


def early_return(x: Any) -> Any:
    total = 0.0
    for v in up_to(x, 3.0):
        total += v * v
    return total


def taken_apart(x: Any) -> Any:
    total = 0.0
    for k, (a, b) in pairs(x):
        total += k * a * b
    return total + k + a


def counted(x: Any) -> Any:
    total = 0.0
    for k, v in enumerate(multiples(x)):
        total += k * v * v
        if k == 2:
            continue
        total += x
    return total * k


def counted_apart(x: Any) -> Any:
    total = 0.0
    for k, (j, (a, b)) in enumerate(pairs(x)):
        total += (k + j) * a + b * x
    return total


def of_each_other(x: Any) -> Any:
    total = 0.0
    for v in of_others(x):
        for w in multiples(v, 2):
            total += w * v
    return total


def again_and_again(x: Any) -> Any:
    total = x
    for n in range(4):
        for v in multiples(total, n):
            total = total + 0.1 * v
    return total


def recursive(x: Any) -> Any:
    return sum(depth(x, 3)) * x


def names_like_these(x: Any) -> Any:
    k, n, t = 5.0, 2, x * x
    total = 0.0
    for v in multiples(t, n):
        total += v * k
        k = k + x
    return total * n + t + k


def arguments_rebound(x: Any) -> Any:
    total = 0.0
    for v in multiples(x):
        x = x * 1.5
        total += v * x
    return total


def a_variable_of_both(x: Any) -> Any:
    scale = x

    def scaled() -> Iterator[Any]:
        for k in range(4):
            yield scale * k

    total = 0.0
    for v in scaled():
        total += v * scale
        scale = scale + v
    return total


def rebound_inside(x: Any) -> Any:
    count = 0.0

    def counting() -> Iterator[Any]:
        nonlocal count
        for k in range(3):
            count = count + x * k
            yield count

    total = 0.0
    for v in counting():
        total += v * count
        count = count * 1.1
    return total + count


def shared_with_others(x: Any) -> Any:
    level = x

    def put(v: Any) -> None:
        nonlocal level
        level = level + v

    def levels() -> Iterator[Any]:
        for _ in range(3):
            yield level * level

    total = 0.0
    for v in levels():
        put(v * 0.1)
        total += v
    return total


def function_of_its_own(x: Any) -> Any:
    def powers() -> Iterator[Any]:
        for k in range(1, 4):
            yield (lambda v: v**k)(x)

    return sum(powers())


def expression(x: Any) -> Any:
    total = 0.0
    for v in (x * k for k in range(5) if k != 2):
        if v > 3.0:
            break
        total += v * v
    return total


def walrus(x: Any) -> Any:
    total = 0.0
    for v in (last := x * k for k in range(4)):
        total += v * last
    return total + last


def body_fails(x: Any) -> Any:
    total = x
    try:
        for v in multiples(x, 4):
            total += v
            LOG.append(total > 4.0)
            if v > 3.0:
                raise ValueError
    except ValueError:
        total *= x
    return total


def generator_fails(x: Any) -> Any:
    total = x
    try:
        for v in failing(x):
            total += v
    except ValueError:
        total *= 2.0
    return total


def listing_fails(x: Any) -> Any:
    items = [x]
    try:
        items = list(failing(x))
    except ValueError:
        items.append(x * x)
    return sum(items)


def handlers_of_its_own(x: Any) -> Any:
    total = 0.0
    try:
        for v in guarded(x):
            total += v
            LOG.append("body")
    finally:
        LOG.append("after")
    return total


def nothing_is_sent(x: Any) -> Any:
    return sum(asking(x))


def kept_by_name(x: Any) -> Any:
    found = multiples(x)
    first = next(found)
    return first * sum(found)


def over_again(x: Any) -> Any:
    found = multiples(x)
    total = sum(found)
    for v in found:
        total += 100.0 * v
    return total


def alternating(x: Any, items: Any) -> Iterator[Any]:
    yield x
    yield items[0]


def answering(x: Any, items: Any) -> Iterator[Any]:
    for v in alternating(x, items):
        first, *_ = alternating(items[2], items)
        items.sort()
        x = x + v * first
    yield x


def standing_twice(x: Any) -> Any:
    """The body of the loop stands in two places, each with a generator of its own, which is given up; and so
    is the one around."""
    return next(answering(x, np.array([x, 3.0, 2.0]))) * x


def side_by_side(x: Any) -> Any:
    return sum([a * b for a, b in zip(multiples(x), squares([x, x + 1.0]), strict=False)])


GENERATORS = [name for name, found in list(globals().items()) if inspect.isgeneratorfunction(found)]

SCALARS: tuple[Program, ...] = (
    *(sum_of_list, list_of, tuple_of, largest, in_order, by_key, starting, left_by_break, left_deep_inside),
    *(returned_from, never, early_return, taken_apart, counted, counted_apart, of_each_other, recursive),
    *(again_and_again, names_like_these, arguments_rebound, a_variable_of_both, rebound_inside),
    *(shared_with_others, function_of_its_own, expression, walrus, body_fails, generator_fails),
    *(listing_fails, handlers_of_its_own, nothing_is_sent, kept_by_name, over_again, side_by_side),
    standing_twice,
)

IN_PLACE = frozenset(
    (
        *(sum_of_list, list_of, tuple_of, largest, in_order, by_key, starting, left_by_break),
        *(left_deep_inside, returned_from, never, early_return, taken_apart, counted, counted_apart),
        *(of_each_other, again_and_again, names_like_these, arguments_rebound, a_variable_of_both),
        *(rebound_inside, expression, walrus, body_fails, generator_fails, listing_fails, nothing_is_sent),
        *(shared_with_others, recursive, standing_twice),
    )
)


@pytest.mark.parametrize("x", [0.7, 1.3, 2.1])
@pytest.mark.parametrize("f", SCALARS)
def test_values_effects_and_gradients(f: Program, x: float) -> None:
    check_first_order(f, x)


@pytest.mark.parametrize("f", SCALARS)
def test_second_derivatives_and_tangents(f: Program) -> None:
    check_second_order(f, 1.3)


@pytest.mark.parametrize("f", SCALARS)
def test_those_that_may_are_in_place(f: Program) -> None:
    text = zg.show_adjoint(f, 1.3)
    assert bool(re.search(rf"\byield\b|\bleft_alone|pull\(({'|'.join(GENERATORS)})\b", text)) != (
        f in IN_PLACE
    )


def writes(x: Any) -> Any:
    y = x.copy()

    def rows() -> Iterator[Any]:
        for i in range(len(y)):
            y[i] = y[i] * 2.0
            yield y[i] * y[i - 1]

    total = 0.0
    for k, v in enumerate(rows()):
        y[k] = y[k] + v
        total += v * x[k]
    return total + np.sum(y)


def sliding(x: Any) -> Any:
    def windows(n: int) -> Iterator[Any]:
        for i in range(len(x) - n + 1):
            yield x[i : i + n]

    return sum([np.prod(w) for w in windows(2)]) + max(np.sum(w) for w in windows(3))


@pytest.mark.parametrize("f", [writes, sliding])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_arrays(f: Program, dtype: Any) -> None:
    x = np.array([0.4, 1.2, 0.9, 1.7])
    slopes = [(f(x + 1e-6 * unit) - f(x - 1e-6 * unit)) / 2e-6 for unit in np.eye(4)]
    found = zg.gradient(f, x.astype(dtype))[0]
    assert found.dtype == dtype
    np.testing.assert_allclose(found, slopes, rtol=1e-6 if dtype is np.float64 else 1e-4)


def test_a_stop_of_its_own_is_another_exception() -> None:
    def summed(x: Any) -> Any:
        return sum(raising_stop(x))

    def asked(x: Any) -> Any:
        total = 0.0
        for v in taking_next(x):
            total += v
        return total

    for f in (summed, asked):
        with pytest.raises(RuntimeError, match="generator raised StopIteration"):
            f(1.0)
        with pytest.raises(RuntimeError, match="generator raised StopIteration"):
            zg.gradient(f, 1.0)


def test_a_variable_that_the_call_before_has_bound_is_not_bound() -> None:
    def f(x: Any) -> Any:
        total = 0.0
        for n in range(2):
            for v in perhaps_unbound(x, n):
                total += v
        return total

    with pytest.raises(UnboundLocalError):
        f(1.0)
    with pytest.raises(UnboundLocalError):
        zg.gradient(f, 1.0)


def with_too_many_arguments(x: Any) -> Any:
    return sum(multiples(*(x, 2), 3))


def test_exceptions_come_through() -> None:
    def f(x: Any) -> Any:
        return sum(failing(x))

    with pytest.raises(ValueError, match="math domain error"):
        zg.gradient(f, 1.5)
    assert LOG[-3:] == [0, 1, 2]
    with pytest.raises(TypeError):
        zg.gradient(with_too_many_arguments, 1.0)


def test_another_function_of_the_name_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x: Any) -> Any:
        return sum(multiples(x))

    def twice(x: Any, n: int = 3) -> Iterator[Any]:
        yield x * x
        yield from (x, x)

    assert zg.gradient(f, 3.0) == (6.0,)
    monkeypatch.setattr(multiples, "__defaults__", (4,))
    assert zg.gradient(f, 3.0) == (10.0,)
    monkeypatch.setitem(globals(), "multiples", twice)
    assert zg.gradient(f, 3.0) == (8.0,)
    monkeypatch.undo()
    assert zg.gradient(f, 3.0) == (6.0,)
    monkeypatch.setattr(multiples, "__code__", twice.__code__)
    assert zg.gradient(f, 3.0) == (8.0,)


def ruled(x: Any) -> Iterator[Any]:
    yield x * 2.0


def test_rules_are_asked() -> None:
    def f(x: Any) -> Any:
        return sum(ruled(x))

    assert zg.gradient(f, 3.0) == (2.0,)

    @zg.adjoint(ruled)
    def rule(x: Any) -> Any:
        return [x * 2.0], lambda bars: (7.0 * bars[0],)

    assert zg.gradient(f, 3.0) == (7.0,)


def test_a_builtin_of_another_meaning(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x: Any) -> Any:
        return sum(multiples(x))

    assert zg.gradient(f, 1.0) == (6.0,)
    monkeypatch.setitem(globals(), "sum", lambda items: next(items) * 10.0)
    assert f(1.0) == 10.0
    assert zg.gradient(f, 1.0) == (10.0,)


def test_the_last_cotangent_is_that_of_the_newest_item() -> None:
    def f(x: Any) -> Any:
        last = x
        for v in multiples(x):
            last = v
        for w in multiples(last):
            last = w
        return last * v

    assert zg.gradient(f, 2.0) == (9.0 * 3.0 * 2.0 * 2.0,)
