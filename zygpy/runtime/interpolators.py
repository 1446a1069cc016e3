"""`scipy.interpolate.interp1d` as a program that is differentiated; loaded with SciPy alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.interpolate as si

from zygpy.runtime.basis_splines import in_columns, intervals, knots_of, meeting, summed, through
from zygpy.runtime.library_values import as_given, check_real, like_given
from zygpy.runtime.piecewise import axes_of_points, places_of_points
from zygpy.runtime.polynomials import dropped
from zygpy.runtime.spline_objects import (
    breakpoints,
    coefficients,
    made_exactly,
    value_above,
    value_below,
    with_samples,
)


def interpolating(
    x: Any,
    y: Any,
    kind: Any = "linear",
    axis: Any = -1,
    copy: Any = True,
    bounds_error: Any = None,
    fill_value: Any = np.nan,
    assume_sorted: Any = False,
) -> Any:
    """`scipy.interpolate.interp1d`."""
    check_real("scipy.interpolate.interp1d", x)
    keywords = {"kind": kind, "axis": axis, "copy": copy, "assume_sorted": assume_sorted}
    spline = made_exactly(
        si.interp1d, (x, y), keywords | {"bounds_error": bounds_error, "fill_value": fill_value}
    )
    order = order_of(x, assume_sorted)
    samples = np.take(np.asarray(y), order, axis=axis) * 1.0
    rows = np.moveaxis(samples, axis, 0)
    below, above = steps_outside(fill_value, kind, rows)
    return with_samples(spline, samples, np.asarray(x)[order] * 1.0, below, above)


def steps_outside(fill_value: Any, kind: Any, rows: Any) -> Any:
    """What stands below and above the samples: the last, or the first, of steps that go on to one side."""
    form = np.shape(rows)[1:]
    if goes_on(fill_value, kind, "previous"):
        return np.zeros(1), in_a_line(rows[-1], form)
    if goes_on(fill_value, kind, "next"):
        return in_a_line(rows[0], form), np.zeros(1)
    return outside(fill_value, form)


def goes_on(fill_value: Any, kind: Any, steps: str) -> bool:
    """Whether these steps are taken, and go on."""
    return isinstance(fill_value, str) and isinstance(kind, str) and kind == steps


def outside(fill_value: Any, form: Any) -> Any:
    """What stands below and above the samples, as vectors of one value or of all."""
    if isinstance(fill_value, str):
        return np.zeros(1), np.zeros(1)
    if isinstance(fill_value, tuple) and len(fill_value) == 2:
        return in_a_line(fill_value[0], form), in_a_line(fill_value[1], form)
    line = in_a_line(fill_value, form)
    return line, line


def in_a_line(value: Any, form: Any) -> Any:
    """A value, or those for all entries of a sample."""
    if np.size(value) == 1:
        return np.reshape(np.asarray(value) * 1.0, (1,))
    return np.reshape(np.zeros(form) + np.asarray(value), (-1,))


def order_of(x: Any, is_sorted: Any) -> Any:
    """In which order samples are kept."""
    return np.arange(np.size(x)) if is_sorted else np.argsort(x, kind="mergesort")


def between(self: Any, x: Any) -> Any:
    """What `interp1d` finds, by lines or steps."""
    value = told_between(self, x)
    breaks, points = breakpoints(self), np.asarray(x) * 1.0
    rows = in_columns(np.moveaxis(coefficients(self), axis_of(self), 0))
    found = smoothly(self, breaks, rows, points) if is_spline(self) else straight(self, breaks, rows, points)
    if has_values_outside(self):
        where, rest = meeting(np.asarray(sides(self, x)), rows), np.shape(rows)[1:]
        below, above = spread_out(value_below(self), rest), spread_out(value_above(self), rest)
        found = np.where(where == 0, found, np.where(where < 0, below, above))
    found = np.reshape(found, np.shape(x) + rest_of_samples(self))
    return like_given(value, np.moveaxis(found, axes_of_points(x), places_of_points(self, x)))


def rest_of_samples(interpolator: Any) -> Any:
    """The shape of the samples of one point."""
    shape, axis = np.shape(coefficients(interpolator)), axis_of(interpolator)
    return shape[:axis] + shape[axis + 1 :]


def is_spline(interpolator: Any) -> bool:
    """Whether a spline goes through the samples, and not lines or steps."""
    return bool(interpolator._kind == "spline")


def smoothly(interpolator: Any, breaks: Any, rows: Any, points: Any) -> Any:
    """The splines through the samples, whose degree is told."""
    k = spline_degree(interpolator)
    t = knots_of(breaks, k, False)
    c = rows * 1.0 if k < 2 else through(breaks, rows * 1.0, t, k, [], [])
    return summed(c, t, points, intervals(t, points, k), k, 0)


def spline_degree(interpolator: Any) -> int:
    """The degree of the polynomials."""
    return int(interpolator._spline.k)


def straight(interpolator: Any, breaks: Any, rows: Any, points: Any) -> Any:
    """Lines between the samples, or steps."""
    first, second = places_between(interpolator, points)
    same = np.equal(first, second)
    share = (points - breaks[first]) / np.where(same, 1.0, breaks[second] - breaks[first])
    before, behind = np.take(rows, first, axis=0), np.take(rows, second, axis=0)
    return before + meeting(np.where(same, 0.0, share), rows) * (behind - before)


def spread_out(line: Any, form: Any) -> Any:
    """The values for all entries of a sample."""
    return np.reshape(line, form if np.size(line) > 1 else ())


def told_between(interpolator: Any, x: Any) -> Any:
    """What SciPy gives."""
    return type(interpolator).__call__(interpolator, x)


def axis_of(interpolator: Any) -> int:
    """The axis of the samples."""
    return int(interpolator.axis)


def places_between(interpolator: Any, x: Any) -> Any:
    """Between which two samples each point lies, or twice the one that it takes."""
    breaks, kind, points = interpolator.x, interpolator._kind, np.asarray(x)
    last = len(breaks) - 1
    if kind == "linear" and last:
        first = np.clip(np.searchsorted(breaks, points), 1, last) - 1
        return first, first + 1
    numbers = si.interp1d(
        breaks, np.arange(last + 1), kind=kind, bounds_error=False, fill_value=(0, last), assume_sorted=True
    )
    found = np.nan_to_num(numbers(points)).astype(int)
    return found, found


def has_values_outside(interpolator: Any) -> bool:
    """Whether something else than samples stands outside."""
    return not interpolator._extrapolate


def sides(interpolator: Any, x: Any) -> Any:
    """-1 for points below the samples, 1 for those above, 0 for all others."""
    points = np.asarray(x)
    return 1 * (points > interpolator.x[-1]) - (points < interpolator.x[0])


def lagrange(x: Any, w: Any) -> Any:
    """`scipy.interpolate.lagrange`, by its basis of polynomials, of which none is dropped where a sample is
    zero."""
    found = told_coefficients(x, w)
    places, samples = np.asarray(x) * 1.0, np.asarray(w) * 1.0
    total = np.zeros(len(places))
    for j in range(len(places)):
        term = np.ones(1)
        for k in range(len(places)):
            if k != j:
                shifted = np.concatenate([np.zeros(1), places[k] * term])
                term = (np.concatenate([term, np.zeros(1)]) - shifted) / (places[j] - places[k])
        total = total + samples[j] * term
    return np.poly1d(as_given(found, total))


def told_coefficients(x: Any, w: Any) -> Any:
    """SciPy's coefficients; refused where the first ones are dropped."""
    found = si.lagrange(x, w).coeffs
    if len(found) < len(x):
        raise dropped()
    return found
