"""`derivative` in programs where things are found by identity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient


class Parabola:
    def __init__(self, width: Any) -> None:
        self.width = width

    def at(self, x: Any) -> Any:
        return self.width * x**2

    def slope(self, x: Any) -> Any:
        return zg.derivative(self.at)(x)


def of_an_object(width: Any, x: Any) -> Any:
    made = Parabola(width)
    return zg.derivative(lambda y: made.width * y**2)(x)


def of_its_methods(width: Any, x: Any) -> Any:
    made = Parabola(width)
    return made.slope(x) * zg.derivative(made.at)(width)


def in_a_table(width: Any, x: Any) -> Any:
    table = {"cube": lambda z, k: zg.derivative(lambda t: np.sum((z * t) ** 3))(k)}
    found = [width]
    found.append(width * x)
    return table["cube"](found[1], x)


def of_a_jacobian(width: Any, x: Any) -> Any:
    def total(y: Any) -> Any:
        return np.sum(zg.jacobian(lambda v: v * y**2 * width + v**2 * x, np.array([y, width]))[0])

    return zg.derivative(total)(x)


@pytest.mark.parametrize("program", [of_an_object, of_its_methods, in_a_table, of_a_jacobian])
def test_gradients(program: Callable[..., Any]) -> None:
    check_gradient(program, 0.7, 0.4)
    found = zg.gradient(program, 0.7, 0.4)
    assert zg.pushforward(program, 0.7, 0.4)(0.3, -0.8) == pytest.approx(0.3 * found[0] - 0.8 * found[1])
