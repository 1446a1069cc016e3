"""Solvers of `scipy.optimize` that are called by the name of a method: the older ones, and those that search
everywhere. Their solutions have the gradients of what `minimize`, `least_squares` and `root` find."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.optimize as so

from zygpy.rules.declare import non_differentiable, stands_for
from zygpy.runtime.separate import separate
from zygpy.solvers.implicit import root_at, value_at
from zygpy.solvers.minima import cost_at, limits_of, on_bounds, settled, slope_at, with_all
from zygpy.solvers.reports import as_arguments, carried, check_absent, found, reported, with_reported
from zygpy.solvers.roots import solved


def minimum_by(solver: Any, func: Any, x0: Any, args: Any, rest: Any, options: Any) -> Any:
    """The minimum that an older function finds, which gives it alone."""
    args = as_arguments(args)
    x = found(solver, (func, x0, *rest), options | {"args": args})
    check_absent(f"optimize.{solver.__name__}", "full_output", is_alone(x), "use 'minimize'")
    return root_at(slope_at, separate(x), (func, *args))


def is_alone(x: Any) -> bool:
    """Whether a solver has given the solution and nothing else."""
    return isinstance(x, np.ndarray)


def fmin(func: Any, x0: Any, args: Any = None, **options: Any) -> Any:
    """`scipy.optimize.fmin`."""
    return minimum_by(so.fmin, func, x0, args, (), options)


def fmin_powell(func: Any, x0: Any, args: Any = None, **options: Any) -> Any:
    """`scipy.optimize.fmin_powell`."""
    return minimum_by(so.fmin_powell, func, x0, args, (), options)


def fmin_cg(f: Any, x0: Any, fprime: Any = None, args: Any = None, **options: Any) -> Any:
    """`scipy.optimize.fmin_cg`."""
    return minimum_by(so.fmin_cg, f, x0, args, (fprime,), options)


def fmin_bfgs(f: Any, x0: Any, fprime: Any = None, args: Any = None, **options: Any) -> Any:
    """`scipy.optimize.fmin_bfgs`."""
    return minimum_by(so.fmin_bfgs, f, x0, args, (fprime,), options)


def leastsq(
    func: Any,
    x0: Any,
    args: Any = None,
    Dfun: Any = None,  # noqa: N803
    full_output: Any = False,
    **options: Any,
) -> Any:
    """`scipy.optimize.leastsq`."""
    check_absent("optimize.leastsq", "full_output", not full_output, "use 'least_squares'")
    args = as_arguments(args)
    x, flag = found(so.leastsq, (func, x0, args, Dfun, full_output), options)
    what = (cost_at, func, "linear", 1.0, args)
    place = separate(x)
    solution = settled(slope_at, place, what, None, None, None)
    return solution if flag in (1, 2, 3, 4) else reported(place, value_at(slope_at, place, what)), flag


# Those that search everywhere.


def least_anywhere(solver: Any, func: Any, bounds: Any, args: Any, options: Any) -> Any:
    """The report of a solver that seeks the least of all minima within bounds."""
    args = as_arguments(args)
    report = found(solver, (func, bounds), options | {"args": args})
    x = separate(report.x)
    lower, upper = limits_of(bounds)
    at = on_bounds(report, lower, upper)
    solution = settled(slope_at, x, (func, *args), at, lower, upper)
    if not report.success:
        solution = reported(x, value_at(slope_at, x, (func, *args)))
    with_reported(report, other_minima(report), solution)
    return with_all(report, carried(report.x, solution), carried(report.fun, func(solution, *args)))


def other_minima(report: Any) -> list[str]:
    """The fields of a report in which all minima are, or all points of the last turn."""
    return [name for name in ("xl", "funl", "population", "population_energies") if name in report]


def differential_evolution(func: Any, bounds: Any, args: Any = None, **options: Any) -> Any:
    """`scipy.optimize.differential_evolution` without constraints and whole numbers."""
    plain = not options.get("constraints") and options.get("integrality") is None
    check_absent("optimize.differential_evolution", "constraints", plain, "substitute")
    return least_anywhere(so.differential_evolution, func, bounds, args, options)


def dual_annealing(func: Any, bounds: Any, args: Any = None, **options: Any) -> Any:
    """`scipy.optimize.dual_annealing`."""
    return least_anywhere(so.dual_annealing, func, bounds, args, options)


def shgo(func: Any, bounds: Any, args: Any = None, constraints: Any = None, **options: Any) -> Any:
    """`scipy.optimize.shgo` without constraints; the other minima that it reports have no gradients."""
    check_absent("optimize.shgo", "constraints", not constraints, "substitute")
    return least_anywhere(so.shgo, func, bounds, args, options | {"constraints": constraints or ()})


def basinhopping(func: Any, x0: Any, minimizer_kwargs: Any = None, **options: Any) -> Any:
    """`scipy.optimize.basinhopping`, whose minimizer is given no bounds and constraints."""
    given = minimizer_kwargs or {}
    plain = given.get("bounds") is None and not given.get("constraints") and not given.get("jac")
    check_absent(
        "optimize.basinhopping", "minimizer_kwargs", plain, "give 'args', 'method', 'tol', 'options'"
    )
    args = as_arguments(given.get("args"))
    report = found(so.basinhopping, (func, x0), options | {"minimizer_kwargs": minimizer_kwargs})
    x = separate(report.x)
    solution = carried(report.x, root_at(slope_at, x, (func, *args)))
    inner = report.lowest_optimization_result
    with_all(inner, carried(inner.x, solution), carried(inner.fun, func(solution, *args)))
    return with_all(report, solution, carried(report.fun, func(solution, *args)))


# Roots of several unknowns.


def krylov(F: Any, xin: Any, **options: Any) -> Any:  # noqa: N803
    """`scipy.optimize.newton_krylov`."""
    return zero_by(so.newton_krylov, F, xin, options)


def anderson(F: Any, xin: Any, **options: Any) -> Any:  # noqa: N803
    """`scipy.optimize.anderson`."""
    return zero_by(so.anderson, F, xin, options)


def broyden1(F: Any, xin: Any, **options: Any) -> Any:  # noqa: N803
    """`scipy.optimize.broyden1`."""
    return zero_by(so.broyden1, F, xin, options)


def broyden2(F: Any, xin: Any, **options: Any) -> Any:  # noqa: N803
    """`scipy.optimize.broyden2`."""
    return zero_by(so.broyden2, F, xin, options)


def zero_by(solver: Any, function: Any, start: Any, options: Any) -> Any:
    """Where a function of several unknowns is zero."""
    return solved(function, separate(found(solver, (function, start), options)), (), True)


for _function, _program in (
    (so.fmin, fmin),
    (so.fmin_powell, fmin_powell),
    (so.fmin_cg, fmin_cg),
    (so.fmin_bfgs, fmin_bfgs),
    (so.leastsq, leastsq),
    (so.differential_evolution, differential_evolution),
    (so.dual_annealing, dual_annealing),
    (so.shgo, shgo),
    (so.basinhopping, basinhopping),
    (so.newton_krylov, krylov),
    (so.anderson, anderson),
    (so.broyden1, broyden1),
    (so.broyden2, broyden2),
):
    stands_for(_function, _program)

non_differentiable(is_alone, kind="bool")
non_differentiable(other_minima, kind="unknown", call="y = other_minima(report)")
