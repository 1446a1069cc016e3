"""The integral of a user's function between limits, as a function of these and of what the integrand depends
on, and its tangent.

By the limits the derivative is the integrand there, by its parameters it is the integral of its own
derivative, which is the sum by the rule that gives the integral. The tangent's derivatives are the same of
the tangent function of the integrand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.api import pullback
from zygpy.errors import MissingRuleError
from zygpy.rules import custom
from zygpy.rules.declare import non_differentiable
from zygpy.runtime.accumulate import accumulate
from zygpy.runtime.directions import or_zero
from zygpy.runtime.separate import separate
from zygpy.runtime.zeros import CannotPush
from zygpy.solvers.implicit import in_form_of, like, value_at
from zygpy.solvers.integral_grids import halved_until_sure, is_doubtful, nodes_between
from zygpy.solvers.moving import Moving, Pulled, moving_call


def values_again(func: Any, places: Any, args: Any) -> Any:
    """The integrand at these places, which are constant."""
    return [func(place_at(places, number), *args) for number in range(len(places))]


def place_at(places: Any, number: int) -> float:
    """One of the places."""
    found: float = places[number]
    return found


def integral(func: Any, a: Any, b: Any, args: Any, value: Any, error: Any, grid: Any) -> Any:
    """The integral of a function between limits, which is `value`."""
    return separate(value)


def _integral(func: Any, a: Any, b: Any, args: Any, value: Any, error: Any, grid: Any) -> Any:
    y = integral(func, a, b, args, value, error, grid)
    nodes = nodes_between(a, b, grid)
    values, pulled = pullback(values_again, func, nodes.places, args)
    if in_doubt(pulled, values, nodes):
        nodes = nodes_between(a, b, trusted_ends(func, a, b, args, grid))
        values, pulled = pullback(values_again, func, nodes.places, args)
    check_alike(total_of(values, nodes.weights), value, error)
    at_a, at_b = at_limit(func, a, args), at_limit(func, b, args)

    def back(y_bar: Any) -> Any:
        func_bar, _, args_bar = pulled(seeds_of(values, nodes.weights, y_bar))
        return func_bar, to_limit(-y_bar, a, at_a), to_limit(y_bar, b, at_b), args_bar, None, None, None

    return y, back


def in_doubt(pulled: Any, values: Any, nodes: Any) -> bool:
    """Whether the derivatives of an integrand are not integrated by the sum that gives the integral."""
    seed = seed_like(values[0])
    total, null = [pulled(seeds_of(values, part, seed))[::2] for part in (nodes.weights, nodes.nulls)]
    if not is_doubtful(total, None, null):
        return False
    return is_doubtful(total, pulled(seeds_of(values, nodes.rough, seed))[::2], null)


def seed_like(value: Any) -> Any:
    """The cotangent of an integral for which its sums are looked at: of every entry another number."""
    count = np.size(value)
    return np.reshape(1 + np.arange(count) / count, np.shape(value)) if np.ndim(value) else 1.0


def trusted_ends(func: Any, a: Any, b: Any, args: Any, ends: Any) -> Any:
    """The ends of intervals on which the derivatives of an integrand are integrated, too: it is called at
    once, since what it captures may be something else later."""

    def look(row: Any) -> Any:
        nodes = nodes_between(a, b, np.array([row]))
        values, pulled = pullback(values_again, func, nodes.places, args)
        seed, parts = seed_like(values[0]), (nodes.weights, nodes.rough, nodes.nulls)
        return [pulled(seeds_of(values, part, seed))[::2] for part in parts]

    return halved_until_sure(ends, look)


def total_of(values: Any, weights: Any) -> Any:
    """The sum of values with weights."""
    return sum(weight * value for weight, value in zip(weights.tolist(), values, strict=True))


def seeds_of(values: Any, weights: Any, y_bar: Any) -> Any:
    """The cotangents of values, from that of their sum with weights."""
    if type(y_bar) is float and type(values[0]) is float:
        return [weight * y_bar for weight in weights.tolist()]
    pairs = zip(weights.tolist(), values, strict=True)
    return [in_form_of(np.multiply(weight, y_bar), value) for weight, value in pairs]


def at_limit(func: Any, limit: Any, args: Any) -> Any:
    """The integrand at a limit, nan where it has no value: it is called at once, since what it captures may
    be something else later."""
    return value_at(func, limit, args) if is_defined(func, limit, args) else np.nan


def to_limit(y_bar: Any, limit: Any, at: Any) -> Any:
    """What comes back to a limit: nothing to an infinite one, which stays where it is."""
    return None if np.isinf(limit) else product(y_bar, at)


def product(y_bar: Any, at: Any) -> Any:
    """What comes back to a limit, 0 where nothing comes in."""
    if not np.any(y_bar):
        return 0.0
    return np.sum(np.conj(at) * y_bar)


def is_defined(func: Any, limit: Any, args: Any) -> bool:
    """Whether an integrand has a value at a limit."""
    try:
        return bool(np.isfinite(limit)) and func(limit, *args) is not None
    except Exception:  # the integral asks for no value there
        return False


TOLERANCE = 1e-6
"""How far Gauss's rule may be from QUADPACK, by the size of the integral."""


