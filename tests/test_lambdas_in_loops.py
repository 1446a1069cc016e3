"""Lambdas that builtins call for every item - keys of `sorted`, `max` and `min`, `map` and `filter` that are
walked over - whose bodies stand in loops: what they read, bind and do is what it was."""

# ruff: noqa: C417, E731

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from zygpy import units

X = np.array([0.7, 1.3, 0.4, -0.6])
log: list[Any] = []


def noted(value: Any) -> Any:
    log.append(float(value))
    return value


def order_of_positions(x: Any) -> Any:
    xs = [v * v for v in x]
    order = sorted(range(len(xs)), key=lambda i: xs[i])
    return sum((k + 1) * xs[i] for k, i in enumerate(order))


def in_reverse(x: Any) -> Any:
    c, back = x[0], True
    down = sorted(x, key=lambda v: (v - c) ** 2, reverse=back)
    ties = sorted([(1, x[0]), (0, x[1]), (1, x[2]), (0, x[3])], key=lambda p: p[0], reverse=True)
    return down[0] * down[1] + ties[0][1] * 2 + ties[1][1] * 3 + ties[2][1] * 5


def extremes(x: Any) -> Any:
    c = x[1]
    return max(x, key=lambda v: abs(v - c)) * 3 + min(list(x), key=lambda v: (v * c) ** 2) ** 2


def of_nothing(x: Any) -> Any:
    c, other = x[0], x[3]
    none = [v for v in x if v > 5]
    s = max(none, key=lambda v: v * c, default=other) + min(x, key=lambda v: v * c, default=other)
    try:
        s += max(none, key=lambda v: v * c)
    except ValueError as error:
        s *= 2.0 if "empty" in str(error) else 1.0
    return s + sum(sorted(none, key=lambda v: v * c))


def first_of_equal(x: Any) -> Any:
    one = x[0] * 0 + 1.0
    return max(x, key=lambda v: one) + 2 * min(x, key=lambda v: one) + 3 * sorted(x, key=lambda v: one)[1]


def by_fields(x: Any) -> Any:
    rows = [{"v": v, "k": k} for k, v in enumerate(x)]
    far = x[1]
    best = min(rows, key=lambda row: (row["v"] - far) ** 2 + row["k"] % 2)
    return best["v"] * (best["k"] + 1)


def names_that_are_taken(x: Any) -> Any:
    v, w = x[0], 2.0
    best = max(x, key=lambda v: v * w)
    order = sorted(x, key=lambda w: w * v)
    return best * v + order[0] * w


def comprehension_inside(x: Any) -> Any:
    rows = [[x[0], x[1]], [x[2], x[3]], [x[1], x[1]]]
    c = x[2]
    best = max(rows, key=lambda row: sum([v * c for v in row]))
    same = min(rows, key=lambda row: sum([row * c for row in row]))
    return best[0] * best[1] + same[0]


def not_in_loops(x: Any) -> Any:
    c = x[0]
    a = max(x, key=lambda v: (lambda w: w * c)(v))
    b = min(x, key=lambda v, k=2.0: v * k)
    d = sorted(x, key=lambda *v: v[0] * c)[0]
    e = max(x, key=lambda v: (c2 := v * c) + c2)
    return a * b + d * e


def walked(x: Any) -> Any:
    c, s = x[0], 0.0
    for v in filter(lambda v: v > c - 0.5, x):
        s += v * v
    for v in map(lambda w: w * c, x):
        s += v * v
    for v, w in map(lambda a, b: (a * c, b), x, x[1:]):
        s += v * w
    return s


def left_early(x: Any) -> Any:
    c, s, v = x[2], 0.0, x[3]
    for v in filter(lambda w: w > c, x):
        if v > 1.0:
            continue
        s += v * c
    else:
        s += v * 7
    for v in map(lambda w: w + c, x):
        s += v
        if v > 1.5:
            break
    else:
        s += 100.0
    return s * v


def nothing_passes(x: Any) -> Any:
    v, c = x[0], 9.0
    for v in filter(lambda w: w > c, x):
        v = v * 100.0
    return v * v


def same_names(x: Any) -> Any:
    s, v = 0.0, x[0]
    for x in map(lambda x: x * v, x):  # noqa: B020
        s += x * x
    return s * x


def walked_in_comprehensions(x: Any) -> Any:
    c, v = x[0], 3.0
    a = [v * w for v in filter(lambda w: w > c, x) for w in map(lambda w: w * c, x)]
    b = sum(v * v for v in map(lambda w: w * v, x))
    d = {i: w * v for i, w in enumerate(map(lambda w: w - c, x))}
    e = [p * q for p, q in map(lambda w: (w, w * c), x) if p > 0]
    return sum(a) + b + d[1] * v + sum(e) + (1.0 if any(w > 5 for w in map(lambda w: w * c, x)) else 2.0)


