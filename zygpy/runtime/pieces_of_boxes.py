"""Functions of several coordinates by products of splines and of polynomials, `NdBSpline` and `NdPPoly` of
`scipy.interpolate`, as programs that are differentiated; loaded with SciPy alone.

The value is SciPy's own. The derivative is that of the coefficients that count at each point, by coefficients
and points. Knots and breakpoints have none.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.interpolate as si

from zygpy.runtime.basis_splines import intervals, span
from zygpy.runtime.grid_interpolators import coordinates
from zygpy.runtime.grid_splines import summed_products
from zygpy.runtime.library_values import as_given, depending
from zygpy.runtime.piecewise import intervals as pieces
from zygpy.runtime.piecewise import seen
from zygpy.runtime.spline_objects import asked, coefficients, made_exactly, with_one


def products(t: Any, c: Any, k: Any, *, extrapolate: Any = None) -> Any:
    """`scipy.interpolate.NdBSpline`."""
    spline = made_exactly(si.NdBSpline, (t, c, k), {"extrapolate": extrapolate})
    return with_one(spline, (depending(np.asarray(c) * 1.0, t),))


def evaluated_products(self: Any, xi: Any, *, nu: Any = None, extrapolate: Any = None) -> Any:
    """`scipy.interpolate.NdBSpline.__call__`."""
    value = told_with(self, xi, nu, extrapolate)
    c, knots, degrees = coefficients(self), knots_of(self), degrees_of(self)
    points = np.asarray(xi) * 1.0
    columns = np.transpose(np.reshape(points, (-1, np.shape(points)[-1])))
    indices = [intervals(knots[axis], columns[axis], degrees[axis]) for axis in range(len(knots))]
    found = summed_products(c, knots, columns, indices, degrees, nu)
    ends = [span(knots[axis], degrees[axis]) for axis in range(len(knots))]
    inside = shares_inside(ends, columns, goes_beyond(self, extrapolate))
    return as_given(value, in_form(inside, found, value))


def polynomials(c: Any, x: Any, extrapolate: Any = None) -> Any:
    """`scipy.interpolate.NdPPoly`."""
    made = made_exactly(si.NdPPoly, (c, x), {"extrapolate": extrapolate})
    return with_one(made, (depending(np.asarray(c) * 1.0, x),))


def evaluated_polynomials(self: Any, x: Any, nu: Any = None, extrapolate: Any = None) -> Any:
    """`scipy.interpolate.NdPPoly.__call__`."""
    value = asked(si.NdPPoly.__call__, self, (x, nu, extrapolate))
    c, breaks = coefficients(self), breaks_of(self)
    points = coordinates(x, len(breaks))
    columns = np.transpose(np.reshape(points, (-1, len(breaks))))
    found = c[places_of(breaks, columns)]
    for axis in range(len(breaks)):
        distances = columns[axis] - breaks[axis][pieces(breaks[axis], columns[axis])]
        steps = np.reshape(distances, (-1,) + (1,) * (np.ndim(c) - 2 * len(breaks)))
        found = first_powers(found, steps, 0 if nu is None else int(nu[axis]))
    inside = shares_inside(breaks, columns, goes_beyond(self, extrapolate))
    return as_given(value, in_form(inside, found, value))


def first_powers(c: Any, steps: Any, nu: int) -> Any:
    """A derivative of the polynomials whose coefficients stand along the first axis, by Horner's scheme."""
    found, count = np.zeros(np.shape(c)[1:]), len(c)
    for place in range(count - nu):
        found = found * steps + c[place] * math.perm(count - 1 - place, nu)
    return found


def in_form(inside: Any, found: Any, value: Any) -> Any:
    """What was found at points, 0 for those without a value, in the form of what SciPy gives."""
    shares = np.reshape(inside, (-1,) + (1,) * (np.ndim(found) - 1))
    return np.reshape(shares * found, np.shape(value))


# What is asked of the objects, which nothing is differentiated by.


def told_with(spline: Any, xi: Any, nu: Any, extrapolate: Any) -> Any:
    """What SciPy gives."""
    return type(spline).__call__(spline, xi, nu=nu, extrapolate=extrapolate)


def knots_of(spline: Any) -> Any:
    """The knots along each axis."""
    return [np.array(line) for line in spline.t]


def degrees_of(spline: Any) -> Any:
    """The degree along each axis."""
    return [int(k) for k in spline.k]


def breaks_of(polynomials: Any) -> Any:
    """The breakpoints along each axis."""
    return [np.array(line) for line in polynomials.x]


def places_of(breaks: Any, columns: Any) -> Any:
    """The index of the coefficients of each point's box."""
    found = [pieces(line, np.asarray(column)) for line, column in zip(breaks, columns, strict=True)]
    return (slice(None),) * len(found) + tuple(found)


def goes_beyond(made: Any, extrapolate: Any) -> bool:
    """Whether there are values outside."""
    return bool(made.extrapolate if extrapolate is None else extrapolate)


def shares_inside(ends: Any, columns: Any, beyond: bool) -> Any:
    """1 for points with a value, 0 for those with none."""
    shares = [seen(line, np.asarray(v), beyond) for line, v in zip(ends, columns, strict=True)]
    return np.prod(shares, axis=0)
