"""Older solvers of `scipy.optimize` that minimize within bounds and constraints."""

from __future__ import annotations

from typing import Any

import scipy.optimize as so

from zygpy.rules.declare import stands_for
from zygpy.runtime.separate import separate
from zygpy.solvers.constraints import constrained_at
from zygpy.solvers.flat import flat_at, slope_at
from zygpy.solvers.implicit import unsolved_at, value_at
from zygpy.solvers.limits import first_of
from zygpy.solvers.reports import as_arguments, carried, found


def fmin_slsqp(
    func: Any,
    x0: Any,
    eqcons: Any = (),
    f_eqcons: Any = None,
    ieqcons: Any = (),
    f_ieqcons: Any = None,
    bounds: Any = (),
    fprime: Any = None,
    fprime_eqcons: Any = None,
    fprime_ieqcons: Any = None,
    args: Any = None,
    **options: Any,
) -> Any:
    """`scipy.optimize.fmin_slsqp`."""
    args = as_arguments(args)
    functions = (eqcons, f_eqcons, ieqcons, f_ieqcons, bounds, fprime, fprime_eqcons, fprime_ieqcons)
    given = found(so.fmin_slsqp, (func, x0, *functions, args), options | {"full_output": True})
    x = separate(given[0])
    constraints = [*of_type("eq", eqcons, f_eqcons, args), *of_type("ineq", ieqcons, f_ieqcons, args)]
    solution = minimum_at(func, x, args, constraints, bounds if len(bounds) > 0 else None)
    if given[3] != 0:
        solution = unsolved_at(slope_at, x, (func, *args))
    if not options.get("full_output"):
        return solution
    return solution, carried(given[1], value_at(func, solution, args)), *given[2:]


def of_type(kind: str, single: Any, together: Any, args: Any) -> Any:
    """Constraints as `minimize` has them: functions of numbers, and one of a vector."""
    functions = [*single] if together is None else [*single, together]
    return [{"type": kind, "fun": one, "args": args} for one in functions]


def minimum_at(fun: Any, x: Any, args: Any, constraints: Any, bounds: Any) -> Any:
    """The minimum, within those constraints and bounds that there are."""
    if bounds is None and len(constraints) == 0:
        return flat_at(fun, x, None, None, args)
    return constrained_at(fun, x, args, constraints, bounds, 0.0)


def fmin_tnc(
    func: Any,
    x0: Any,
    fprime: Any = None,
    args: Any = None,
    approx_grad: Any = 0,
    bounds: Any = None,
    **options: Any,
) -> Any:
    """`scipy.optimize.fmin_tnc`."""
    args = as_arguments(args)
    given = found(so.fmin_tnc, (func, x0, fprime, args, approx_grad, bounds), options)
    x = separate(given[0])
    gives_both = fprime is None and not approx_grad
    value, further = (first_of, (func, *args)) if gives_both else (func, args)
    solution = minimum_at(value, x, further, (), bounds)
    if given[2] not in SETTLED:
        solution = unsolved_at(slope_at, x, (value, *further))
    return solution, *given[1:]


def fmin_cobyla(
    func: Any, x0: Any, cons: Any, args: Any = (), consargs: Any = None, *further: Any, **options: Any
) -> Any:
    """`scipy.optimize.fmin_cobyla`, which does not say whether it has found a minimum: the equations do."""
    given = found(so.fmin_cobyla, (func, x0, cons, args, consargs, *further), options)
    args = as_arguments(args)
    functions = [cons] if callable(cons) else cons
    constraints = of_type("ineq", functions, None, args if consargs is None else consargs)
    return minimum_at(func, separate(given), args, constraints, None)


SETTLED = (0, 1, 2)
"""What `fmin_tnc` says where it has found a minimum."""

stands_for(so.fmin_slsqp, fmin_slsqp)
stands_for(so.fmin_tnc, fmin_tnc)
stands_for(so.fmin_cobyla, fmin_cobyla)
