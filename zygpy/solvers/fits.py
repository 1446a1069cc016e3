"""Fits of `scipy.optimize` by least squares, as functions of the data.

At a solution the gradient of half the sum of squares is zero, by the parameters that lie on no bound.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.optimize as so

from zygpy.rules.declare import non_differentiable, stands_for
from zygpy.runtime.solver_reports import reported_names, start
from zygpy.solvers.minima import filled, on_sides, settled_flat, settled_least, sides_of
from zygpy.solvers.reports import (
    carried,
    carried_vector,
    check_absent,
    found,
    reported,
    with_reported,
    with_solution,
)
from zygpy.solvers.roots import with_details, without_report


def curve_fit(
    f: Any,
    xdata: Any,
    ydata: Any,
    p0: Any = None,
    sigma: Any = None,
    absolute_sigma: Any = False,
    check_finite: Any = None,
    bounds: Any = None,
    method: Any = None,
    jac: Any = None,
    *,
    full_output: Any = False,
    nan_policy: Any = None,
    ftol: Any = None,
    xtol: Any = None,
    gtol: Any = None,
    maxfev: Any = None,
    max_nfev: Any = None,
    x_scale: Any = None,
    loss: Any = None,
    **others: Any,
) -> Any:
    """`scipy.optimize.curve_fit`, of which the parameters have gradients."""
    check_absent("optimize.curve_fit", "nan_policy", nan_policy is None, "leave out what is not a number")
    check_absent("optimize.curve_fit", "loss", loss is None, "use 'least_squares' of the residuals")
    options = {
        "p0": p0, "sigma": sigma, "absolute_sigma": absolute_sigma, "check_finite": check_finite,
        "method": method, "jac": jac, "ftol": ftol, "xtol": xtol, "gtol": gtol, "maxfev": maxfev,
        "max_nfev": max_nfev, "x_scale": x_scale, "bounds": bounds, "full_output": True, **others,
    }  # fmt: skip
    x, covariance, details, message, flag = found(fit_found, (f, xdata, ydata, options), {})
    solution = fitted(f, xdata, ydata, x, sigma, bounds)
    if not full_output:
        return solution, reported(covariance, solution)
    with_details(details, ("fvec", "fjac", "qtf"), solution)
    return solution, reported(covariance, solution), details, message, flag


def curve_fit_parameters(
    f: Any,
    xdata: Any,
    ydata: Any,
    p0: Any = None,
    sigma: Any = None,
    absolute_sigma: Any = False,
    check_finite: Any = None,
    bounds: Any = None,
    method: Any = None,
    jac: Any = None,
    *,
    ftol: Any = None,
    xtol: Any = None,
    gtol: Any = None,
    maxfev: Any = None,
    max_nfev: Any = None,
    x_scale: Any = None,
    **others: Any,
) -> Any:
    """`scipy.optimize.curve_fit` that is not asked for more than the parameters and their covariance."""
    options = {
        "p0": p0, "sigma": sigma, "absolute_sigma": absolute_sigma, "check_finite": check_finite,
        "method": method, "jac": jac, "ftol": ftol, "xtol": xtol, "gtol": gtol, "maxfev": maxfev,
        "max_nfev": max_nfev, "x_scale": x_scale, "bounds": bounds, **others,
    }  # fmt: skip
    x, covariance = found(fit_found, (f, xdata, ydata, options), {})
    solution = fitted(f, xdata, ydata, x, sigma, bounds)
    return solution, reported(covariance, solution)


def fitted(f: Any, xdata: Any, ydata: Any, x: Any, sigma: Any, bounds: Any) -> Any:
    """The parameters that were found, as what they depend on determines them."""
    places = np.asarray(xdata, float) if isinstance(xdata, list | tuple | np.ndarray) else xdata
    values = np.asarray(ydata, float)
    given = (f, places, values, sigma)
    lower, upper = sides_of(None if unbounded(bounds) else bounds, x)
    at = on_ends(x, given, lower, upper)
    if sigma is None:
        return carried_vector(x, settled_least(f, start(x), (places,), values, True, at, lower, upper))
    return carried_vector(x, settled_flat(misfit, start(x), given, at, lower, upper))


def unbounded(bounds: Any) -> bool:
    """Whether bounds leave everything free."""
    if bounds is None:
        return True
    lower, upper = (bounds.lb, bounds.ub) if isinstance(bounds, so.Bounds) else bounds
    return bool(np.all(np.isneginf(lower)) and np.all(np.isposinf(upper)))


def on_ends(x: Any, given: Any, lower: Any, upper: Any) -> Any:
    """For every parameter -1 on the lower bound, 1 on the upper one, else 0; None without bounds."""
    if lower is None:
        return None
    rest = weighed_rest(x, *given)
    steps = np.where(x - lower < upper - x, 1.0, -1.0) * 1e-7 * (1 + np.abs(x))
    moved = x + np.diag(steps)
    slopes = np.stack([weighed_rest(point, *given) - rest for point in moved], axis=1) / steps
    told = np.where(x <= lower, -1, np.where(x >= upper, 1, 0))
    report = {"x": x, "grad": rest @ slopes, "jac": slopes, "fun": rest, "active_mask": told}
    return on_sides(so.OptimizeResult(report), lower, upper)


def weighed_rest(parameters: Any, f: Any, xdata: Any, ydata: Any, sigma: Any) -> Any:
    """What `curve_fit` squares."""
    rest = f(xdata, *parameters) - ydata
    if sigma is None:
        return rest
    if np.size(sigma) == 1 or np.ndim(sigma) == 1:
        return rest / np.asarray(sigma)
    return np.linalg.solve(np.linalg.cholesky(as_read(sigma)), rest)


def fit_found(f: Any, xdata: Any, ydata: Any, options: Any) -> Any:
    """What `curve_fit` finds, with those of the options that are given."""
    return so.curve_fit(f, xdata, ydata, **{key: one for key, one in options.items() if one is not None})


def as_read(covariance: Any) -> Any:
    """A covariance, of which SciPy reads the diagonal and what is below it."""
    return np.tril(covariance) + np.transpose(np.tril(covariance, -1))


def misfit(parameters: Any, f: Any, xdata: Any, ydata: Any, sigma: Any) -> Any:
    """Half the sum of squares that `curve_fit` minimizes; `sigma` is of deviations, or a covariance."""
    rest = f(xdata, *parameters) - ydata
    if sigma is None:
        return 0.5 * np.sum(rest**2)
    if np.size(sigma) == 1 or np.ndim(sigma) == 1:
        return 0.5 * np.sum((rest / sigma) ** 2)
    return 0.5 * np.sum(rest * np.linalg.solve(as_read(sigma), rest))


# Linear equations.


def nnls(A: Any, b: Any, maxiter: Any = None, *, atol: Any = None) -> Any:  # noqa: N803 (SciPy's name)
    """`scipy.optimize.nnls`."""
    x, size = found(nonnegative_found, (A, b, maxiter, atol), {})
    A, b = np.asarray(A), np.asarray(b)  # noqa: N806
    solution = least(A, b, np.zeros(len(x)), x > 0, x)
    return carried(x, solution), carried(size, np.linalg.norm(np.matmul(A, solution) - b))


def nonnegative_found(matrix: Any, b: Any, maxiter: Any, atol: Any) -> Any:
    """What `nnls` finds, with those of the options that are given."""
    options = {"maxiter": maxiter, "atol": atol}
    return so.nnls(matrix, b, **{key: one for key, one in options.items() if one is not None})


def least(a: Any, b: Any, held: Any, free: Any, x: Any) -> Any:
    """The point of least squares whose variables are held but for those that are free, which is `x`."""
    if not np.any(free):
        solution = held + 0.0
    else:
        columns = a[:, free]
        inner = np.matmul(np.linalg.pinv(columns), b - np.matmul(a, np.where(free, 0.0, held)))
        solution = filled(held + 0.0, free, inner)
    return solution if is_near(x, solution) else reported(x, solution)


def is_near(x: Any, other: Any) -> bool:
    """Whether a solver has found this point."""
    return bool(np.allclose(x, other, rtol=1e-4, atol=1e-6 * (1 + np.max(np.abs(x), initial=0.0))))


def lsq_linear(
    A: Any,  # noqa: N803 (SciPy's name)
    b: Any,
    bounds: Any = None,
    method: Any = "trf",
    tol: Any = 1e-10,
    lsq_solver: Any = None,
    lsmr_tol: Any = None,
    max_iter: Any = None,
    verbose: Any = 0,
    *,
    lsmr_maxiter: Any = None,
) -> Any:
    """`scipy.optimize.lsq_linear` of a dense matrix."""
    check_absent("optimize.lsq_linear", "A", isinstance(A, np.ndarray | list), "give it a dense matrix")
    options = {
        "method": method, "tol": tol, "lsq_solver": lsq_solver, "lsmr_tol": lsmr_tol, "max_iter": max_iter,
        "verbose": verbose, "lsmr_maxiter": lsmr_maxiter,
    }  # fmt: skip
    report = found(linear_found, (A, b, bounds, options), {})
    A, b = np.asarray(A), np.asarray(b)  # noqa: N806
    lower, upper = sides_of(bounds, report.x)
    at = np.asarray(report.active_mask)
    held = report.x if lower is None else np.where(at < 0, lower, np.where(at > 0, upper, report.x))
    solution = least(A, b, held, at == 0, report.x)
    rest = np.matmul(A, solution) - b
    return with_residuals(report, solution, rest)


def with_residuals(report: Any, solution: Any, rest: Any) -> Any:
    """The report in which the solution, the residuals and the cost have their gradients."""
    with_reported(report, reported_names(report), solution)
    report.fun = carried(report.fun, rest)
    report.cost = carried(report.cost, 0.5 * np.sum(rest**2))
    return with_solution(report, carried(report.x, solution))


def linear_found(matrix: Any, b: Any, bounds: Any, options: Any) -> Any:
    """What `lsq_linear` finds, with those of the options that are given."""
    given = {key: one for key, one in options.items() if one is not None}
    return so.lsq_linear(matrix, b, **given) if bounds is None else so.lsq_linear(matrix, b, bounds, **given)


# Monotonic fits: each block of equal values has the weighted mean of what was given there.


def isotonic_regression(y: Any, *, weights: Any = None, increasing: Any = True) -> Any:
    """`scipy.optimize.isotonic_regression`."""
    report = found(so.isotonic_regression, (y,), {"weights": weights, "increasing": increasing})
    y = np.asarray(y) * 1.0
    weights = np.ones(len(y)) if weights is None else np.asarray(weights) * 1.0
    places, inside = blocks_of(report)
    sums = np.matmul(inside, weights)
    means = np.matmul(inside, weights * y) / sums
    report.weights = carried(report.weights, sums)
    return with_solution(report, carried(report.x, means[places]))


def blocks_of(report: Any) -> Any:
    """For each value its block, and for each block 1 for the values that are in it, else 0."""
    lengths = np.diff(report.blocks)
    places = np.repeat(np.arange(len(lengths)), lengths)
    return places, np.equal(np.arange(len(lengths))[:, np.newaxis], places) * 1.0


stands_for(
    so.curve_fit,
    curve_fit,
    choose=without_report(curve_fit_parameters, curve_fit, 10, "nan_policy", "loss"),
)
stands_for(so.nnls, nnls)
stands_for(so.lsq_linear, lsq_linear)
if hasattr(so, "isotonic_regression"):  # from SciPy 1.12 on
    stands_for(so.isotonic_regression, isotonic_regression)

non_differentiable(fit_found, on_ends, nonnegative_found, linear_found, blocks_of, kind="unknown")
non_differentiable(unbounded, is_near, kind="bool")
