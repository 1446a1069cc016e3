"""Interpolation of samples at scattered points by `scipy.interpolate` as programs that are differentiated.

The value is SciPy's own. In a triangle (or simplex) the linear interpolant is the sum of the samples at its
corners, weighted by the barycentric coordinates of the point, which are those of all affine images too: they
are computed of the scaled points. The triangles are held as they are, of which Delaunay's are constant while
points move, as long as no other point comes into the circle around a triangle.

This module is imported with the rules of `scipy.interpolate`, never by zygpy itself.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import scipy.interpolate as si
from scipy.spatial import Delaunay

from zygpy.errors import MissingRuleError
from zygpy.runtime.grid_interpolators import coordinates
from zygpy.runtime.library_values import like_given
from zygpy.runtime.spline_objects import built, grid_fill, grid_values

# Making.


def linear(points: Any, values: Any, fill_value: Any = np.nan, rescale: Any = False) -> Any:
    """`scipy.interpolate.LinearNDInterpolator`."""
    made = built(si.LinearNDInterpolator, (points, values, fill_value, rescale), {})
    return of_samples(made, points, values, fill_value)


def nearest(x: Any, y: Any, rescale: Any = False, tree_options: Any = None) -> Any:
    """`scipy.interpolate.NearestNDInterpolator`."""
    made = built(si.NearestNDInterpolator, (x, y, rescale, tree_options), {})
    return of_samples(made, x, y, 0.0)


def of_samples(made: Any, points: Any, values: Any, fill: Any) -> Any:
    """The interpolator, with the derivatives of what it was made of."""
    samples = np.reshape(np.asarray(values) * 1.0, samples_like(made))
    return with_samples_at(made, samples, nodes_of(made, points), np.asarray(fill) * 1.0)


def samples_like(made: Any) -> Any:
    """The shape in which an interpolator keeps its samples."""
    return np.shape(made.values)


def nodes_of(made: Any, points: Any) -> Any:
    """The points as the interpolator keeps them."""
    if is_triangulation(points):
        return made.points
    if isinstance(points, tuple):
        columns = [np.reshape(one, (-1,)) * 1.0 for one in np.broadcast_arrays(*points)]
        return scaled(made, np.stack(columns, axis=-1))
    nodes = np.asarray(points) * 1.0
    return scaled(made, nodes if np.ndim(nodes) == 2 else nodes[:, None])


def is_triangulation(points: Any) -> bool:
    """Whether triangles were given."""
    return isinstance(points, Delaunay)


def scaled(interpolator: Any, nodes: Any) -> Any:
    """Points as the interpolator scales them."""
    offset, scale = scales(interpolator)
    return (nodes - offset) / scale


def scales(interpolator: Any) -> tuple[Any, Any]:
    """What is subtracted of points, and by what they are divided."""
    scale = interpolator.scale
    return (0.0, 1.0) if scale is None else (interpolator.offset, scale)


def with_samples_at(interpolator: Any, values: Any, points: Any, fill: Any) -> Any:
    """The interpolator, whose samples and points have the derivatives of what was computed."""
    made = copy.copy(interpolator)
    made.values, made.points = made.values.copy(), made.points.copy()
    return made


def nodes(interpolator: Any) -> Any:
    """The points of an interpolator."""
    return interpolator.points


# Evaluating.


def linear_at(self: Any, *args: Any) -> Any:
    """`LinearNDInterpolator.__call__`."""
    check_linear(self)
    value = told_at(self, args, {})
    at = points_at(self, args)
    corners, row = simplices_at(self, at)
    samples, places = grid_values(self), nodes(self)
    ends = places[corners]
    sides = np.swapaxes(ends[:, :-1] - ends[:, -1:], 1, 2)
    inside = at[row < len(corners)] - ends[:, -1]
    first = np.linalg.solve(sides, inside[..., None])[..., 0]
    weights = np.concatenate([first, 1 - np.sum(first, axis=1, keepdims=True)], axis=1)
    found = np.sum(weights[..., None] * samples[corners], axis=1)
    outside = np.zeros((1, np.shape(found)[1])) + grid_fill(self)
    rows = np.concatenate([found, outside])[row]
    return like_given(value, np.reshape(rows, np.shape(value)))


def nearest_at(self: Any, *args: Any, **query_options: Any) -> Any:
    """`NearestNDInterpolator.__call__`, which has the derivative zero by points."""
    value = told_at(self, args, query_options)
    at = points_at(self, args)
    samples = grid_values(self)
    rows = np.reshape(samples, (len(samples), -1))
    found = (
        with_zeros(rows)[nearest_to(self, at, query_options)] + np.sign(at[:, :1] + 0 * nodes(self)[0, 0]) * 0
    )
    return like_given(value, np.reshape(found, np.shape(value)))


def points_at(interpolator: Any, args: Any) -> Any:
    """The points where an interpolator is evaluated, scaled, a row each."""
    rank = interpolator.points.shape[1]
    points = coordinates(args[0] if len(args) == 1 else args, rank)
    return scaled(interpolator, np.reshape(points, (-1, rank)))


def check_linear(interpolator: Any) -> None:
    """Refuse cubics in triangles."""
    if isinstance(interpolator, si.CloughTocher2DInterpolator):
        refuse_cubics()


def refuse_cubics() -> None:
    """Raise the error for cubics in triangles."""
    raise MissingRuleError(
        "'scipy.interpolate' has no rule for cubics in triangles ('CloughTocher2DInterpolator').",
        why="their slopes at the points are found by steps in code that is not written in Python",
        instead="use 'LinearNDInterpolator' or 'RBFInterpolator'",
    )


def told_at(interpolator: Any, args: Any, options: Any) -> Any:
    """What SciPy gives."""
    return type(interpolator).__call__(interpolator, *args, **options)


def simplices_at(interpolator: Any, at: Any) -> tuple[Any, Any]:
    """The corners of the simplices of all points that are in one, and which of these each point is in: behind
    the last one if it is in none."""
    found = interpolator.tri.find_simplex(at)
    there = found >= 0
    row = np.where(there, np.cumsum(there) - 1, np.count_nonzero(there))
    return interpolator.tri.simplices[found[there]], row


def nearest_to(interpolator: Any, at: Any, options: Any) -> Any:
    """The number of the nearest sample of each point, behind the last where there is none."""
    return np.reshape(interpolator.tree.query(at, **options)[1], (-1,))


def with_zeros(rows: Any) -> Any:
    """Rows with one of zeros behind them."""
    return np.concatenate([rows, np.zeros((1, np.shape(rows)[1]))])


# At once.


def on_scattered(
    points: Any, values: Any, xi: Any, method: Any = "linear", fill_value: Any = np.nan, rescale: Any = False
) -> Any:
    """`scipy.interpolate.griddata`."""
    if rank_of(points) == 1:
        return on_line(points, values, xi, method, fill_value)
    if method == "nearest":
        return nearest_at(nearest(points, values, rescale), xi)
    if method == "linear":
        return linear_at(linear(points, values, fill_value, rescale), xi)
    built(si.griddata, (points, values, xi, method, fill_value, rescale), {})  # SciPy's exceptions come first
    refuse_cubics()
    return values


def rank_of(points: Any) -> int:
    """How many coordinates points have."""
    if is_triangulation(points):
        return int(points.points.shape[1])
    if isinstance(points, tuple):
        return len(points)
    return 1 if np.ndim(points) == 1 else int(np.shape(points)[-1])


def on_line(points: Any, values: Any, xi: Any, method: Any, fill_value: Any) -> Any:
    """Interpolation of samples on a line, which are put in order."""
    line = np.reshape(points[0] if isinstance(points, tuple) else points, (-1,))
    at = xi[0] if isinstance(xi, tuple) else xi
    order = np.argsort(line)
    outside = "extrapolate" if method == "nearest" else fill_value
    samples = np.asarray(values)[order]
    curve = si.interp1d(line[order], samples, method, axis=0, bounds_error=False, fill_value=outside)
    return curve(at)
