"""What comes back to a minimum within constraints that are dicts, and within bounds, by one linear system.

The place and the multipliers solve the equations of `constraints.py`, whose matrix is symmetric but for
signs; what comes back to a function is what its gradient and its values pull back together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from zygpy.api import gradient, pullback
from zygpy.runtime.directions import or_zero
from zygpy.runtime.solver_reports import start
from zygpy.runtime.unsolvable import solved_or_nan
from zygpy.solvers.flat import slope_at
from zygpy.solvers.implicit import check_solved
from zygpy.solvers.limits import itself, values_at


def is_plain(x: Any, constraints: Any, bounds: Any) -> bool:
    """Whether constraints are dicts of functions that give values alone, and bounds are pairs."""
    listed = [constraints] if isinstance(constraints, dict) else constraints
    pairs = () if bounds is None else bounds
    return (
        type(x) is np.ndarray
        and x.dtype == np.float64
        and x.ndim == 1
        and type(listed) in (list, tuple)
        and all(type(one) is dict and one.get("jac") is not True for one in listed)
        and type(pairs) in (list, tuple)
        and all(type(pair) in (list, tuple) for pair in pairs)
    )


def weighed_at(x: Any, fun: Any, weights: Any, args: Any) -> Any:
    """The gradient of a weighed sum of a constraint's values, and the values."""

    def total(point: Any) -> Any:
        return np.sum(weights * values_at(point, (fun, args)))

    return or_zero(gradient(total, x)[0], x), values_at(x, (fun, args))


class Held:
    """One constraint at a minimum, some of whose values hold as equations, with multipliers."""

    def __init__(self, x: Any, condition: Any, side: Any, weights: Any) -> None:
        self.places, self.side = np.flatnonzero(side), side
        self.weights = np.zeros(len(side))
        self.weights[self.places] = weights
        self.x, self.pulled = x, None
        if condition[0] is itself:
            self.slope, values = self.weights, x
        elif len(self.places):
            (self.slope, values), self.pulled = pullback(
                weighed_at, x, *condition[:1], self.weights, condition[1]
            )
        else:
            self.slope, values = np.zeros_like(x), self.weights
        limits = np.where(side > 0, condition[3], condition[2])
        self.gaps = values[self.places] - limits[self.places]

    def bent(self, along: Any) -> Any:
        """The Hessian of the weighed sum times a vector."""
        return 0.0 if self.pulled is None else or_zero(self.pulled((along, None))[0], self.x)

    def rows(self) -> Any:
        """The gradients of the values that hold."""
        units = np.eye(len(self.side))[self.places]
        if self.pulled is None:
            return np.reshape(units, (len(self.places), len(self.x)))
        found = [or_zero(self.pulled((None, unit))[0], self.x) for unit in units]
        return np.reshape(found, (len(units), len(self.x)))

    def taken(self, along: Any, bars: Any) -> Any:
        """What comes back to the function, to its further arguments, and to the limits of each value."""
        spread = np.zeros(len(self.side))
        spread[self.places] = bars
        if self.pulled is None:
            return None, None, -spread
        _, fun_bar, _, args_bar = self.pulled((-along, spread))
        return fun_bar, args_bar, -spread


def held_minimum(
    fun: Any, x: Any, args: Any, conditions: Any, weights: Any, sides: Any
) -> tuple[Any, Callable[[Any], Any]]:
    """The minimum, and what comes back to the function that is minimized and its further arguments, and to
    each constraint."""
    y = start(x)
    slope, pulled = pullback(slope_at, y, fun, *args)
    ends = np.cumsum([np.count_nonzero(side) for side in sides])[:-1]
    held = [
        Held(y, condition, side, own)
        for condition, side, own in zip(conditions, sides, np.split(weights, ends), strict=True)
    ]
    count, units = len(y), np.eye(len(y))
    rows = np.concatenate([one.rows() for one in held]) if held else np.zeros((0, count))
    bent = [or_zero(pulled(unit)[0], y) - sum(one.bent(unit) for one in held) for unit in units]
    matrix = np.zeros((count + len(rows), count + len(rows)))
    matrix[:count, :count], matrix[:count, count:], matrix[count:, :count] = bent, -rows.T, rows
    rest = np.concatenate([slope - sum(one.slope for one in held), *[one.gaps for one in held]])
    check_solved(matrix, rest, np.concatenate([y, weights]))

    def back(y_bar: Any) -> Any:
        seeds = -solved_or_nan(matrix.T, np.concatenate([y_bar, np.zeros(len(rows))]))
        along, others = seeds[:count], np.split(seeds[count:], ends)
        _, fun_bar, *args_bar = pulled(along)
        return fun_bar, args_bar, [one.taken(along, own) for one, own in zip(held, others, strict=True)]

    return y, back


def bars_of_constraints(constraints: Any, found: Any) -> Any:
    """The cotangents of constraints, in the form in which they were given."""
    if type(constraints) is dict:
        return _bars_of(constraints, found[0])
    return type(constraints)([_bars_of(one, own) for one, own in zip(constraints, found, strict=True)])


def _bars_of(constraint: Any, found: Any) -> Any:
    fun_bar, args_bar, _ = found
    bars = {"fun": fun_bar}
    if constraint.get("args") is not None and args_bar is not None:
        bars["args"] = args_bar if isinstance(constraint["args"], tuple) else args_bar[0]
    return bars


def bars_of_bounds(bounds: Any, side: Any, bars: Any) -> Any:
    """The cotangents of bounds, in the form in which they were given."""
    found = []
    for pair, at, bar in zip(bounds, side, bars, strict=True):
        sides = ((-1, pair[0]), (1, pair[1]))
        found.append(type(pair)([None if one is None else bar * (at == own) for own, one in sides]))
    return type(bounds)(found)
