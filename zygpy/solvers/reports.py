"""What solvers report beside the solution, and what of it has a gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.errors import MissingRuleError
from zygpy.rules.declare import non_differentiable, rule
from zygpy.runtime.separate import separate
from zygpy.solvers.unchanged import unchanged


def found(solver: Any, given: Any, keywords: Any) -> Any:
    """What a solver finds, without gradients."""
    return unchanged(lambda: solver(*given, **keywords), (given, keywords))


def as_arguments(args: Any) -> Any:
    """The further arguments of a user's function, of which one may be given by itself, and none by None."""
    if args is None:
        return ()
    return args if isinstance(args, tuple) else (args,)


def reported(value: Any, solution: Any) -> Any:
    """A number or array that depends on the solution in a way that has no derivative."""
    return separate(value)


rule(
    reported,
    "y = reported(value, solution)",
    refused={"solution": "it is what a solver reports beside the solution, or the solver has not converged."},
    kind="unknown",
)


def carried(value: Any, of: Any) -> Any:
    """A solver's number or array, which is what another one is, but for how it was computed."""
    return separate(value)


rule(carried, "y = carried(value, of)", of_bar="np.reshape(y_bar, shape(of))", of_dot="y_bar", kind="unknown")


def with_reported(report: Any, names: Any, of: Any) -> Any:
    """The report in which these fields depend on the solution in a way that has no derivative."""
    for name in names:
        setattr(report, name, reported(getattr(report, name), of))


REPORTED = (
    *("jac", "hess_inv", "hess", "grad", "final_simplex", "direc", "optimality"),
    *("fjac", "r", "qtf", "cov_x"),
    *("multipliers", "lagrangian_grad", "constr_violation", "maxcv", "tr_radius", "barrier_parameter"),
)
"""What solvers report of which there is no gradient."""


def reported_names(report: Any) -> list[str]:
    """Those that are there as numbers."""
    return [name for name in REPORTED if isinstance(report.get(name), float | np.ndarray | tuple)]


def with_reported_lists(report: Any, of: Any) -> None:
    """The report in which what it tells of each constraint, in lists, has no derivative."""
    for name in listed_names(report):
        setattr(report, name, [reported(one, of) for one in getattr(report, name)])


def listed_names(report: Any) -> list[str]:
    """The names of what is told of each constraint."""
    return [name for name in ("v", "constr", "jac") if isinstance(report.get(name), list)]


def with_solution(report: Any, x: Any) -> Any:
    """The report in which the solution has its gradient."""
    report.x = x
    return report


def check_absent(name: str, parameter: str, absent: bool, instead: str) -> None:
    """Refuse what a solver may be asked for in a call and has no rule."""
    if not absent:
        raise MissingRuleError(
            f"'scipy.{name}' has no rule for {parameter}=.",
            why="what it asks for has no derivative here",
            instead=instead,
        )


non_differentiable(found, kind="unknown", call="y = found(solver, given, keywords)")
non_differentiable(reported_names, kind="unknown", call="y = reported_names(report)")
non_differentiable(listed_names, kind="unknown", call="y = listed_names(report)")
non_differentiable(check_absent, kind="none")
