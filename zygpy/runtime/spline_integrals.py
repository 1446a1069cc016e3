"""Integrals and derivatives of splines of `scipy.interpolate`, in programs that are differentiated.

Loaded with SciPy alone. The value is SciPy's own. Source: C. de Boor, A Practical Guide to Splines (2001),
chapters VII and X.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.interpolate as si

from zygpy.runtime.basis_splines import degree_of, of_fitpack, primitive, primitive_parts, span
from zygpy.runtime.library_values import as_given, like_given, told_by
from zygpy.runtime.piecewise import is_periodic, of_intervals, way_of
from zygpy.runtime.spline_objects import asked, breakpoints, coefficients, with_parts

# Sums of basis functions.


def of_basis(self: Any, a: Any, b: Any, extrapolate: Any = None) -> Any:
    """`scipy.interpolate.BSpline.integrate`."""
    value = asked(si.BSpline.integrate, self, (a, b, extrapolate))
    c, t, k, way = coefficients(self), breakpoints(self), degree_of(self), way_of(self, extrapolate)
    ends = span(t, k)
    both = np.stack([a * 1.0, b * 1.0])
    if is_periodic(way):
        turns, points = in_period(ends[0], ends[1], both)
        areas = primitive(c, t, k, np.concatenate([points, ends]))
        return like_given(value, areas[1] - areas[0] + (turns[1] - turns[0]) * (areas[3] - areas[2]))
    areas = primitive(c, t, k, both if goes_on(way) else np.clip(both, ends[0], ends[1]))
    return like_given(value, areas[1] - areas[0])


def in_period(first: Any, last: Any, points: Any) -> Any:
    """How many periods lie before each point, and where in its own it stands."""
    turns = np.floor((points - first) / (last - first))
    return turns, points - turns * (last - first)


def goes_on(way: Any) -> bool:
    """Whether a spline is there outside, too."""
    return way is None or bool(way)


def derivative(self: Any, nu: Any = 1) -> Any:
    """`scipy.interpolate.BSpline.derivative`."""
    if nu < 0:
        return self.antiderivative(-nu)
    spline = asked(si.BSpline.derivative, self, (nu,))
    t, k = breakpoints(self), degree_of(self)
    c, t = derivative_parts(coefficients(self), t, k, nu)
    return with_parts(spline, padded(c, count_of(spline)), t)


def derivative_parts(c: Any, t: Any, k: int, nu: int) -> Any:
    """The coefficients and knots of a derivative of this order."""
    c = c[: len(t) - k - 1]
    for degree in range(k, k - nu, -1):
        steps = t[degree + 1 : -1] - t[1 : -degree - 1]
        c = degree * (c[1:] - c[:-1]) / np.reshape(steps, (-1,) + (1,) * (np.ndim(c) - 1))
        t = t[1:-1]
    return c, t


def padded(c: Any, count: int) -> Any:
    """So many coefficients, with zeros behind those that there are."""
    return np.concatenate([c[:count], np.zeros((max(0, count - len(c)), *np.shape(c)[1:]))])


def repeated(c: Any, count: int) -> Any:
    """So many coefficients, the last one again behind those that there are, as in antiderivatives."""
    c = c[:count]
    return np.concatenate([c, np.repeat(c[-1:], count - len(c), axis=0)])


def count_of(spline: Any) -> int:
    """How many coefficients a spline has."""
    return len(spline._eval_args[1] if isinstance(spline, si.UnivariateSpline) else spline.c)


def antiderivative(self: Any, nu: Any = 1) -> Any:
    """`scipy.interpolate.BSpline.antiderivative`."""
    if nu < 0:
        return self.derivative(-nu)
    spline = asked(si.BSpline.antiderivative, self, (nu,))
    c, t = antiderivative_parts(coefficients(self), breakpoints(self), degree_of(self), nu)
    return with_parts(spline, repeated(c, count_of(spline)), t)


def antiderivative_parts(c: Any, t: Any, k: int, nu: int) -> Any:
    """The coefficients and knots of an antiderivative of this order."""
    for degree in range(k, k + nu):
        c, t = primitive_parts(c, t, degree)
    return c, t


# What FITPACK makes.


def derivative_of_curve(self: Any, n: Any = 1) -> Any:
    """`scipy.interpolate.UnivariateSpline.derivative`."""
    if n < 0:
        return self.antiderivative(-n)
    spline = asked(si.UnivariateSpline.derivative, self, (n,))
    t, c, k = self._eval_args
    c, t = derivative_parts(c, t, k, n)
    return with_parts(spline, padded(c, count_of(spline)), t)


def antiderivative_of_curve(self: Any, n: Any = 1) -> Any:
    """`scipy.interpolate.UnivariateSpline.antiderivative`."""
    if n < 0:
        return self.derivative(-n)
    spline = asked(si.UnivariateSpline.antiderivative, self, (n,))
    t, c, k = self._eval_args
    c, t = antiderivative_parts(c, t, k, n)
    return with_parts(spline, repeated(c, count_of(spline)), t)


def derivative_of_parts(tck: Any, n: Any = 1) -> Any:
    """`scipy.interpolate.splder`."""
    if isinstance(tck, si.BSpline):
        return tck.derivative(n)
    if n < 0:
        return antiderivative_of_parts(tck, -n)
    knots, told, degree = told_by(si.splder, (tck, n), {})
    t, c, k = tck
    c, t = derivative_parts(np.asarray(c), np.asarray(t), k, n)
    return like_given(knots, t), as_given(told, padded(c, len(told))), degree


def antiderivative_of_parts(tck: Any, n: Any = 1) -> Any:
    """`scipy.interpolate.splantider`."""
    if isinstance(tck, si.BSpline):
        return tck.antiderivative(n)
    if n < 0:
        return derivative_of_parts(tck, -n)
    knots, told, degree = told_by(si.splantider, (tck, n), {})
    t, c, k = tck
    c, t = antiderivative_parts(np.asarray(c), np.asarray(t), k, n)
    return like_given(knots, t), as_given(told, repeated(c, len(told))), degree


def all_derivatives(self: Any, x: Any) -> Any:
    """`scipy.interpolate.UnivariateSpline.derivatives`."""
    value = asked(si.UnivariateSpline.derivatives, self, (x,))
    t, c, k = self._eval_args
    return like_given(
        value, np.stack([of_fitpack(np.asarray(x) * 1.0, t, c, k, nu, 0) for nu in range(k + 1)])
    )


# Piecewise polynomials.


def of_polynomials(self: Any, a: Any, b: Any, extrapolate: Any = None) -> Any:
    """`scipy.interpolate.PPoly.integrate`."""
    value = asked(si.PPoly.integrate, self, (a, b, extrapolate))
    breaks, way = breakpoints(self), way_of(self, extrapolate)
    c = integrated(coefficients(self), breaks)
    both = np.stack([a * 1.0, b * 1.0])
    if is_periodic(way):
        ends = breaks[[0, -1]]
        turns, points = in_period(ends[0], ends[1], both)
        areas = of_intervals(c, breaks, np.concatenate([points, ends]), 0, True)
        return like_given(value, areas[1] - areas[0] + (turns[1] - turns[0]) * (areas[3] - areas[2]))
    areas = of_intervals(c, breaks, both, 0, way)
    return like_given(value, areas[1] - areas[0])


def integrated(c: Any, breaks: Any) -> Any:
    """The coefficients of a continuous antiderivative."""
    form = (1,) * (np.ndim(c) - 2)
    degrees = np.reshape(np.arange(np.shape(c)[0], 0, -1), (-1, 1, *form))
    raised = c / degrees
    steps = np.reshape(breaks[1:] - breaks[:-1], (1, -1, *form))
    areas = np.sum(raised * steps**degrees, axis=0)
    before = np.concatenate([np.zeros((1, *np.shape(c)[2:])), np.cumsum(areas[:-1], axis=0)])
    return np.concatenate([raised, before[None]])


def antiderivative_of_polynomials(self: Any, nu: Any = 1) -> Any:
    """`scipy.interpolate.PPoly.antiderivative`."""
    if nu <= 0:
        return self.derivative(-nu)
    spline = asked(si.PPoly.antiderivative, self, (nu,))
    c, breaks = coefficients(self), breakpoints(self)
    for _ in range(nu):
        c = integrated(c, breaks)
    return with_parts(spline, c, breaks)
