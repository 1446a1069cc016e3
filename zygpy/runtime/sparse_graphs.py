"""Shortest paths and trees of `scipy.sparse.csgraph`, as programs; imported with their rules alone.

The lengths are SciPy's own, and so are the paths, which are constant: a length is the sum of the weights on
its path, and has the derivative of that. Between paths, or edges, of one length it is SciPy that chooses.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph as graphs

from zygpy.errors import MissingRuleError
from zygpy.runtime.library_values import as_given, told_by


def shortest_path(
    csgraph: Any, method: Any = "auto", directed: Any = True, return_predecessors: Any = False,
    unweighted: Any = False, overwrite: Any = False, indices: Any = None,
) -> Any:  # fmt: skip
    """`scipy.sparse.csgraph.shortest_path`."""
    told = told_by(graphs.shortest_path, (csgraph, method, directed, True, unweighted, False, indices), {})
    lengths = as_given(told[0], 0.0) if unweighted else measured(csgraph, told, directed)
    return (lengths, told[1]) if return_predecessors else lengths


def floyd_warshall(
    csgraph: Any, directed: Any = True, return_predecessors: Any = False, unweighted: Any = False,
    overwrite: Any = False,
) -> Any:  # fmt: skip
    """`scipy.sparse.csgraph.floyd_warshall`."""
    told = told_by(graphs.floyd_warshall, (csgraph, directed, True, unweighted, False), {})
    lengths = as_given(told[0], 0.0) if unweighted else measured(csgraph, told, directed)
    return (lengths, told[1]) if return_predecessors else lengths


def dijkstra(
    csgraph: Any, directed: Any = True, indices: Any = None, return_predecessors: Any = False,
    unweighted: Any = False, limit: Any = np.inf, min_only: Any = False,
) -> Any:  # fmt: skip
    """`scipy.sparse.csgraph.dijkstra`."""
    told = told_by(graphs.dijkstra, (csgraph, directed, indices, True, unweighted, limit, min_only), {})
    lengths = as_given(told[0], 0.0) if unweighted else measured(csgraph, told, directed)
    return (lengths, *told[1:]) if return_predecessors else lengths


def bellman_ford(
    csgraph: Any, directed: Any = True, indices: Any = None, return_predecessors: Any = False,
    unweighted: Any = False,
) -> Any:  # fmt: skip
    """`scipy.sparse.csgraph.bellman_ford`."""
    told = told_by(graphs.bellman_ford, (csgraph, directed, indices, True, unweighted), {})
    lengths = as_given(told[0], 0.0) if unweighted else measured(csgraph, told, directed)
    return (lengths, told[1]) if return_predecessors else lengths


def johnson(
    csgraph: Any, directed: Any = True, indices: Any = None, return_predecessors: Any = False,
    unweighted: Any = False,
) -> Any:  # fmt: skip
    """`scipy.sparse.csgraph.johnson`."""
    told = told_by(graphs.johnson, (csgraph, directed, indices, True, unweighted), {})
    lengths = as_given(told[0], 0.0) if unweighted else measured(csgraph, told, directed)
    return (lengths, told[1]) if return_predecessors else lengths


def minimum_spanning_tree(csgraph: Any, overwrite: Any = False) -> Any:
    """`scipy.sparse.csgraph.minimum_spanning_tree`, whose entries are some of the weights."""
    told = told_by(graphs.minimum_spanning_tree, (csgraph,), {})
    weights, places = weights_of(csgraph)
    chosen = weights[places_in_tree(places, told)]
    check_lengths(told.data, chosen)
    if isinstance(told, sp.sparray):
        return sp.csr_array((chosen, told.indices, told.indptr), shape=told.shape)
    return sp.csr_matrix((chosen, told.indices, told.indptr), shape=told.shape)


def places_in_tree(places: Any, told: Any) -> Any:
    """The places of the weights that are entries of a tree, in its order."""
    keys, order = _keys(places, told.shape[1])
    rows = np.repeat(np.arange(told.shape[0]), np.diff(told.indptr))
    return _found(keys, order, rows * told.shape[1] + told.indices)


def weights_of(csgraph: Any) -> Any:
    """The weights of the edges, and their rows and columns."""
    if isinstance(csgraph, np.ndarray) or not sp.issparse(csgraph):
        whole = np.asarray(csgraph) * 1.0
        return np.ravel(whole), places_of(whole)
    entries = csgraph.tocsr().tocoo()
    return entries.data * 1.0, (np.asarray(entries.row), np.asarray(entries.col))


def measured(csgraph: Any, told: Any, directed: Any) -> Any:
    """The lengths that SciPy gave, with the derivatives of the sums of weights on its paths."""
    weights, places = weights_of(csgraph)
    paths = paths_of(weights, places, told, directed)
    lengths = np.reshape(along_paths(weights, paths), np.shape(told[0]))
    check_lengths(told[0], lengths)
    return as_given(told[0], lengths)


def places_of(whole: Any) -> Any:
    """The rows and columns of all elements of a matrix, in order."""
    rows, columns = np.indices(np.shape(whole))
    return np.ravel(rows), np.ravel(columns)


def paths_of(weights: Any, places: Any, told: Any, directed: Any) -> Any:
    """Of each source, the node before each node and the place of the weight between them (-1: there is none),
    and how many edges lead there."""
    before = np.reshape(told[1], (-1, np.shape(told[1])[-1]))
    count = before.shape[1]
    keys, order = _keys(places, count)
    nodes = np.broadcast_to(np.arange(count), before.shape)
    there = before >= 0
    edges = _found(keys, order, np.where(there, before * count + nodes, -1))
    if not directed:
        others = _found(keys, order, np.where(there, nodes * count + before, -1))
        sizes = np.append(np.where(weights == 0, np.inf, weights), np.inf)
        edges = np.where(sizes[others] < sizes[edges], others, edges)
    return np.where(there, before, -1), edges, _depths(before)


def _keys(places: Any, count: int) -> tuple[Any, Any]:
    """A number for each place, and their order."""
    keys = places[0].astype(np.int64) * count + places[1]
    return keys, np.argsort(keys, kind="stable")


def _found(keys: Any, order: Any, wanted: Any) -> Any:
    """The places of keys, -1 where they are not there."""
    at = np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)
    return np.where(keys[order[at]] == wanted, order[at], -1) if len(keys) else np.full(wanted.shape, -1)


def _depths(before: Any) -> Any:
    """How many edges lead to each node from its source."""
    depths, current = np.zeros(before.shape, int), before
    while (current >= 0).any():
        depths = depths + (current >= 0)
        current = np.where(current >= 0, np.take_along_axis(before, np.maximum(current, 0), 1), -1)
    return depths


def along_paths(weights: Any, paths: Any) -> Any:
    """The sums of weights on the paths to each node, 0 where there is no path."""
    before, edges, depths = paths
    lengths = np.zeros(before.shape, weights.dtype)
    for depth in range(1, int(depths.max(initial=0)) + 1):
        source, node = np.nonzero(depths == depth)
        lengths[source, node] = lengths[source, before[source, node]] + weights[edges[source, node]]
    return lengths


def back_along_paths(bar: Any, paths: Any, count: int) -> Any:
    """The transpose of `along_paths` for so many weights."""
    before, edges, depths = paths
    shares, back = np.array(bar), np.zeros(count, np.asarray(bar).dtype)
    for depth in range(int(depths.max(initial=0)), 0, -1):
        source, node = np.nonzero(depths == depth)
        np.add.at(back, edges[source, node], shares[source, node])
        np.add.at(shares, (source, before[source, node]), shares[source, node])
    return back


def check_lengths(told: Any, lengths: Any) -> None:
    """Raise MissingRuleError where the weights on a path are not its length."""
    there = np.isfinite(told)
    if not np.allclose(np.where(there, told, 0.0), np.where(there, lengths, 0.0), 1e-5, 1e-9):
        raise MissingRuleError(
            "'scipy.sparse.csgraph' has no rule for the paths of this graph.",
            why="the weights on the paths do not add up to their lengths",
            instead="give a sparse array in which every edge has one entry",
        )
