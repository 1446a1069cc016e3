"""Minima within constraints, as functions of what is minimized, of the constraints, and of their limits.

Where a minimum lies, the gradient of what is minimized is a sum of those of the constraints that hold there
as equations, each with its multiplier (J. Nocedal and S. J. Wright, Numerical Optimization, 2006, chapter
12).
These equations and those constraints determine the place and the multipliers, as long as no gradient of a
constraint follows from the others and no inequality that holds as an equation has the multiplier zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.api import gradient, pullback
from zygpy.errors import MissingRuleError
from zygpy.rules import custom
from zygpy.rules.declare import non_differentiable
from zygpy.runtime.directions import or_zero
from zygpy.runtime.solver_reports import start
from zygpy.runtime.zeros import CannotPush
from zygpy.solvers.held_minima import bars_of_bounds, bars_of_constraints, held_minimum, is_plain
from zygpy.solvers.implicit import stationary_at
from zygpy.solvers.limits import conditions_of, values_at
from zygpy.tools.levels import nestlevel


def held_at(x: Any, conditions: Any, sides: Any) -> Any:
    """How far the constraints that hold as equations are from their limits."""
    parts = [np.zeros(0)]
    for condition, side in zip(conditions, sides, strict=True):
        places = np.flatnonzero(side)
        limits = np.where(side > 0, condition[3], condition[2])
        parts.append(values_at(x, condition)[places] - limits[places])
    return np.concatenate(parts)


def stationary(z: Any, fun: Any, args: Any, conditions: Any, sides: Any) -> Any:
    """The equations for a place and multipliers behind it."""
    count = len(z) - sum([np.count_nonzero(side) for side in sides])
    x, weights = z[:count], z[count:]

    def without_weight(point: Any) -> Any:
        return np.sum(fun(point, *args)) - np.sum(weights * held_at(point, conditions, sides))

    return np.concatenate([or_zero(gradient(without_weight, x)[0], x), held_at(x, conditions, sides)])


def least_within(fun: Any, x: Any, args: Any, conditions: Any, barrier: float = 0.0) -> Any:
    """A minimum that a solver has found, if by barriers with the height of the last one."""
    weights, sides = multipliers_at(x, fun, args, conditions, barrier)
    z = stationary_at(stationary, np.concatenate([x, weights]), (fun, args, conditions, sides))
    return z[: len(x)]


def constrained_at(fun: Any, x: Any, args: Any, constraints: Any, bounds: Any, barrier: float) -> Any:
    """The same of a solver's constraints and bounds, whose tangent is left to reverse mode."""
    return start(x)


def _constrained_at(fun: Any, x: Any, args: Any, constraints: Any, bounds: Any, barrier: float) -> Any:
    if nestlevel() > 1 or not is_plain(x, constraints, bounds):  # a program of its own
        return pullback(within_all, fun, x, args, constraints, bounds, barrier)
    conditions = conditions_of(constraints, bounds)
    weights, sides = multipliers_at(x, fun, args, conditions, barrier)
    y, pulled = held_minimum(fun, x, args, conditions, weights, sides)

    def back(y_bar: Any) -> Any:
        fun_bar, args_bar, found = pulled(y_bar)
        of_bounds = None if bounds is None else bars_of_bounds(bounds, sides[-1], found.pop()[2])
        return fun_bar, None, tuple(args_bar), bars_of_constraints(constraints, found), of_bounds, None

    return y, back


def within_all(fun: Any, x: Any, args: Any, constraints: Any, bounds: Any, barrier: float) -> Any:
    """The same, as a program."""
    return least_within(fun, x, args, conditions_of(constraints, bounds), barrier)


def constrained_at_tangent(fun: Any, fun_dot: Any, *given: Any) -> Any:
    """Its tangent."""
    raise CannotPush


NEAR, APART = 1e-4, 10
"""How near to a limit, by the size of the place, a constraint is looked at; and how many times as far as
this a minimum would lie beyond the limit, without the constraint, or within it, for it to be clear which."""


def barrier_of(report: Any) -> float:
    """The height of the last barrier of a solver that has some."""
    return float(report.get("barrier_parameter", 0.0))


