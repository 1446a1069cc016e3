"""Classes that sort what is stored in their fields into tables, as libraries of layers do."""

from __future__ import annotations

import math
from typing import Any

import pytest

import zygpy


class Module:
    def __init__(self) -> None:
        object.__setattr__(self, "_modules", {})
        object.__setattr__(self, "_parameters", {})

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, Module):
            self._modules[name] = value
        elif isinstance(value, float):
            self._parameters[name] = value
        object.__setattr__(self, name, value)

    def __call__(self, x: Any) -> Any:
        return self.forward(x)

    def forward(self, x: Any) -> Any:
        raise NotImplementedError


class Layer(Module):
    def __init__(self, weight: Any) -> None:
        super().__init__()
        self.weight = weight

    def forward(self, x: Any) -> Any:
        return math.tanh(x * self._parameters["weight"])


class Network(Module):
    def __init__(self, *weights: Any) -> None:
        super().__init__()
        for place, weight in enumerate(weights):
            setattr(self, f"layer{place}", Layer(weight))

    def forward(self, x: Any) -> Any:
        for layer in self._modules.values():
            x = layer(x)
        return x


def test_layers_that_are_found_in_tables() -> None:
    def f(first: Any, second: Any) -> Any:
        return Network(first, second)(0.5)

    inner, outer = math.tanh(0.35), math.tanh(0.3 * math.tanh(0.35))
    slope = 1 - outer**2
    expected = (slope * 0.3 * (1 - inner**2) * 0.5, slope * inner)
    assert f(0.7, 0.3) == outer
    assert zygpy.gradient(f, 0.7, 0.3) == pytest.approx(expected, rel=1e-12)
