"""Targets that name a variable more than once: the last value is the one that it has."""

# ruff: noqa: B007, B905

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient

X = np.linspace(0.5, 1.5, 5)


def pair(x: Any) -> Any:
    i, i = x[0] * 2, x[1] * x[1]
    return i * x[2]


def of_a_tuple(x: Any) -> Any:
    t = (x[0] * 2, x[1] * x[1])
    i, i = t
    return i


def zipped(x: Any) -> Any:
    s = 0.0
    for i, i in zip(x, x[::-1] * 2):
        s += i * i
    return s


def in_a_comprehension(x: Any) -> Any:
    return sum([i * i for i, i in zip(x, x[::-1] * 2)])


def nested(x: Any) -> Any:
    (i, j), i = (x[0], x[1]), x[2] * 3
    return i * j


def star_behind(x: Any) -> Any:
    i, *i = x * x
    return i[0] * i[1]


def star_before(x: Any) -> Any:
    *i, i = x * x
    return i


def enumerated(x: Any) -> Any:
    for i, (i, j) in enumerate(zip(x, x * 2)):
        pass
    return i * j


def chain(x: Any) -> Any:
    i = i, j = x[0] * x[1], x[2]
    return i[0] * j if isinstance(i, tuple) else i * j


def index_bound_before(x: Any) -> Any:
    i = [0, 0, 0]
    n = 0
    n, i[n] = 1, x[0] * x[0]
    return i[1] * 2 + n


def underscores(x: Any) -> Any:
    s = 0.0
    for _, _ in enumerate(x):
        s += _ * _
    return s


def items(x: Any) -> Any:
    with_ = [(v, v * 2) for v in x]
    s = 0.0
    for i, i in with_:
        s += i * i
    return s


PROGRAMS: tuple[Callable[..., Any], ...] = (
    *(pair, of_a_tuple, zipped, in_a_comprehension, nested, star_behind),
    *(star_before, enumerated, chain, index_bound_before, underscores, items),
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_value_and_derivatives(program: Callable[..., Any]) -> None:
    assert zg.pullback(program, X.copy())[0] == program(X.copy())
    check_gradient(program, X.copy(), order=2)
    direction = np.cos(np.arange(5.0))
    along = zg.gradient(program, X)[0] @ direction
    assert zg.pushforward(program, X)(direction) == pytest.approx(along, rel=1e-12)
