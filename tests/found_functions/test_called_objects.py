"""Objects that are called and keep what they compute, where it is not known what is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg
from zygpy import units


class Pipeline:
    def __init__(self, steps: Any = ()) -> None:
        self.steps = list(steps)
        self.kept: dict[str, Any] = {}

    def __or__(self, step: Any) -> Pipeline:
        return Pipeline([*self.steps, step])

    def __call__(self, value: Any) -> Any:
        for step in self.steps:
            value = step(value)
            self.kept[step.__name__] = value
        return value


def double(value: Any) -> Any:
    return value * 2


def square(value: Any) -> Any:
    return value * value


def put_together(x: float) -> Any:
    both = Pipeline() | double | square | double
    return both(x) * both.kept["square"] + both.kept["double"]


def in_a_list(x: float) -> Any:
    pipelines = [Pipeline([double]), Pipeline([square])]
    for each in pipelines[::-1]:
        x = each(x)
    return x * pipelines[0].kept["double"]


def by_a_name(x: float) -> Any:
    known = {"first": Pipeline() | square, "second": Pipeline() | double}
    for name in ("fir", "seco"):
        x = known[name + {"fir": "st", "seco": "nd"}[name]](x) * x
    return sum(part for each in known.values() for part in each.kept.values())


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("program", [put_together, in_a_list, by_a_name])
def test_what_they_keep_is_followed(program: Callable[[float], Any], *, specialise: bool) -> None:
    with units.options(specialise=specialise):
        value, back = zg.pullback(program, 1.3)
    assert value == program(1.3)
    ends = [program(1.3 + step) for step in (1e-3, -1e-3, 2e-3, -2e-3)]
    slope = (8 * (ends[0] - ends[1]) - (ends[2] - ends[3])) / 12e-3
    assert [back(1.0), back(1.0)] == [(pytest.approx(slope, rel=1e-9),)] * 2
