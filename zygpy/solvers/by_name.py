"""Solvers of `scipy.optimize` that are called by the name of a method: the older ones, and those that search
everywhere. Their solutions have the gradients of what `minimize`, `least_squares` and `root` find."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import scipy.optimize as so

from zygpy.rules.declare import non_differentiable, stands_for
from zygpy.runtime.separate import separate
from zygpy.runtime.solver_reports import slope_told, start, told
from zygpy.solvers.constraints import constrained_at
from zygpy.solvers.flat import flat_at, slope_at
from zygpy.solvers.implicit import value_at
from zygpy.solvers.limits import first_of, functions_of, limits_of
from zygpy.solvers.minima import (
    cost_at,
    end_of,
    on_bounds,
    settled_flat,
    with_all,
)
from zygpy.solvers.reports import (
    as_arguments,
    carried,
    carried_vector,
    check_absent,
    found,
    reported,
    spread_arguments,
    with_reported,
)
from zygpy.solvers.roots import solved, with_details, without_report
from zygpy.solvers.squares import least_at


def minimum_by(solver: Any, func: Any, x0: Any, args: Any, rest: Any, options: Any) -> Any:
    """The minimum that an older function finds, and what it tells beside if that is asked for."""
    name = f"optimize.{solver.__name__}"
    check_absent(name, "retall", not options.get("retall"), "use 'callback'")
    args = as_arguments(args)
    given = found(solver, (func, x0, *rest), options | {"args": args, "full_output": True})
    x = separate(given[0])
    if given[-1] in ENDS[solver.__name__]:
        solution = flat_at(func, x, None, None, args)
    else:
        solution = reported(x, value_at(slope_at, x, (func, *args)))
    if not options.get("full_output"):
        return solution
    return (
        solution,
        carried(given[1], value_at(func, solution, args)),
        *[reported(one, solution) for one in given[2:]],
    )


ENDS = {"fmin": (0,), "fmin_powell": (0,), "fmin_cg": (0, 2), "fmin_bfgs": (0, 2), "fmin_ncg": (0, 2)}
"""What the older functions say where they have found a minimum, or could come no nearer."""


def fmin(func: Any, x0: Any, args: Any = None, xtol: Any = 1e-4, ftol: Any = 1e-4, **options: Any) -> Any:
    """`scipy.optimize.fmin`."""
    return minimum_by(so.fmin, func, x0, args, (), options | {"xtol": xtol, "ftol": ftol})


def fmin_powell(
    func: Any, x0: Any, args: Any = None, xtol: Any = 1e-4, ftol: Any = 1e-4, **options: Any
) -> Any:
    """`scipy.optimize.fmin_powell`."""
    return minimum_by(so.fmin_powell, func, x0, args, (), options | {"xtol": xtol, "ftol": ftol})


def fmin_cg(f: Any, x0: Any, fprime: Any = None, args: Any = None, gtol: Any = 1e-5, **options: Any) -> Any:
    """`scipy.optimize.fmin_cg`."""
    return minimum_by(so.fmin_cg, f, x0, args, (fprime,), options | {"gtol": gtol})


def fmin_bfgs(f: Any, x0: Any, fprime: Any = None, args: Any = None, gtol: Any = 1e-5, **options: Any) -> Any:
    """`scipy.optimize.fmin_bfgs`."""
    return minimum_by(so.fmin_bfgs, f, x0, args, (fprime,), options | {"gtol": gtol})


def fmin_ncg(
    f: Any, x0: Any, fprime: Any, fhess_p: Any = None, fhess: Any = None, args: Any = None, **options: Any
) -> Any:
    """`scipy.optimize.fmin_ncg`."""
    return minimum_by(so.fmin_ncg, f, x0, args, (fprime, fhess_p, fhess), options)


def fmin_l_bfgs_b(
    func: Any,
    x0: Any,
    fprime: Any = None,
    args: Any = None,
    approx_grad: Any = 0,
    bounds: Any = None,
    **options: Any,
) -> Any:
    """`scipy.optimize.fmin_l_bfgs_b`."""
    args = as_arguments(args)
    x, least, details = found(so.fmin_l_bfgs_b, (func, x0, fprime, args, approx_grad, bounds), options)
    x = separate(x)
    lower, upper = limits_of(bounds)
    at = on_bounds(x, told(details, "grad"), lower, upper)
    gives_both = fprime is None and not approx_grad
    value = first_of if gives_both else func
    further = (func, *args) if gives_both else args
    solution = settled_flat(value, x, further, at, lower, upper)
    if details["warnflag"] == 1:
        solution = reported(x, value_at(slope_at, x, (value, *further)))
    details["grad"] = reported(details["grad"], solution)
    return solution, carried(least, value_at(value, solution, further)), details


# Minima of functions of one variable.


def brent(
    func: Any,
    args: Any = None,
    brack: Any = None,
    tol: Any = 1.48e-8,
    full_output: Any = 0,
    maxiter: Any = 500,
) -> Any:
    """`scipy.optimize.brent`."""
    args = as_arguments(args)
    given = found(so.brent, (func, args, brack, tol, True, maxiter), {})
    x = flat_at(func, separate(given[0]), None, None, args)
    return told_with(given, x, func, args) if full_output else x


def golden(
    func: Any,
    args: Any = None,
    brack: Any = None,
    tol: Any = float(np.sqrt(np.finfo(float).eps)),  # noqa: B008
    full_output: Any = 0,
    maxiter: Any = 5000,
) -> Any:
    """`scipy.optimize.golden`."""
    args = as_arguments(args)
    given = found(so.golden, (func, args, brack, tol, True, maxiter), {})
    x = flat_at(func, separate(given[0]), None, None, args)
    return told_with(given, x, func, args) if full_output else x


def fminbound(
    func: Any,
    x1: Any,
    x2: Any,
    args: Any = None,
    xtol: Any = 1e-5,
    maxfun: Any = 500,
    full_output: Any = 0,
    disp: Any = 1,
) -> Any:
    """`scipy.optimize.fminbound`."""
    args = as_arguments(args)
    given = found(so.fminbound, (func, x1, x2, args, xtol, maxfun, True, disp), {})
    place = end_of(given[0], (x1, x2), {"xatol": xtol})
    found_at = separate(given[0])
    x = carried(found_at, (x1, x2)[place]) if place is not None else flat_at(func, found_at, None, None, args)
    if given[2] != 0:
        x = reported(found_at, value_at(slope_at, found_at, (func, *args)))
    return told_with(given, x, func, args) if full_output else x


def told_with(given: Any, x: Any, func: Any, args: Any) -> Any:
    """What a solver tells in full, of which the place of the minimum and the value have gradients."""
    return x, carried(given[1], value_at(func, x, args)), *given[2:]


# Least squares.


def leastsq(
    func: Any,
    x0: Any,
    args: Any = None,
    Dfun: Any = None,  # noqa: N803
    full_output: Any = False,
    **options: Any,
) -> Any:
    """`scipy.optimize.leastsq`."""
    args = as_arguments(args)
    given = found(parameters_found, (func, x0, args, Dfun), {"options": options, "tells": not full_output})
    x, covariance, details, message, flag = given
    solution = parameters_at(func, x, args, flag)
    if not full_output:
        return solution, flag
    with_details(details, ("fjac", "qtf"), solution)
    details["fvec"] = carried(details["fvec"], func(solution, *args))
    return solution, reported(covariance, solution), details, message, flag


def leastsq_parameters(
    func: Any,
    x0: Any,
    args: Any = None,
    Dfun: Any = None,  # noqa: N803
    **options: Any,
) -> Any:
    """`scipy.optimize.leastsq` that is not asked for more than the parameters."""
    args = as_arguments(args)
    given = found(parameters_found, (func, x0, args, Dfun), {"options": options, "tells": True})
    x, _, _, _, flag = given
    return parameters_at(func, x, args, flag), flag


def parameters_at(func: Any, x: Any, args: Any, flag: Any) -> Any:
    """The parameters that were found, as what they depend on determines them."""
    place = start(x)
    if flag in (1, 2, 3, 4):
        return carried_vector(x, least_at(func, place, None, None, args, None, False))
    return reported(place, value_at(slope_at, place, (cost_at, func, "linear", 1.0, args)))


def parameters_found(*given: Any, options: Any, tells: bool) -> Any:
    """What `leastsq` gives with `full_output=True`; it warns as it does without, where that is asked for."""
    full = so.leastsq(*given, full_output=True, **options)
    if tells and full[4] in (5, 6, 7, 8):
        warnings.warn(full[3], RuntimeWarning, stacklevel=2)
    return full


# Those that search everywhere.


def least_anywhere(solver: Any, func: Any, bounds: Any, args: Any, options: Any) -> Any:
    """The report of a solver that seeks the least of all minima within bounds."""
    args = spread_arguments(args)
    constraints = options.get("constraints") or ()
    given = (solver, (func, bounds), options | {"args": args}, functions_of(constraints))
    report = found(anywhere, given, {})
    x = separate(report.x)
    if constraints:
        solution = constrained_at(func, x, args, constraints, bounds, 0.0)
    else:
        lower, upper = limits_of(bounds)
        at = on_bounds(x, slope_told(report), lower, upper)
        solution = settled_flat(func, x, args, at, lower, upper)
    if not report.success:
        solution = reported(x, value_at(slope_at, x, (func, *args)))
    with_reported(report, other_minima(report), solution)
    return with_all(report, carried(report.x, solution), carried(report.fun, value_at(func, solution, args)))


def anywhere(solver: Any, given: Any, options: Any, functions: Any) -> Any:
    """What a solver finds that seeks the least of all minima."""
    return solver(*given, **options)


def other_minima(report: Any) -> list[str]:
    """The fields of a report in which all minima are, or all points of the last turn."""
    return [
        name
        for name in ("xl", "funl", "population", "population_energies", *OF_CONSTRAINTS)
        if name in report
    ]


OF_CONSTRAINTS = ("jac", "constr", "constr_violation", "maxcv")
"""What is told of constraints."""


def differential_evolution(func: Any, bounds: Any, args: Any = None, **options: Any) -> Any:
    """`scipy.optimize.differential_evolution` without whole numbers."""
    check_absent(
        "optimize.differential_evolution",
        "integrality",
        options.get("integrality") is None,
        "round beforehand",
    )
    return least_anywhere(so.differential_evolution, func, bounds, args, options)


def dual_annealing(func: Any, bounds: Any, args: Any = None, **options: Any) -> Any:
    """`scipy.optimize.dual_annealing`."""
    return least_anywhere(so.dual_annealing, func, bounds, args, options)


def shgo(func: Any, bounds: Any, args: Any = None, constraints: Any = None, **options: Any) -> Any:
    """`scipy.optimize.shgo`; the other minima that it reports have no gradients."""
    return least_anywhere(so.shgo, func, bounds, args, options | {"constraints": constraints or ()})


def basinhopping(
    func: Any,
    x0: Any,
    niter: Any = 100,
    T: Any = 1.0,  # noqa: N803
    stepsize: Any = 0.5,
    minimizer_kwargs: Any = None,
    **options: Any,
) -> Any:
    """`scipy.optimize.basinhopping`, whose minimizer is given no bounds and constraints."""
    given = minimizer_kwargs or {}
    plain = given.get("bounds") is None and not given.get("constraints") and not given.get("jac")
    check_absent(
        "optimize.basinhopping", "minimizer_kwargs", plain, "give 'args', 'method', 'tol', 'options'"
    )
    args = as_arguments(given.get("args"))
    report = found(
        so.basinhopping, (func, x0, niter, T, stepsize), options | {"minimizer_kwargs": minimizer_kwargs}
    )
    x = separate(report.x)
    solution = carried(report.x, flat_at(func, x, None, None, args))
    inner = report.lowest_optimization_result
    with_all(inner, carried(inner.x, solution), carried(inner.fun, func(solution, *args)))
    return with_all(report, solution, carried(report.fun, value_at(func, solution, args)))


# Roots of several unknowns.


def krylov(F: Any, xin: Any, *given: Any, **options: Any) -> Any:  # noqa: N803
    """`scipy.optimize.newton_krylov`."""
    return zero_by(so.newton_krylov, F, xin, given, options)


def anderson(F: Any, xin: Any, *given: Any, **options: Any) -> Any:  # noqa: N803
    """`scipy.optimize.anderson`."""
    return zero_by(so.anderson, F, xin, given, options)


def broyden1(F: Any, xin: Any, *given: Any, **options: Any) -> Any:  # noqa: N803
    """`scipy.optimize.broyden1`."""
    return zero_by(so.broyden1, F, xin, given, options)


def broyden2(F: Any, xin: Any, *given: Any, **options: Any) -> Any:  # noqa: N803
    """`scipy.optimize.broyden2`."""
    return zero_by(so.broyden2, F, xin, given, options)


def diagbroyden(F: Any, xin: Any, *given: Any, **options: Any) -> Any:  # noqa: N803
    """`scipy.optimize.diagbroyden`."""
    return zero_by(so.diagbroyden, F, xin, given, options)


def linearmixing(F: Any, xin: Any, *given: Any, **options: Any) -> Any:  # noqa: N803
    """`scipy.optimize.linearmixing`."""
    return zero_by(so.linearmixing, F, xin, given, options)


def excitingmixing(F: Any, xin: Any, *given: Any, **options: Any) -> Any:  # noqa: N803
    """`scipy.optimize.excitingmixing`."""
    return zero_by(so.excitingmixing, F, xin, given, options)


def zero_by(solver: Any, function: Any, start: Any, given: Any, options: Any) -> Any:
    """Where a function of several unknowns is zero."""
    return solved(function, separate(found(solver, (function, start, *given), options)), (), True)


for _function, _program in (
    (so.fmin, fmin),
    (so.fmin_powell, fmin_powell),
    (so.fmin_cg, fmin_cg),
    (so.fmin_bfgs, fmin_bfgs),
    (so.fmin_ncg, fmin_ncg),
    (so.fmin_l_bfgs_b, fmin_l_bfgs_b),
    (so.brent, brent),
    (so.golden, golden),
    (so.fminbound, fminbound),
    (so.leastsq, leastsq),
    (so.differential_evolution, differential_evolution),
    (so.dual_annealing, dual_annealing),
    (so.shgo, shgo),
    (so.basinhopping, basinhopping),
    (so.newton_krylov, krylov),
    (so.anderson, anderson),
    (so.broyden1, broyden1),
    (so.broyden2, broyden2),
    (so.diagbroyden, diagbroyden),
    (so.linearmixing, linearmixing),
    (so.excitingmixing, excitingmixing),
):
    stands_for(_function, _program)

stands_for(so.leastsq, leastsq, choose=without_report(leastsq_parameters, leastsq, 4))

non_differentiable(parameters_found, kind="unknown")
non_differentiable(other_minima, kind="unknown", call="y = other_minima(report)")
