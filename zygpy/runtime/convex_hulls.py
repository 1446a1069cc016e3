"""Convex hulls of `scipy.spatial` as programs; loaded with it alone.

Which points are joined does not change where they move a little, so volume and area have derivatives by them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.spatial as sp

from zygpy.runtime.library_values import as_given, told_by


def hull(points: Any, incremental: Any = False, qhull_options: Any = None) -> Any:
    """`scipy.spatial.ConvexHull`, of which `volume`, `area`, `points` and bounds have derivatives."""
    found = told_by(sp.ConvexHull, (points, incremental, qhull_options), {})
    places = np.asarray(points) * 1.0
    corners = places[simplices(found)]
    found.volume = as_given(found.volume, volume(corners - middle(found)))
    found.area = as_given(found.area, area(corners))
    found.min_bound = as_given(found.min_bound, np.min(places, axis=0))
    found.max_bound = as_given(found.max_bound, np.max(places, axis=0))
    found._points = as_given(found._points, places)
    found.equations = planes(found.equations, places)
    return found


def points(self: Any) -> Any:
    """`scipy.spatial.ConvexHull.points`."""
    return self._points


def simplices(hull: Any) -> Any:
    """The numbers of the corners of each facet."""
    return np.array(hull.simplices)


def middle(hull: Any) -> Any:
    """A point inside: the volume does not depend on it."""
    return np.mean(hull.points[hull.vertices], axis=0)


def volume(corners: Any) -> Any:
    """The volume of all simplices that facets make with the origin."""
    return np.sum(np.abs(np.linalg.det(corners))) / math.factorial(np.shape(corners)[-1])


def area(corners: Any) -> Any:
    """The areas of all facets, of which some that Qhull makes may have none."""
    edges = corners[:, 1:] - corners[:, :1]
    squares = np.linalg.det(np.matmul(edges, np.swapaxes(edges, 1, 2)))
    wide = squares > 0
    return np.sum(np.where(wide, np.sqrt(np.where(wide, squares, 1.0)), 0.0)) / math.factorial(
        np.shape(edges)[1]
    )


def planes(told: Any, points: Any) -> Any:
    """The planes of the facets, whose derivatives nothing here asks for."""
    return told
