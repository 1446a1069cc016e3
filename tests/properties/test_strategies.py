"""The strategies themselves, without the engine: what they make runs, broadcasts and is smooth."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
from hypothesis import given

from tests.properties.strategies import (
    Sample,
    array_lines,
    bounded,
    broadcastable_shapes,
    straight_lines,
    structured_programs,
)
from zygpy.testing.check import functional
from zygpy.testing.compare import Problem


@bounded(50)
@given(broadcastable_shapes(3))
def test_shapes_broadcast(shapes: list[tuple[int, ...]]) -> None:
    assert len(np.broadcast_shapes(*shapes)) <= 3


@bounded(60)
@given(straight_lines() | structured_programs() | array_lines())
def test_programs_run_and_have_source(sample: Sample) -> None:
    value: Any = sample.function(*sample.args)
    assert np.all(np.isfinite(value))
    assert inspect.getsource(sample.function) == sample.text


@bounded(60)
@given(straight_lines() | structured_programs())
def test_differences_settle(sample: Sample) -> None:
    weights = functional(sample.function(*sample.args), 0)
    problem = Problem(sample.function, sample.args, weights, 2.0**-52, 0)
    for position in range(3):
        estimate = problem.slope((position,), 1.0)
        assert estimate.error <= 1e-5 * max(1.0, abs(estimate.value))
