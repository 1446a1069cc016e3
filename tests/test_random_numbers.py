"""Random numbers that are drawn by code in C, in programs that keep what is active where others find it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import units

POINT = np.array([0.7, 1.3, 0.4])
KEPT: dict[str, Any] = {}


class Layer:
    def __init__(self, weights: Any) -> None:
        self.params = {"weights": weights}

    def __call__(self, given: Any) -> Any:
        return self.params["weights"] * given


class Network:
    def __init__(self, *layers: Layer) -> None:
        self.layers = list(layers)

    def __call__(self, given: Any) -> Any:
        for layer in self.layers:
            given = layer(given)
        return given

    def parameters(self) -> Iterator[Any]:
        for layer in self.layers:
            yield from layer.params.values()


class Sampler:
    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def draw(self, mean: Any, deviation: Any) -> Any:
        return mean + deviation * self.rng.standard_normal(3)


def initialised(x: Any) -> Any:
    rng = np.random.default_rng(0)
    network = Network(Layer(rng.normal(size=3) * x), Layer(rng.normal(0.0, 0.5, size=3)))
    return np.sum(network(np.ones(3))) + sum(np.sum(p * p) for p in network.parameters())


def by_samples(x: Any) -> Any:
    sampler = Sampler(3)
    return sum(np.sum(sampler.draw(x, x[0]) ** 2) for _ in range(3))


def of_the_module(x: Any) -> Any:
    np.random.seed(0)  # noqa: NPY002 (as older programs do)
    KEPT["x"] = x * np.random.normal(0.0, 1.0, 3)  # noqa: NPY002
    return np.sum(KEPT["x"] ** 2)


def of_an_older_generator(x: Any) -> Any:
    state = np.random.RandomState(0)
    KEPT["x"] = x * state.uniform(0.0, 2.0)
    KEPT["y"] = x[state.permutation(3)]
    return np.sum(KEPT["x"] ** 2 * KEPT["y"])


def of_integers(x: Any) -> Any:
    KEPT["x"] = x * 2.0
    rng = np.random.default_rng(0)
    places = rng.integers(0, 3, size=4)
    weights = rng.choice([0.5, 1.5], size=4, p=[0.3, 0.7])
    return np.sum(KEPT["x"][places] ** 2 * weights)


PROGRAMS = [initialised, by_samples, of_the_module, of_an_older_generator, of_integers]


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "unspecialised"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_gradients(program: Callable[[Any], Any], specialise: bool) -> None:
    """All are polynomials of low degree, so that differences of this order are exact but for rounding."""
    with units.options(specialise=specialise):
        (gradient,) = zg.gradient(program, POINT.copy())
    steps = np.eye(3) * 1e-2
    near = np.array([(program(POINT + step) - program(POINT - step)) / 2e-2 for step in steps])
    far = np.array([(program(POINT + 2 * step) - program(POINT - 2 * step)) / 4e-2 for step in steps])
    assert gradient == pytest.approx((4.0 * near - far) / 3.0, rel=1e-9)


def test_what_is_drawn_with_something_active_is_refused() -> None:
    def program(x: Any) -> Any:
        KEPT["x"] = x
        return np.sum(np.random.default_rng(0).normal(KEPT["x"], 1.0))

    with pytest.raises(zg.MissingRuleError, match="normal"):
        zg.gradient(program, POINT)
