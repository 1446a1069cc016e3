"""Calls of functions that are found when they are made: what has changed since such a call is seen."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import units
from zygpy.rules import custom, declare


def square(v: Any) -> Any:
    return v * v


def helped(v: Any) -> Any:
    return helper(v) * v


def helper(v: Any) -> Any:
    return v + 1.0


def writing(v: Any) -> Any:
    v[0] = 3.0
    return v


def chain(x: Any, functions: Any) -> Any:
    for f in functions:
        x = f(x)
    return x


def twice(x: Any, functions: Any) -> Any:
    """So that the second call in a row is like the first."""
    return chain(chain(x, functions), functions)


def slope(x: float, functions: Any, h: float = 1e-3) -> float:
    once = [(twice(x + s, functions) - twice(x - s, functions)) / (2 * s) for s in (h, h / 2)]
    return (4 * once[1] - once[0]) / 3


LISTS = (
    [math.sin],
    [math.sin, square],
    [square, helped, math.cos],
    [np.tanh, np.sqrt],
    [operator.neg, abs, square],
)


@pytest.mark.parametrize("functions", LISTS, ids=range(len(LISTS)))
def test_gradients(functions: list[Any]) -> None:
    for x in (0.4, 0.7, 0.4):
        assert zg.gradient(twice, x, functions)[0] == pytest.approx(slope(x, functions), rel=1e-7)
        assert zg.pullback(twice, x, functions)[0] == twice(x, functions)


def test_other_kinds() -> None:
    for x in (2, 2.0, np.float32(2.0), np.float64(2.0), np.array([2.0, 3.0]), 2.0 + 1j, np.array([2, 3])):
        y, back = zg.pullback(twice, x, [square])
        assert np.array_equal(y, x**4)
        assert type(y) is type(twice(x, [square]))
        found = back(np.ones_like(y) if isinstance(y, np.ndarray) else 1.0)[0]
        assert np.allclose(found, np.conj(4 * x**3))


def test_closures_with_other_variables() -> None:
    def scaled(k: Any) -> Any:
        return lambda v: v * k

    for k in (2.0, 3.0, np.array([1.0, 2.0]), 4):
        x_bar, f_bar = zg.gradient(lambda x, f: np.sum(chain(chain(x, f), f)), 1.5, [scaled(k)])
        assert x_bar == pytest.approx(float(np.sum(np.asarray(k) ** 2)))
        assert np.allclose(f_bar[0].k, 2 * np.asarray(k) * 1.5)


@pytest.fixture
def rules_as_before() -> Iterator[None]:
    """What is declared is forgotten."""
    before = dict(custom.RULES)
    yield
    custom.RULES.clear()
    custom.RULES.update(before)
    declare.REGISTRY.changed()


@pytest.mark.usefixtures("rules_as_before")
def test_a_rule_for_a_builtin() -> None:
    assert zg.gradient(twice, 0.4, [math.sin])[0] == pytest.approx(slope(0.4, [math.sin]), rel=1e-7)

    @zg.adjoint(math.sin)
    def other(v: Any) -> Any:
        return math.sin(v), lambda y_bar: (10.0 * y_bar,)

    assert zg.gradient(twice, 0.4, [math.sin])[0] == 100.0


def test_a_rule_for_a_function_of_the_users() -> None:
    def own(v: Any) -> Any:
        return v * 3.0

    assert zg.gradient(twice, 0.4, [own])[0] == 9.0

    @zg.adjoint(own)
    def other(v: Any) -> Any:
        return v * 3.0, lambda y_bar: (5.0 * y_bar,)

    assert zg.gradient(twice, 0.4, [own])[0] == 25.0


def test_a_helper_that_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    before = zg.gradient(twice, 0.4, [helped])[0]
    monkeypatch.setitem(globals(), "helper", lambda v: v * v)
    assert zg.gradient(twice, 0.4, [helped])[0] == pytest.approx(slope(0.4, [helped]), rel=1e-7)
    monkeypatch.undo()
    assert zg.gradient(twice, 0.4, [helped])[0] == before


def test_a_function_that_writes() -> None:
    for _ in range(3):
        found = zg.gradient(
            lambda x, f: np.sum(chain(x * 1.0, f) * x), np.array([1.0, 2.0]), [writing, writing]
        )
        assert np.array_equal(found[0], [3.0, 4.0])


def test_options_and_refresh() -> None:
    for specialise in (True, False, True):
        with units.options(specialise=specialise):
            assert zg.gradient(twice, 0.4, [math.sin, square])[0] == pytest.approx(
                slope(0.4, [math.sin, square]), rel=1e-7
            )
    zg.refresh()
    assert zg.gradient(twice, 0.4, [math.sin])[0] == pytest.approx(slope(0.4, [math.sin]), rel=1e-7)


def test_exceptions_are_raised_every_time() -> None:
    for _ in range(3):
        with pytest.raises(ValueError, match="math domain error"):
            zg.gradient(chain, -1.0, [math.sqrt, math.sqrt])
        assert zg.gradient(chain, 4.0, [math.sqrt])[0] == 0.25
