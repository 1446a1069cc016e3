"""Boundary value problems of `scipy.integrate`: what `solve_bvp` finds solves equations at the nodes of a
mesh (J. Kierzenka, L. F. Shampine, A BVP solver based on residual control, 2001), and so is differentiated.

The steps that were needed tell nothing: of a guess that is the solution there are none.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.integrate as si
from scipy.interpolate import PPoly

from zygpy.rules.declare import non_differentiable, stands_for
from zygpy.runtime.separate import separate
from zygpy.solvers.implicit import root_at
from zygpy.solvers.reports import carried, check_absent, found, reported


def solve_bvp(
    fun: Any,
    bc: Any,
    x: Any,
    y: Any,
    p: Any = None,
    S: Any = None,  # noqa: N803
    fun_jac: Any = None,
    bc_jac: Any = None,
    tol: Any = 1e-3,
    max_nodes: Any = 1000,
    verbose: Any = 0,
    bc_tol: Any = None,
) -> Any:
    """`scipy.integrate.solve_bvp` of real equations."""
    given = (fun, bc, x, y, p, S, fun_jac, bc_jac, tol, max_nodes, verbose, bc_tol)
    report = found(si.solve_bvp, given, {})
    check_report(report, S)
    nodes = np.asarray(x) * 1.0
    mesh = carried(report.x, nodes_among(nodes, *places_among(nodes, report.x)))
    size, count = report.y.shape
    unknown = unknowns(report.y, report.p)
    solution = root_at(residuals, unknown, (fun, bc, mesh, size, report.p is not None))
    states, parameters = parts_of(solution, size, count, report.p is not None)
    slopes = np.asarray(fun(mesh, states, *parameters)) * 1.0
    report.x = mesh
    report.y, report.yp = carried(report.y, states), carried(report.yp, slopes)
    report.rms_residuals = reported(report.rms_residuals, solution)
    if parameters:
        report.p = carried(report.p, parameters[0])
    report.sol = curve_of(separate(report.sol.c), report.y, report.yp, mesh)
    return report


def check_report(report: Any, singular: Any) -> None:
    """Refuse what is not covered, and what is no solution."""
    name = "integrate.solve_bvp"
    check_absent(name, "S", singular is None, "begin a little beside the singularity")
    check_absent(name, "complex numbers", report.y.dtype.kind == "f", "solve for real and imaginary parts")
    check_absent(
        name, "a search without success", bool(report.success), "give it a better guess or more nodes"
    )


def unknowns(states: Any, parameters: Any) -> Any:
    """The solution at all nodes, and parameters behind it, in a vector."""
    return np.ravel(states) if parameters is None else np.append(states, parameters)


def places_among(nodes: Any, mesh: Any) -> Any:
    """Between which nodes those of a finer mesh lie, and where there."""
    place = np.clip(np.searchsorted(nodes, mesh, side="right") - 1, 0, len(nodes) - 2)
    return place, (mesh - nodes[place]) / (nodes[place + 1] - nodes[place])


def nodes_among(nodes: Any, place: Any, part: Any) -> Any:
    """The nodes of a finer mesh, which follow those that were given."""
    return nodes[place] * (1 - part) + nodes[place + 1] * part


def parts_of(solution: Any, size: int, count: int, searched: bool) -> Any:
    """The solution at all nodes, and the parameters that were searched for, if there are any."""
    rest = (solution[size * count :],) if searched else ()
    return np.reshape(solution[: size * count], (size, count)), rest


def residuals(solution: Any, fun: Any, bc: Any, mesh: Any, size: int, searched: bool) -> Any:
    """What is zero of a solution: by how much cubics between the nodes miss the equations, and the conditions
    at the ends."""
    y, rest = parts_of(solution, size, len(mesh), searched)
    h = mesh[1:] - mesh[:-1]
    slope = np.asarray(fun(mesh, y, *rest))
    between = (y[:, 1:] + y[:, :-1]) / 2 - h * (slope[:, 1:] - slope[:, :-1]) / 8
    middle = np.asarray(fun(mesh[:-1] + h / 2, between, *rest))
    missed = y[:, 1:] - y[:, :-1] - h * (slope[:, :-1] + slope[:, 1:] + 4 * middle) / 6
    return np.concatenate([np.ravel(missed), np.ravel(np.asarray(bc(y[:, 0], y[:, -1], *rest)))])


def curve_of(found_pieces: Any, y: Any, slope: Any, mesh: Any) -> Any:
    """The cubics through the solution at all nodes."""
    h = mesh[1:] - mesh[:-1]
    steep = (y[:, 1:] - y[:, :-1]) / h
    bent = (slope[:, :-1] + slope[:, 1:] - 2 * steep) / h
    pieces = np.stack([bent / h, (steep - slope[:, :-1]) / h - bent, slope[:, :-1], y[:, :-1]], axis=1)
    told = np.moveaxis(found_pieces, -1, 0)
    return PPoly(carried(told, pieces), mesh, extrapolate=True, axis=1)


stands_for(si.solve_bvp, solve_bvp)
non_differentiable(check_report, kind="none")
non_differentiable(places_among, kind="unknown")
