"""Shortest paths and trees of `scipy.sparse.csgraph`: gradients by the weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse import csgraph

import zygpy as zg
from zygpy.errors import MissingRuleError

ROWS = np.array([0, 1, 2, 0, 3, 1, 2, 3, 4])
COLUMNS = np.array([1, 2, 3, 2, 0, 3, 0, 4, 1])
WEIGHTS = np.array([0.8, 0.5, 0.7, 1.9, 0.4, 1.6, 1.0, 0.3, 0.87])


def graph(v: Any, form: Any = sp.csr_array) -> Any:
    return form((v, (ROWS, COLUMNS)), shape=(6, 6))


def mixed(lengths: Any) -> Any:
    """A number that depends on all lengths that are there."""
    there = np.where(np.isfinite(lengths), lengths, 0.0)
    return np.sum(np.sin(there) * np.cos(np.arange(there.size)).reshape(there.shape))


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "of a sparse array": lambda v: csgraph.shortest_path(graph(v)),
    "of a sparse matrix": lambda v: csgraph.shortest_path(graph(v, sp.csr_matrix), "D", False),
    "by columns": lambda v: csgraph.dijkstra(graph(v, sp.csc_array), indices=[0, 3]),
    "of a dense array": lambda v: csgraph.floyd_warshall(graph(v).toarray()),
    "both ways": lambda v: csgraph.floyd_warshall(graph(v), directed=False, overwrite=True),
    "from one node": lambda v: csgraph.dijkstra(graph(v), indices=2, limit=1.5),
    "from the next node": lambda v: csgraph.dijkstra(graph(v), True, [0, 3], True, min_only=True)[0],
    "by Bellman and Ford": lambda v: csgraph.bellman_ford(graph(v), return_predecessors=True)[0],
    "by Johnson": lambda v: csgraph.johnson(graph(v), indices=[1], directed=False),
    "numbers of edges": lambda v: csgraph.johnson(graph(v), unweighted=True) + np.sum(v),
    "a tree": lambda v: csgraph.minimum_spanning_tree(graph(v)).toarray(),
    "a tree of a dense array": lambda v: csgraph.minimum_spanning_tree(graph(v).toarray()).toarray(),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients(name: str) -> None:
    f = PROGRAMS[name]
    value, (gradient,) = zg.withgradient(lambda v: mixed(f(v)), WEIGHTS)
    assert value == mixed(f(WEIGHTS))
    h = 1e-6 * np.eye(9)
    expected = [(mixed(f(WEIGHTS + h[k])) - mixed(f(WEIGHTS - h[k]))) / 2e-6 for k in range(9)]
    np.testing.assert_allclose(gradient, expected, atol=1e-8)


def test_second_derivatives() -> None:
    def slope(v: Any) -> Any:
        return zg.gradient(lambda v: mixed(csgraph.shortest_path(v)), v)[0]

    given = graph(WEIGHTS).toarray()
    way = np.cos(np.arange(36.0)).reshape(6, 6) * (given > 0)
    (second,) = zg.gradient(lambda v: np.sum(slope(v) * way), given)
    expected = (slope(given + 1e-5 * way) - slope(given - 1e-5 * way)) / 2e-5
    np.testing.assert_allclose(second, expected, atol=1e-8)


def test_gradients_have_the_form_of_the_graph() -> None:
    given = graph(WEIGHTS)
    (by_entries,) = zg.gradient(lambda g: np.sum(csgraph.dijkstra(g, indices=0)[:5]), given)
    (dense,) = zg.gradient(lambda g: np.sum(csgraph.dijkstra(g, indices=0)[:5]), given.toarray())
    np.testing.assert_array_equal(by_entries.data, dense[given.toarray() != 0])
    (single,) = zg.gradient(lambda g: np.sum(csgraph.dijkstra(g)[:5, :5]), given.toarray().astype(np.float32))
    assert single.dtype == np.float32


def test_edges_that_are_there_twice_are_refused() -> None:
    def lengths(v: Any) -> Any:
        both = sp.csr_array((v, np.array([1, 1]), np.array([0, 2, 2])), shape=(2, 2))
        return csgraph.dijkstra(both, indices=0)[1]

    with pytest.raises(MissingRuleError, match="paths of this graph"):
        zg.gradient(lengths, np.array([2.0, 1.0]))
