"""Default values of functions that a program makes: they are what they were there, whatever became of the
variables that held them."""

# ruff: noqa: E731

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences

X = np.array([0.7, 1.3])


def equal_items(x: Any) -> Any:
    f = lambda v, a=x[0], b=x[0]: a * v + b
    return f(x[1])


def equal_sums(x: Any) -> Any:
    n = len(x)
    functions = [lambda v, a=n + 1, b=n + 1: a * v * b]

    def powers(v: Any, a: Any = n * 2, *, b: Any = n * 2) -> Any:
        return v**a + b * v

    return functions[0](x[0]) * powers(x[1])


def of_a_walk(x: Any) -> Any:
    t = 0.0
    for f in (lambda v, i=i: v * i + math.sin(v) for i in range(3)):
        t = t + f(x[0]) * x[1]
    return t


def of_walks_inside(x: Any) -> Any:
    t = 0.0
    for f in ((lambda v, i=i, *, k=k: v * i * k) for i in range(3) for k in (x[0], 2.0)):
        t += f(x[1])
    return t


def folded(x: Any) -> Any:
    functions = (lambda v, i=i, w=x[1]: v * i * w for i in range(3))
    return functools.reduce(lambda a, f: a + f(x[0]), functions, 0.0)


def summed(x: Any) -> Any:
    return sum(f(x[0]) for f in (lambda v, i=i: v * i * x[1] for i in range(4)))


def changed_behind(x: Any) -> Any:
    xs = [x[0], x[1]]
    f = lambda v, a=xs[0], b=xs[0]: a * v * b
    xs[0] = x[1] * 5.0
    g = lambda v, a=xs[0], b=xs[0]: a * v + b
    return f(x[1]) * g(x[0])


PROGRAMS = [equal_items, equal_sums, of_a_walk, of_walks_inside, folded, summed, changed_behind]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("by", [lambda f: f, lambda f: lambda x: [f][0](x)], ids=["known", "found"])
def test_default_values_have_their_derivatives(program: Any, by: Callable[[Any], Any]) -> None:
    f = by(program)
    wanted = differences(program, X)
    y, back = zg.pullback(f, X)
    assert y == program(X)
    np.testing.assert_allclose(back(1.0)[0], wanted, rtol=1e-7)
    np.testing.assert_allclose(back(2.0)[0], 2 * wanted, rtol=1e-7)
    np.testing.assert_allclose(zg.pushforward(f, X)(np.array([1.0, -2.0])), wanted @ [1.0, -2.0], rtol=1e-7)


@pytest.mark.parametrize("program", [equal_items, equal_sums, changed_behind], ids=lambda f: f.__name__)
def test_default_values_have_second_derivatives(program: Any) -> None:
    along = np.array([1.0, -2.0])
    wanted = differences(lambda x: along @ zg.gradient(program, x)[0], X)
    np.testing.assert_allclose(zg.hvp(program, X, along), wanted, rtol=1e-6)
