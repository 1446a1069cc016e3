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
from zygpy.pushed.doors import pushed_call
from zygpy.rules import custom
from zygpy.rules.declare import non_differentiable
from zygpy.runtime.directions import or_zero
from zygpy.runtime.solver_reports import start
from zygpy.runtime.unknown_derivatives import unknown_cotangent
from zygpy.runtime.unsolvable import quotient_or_nan, solved_or_nan
from zygpy.runtime.zeros import CannotPush, zero_tangent
from zygpy.solvers.moving import moving_call


def value_at(f: Callable[..., Any], x: Any, args: Any) -> Any:
    """The value of a function at a point."""
    return f(x, *args)


def equations_at(f: Callable[..., Any], x: Any, args: Any) -> Any:
    """The same where it may be a list of the equations' values, in an array."""
    value = f(x, *args)
    return np.asarray(value) if isinstance(value, list | tuple) else value


def _value_at(f: Callable[..., Any], x: Any, args: Any) -> Any:
    return pullback(called_at, f, x, args)


def called_at(f: Callable[..., Any], x: Any, args: Any) -> Any:
    """The value of a function at a point, by its own code."""
    return f(x, *args)


def value_at_tangent(f: Callable[..., Any], f_dot: Any, x: Any, x_dot: Any, args: Any, args_dot: Any) -> Any:
    """The value of a function at a point, and its tangent."""
    return pushed_call(f, f_dot, (x, *args), (x_dot, *args_dot), False)


def root_at(f: Callable[..., Any], x: Any, args: Any) -> Any:
    """The point `x`, where `f(x, *args)` is zero: a number, or an array with as many entries as `f` has."""
    return start(x)


def root_at_tangent(f: Callable[..., Any], f_dot: Any, x: Any, args: Any, args_dot: Any) -> Any:
    """The same and its tangent: `f(x, *args)` stays zero as what it depends on moves."""
    y = start(x)
    value, value_dot = moved_equations(f, f_dot, y, zero_tangent(y), args, args_dot)
    check_count(value, y)
    slopes = slopes_at(f, y, args, value)
    check_solved(slopes, value, y)
    moved = -solved_or_nan(slopes, np.ravel(value_dot))
    return y, like(np.reshape(moved, np.shape(y)), y)


def moved_equations(f: Callable[..., Any], f_dot: Any, x: Any, x_dot: Any, args: Any, args_dot: Any) -> Any:
    """The value of a function at a point, and its tangent."""
    value, value_dot = pushed_call(f, f_dot, (x, *args), (x_dot, *args_dot), False)
    if isinstance(value, list | tuple):
        return np.asarray(value), np.asarray(value_dot)
    return value, value_dot


def slopes_at(f: Callable[..., Any], x: Any, args: Any, value: Any) -> Any:
    """The derivatives of the equations by the unknowns, a row for each equation."""
    _, pulled = pullback(equations_at, f, x, args)
    return np.stack([np.ravel(or_zero(pulled(seed)[1], x)) for seed in unit_seeds(value)])


def _root_at_tangent(f: Callable[..., Any], f_dot: Any, x: Any, args: Any, args_dot: Any) -> Any:
    """Both solve the equations and their tangents, f(y, p) = 0 and f_y y' + f_p p' = 0, of which the
    derivatives by y and y' are the matrix ((J, 0), (K, J))."""
    try:
        return _root_of_moving(f, f_dot, x, args, args_dot)
    except CannotPush:  # then what is called is looked for wherever it is called
        return _root_of_unknown(f, f_dot, x, args, args_dot)


def _root_of_moving(f: Callable[..., Any], f_dot: Any, x: Any, args: Any, args_dot: Any) -> Any:
    """The same by the tangent function of the equations."""
    y = start(x)
    still = moving_call(f, f_dot, (y, *args), (zero_tangent(y), *args_dot))
    value, value_dot, pulled = still.pulled()
    check_count(value, y)
    seeds = [in_form_of(seed, value) for seed in unit_seeds(np.asarray(value))]
    slopes = np.stack([np.ravel(or_zero(pulled((None, seed))[still.count], y)) for seed in seeds])
    check_solved(slopes, value, y)
    y_dot = like(np.reshape(-solved_or_nan(slopes, np.ravel(value_dot)), np.shape(y)), y)
    moving = still.along(y_dot)
    _, _, again = moving.pulled()

    def back(bars: Any) -> Any:
        y_bar, dot_bar = [or_zero(bar, y) for bar in bars]
        second = -solved_or_nan(np.transpose(slopes), np.ravel(dot_bar))
        seed = in_form_of(second, value)
        bent = or_zero(again((None, seed))[0], y)
        first = -solved_or_nan(np.transpose(slopes), np.ravel(y_bar) + np.ravel(bent))
        f_dot_bar, args_bar, args_dot_bar = moving.split(again((in_form_of(first, value), seed)))
        return None, f_dot_bar, None, args_bar[1:], args_dot_bar[1:]

    return (y, y_dot), back


