"""Piecewise polynomials of `scipy.interpolate` as programs that are differentiated; loaded with SciPy alone.

The value is SciPy's own. The derivative is that of the polynomial of each point's interval, by the point, the
coefficients and the breakpoints.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.interpolate as si
from scipy.interpolate import _interpolate

from zygpy.runtime.library_values import like_given
from zygpy.runtime.spline_objects import asked, breakpoints, coefficients

BERNSTEIN = (si.BPoly, getattr(_interpolate, "_BPoly", si.BPoly))
"""The classes of those in Bernstein's form: since SciPy 1.18 one hands its calls on to another one."""


def evaluated(self: Any, x: Any, nu: Any = 0, extrapolate: Any = None) -> Any:
    """`scipy.interpolate.PPoly.__call__`, and that of the splines that are such."""
    value = told(self, x, nu, extrapolate)
    c, breaks = coefficients(self), breakpoints(self)
    if is_bernstein(self):
        c = in_powers(c, breaks)
    found = of_intervals(c, breaks, np.asarray(x) * 1.0, nu, way_of(self, extrapolate))
    return like_given(value, np.moveaxis(found, axes_of_points(x), places_of_points(self, x)))


def is_bernstein(spline: Any) -> bool:
    """Whether the coefficients are those of Bernstein polynomials, whose class has the same method."""
    return isinstance(spline, BERNSTEIN)


def in_powers(c: Any, breaks: Any) -> Any:
    """The coefficients of powers of the distance from the beginning of an interval, the highest first."""
    degree = np.shape(c)[0] - 1
    steps = np.reshape(breaks[1:] - breaks[:-1], (1, -1) + (1,) * (np.ndim(c) - 2))
    orders = np.reshape(np.arange(degree, -1, -1), (-1, 1) + (1,) * (np.ndim(c) - 2))
    return np.tensordot(power_factors(degree), c, 1) / steps**orders


def power_factors(degree: int) -> Any:
    """What each Bernstein polynomial, a column, adds to each power, a row, the highest first.

    >>> power_factors(1).tolist()
    [[-1.0, 1.0], [1.0, 0.0]]
    """
    numbers = range(degree + 1)
    return np.array(
        [
            [(-1.0) ** (j - a) * math.comb(degree, j) * math.comb(j, a) if a <= j else 0.0 for a in numbers]
            for j in reversed(numbers)
        ]
    )


def told(spline: Any, x: Any, nu: Any, extrapolate: Any) -> Any:
    """What SciPy gives."""
    return asked(type(spline).__call__, spline, (x, nu, extrapolate))


def way_of(spline: Any, extrapolate: Any) -> Any:
    """Whether points outside are looked at: True, False or "periodic"."""
    return spline.extrapolate if extrapolate is None else extrapolate


def axes_of_points(x: Any) -> Any:
    """The axes along which points stand before they are moved."""
    return tuple(range(np.ndim(x)))


def places_of_points(spline: Any, x: Any) -> Any:
    """The axes along which points stand in a result."""
    return tuple(range(spline.axis, spline.axis + np.ndim(x)))


def of_intervals(c: Any, breaks: Any, x: Any, nu: int, way: Any) -> Any:
    """Derivatives of order `nu` of the polynomials."""
    if is_periodic(way):
        x = breaks[0] + (x - breaks[0]) % (breaks[-1] - breaks[0])
    index = intervals(breaks, x)
    shape = np.shape(x) + (1,) * (np.ndim(c) - 2)
    return powers(c, index, x - breaks[index], nu) * np.reshape(seen(breaks, x, way), shape)


def is_periodic(way: Any) -> bool:
    """Whether points are taken to the first period."""
    return isinstance(way, str) and way == "periodic"


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


# Polynomials with coefficients `c`, of which each point takes those of its interval: by Horner's scheme.


def powers(c: Any, index: Any, s: Any, nu: int) -> Any:
    """Derivatives of order `nu` at distances `s` from the intervals' beginnings: an array, also at one."""
    step = np.reshape(s, np.shape(s) + (1,) * (np.ndim(c) - 2))
    found = np.zeros(np.shape(s) + np.shape(c)[2:], np.result_type(c, 1.0))
    for place in range(np.shape(c)[0] - nu):
        found = found * step + c[place][index] * math.perm(np.shape(c)[0] - 1 - place, nu)
    return np.asarray(found)


def spread(y0: Any, index: Any, s: Any, nu: int, form: Any) -> Any:
    """The transpose of `powers` by the coefficients, which have this shape."""
    result = np.zeros(form, np.result_type(y0, 1.0))
    brought = y0 * 1.0
    step = np.reshape(s, np.shape(s) + (1,) * (len(form) - 2))
    for place in reversed(range(form[0] - nu)):
        np.add.at(result[place], index, brought * math.perm(form[0] - 1 - place, nu))
        brought = brought * step
    return result


def slopes(y0: Any, c: Any, index: Any, s: Any, nu: int) -> Any:
    """For each point the sum of `y0` and the next derivative over all polynomials."""
    both = y0 * powers(c, index, s, nu + 1)
    return np.sum(both, axis=tuple(range(np.ndim(s), np.ndim(both))))
