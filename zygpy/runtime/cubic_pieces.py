"""Cubic interpolation by `scipy.interpolate` as programs that are differentiated; loaded with SciPy alone.

SciPy makes the spline. Beside it its coefficients are computed by operations that have rules: from the
samples and the slopes there, which each kind of interpolation finds in its own way. Source: C. de Boor, A
Practical Guide to Splines (2001), chapter IV.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.interpolate as si
import scipy.linalg as sl

from zygpy.runtime.monotone_slopes import slopes as monotone
from zygpy.runtime.spline_objects import made_exactly, with_parts


def polynomials(c: Any, x: Any, extrapolate: Any = None, axis: Any = 0) -> Any:
    """`scipy.interpolate.PPoly`."""
    spline = made_exactly(si.PPoly, (c, x), {"extrapolate": extrapolate, "axis": axis})
    return with_parts(spline, np.moveaxis(np.asarray(c), (axis, axis + 1), (0, 1)), np.asarray(x))


def by_slopes(x: Any, y: Any, dydx: Any, axis: Any = 0, extrapolate: Any = None) -> Any:
    """`scipy.interpolate.CubicHermiteSpline`."""
    spline = made_exactly(si.CubicHermiteSpline, (x, y, dydx), {"axis": axis, "extrapolate": extrapolate})
    rows, given = np.moveaxis(np.asarray(y), axis, 0), np.moveaxis(np.asarray(dydx), axis, 0)
    return with_parts(spline, cubes(np.asarray(x), rows, given), np.asarray(x))


def by_monotone_slopes(x: Any, y: Any, axis: Any = 0, extrapolate: Any = None) -> Any:
    """`scipy.interpolate.PchipInterpolator`."""
    spline = made_exactly(si.PchipInterpolator, (x, y), {"axis": axis, "extrapolate": extrapolate})
    rows, places = np.moveaxis(np.asarray(y), axis, 0), np.asarray(x)
    given = monotone(along(places, rows), rows)
    return with_parts(spline, cubes(places, rows, given), places)


def by_akima(x: Any, y: Any, axis: Any = 0, *, method: Any = "akima", extrapolate: Any = None) -> Any:
    """`scipy.interpolate.Akima1DInterpolator`."""
    spline = made_exactly(
        si.Akima1DInterpolator, (x, y), {"axis": axis, "method": method, "extrapolate": extrapolate}
    )
    rows, places = np.moveaxis(np.asarray(y), axis, 0), np.asarray(x)
    return with_parts(spline, cubes(places, rows, akima_slopes(places, rows, method)), places)


def smooth(x: Any, y: Any, axis: Any = 0, bc_type: Any = "not-a-knot", extrapolate: Any = None) -> Any:
    """`scipy.interpolate.CubicSpline`."""
    spline = made_exactly(
        si.CubicSpline, (x, y), {"axis": axis, "bc_type": bc_type, "extrapolate": extrapolate}
    )
    rows, places = np.moveaxis(np.asarray(y), axis, 0), np.asarray(x)
    return with_parts(spline, cubes(places, rows, smooth_slopes(places, rows, bc_type)), places)


def along(steps: Any, rows: Any) -> Any:
    """The numbers of a vector in an array that meets the first axis of `rows`."""
    return np.array(np.reshape(steps, (-1,) + (1,) * (np.ndim(rows) - 1)))


def cubes(x: Any, y: Any, slopes: Any) -> Any:
    """The coefficients of cubic pieces with these values and slopes at their ends."""
    h = along(x[1:] - x[:-1], y)
    rises = (y[1:] - y[:-1]) / h
    bend = (slopes[:-1] + slopes[1:] - 2 * rises) / h
    return np.stack([bend / h, (rises - slopes[:-1]) / h - bend, slopes[:-1], y[:-1] * 1.0])


# Slopes of Akima's interpolation: H. Akima, A new method of interpolation and smooth curve fitting (1970).


def akima_slopes(x: Any, y: Any, method: str) -> Any:
    """Means of the rises on both sides, of which that counts more beside which rises change less."""
    inner = (y[1:] - y[:-1]) / along(x[1:] - x[:-1], y)
    if np.shape(y)[0] == 2:
        return np.concatenate([inner, inner])
    before = 2 * inner[:1] - inner[1:2]
    behind = 2 * inner[-1:] - inner[-2:-1]
    rises = np.concatenate([2 * before - inner[:1], before, inner, behind, 2 * behind - inner[-1:]])
    changes = np.abs(rises[1:] - rises[:-1])
    if method == "makima":
        changes = changes + 0.5 * np.abs(rises[1:] + rises[:-1])
    second, first = changes[2:], changes[:-2]
    both = first + second
    known = are_known(both)
    share = np.where(known, first, 0.5) / np.where(known, both, 1.0)
    usual = rises[1:-2] + share * (rises[2:-1] - rises[1:-2])
    return np.where(known, usual, 0.5 * (rises[3:] + rises[:-3]))


def are_known(both: Any) -> Any:
    """Where the rises change, so that there are shares."""
    return both > 1e-9 * np.max(both, initial=-np.inf)


# Slopes for which second derivatives have no jumps, by equations of three unknowns each.


def smooth_slopes(x: Any, y: Any, conditions: Any) -> Any:
    """The slopes of a cubic spline."""
    if np.size(y) == 0:
        return y * 1.0
    h = x[1:] - x[:-1]
    rises = (y[1:] - y[:-1]) / along(h, y)
    if is_around(conditions):
        return slopes_around(h, rises)
    first, last = orders_of(conditions, len(x))
    values = values_of(conditions)
    if first == 0 and last == 0 and len(x) == 3:
        bend = (rises[1:] - rises[:1]) / (h[0] + h[1])
        return np.concatenate([rises[:1] - h[0] * bend, rises[:1] + h[0] * bend, rises[1:] + h[1] * bend])
    if len(x) == 2:
        h, rises = np.concatenate([h, h]), np.concatenate([rises, rises])
    start = row_at_end(first, h[0], h[1], rises[0], rises[1], values[0], 1.0)
    end = row_at_end(last, h[-1], h[-2], rises[-1], rises[-2], values[1], -1.0)
    h, rises = h[: len(x) - 1], rises[: len(x) - 1]
    diagonal = np.concatenate([start[0], 2 * (h[:-1] + h[1:]), end[0]])
    above = np.concatenate([np.zeros(1), start[1], h[:-1]])
    below = np.concatenate([h[1:], end[1], np.zeros(1)])
    inner = 3 * (along(h[1:], y) * rises[:-1] + along(h[:-1], y) * rises[1:])
    right = np.concatenate([start[2], inner, end[2]])
    return tridiagonal(above, diagonal, below, right)


def tridiagonal(above: Any, diagonal: Any, below: Any, right: Any) -> Any:
    """The solution of equations of three unknowns each."""
    flat = np.reshape(right, (np.shape(right)[0], -1))
    return np.reshape(sl.solve_banded((1, 1), np.stack([above, diagonal, below]), flat), np.shape(right))


def row_at_end(order: int, h: Any, next_h: Any, rise: Any, next_rise: Any, value: Any, sign: float) -> Any:
    """The factors of the slopes at an end and beside it, and the right side."""
    if order == RISE:
        return np.ones(1), np.zeros(1), np.stack([rise])
    if order == 1:
        return np.ones(1), np.zeros(1), np.stack([value + 0 * rise])
    if order == 2:
        right = 3 * h * rise - sign * 0.5 * value * h**2
        return np.stack([2 * h]), np.stack([h]), np.stack([right])
    both = h + next_h
    right = ((h + 2 * both) * next_h * rise + h**2 * next_rise) / both
    return np.stack([next_h]), np.stack([both]), np.stack([right])


def slopes_around(h: Any, rises: Any) -> Any:
    """The slopes of a periodic cubic spline; the last unknown is taken out of the equations."""
    count = np.shape(h)[0]
    if count == 1:
        return np.concatenate([rises, rises])
    if count == 2:
        found = (h[1] * rises[:1] + h[0] * rises[1:]) / (h[0] + h[1])
        return np.concatenate([found, found, found])
    before = np.concatenate([h[-1:], h[:-1]])
    rises_before = np.concatenate([rises[-1:], rises[:-1]])
    right = 3 * (along(h, rises) * rises_before + along(before, rises) * rises)
    diagonal = 2 * (before + h)
    above = np.concatenate([np.zeros(1), before[:-2]])
    below = np.concatenate([h[1:-1], np.zeros(1)])
    corners = np.concatenate([h[:1], np.zeros(count - 3), before[-2:-1]])
    free = tridiagonal(above, diagonal[:-1], below, right[:-1])
    bound = tridiagonal(above, diagonal[:-1], below, corners)
    rest = right[-1:] - h[-1] * free[-1:] - before[-1] * free[:1]
    last = rest / (diagonal[-1] - h[-1] * bound[-1] - before[-1] * bound[0])
    inner = free - along(bound, rises) * last
    return np.concatenate([inner, last, inner[:1]])


def is_around(conditions: Any) -> bool:
    """Whether the spline is periodic."""
    return isinstance(conditions, str) and conditions == "periodic"


ORDERS = {"not-a-knot": 0, "clamped": 1, "natural": 2}
"""Which derivative conditions with a name tell; 0 for that there is no jump of the third one."""
RISE = 3
"""A slope that is the rise between two samples."""


def orders_of(conditions: Any, count: int) -> Any:
    """Which derivatives are told at both ends of so many samples."""
    both = conditions if isinstance(conditions, PAIRS) else (conditions, conditions)
    orders = [ORDERS[one] if isinstance(one, str) else int(one[0]) for one in both]
    return tuple(RISE if order == 0 and count == 2 else order for order in orders)


def values_of(conditions: Any) -> Any:
    """The derivatives that are told at both ends."""
    if isinstance(conditions, PAIRS):
        return value_of(conditions[0]), value_of(conditions[1])
    return 0.0, 0.0


PAIRS = (tuple, list)
"""Classes of conditions for each end."""


def value_of(one: Any) -> Any:
    """The derivative that is told at an end."""
    return 0.0 if isinstance(one, str) else np.asarray(one[1])