def check_alike(again: Any, value: Any, error: Any) -> None:
    """Refuse an integrand that Gauss's rule does not integrate: one with a singularity. (One that is nan has
    a derivative that is nan.)"""
    if np.all(np.isnan(again) & np.isnan(value)):
        return
    if not np.max(np.abs(again - value)) <= TOLERANCE * np.max(np.abs(value)) + 10 * error + 1e-10:
        raise MissingRuleError(
            "there is no rule for the integral of this integrand.",
            why=f"the sum over its intervals is {again!r} where the integral is {value!r}: it is singular",
            instead="substitute, so that the integrand is smooth",
        )


# --------------------------------------------------------------------------------------- the tangent


class Sum:
    """The integral of a function along a direction: the call of the function at every node, with its weight,
    and at the limits that move, each with its tangent and its sign."""

    def __init__(self, call: Moving, limits: Any, grid: Any) -> None:
        self.call, self.limits, self.grid = call, limits, grid
        self.count, self.split = call.count, call.split
        nodes = nodes_between(limits[0][0], limits[1][0], grid)
        self.parts = [nodes.weights.tolist(), nodes.rough.tolist(), nodes.nulls.tolist()]
        self.nodes = [call.at(place, 0.0).pulled() for place in nodes.places]
        self.ends = [_at_limit(call, limit, limit_dot) for limit, limit_dot in limits]

    def finer(self, look: Any) -> Sum:
        """The same on intervals on which something else is integrated, too."""
        alone = [(limit, 0.0) for limit, _ in self.limits]
        ends = halved_until_sure(self.grid, lambda row: look(Sum(self.call, alone, np.array([row]))))
        return Sum(self.call, self.limits, ends)

    def total(self) -> tuple[Any, Any]:
        """The sum and its tangent, with which the limits have nothing to do."""
        return total_of([node[0] for node in self.nodes], np.array(self.parts[0])), self.tangents()[0]

    def tangents(self) -> list[Any]:
        """The sums of the tangents: the integral, a rough one, and that by the null rule."""
        dots = [node[1] for node in self.nodes]
        return [sum(weight * dot for weight, dot in zip(part, dots, strict=True)) for part in self.parts]

    def along_limits(self) -> Any:
        """The tangent by the limits."""
        total: Any = 0.0
        for sign, end, (_, limit_dot) in zip((-1.0, 1.0), self.ends, self.limits, strict=True):
            if limit_dot != 0:
                total = total + sign * limit_dot * (np.nan if end is None else end[0])
        return total

    def bars(self, weights: Any, y_bar: Any, dot_bar: Any) -> list[Any]:
        """The cotangents of what the call is given, by nodes with weights."""
        bars: list[Any] = []
        for weight, (value, value_dot, pull) in zip(weights, self.nodes, strict=True):
            seeds = in_form_of(weight * y_bar, value), in_form_of(weight * dot_bar, value_dot)
            bars = _added(bars, pull(seeds))
        return bars

    def own_bars(self, part: int, y_bar: Any, dot_bar: Any) -> list[Any]:
        """The same for the integral, a rough one, or that by the null rule, but for those of the places."""
        bars = self.bars(self.parts[part], y_bar, dot_bar)
        return [*bars[1 : self.count], *bars[self.count + 1 :]]

    def trusted(self, y_bar: Any, dot_bar: Any) -> Sum:
        """The same on intervals on which what comes back is integrated, too."""
        total, null = [self.own_bars(part, y_bar, dot_bar) for part in (0, 2)]
        if not is_doubtful(total, None, null):
            return self
        if not is_doubtful(total, self.own_bars(1, y_bar, dot_bar), null):
            return self
        return self.finer(lambda part: [part.own_bars(one, y_bar, dot_bar) for one in range(3)])

    def pulled(self, y_bar: Any, dot_bar: Any) -> tuple[list[Any], list[Any]]:
        """The cotangents of what the call is given, and those of each limit and its tangent."""
        bars = self.bars(self.parts[0], y_bar, dot_bar)
        at_limits = []
        for sign, end, limit in zip((-1.0, 1.0), self.ends, self.limits, strict=True):
            own, further = _of_limit(end, limit, sign * y_bar, sign * dot_bar)
            bars = _added(bars, further)
            at_limits.append(own)
        return bars, at_limits


