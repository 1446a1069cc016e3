"""Where splines of `scipy.interpolate` have a value, in programs that are differentiated.

Loaded with SciPy alone. The places are SciPy's own. Their derivatives are those of Newton's steps from there:
a step doubles how many derivatives of a root are right, as it doubles the digits (A. Griewank and A. Walther,
Evaluating Derivatives (2008), chapter 15). How many places there are counts as constant.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.interpolate as si

from zygpy.errors import MissingRuleError
from zygpy.runtime.basis_splines import of_fitpack, parts_of
from zygpy.runtime.library_values import like_given, told_by
from zygpy.runtime.piecewise import intervals, powers
from zygpy.runtime.spline_objects import asked, breakpoints, coefficients

STEPS = 3
"""Enough for the derivatives up to the seventh."""

JUMP = 1e-9
"""Where both pieces at a breakpoint are further than this from the value, relative to their terms, the spline
jumps over it there."""


def of_polynomials(self: Any, y: Any = 0.0, discontinuity: Any = True, extrapolate: Any = None) -> Any:
    """`scipy.interpolate.PPoly.solve`."""
    found = asked(si.PPoly.solve, self, (y, discontinuity, extrapolate))
    c, breaks = coefficients(self), breakpoints(self)
    check_one_curve(c)
    index, is_jump = pieces(c, breaks, y, found)
    r = np.asarray(found) * 1.0
    for _ in range(STEPS):
        s = r - breaks[index]
        miss, slope = powers(c, index, s, 0) - y, powers(c, index, s, 1)
        r = r - np.where(is_jump, 0.0, miss) / or_nan(np.where(is_jump, 1.0, slope))
    return like_given(found, np.where(is_jump, breaks[index], r))


def check_one_curve(c: Any) -> None:
    """Refuse several curves at once."""
    if np.ndim(c) != 2:
        raise MissingRuleError(
            "'solve' and 'roots' of a piecewise polynomial have no rule for several curves.",
            why="their roots are arrays in an array of objects, of any length each",
            instead="solve for each curve: 'PPoly(c[:, :, i], x).roots()'",
        )


def pieces(c: Any, breaks: Any, y: Any, found: Any) -> Any:
    """The piece that each root is one of, and whether the spline jumps over the value there.

    >>> pieces(np.array([[1.0, 1.0], [-0.5, 3.0]]), np.array([0.0, 1.0, 2.0]), 1.0, np.array([1.0]))
    (array([1]), array([ True]))
    >>> pieces(np.array([[1.0, 1.0], [-0.5, 3.0]]), np.array([0.0, 1.0, 2.0]), 0.5, np.array([1.0]))
    (array([0]), array([False]))
    """
    index = intervals(breaks, found)
    before = np.where((found == breaks[index]) & (index > 0), index - 1, index)
    misses = [np.abs(powers(c, at, found - breaks[at], 0) - y) for at in (before, index)]
    terms = [powers(np.abs(c), at, np.abs(found - breaks[at]), 0) + np.abs(y) for at in (before, index)]
    is_jump = (before != index) & (np.minimum(*misses) > JUMP * np.maximum(*terms))
    return np.where((misses[0] < misses[1]) & ~is_jump, before, index), is_jump


def or_nan(slope: Any) -> Any:
    """Slopes to divide by: a root of a higher order has no derivative."""
    return np.where(slope == 0, np.nan, slope)


# What FITPACK makes.


def of_curve(self: Any) -> Any:
    """`scipy.interpolate.UnivariateSpline.roots`."""
    found = asked(si.UnivariateSpline.roots, self, ())
    t, c, k = self._eval_args
    return like_given(found, refined(found, np.asarray(t) * 1.0, np.asarray(c), k))


def of_parts(tck: Any, mest: Any = 10) -> Any:
    """`scipy.interpolate.sproot`."""
    found = told_by(si.sproot, (tck, mest), {})
    t, c, k = parts_of(tck)
    return like_given(found, refined(found, np.asarray(t) * 1.0, np.asarray(c), k))


def refined(found: Any, t: Any, c: Any, k: int) -> Any:
    """The roots of a sum of basis functions."""
    r = np.asarray(found) * 1.0
    for _ in range(STEPS):
        r = r - of_fitpack(r, t, c, k, 0, 0) / or_nan(of_fitpack(r, t, c, k, 1, 0))
    return r
