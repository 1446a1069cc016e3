"""Integrals of a user's function by `scipy.integrate`, as functions of the limits and of what the integrand
depends on.

By the limits the derivative is the integrand there, by its parameters it is the integral of its own
derivative: Gauss's rule on the intervals into which QUADPACK has divided the range (R. Piessens et al.,
QUADPACK, 1983). The integral itself is SciPy's.
"""

from __future__ import annotations

import heapq
import warnings
from typing import Any

import numpy as np
import scipy.integrate as si
from scipy.special import roots_legendre

from zygpy.rules.declare import non_differentiable, stands_for
from zygpy.runtime.library_values import depending
from zygpy.solvers.integral_grids import nodes_between, size_of
from zygpy.solvers.integral_sums import integral, total_of, values_again
from zygpy.solvers.reports import as_arguments, carried, check_absent, found, spread_arguments

FINE = 1e-14
"""How precise a sum is to be, by the size of the integral, to be precise for derivatives too: where there is
a kink, its interval is then shorter than a part in ten million."""

COUNT = 60
"""How often intervals are halved for that at most."""


def quad(
    func: Any,
    a: Any,
    b: Any,
    args: Any = None,
    full_output: Any = 0,
    epsabs: Any = 1.49e-8,
    epsrel: Any = 1.49e-8,
    limit: Any = 50,
    points: Any = None,
    weight: Any = None,
    wvar: Any = None,
    wopts: Any = None,
    maxp1: Any = 50,
    limlst: Any = 50,
    complex_func: Any = False,
) -> Any:
    """`scipy.integrate.quad`, with waves as weights over finite ranges."""
    args = as_arguments(args)
    options = (epsabs, epsrel, limit, points, weight, wvar, wopts, maxp1, limlst)
    if complex_func:
        check_absent("integrate.quad", "complex_func= and full_output", not full_output, "leave one out")
        return of_parts(func, a, b, args, options)
    if weight is not None:
        waves = weight in ("cos", "sin") and is_range(a, b)
        check_absent("integrate.quad", "weight", waves, "multiply the integrand by it")
        return of_waves(func, a, b, args, options, full_output)
    report = divided(func, a, b, args, options, full_output)
    error, grid = error_of(report), grid_of(report)
    y = between(func, a, b, args, value_of(report), error, grid)
    return (y, error, *rest_of(report)) if full_output else (y, error)


def between(
    func: Any, a: Any, b: Any, args: Any, value: Any, error: Any, grid: Any
) -> Any:  # fmt: skip
    """The integral of a function between limits in any order, by what is found of it."""
    if b < a:
        return -integral(func, b, a, args, -value, error, grid)
    return integral(func, a, b, args, value, error, grid)


def value_of(report: Any) -> Any:
    """The integral, of what is found of it."""
    return report[0]


def error_of(report: Any) -> Any:
    """The error of the integral."""
    return report[1]


def grid_of(report: Any) -> Any:
    """The ends of the intervals in the range for a sum that gives it."""
    return report[2]


def rest_of(report: Any) -> Any:
    """What else the solver tells."""
    return report[3]


def of_parts(func: Any, a: Any, b: Any, args: Any, options: Any) -> Any:
    """The integral of a complex function, and the errors of its parts."""

    def real_part(x: Any, *more: Any) -> Any:
        return np.real(func(x, *more))

    def imaginary_part(x: Any, *more: Any) -> Any:
        return np.imag(func(x, *more))

    first, first_error = quad(real_part, a, b, args, 0, *options)
    second, second_error = quad(imaginary_part, a, b, args, 0, *options)
    return first + 1j * second, first_error + 1j * second_error


def of_waves(func: Any, a: Any, b: Any, args: Any, options: Any, full_output: Any) -> Any:
    """The integral of a function times a cosine or sine."""
    frequency = options[5]
    wave = np.cos if options[4] == "cos" else np.sin
    report = divided_by_waves(func, a, b, args, options, full_output)
    error, grid = error_of(report), grid_of(report)
    y = between(with_wave, a, b, (func, wave, frequency, *args), value_of(report), error, grid)
    return (y, error, *rest_of(report)) if full_output else (y, error)


def with_wave(x: Any, func: Any, wave: Any, frequency: Any, *args: Any) -> Any:
    """A function times a wave."""
    return func(x, *args) * wave(frequency * x)


