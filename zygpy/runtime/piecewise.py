"""Piecewise polynomials of `scipy.interpolate` as programs that are differentiated; loaded with SciPy alone.

The value is SciPy's own. The derivative is that of the polynomial of each point's interval, by the point, the
coefficients and the breakpoints.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zygpy.runtime.library_values import as_given


def evaluated(self: Any, x: Any, nu: Any = 0, extrapolate: Any = None) -> Any:
    """`scipy.interpolate.PPoly.__call__`, and that of the splines that are such."""
    value = told(self, x, nu, extrapolate)
    way = way_of(self, extrapolate)
    found = of_intervals(self.c, self.x, np.asarray(x) * 1.0, nu, way)
    return as_given(value, np.moveaxis(found, axes_of_points(x), places_of_points(x, self.axis)))


def told(spline: Any, x: Any, nu: Any, extrapolate: Any) -> Any:
    """What SciPy gives."""
    return type(spline).__call__(spline, x, nu, extrapolate)


def way_of(spline: Any, extrapolate: Any) -> Any:
    """Whether points outside are looked at: True, False or "periodic"."""
    return spline.extrapolate if extrapolate is None else extrapolate


def axes_of_points(x: Any) -> Any:
    """The axes along which points stand before they are moved."""
    return tuple(range(np.ndim(x)))


def places_of_points(x: Any, axis: int) -> Any:
    """The axes along which points stand in a result."""
    return tuple(range(axis, axis + np.ndim(x)))


def of_intervals(c: Any, breaks: Any, x: Any, nu: int, way: Any) -> Any:
    """Derivatives of order `nu` of polynomials, by Horner's scheme."""
    if way == "periodic":
        x = breaks[0] + (x - breaks[0]) % (breaks[-1] - breaks[0])
    index = intervals(breaks, x)
    shape = np.shape(x) + (1,) * (np.ndim(c) - 2)
    s = np.reshape(x - breaks[index], shape)
    found = np.zeros(np.shape(x) + np.shape(c)[2:])
    for place in range(np.shape(c)[0] - nu):
        found = found * s + c[place][index] * math.perm(np.shape(c)[0] - 1 - place, nu)
    return found * np.reshape(seen(breaks, x, way), shape)


def intervals(breaks: Any, x: Any) -> Any:
    """The interval that each point lies in, the first or the last one for those outside; breaks may fall."""
    if breaks[-1] < breaks[0]:
        places = len(breaks) - 1 - np.searchsorted(breaks[::-1], x, side="left")
    else:
        places = np.searchsorted(breaks, x, side="right") - 1
    return np.clip(places, 0, len(breaks) - 2)


def seen(breaks: Any, x: Any, way: Any) -> Any:
    """1 for points with a value, 0 for those with none."""
    if way is not None and way:
        return np.ones(np.shape(x))
    return ((x >= min(breaks[0], breaks[-1])) & (x <= max(breaks[0], breaks[-1]))) * 1.0
