"""Volumes and areas of convex hulls of `scipy.spatial`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.spatial as sp

import zygpy as zg
from tests.solvers.references import agrees
from zygpy.errors import MissingRuleError

FLAT = np.random.default_rng(0).normal(size=(9, 2))
SPACE = np.random.default_rng(1).normal(size=(8, 3))
CUBE = np.array([[i, j, k] for i in (0.0, 1.0) for j in (0.0, 1.0) for k in (0.0, 1.0)])


def both(points: Any) -> Any:
    hull = sp.ConvexHull(points)
    return hull.volume**2 + np.sin(hull.area)


def of_a_box(sides: Any) -> Any:
    hull = sp.ConvexHull(points=CUBE * sides)
    return hull.volume * hull.area


@pytest.mark.parametrize("points", [FLAT, SPACE], ids=["2", "3"])
def test_by_the_points(points: Any) -> None:
    assert zg.pullback(both, points)[0] == both(points)
    agrees(both, points)


def test_points_inside_have_no_share() -> None:
    corners = sp.ConvexHull(FLAT).vertices
    inside = np.setdiff1d(np.arange(len(FLAT)), corners)
    (found,) = zg.gradient(both, FLAT)
    assert not np.any(found[inside])
    assert np.all(np.any(found[corners] != 0, axis=1))


def test_facets_that_lie_in_one_plane() -> None:
    a, b, c = 1.2, 0.7, 2.0
    volume, area = a * b * c, 2 * (a * b + b * c + c * a)
    expected = [b * c * area + volume * 2 * (b + c), a * c * area + volume * 2 * (a + c)]
    expected.append(a * b * area + volume * 2 * (a + b))
    np.testing.assert_allclose(zg.gradient(of_a_box, np.array([a, b, c]))[0], expected, rtol=1e-12)


def test_other_fields_are_refused() -> None:
    with pytest.raises(MissingRuleError, match="'volume', 'area' and 'points'"):
        zg.gradient(lambda points: np.sum(sp.ConvexHull(points).equations), FLAT)


def around(points: Any) -> Any:
    """The way around a polygon, whose corners stand one after the other."""
    hull = sp.ConvexHull(points)
    corners = hull.points[hull.vertices]
    return np.sum(np.sqrt(np.sum((corners - np.roll(corners, -1, axis=0)) ** 2, axis=1)))


def of_bounds(points: Any) -> Any:
    hull = sp.ConvexHull(points)
    return np.prod(hull.max_bound - hull.min_bound) * np.sum(np.sin(hull.points))


@pytest.mark.parametrize("program", [around, of_bounds])
def test_points_and_bounds_have_derivatives(program: Any) -> None:
    agrees(program, FLAT)


def test_the_way_around_is_the_area_of_a_polygon() -> None:
    expected = zg.gradient(lambda points: sp.ConvexHull(points).area, FLAT)[0]
    np.testing.assert_allclose(zg.gradient(around, FLAT)[0], expected, rtol=1e-10)
    made = sp.ConvexHull(FLAT)
    assert zg.gradient(lambda s: np.sum(made.points * s), 2.0)[0] == pytest.approx(np.sum(FLAT))
