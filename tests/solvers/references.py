"""What gradients of solvers are compared with: closed forms, and differences of results that are precise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.rules import reference


def agrees(f: Callable[[Any], Any], x: Any, tolerance: float = 1e-6) -> None:
    """The gradient of a number against differences along a direction."""
    (found,) = zg.gradient(f, x)
    direction = np.cos(1.0 + 1.7 * np.arange(np.size(x))).reshape(np.shape(x))
    expected = reference.directional(lambda t: f(x + t * direction))
    assert np.vdot(found, direction) == pytest.approx(float(expected), rel=tolerance, abs=tolerance)


def agrees_to_second_order(f: Callable[[Any], Any], x: Any, tolerance: float = 1e-5) -> None:
    """The same, and the gradient's own derivative against its differences."""
    agrees(f, x)
    direction = np.cos(1.0 + 1.7 * np.arange(np.size(x))).reshape(np.shape(x))
    expected = reference.directional(lambda t: zg.gradient(f, x + t * direction)[0])
    found = zg.hvp(f, x, direction)
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)