def divided_by_waves(func: Any, a: Any, b: Any, args: Any, options: Any, full_output: Any) -> Any:
    """What QUADPACK finds of a function times a wave, and places and weights for a sum over its periods."""
    value, error, *rest = found(si.quad, (func, a, b, args, 1, *options), {})
    if len(rest) > 1 and not full_output:
        warnings.warn(rest[1], si.IntegrationWarning, stacklevel=3)
    frequency, wave = float(options[5]), np.cos if options[4] == "cos" else np.sin
    low, high = min(a, b), max(a, b)
    count = 1 + int(min(abs(frequency) * (high - low) / (2 * np.pi), 1000.0))
    bounds = np.linspace(0.0, 1.0, count + 1)
    ends = np.stack([bounds[:-1], bounds[1:]], axis=1)
    grid = refined(with_wave, low, high, (func, wave, frequency, *args), ends)
    return value, error, grid, tuple(rest)


def divided(func: Any, a: Any, b: Any, args: Any, options: Any, full_output: Any) -> Any:
    """What QUADPACK finds, and places and weights for a sum that gives the integral and its derivatives."""
    value, error, *rest = found(si.quad, (func, a, b, args, 1, *options), {})
    if len(rest) > 1 and not full_output:
        warnings.warn(rest[1], si.IntegrationWarning, stacklevel=3)
    last = rest[0]["last"]
    ends = np.stack([rest[0]["alist"][:last], rest[0]["blist"][:last]], axis=1)
    low, high = min(a, b), max(a, b)
    if np.isfinite(low) and np.isfinite(high):
        ends = (ends - low) / (high - low) if high > low else np.array([[0.0, 1.0]])
    if last == 1 and is_whole(func, low, high, args, value if a <= b else -value):
        return value, error, np.array([[0.0, 1.0]]), tuple(rest)
    return value, error, refined(func, low, high, args, ends), tuple(rest)


def is_whole(func: Any, a: Any, b: Any, args: Any, value: Any) -> bool:
    """Whether the sum over the whole range is the integral by QUADPACK, which is a sum by another rule."""
    if not is_range(a, b):
        return False
    total = sum_at(func, a, b, args, np.array([[0.0, 1.0]]))
    return size_of(total - value) <= FINE * size_of(value)


def sum_at(func: Any, a: Any, b: Any, args: Any, ends: Any) -> Any:
    """The sum of an integrand at places in intervals."""
    nodes = nodes_between(a, b, ends)
    return total_of(values_again(func, nodes.places, args), nodes.weights)


def refined(func: Any, a: Any, b: Any, args: Any, ends: Any) -> Any:
    """The ends of intervals that are halved where the sum over one is not that over its halves."""

    def total(low: float, high: float) -> Any:
        return sum_at(func, a, b, args, np.array([[low, high]]))

    def entry(low: float, high: float, whole: Any) -> tuple[float, float, float, Any, Any]:
        middle = (low + high) / 2
        halves = total(low, middle), total(middle, high)
        return -size_of(sum(halves) - whole), low, high, *halves

    waiting = [entry(low, high, total(low, high)) for low, high in np.sort(ends, axis=1).tolist()]
    heapq.heapify(waiting)
    size = size_of(sum(one[3] + one[4] for one in waiting))
    for _ in range(COUNT):
        if -waiting[0][0] <= FINE * size:
            break
        _, low, high, first, second = heapq.heappop(waiting)
        middle = (low + high) / 2
        heapq.heappush(waiting, entry(low, middle, first))
        heapq.heappush(waiting, entry(middle, high, second))
    return np.array(sorted((low, high) for _, low, high, _, _ in waiting))


def quad_vec(
    f: Any,
    a: Any,
    b: Any,
    epsabs: Any = 1e-200,
    epsrel: Any = 1e-8,
    norm: Any = "2",
    cache_size: Any = 100e6,
    limit: Any = 10000,
    workers: Any = 1,
    points: Any = None,
    quadrature: Any = None,
    full_output: Any = False,
    *,
    args: Any = None,
) -> Any:
    """`scipy.integrate.quad_vec`."""
    args = as_arguments(args)
    options = (epsabs, epsrel, norm, cache_size, limit, workers, points, quadrature)
    report = divided_together(f, a, b, args, options)
    error, grid = error_of(report), grid_of(report)
    y = between(f, a, b, args, value_of(report), error, grid)
    return (y, error, *rest_of(report)) if full_output else (y, error)


def is_range(a: Any, b: Any) -> bool:
    """Whether both limits are numbers."""
    return bool(np.isfinite(a) and np.isfinite(b))


def divided_together(f: Any, a: Any, b: Any, args: Any, options: Any) -> Any:
    """What `quad_vec` finds, and places and weights for a sum that gives the integral and its derivatives."""
    value, error, rest = found(si.quad_vec, (f, a, b, *options, True), {"args": args})
    if not is_range(a, b):
        halves = np.array([[0.0, 0.5], [0.5, 1.0]])
        return value, error, refined(f, min(a, b), max(a, b), args, halves), (rest,)
    fine = si.quad_vec(f, a, b, options[0], FINE, *options[2:4], COUNT, *options[5:], True, args=args)[2]
    ends = (fine.intervals - a) / (b - a) if a != b else np.array([[0.0, 1.0]])
    return value, error, np.sort(ends, axis=1), (rest,)


