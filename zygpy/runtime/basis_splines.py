"""Splines of `scipy.interpolate` as sums of basis functions, in programs that are differentiated.

The value is SciPy's own. The derivative is that of de Boor's algorithm, by the point, the coefficients and
the knots. Loaded with SciPy alone. Source: C. de Boor, A Practical Guide to Splines (2001), chapter X.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.interpolate as si
import scipy.linalg as sl

from zygpy.errors import MissingRuleError
from zygpy.runtime.library_values import as_given, depending, like_given, told_by
from zygpy.runtime.piecewise import axes_of_points, is_periodic, places_of_points, seen, told, way_of
from zygpy.runtime.spline_objects import breakpoints, coefficients, made_by, made_exactly, with_parts

# Values.


def made(t: Any, c: Any, k: Any, extrapolate: Any = True, axis: Any = 0) -> Any:
    """`scipy.interpolate.BSpline`."""
    spline = made_exactly(si.BSpline, (t, c, k), {"extrapolate": extrapolate, "axis": axis})
    return with_parts(spline, np.moveaxis(np.asarray(c) * 1.0, axis, 0), np.asarray(t) * 1.0)


def evaluated(self: Any, x: Any, nu: Any = 0, extrapolate: Any = None) -> Any:
    """`scipy.interpolate.BSpline.__call__`."""
    value = told(self, x, nu, extrapolate)
    c, t, points = in_columns(coefficients(self)), breakpoints(self), np.asarray(x) * 1.0
    way, k = way_of(self, extrapolate), degree_of(self)
    if is_periodic(way):
        points = t[k] + (points - t[k]) % (t[-k - 1] - t[k])
    found = summed(c, t, points, intervals(t, points, k), k, nu)
    found = found * meeting(seen(span(t, k), points, way), c)
    found = np.reshape(found, np.shape(x) + rest_of(self))
    return like_given(value, np.moveaxis(found, axes_of_points(x), places_of_points(self, x)))


def rest_of(spline: Any) -> Any:
    """The shape of the coefficients of one point."""
    return tuple(np.shape(spline.c)[1:])


def degree_of(spline: Any) -> int:
    """The degree of the polynomials."""
    return int(spline.k)


def span(t: Any, k: int) -> Any:
    """The knots between which all basis functions are there."""
    return t[[k, len(t) - k - 1]]


def intervals(t: Any, x: Any, k: int) -> Any:
    """The knot at which the interval of each point begins, the first or the last one for those outside."""
    index = np.clip(np.searchsorted(t, x, side="right") - 1, k, len(t) - k - 2)
    if k and np.any(t[index] == t[index + 1]):
        raise MissingRuleError(
            "A spline has no rule at a point whose interval has no length.",
            why="SciPy leaves out basis functions where more knots than needed lie in one place at an end",
            instead=f"let knots lie in one place at most {k + 1} times",
        )
    return index


def summed(c: Any, t: Any, x: Any, index: Any, k: int, nu: int) -> Any:
    """Derivatives of order `nu` of the splines, of which each point takes the piece of its interval."""
    d = c[beside(index, -k, 1)]
    if nu > k:
        return 0.0 * d[0]
    for degree in range(k, k - nu, -1):
        d = (
            degree
            * (d[1:] - d[:-1])
            / meeting(t[beside(index, 1, degree + 1)] - t[beside(index, 1 - degree, 1)], c)
        )
    degree = k - nu
    for step in range(1, degree + 1):
        low = t[beside(index, step - degree, 1)]
        share = meeting((x - low) / (t[beside(index, 1, degree - step + 2)] - low), c)
        d = d[:-1] + share * (d[1:] - d[:-1])
    return d[0]


def beside(index: Any, start: int, stop: int) -> Any:
    """Indices at these distances from those of the points, the distances along the first axis."""
    return np.asarray(index) + np.reshape(np.arange(start, stop), (-1,) + (1,) * np.ndim(index))


def meeting(values: Any, c: Any) -> Any:
    """An array that meets the further axes of coefficients."""
    return np.array(np.reshape(values, np.shape(values) + (1,) * (np.ndim(c) - 1)))


def in_columns(c: Any) -> Any:
    """Coefficients, or samples, as a matrix, one column for each of several splines."""
    return np.reshape(c, form_of_columns(c))


def form_of_columns(c: Any) -> tuple[int, int]:
    """The shape of that matrix."""
    return len(c), math.prod(np.shape(c)[1:])


def weights(t: Any, x: Any, index: Any, k: int, nu: int) -> Any:
    """Derivatives of order `nu` of the basis functions that are not zero at each point."""
    found = np.ones((1, *np.shape(x)))
    nothing = np.zeros((1, *np.shape(x)))
    for degree in range(1, k - nu + 1):
        low, high = t[beside(index, 1 - degree, 1)], t[beside(index, 1, degree + 1)]
        parts = found / (high - low)
        found = np.concatenate([(high - x) * parts, nothing]) + np.concatenate([nothing, (x - low) * parts])
    for degree in range(k - nu + 1, k + 1):
        low, high = t[beside(index, 1 - degree, 1)], t[beside(index, 1, degree + 1)]
        parts = degree * found / (high - low)
        found = np.concatenate([nothing, parts]) - np.concatenate([parts, nothing])
    return found


def primitive(c: Any, t: Any, k: int, x: Any) -> Any:
    """The integrals from the first knot to each point."""
    c, t = primitive_parts(c, t, k)
    return summed(c, t, x, intervals(t, x, k + 1), k + 1, 0)


def primitive_parts(c: Any, t: Any, k: int) -> Any:
    """The coefficients and knots of an antiderivative."""
    count = len(t) - k - 1
    steps = np.reshape(t[k + 1 :] - t[:count], (-1,) + (1,) * (np.ndim(c) - 1))
    areas = np.cumsum(c[:count] * steps, axis=0) / (k + 1)
    start = np.zeros((1, *np.shape(c)[1:]))
    return np.concatenate([start, areas]), np.concatenate([t[:1], t, t[-1:]])


# Interpolation.


def interpolating(
    x: Any, y: Any, k: Any = 3, t: Any = None, bc_type: Any = None, axis: Any = 0, check_finite: Any = True
) -> Any:
    """`scipy.interpolate.make_interp_spline`."""
    keywords = {"t": t, "bc_type": bc_type, "axis": axis, "check_finite": check_finite}
    spline = made_by(si.BSpline, si.make_interp_spline, (x, y, k), keywords)
    places, rows = np.asarray(x) * 1.0, np.moveaxis(np.asarray(y) * 1.0, axis, 0)
    k = degree_of(spline)
    if is_around(bc_type) and k > 1:
        knots = knots_around(places, k) if t is None else np.asarray(t) * 1.0
        return with_parts(spline, around(places, rows, knots, k), knots)
    knots = knots_of(places, k, is_told(bc_type)) if t is None else np.asarray(t) * 1.0
    if k == 0 or (k == 1 and t is None):
        return with_parts(spline, rows, knots)
    first, last = conditions(bc_type, 0), conditions(bc_type, 1)
    return with_parts(spline, through(places, rows, knots, k, first, last), knots)


def is_around(conditions: Any) -> bool:
    """Whether the spline is periodic."""
    return isinstance(conditions, str) and conditions == "periodic"


def is_told(conditions: Any) -> bool:
    """Whether derivatives are told at an end."""
    if conditions is None or isinstance(conditions, str):
        return conditions not in (None, "not-a-knot", "periodic")
    return any(one is not None for one in conditions)


def knots_of(x: Any, k: int, told_ends: bool) -> Any:
    """The knots that SciPy chooses."""
    if k == 0:
        return np.concatenate([x, x[-1:]])
    if k == 1 or told_ends:
        return np.concatenate([x[:1]] * k + [x] + [x[-1:]] * k)
    inner = x if k % 2 else (x[1:] + x[:-1]) / 2
    cut = (k + 1) // 2
    return np.concatenate([x[:1]] * (k + 1) + [inner[cut:-cut] if k % 2 else inner[k // 2 : -(k // 2)]]
                          + [x[-1:]] * (k + 1))  # fmt: skip


NAMED = {"clamped": 1, "natural": 2}
"""Which derivative is zero under conditions with a name."""


def conditions(told_ends: Any, place: int) -> Any:
    """The orders of derivatives at an end and their values, which may be 0 for all."""
    if told_ends is None or (isinstance(told_ends, str) and told_ends in ("not-a-knot", "periodic")):
        return []
    one = told_ends if isinstance(told_ends, str) else told_ends[place]
    if one is None:
        return []
    return [(NAMED[one], 0.0)] if isinstance(one, str) else one


def through(x: Any, y: Any, t: Any, k: int, first: Any, last: Any) -> Any:
    """The coefficients of the spline through samples that has these derivatives at its ends."""
    rest = np.shape(y)[1:]
    if np.size(y) == 0:
        return np.zeros((len(t) - k - 1, *rest))
    index = intervals(t, x, k)
    blocks, starts, right = [], [], []
    for order, value in first:
        blocks.append(weights(t, x[:1], index[:1], k, int(order)))
        starts.append(index[:1])
        right.append(np.zeros((1, *rest)) + np.asarray(value))
    blocks.append(weights(t, x, index, k, 0))
    starts.append(index)
    right.append(y)
    for order, value in last:
        blocks.append(weights(t, x[-1:], index[-1:], k, int(order)))
        starts.append(index[-1:])
        right.append(np.zeros((1, *rest)) + np.asarray(value))
    band = in_bands(np.concatenate(blocks, axis=1), np.concatenate(starts) - k, k)
    flat = np.reshape(np.concatenate(right), (len(t) - k - 1, -1))
    return np.reshape(sl.solve_banded((k, k), band, flat, check_finite=False), (-1, *rest))


def in_bands(entries: Any, starts: Any, k: int) -> Any:
    """The diagonals of a matrix whose rows have these entries, in columns that start there."""
    count = np.shape(entries)[1]
    band = np.zeros((2 * k + 1, count))
    columns = beside(starts, 0, k + 1)
    band[k + np.arange(count) - columns, columns] = entries
    return band


def knots_around(x: Any, k: int) -> Any:
    """The knots of a periodic spline, which go on behind the ends as the steps do on the other side."""
    if k % 2 == 0:
        x = np.concatenate([x[:1], (x[:-2] + x[1:-1]) / 2, x[-1:]])
    steps = x[1:] - x[:-1]
    around_again = np.arange(k) % len(steps)
    before = x[0] - np.cumsum(steps[::-1][around_again])
    behind = x[-1] + np.cumsum(steps[around_again])
    return np.concatenate([before[::-1], x, behind])


def around(x: Any, y: Any, t: Any, k: int) -> Any:
    """The coefficients of the periodic spline through samples, of which the last is the first again."""
    count, rest = len(x) - 1, np.shape(y)[1:]
    which = np.arange(count + k) % count
    turns = np.equal(which[:, None], np.arange(count)) * 1.0
    matrix = collocation(t, x[:-1], k) @ turns
    flat = np.linalg.solve(matrix, np.reshape(y[:-1], (count, -1)))
    return np.reshape(flat, (count, *rest))[which]


def collocation(t: Any, x: Any, k: int) -> Any:
    """The values of all basis functions at each point, a row for each."""
    index = intervals(t, x, k)
    matrix = np.zeros((len(x), len(t) - k - 1))
    matrix[np.arange(len(x)), beside(index, -k, 1)] = weights(t, x, index, k, 0)
    return matrix


# What FITPACK makes and evaluates.


def represented(
    x: Any, y: Any, w: Any = None, xb: Any = None, xe: Any = None, k: Any = 3, task: Any = 0, s: Any = None,
    t: Any = None, full_output: Any = 0, per: Any = 0, quiet: Any = 1,
) -> Any:  # fmt: skip
    """`scipy.interpolate.splrep`, of splines through all samples."""
    check_representation("splrep", s != 0 if s is not None else w is not None, (xb, xe, t), task, full_output)
    knots, found, k = told_by(si.splrep, (x, y, w, xb, xe, k, task, s), {"per": per, "quiet": quiet})
    rows = depending(np.asarray(y) * 1.0, (s, xb, xe, t) if s is not None else (w, xb, xe, t))
    t, c = parts_through(np.asarray(x) * 1.0, rows, k, per)
    return like_given(knots, t), as_given(found, np.concatenate([c, np.zeros(k + 1)])), k


def parts_through(x: Any, y: Any, k: Any, per: Any) -> Any:
    """The knots and coefficients that FITPACK finds for a spline through all samples, which may be periodic
    (P. Dierckx, Curve and Surface Fitting with Splines, 1993, section 6.1)."""
    if per:
        t = knots_around(x, k)
        return t, around(x, y, t, k)
    t = knots_of(x, k, False)
    return t, through(x, y, t, k, [], [])


def check_representation(name: str, smooth: Any, places: Any, task: Any, full_output: Any) -> None:
    """Refuse splines that do not go through all samples, whose knots are sought."""
    if smooth or task != 0 or full_output or any(one is not None for one in places):
        raise MissingRuleError(
            f"'scipy.interpolate.{name}' has no rule for splines that do not go through all samples.",
            why="where their knots are is found by trying",
            instead="leave out everything but the samples, 'k' and 'per', or give 's=0'",
        )


def at_points(x: Any, tck: Any, der: Any = 0, ext: Any = 0) -> Any:
    """`scipy.interpolate.splev`, of one spline or of the coordinates of a curve."""
    if is_curve(tck):
        return [at_points(x, (tck[0], one, tck[2]), der, ext) for one in tck[1]]
    value = told_by(si.splev, (x, tck, der, ext), {})
    t, c, k = parts_of(tck)
    return like_given(value, of_fitpack(np.asarray(x) * 1.0, np.asarray(t) * 1.0, np.asarray(c), k, der, ext))


def is_curve(tck: Any) -> bool:
    """Whether there are coefficients of several coordinates, as SciPy looks at them."""
    return not isinstance(tck, si.BSpline) and np.ndim(tck[1][0]) > 0


def parts_of(tck: Any) -> Any:
    """The knots, coefficients and degree of one spline, given as a spline or as a tuple."""
    if isinstance(tck, si.BSpline):
        t, c, k = breakpoints(tck), coefficients(tck), degree_of(tck)
    else:
        t, c, k = tck
    check_one(c)
    return t, c, k


def check_one(c: Any) -> None:
    """Refuse curves of several coordinates."""
    if np.ndim(c) != 1:
        raise MissingRuleError(
            "'scipy.interpolate' has no rule for curves of several coordinates there.",
            why="only `splev` has one for a list of the coefficients of each coordinate",
            instead="evaluate each coordinate by itself",
        )


def of_fitpack(x: Any, t: Any, c: Any, k: int, der: int, ext: int) -> Any:
    """The derivatives of a spline, points outside as FITPACK takes them."""
    ends = span(t, k)
    if ext == 3 and der == 0:
        x = np.clip(x, ends[0], ends[1])
    found = summed(c, t, x, intervals(t, x, k), k, der)
    return found * seen(ends, x, ext != 1)


def univariate(self: Any, x: Any, nu: Any = 0, ext: Any = None) -> Any:
    """`scipy.interpolate.UnivariateSpline.__call__`, and that of its subclasses."""
    value = told(self, x, nu, ext)
    t, c, k = self._eval_args
    return like_given(value, of_fitpack(np.asarray(x) * 1.0, t, c, k, nu, way_outside(self, ext)))


WAYS = ("extrapolate", "zeros", "raise", "const")
"""What FITPACK does outside, by its number."""


def way_outside(spline: Any, ext: Any) -> int:
    """The number of what is done outside."""
    told_here = spline.ext if ext is None else ext
    return WAYS.index(told_here) if isinstance(told_here, str) else int(told_here)
