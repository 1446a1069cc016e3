"""Derivatives of functions of a vector by differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

STEP = 1e-3


def differences(f: Callable[[Any], Any], x: np.ndarray) -> np.ndarray:
    """The gradient of a function of a vector, by central differences with Richardson's extrapolation."""

    def moved(step: float) -> np.ndarray:
        return np.array([float(f(x + step * unit)) for unit in np.eye(x.size)])

    one, two = moved(STEP) - moved(-STEP), moved(2 * STEP) - moved(-2 * STEP)
    return (8 * one - two) / (12 * STEP)