def _added(bars: list[Any], more: list[Any]) -> list[Any]:
    """The sums of cotangents."""
    return (
        [accumulate(one, other) for one, other in zip(bars, more, strict=True)]
        if bars and more
        else bars or more
    )


def _at_limit(call: Moving, limit: Any, limit_dot: Any) -> tuple[Any, Any, Pulled] | None:
    """The value of the integrand at a limit, its tangent and the pullback of both; None where it has none."""
    try:
        return call.at(limit, limit_dot).pulled() if np.isfinite(limit) else None
    except CannotPush:
        raise
    except Exception:
        return None


def _of_limit(end: Any, limit: Any, y_bar: Any, dot_bar: Any) -> tuple[Any, list[Any]]:
    """The cotangents of a limit and of its tangent, and what comes back to the integrand there."""
    if np.isinf(limit[0]):
        return (None, None), []
    if end is None:
        lost = np.nan if np.any(y_bar) or np.any(dot_bar) else 0.0
        return (lost, lost), []
    value, value_dot, pull = end
    own = product(y_bar, value) + product(dot_bar, value_dot), product(dot_bar, value)
    if limit[1] == 0 or not np.any(dot_bar):
        return own, []
    return own, pull((in_form_of(dot_bar * limit[1], value), None))


def integral_tangent(
    func: Any, func_dot: Any, a: Any, a_dot: Any, b: Any, b_dot: Any, args: Any, args_dot: Any, value: Any,
    error: Any, grid: Any,
) -> Any:  # fmt: skip
    """The integral and its tangent."""
    return _moved(func, func_dot, ((a, a_dot), (b, b_dot)), (args, args_dot), value, error, grid)[1]


def _moved(func: Any, func_dot: Any, limits: Any, given: Any, value: Any, error: Any, grid: Any) -> Any:
    """The sum along a direction, and the integral with its tangent."""
    limits = [(limit, float(or_zero(limit_dot, limit * 1.0))) for limit, limit_dot in limits]
    call = moving_call(func, func_dot, (0.5, *given[0]), (0.0, *or_zero(given[1], given[0])))
    moving = Sum(call, limits, grid)
    if is_doubtful(*moving.tangents()):
        moving = moving.finer(Sum.tangents)
    again, again_dot = moving.total()
    check_alike(again, value, error)
    dot = again_dot + moving.along_limits()
    return moving, (separate(value), like(np.reshape(dot, np.shape(value)), value))


def _integral_tangent(
    func: Any, func_dot: Any, a: Any, a_dot: Any, b: Any, b_dot: Any, args: Any, args_dot: Any, value: Any,
    error: Any, grid: Any,
) -> Any:  # fmt: skip
    limits = ((a, a_dot), (b, b_dot))
    moving, both = _moved(func, func_dot, limits, (args, args_dot), value, error, grid)

    def back(bars: Any) -> Any:
        y_bar, dot_bar = [or_zero(bar, both[0]) for bar in bars]
        found, (of_a, of_b) = moving.trusted(y_bar, dot_bar).pulled(y_bar, dot_bar)
        func_dot_bar, args_bar, dots_bar = moving.split(found)
        return None, func_dot_bar, *of_a, *of_b, args_bar[1:], dots_bar[1:], None, None, None

    return both, back


custom.add(custom.made(integral_tangent, _integral_tangent, "integral_tangent", keeps="nothing"))
custom.add(
    custom.made(
        integral,
        _integral,
        "integral",
        keeps="nothing",
        pushed=integral_tangent,
        moving=frozenset({"func", "a", "b", "args"}),
    )
)
non_differentiable(check_alike, kind="none")
non_differentiable(is_defined, in_doubt, kind="bool")
non_differentiable(place_at, kind="float")
non_differentiable(trusted_ends, kind="array")
non_differentiable(nodes_between, kind="unknown")
