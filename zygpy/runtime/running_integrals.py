"""What the rules of running integrals need: the zero that may stand before them."""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.runtime.indexing import float_dtype


def behind(value: Any, initial: float | None, axis: int) -> Any:
    """The entries along an axis behind the first, if a value before the integral was asked for."""
    if initial is None:
        return value
    return np.array(np.moveaxis(np.moveaxis(value, axis, 0)[1:], 0, axis))


def put_behind(value: Any, initial: float | None, axis: int) -> Any:
    """The transpose of `behind`: a zero put before the first entry along an axis."""
    if initial is None:
        return value
    moved = np.moveaxis(value, axis, 0)
    result = np.zeros((len(moved) + 1, *moved.shape[1:]), float_dtype(value))
    result[1:] = moved
    return np.moveaxis(result, 0, axis)