def in_generators(x: Any) -> Any:
    c = x[1]

    def gen() -> Any:
        for v in filter(lambda w: w < c, x):
            yield v * c

    lazy = (v * c for v in map(lambda w: w * w, x))
    return sum(gen()) + next(lazy) * next(lazy)


def turns_taken(x: Any) -> Any:
    """`max` asks for an item when the key of the one before is there, `sorted` when it has all items."""

    def items() -> Any:
        for v in x:
            yield noted(v)

    best = max(items(), key=lambda v: noted(v * 10))
    order = sorted(items(), key=lambda v: noted(v * 20))
    for v in filter(lambda v: noted(v * 30) > 0, items()):
        noted(v)
    return best * order[0] + v


def changed_by_keys(x: Any) -> Any:
    xs, count = list(x), [0.0]

    def counted(v: Any) -> Any:
        count[0] += v
        return v

    best = max(xs, key=lambda v: counted(v) * count[0])
    more = min(xs, key=lambda v: (xs.append(v * 2) if len(xs) < 7 else None, v)[1])
    return best * count[0] + more * xs[-1] * len(xs)


def failing_keys(x: Any) -> Any:
    d, s = {0: x[0], 1: x[1]}, 0.0
    for n in (2, 3):
        try:
            s += max(range(n), key=lambda i: d[i]) + d[0] * d[1]
        except KeyError:
            s += x[3] * 2
    return s


def hidden_builtins(x: Any) -> Any:
    c = x[0]
    max = lambda xs, key: key(xs[0]) * 2
    filter = lambda f, xs: [f(v) for v in xs]
    s = max(x, key=lambda v: v * c)
    for v in filter(lambda v: v * c, x):
        s += v
    return s


def hidden_in_comprehensions(x: Any) -> Any:
    first = lambda xs, key=None: xs[0] if key is None else key(xs[0])
    kept = lambda f, xs: [f(xs[0])]
    s = sum([max(x, key=lambda v: v * x[1]) for max in [first]])
    return s + sum([sum(map(lambda v: v * x[2], x)) for map in [kept]])


def of_classes(x: Any) -> Any:
    class Order:
        def __init__(self, c: Any) -> None:
            self.c = c

        def best(self, xs: Any) -> Any:
            return min(xs, key=lambda v: (v - self.c) ** 2) * self.c

    return Order(x[1] * 0.5).best(list(x))


def variable_bound_later(x: Any) -> Any:
    s = 0.0
    for k in range(3):
        s += max(x, key=lambda v: v * (k - 1)) * (k + 1)
    return s


def folded(x: Any) -> Any:
    c, seen = x[0], []

    def step(s: Any, v: Any) -> Any:
        seen.append(noted(v))
        return s * c + v

    s = functools.reduce(lambda s, v: s * c + v, x, x[3])
    s += functools.reduce(lambda s, v: (s[0] + v * c, s[1] * 2), x[1:], (0.0, 1))[0]
    s += functools.reduce(step, (v for v in x if noted(v) > 0), 1.0) * len(seen)
    return s * functools.reduce(lambda s, v: s + c, [v for v in x if v > 9], x[1])


def folded_otherwise(x: Any) -> Any:
    c = x[1]
    reduce = lambda f, xs, start: f(start, xs[0]) * 2.0
    s = functools.reduce(lambda s, v: s * c + v, x) + reduce(lambda s, v: s + v * c, x, x[2])
    try:
        s += functools.reduce(lambda s, i: s * {0: x[0], 1: x[1] * c}[i], range(3), 1.0)
    except KeyError:
        s *= 2.0
    step = lambda s, v: s + v * c
    for k in range(2):
        s += functools.reduce(step, x, s)
        c = c + k
    return s


def mapped_by_name(x: Any) -> Any:
    c, count = x[0], 0

    def scaled(v: Any) -> Any:
        nonlocal count
        count += 1
        return noted(v * c)

    def above(v: Any) -> Any:
        return noted(v) > c - 1.2

    s = sum(map(scaled, filter(above, x))) * count
    for v in map(scaled, x):
        if count > 6:
            break
        s += v * v
    listed = list(filter(above, list(map(scaled, x))))
    return s * listed[0] * len(listed) + max(map(scaled, x[1:])) + count


def mapped_and_kept(x: Any) -> Any:
    c = x[1]
    f = lambda v: v * c
    lazy = map(f, x)
    first = next(lazy)
    c = c * 2.0
    rest = sum(lazy)
    f = lambda v: v * c * c
    return first * rest + sum(map(f, x)) + sum(map(lambda v, w: v * w * c, x, x[1:]))


