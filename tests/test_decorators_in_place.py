"""Functions that a program makes under decorators which remember, and calls by their names alone."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences

X = np.array([0.7, 1.3])


def memo(f: Any) -> Any:
    table = {}

    @functools.wraps(f)
    def inner(*a: Any) -> Any:
        if a not in table:
            table[a] = f(*a)
        return table[a]

    return inner


def counting(f: Any) -> Any:
    n = 0

    def inner(v: Any) -> Any:
        nonlocal n
        n += 1
        return f(v) * n

    return inner


def doubling(f: Any) -> Any:
    def inner(v: Any) -> Any:
        return f(v) * 2.0

    return inner


def remembered(x: Any) -> Any:
    @memo
    def table(a: int) -> Any:
        return x[0] ** a + (table(a - 1) * x[1] if a else x[1])

    return table(4) + table(2)


def counted(x: Any) -> Any:
    @counting
    def f(v: Any) -> Any:
        return v * x[0]

    return f(x[1]) + f(x[0]) + f(1.0)


def hidden(x: Any) -> Any:
    def memo(f: Any) -> Any:
        return lambda n: f(n) * 2.0

    @memo
    def f(n: int) -> Any:
        return x[0] * n

    return f(3) * x[1]


def two_caches(x: Any) -> Any:
    @functools.cache
    def a(n: int) -> Any:
        return x[0] if n == 0 else x[1] * b(n - 1) + 0.1

    @functools.cache
    def b(n: int) -> Any:
        return x[1] if n == 0 else x[0] * a(n - 1) + b(n - 1)

    return a(6) + b(5)


def keys_of_all_kinds(x: Any) -> Any:
    @functools.cache
    def f(n: Any) -> Any:
        return x[0] * (2.0 if n is True else 3.0) if isinstance(n, int) else x[1]

    return f(1) * f(True) * f("a") * f(1) + f((1, 2)) * f("a") + f(x[0])


def failing(x: Any) -> Any:
    seen: list[int] = []

    @functools.cache
    def f(n: int) -> Any:
        seen.append(n)
        if n == 2:
            raise ValueError
        return x[0] * n * len(seen)

    total = 0.0
    for n in (1, 2, 2, 1, 3):
        try:
            total += f(n)
        except ValueError:
            total += x[1]
    return total


def made_in_a_loop(x: Any) -> Any:
    total = 0.0
    for i in range(3):

        @functools.cache
        def f(n: int, i: int) -> Any:
            return x[0] * n + i * x[1]

        total += f(2, i) + f(2, i)
    return total


def rebound(x: Any) -> Any:
    z = x[0]

    @memo
    def f(n: int) -> Any:
        return z**n

    first = f(2)
    z = x[0] * x[1]
    return first + f(2) + f(3)


PROGRAMS = (remembered, counted, hidden, two_caches, keys_of_all_kinds, failing, made_in_a_loop, rebound)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: str(f.__name__))
def test_derivatives(f: Callable[..., Any]) -> None:
    y, back = zg.pullback(f, X)
    assert y == f(X)
    for _ in range(2):
        assert back(1.0)[0] == pytest.approx(differences(f, X), rel=1e-7, abs=1e-9)


def test_a_decorator_that_is_replaced_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    first = zg.gradient(counted, X)[0]
    monkeypatch.setitem(globals(), "counting", doubling)
    assert zg.gradient(counted, X)[0] == pytest.approx(differences(counted, X))
    monkeypatch.undo()
    assert zg.gradient(counted, X)[0] == pytest.approx(first)
    monkeypatch.setattr(counting, "__code__", doubling.__code__.replace(co_freevars=()))
    assert zg.gradient(counted, X)[0] == pytest.approx(differences(counted, X))


def test_the_gradient_of_what_is_looked_up() -> None:
    def program(x: float, n: int) -> Any:
        @functools.cache
        def power(k: int) -> Any:
            return x if k == 1 else power(k - 1) * x * k

        return power(n) + power(n)

    assert zg.gradient(lambda x: program(x, 3), 1.5)[0] == pytest.approx(2 * 6 * 3 * 1.5**2)
    with pytest.raises(zg.MissingRuleError, match="under a cache"):
        zg.gradient(program, 1.5, 3)
