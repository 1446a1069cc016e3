"""The tangents of products along axes, as plain programs that are differentiated through their source."""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.runtime.reductions import merge_axes, unmerge_axes
from zygpy.runtime.scans import (
    products_after,
    products_before,
    products_of_others,
    recur_down,
    recur_up,
    shift_left,
    shift_right,
    tame,
)


def products_of_others_along(x: Any, dot: Any, axis: Any = None) -> Any:
    """The tangent of `products_of_others(x, axis)`: no product is divided by what may be zero."""
    if not tame(x, axis):
        return unmerge_axes(_by_recurrences(merge_axes(x, axis), merge_axes(dot, axis)), np.shape(x), axis)
    shares = merge_axes(dot / x, axis)
    before = shift_right(np.cumsum(shares, axis=-1))
    behind = shift_left(np.flip(np.cumsum(np.flip(shares, -1), axis=-1), -1))
    return products_of_others(x, axis) * unmerge_axes(before + behind, np.shape(x), axis)


def _by_recurrences(x: Any, dot: Any) -> Any:
    before, behind = products_before(x), products_after(x)
    below = before * recur_down(shift_left(dot * behind), x)
    return below + behind * recur_up(shift_right(dot * before), x)
