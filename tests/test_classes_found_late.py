"""Classes that are found in tables and lists when a program runs, and called there."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg
from zygpy import units
from zygpy.testing import check_gradient


class Plain:
    def __init__(self, v: Any) -> None:
        self.v = v

    def __call__(self, x: Any) -> Any:
        return max(self.v * x, 0.0)


@dataclasses.dataclass
class Written:
    v: Any

    def __call__(self, x: Any) -> Any:
        return self.v * x * x


LAYERS = {"plain": Plain, "written": Written}


def of_a_table(x: float, y: float) -> float:
    result = y
    for count, name in enumerate(["plain", "written", "plain"], 1):
        result = LAYERS[name](x * count)(result)
    return result


def of_a_display(x: float, y: float) -> float:
    return {"a": Plain, "b": Written}["a" if x < y else "b"](x).v * (Plain, Written)[int(y)](y).v


def chosen(x: float, y: float) -> float:
    cls = Plain if x > y else Written
    return cls(x).v * y


def walked_over(x: float, y: float) -> float:
    return sum(cls(v)(y) for cls, v in zip((Plain, Written), (x, x * y), strict=True))


def found_elsewhere(name: str) -> Any:
    return LAYERS[name]


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("program", [of_a_table, of_a_display, chosen, walked_over])
def test_gradients(program: Callable[..., Any], specialise: bool) -> None:
    with units.options(specialise=specialise):
        check_gradient(program, 0.7, 1.3)


@pytest.mark.parametrize("specialise", [True, False])
def test_what_another_function_gives_is_right_or_refused(specialise: bool) -> None:
    with (
        units.options(specialise=specialise),
        pytest.raises(zg.UnsupportedSyntaxError, match="the class 'Plain' is called"),
    ):
        zg.gradient(lambda x, y: found_elsewhere("plain")(x).v * y, 0.7, 1.3)
