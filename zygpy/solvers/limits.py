"""Constraints of `scipy.optimize`: the functions that they are made of, their values, and their limits."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.optimize as so
from scipy.sparse import issparse

from zygpy.rules.declare import non_differentiable
from zygpy.solvers.reports import as_arguments, check_absent


def first_of(x: Any, fun: Any, *args: Any) -> Any:
    """The value, of a function that gives its gradient behind it."""
    return fun(x, *args)[0]


def conditions_of(constraints: Any, bounds: Any) -> list[Any]:
    """The constraints of a solver and its bounds: for each a function of the point, its further arguments,
    and the least and the greatest that it may be."""
    alone = isinstance(constraints, dict | so.LinearConstraint | so.NonlinearConstraint | so.Bounds)
    conditions = [condition_of(one) for one in ([constraints] if alone else constraints)]
    if bounds is not None:
        conditions.append((itself, (), *limits_of(bounds)))
    return conditions


def condition_of(constraint: Any) -> Any:
    """The same of one constraint."""
    if isinstance(constraint, dict):
        function, args = constraint["fun"], as_arguments(constraint.get("args"))
        upper = 0.0 if str(constraint["type"]).lower() == "eq" else np.inf
        return (first_of, (function, *args), 0.0, upper) if constraint.get("jac") is True else (
            function, args, 0.0, upper)  # fmt: skip
    if isinstance(constraint, so.LinearConstraint):
        check_absent("optimize.minimize", "constraints", not issparse(constraint.A), "give a dense matrix")
        return product, (constraint.A,), constraint.lb, constraint.ub
    if isinstance(constraint, so.Bounds):
        return itself, (), constraint.lb, constraint.ub
    return constraint.fun, (), constraint.lb, constraint.ub


def itself(x: Any) -> Any:
    """What bounds are about."""
    return x


def product(x: Any, matrix: Any) -> Any:
    """What linear constraints are about."""
    return np.dot(matrix, x)


def limits_of(bounds: Any) -> Any:
    """The lower and the upper bounds, None where there are none."""
    if bounds is None:
        return None, None
    if isinstance(bounds, so.Bounds):
        return bounds.lb, bounds.ub
    pairs = list(bounds)
    lower = [-np.inf if pair[0] is None else pair[0] for pair in pairs]
    upper = [np.inf if pair[1] is None else pair[1] for pair in pairs]
    return np.array(lower), np.array(upper)


def functions_of(constraints: Any) -> Any:
    """The functions of constraints that are objects, for `unchanged` to look into."""
    alone = isinstance(constraints, dict | so.LinearConstraint | so.NonlinearConstraint | so.Bounds)
    given = [constraints] if alone else constraints
    return tuple([one.fun for one in given if isinstance(one, so.NonlinearConstraint)])


def values_at(x: Any, condition: Any) -> Any:
    """The values of one constraint as a vector."""
    return np.ravel(np.asarray(condition[0](x, *condition[1])) * 1.0)


non_differentiable(functions_of, kind="unknown")
