"""Roots that `scipy.optimize` finds, as functions of what the equation depends on.

They do not depend on where the search begins, in which interval, or how precise the result has to be.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.optimize as so

from zygpy.rules.declare import Choice, non_differentiable, stands_for
from zygpy.runtime.solver_reports import names_beside, start, told
from zygpy.solvers.implicit import root_at, roots_at, unsolved_at
from zygpy.solvers.reports import (
    as_arguments,
    carried,
    carried_vector,
    found,
    found_report,
    reported,
    spread_arguments,
    with_parts,
)

# Of one unknown.

PRECISION = 4 * float(np.finfo(float).eps)
"""What the solvers that search in an interval take for `rtol`."""


def bracketed(
    solver: Any, f: Any, a: Any, b: Any, args: Any, xtol: Any, rtol: Any, maxiter: Any, full: Any, disp: Any
) -> Any:
    """The root in an interval, and the report on it if that is asked for."""
    args = as_arguments(args)
    options = {"xtol": xtol, "rtol": rtol, "maxiter": maxiter, "full_output": True, "disp": disp}
    x, report = found(solver, (f, a, b, args), options)
    x = solved(f, start(x), args, report.converged)
    return (x, with_root(report, x)) if full else x


def with_root(report: Any, x: Any) -> Any:
    """The report in which the root has its gradient."""
    report.root = carried(report.root, x)
    return report


def bracketed_root(solver: Any, *given: Any, **options: Any) -> Any:
    """The report on a root in an interval."""
    return solver(*given, **options)[1]


def brentq_root(
    f: Any,
    a: Any,
    b: Any,
    args: Any = None,
    xtol: Any = 2e-12,
    rtol: Any = PRECISION,
    maxiter: Any = 100,
) -> Any:
    """`scipy.optimize.brentq` that is not asked for a report."""
    args = as_arguments(args)
    options = {"xtol": xtol, "rtol": rtol, "maxiter": maxiter, "full_output": True}
    report = found_report(so.RootResults, bracketed_root, (so.brentq, f, a, b, args), options)
    return solved(f, told(report, "root"), args, report.converged)


def without_report(alone: Any, program: Any, place: int, *further: str) -> Choice:
    """The program for a call that does not ask for a report, by a parameter at this place or behind it."""

    def choose(kinds: Sequence[Any], names: frozenset[str]) -> Any:
        return program if len(kinds) > place or not names.isdisjoint(("full_output", *further)) else alone

    return choose


def brentq(
    f: Any,
    a: Any,
    b: Any,
    args: Any = None,
    xtol: Any = 2e-12,
    rtol: Any = PRECISION,
    maxiter: Any = 100,
    full_output: Any = False,
    disp: Any = True,
) -> Any:
    """`scipy.optimize.brentq`."""
    return bracketed(so.brentq, f, a, b, args, xtol, rtol, maxiter, full_output, disp)


def brenth(
    f: Any,
    a: Any,
    b: Any,
    args: Any = None,
    xtol: Any = 2e-12,
    rtol: Any = PRECISION,
    maxiter: Any = 100,
    full_output: Any = False,
    disp: Any = True,
) -> Any:
    """`scipy.optimize.brenth`."""
    return bracketed(so.brenth, f, a, b, args, xtol, rtol, maxiter, full_output, disp)


def ridder(
    f: Any,
    a: Any,
    b: Any,
    args: Any = None,
    xtol: Any = 2e-12,
    rtol: Any = PRECISION,
    maxiter: Any = 100,
    full_output: Any = False,
    disp: Any = True,
) -> Any:
    """`scipy.optimize.ridder`."""
    return bracketed(so.ridder, f, a, b, args, xtol, rtol, maxiter, full_output, disp)


def bisect(
    f: Any,
    a: Any,
    b: Any,
    args: Any = None,
    xtol: Any = 2e-12,
    rtol: Any = PRECISION,
    maxiter: Any = 100,
    full_output: Any = False,
    disp: Any = True,
) -> Any:
    """`scipy.optimize.bisect`."""
    return bracketed(so.bisect, f, a, b, args, xtol, rtol, maxiter, full_output, disp)


def toms748(
    f: Any,
    a: Any,
    b: Any,
    args: Any = None,
    k: Any = 1,
    xtol: Any = 2e-12,
    rtol: Any = PRECISION,
    maxiter: Any = 100,
    full_output: Any = False,
    disp: Any = True,
) -> Any:
    """`scipy.optimize.toms748`."""
    return bracketed(
        functools.partial(so.toms748, k=k), f, a, b, args, xtol, rtol, maxiter, full_output, disp
    )


def newton(
    func: Any,
    x0: Any,
    fprime: Any = None,
    args: Any = None,
    tol: Any = 1.48e-8,
    maxiter: Any = 50,
    fprime2: Any = None,
    x1: Any = None,
    rtol: Any = 0.0,
    full_output: Any = False,
    disp: Any = True,
) -> Any:
    """`scipy.optimize.newton`, of several numbers for each by itself."""
    args = spread_arguments(args)
    given = (func, x0, fprime, args, tol, maxiter, fprime2, x1, rtol, True, disp)
    x, converged, rest = found(newton_found, given, {})
    x = roots_at(func, x, args) if np.all(converged) else unsolved_at(func, x, args)
    if not full_output:
        return x
    return (x, converged, rest) if np.ndim(converged) else (x, with_root(rest, x))


def newton_root(
    func: Any,
    x0: Any,
    fprime: Any = None,
    args: Any = None,
    tol: Any = 1.48e-8,
    maxiter: Any = 50,
    fprime2: Any = None,
    x1: Any = None,
    rtol: Any = 0.0,
) -> Any:
    """`scipy.optimize.newton` that is not asked for a report."""
    args = spread_arguments(args)
    given = (func, x0, fprime, args, tol, maxiter, fprime2, x1, rtol, True)
    x, converged, _ = found(newton_found, given, {})
    return carried(x, roots_at(func, x, args) if np.all(converged) else unsolved_at(func, x, args))


def newton_found(func: Any, x0: Any, *rest: Any) -> Any:
    """The root, whether it is one, and what `newton` gives beside."""
    given = so.newton(func, x0, *rest)
    return given if len(given) == 3 else (given[0], given[1].converged, given[1])


def root_scalar(
    f: Any,
    args: Any = None,
    method: Any = None,
    bracket: Any = None,
    fprime: Any = None,
    fprime2: Any = None,
    x0: Any = None,
    x1: Any = None,
    xtol: Any = None,
    rtol: Any = None,
    maxiter: Any = None,
    options: Any = None,
) -> Any:
    """`scipy.optimize.root_scalar`."""
    args = as_arguments(args)
    given = (f, args, method, bracket, fprime, fprime2, x0, x1, xtol, rtol, maxiter, options)
    report = found_report(so.RootResults, so.root_scalar, given, {})
    if gives_slopes(fprime) or gives_slopes(fprime2):
        x = solved(first_of, told(report, "root"), (f, *args), report.converged)
    else:
        x = solved(f, told(report, "root"), args, report.converged)
    return with_parts(report, ("root",), (), (x,))


def solved(f: Any, x: Any, args: Any, converged: Any) -> Any:
    """The root of equations, where it is one."""
    return root_at(f, x, args) if converged else unsolved_at(f, x, args)


def first_of(x: Any, f: Any, *args: Any) -> Any:
    """The value of a function that gives its derivatives along with it."""
    return f(x, *args)[0]


def gives_slopes(slope: Any) -> bool:
    """Whether what is given in place of a derivative says that the function itself gives it."""
    return bool(slope) and not callable(slope)


# Of several unknowns.


def fsolve_root(
    func: Any,
    x0: Any,
    args: Any = None,
    fprime: Any = None,
    xtol: Any = 1.49012e-8,
    maxfev: Any = 0,
) -> Any:
    """`scipy.optimize.fsolve` that is not asked for more than the root."""
    args = as_arguments(args)
    rest = (fprime, 0, xtol, maxfev, None, None, 100, None)
    x, _, flag, _ = found(root_found, (func, x0, args, *rest), {"tells": True})
    return carried_vector(x, solved(func, start(x), args, flag == 1))


def fsolve(
    func: Any,
    x0: Any,
    args: Any = None,
    fprime: Any = None,
    full_output: Any = 0,
    col_deriv: Any = 0,
    xtol: Any = 1.49012e-8,
    maxfev: Any = 0,
    band: Any = None,
    epsfcn: Any = None,
    factor: Any = 100,
    diag: Any = None,
) -> Any:
    """`scipy.optimize.fsolve`."""
    args = as_arguments(args)
    rest = (fprime, col_deriv, xtol, maxfev, band, epsfcn, factor, diag)
    given = found(root_found, (func, x0, args, *rest), {"tells": not full_output})
    x, details, flag, message = given
    solution = carried_vector(x, solved(func, start(x), args, flag == 1))
    if not full_output:
        return solution
    names = ("fjac", "qtf", "r") if flag == 1 else ("fjac", "fvec", "qtf", "r")
    return solution, with_details(details, names, solution), flag, message


def root_found(func: Any, x0: Any, args: Any, fprime: Any, *rest: Any, tells: bool) -> Any:
    """What `fsolve` gives with `full_output=True`; it warns as it does without, where that is asked for."""
    given = so.fsolve(func, x0, args, fprime, True, *rest)
    if tells and given[2] != 1:
        warnings.warn(given[3], RuntimeWarning, stacklevel=2)
    return given


def with_details(details: Any, names: Any, solution: Any) -> Any:
    """What is told beside a solution, which depends on it in a way that has no derivative."""
    for name in names:
        if name in details:
            details[name] = reported(details[name], solution)
    return details


def root(
    fun: Any,
    x0: Any,
    args: Any = None,
    method: Any = "hybr",
    jac: Any = None,
    tol: Any = None,
    callback: Any = None,
    options: Any = None,
) -> Any:
    """`scipy.optimize.root`."""
    args = as_arguments(args)
    given = (fun, x0, args, method, jac, tol, callback, options)
    report = found_report(so.OptimizeResult, so.root, given, {})
    if gives_slopes(jac):
        x = solved(first_of, told(report, "x"), (fun, *args), report.success)
    else:
        x = solved(fun, told(report, "x"), args, report.success)
    return with_parts(report, ("x",), names_beside(report), (carried(told(report, "x"), x),))


def fixed_point(
    func: Any, x0: Any, args: Any = None, xtol: Any = 1e-8, maxiter: Any = 500, method: Any = "del2"
) -> Any:
    """`scipy.optimize.fixed_point`, for each of several numbers together."""
    args = spread_arguments(args)
    x = found(so.fixed_point, (func, x0, args, xtol, maxiter, method), {})
    return root_at(moved_by, x, (func, *args))


def moved_by(x: Any, func: Any, *args: Any) -> Any:
    """How far a function moves a point."""
    return func(x, *args) - x


for _function, _program in (
    (so.brentq, brentq),
    (so.brenth, brenth),
    (so.ridder, ridder),
    (so.bisect, bisect),
    (so.toms748, toms748),
    (so.newton, newton),
    (so.root_scalar, root_scalar),
    (so.fsolve, fsolve),
    (so.root, root),
    (so.fixed_point, fixed_point),
):
    stands_for(_function, _program)

stands_for(so.brentq, brentq, choose=without_report(brentq_root, brentq, 7, "disp"))
stands_for(
    so.fsolve,
    fsolve,
    choose=without_report(fsolve_root, fsolve, 4, "col_deriv", "band", "epsfcn", "factor", "diag"),
)

stands_for(so.newton, newton, choose=without_report(newton_root, newton, 9, "disp"))

non_differentiable(gives_slopes, kind="bool")
non_differentiable(bracketed_root, newton_found, root_found, kind="unknown")
