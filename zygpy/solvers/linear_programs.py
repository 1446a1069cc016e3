"""Solutions of linear programs that `scipy.optimize` finds, as functions of costs and constraints.

At a vertex as many constraints hold as there are variables, and the point is where these hold.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.optimize as so
from scipy.sparse import issparse

from zygpy.rules.declare import non_differentiable, stands_for
from zygpy.runtime.unsolvable import solved_or_nan
from zygpy.solvers.limits import limits_of
from zygpy.solvers.reports import (
    carried,
    check_absent,
    found,
    reported,
    with_reported,
    with_solution,
)


def linprog(
    c: Any,
    A_ub: Any = None,  # noqa: N803 (SciPy's names)
    b_ub: Any = None,
    A_eq: Any = None,  # noqa: N803
    b_eq: Any = None,
    bounds: Any = None,
    method: Any = "highs",
    callback: Any = None,
    options: Any = None,
    x0: Any = None,
    integrality: Any = None,
) -> Any:
    """`scipy.optimize.linprog`, whose solution is a vertex at which no more constraints hold than need to."""
    dense = not issparse(A_ub) and not issparse(A_eq)
    check_absent("optimize.linprog", "A_ub", dense, "give it dense matrices")
    check_absent("optimize.linprog", "integrality", integrality is None, "round beforehand")
    sides = (0, None) if bounds is None else bounds
    given = (c, A_ub, b_ub, A_eq, b_eq, sides, method, callback, options, x0)
    report = found(so.linprog, given, {})
    if report.x is None:
        return report
    c, count = np.ravel(c), len(report.x)
    unit = np.eye(count)
    lower, upper = limits_of(pairs_of(sides, count))
    a_ub, r_ub = (unit[:0], np.zeros(0)) if A_ub is None else (np.atleast_2d(A_ub), np.ravel(b_ub))
    a_eq, r_eq = (unit[:0], np.zeros(0)) if A_eq is None else (np.atleast_2d(A_eq), np.ravel(b_eq))
    tight, low, high = tight_at(report, lower, upper)
    rows = np.concatenate([a_eq, a_ub[tight], unit[low], unit[high]])
    right = np.concatenate([r_eq, r_ub[tight], lower[low], upper[high]])
    if is_vertex(report, rows):
        solution = solved_or_nan(rows, right)
    else:
        given_here = np.sum(c) + np.sum(a_ub) + np.sum(r_ub) + np.sum(rows) + np.sum(right)
        solution = reported(report.x, given_here)
    return with_vertex(report, solution, np.sum(c * solution), r_ub - np.matmul(a_ub, solution))


def pairs_of(sides: Any, count: int) -> Any:
    """A lower and an upper bound for each variable."""
    if len(sides) == 2 and np.ndim(sides[0]) == 0:
        return [sides] * count
    return [sides[0]] * count if len(sides) == 1 else sides


def tight_at(report: Any, lower: Any, upper: Any) -> Any:
    """The places of the inequalities, and of the lower and the upper bounds, that hold as equations."""
    x, size = report.x, 1 + np.max(np.abs(report.x), initial=0.0)
    low = x - lower <= NEAR * size
    high = (upper - x <= NEAR * size) & ~low
    return np.flatnonzero(np.ravel(report.slack) <= NEAR * size), np.flatnonzero(low), np.flatnonzero(high)


NEAR = 1e-8
"""How near to a constraint, by the size of the solution, a point has to lie that it holds."""


def is_vertex(report: Any, rows: Any) -> bool:
    """Whether the constraints that hold are as many as the variables, and independent."""
    count = len(report.x)
    return bool(report.success) and len(rows) == count and np.linalg.matrix_rank(rows) == count


def with_vertex(report: Any, solution: Any, value: Any, slack: Any) -> Any:
    """The report in which the solution, the cost and the slacks have their gradients."""
    for part in (report.eqlin, report.ineqlin, report.lower, report.upper):
        with_reported(part, ("residual",), solution)
        with_reported(part, ("marginals",), value)  # by the costs too, by which the solution does not move
    report.con = reported(report.con, solution)
    report.slack = carried(report.slack, slack)
    report.fun = carried(report.fun, value)
    return with_solution(report, carried(report.x, solution))


stands_for(so.linprog, linprog)
non_differentiable(tight_at, kind="unknown")
non_differentiable(is_vertex, kind="bool")
