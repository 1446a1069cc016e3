"""Builtins in a `try` that call functions of the program's: what these did before they failed is
differentiated, or refused."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.exceptions.test_exceptions import X, numerical_gradient


class Failed(Exception):
    pass


class Noting:
    """A function that notes what it is given, and fails at the third call."""

    def __init__(self, factor: Any) -> None:
        self.factor, self.log = factor, [1.0]

    def __call__(self, value: Any, other: Any = 1.0) -> Any:
        self.log.append(value * other * self.factor)
        if len(self.log) > 2:
            raise Failed
        return value * other


def by_sorted(x: Any) -> Any:
    key = Noting(x[0])
    try:
        y = sorted(x, key=key)[0]
    except Failed:
        y = key.log[1] * 2
    return y + sum(key.log)


def by_max(x: Any) -> Any:
    key = Noting(x[0])
    try:
        y = max(x, key=key)
    except Failed:
        y = key.log[1] * 2
    return y + sum(key.log)


def by_sum_of_a_generator(x: Any) -> Any:
    noting = Noting(x[1])
    try:
        y = sum(noting(v) for v in x)
    except Failed:
        y = noting.log[-1] * 2
    return y + sum(noting.log)


def by_reduce(x: Any) -> Any:
    noting = Noting(x[2])
    try:
        y = functools.reduce(noting, x)
    except Failed:
        y = noting.log[-1]
    return y * sum(noting.log)


def by_vectorize(x: Any) -> Any:
    log: list[Any] = []

    def noting(a: Any) -> Any:
        log.append(a * x[2])
        if len(log) > 1:
            raise Failed
        return a * a

    try:
        y = np.sum(np.vectorize(noting)(x))
    except Failed:
        y = log[-1]
    return y * sum(log)


def by_any(x: Any) -> Any:
    noting, found = Noting(x[2]), False
    try:
        found = any(noting(a) < 0.0 for a in x)
    except Failed:
        found = True
    return x[0] * found + sum(noting.log)


def by_map(x: Any) -> Any:
    noting = Noting(x[2])
    try:
        y = list(map(noting, x))
    except Failed:
        y = [x[0] * len(noting.log)]
    return sum(y) + sum(noting.log)


PROGRAMS = (by_sorted, by_sum_of_a_generator, by_reduce, by_vectorize, by_any, by_map)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_gradient(program: Callable[..., Any]) -> None:
    (found,) = zg.gradient(program, X)
    assert found == pytest.approx(numerical_gradient(program, X), rel=1e-6, abs=1e-8)


def test_what_is_refused() -> None:
    with pytest.raises(zg.ZygpyError, match="an exception left 'largest_by' and was caught"):
        zg.gradient(by_max, X)
