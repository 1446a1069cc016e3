"""Derivatives of the regularized incomplete gamma and beta functions by their parameters, to any order.

With `u = log(x)` (gamma) or `u = logit(x)` (beta) the functions are integrals up to `u` of

    exp(a v - exp(v)) / gamma(a)    and    exp(a log(t) + b log(1 - t)) / beta(a, b),  t = expit(v)

(DLMF 8.2.4 and 8.17.2). Derivatives by parameters are integrals of these times polynomials in the logarithms
and in polygamma functions, the complete Bell polynomials in the derivatives of the exponent. The integral
over the whole line is constant, so either tail serves: the one in which the first derivative of the exponent
keeps its sign, whose integral does not cancel. It is taken relative to the integrand at `u`, which keeps it
exact where both underflow, by Gauss's rule in panels.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.special as sc

from zygpy.runtime.special_derivatives import polygamma

NODES, WEIGHTS = (part / 2 for part in np.polynomial.legendre.leggauss(32))
NODES = NODES + 0.5
PANELS = (-40.0, -8.0, -2.0, 2.0, 8.0, 40.0)
"""Where panels meet: exponents bend near 0 and are straight, but for less than rounding, far from it."""
NEGLIGIBLE = 45.0
"""How much smaller than at its start the logarithm of an integrand is where it ends."""
STEPS = 2.0 ** np.arange(-40, 61)
BLOCK = 1024
"""So many integrals are taken at once."""

Exponent = Callable[[Any], Any]


def gamma_ratio(a: Any, u: Any, order: int) -> Any:
    """That derivative by `a` of the incomplete gamma function, over its derivative by `u = log(x)`.

    >>> a, x, step = 1.5, 0.7, 1e-5
    >>> slope = (sc.gammainc(a + step, x) - sc.gammainc(a - step, x)) / (2 * step)
    >>> density = x**a * np.exp(-x) / sc.gamma(a)
    >>> bool(abs(gamma_ratio(a, np.log(x), 1) * density - slope) < 1e-9)
    True
    """
    return _in_blocks(lambda a, u: _gamma_ratio(a, u, order), a, u)


def _gamma_ratio(a: Any, u: Any, order: int) -> Any:
    x, start = np.exp(u), u - sc.psi(a)
    side = np.where(start < 0, -1.0, 1.0)

    def exponent(distance: Any) -> Any:
        return a * side * distance - x * np.expm1(side * distance)

    distances, weights = _panels(u, side, exponent)
    rates = {(1,): start + side * distances, **_gamma_rates(a, order)}
    return -side * np.sum(np.exp(exponent(distances)) * _bell((order,), rates) * weights, axis=0)


def _gamma_rates(a: Any, order: int) -> dict[tuple[int, ...], Any]:
    """The derivatives of the logarithm of the integrand by `a`, from the second on."""
    return {(k,): -polygamma(k - 1, a) for k in range(2, order + 1)}


def gamma_bell(a: Any, u: Any, order: int) -> Any:
    """That derivative by `a` of `exp(a u) / gamma(a)`, over this.

    >>> float(gamma_bell(1.0, 0.0, 1).round(12))  # Euler's constant
    0.577215664902
    """
    return _in_blocks(lambda a, u: _bell((order,), {(1,): u - sc.psi(a), **_gamma_rates(a, order)}), a, u)


def beta_ratio(a: Any, b: Any, u: Any, order: int, other: int) -> Any:
    """That derivative by `a` and `b` of the incomplete beta function, over its derivative by `u = logit(x)`.

    >>> a, b, x, step = 1.5, 2.5, 0.7, 1e-5
    >>> slope = (sc.betainc(a + step, b, x) - sc.betainc(a - step, b, x)) / (2 * step)
    >>> density = x**a * (1 - x) ** b / sc.beta(a, b)
    >>> bool(abs(beta_ratio(a, b, sc.logit(x), 1, 0) * density - slope) < 1e-9)
    True
    """
    return _in_blocks(lambda a, b, u: _beta_ratio(a, b, u, order, other), a, b, u)


def _beta_ratio(a: Any, b: Any, u: Any, order: int, other: int) -> Any:
    first, second = _beta_slopes(a, b, u)
    below = first < 0 if order else second > 0
    side = np.where(below, -1.0, 1.0)
    near, share, rest = np.where(below, a, b), sc.expit(-side * u), sc.expit(side * u)

    def bend(distance: Any) -> Any:
        """How the logarithm of what grows along the tail changes."""
        lost = share * np.expm1(-distance)
        return -np.where(lost > -0.5, np.log1p(lost), np.log(rest + share * np.exp(-distance)))

    def exponent(distance: Any) -> Any:
        return (a + b) * bend(distance) - near * distance

    distances, weights = _panels(u, side, exponent)
    bent = bend(distances)
    rates = {
        (1, 0): first + bent - np.where(below, distances, 0.0),
        (0, 1): second + bent - np.where(below, 0.0, distances),
        **_beta_rates(a, b, order, other),
    }
    return -side * np.sum(np.exp(exponent(distances)) * _bell((order, other), rates) * weights, axis=0)


def _beta_rates(a: Any, b: Any, order: int, other: int) -> dict[tuple[int, ...], Any]:
    """The derivatives of the logarithm of the integrand by `a` and `b`, from the second on."""
    return {
        (m, n): polygamma(m + n - 1, a + b)
        - (polygamma(m - 1, a) if n == 0 else 0.0)
        - (polygamma(n - 1, b) if m == 0 else 0.0)
        for m in range(order + 1)
        for n in range(other + 1)
        if m + n > 1
    }


def beta_bell(a: Any, b: Any, u: Any, order: int, other: int) -> Any:
    """That derivative by `a` and `b` of `x**a * (1 - x)**b / beta(a, b)` for `u = logit(x)`, over this.

    >>> float(beta_bell(1.0, 1.0, 0.0, 1, 0).round(12))  # 1 - log(2)
    0.30685281944
    """
    return _in_blocks(lambda a, b, u: _bell((order, other), _all_beta_rates(a, b, u, order, other)), a, b, u)


def _all_beta_rates(a: Any, b: Any, u: Any, order: int, other: int) -> dict[tuple[int, ...], Any]:
    first, second = _beta_slopes(a, b, u)
    return {(1, 0): first, (0, 1): second, **_beta_rates(a, b, order, other)}


def _beta_slopes(a: Any, b: Any, u: Any) -> tuple[Any, Any]:
    """The derivatives of the logarithm of the integrand by `a` and `b`."""
    total = sc.psi(a + b)
    return sc.log_expit(u) - sc.psi(a) + total, sc.log_expit(-u) - sc.psi(b) + total


def _bell(orders: tuple[int, ...], rates: dict[tuple[int, ...], Any]) -> Any:
    """The derivative of these orders of an exponential over itself, from those of the exponent."""
    if min(orders) < 0:
        return 0.0
    if not any(orders):
        return 1.0
    at = next(place for place, order in enumerate(orders) if order)
    lower = tuple(order - (place == at) for place, order in enumerate(orders))
    total = 0.0
    for taken in np.ndindex(*(order + 1 for order in lower)):
        ways = math.prod(math.comb(order, count) for order, count in zip(lower, taken, strict=True))
        rest = tuple(order - count for order, count in zip(lower, taken, strict=True))
        rate = rates[tuple(count + (place == at) for place, count in enumerate(taken))]
        total = total + ways * rate * _bell(rest, rates)
    return total


def _panels(u: Any, side: Any, exponent: Exponent) -> tuple[Any, Any]:
    """The distances from `u` at which the integrand is taken, and their weights, along the first axis."""
    steps = STEPS.reshape(-1, *[1] * np.ndim(u))
    ended = exponent(steps) < -NEGLIGIBLE
    end = np.where(ended.any(axis=0), STEPS[np.argmax(ended, axis=0)], STEPS[-1])
    ends = np.stack([np.clip(side * (border - u), 0.0, end) for border in PANELS] + [0.0 * end, end])
    ends = np.sort(ends, axis=0)
    widths = np.diff(ends, axis=0)
    taken = widths.reshape(len(widths), -1).any(axis=1)
    starts, widths = ends[:-1][taken], widths[taken]
    nodes = NODES.reshape(-1, *[1] * np.ndim(widths))
    distances = starts + nodes * widths
    weights = WEIGHTS.reshape(nodes.shape) * widths
    return distances.reshape(-1, *np.shape(u)), weights.reshape(-1, *np.shape(u))


def _in_blocks(program: Callable[..., Any], *given: Any) -> Any:
    """What the program makes of numbers that are given in arrays of any shapes, so many at a time; in single
    precision where all are in single precision."""
    wide = np.broadcast_arrays(*[np.asarray(one, dtype=np.float64) for one in given])
    flat = [array.reshape(-1) for array in wide]
    narrow = all(np.asarray(one).dtype == np.float32 for one in given)
    result = np.empty(wide[0].shape, np.float32 if narrow else np.float64)
    parts = result.reshape(-1)
    with np.errstate(all="ignore"):
        for start in range(0, result.size, BLOCK):
            block = slice(start, start + BLOCK)
            parts[block] = program(*[array[block] for array in flat])
    return result[()]
