"""What is looked up in the reports of solvers, apart from any derivative."""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.runtime.separate import separate


def start(value: Any) -> Any:
    """A number or array that a solver has found, in memory of its own."""
    return separate(value)


def told(report: Any, name: str) -> Any:
    """A number or array of a solver's report, in memory of its own.

    >>> told({"x": np.zeros(1)}, "x")
    array([0.])
    """
    return separate(report[name])


def slope_told(report: Any) -> Any:
    """The gradient that a solver reports of what it minimizes; zeros where it reports none.

    >>> slope_told({"x": np.ones(1)}), slope_told({"x": np.ones(1), "jac": np.array([2.0])})
    (array([0.]), array([2.]))
    """
    x, slope = report["x"], report.get("jac")
    told_of_all = isinstance(slope, np.ndarray) and slope.shape == x.shape
    return separate(slope) if told_of_all else np.zeros_like(x)


REPORTED = (
    *("jac", "hess_inv", "hess", "grad", "final_simplex", "direc", "optimality"),
    *("fjac", "r", "qtf", "cov_x"),
    *("multipliers", "lagrangian_grad", "constr_violation", "maxcv", "tr_radius", "barrier_parameter"),
)
"""What solvers report of which there is no gradient."""


def reported_names(report: Any) -> list[str]:
    """Those that are there as numbers, or as lists of what is told of each constraint."""
    names = [name for name in REPORTED if isinstance(report.get(name), float | np.ndarray | tuple)]
    return names + [name for name in ("v", "constr", "jac") if isinstance(report.get(name), list)]


def names_beside(report: Any) -> tuple[str, ...]:
    """The same as a tuple, with the value where there is no solution."""
    return (*reported_names(report), *(() if report["success"] else ("fun",)))
