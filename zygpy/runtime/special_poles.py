"""Derivatives of products of gamma functions, where one of these has a pole and the product has none, and of
Carlson's degenerate integral: plain programs, which a second derivative enters.

Sources: DLMF 5.2, 5.5.3 and 5.12 (gamma and beta functions), 19.2.20 and 19.18 (Carlson's integrals).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.special as sc

from zygpy.runtime import special_derivatives as special


def at_pole(x: Any) -> Any:
    """Where a real number is 0 or a negative integer."""
    return np.less_equal(x, 0) & np.equal(x, np.floor(x))


def beta_by_first(a: Any, b: Any, y: Any) -> Any:
    """The derivative of the beta function `y` by `a`, which is not 0 where `a + b` alone is at a pole."""
    pole = at_pole(a + b) & ~(at_pole(a) | at_pole(b))
    first, second = np.where(pole, a, 1.0), np.where(pole, b, 1.0)
    product = sc.gamma(first) * sc.gamma(second)
    whole = first + second
    there = product * (sc.psi(first) * sc.rgamma(whole) + special.rgamma_derivative(whole, 1))
    return np.where(pole, there, y * gap(a, np.where(pole, 1.0, a + b)))


def gap(first: Any, second: Any) -> Any:
    """The digamma function at one place less that at another, of which both may be at poles: these cancel,
    and DLMF 5.5.4 leaves the difference at the places that mirror them."""
    both = at_pole(first) & at_pole(second)
    return sc.psi(np.where(both, 1 - first, first)) - sc.psi(np.where(both, 1 - second, second))


def transform_by_power(logarithm: Any, product: Any, power: Any) -> Any:
    """The derivative by the power of Box and Cox's transform of a number, given its logarithm and the product
    of both: that of `-1 / power` for the number 0."""
    edge = np.equal(logarithm, -np.inf) & np.greater(power, 0)
    base, inner = np.where(edge, 1.0, logarithm), np.where(edge, 1.0, product)
    there = 1 / np.where(edge, power, 1.0) ** 2
    return np.where(edge, there, base * base * special.exprel_derivative(inner, 1))


def mean_by_first(a: Any, b: Any, y: Any) -> Any:
    """The derivative of the arithmetic-geometric mean `y` by `a`, times `3 * pi / 2`.

    Where the mean is 0 it stays so as `a` moves beside a 0, and rises without bound as `a` leaves 0.
    """
    flat = np.equal(y, 0)
    one, other = np.where(flat, 1.0, a), np.where(flat, 1.0, b)
    slope = y * y * np.abs(one) * sc.elliprd(0.0, other * other, one * one)
    return np.where(flat & np.equal(b, 0), 0.0, np.where(flat, np.inf, slope))


def binom_by_first(n: Any, k: Any, y: Any) -> Any:
    """The derivative of a binomial coefficient `y` by `n`, which is not 0 where `n - k + 1` is at a pole."""
    pole = at_pole(n - k + 1)
    count, part = np.where(pole, n, 1.0), np.where(pole, k, 1.0)
    rest = count - part + 1
    slope = sc.psi(count + 1) * sc.rgamma(rest) + special.rgamma_derivative(rest, 1)
    there = sc.gamma(count + 1) * sc.rgamma(part + 1) * slope
    return np.where(pole, there, y * (sc.psi(n + 1) - sc.psi(np.where(pole, 1.0, n - k + 1))))


def binom_by_second(n: Any, k: Any, y: Any) -> Any:
    """The same by `k`, where `k + 1` may be at a pole too."""
    pole = at_pole(n - k + 1) | at_pole(k + 1)
    count, part = np.where(pole, n, 1.0), np.where(pole, k, 1.0)
    rest = count - part + 1
    slope = special.rgamma_derivative(part + 1, 1) * sc.rgamma(rest)
    slope = slope - sc.rgamma(part + 1) * special.rgamma_derivative(rest, 1)
    there = sc.gamma(count + 1) * slope
    gap = sc.psi(np.where(pole, 1.0, n - k + 1)) - sc.psi(np.where(pole, 1.0, k + 1))
    return np.where(pole, there, y * gap)


def poch_by_first(z: Any, m: Any, y: Any) -> Any:
    """The derivative of Pochhammer's symbol `y` by `z`, which is not 0 where `z` is at a pole.

    Where `z + m` is at one too, the symbol is a product of negative numbers, or one over such a product.
    """
    pole, ends = at_pole(z), at_pole(z + m)
    alone, both = pole & ~ends, pole & ends
    first, last = np.where(alone, z, 1.0), np.where(alone, z + m, 1.0)
    there = sc.gamma(last) * (sc.psi(last) * sc.rgamma(first) + special.rgamma_derivative(first, 1))
    start = np.where(both, 1 - z, np.where(alone, 1.0, z))
    end = np.where(both, 1 - z - m, np.where(alone, 1.0, z + m))
    return np.where(alone, there, y * (sc.psi(end) - sc.psi(start)))


def poch_by_second(z: Any, m: Any, y: Any) -> Any:
    """The same by `m`."""
    return y * sc.psi(z + m)


def degenerate_by_first(a: Any, b: Any, y: Any) -> Any:
    """The derivative by `a` of Carlson's integral `y = elliprc(a, b)`, also of its principal value."""
    below = _negative(b)
    gap, root = np.where(below, b - a, 1.0), np.sqrt(np.where(below, a, 1.0))
    beside = np.where(below, 1.0, b)
    return np.where(below, (y - 1 / root) / (2 * gap), -sc.elliprd(beside, beside, a) / 6)


def degenerate_by_second(a: Any, b: Any, y: Any) -> Any:
    """The same by `b`."""
    below = _negative(b)
    gap, part = np.where(below, b - a, 1.0), np.where(below, b, 1.0)
    root, beside = np.sqrt(np.where(below, a, 1.0)), np.where(below, 1.0, b)
    return np.where(below, (root / part - y) / (2 * gap), -sc.elliprd(a, beside, beside) / 3)


def _negative(b: Any) -> Any:
    return np.less(np.real(b), 0) & np.equal(np.imag(b), 0)
