"""Nearest neighbours by the trees of `scipy.spatial`, as programs; loaded with it alone.

Which points of a tree are the nearest does not change where a point moves a little, so the distances to
them have derivatives by it and by them, and their numbers have none. At a tie those count that SciPy finds.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.spatial as sp

from zygpy.errors import MissingRuleError
from zygpy.runtime.distance_formulas import as_doubles, of_powers, quadratic
from zygpy.runtime.library_values import as_given


def tree(
    data: Any, leafsize: Any = 10, compact_nodes: Any = True, copy_data: Any = False,
    balanced_tree: Any = True, boxsize: Any = None,
) -> Any:  # fmt: skip
    """`scipy.spatial.KDTree`."""
    return planted(sp.KDTree, data, leafsize, compact_nodes, copy_data, balanced_tree, boxsize)


def tree_in_c(
    data: Any, leafsize: Any = 16, compact_nodes: Any = True, copy_data: Any = False,
    balanced_tree: Any = True, boxsize: Any = None,
) -> Any:  # fmt: skip
    """`scipy.spatial.cKDTree`."""
    return planted(sp.cKDTree, data, leafsize, compact_nodes, copy_data, balanced_tree, boxsize)


def planted(cls: Any, data: Any, *options: Any) -> Any:
    """A tree of these points."""
    return cls(data, *options)


def nodes(tree: Any) -> Any:
    """The points of a tree."""
    return np.array(tree.data)


def part_of_nodes(fields: Any, data: Any) -> Any:
    """The cotangent of the points of a tree, out of that of the tree."""
    given = fields if isinstance(fields, dict) else {} if fields is None else fields._asdict()
    if any(value is not None for name, value in given.items() if name != "data"):
        raise MissingRuleError(
            "trees of 'scipy.spatial' have no rule for what is read of them but for 'data'.",
            why="their points alone have derivatives",
            instead="read these, or compute it of them",
        )
    points = given.get("data")
    return np.zeros(np.shape(data)) if points is None else points


def nearest(
    self: Any, x: Any, k: Any = 1, eps: Any = 0.0, p: Any = 2.0, distance_upper_bound: Any = np.inf,
    workers: Any = 1,
) -> Any:  # fmt: skip
    """`query` of a tree: distances to the nearest points, and their numbers."""
    distance, number = found(self, x, k, eps, p, distance_upper_bound, workers)
    at = as_doubles(x)
    if np.ndim(number) == np.ndim(at):
        at = np.expand_dims(at, -2)
    there, row = rows_of(self, number)
    apart = around(at - nodes(self)[row], box_of(self))
    computed = quadratic("euclidean", apart, None) if p == 2 else of_powers("minkowski", apart, p, None)
    return as_distance(distance, np.where(there, computed, 0.0)), number


def found(self: Any, x: Any, k: Any, eps: Any, p: Any, bound: Any, workers: Any) -> Any:
    """What SciPy gives."""
    return self.query(x, k, eps, p, bound, workers)


def rows_of(self: Any, number: Any) -> tuple[Any, Any]:
    """Where there is a neighbour, and in which row of the points it stands; the first where there is none."""
    there = np.less(number, self.n)
    return there, np.where(there, number, 0)


def box_of(self: Any) -> Any:
    """The lengths after which space repeats itself, infinite where it does not."""
    return None if self.boxsize is None else np.where(self.boxsize > 0, self.boxsize, np.inf)


def around(apart: Any, box: Any) -> Any:
    """The shortest differences, in a space that may repeat itself."""
    return apart if box is None else apart - turns(apart, box)


def turns(apart: Any, box: Any) -> Any:
    """The lengths by which differences are shortened: steps."""
    whole = np.round(np.asarray(apart) / box)
    return np.where(whole == 0, 0.0, whole * np.where(np.isinf(box), 0.0, box))


def as_distance(value: Any, computed: Any) -> Any:
    """The distances that SciPy gives, with derivatives; one alone is a float there."""
    return float(as_given(value, computed)) if isinstance(value, float) else as_given(value, computed)
