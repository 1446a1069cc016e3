"""Checkpoints of functions whose captured variables are bound anew: the second run has what they held."""

# ruff: noqa: B023 (it is what is tested)

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.runtime import asked_again

X = np.array([0.5, 0.8])
WEIGHTS = [np.array([1.1, 0.7]), np.array([0.4, 1.3]), np.array([-0.6, 0.9])]
FUNCTIONS = (np.sin, np.cos, np.tanh)


class Holder:
    def __init__(self, held: Any) -> None:
        self.held = held


def functions(x: Any, call: Any) -> Any:
    for function in FUNCTIONS:
        x = call(lambda h: function(h), x)
    return np.sum(x)


def arrays(x: Any, call: Any) -> Any:
    for weight in WEIGHTS:
        x = call(lambda h: np.tanh(weight * h), x)
    return np.sum(x)


def lists(x: Any, call: Any) -> Any:
    for weight in WEIGHTS:
        pair = [weight, x]
        x = call(lambda h: np.tanh(pair[0] * h) * pair[1], x)
    return np.sum(x)


def dicts(x: Any, call: Any) -> Any:
    for k in range(3):
        table = {"a": k * x}
        x = call(lambda h: np.tanh(h) * table["a"] + h, x)
    return np.sum(x)


def tuples(x: Any, call: Any) -> Any:
    pair = (x, 1.0)
    for _ in range(3):
        y = call(lambda h: np.sin(h) * pair[0] * pair[1], x)
        pair = (y, pair[1] + 1.0)
    return np.sum(pair[0])


def objects(x: Any, call: Any) -> Any:
    holder = Holder(x)
    for _ in range(3):
        x = call(lambda h: np.sin(h) * holder.held, x)
        holder = Holder(x * 2.0)
    return np.sum(x)


def what_is_differentiated(x: Any, call: Any) -> Any:
    total = x
    for _ in range(3):
        total = call(lambda h: np.sin(h) * total, x)
    return np.sum(total)


def functions_inside(x: Any, call: Any) -> Any:
    def run(function: Any) -> None:
        nonlocal x
        x = call(lambda h: function(h) * x, x)

    for function in FUNCTIONS:
        run(function)
    return np.sum(x)


def functions_as_arguments(x: Any, call: Any) -> Any:
    def applied(function: Any, h: Any) -> Any:
        return function(h)

    for weight in WEIGHTS:
        x = call(applied, lambda h: np.tanh(weight * h), x)
    return np.sum(x)


PROGRAMS = [
    *(functions, arrays, lists, dicts, tuples, objects),
    *(what_is_differentiated, functions_inside, functions_as_arguments),
]


def plain(function: Any, *args: Any) -> Any:
    return function(*args)


@pytest.mark.parametrize("program", PROGRAMS)
def test_gradients(program: Callable[..., Any]) -> None:
    expected = zg.gradient(lambda x: program(x, plain), X)[0]
    np.testing.assert_allclose(zg.gradient(lambda x: program(x, zg.checkpoint), X)[0], expected, rtol=1e-12)
    _, back = zg.pullback(lambda x: program(x, zg.checkpoint), X)
    np.testing.assert_allclose(back(1.0)[0], expected, rtol=1e-12)
    np.testing.assert_allclose(back(2.0)[0], 2.0 * expected, rtol=1e-12)


REFUSED = (functions_inside,)


@pytest.mark.parametrize("program", [program for program in PROGRAMS if program not in REFUSED])
def test_second_derivatives(program: Callable[..., Any]) -> None:
    expected = zg.hvp(lambda x: program(x, plain), X, np.ones(2))
    np.testing.assert_allclose(
        zg.hvp(lambda x: program(x, zg.checkpoint), X, np.ones(2)), expected, rtol=1e-9
    )


def test_second_derivatives_while_a_run_with_caches_is_kept() -> None:
    kept = asked_again.Run()
    place = asked_again.ref(kept)
    asked_again.BEGUN.add(place)
    try:
        test_second_derivatives(arrays)
    finally:
        asked_again.BEGUN.discard(place)


def shared_and_rebound(x: Any, call: Any) -> Any:
    def run(function: Any) -> Any:
        return call(lambda h: function(h) * x, x)

    def grow() -> None:
        nonlocal x
        x = x * 1.5

    grow()
    return np.sum(run(np.sin) * run(np.cos))


@pytest.mark.parametrize("program", [*REFUSED, shared_and_rebound])
def test_variables_that_functions_rebind_in_second_derivatives(program: Callable[..., Any]) -> None:
    expected = zg.gradient(lambda x: program(x, plain), X)[0]
    np.testing.assert_allclose(zg.gradient(lambda x: program(x, zg.checkpoint), X)[0], expected, rtol=1e-12)
    with pytest.raises(zg.UnsupportedSyntaxError, match="which functions share"):
        zg.hvp(lambda x: program(x, zg.checkpoint), X, np.ones(2))


def test_implicit_parameters() -> None:
    def loss() -> Any:
        h = X
        for weight in WEIGHTS:
            h = zg.checkpoint(lambda h: np.tanh(weight * h), h)
        return np.sum(h)

    def plainly() -> Any:
        h = X
        for weight in WEIGHTS:
            h = np.tanh(weight * h)
        return np.sum(h)

    params = zg.Params(WEIGHTS)
    expected, found = zg.gradient(plainly, params), zg.gradient(loss, params)
    for weight in WEIGHTS:
        np.testing.assert_allclose(found[weight], expected[weight], rtol=1e-12)
