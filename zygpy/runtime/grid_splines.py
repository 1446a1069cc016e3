"""Products of splines, and of monotone cubics, on the grids of `scipy.interpolate` as programs.

The places of samples, the points and the samples have derivatives. Splines are sought along one axis after
the other (C. de Boor, A Practical Guide to Splines, 2001, chapter XVII).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zygpy.runtime.basis_splines import beside, intervals, knots_of, through, weights
from zygpy.runtime.cubic_pieces import along, cubes
from zygpy.runtime.monotone_slopes import slopes

DEGREES = {
    "slinear": 1, "cubic": 3, "quintic": 5, "splinef2d": 3,
    "slinear_legacy": 1, "cubic_legacy": 3, "quintic_legacy": 5,
}  # fmt: skip
"""The degrees of splines by their names."""


def is_smooth(way: str) -> bool:
    """Whether a method is one by splines or monotone cubics."""
    return way in DEGREES or way == "pchip"


def smoothly_between(lines: Any, samples: Any, points: Any, way: str, orders: Any) -> Any:
    """What the method tells at points, whose coordinates are vectors; of splines derivatives, too."""
    if way == "pchip":
        return by_monotone_cubics(lines, samples, points)
    return by_splines(lines, samples, points, degree_of(way), orders)


def degree_of(way: str) -> int:
    """The degree of the splines of a method."""
    return DEGREES[way]


def by_splines(lines: Any, samples: Any, points: Any, k: int, orders: Any) -> Any:
    """The product of splines through the samples."""
    rank = len(lines)
    knots = [knots_of(line, k, False) for line in lines]
    c = samples
    if k > 1:
        for axis in range(rank):
            found = through(lines[axis], np.moveaxis(c, axis, 0), knots[axis], k, [], [])
            c = np.moveaxis(found, 0, axis)
    indices = [intervals(knots[axis], points[axis], k) for axis in range(rank)]
    return summed_products(c, knots, points, indices, [k] * rank, orders)


def summed_products(c: Any, knots: Any, points: Any, indices: Any, degrees: Any, orders: Any) -> Any:
    """The sum of products of basis functions with these coefficients, or a derivative of it."""
    rank, rest = len(knots), np.shape(c)[len(knots) :]
    rows = np.reshape(c, (math.prod(np.shape(c)[:rank]), *rest))
    found = rows[around(indices, np.shape(c)[:rank], degrees)]
    for axis in range(rank):
        nu = 0 if orders is None else int(orders[axis])
        shares = weights(knots[axis], points[axis], indices[axis], degrees[axis], nu)
        form = (-1,) + (1,) * (rank - 1 - axis) + (len(points[axis]),) + (1,) * len(rest)
        found = np.sum(np.reshape(shares, form) * found, axis=0)
    return found


def around(indices: Any, counts: Any, degrees: Any) -> Any:
    """The places of the coefficients that count at each point, the first axes for those along each axis."""
    rank, count = len(counts), len(indices[0])
    places = np.zeros((1,) * rank + (count,), int)
    for axis, k in enumerate(degrees):
        form = (1,) * axis + (k + 1,) + (1,) * (rank - 1 - axis) + (count,)
        places = places * counts[axis] + np.reshape(beside(indices[axis], -k, 1), form)
    return places


def by_monotone_cubics(lines: Any, samples: Any, points: Any) -> Any:
    """Monotone cubics along the last axis, then along the one before of what these give at each point."""
    rank = len(lines)
    found = np.expand_dims(samples, 0)
    for step in range(rank):
        axis = rank - 1 - step
        rows = np.moveaxis(found, axis + 1, 0)
        found = in_cells(lines[axis], rows, points[axis])
    return found


def in_cells(line: Any, rows: Any, x: Any) -> Any:
    """The monotone cubic through rows of samples at a point each, or that through one at all points."""
    c = cubes(line, rows, slopes(along(line, rows), rows))
    cell = cell_of(line, x)
    c = c[:, cell, np.arange(len(x)) if np.shape(rows)[1] > 1 else 0]
    s = np.reshape(x - line[cell], (-1,) + (1,) * (np.ndim(c) - 2))
    return ((c[0] * s + c[1]) * s + c[2]) * s + c[3]


def cell_of(line: Any, x: Any) -> Any:
    """The piece that each point belongs to."""
    return np.clip(np.searchsorted(line, x, side="right") - 1, 0, len(line) - 2)
