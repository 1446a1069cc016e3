"""Splines that FITPACK makes, in programs that are differentiated; loaded with SciPy alone.

They go through all samples, or fit them where the knots are told, so that their coefficients solve linear
equations. The value is SciPy's own. Source: P. Dierckx, Curve and Surface Fitting with Splines (1993).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.interpolate as si

from zygpy.errors import MissingRuleError
from zygpy.runtime.basis_splines import (
    beside,
    intervals,
    knots_of,
    primitive,
    span,
    summed,
    through,
    weights,
)  # fmt: skip
from zygpy.runtime.library_values import as_given, depending, told_by
from zygpy.runtime.spline_fits import fitted
from zygpy.runtime.spline_objects import asked, built, with_parts, with_surface

# Curves.


def smooth(
    x: Any, y: Any, w: Any = None, bbox: Any = None, k: Any = 3, s: Any = None, ext: Any = 0,
    check_finite: Any = False,
) -> Any:  # fmt: skip
    """`scipy.interpolate.UnivariateSpline`, where it goes through all samples."""
    check_smoothing("UnivariateSpline", s)
    keywords = {"w": w, "bbox": bbox, "k": k, "s": s, "ext": ext, "check_finite": check_finite}
    spline = built(si.UnivariateSpline, (x, y), keywords)
    return through_all(spline, x, depending(y, (s, w) if s is None else s), bbox, k)


def interpolated(
    x: Any, y: Any, w: Any = None, bbox: Any = None, k: Any = 3, ext: Any = 0,
    check_finite: Any = False,
) -> Any:  # fmt: skip
    """`scipy.interpolate.InterpolatedUnivariateSpline`."""
    keywords = {"w": w, "bbox": bbox, "k": k, "ext": ext, "check_finite": check_finite}
    spline = built(si.InterpolatedUnivariateSpline, (x, y), keywords)
    return through_all(spline, x, y, bbox, k)


def through_all(spline: Any, x: Any, y: Any, bbox: Any, k: int) -> Any:
    """The spline with the derivatives of its equations."""
    places = np.asarray(x) * 1.0
    t = ends_moved(knots_of(places, k, False), k, bbox, 0)
    return with_zeros(spline, through(places, np.asarray(y) * 1.0, t, k, [], []), t, k)


def with_zeros(spline: Any, c: Any, t: Any, k: int) -> Any:
    """The spline, which has zeros behind its coefficients."""
    return with_parts(spline, np.concatenate([c, np.zeros(k + 1)]), t)


def ends_moved(t: Any, k: int, bbox: Any, start: int) -> Any:
    """Knots whose ends stand where they are told to, by the entries of a tuple from this one on."""
    if bbox is None:
        return t
    low = t[: k + 1] if bbox[start] is None else np.zeros(k + 1) + bbox[start]
    high = t[len(t) - k - 1 :] if bbox[start + 1] is None else np.zeros(k + 1) + bbox[start + 1]
    return np.concatenate([low, t[k + 1 : len(t) - k - 1], high])


def least_squares(
    x: Any, y: Any, t: Any, w: Any = None, bbox: Any = None, k: Any = 3, ext: Any = 0,
    check_finite: Any = False,
) -> Any:  # fmt: skip
    """`scipy.interpolate.LSQUnivariateSpline`."""
    keywords = {"w": w, "bbox": bbox, "k": k, "ext": ext, "check_finite": check_finite}
    spline = built(si.LSQUnivariateSpline, (x, y, t), keywords)
    places = np.asarray(x) * 1.0
    both = np.concatenate([places[:1]] * (k + 1) + [np.asarray(t) * 1.0] + [places[-1:]] * (k + 1))
    knots = ends_moved(both, k, bbox, 0)
    return with_zeros(spline, fitted(places, np.asarray(y) * 1.0, knots, k, w), knots, k)


def check_smoothing(name: str, s: Any) -> None:
    """Refuse splines that do not go through all samples, whose knots are sought."""
    if s is None or s != 0:
        raise MissingRuleError(
            f"'scipy.interpolate.{name}' has no rule for splines that do not go through all samples.",
            why="where their knots are, and how smooth they are, is found by trying",
            instead="give 's=0', knots ('LSQUnivariateSpline', 'make_lsq_spline'), or how smooth it is to be "
            "('make_smoothing_spline' with 'lam=')",
        )


def inner_knots(self: Any) -> Any:
    """`scipy.interpolate.UnivariateSpline.get_knots`."""
    value = asked(si.UnivariateSpline.get_knots, self, ())
    t, _, k = self._eval_args
    return as_given(value, t[k : len(t) - k])


def coefficients(self: Any) -> Any:
    """`scipy.interpolate.UnivariateSpline.get_coeffs`."""
    value = asked(si.UnivariateSpline.get_coeffs, self, ())
    t, c, k = self._eval_args
    return as_given(value, c[: len(t) - k - 1])


def integral(self: Any, a: Any, b: Any) -> Any:
    """`scipy.interpolate.UnivariateSpline.integral`."""
    t, c, k = self._eval_args
    return between(asked(type(self).integral, self, (a, b)), a, b, t, c, k)


def between(value: Any, a: Any, b: Any, t: Any, c: Any, k: int) -> Any:
    """An integral, to which nothing outside of the knots adds."""
    ends = span(t, k)
    low, high = np.clip(np.asarray(a) * 1.0, ends[0], ends[1]), np.clip(np.asarray(b) * 1.0, ends[0], ends[1])
    return as_given(value, primitive(c, t, k, high) - primitive(c, t, k, low))


def integral_of_parts(a: Any, b: Any, tck: Any, full_output: Any = 0) -> Any:
    """`scipy.interpolate.splint`."""
    check_parts(tck, full_output)
    t, c, k = tck
    return between(told_by(si.splint, (a, b, tck), {}), a, b, np.asarray(t) * 1.0, np.asarray(c) * 1.0, k)


def check_parts(tck: Any, full_output: Any) -> None:
    """Refuse curves of several coordinates, objects, and what else FITPACK tells."""
    if full_output or isinstance(tck, si.BSpline) or np.ndim(tck[1]) != 1:
        raise MissingRuleError(
            "'scipy.interpolate.splint' has a rule for one array of coefficients alone.",
            why="the integrals of others have other shapes",
            instead="give '(t, c, k)' for each coordinate, or call 'integrate' of a 'BSpline'",
        )


# Surfaces.


def on_rectangle(
    x: Any, y: Any, z: Any, bbox: Any = None, kx: Any = 3, ky: Any = 3, s: Any = 0,
    maxit: Any = None,
) -> Any:  # fmt: skip
    """`scipy.interpolate.RectBivariateSpline`, where it goes through all samples."""
    check_surface(s)
    keywords = {"bbox": bbox, "kx": kx, "ky": ky, "s": s, "maxit": maxit}  # the last since SciPy 1.14
    spline = built(si.RectBivariateSpline, (x, y, z), keywords)
    rows, columns = np.reshape(np.asarray(x), (-1,)) * 1.0, np.reshape(np.asarray(y), (-1,)) * 1.0
    tx = ends_moved(knots_of(rows, kx, False), kx, bbox, 0)
    ty = ends_moved(knots_of(columns, ky, False), ky, bbox, 2)
    half = through(rows, np.asarray(depending(z, s)) * 1.0, tx, kx, [], [])
    c = through(columns, np.transpose(half), ty, ky, [], [])
    return with_surface(spline, np.reshape(np.transpose(c), (-1,)), tx, ty)


def check_surface(s: Any) -> None:
    """Refuse surfaces that do not go through all samples, whose knots are sought."""
    if s is None or s != 0:
        raise MissingRuleError(
            "'scipy.interpolate.RectBivariateSpline' has no rule for splines that do not go through all "
            "samples.",
            why="where their knots are is found by trying",
            instead="give 's=0'",
        )


def surface(self: Any, x: Any, y: Any, dx: Any = 0, dy: Any = 0, grid: Any = True) -> Any:
    """`scipy.interpolate.BivariateSpline.__call__`."""
    value = asked(si.BivariateSpline.__call__, self, (x, y, dx, dy, grid))
    tck, degrees = self.tck, degrees_of(self)
    c = np.reshape(tck[2], (len(tck[0]) - degrees[0] - 1, len(tck[1]) - degrees[1] - 1))
    if grid:
        return as_given(value, on_lines(c, tck[0], tck[1], degrees, x, y, dx, dy))
    return as_given(value, at_places(c, tck[0], tck[1], degrees, x, y, dx, dy))


def degrees_of(spline: Any) -> tuple[int, int]:
    """The degrees along both axes."""
    return int(spline.degrees[0]), int(spline.degrees[1])


def within(t: Any, k: int, x: Any) -> Any:
    """Points in a line, those outside at the ends."""
    ends = span(t, k)
    return np.clip(np.reshape(np.asarray(x) * 1.0, (-1,)), ends[0], ends[1])


def on_lines(c: Any, tx: Any, ty: Any, degrees: Any, x: Any, y: Any, dx: int, dy: int) -> Any:
    """The derivatives of a surface at all crossings."""
    rows, columns = within(tx, degrees[0], x), within(ty, degrees[1], y)
    half = summed(c, tx, rows, intervals(tx, rows, degrees[0]), degrees[0], dx)
    turned = np.transpose(half)
    found = summed(turned, ty, columns, intervals(ty, columns, degrees[1]), degrees[1], dy)
    return np.transpose(found)


def at_places(c: Any, tx: Any, ty: Any, degrees: Any, x: Any, y: Any, dx: int, dy: int) -> Any:
    """The derivatives of a surface at points."""
    form = np.broadcast_shapes(np.shape(x), np.shape(y))
    rows = within(tx, degrees[0], np.zeros(form) + x)
    columns = within(ty, degrees[1], np.zeros(form) + y)
    first, second = intervals(tx, rows, degrees[0]), intervals(ty, columns, degrees[1])
    along_x = weights(tx, rows, first, degrees[0], dx)
    along_y = weights(ty, columns, second, degrees[1], dy)
    near = c[beside(first, -degrees[0], 1)[:, None], beside(second, -degrees[1], 1)[None]]
    return np.reshape(np.einsum("in,jn,ijn->n", along_x, along_y, near), form)


def partial_derivative(self: Any, dx: Any, dy: Any) -> Any:
    """`scipy.interpolate.BivariateSpline.partial_derivative`."""
    found = asked(si.BivariateSpline.partial_derivative, self, (dx, dy))
    if dx == 0 and dy == 0:
        return self
    (tx, ty, c), degrees = self.tck[:3], degrees_of(self)
    c = np.reshape(c, (len(tx) - degrees[0] - 1, len(ty) - degrees[1] - 1))
    c = np.transpose(steps_of_coefficients(c, tx, degrees[0], dx))
    c = np.transpose(steps_of_coefficients(c, ty, degrees[1], dy))
    return with_surface(found, np.reshape(c, (-1,)), tx[dx : len(tx) - dx], ty[dy : len(ty) - dy])


def steps_of_coefficients(c: Any, t: Any, k: int, order: int) -> Any:
    """The coefficients of a derivative along the first axis: steps over the knots between them."""
    for degree in range(k, k - order, -1):
        widths = t[degree + 1 : -1] - t[1 : len(t) - degree - 1]
        apart = widths > 0
        share = np.where(apart, degree / np.where(apart, widths, 1.0), 0.0)
        c = (c[1:] - c[:-1]) * np.expand_dims(share, 1)
        t = t[1:-1]
    return c


def volume(self: Any, xa: Any, xb: Any, ya: Any, yb: Any) -> Any:
    """`scipy.interpolate.BivariateSpline.integral`."""
    value = asked(si.BivariateSpline.integral, self, (xa, xb, ya, yb))
    tck, degrees = self.tck, degrees_of(self)
    c = np.reshape(tck[2], (len(tck[0]) - degrees[0] - 1, len(tck[1]) - degrees[1] - 1))
    rows = within(tck[0], degrees[0], np.stack([xa * 1.0, xb * 1.0]))
    columns = within(tck[1], degrees[1], np.stack([ya * 1.0, yb * 1.0]))
    half = primitive(c, tck[0], degrees[0], rows)
    found = primitive(half[1] - half[0], tck[1], degrees[1], columns)
    return as_given(value, found[1] - found[0])


def of_parts(x: Any, y: Any, tck: Any, dx: Any = 0, dy: Any = 0) -> Any:
    """`scipy.interpolate.bisplev`."""
    value = told_by(si.bisplev, (x, y, tck, dx, dy), {})
    tx, ty = np.asarray(tck[0]) * 1.0, np.asarray(tck[1]) * 1.0
    degrees = int(tck[3]), int(tck[4])
    c = np.reshape(np.asarray(tck[2]) * 1.0, (len(tx) - degrees[0] - 1, len(ty) - degrees[1] - 1))
    return as_given(value, np.reshape(on_lines(c, tx, ty, degrees, x, y, dx, dy), np.shape(value)))
