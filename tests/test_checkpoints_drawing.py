"""Checkpoints of functions that draw random numbers, which are the same the second time, or ask iterators."""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing.numeric import slope

X = 1.5
SHARED = np.random.default_rng(11)


class Layer:
    """A layer that leaves out what its generator says."""

    noise = np.random.default_rng(4)

    def __init__(self, weight: Any, seed: int) -> None:
        self.weight, self.rng = weight, np.random.default_rng(seed)
        self.kept: list[Any] = []

    def __call__(self, x: Any) -> Any:
        return self.weight * x * self.rng.normal()

    def by_class(self, x: Any) -> Any:
        return self.weight * x * type(self).noise.normal()


def captured(x: Any) -> Any:
    rng = np.random.default_rng(3)
    return zg.checkpoint(lambda: x * rng.normal()) * zg.checkpoint(lambda: x * rng.normal())


def given(x: Any) -> Any:
    rng = np.random.default_rng(3)
    return zg.checkpoint(lambda g, y: y * g.normal(), rng, x) * rng.normal() * x


def in_an_object(x: Any) -> Any:
    layers = [Layer(x, 1), Layer(x * x, 2)]
    y = x
    for layer in layers:
        y = zg.checkpoint(layer, y)
    return y


def of_a_class(x: Any) -> Any:
    Layer.noise = np.random.default_rng(8)
    return zg.checkpoint(Layer(x, 0).by_class, x)


def in_a_global(x: Any) -> Any:
    SHARED.bit_generator.state = START
    return zg.checkpoint(lambda: x * SHARED.normal()) * SHARED.normal() * x


def older(x: Any) -> Any:
    rng = np.random.RandomState(3)
    return zg.checkpoint(lambda: x * rng.normal()) * rng.normal()


def one_source_by_two_names(x: Any) -> Any:
    rng = np.random.default_rng(5)
    pair = {"a": rng, "b": [rng]}
    return zg.checkpoint(lambda: x * pair["a"].normal() * pair["b"][0].normal())


def partial(x: Any) -> Any:
    rng = np.random.default_rng(6)
    return zg.checkpoint(functools.partial(lambda g, y: y * g.normal(), rng), x) * x


def of_the_modules(x: Any) -> Any:
    random.seed(1)
    return zg.checkpoint(lambda: x * random.random()) * x


def nested(x: Any) -> Any:
    rng = np.random.default_rng(7)
    return zg.checkpoint(lambda: x * zg.checkpoint(lambda: x * rng.normal()) * rng.normal())


START = SHARED.bit_generator.state
DRAWING = [
    captured,
    given,
    in_an_object,
    of_a_class,
    in_a_global,
    older,
    one_source_by_two_names,
    partial,
    of_the_modules,
    nested,
]


@pytest.mark.parametrize("function", DRAWING, ids=lambda f: f.__name__)
def test_the_numbers_are_the_same(function: Callable[[Any], Any]) -> None:
    expected = slope(lambda t: function(X + t), 0.02).value
    value, back = zg.pullback(function, X)
    assert value == function(X)
    assert back(1.0)[0] == pytest.approx(expected, rel=1e-8)
    assert back(2.0)[0] == pytest.approx(2 * expected, rel=1e-8)
    assert zg.pushforward(function, X)(1.0) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("function", [captured, given, older], ids=lambda f: f.__name__)
def test_second_derivatives(function: Callable[[Any], Any]) -> None:
    expected = slope(lambda t: slope(lambda s: function(X + t + s), 0.02).value, 0.02).value
    assert zg.hvp(function, X, 1.0) == pytest.approx(expected, rel=1e-6)


def test_the_numbers_behind_are_not_drawn_again() -> None:
    SHARED.bit_generator.state = START
    plain = [in_a_global(X), SHARED.normal()]
    SHARED.bit_generator.state = START
    assert [zg.withgradient(in_a_global, X)[0], SHARED.normal()] == plain


def of_a_list(x: Any) -> Any:
    items = iter([x * x, x**3])
    return zg.checkpoint(lambda: next(items)) * x


def of_an_object(x: Any) -> Any:
    layer = Layer(iter([x * x, x**3]), 1)
    return zg.checkpoint(lambda one: next(one.weight), layer) * x


def counted(x: Any) -> Any:
    count = itertools.count(1)
    return zg.checkpoint(lambda: x ** next(count))


def as_an_argument(x: Any) -> Any:
    return zg.checkpoint(lambda items: next(items) * x, map(float, [1, 2]))


def given_back(x: Any) -> Any:
    items = iter((x * x, x))
    return next(zg.checkpoint(lambda: items)) * x


@pytest.mark.parametrize(
    "function", [of_a_list, of_an_object, counted, as_an_argument, given_back], ids=lambda f: f.__name__
)
def test_iterators_are_refused(function: Callable[[Any], Any]) -> None:
    with pytest.raises(zg.UnsupportedSyntaxError, match=r"may ask a|asks for the items"):
        zg.gradient(function, X)