def in_form_of(vector: Any, value: Any) -> Any:
    """A vector in the form of what equations give: a number, an array, or a list of numbers."""
    if not isinstance(value, list | tuple):
        return like(np.reshape(vector, np.shape(value)), value)
    if np.ndim(value) != 1:
        raise CannotPush
    return type(value)(np.ravel(vector).tolist())


def _root_of_unknown(f: Callable[..., Any], f_dot: Any, x: Any, args: Any, args_dot: Any) -> Any:
    """The same where parts of the equations are found when they are called."""
    y, y_dot = root_at_tangent(f, f_dot, x, args, args_dot)
    (value, _), pulled = pullback(moved_equations, f, f_dot, y, y_dot, args, args_dot)

    def back(bars: Any) -> Any:
        y_bar, dot_bar = [or_zero(bar, y) for bar in bars]
        rows = [pulled((None, seed))[2:4] for seed in unit_seeds(value)]
        bent = np.stack([np.ravel(or_zero(row[0], y)) for row in rows])
        slopes = np.stack([np.ravel(or_zero(row[1], y)) for row in rows])
        second = -solved_or_nan(np.transpose(slopes), np.ravel(dot_bar))
        first = -solved_or_nan(np.transpose(slopes), np.ravel(y_bar) + np.transpose(bent) @ second)
        seeds = tuple([like(np.reshape(one, np.shape(value)), value) for one in (first, second)])
        f_bar, f_dot_bar, _, _, args_bar, args_dot_bar = pulled(seeds)
        return f_bar, f_dot_bar, None, args_bar, args_dot_bar

    return (y, y_dot), back


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


def stationary_at(f: Callable[..., Any], x: Any, args: Any) -> Any:
    """The same as `root_at` of what is itself a gradient, whose tangent is left to reverse mode."""
    return start(x)


def _stationary_at(f: Callable[..., Any], x: Any, args: Any) -> Any:
    return _root_at(f, x, args)


def unsolved_at(f: Callable[..., Any], x: Any, args: Any) -> Any:
    """The point `x`, where a solver has stopped without a solution: it depends on what the equations depend
    on in a way that has no derivative."""
    return start(x)


def _unsolved_at(f: Callable[..., Any], x: Any, args: Any) -> Any:
    y = unsolved_at(f, x, args)
    value, pulled = pullback(equations_at, f, y, args)

    def back(y_bar: Any) -> Any:
        f_bar, _, args_bar = pulled(unknown_cotangent(y_bar, value, NOT_CONVERGED))
        return f_bar, None, args_bar

    return y, back


NOT_CONVERGED = "the derivative of what was found: the solver has not converged"


def unsolved_at_tangent(f: Callable[..., Any], f_dot: Any, x: Any, args: Any, args_dot: Any) -> Any:
    """Its tangent is left to reverse mode, which says why there is none."""
    raise CannotPush


def roots_at(f: Callable[..., Any], x: Any, args: Any) -> Any:
    """The same for an array of points, of which each is a root of its own entry of `f(x, *args)`."""
    return start(x)


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


def roots_at_tangent(f: Callable[..., Any], f_dot: Any, x: Any, args: Any, args_dot: Any) -> Any:
    """The same of one number and its tangent; that of several is left to reverse mode."""
    check_alone(x)
    return root_at_tangent(f, f_dot, x, args, args_dot)


def _roots_at_tangent(f: Callable[..., Any], f_dot: Any, x: Any, args: Any, args_dot: Any) -> Any:
    check_alone(x)
    return _root_at_tangent(f, f_dot, x, args, args_dot)


def check_alone(x: Any) -> None:
    """Leave it to reverse mode to tell how each of several roots moves."""
    if np.ndim(x):
        raise CannotPush


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


custom.add(custom.made(root_at_tangent, _root_at_tangent, "root_at_tangent", keeps="nothing"))
custom.add(
    custom.made(
        root_at,
        _root_at,
        "root_at",
        keeps="nothing",
        pushed=root_at_tangent,
        moving=frozenset({"f", "args"}),
    )
)
custom.add(
    custom.made(
        value_at,
        _value_at,
        "value_at",
        keeps="nothing",
        pushed=value_at_tangent,
        moving=frozenset({"f", "x", "args"}),
    )
)
custom.add(
    custom.made(
        stationary_at,
        _stationary_at,
        "stationary_at",
        keeps="nothing",
        pushed=unsolved_at_tangent,
        moving=frozenset({"f", "args"}),
    )
)
custom.add(
    custom.made(
        unsolved_at,
        _unsolved_at,
        "unsolved_at",
        keeps="nothing",
        pushed=unsolved_at_tangent,
        moving=frozenset({"f", "args"}),
    )
)
custom.add(custom.made(roots_at_tangent, _roots_at_tangent, "roots_at_tangent", keeps="nothing"))
custom.add(
    custom.made(
        roots_at,
        _roots_at,
        "roots_at",
        keeps="nothing",
        pushed=roots_at_tangent,
        moving=frozenset({"f", "args"}),
    )
)
non_differentiable(check_alone, check_count, check_solved, kind="none")
non_differentiable(unit_seeds, ones_like, kind="unknown")
