"""Interpolation on grids by `scipy.interpolate` as programs that are differentiated; loaded with SciPy alone.

The value is SciPy's own. The derivative is that of the product of lines in the cell of each point, by the
samples, the points and the lines of the grid.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.interpolate as si

from zygpy.errors import MissingRuleError
from zygpy.runtime.grid_splines import is_smooth, smoothly_between
from zygpy.runtime.library_values import as_given
from zygpy.runtime.spline_objects import built, grid_fill, grid_line, grid_values, with_grid


def gridded(
    points: Any, values: Any, method: Any = "linear", bounds_error: Any = True, fill_value: Any = np.nan, *,
    solver: Any = None, solver_args: Any = None,
) -> Any:  # fmt: skip
    """`scipy.interpolate.RegularGridInterpolator`."""
    check_method(method)
    keywords = {"solver": solver, "solver_args": solver_args}
    made = built(si.RegularGridInterpolator, (points, values, method, bounds_error, fill_value), keywords)
    samples = np.asarray(values) * 1.0
    for axis in range(len(points)):
        if falls(points[axis]):
            samples = np.flip(samples, axis)
    lines = []
    for axis in range(len(points)):
        line = np.asarray(points[axis]) * 1.0
        lines.append(np.flip(line) if falls(line) else line)
    stands = fill_value if has_value_outside(made) else 0.0
    return with_grid(made, samples, lines, np.asarray(stands) * 1.0)


def check_method(method: Any) -> None:
    """Refuse methods that are not known."""
    if method not in ("linear", "nearest") and not is_smooth(method):
        raise MissingRuleError(
            f"'scipy.interpolate' has no rule for the method {method!r} on grids.",
            why="it is a newer one",
            instead="use method='linear', 'cubic', 'quintic' or 'pchip'",
        )


def falls(line: Any) -> bool:
    """Whether the places of samples fall."""
    return len(line) > 1 and bool(line[1] < line[0])


def evaluated(self: Any, xi: Any, method: Any = None, *, nu: Any = None) -> Any:
    """`scipy.interpolate.RegularGridInterpolator.__call__`."""
    way = method_of(self, method)
    check_method(way)
    value = told_there(self, xi, method, nu)
    lines = [grid_line(self, axis) for axis in range(rank_of(self))]
    fill = grid_fill(self) if has_value_outside(self) else None
    at = coordinates(xi, len(lines))
    if is_smooth(way):
        return as_given(value, smoothly(lines, grid_values(self), at, way, fill, nu))
    found = between(lines, grid_values(self), at, way, fill)
    return as_given(value, found)


def smoothly(lines: Any, samples: Any, points: Any, way: str, fill: Any, orders: Any) -> Any:
    """What splines or monotone cubics tell at points."""
    form, rest = np.shape(points[0]), np.shape(samples)[len(lines) :]
    flat = [np.reshape(one, (-1,)) for one in points]
    found = smoothly_between(lines, samples, flat, way, orders)
    if fill is not None:
        found = np.where(np.reshape(outside(lines, flat), (-1,) + (1,) * len(rest)), fill, found)
    return np.reshape(found, form + rest)


def method_of(interpolator: Any, method: Any) -> str:
    """The method that is meant."""
    return str(interpolator.method if method is None else method)


def told_there(interpolator: Any, xi: Any, method: Any, nu: Any) -> Any:
    """What SciPy gives; an older one does not know derivatives."""
    keywords = {} if nu is None else {"nu": nu}
    return type(interpolator).__call__(interpolator, xi, method, **keywords)


def rank_of(interpolator: Any) -> int:
    """How many lines the grid has."""
    return len(interpolator.grid)


def has_value_outside(interpolator: Any) -> bool:
    """Whether there is a value that stands outside."""
    return not interpolator.bounds_error and interpolator.fill_value is not None


def on_grid(
    points: Any, values: Any, xi: Any, method: Any = "linear", bounds_error: Any = True,
    fill_value: Any = np.nan,
) -> Any:  # fmt: skip
    """`scipy.interpolate.interpn`."""
    check_method(method)
    value = told_on_grid(points, values, xi, method, bounds_error, fill_value)
    lines = [np.asarray(points[axis]) * 1.0 for axis in range(len(points))]
    samples = np.asarray(values) * 1.0
    fill = None if bounds_error else fill_value
    at = coordinates(xi, len(lines))
    if is_smooth(method):
        for axis in range(len(lines)):
            if falls(lines[axis]):
                lines[axis], samples = np.flip(lines[axis]), np.flip(samples, axis)
        return as_given(value, smoothly(lines, samples, at, method, fill, None))
    return as_given(value, between(lines, samples, at, method, fill))


def told_on_grid(*given: Any) -> Any:
    """What SciPy gives."""
    return si.interpn(*given)


def coordinates(xi: Any, rank: int) -> list[Any]:
    """The coordinates of all points, which stand along the last axis or are told one after the other."""
    if isinstance(xi, tuple) and len(xi) > 1:
        form = np.broadcast_shapes(*[np.shape(one) for one in xi])
        return [np.zeros(form) + xi[axis] for axis in range(rank)]
    points = np.asarray(xi[0] if isinstance(xi, tuple) else xi) * 1.0
    if np.ndim(points) == 1:
        points = np.reshape(points, (-1, rank))
    return [points[..., axis] for axis in range(rank)]


def between(lines: Any, samples: Any, points: Any, method: str, fill: Any) -> Any:
    """The samples at points between them."""
    rank = len(lines)
    form, rest = np.shape(points[0]), np.shape(samples)[rank:]
    flat = [np.reshape(one, (-1,)) for one in points]
    places, lows, highs, apart, usual = cells(lines, flat)
    shares = []
    for axis in range(rank):
        low, high = lines[axis][lows[axis]], lines[axis][highs[axis]]
        distance = np.where(usual[axis], flat[axis] - low, 0.0)
        shares.append(distance / np.where(apart[axis], high - low, 1.0))
    rows = np.reshape(samples, (math.prod(np.shape(samples)[:rank]), *rest))
    if method == "nearest":
        found = rows[nearest(places, shares)]
    else:
        found = rows[places]
        for share in shares:
            found = found[0] + np.reshape(share, (-1,) + (1,) * len(rest)) * (found[1] - found[0])
    if fill is not None:
        found = np.where(np.reshape(outside(lines, flat), (-1,) + (1,) * len(rest)), fill, found)
    return np.reshape(found, form + rest)


def cells(lines: Any, points: Any) -> tuple[Any, Any, Any, Any, Any]:
    """The samples at all corners of each point's cell, its lower and upper end along each axis, whether these
    lie apart, and whether there is a point."""
    rank, count = len(lines), np.size(points[0])
    places = np.zeros((1,) * rank + (count,), int)
    lows, highs, apart, usual = [], [], [], []
    for axis in range(rank):
        line = lines[axis]
        low = cell_along(line, points[axis])
        high = np.minimum(low + 1, len(line) - 1)
        form = (1,) * axis + (2,) + (1,) * (rank - 1 - axis) + (count,)
        places = places * len(line) + np.reshape(np.stack([low, high]), form)
        lows.append(low)
        highs.append(high)
        apart.append(low < high)
        usual.append((low < high) & ~np.isnan(points[axis]))
    return places, lows, highs, apart, usual


def cell_along(line: Any, x: Any) -> Any:
    """The first end of the cell of each point along a line, that behind it for one at a sample."""
    last = max(0, len(line) - 2)
    if falls(line):
        return last - np.clip(np.searchsorted(line[::-1], x, side="right") - 1, 0, last)
    return np.clip(np.searchsorted(line, x, side="right") - 1, 0, last)


def nearest(places: Any, shares: Any) -> Any:
    """The samples that are nearest, of two that are the one before."""
    for share in shares:
        places = np.where(share <= 0.5, places[0], places[1])
    return places


def outside(lines: Any, points: Any) -> Any:
    """Which points lie outside of the grid."""
    found = np.zeros(np.shape(points[0]), bool)
    for line, x in zip(lines, points, strict=True):
        found = found | (x < np.min(line)) | (x > np.max(line))
    return found
