"""Rules of `scipy.sparse.csgraph`: shortest paths and trees, for which programs stand."""

from __future__ import annotations

from scipy.sparse import csgraph

from zygpy.rules.declare import library, non_differentiable, rule, stands_for
from zygpy.runtime import sparse_graphs as graphs

library("graphs", graphs)

for _name in (
    "shortest_path",
    "floyd_warshall",
    "dijkstra",
    "bellman_ford",
    "johnson",
    "minimum_spanning_tree",
):
    stands_for(getattr(csgraph, _name), getattr(graphs, _name))
rule(
    graphs.along_paths,
    "y = along_paths(weights, paths)",
    weights_bar="graphs.back_along_paths(y_bar, paths, np.size(weights))",
    weights_dot="graphs.along_paths(y_bar, paths)",
    kind="array",
    at="of paths of one length, and edges of one weight, SciPy's",
)
rule(
    graphs.back_along_paths,
    "y = back_along_paths(bar, paths, count)",
    bar_bar="graphs.along_paths(y_bar, paths)",
    bar_dot="graphs.back_along_paths(y_bar, paths, count)",
    kind="array",
)
non_differentiable(graphs.places_of, graphs.places_in_tree, graphs.paths_of, kind="unknown")
non_differentiable(graphs.check_lengths, kind="none")