def multipliers_at(x: Any, fun: Any, args: Any, conditions: Any, barrier: float) -> Any:
    """The multipliers of the constraints that hold as equations, and for each constraint, in a vector, 1
    where the upper limit is reached, -1 for the lower one, else 0."""

    def slope_of(point: Any) -> Any:
        return or_zero(gradient(lambda at: np.sum(fun(at, *args)), point)[0], point)

    size = 1 + np.max(np.abs(x), initial=0.0)
    rows, sides, gaps, equal = _lines_at(x, conditions)
    slope, bent = pullback(slope_of, x)
    held = equal | (gaps <= max(NEAR, barrier**0.5) * size)
    beyond = _beyond(slope, bent, rows, sides, held)
    held &= equal | (gaps <= NEAR * size) | (beyond * APART > gaps)
    beyond = _beyond(slope, bent, rows, sides, held)
    _check_clear(beyond, gaps, held & ~equal, NEAR * size)
    weights = _weights(slope, rows[held])
    _check_free(bent, slope - weights @ rows[held], rows, sides, gaps, ~held)
    ends = np.cumsum([len(values_at(x, one)) for one in conditions])[:-1]
    return weights, np.split(np.where(held, sides, 0), ends)


def _lines_at(x: Any, conditions: Any) -> Any:
    """The gradients of all constraints, which limit is the nearer one, how far away it is, and whether both
    are the same."""
    parts = []
    for condition in conditions:
        found, pulled = pullback(values_at, x, condition)
        rows = np.reshape([or_zero(pulled(seed)[0], x) for seed in np.eye(len(found))], (-1, len(x)))
        lower, upper = (limit + np.zeros_like(found) for limit in condition[2:])
        sides = np.where(upper - found <= found - lower, 1, -1)
        gaps = np.abs(np.minimum(upper - found, found - lower)) / np.maximum(_sizes(rows), 1e-300)
        parts.append((rows, sides, gaps, lower == upper))
    return tuple(np.concatenate(part) for part in zip(*parts, strict=True))


def _sizes(rows: Any) -> Any:
    return np.linalg.norm(rows, axis=1)


def _beyond(slope: Any, bent: Any, rows: Any, sides: Any, held: Any) -> Any:
    """How far beyond each limit, by the curvature of what is minimized, a minimum would lie without it."""
    found = np.full(len(rows), -np.inf)
    pushing = -sides[held] * np.linalg.lstsq(rows[held].T, slope)[0] * _sizes(rows[held])
    found[held] = pushing / _curvatures(bent, rows[held])
    return found


def _curvatures(bent: Any, rows: Any) -> Any:
    """The curvature of what is minimized across each constraint."""
    units = rows / np.maximum(_sizes(rows), 1e-300)[:, None]
    return np.array([max(np.linalg.norm(or_zero(bent(unit)[0], unit)), 1e-300) for unit in units])


def _check_clear(beyond: Any, gaps: Any, held: Any, near: float) -> None:
    """Refuse constraints near to which the minimum lies, and that do not hold it there."""
    if np.any(held & (beyond < np.maximum(APART * gaps, near))):
        raise MissingRuleError(
            "there is no rule for a minimum on a constraint, or near to one, that does not hold it.",
            why="on one side of this place the constraint would hold it and on the other it would not",
            instead="leave out the constraint, or ask for a smaller tolerance if the solver ends before it",
        )


def _check_free(bent: Any, rest: Any, rows: Any, sides: Any, gaps: Any, free: Any) -> None:
    """Refuse a place from which the minimum may still be beyond a constraint that does not hold here."""
    pushing = -sides[free] * (rows[free] @ rest) / np.maximum(_sizes(rows[free]), 1e-300)
    if np.any(pushing > 0) and np.any(pushing * APART > gaps[free] * _curvatures(bent, rows[free])):
        raise MissingRuleError(
            "there is no rule for a point that a solver has stopped at and that is no minimum.",
            why="the minimum may lie on a constraint to which the solver has not come near",
            instead="ask for a smaller tolerance",
        )


def _weights(slope: Any, rows: Any) -> Any:
    """The multipliers of the constraints that hold."""
    sizes = _sizes(rows)
    units = rows / np.maximum(sizes, 1e-300)[:, None]
    if len(rows) and np.linalg.matrix_rank(units, tol=1e-7) < len(rows):
        raise MissingRuleError(
            "there is no rule for a minimum at which constraints that hold follow from each other.",
            why="their gradients do not tell by which of them the minimum is held",
            instead="leave out those that follow from the others",
        )
    return np.linalg.lstsq(rows.T, slope)[0]


custom.add(
    custom.made(
        constrained_at,
        _constrained_at,
        "constrained_at",
        keeps="nothing",
        pushed=constrained_at_tangent,
        moving=frozenset({"fun", "args", "constraints", "bounds"}),
    )
)
non_differentiable(multipliers_at, barrier_of, kind="unknown")
