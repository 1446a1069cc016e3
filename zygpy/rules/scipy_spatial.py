"""Rules of trees and hulls of `scipy.spatial`, there once a program has imported it: the points of a tree are
held in `data`."""

from __future__ import annotations

import scipy.spatial as sp

from zygpy.rules.declare import library, non_differentiable, rule, stands_for
from zygpy.runtime import convex_hulls, neighbours

library("neighbours", neighbours)

stands_for(sp.KDTree, neighbours.tree)
stands_for(sp.cKDTree, neighbours.tree_in_c)
for _class in (sp.KDTree, sp.cKDTree):
    stands_for(_class.query, neighbours.nearest)
rule(
    neighbours.planted,
    "y = planted(cls, data, *options)",
    data_bar="unnest(neighbours.part_of_nodes(y_bar, data), nesting(data), None)",
    refused={"options": "they say how a tree is made."},
    kind="unknown",
)
rule(
    neighbours.nodes,
    "y = nodes(tree)",
    tree_bar="{'data': y_bar}",
    containers=True,
    kind="array",
)
non_differentiable(neighbours.found, neighbours.rows_of, neighbours.box_of, kind="unknown")
non_differentiable(neighbours.turns, kind="array")

stands_for(sp.ConvexHull, convex_hulls.hull)
stands_for(sp.ConvexHull.points.fget, convex_hulls.points)
rule(
    convex_hulls.planes,
    "y = planes(told, points)",
    told_bar="y_bar",
    refused={"points": "of a convex hull 'volume', 'area' and 'points' are followed."},
    kind="unknown",
)
non_differentiable(convex_hulls.simplices, convex_hulls.middle, kind="array")
non_differentiable(sp.ConvexHull.vertices.fget, kind="unknown")
