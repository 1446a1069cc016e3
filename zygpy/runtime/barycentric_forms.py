"""Polynomials through samples in the barycentric form of `scipy.interpolate`, as programs.

The values are SciPy's. Derivatives are those of products as Lagrange takes them, which
have them at the samples, too; the polynomial does not depend on the order in which SciPy takes samples.
Source: J.-P. Berrut and L. N. Trefethen, Barycentric Lagrange interpolation (2004).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.interpolate as si

from zygpy.errors import MissingRuleError
from zygpy.runtime.library_values import as_given, like_given, told_by


def by_polynomial(xi: Any, yi: Any, x: Any, axis: Any = 0, *, der: Any = 0, rng: Any = None) -> Any:
    """`scipy.interpolate.barycentric_interpolate`."""
    check_order(der)
    value = told_by(si.barycentric_interpolate, (xi, yi, x, axis), {"der": der, "rng": rng})
    places, samples = np.asarray(xi) * 1.0, np.moveaxis(np.asarray(yi) * 1.0, axis, 0)
    at = int(axis) % np.ndim(yi)
    return like_given(value, turned(derivative_of(places, samples, x, der), np.shape(x), at))


def check_order(der: Any) -> None:
    """Refuse several derivatives at once."""
    if np.ndim(der):
        raise MissingRuleError(
            "'scipy.interpolate.barycentric_interpolate' has no rule for several derivatives.",
            why="one derivative has a rule",
            instead="give one order",
        )


def derivative_of(places: Any, samples: Any, x: Any, order: Any) -> Any:
    """A derivative of the polynomial, the axes of the points in front of those of a sample."""
    if order:
        return si.KroghInterpolator(places, samples).derivative(x, order)
    points = np.reshape(np.asarray(x) * 1.0, (-1, 1, 1))
    one = np.eye(len(places)) == 1
    factors = (points - places) / np.where(one, 1.0, places[:, None] - places)
    basis = np.prod(np.where(one, 1.0, factors), axis=2)
    found = np.tensordot(basis, samples, 1)
    return np.reshape(found, np.shape(x) + np.shape(samples)[1:])


def turned(found: Any, form: Any, at: int) -> Any:
    """The axes of the points in the place of that of the samples."""
    rank = len(form)
    order = (*range(rank, rank + at), *range(rank), *range(rank + at, np.ndim(found)))
    return np.transpose(found, order)


def made(xi: Any, yi: Any = None, axis: Any = 0, *, wi: Any = None, rng: Any = None) -> Any:
    """`scipy.interpolate.BarycentricInterpolator`."""
    found = told_by(si.BarycentricInterpolator, (xi, yi, axis), {"wi": wi, "rng": rng})
    places = np.asarray(xi) * 1.0
    found.xi = as_given(found.xi, places)
    found.wi = weights(found.wi, places, wi)
    if yi is not None:
        samples = np.moveaxis(np.asarray(yi) * 1.0, axis, 0)
        found.yi = as_given(found.yi, np.reshape(samples, (len(places), -1)))
    return found


def weights(told: Any, places: Any, given: Any) -> Any:
    """The weights of the barycentric form, whose derivatives nothing here asks for."""
    return told


def evaluated(self: Any, x: Any) -> Any:
    """`scipy.interpolate.BarycentricInterpolator.__call__`."""
    value = told_by(si.BarycentricInterpolator.__call__, (self, x), {})
    return like_given(value, in_place(self, x, 0))


def derived(self: Any, x: Any, der: Any = 1) -> Any:
    """`scipy.interpolate.BarycentricInterpolator.derivative`."""
    check_order(der)
    value = told_by(si.BarycentricInterpolator.derivative, (self, x, der), {})
    return like_given(value, in_place(self, x, der))


def in_place(self: Any, x: Any, order: Any) -> Any:
    """A derivative of the polynomial of an interpolator, with the axes that it gives."""
    columns = derivative_of(self.xi, self.yi, x, order)
    form = np.shape(x)
    return turned(np.reshape(columns, form + tuple(self._y_extra_shape)), form, int(self._y_axis))
