"""Splines that fit samples, in programs that are differentiated; loaded with SciPy alone.

Their coefficients solve linear equations once the knots, or how smooth they are, are told. The value is
SciPy's own. Source: P. J. Green and B. W. Silverman, Nonparametric Regression and Generalized Linear
Models (1994).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.interpolate as si
import scipy.linalg as sl

from zygpy.errors import MissingRuleError
from zygpy.runtime.basis_splines import collocation, knots_of, through
from zygpy.runtime.cubic_pieces import along
from zygpy.runtime.library_values import told_by
from zygpy.runtime.spline_objects import with_parts


def least_squares(
    x: Any, y: Any, t: Any, k: Any = 3, w: Any = None, axis: Any = 0, check_finite: Any = True, *,
    method: Any = None,
) -> Any:  # fmt: skip
    """`scipy.interpolate.make_lsq_spline`."""
    spline = told_by(si.make_lsq_spline, (x, y, t, k, w, axis, check_finite), {"method": method})
    knots = np.asarray(t) * 1.0
    c = fitted(np.asarray(x) * 1.0, np.moveaxis(np.asarray(y) * 1.0, axis, 0), knots, k, w)
    return with_parts(spline, c, knots)


def fitted(x: Any, y: Any, t: Any, k: int, w: Any) -> Any:
    """The coefficients of the spline with these knots that is nearest to samples with these weights."""
    matrix = collocation(t, x, k)
    right = np.reshape(y, (len(x), -1))
    if w is not None:
        factors = np.reshape(np.asarray(w) * 1.0, (-1, 1))
        matrix, right = factors * matrix, factors * right
    return np.reshape(np.linalg.lstsq(matrix, right)[0], (len(t) - k - 1, *np.shape(y)[1:]))


def smoothing(x: Any, y: Any, w: Any = None, lam: Any = None, *, axis: Any = 0) -> Any:
    """`scipy.interpolate.make_smoothing_spline`."""
    check_smoothness(lam)
    keywords = {} if axis == 0 else {"axis": axis}  # since SciPy 1.15
    spline = told_by(si.make_smoothing_spline, (x, y, w, lam), keywords)
    places, rows = np.asarray(x) * 1.0, np.moveaxis(np.asarray(y) * 1.0, axis, 0)
    spread = np.ones(len(places)) if w is None else 1.0 / np.asarray(w)
    knots = knots_of(places, 3, True)
    c = through(places, smoothed(places, rows, spread, lam), knots, 3, [(2, 0.0)], [(2, 0.0)])
    return with_parts(spline, c, knots)


def check_smoothness(lam: Any) -> None:
    """Refuse splines whose smoothness is sought."""
    if lam is None:
        raise MissingRuleError(
            "'scipy.interpolate.make_smoothing_spline' has no rule without 'lam'.",
            why="how smooth the spline is, is then found by trying",
            instead="give 'lam='",
        )


def smoothed(x: Any, y: Any, spread: Any, lam: Any) -> Any:
    """The values at its knots of the smoothest curve near samples, by Reinsch's equations for its second
    derivatives there; `spread` has the inverses of the weights."""
    h = x[1:] - x[:-1]
    a, c = 1.0 / h[:-1], 1.0 / h[1:]
    b = -a - c
    first, inner, last = spread[:-2], spread[1:-1], spread[2:]
    diagonal = (h[:-1] + h[1:]) / 3 + lam * (a**2 * first + b**2 * inner + c**2 * last)
    beside = h[1:-1] / 6 + lam * (b[:-1] * a[1:] * inner[:-1] + c[:-1] * b[1:] * last[:-1])
    beyond = lam * c[:-2] * a[2:] * inner[1:-1]
    none, two = np.zeros(1), np.zeros(2)
    band = np.stack(
        [
            np.concatenate([two, beyond]),
            np.concatenate([none, beside]),
            diagonal,
            np.concatenate([beside, none]),
            np.concatenate([beyond, two]),
        ]
    )
    rises = (y[1:] - y[:-1]) / along(h, y)
    right = np.reshape(rises[1:] - rises[:-1], (len(x) - 2, -1))
    bends = np.reshape(sl.solve_banded((2, 2), band, right), (len(x) - 2, *np.shape(y)[1:]))
    end = np.zeros((1, *np.shape(y)[1:]))
    padded = np.concatenate([end, bends, end])
    changes = np.concatenate([end, (padded[1:] - padded[:-1]) / along(h, y), end])
    return y - lam * along(spread, y) * (changes[1:] - changes[:-1])
