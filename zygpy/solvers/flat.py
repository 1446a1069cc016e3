"""Points where a function is flat, as functions of what it depends on.

There the gradient is zero, which is an equation whose derivatives are second derivatives. The tangent of the
point takes the Hessian, and the derivatives of that tangent take third ones: they come from the tangent
function of the function itself, pulled back or moved once more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from zygpy.api import gradient, pullback
from zygpy.rules import custom
from zygpy.rules.declare import non_differentiable
from zygpy.runtime.directions import or_zero
from zygpy.runtime.solver_reports import start
from zygpy.runtime.unsolvable import solved_or_nan
from zygpy.runtime.zeros import zero_tangent
from zygpy.solvers.implicit import check_solved, like, unit_seeds
from zygpy.solvers.moving import Moving, moving_call


def flat_at(f: Callable[..., Any], x: Any, held: Any, free: Any, args: Any) -> Any:
    """The point `x`, by which the derivatives of the sum of what `f(x, *args)` gives are zero; by those
    entries only that are `free`, if that is told, while the others are `held`."""
    return start(x) if free is None else np.where(free, x, held)


def _flat_at(f: Callable[..., Any], x: Any, held: Any, free: Any, args: Any) -> Any:
    y = flat_at(f, x, held, free, args)
    slope, pulled = pullback(slope_at, y, f, *args)
    own = places_of(free, y)

    def back(y_bar: Any) -> Any:
        seeds = [like(np.reshape(seed, np.shape(y)), y) for seed in unit_seeds(np.asarray(y))]
        rows = square([np.ravel(or_zero(pulled(seeds[at])[0], y))[own] for at in own])
        check_flat(rows, np.ravel(slope)[own], np.ravel(y)[own])
        moved_bar, f_bar, *args_bar = pulled(solution_of(rows, np.ravel(y_bar), own, y))
        return f_bar, None, kept_bar(y_bar, moved_bar, free, y), None, tuple(args_bar)

    return y, back


def square(rows: Any) -> Any:
    """The matrix with these rows, of which there may be none."""
    return np.reshape(rows, (len(rows), len(rows)))


def check_flat(hessian: Any, slope: Any, y: Any) -> None:
    """Refuse a point from which Newton's method would still go far, by entries that are free."""
    if len(y):
        check_solved(hessian, slope, y)


def places_of(free: Any, y: Any) -> Any:
    """Where the entries are that are free."""
    return np.arange(np.size(y)) if free is None else np.flatnonzero(free)


def solution_of(hessian: Any, bar: Any, own: Any, y: Any) -> Any:
    """What solves linear equations with the Hessian of the entries that are free, with the sign turned, in
    the form of the point: zero for those that are held."""
    found = np.zeros(np.size(y))
    found[own] = -solved_or_nan(np.transpose(hessian), bar[own])
    return like(np.reshape(found, np.shape(y)), y)


def kept_bar(y_bar: Any, moved_bar: Any, free: Any, y: Any) -> Any:
    """The cotangent of what the entries that are not free are held at."""
    return None if free is None else np.where(free, 0.0, y_bar + or_zero(moved_bar, y))


def slope_at(x: Any, fun: Any, *args: Any) -> Any:
    """The gradient of the sum of what a function gives."""

    def value(point: Any) -> Any:
        return np.sum(fun(point, *args))

    return or_zero(gradient(value, x)[0], x)


def flat_at_tangent(
    f: Callable[..., Any],
    f_dot: Any,
    x: Any,
    held: Any,
    held_dot: Any,
    free: Any,
    args: Any,
    args_dot: Any,
) -> Any:
    """The same and its tangent: the gradient stays zero as what it depends on moves."""
    _, y, _, y_dot = moved_point(along_call(f, f_dot, args, args_dot), x, (held, held_dot, free))
    return y, y_dot


def along_call(f: Any, f_dot: Any, args: Any, args_dot: Any) -> Callable[[Any, Any], Moving]:
    """The call of a function at a point, along a direction."""
    return lambda y, y_dot: moving_call(f, f_dot, (y, *args), (y_dot, *args_dot))


def moved_point(call: Callable[[Any, Any], Any], x: Any, kept: Any) -> Any:
    """The call at the point, the point, the Hessian by the entries that are free, and the tangent of the
    point; `kept` is what the others are held at, its tangent, and which are free."""
    held, held_dot, free = kept
    y = start(x) if free is None else np.where(free, x, held)
    own = places_of(free, y)
    along = zero_tangent(y) if free is None else np.where(free, 0.0, held_dot)
    still = call(y, along)
    moved, slope = (np.ravel(bar) for bar in still.slopes(y))
    seeds = [like(np.reshape(seed, np.shape(y)), y) for seed in unit_seeds(np.asarray(y))]
    rows = [np.ravel(still.along(along + seeds[at]).slopes(y)[0]) - moved for at in own]
    hessian = square([row[own] for row in rows])
    check_flat(hessian, slope[own], np.ravel(y)[own])
    y_dot = along + solution_of(hessian, moved, own, y)
    return still.along(y_dot), y, hessian, y_dot


def pulled_point(point: Any, free: Any, y_bar: Any, dot_bar: Any) -> list[Any]:
    """The cotangents of what the call at a point was given, from those of the point and its tangent.

    Both solve g(y, p) = 0 and H y' + g_p p' = 0, where g is the gradient and H the Hessian; the left sides
    along directions are how the function and its tangent move.
    """
    moving, y, hessian, _ = point
    own = places_of(free, y)
    second = solution_of(hessian, np.ravel(dot_bar), own, y)
    bent = or_zero(moving.bent(second, zero_tangent(y))[0], y)
    first = solution_of(hessian, np.ravel(y_bar) + np.ravel(bent), own, y)
    bars: list[Any] = moving.bent(second, first)
    return bars


def _flat_at_tangent(
    f: Callable[..., Any],
    f_dot: Any,
    x: Any,
    held: Any,
    held_dot: Any,
    free: Any,
    args: Any,
    args_dot: Any,
) -> Any:
    point = moved_point(along_call(f, f_dot, args, args_dot), x, (held, held_dot, free))
    moving, y, _, y_dot = point

    def back(bars: Any) -> Any:
        y_bar, dot_bar = [or_zero(bar, y) for bar in bars]
        f_dot_bar, args_bar, args_dot_bar = moving.split(pulled_point(point, free, y_bar, dot_bar))
        held_bar = kept_bar(y_bar, args_bar[0], free, y)
        held_dot_bar = kept_bar(dot_bar, args_dot_bar[0], free, y)
        return None, f_dot_bar, None, held_bar, held_dot_bar, None, args_bar[1:], args_dot_bar[1:]

    return (y, y_dot), back


custom.add(custom.made(flat_at_tangent, _flat_at_tangent, "flat_at_tangent", keeps="nothing"))
custom.add(
    custom.made(
        flat_at,
        _flat_at,
        "flat_at",
        keeps="nothing",
        pushed=flat_at_tangent,
        moving=frozenset({"f", "held", "args"}),
    )
)
non_differentiable(check_flat, kind="none")
