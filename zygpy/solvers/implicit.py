"""Solutions of equations as functions of the parameters, by the implicit function theorem.

Where f(x, p) = 0, dx/dp = -(df/dx)^-1 df/dp. A function that the equation is made of may capture what is
differentiated, since its own cotangent is asked for along with those of its arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from zygpy.api import pullback
from zygpy.errors import MissingRuleError
from zygpy.rules import custom
from zygpy.rules.declare import non_differentiable
from zygpy.runtime.directions import or_zero
from zygpy.runtime.separate import separate
from zygpy.runtime.unsolvable import quotient_or_nan, solved_or_nan


def value_at(f: Callable[..., Any], x: Any, args: Any) -> Any:
    """The value of a function at a point."""
    return f(x, *args)


def equations_at(f: Callable[..., Any], x: Any, args: Any) -> Any:
    """The same where it may be a list of the equations' values, in an array."""
    value = f(x, *args)
    return np.asarray(value) if isinstance(value, list | tuple) else value


def root_at(f: Callable[..., Any], x: Any, args: Any) -> Any:
    """The point `x`, where `f(x, *args)` is zero: a number, or an array with as many entries as `f` has."""
    return separate(x)


def _root_at(f: Callable[..., Any], x: Any, args: Any) -> Any:
    y = root_at(f, x, args)
    value, pulled = pullback(equations_at, f, y, args)
    check_count(value, y)

    def back(y_bar: Any) -> Any:
        rows = [np.ravel(or_zero(pulled(seed)[1], y)) for seed in unit_seeds(value)]
        slopes = np.stack(rows)
        check_solved(slopes, value, y)
        solved = -solved_or_nan(np.transpose(slopes), np.ravel(y_bar))
        f_bar, _, args_bar = pulled(like(np.reshape(solved, np.shape(value)), value))
        return f_bar, None, args_bar

    return y, back


def roots_at(f: Callable[..., Any], x: Any, args: Any) -> Any:
    """The same for an array of points, of which each is a root of its own entry of `f(x, *args)`."""
    return separate(x)


def _roots_at(f: Callable[..., Any], x: Any, args: Any) -> Any:
    y = roots_at(f, x, args)
    value, pulled = pullback(equations_at, f, y, args)
    check_count(value, y)

    def back(y_bar: Any) -> Any:
        slope = or_zero(pulled(like(ones_like(value), value))[1], y)
        solved = -quotient_or_nan(y_bar, slope)
        f_bar, _, args_bar = pulled(like(np.reshape(solved, np.shape(value)), value))
        return f_bar, None, args_bar

    return y, back


def check_count(value: Any, x: Any) -> None:
    """Refuse equations that are not as many as the unknowns."""
    if np.size(value) != np.size(x):
        raise MissingRuleError(
            f"there is no rule for {np.size(value)} equations with {np.size(x)} unknowns.",
            why="the solution of as many equations as unknowns has a derivative",
            instead="minimize the sum of their squares",
        )


def check_solved(slopes: Any, value: Any, x: Any) -> None:
    """Refuse a point from which Newton's method would still go far: the theorem is about solutions, and a
    solver may stop elsewhere (at its last step, or where a sum of squares is least) and not say so."""
    step = solved_or_nan(slopes, np.ravel(value))
    if np.any(np.abs(step) > FAR * (1 + np.abs(np.ravel(x)))):
        raise MissingRuleError(
            "there is no rule for a point that a solver has stopped at and that is no solution.",
            why="solutions alone are known as functions of what the equations depend on; from here a step of"
            f" Newton's method is {np.max(np.abs(step)):.2g} long",
            instead="let the solver take more steps, ask for a smaller tolerance, or begin elsewhere",
        )


FAR = 1e-2
"""How long a step may be that leads from a solution to a better one, by the size of the solution."""


def unit_seeds(value: Any) -> list[Any]:
    """The unit vectors in the form of a value."""
    rows = np.eye(np.size(value), dtype=np.result_type(value, np.float32))
    return [like(np.reshape(row, np.shape(value)), value) for row in rows]


def ones_like(value: Any) -> Any:
    """Ones in the form of a value, which may be integers."""
    return np.ones(np.shape(value), np.result_type(value, np.float32))


def like(array: Any, value: Any) -> Any:
    """A number as a number, an array as an array: whichever `value` is."""
    if isinstance(value, np.ndarray):
        return array
    return array.item() if isinstance(value, int | float | complex) else array[()]


custom.add(custom.made(root_at, _root_at, "root_at", keeps="nothing"))
custom.add(custom.made(roots_at, _roots_at, "roots_at", keeps="nothing"))
non_differentiable(check_count, check_solved, kind="none")
non_differentiable(unit_seeds, ones_like, kind="unknown")
