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
from zygpy.runtime.spline_objects import grid_fill, grid_lines, grid_values, made_exactly, with_grid


def gridded(
    points: Any, values: Any, method: Any = "linear", bounds_error: Any = True, fill_value: Any = np.nan, *,
    solver: Any = None, solver_args: Any = None,
) -> Any:  # fmt: skip
    """`scipy.interpolate.RegularGridInterpolator`."""
    check_method(method)
    keywords = {"solver": solver, "solver_args": solver_args}
    given = (points, values, method, bounds_error, fill_value)
    made = made_exactly(si.RegularGridInterpolator, given, keywords)
    samples = np.asarray(values) * 1.0
    lines = []
    for axis in range(len(points)):
        line = np.asarray(points[axis]) * 1.0
        if falls(line):
            samples = np.flip(samples, axis) * 1.0
            line = np.flip(line) * 1.0
        lines.append(line)
    stands = fill_value if has_value_outside(made) else 0.0
    return with_grid(made, (samples, np.concatenate(lines), np.asarray(stands) * 1.0))


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
    fill = grid_fill(self) if has_value_outside(self) else None
    lines, sizes, at = grid_lines(self), sizes_of(self), coordinates(xi, rank_of(self))
    if is_smooth(way):
        return as_given(value, smoothly(apart(lines, sizes), grid_values(self), at, way, fill, nu))
    return as_given(value, between(lines, sizes, grid_values(self), at, way, fill))


def apart(lines: Any, sizes: Any) -> Any:
    """The lines, one by one, that stand in one vector."""
    found, start = [], 0
    for size in sizes:
        found.append(lines[start : start + size])
        start += size
    return found


def smoothly(lines: Any, samples: Any, points: Any, way: str, fill: Any, orders: Any) -> Any:
    """What splines or monotone cubics tell at points."""
    form, rest = np.shape(points)[:-1], np.shape(samples)[len(lines) :]
    flat = [np.reshape(points[..., axis], (-1,)) for axis in range(len(lines))]
    found = smoothly_between(lines, samples, flat, way, orders)
    if fill is not None:
        beyond = outside(np.concatenate(lines), lengths(lines), np.stack(flat))
        found = np.where(np.reshape(beyond, (-1,) + (1,) * len(rest)), fill, found)
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


def sizes_of(interpolator: Any) -> tuple[int, ...]:
    """How many samples there are along each line."""
    return tuple([len(line) for line in interpolator.grid])


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
    fill = None if bounds_error else fill_value
    samples, at = np.asarray(values) * 1.0, coordinates(xi, len(points))
    if is_smooth(method):
        for axis in range(len(lines)):
            if falls(lines[axis]):
                lines[axis], samples = np.flip(lines[axis]), np.flip(samples, axis)
        return as_given(value, smoothly(lines, samples, at, method, fill, None))
    return as_given(value, between(np.concatenate(lines), lengths(lines), samples, at, method, fill))


def lengths(lines: Any) -> tuple[int, ...]:
    """How many samples there are along each line."""
    return tuple([len(line) for line in lines])


def told_on_grid(*given: Any) -> Any:
    """What SciPy gives."""
    return si.interpn(*given)


def coordinates(xi: Any, rank: int) -> Any:
    """The coordinates of all points along the last axis; they may be told one after the other."""
    if isinstance(xi, tuple) and len(xi) > 1:
        form = np.broadcast_shapes(*[np.shape(one) for one in xi])
        return np.stack([np.zeros(form) + xi[axis] for axis in range(rank)], axis=-1)
    points = np.asarray(xi[0] if isinstance(xi, tuple) else xi) * 1.0
    return np.reshape(points, (-1, rank)) if np.ndim(points) == 1 else points


def between(lines: Any, sizes: Any, samples: Any, points: Any, method: str, fill: Any) -> Any:
    """The samples at points between them; all lines stand in one vector."""
    rank = len(sizes)
    x = np.transpose(np.reshape(points, (-1, rank)))
    low = lower_ends(lines, sizes, x)
    high = upper_ends(low, sizes)
    apart = low < high
    distance = np.where(apart & ~np.isnan(x), x - lines[low], 0.0)
    shares = distance / np.where(apart, lines[high] - lines[low], 1.0)
    rest = np.shape(samples)[rank:]
    rows = np.reshape(samples, (math.prod(sizes), math.prod(rest)))
    if method == "nearest":
        found = rows[nearest(low, high, sizes, shares)]
    else:
        weights = np.ones((1, np.shape(x)[1]))
        for axis in range(rank):
            weights = np.concatenate((weights * (1.0 - shares[axis]), weights * shares[axis]))
        corners = rows[corners_of(low, high, sizes)]
        found = np.sum(weights[:, :, np.newaxis] * corners, axis=0)
    if fill is not None:
        found = np.where(outside(lines, sizes, x)[:, np.newaxis], fill, found)
    return np.reshape(found, np.shape(points)[:-1] + rest)


def starts_of(sizes: Any) -> Any:
    """Where each line begins in the vector of all, for every point along a line."""
    return np.cumsum([0, *sizes[:-1]])[:, np.newaxis]


def lower_ends(lines: Any, sizes: Any, v: Any) -> Any:
    """Where the lower end of each point's cell is along every line, in the vector of all."""
    parts = np.split(lines, np.cumsum(sizes)[:-1])
    found = [cell_along(line, x) for line, x in zip(parts, v, strict=True)]
    return np.stack(found) + starts_of(sizes)


def upper_ends(v: Any, sizes: Any) -> Any:
    """The same of the upper ends; those of lines of one sample are the lower ones."""
    return np.minimum(v + 1, np.cumsum(sizes)[:, np.newaxis] - 1)


def cell_along(line: Any, x: Any) -> Any:
    """The first end of the cell of each point along a line, that behind it for one at a sample."""
    last = max(0, len(line) - 2)
    if falls(line):
        return last - np.clip(np.searchsorted(line[::-1], x, side="right") - 1, 0, last)
    return np.clip(np.searchsorted(line, x, side="right") - 1, 0, last)


def corners_of(low: Any, high: Any, sizes: Any) -> Any:
    """The samples at all corners of each point's cell, those at the lower ends along an axis before those at
    the upper ones."""
    found: Any = np.zeros((1, np.shape(low)[1]), int)
    for one, other, size in zip(low - starts_of(sizes), high - starts_of(sizes), sizes, strict=True):
        found = np.concatenate((found * size + one, found * size + other))
    return found


def nearest(low: Any, high: Any, sizes: Any, shares: Any) -> Any:
    """The samples that are nearest, of two that are the one before."""
    found: Any = 0
    for place, size in zip(np.where(shares <= 0.5, low, high) - starts_of(sizes), sizes, strict=True):
        found = found * size + place
    return found


def outside(lines: Any, sizes: Any, v: Any) -> Any:
    """Which points lie outside of the grid."""
    parts = np.split(lines, np.cumsum(sizes)[:-1])
    found = [(x < np.min(line)) | (x > np.max(line)) for line, x in zip(parts, v, strict=True)]
    return np.any(found, axis=0)