def fixed_quad(func: Any, a: Any, b: Any, args: Any = None, n: Any = 5) -> Any:
    """`scipy.integrate.fixed_quad`."""
    args = spread_arguments(args)
    check_range(a, b)
    points, weights = found(roots_legendre, (n,), {})
    y = (b - a) * (np.real(points) + 1) / 2.0 + a
    return (b - a) / 2.0 * np.sum(weights * func(y, *args), axis=-1), None


def check_range(a: Any, b: Any) -> None:
    """Raise what `fixed_quad` raises of infinite limits."""
    if np.isinf(a) or np.isinf(b):
        raise ValueError("Gaussian quadrature is only available for finite limits.")


# In several dimensions: integrals of integrals.


def range_at(limits: Any, outer: Any, args: Any) -> Any:
    """The limits of a variable, which may be functions of those outside."""
    pair = limits(*outer, *args) if callable(limits) else limits
    low = pair[0](*outer) if callable(pair[0]) else pair[0]
    high = pair[1](*outer) if callable(pair[1]) else pair[1]
    return low, high


def integrated(func: Any, ranges: Any, args: Any, depth: Any, outer: Any, opts: Any = None) -> Any:
    """The integral over the first variables where the others, behind them, have these values."""
    low, high = range_at(ranges[depth], outer, args)
    epsabs, epsrel, limit, points = options_at(opts, depth, outer, args)

    def inner(x: Any) -> Any:
        if depth == 0:
            return func(x, *outer, *args)
        return integrated(func, ranges, args, depth - 1, (x, *outer), opts)

    return quad(inner, low, high, None, 0, epsabs, epsrel, limit, points)[0]


def options_at(opts: Any, depth: int, outer: Any, args: Any) -> Any:
    """The tolerances, the number of intervals and the breakpoints for a variable."""
    one = opts[depth] if isinstance(opts, list | tuple) else opts
    one = one(*outer, *args) if callable(one) else one
    told = {"epsabs": 1.49e-8, "epsrel": 1.49e-8, "limit": 50, "points": None} | dict(one or {})
    check_absent("integrate.nquad", "opts", len(told) == 4, "nest calls of 'quad' for integrals with weights")
    return told["epsabs"], told["epsrel"], told["limit"], told["points"]


def nquad(func: Any, ranges: Any, args: Any = None, opts: Any = None, full_output: Any = False) -> Any:
    """`scipy.integrate.nquad`."""
    args = depending(spread_arguments(args), opts)
    value, *rest = found(si.nquad, (func, ranges, args, opts, full_output), {})
    return carried(value, integrated(func, ranges, args, len(ranges) - 1, (), opts)), *rest


def dblquad(
    func: Any,
    a: Any,
    b: Any,
    gfun: Any,
    hfun: Any,
    args: Any = None,
    epsabs: Any = 1.49e-8,
    epsrel: Any = 1.49e-8,
) -> Any:
    """`scipy.integrate.dblquad`."""
    args = spread_arguments(args)
    value, error = found(si.dblquad, (func, a, b, gfun, hfun, args, epsabs, epsrel), {})
    return carried(value, integrated(func, [(gfun, hfun), (a, b)], args, 1, ())), error


def tplquad(
    func: Any,
    a: Any,
    b: Any,
    gfun: Any,
    hfun: Any,
    qfun: Any,
    rfun: Any,
    args: Any = None,
    epsabs: Any = 1.49e-8,
    epsrel: Any = 1.49e-8,
) -> Any:
    """`scipy.integrate.tplquad`, whose innermost limits are functions of the outer variables first."""
    args = spread_arguments(args)
    value, error = found(si.tplquad, (func, a, b, gfun, hfun, qfun, rfun, args, epsabs, epsrel), {})

    def innermost(y: Any, x: Any, *more: Any) -> Any:
        low = qfun(x, y) if callable(qfun) else qfun
        high = rfun(x, y) if callable(rfun) else rfun
        return low, high

    return carried(value, integrated(func, [innermost, (gfun, hfun), (a, b)], args, 2, ())), error


for _function, _program in (
    (si.quad, quad),
    (si.quad_vec, quad_vec),
    (si.fixed_quad, fixed_quad),
    (si.nquad, nquad),
    (si.dblquad, dblquad),
    (si.tplquad, tplquad),
):
    stands_for(_function, _program)

non_differentiable(check_range, kind="none")
non_differentiable(is_range, kind="bool")
non_differentiable(options_at, kind="unknown")
non_differentiable(divided, divided_by_waves, divided_together, rest_of, kind="unknown")
non_differentiable(grid_of, kind="array")
non_differentiable(value_of, error_of, kind="number-or-array")
