"""Minima that `scipy.optimize` finds, as functions of what is minimized.

At a minimum the gradient is zero, by the variables that lie on no bound; those on one follow the bound.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import scipy.optimize as so

from zygpy.rules.declare import non_differentiable, stands_for
from zygpy.runtime.solver_reports import reported_names, slope_told, told
from zygpy.solvers.constraints import barrier_of, constrained_at
from zygpy.solvers.flat import flat_at, slope_at
from zygpy.solvers.implicit import root_at, unsolved_at, value_at
from zygpy.solvers.limits import first_of, functions_of, limits_of
from zygpy.solvers.reports import (
    as_arguments,
    carried,
    check_absent,
    found_report,
    spread_arguments,
    with_parts,
    with_reported,
    with_solution,
)
from zygpy.solvers.roots import without_report
from zygpy.solvers.squares import least_at


def second_of(x: Any, fun: Any, *args: Any) -> Any:
    """The gradient, of a function that gives it behind its value."""
    return fun(x, *args)[1]


def minimize(
    fun: Any,
    x0: Any,
    args: Any = None,
    method: Any = None,
    jac: Any = None,
    hess: Any = None,
    hessp: Any = None,
    bounds: Any = None,
    constraints: Any = None,
    tol: Any = None,
    callback: Any = None,
    options: Any = None,
) -> Any:
    """`scipy.optimize.minimize`."""
    args = as_arguments(args)
    given = (fun, x0, args, method, jac, hess, hessp, bounds, constraints or (), tol, callback, options)
    report = found_report(so.OptimizeResult, least_by, (given, functions_of(constraints or ())), {})
    x = told(report, "x")
    value_of = first_of if gives_slopes(jac) else fun
    further = (fun, *args) if gives_slopes(jac) else args
    lower, upper = limits_of(bounds)
    if constraints or not stays_within(method, bounds):
        solution = constrained_at(value_of, x, further, constraints or (), bounds, barrier_of(report))
    elif gives_slopes(jac) or callable(jac):
        equation = second_of if gives_slopes(jac) else jac
        solution = settled(equation, x, further, on_bounds(x, slope_told(report), lower, upper), lower, upper)
    else:
        solution = settled_flat(fun, x, args, on_bounds(x, slope_told(report), lower, upper), lower, upper)
    value = value_at(value_of, solution, further)
    if not has_settled(report, method):
        solution = unsolved_at(slope_at, x, (value_of, *further))
    parts = (carried(told(report, "x"), solution), carried(told(report, "fun"), value))
    return with_parts(report, ("x", "fun"), reported_names(report), parts)


def gives_slopes(jac: Any) -> bool:
    """Whether what is given in place of a gradient says that the function itself gives it."""
    return jac is not None and not callable(jac) and not isinstance(jac, str) and bool(jac)


def least_by(given: Any, functions: Any) -> Any:
    """The report of `minimize`."""
    return so.minimize(*given)


PROJECTING = ("l-bfgs-b", "tnc", "slsqp")
"""Methods that put variables exactly on bounds."""


def stays_within(method: Any, bounds: Any) -> bool:
    """Whether it can be told which variables lie on bounds."""
    return bounds is None or method is None or str(method).lower() in PROJECTING


def with_all(report: Any, solution: Any, value: Any) -> Any:
    """The report in which the minimum, and the value there, have their gradients."""
    with_reported(report, reported_names(report), solution)
    report.fun = value
    return with_solution(report, solution)


def has_settled(report: Any, method: Any) -> bool:
    """Whether a solver has found a minimum, or could come no nearer."""
    come_no_nearer = method is None or str(method).lower() in LOSING_PRECISION
    return bool(report.success) or (come_no_nearer and report.get("status") == LOST_PRECISION)


LOST_PRECISION = 2
"""What some methods of `minimize` say of a minimum that they could come no nearer to."""

LOSING_PRECISION = (
    *("cg", "bfgs", "l-bfgs-b", "newton-cg", "dogleg"),
    *("trust-ncg", "trust-exact", "trust-krylov"),
)
"""These methods; others say by the same number that they were not allowed to take more steps."""


def on_bounds(x: Any, slope: Any, lower: Any, upper: Any) -> Any:
    """For every variable -1 on the lower bound, 1 on the upper one, else 0; None without bounds."""
    if lower is None:
        return None
    near_lower = np.isfinite(lower) & (x - lower <= NEAR * (1 + np.abs(lower))) & (slope >= 0)
    near_upper = np.isfinite(upper) & (upper - x <= NEAR * (1 + np.abs(upper))) & (slope <= 0)
    return np.where(near_lower, -1, np.where(near_upper, 1, 0))


NEAR = 1e-7
"""How near to a bound, by its size, a variable lies on it."""


def settled(equation: Any, x: Any, args: Any, at: Any, lower: Any, upper: Any) -> Any:
    """The point where an equation holds for all variables but those on bounds."""
    if at is None:
        return root_at(equation, x, args)
    held = np.where(at < 0, lower, np.where(at > 0, upper, x))
    free = places_of(at)
    if len(free) == 0:
        return carried(x, held)
    spread = columns_of(at)
    inner = root_at(free_part, items_at(x, free), (equation, held, free, spread, args))
    return carried(x, between(held, spread, inner))


def settled_flat(fun: Any, x: Any, args: Any, at: Any, lower: Any, upper: Any) -> Any:
    """The point where a function is flat by all variables but those on bounds."""
    if at is None:
        return flat_at(fun, x, None, None, args)
    held = np.where(at < 0, lower, np.where(at > 0, upper, x))
    return carried(x, flat_at(fun, x, held, at == 0, args))


def settled_least(f: Any, x: Any, args: Any, data: Any, spread: bool, at: Any, lower: Any, upper: Any) -> Any:
    """The point where a sum of squares is least by all variables but those on bounds."""
    if at is None:
        return least_at(f, x, None, None, args, data, spread)
    held = np.where(at < 0, lower, np.where(at > 0, upper, x))
    return carried(x, least_at(f, x, held, at == 0, args, data, spread))


def places_of(at: Any) -> Any:
    """Where the variables are that lie on no bound."""
    return np.flatnonzero(at == 0)


def columns_of(at: Any) -> Any:
    """The columns of the unit matrix for these variables.

    >>> columns_of(np.array([1, 0]))
    array([[0.],
           [1.]])
    """
    return np.eye(len(at))[:, at == 0]


def between(held: Any, spread: Any, inner: Any) -> Any:
    """A point with other values of the variables that lie on no bound, which these columns spread."""
    return np.where(np.any(spread, axis=1), np.matmul(spread, inner), held)


def items_at(x: Any, places: Any) -> Any:
    """The items of a point that is as it was found."""
    return x[places]


def free_part(inner: Any, equation: Any, held: Any, free: Any, spread: Any, args: Any) -> Any:
    """The equations for the variables that lie on no bound."""
    return np.asarray(value_at(equation, between(held, spread, inner), args))[free]


def filled(held: Any, free: Any, inner: Any) -> Any:
    """A point with other values of the variables that lie on no bound."""
    point = np.copy(held)
    point[free] = inner
    return point


def minimize_scalar(
    fun: Any,
    bracket: Any = None,
    bounds: Any = None,
    args: Any = None,
    method: Any = None,
    tol: Any = None,
    options: Any = None,
) -> Any:
    """`scipy.optimize.minimize_scalar`."""
    args = as_arguments(args)
    given = (fun, bracket, bounds, args, method, tol, options)
    report = found_report(so.OptimizeResult, so.minimize_scalar, given, {})
    place = end_of(report.x, bounds, options)
    found_at = told(report, "x")
    x = flat_at(fun, found_at, None, None, args) if place is None else carried(found_at, bounds[place])
    if not report.success:
        x = unsolved_at(slope_at, found_at, (fun, *args))
    parts = (carried(told(report, "x"), x), carried(told(report, "fun"), value_at(fun, x, args)))
    return with_parts(report, ("x", "fun"), reported_names(report), parts)


def end_of(x: Any, bounds: Any, options: Any) -> Any:
    """At which of two bounds a minimum lies, which comes near to it only; None for neither."""
    if bounds is None:
        return None
    near = 3 * (options or {}).get("xatol", 1e-5) + 1e-7 * abs(x)
    if abs(x - bounds[0]) < near:
        return 0
    return 1 if abs(bounds[1] - x) < near else None


# Least squares.


def cost_at(x: Any, fun: Any, loss: Any, scale: Any, args: Any) -> Any:
    """What `least_squares` minimizes."""
    squares = residuals_at(x, fun, args) ** 2
    if loss == "linear":
        return 0.5 * np.sum(squares)
    z = squares / scale**2
    if loss == "soft_l1":
        rho = 2 * (np.sqrt(1 + z) - 1)
    elif loss == "huber":
        rho = np.where(z <= 1, z, 2 * np.sqrt(np.where(z <= 1, 1.0, z)) - 1)
    elif loss == "cauchy":
        rho = np.log1p(z)
    else:
        rho = np.arctan(z)
    return 0.5 * scale**2 * np.sum(rho)


def residuals_at(x: Any, fun: Any, args: Any) -> Any:
    """The residuals as a vector."""
    return np.ravel(value_at(fun, x, args))


def least_squares(
    fun: Any,
    x0: Any,
    jac: Any = "2-point",
    bounds: Any = None,
    method: Any = "trf",
    ftol: Any = 1e-8,
    xtol: Any = 1e-8,
    gtol: Any = 1e-8,
    x_scale: Any = None,
    loss: Any = "linear",
    f_scale: Any = 1.0,
    diff_step: Any = None,
    tr_solver: Any = None,
    tr_options: Any = None,
    jac_sparsity: Any = None,
    max_nfev: Any = None,
    verbose: Any = 0,
    args: Any = None,
    *,
    callback: Any = None,
    workers: Any = None,
) -> Any:
    """`scipy.optimize.least_squares`."""
    options = {
        "jac": jac, "method": method, "ftol": ftol, "xtol": xtol, "gtol": gtol, "x_scale": x_scale,
        "loss": loss, "f_scale": f_scale, "diff_step": diff_step, "tr_solver": tr_solver,
        "tr_options": tr_options, "jac_sparsity": jac_sparsity, "max_nfev": max_nfev, "verbose": verbose,
        "args": spread_arguments(args), "callback": callback, "workers": workers, "bounds": bounds,
    }  # fmt: skip
    return squares_by(fun, fun, x0, options)


def least_squares_by_name(
    fun: Any,
    x0: Any,
    jac: Any = "2-point",
    bounds: Any = None,
    method: Any = "trf",
    ftol: Any = 1e-8,
    xtol: Any = 1e-8,
    gtol: Any = 1e-8,
    x_scale: Any = None,
    loss: Any = "linear",
    f_scale: Any = 1.0,
    diff_step: Any = None,
    tr_solver: Any = None,
    tr_options: Any = None,
    jac_sparsity: Any = None,
    max_nfev: Any = None,
    verbose: Any = 0,
    args: Any = None,
    kwargs: Any = None,
    callback: Any = None,
    workers: Any = None,
) -> Any:
    """The same of a function that is given arguments by name."""
    options = {
        "jac": jac, "method": method, "ftol": ftol, "xtol": xtol, "gtol": gtol, "x_scale": x_scale,
        "loss": loss, "f_scale": f_scale, "diff_step": diff_step, "tr_solver": tr_solver,
        "tr_options": tr_options, "jac_sparsity": jac_sparsity, "max_nfev": max_nfev, "verbose": verbose,
        "args": spread_arguments(args), "kwargs": kwargs, "callback": callback, "workers": workers,
        "bounds": bounds,
    }  # fmt: skip
    return squares_by(fun, functools.partial(fun, **(kwargs or {})), x0, options)


def squares_by(fun: Any, named: Any, x0: Any, options: Any) -> Any:
    """The report of `least_squares`; `named` is the function with what it is given by name."""
    loss, args, bounds = options["loss"], options["args"], options["bounds"]
    check_absent("optimize.least_squares", "loss", isinstance(loss, str), "name one of the losses")
    report = found_report(so.OptimizeResult, squares_found, (fun, x0, options), {})
    x = told(report, "x")
    what = (cost_at, named, loss, options["f_scale"], args)
    lower, upper = sides_of(bounds, x)
    at = on_sides(report, lower, upper)
    if loss == "linear":
        solution = settled_least(named, x, args, None, False, at, lower, upper)
    else:
        solution = settled_flat(cost_at, x, what[1:], at, lower, upper)
    if not report.success:
        solution = unsolved_at(slope_at, x, what)
    cost = carried(told(report, "cost"), cost_at(solution, *what[1:]))
    value = carried(told(report, "fun"), residuals_at(solution, named, args))
    parts = (carried(told(report, "x"), solution), value, cost)
    return with_parts(report, ("x", "fun", "cost"), reported_names(report), parts)


def squares_found(fun: Any, x0: Any, options: Any) -> Any:
    """What `least_squares` finds, with those of the options that are given."""
    return so.least_squares(fun, x0, **{key: one for key, one in options.items() if one is not None})


def sides_of(bounds: Any, x: Any) -> Any:
    """The lower and the upper bounds of `least_squares`, as arrays; None where there are none."""
    if bounds is None:
        return None, None
    if isinstance(bounds, so.Bounds):
        return bounds.lb + np.zeros_like(x), bounds.ub + np.zeros_like(x)
    return bounds[0] + np.zeros_like(x), bounds[1] + np.zeros_like(x)


def on_sides(report: Any, lower: Any, upper: Any) -> Any:
    """For every variable -1 on the lower bound, 1 on the upper one, else 0; None without bounds.

    Methods that stay inside come near to a bound only, where the gradient points beyond it.
    """
    if lower is None:
        return None
    x, slope, sizes = report.x, report.grad, np.linalg.norm(report.jac, axis=0)
    steep = np.abs(slope) > STEEP * sizes * np.linalg.norm(report.fun)
    near_lower = np.isfinite(lower) & (x - lower <= CLOSE * (1 + np.abs(lower))) & steep & (slope > 0)
    near_upper = np.isfinite(upper) & (upper - x <= CLOSE * (1 + np.abs(upper))) & steep & (slope < 0)
    near = np.where(near_lower, -1, np.where(near_upper, 1, 0))
    return np.where(near == 0, np.asarray(report.active_mask), near)


STEEP, CLOSE = 1e-6, 1e-3
"""How large the cosine of the residuals and a column of the Jacobian has to be for a bound to hold a
variable, and how near to the bound that variable is then, by its size."""

stands_for(so.minimize, minimize)
stands_for(so.minimize_scalar, minimize_scalar)
stands_for(
    so.least_squares,
    least_squares,
    choose=without_report(least_squares, least_squares_by_name, 17, "kwargs"),
)

non_differentiable(so.linear_sum_assignment, kind="unknown")
non_differentiable(places_of, items_at, columns_of, kind="numbers")
non_differentiable(squares_found, on_bounds, on_sides, end_of, kind="unknown")
non_differentiable(has_settled, stays_within, gives_slopes, kind="bool")