def keyed_by_name(x: Any) -> Any:
    c, calls = x[0], []

    def far(v: Any) -> Any:
        calls.append(noted(v))
        return (v - c) ** 2

    def turns() -> Any:
        for v in x:
            yield noted(v * 2.1)

    s = max(turns(), key=far) * len(calls) + min(x, key=far) * 2.0
    ordered = sorted(turns(), key=far, reverse=len(calls) > 3)
    s += ordered[0] * ordered[1] + max([v for v in x if v > 9], key=far, default=c)
    try:
        return s + min([], key=far)
    except ValueError:
        return s * calls[-1]


def failing_by_name(x: Any) -> Any:
    d = {0: x[0], 1: x[1]}

    def found(i: Any) -> Any:
        return d[i]

    s = 0.0
    for n in (2, 3):
        try:
            s += sum(map(found, range(n))) + max(range(n), key=found) * d[0]
        except KeyError:
            s += x[3] * d[1]
    return s


def arguments_in_turn(x: Any) -> Any:
    down, other = False, x[0]

    def items() -> Any:
        nonlocal down, other
        down, other = True, x[1]
        return [v for v in x if v > 5]

    s = min(items(), key=lambda v: v * 2, default=other)
    down = False

    def all_items() -> Any:
        nonlocal down
        down = True
        return list(x)

    return s * sorted(all_items(), key=lambda v: v * 2, reverse=down)[0]


PROGRAMS = [
    *(order_of_positions, in_reverse, extremes, of_nothing, first_of_equal, by_fields, names_that_are_taken),
    *(comprehension_inside, not_in_loops, walked, left_early, nothing_passes, same_names),
    *(walked_in_comprehensions, in_generators, turns_taken, changed_by_keys, failing_keys, hidden_builtins),
    hidden_in_comprehensions,
    *(of_classes, variable_bound_later, arguments_in_turn, folded, folded_otherwise),
    *(mapped_by_name, mapped_and_kept, keyed_by_name, failing_by_name),
]
NAMES = [program.__name__ for program in PROGRAMS]
EVERY = 1 if "ZYGPY_ALL_CASES" in os.environ else 4  # each takes long to derive
SECOND = PROGRAMS if EVERY == 1 else [names_that_are_taken, left_early, in_generators, mapped_and_kept]


def check(program: Callable[[Any], Any]) -> None:
    expected = differences(program, X)
    log.clear()
    plain = program(X)
    done = list(log)
    for given, tolerance in ((X, 1e-8), (X.astype(np.float32), 1e-5)):
        log.clear()
        value, back = zg.pullback(program, given)
        assert value == (plain if given is X else program(given))
        assert given is not X or log == done
        for _ in range(2):
            np.testing.assert_allclose(back(1.0)[0], expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("program", PROGRAMS, ids=NAMES)
def test_gradients(program: Callable[[Any], Any]) -> None:
    check(program)


@pytest.mark.parametrize("program", PROGRAMS[::EVERY], ids=NAMES[::EVERY])
def test_gradients_by_identity(program: Callable[[Any], Any]) -> None:
    with units.options(specialise=False):
        check(program)


@pytest.mark.parametrize("program", SECOND)
def test_second_derivatives(program: Callable[[Any], Any]) -> None:
    v = np.array([0.3, -0.2, 0.9, 0.5])
    expected = differences(lambda x: zg.gradient(program, x)[0] @ v, X)
    np.testing.assert_allclose(zg.hvp(program, X, v), expected, rtol=1e-6, atol=1e-7)


def horner(x: Any) -> Any:
    return functools.reduce(lambda s, c: s * x[0] + c, x, 0.0)


@pytest.mark.parametrize("program", [order_of_positions, in_reverse, extremes, walked, left_early, horner])
def test_they_are_plain_code(program: Callable[[Any], Any]) -> None:
    text = str(zg.show_adjoint(program, X))
    assert "pull(" not in text, text
    assert "lambda" not in text or program is horner, text


def last_of_a_comprehension(x: Any) -> Any:
    functions = [lambda: q for q in [0.5, x]]  # noqa: B023
    return functions[0]() ** 2


def each_and_the_last(x: Any) -> Any:
    functions = [lambda z: q * z for q in [x, x * 2]]  # noqa: B023
    return functions[0](x) * functions[1](1.0)


@pytest.mark.parametrize("program", [last_of_a_comprehension, each_and_the_last])
def test_functions_of_a_comprehension_read_what_its_variable_is_at_last(program: Any) -> None:
    zg.testing.check_gradient(program, 1.3, order=1)
