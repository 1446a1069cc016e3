"""Special functions that derivatives need and NumPy lacks, closed under differentiation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)
_ASYMPTOTIC_FROM = 20.0


def polygamma(order: int, x: float) -> float:
    """The derivative of that order of the digamma function (order 0) of a real number.

    Abramowitz and Stegun, 6.4: recurrence (6.4.6), asymptotic series (6.4.11) and, far below zero,
    reflection (6.4.7). At the poles it is nan.

    >>> round(polygamma(0, 1.0), 12), round(polygamma(1, 1.0), 12)  # -0.577215..., pi ** 2 / 6
    (-0.577215664902, 1.644934066848)
    """
    x = float(x)
    if x <= 0 and x == math.floor(x):
        return math.nan
    if x < -_ASYMPTOTIC_FROM:
        mirrored = polygamma(order, 1 - x)
        return (-mirrored if order % 2 else mirrored) - _cotangent_derivative(order, x)
    total = 0.0
    while x < _ASYMPTOTIC_FROM:
        total += _inverse_power(x, order + 1)
        x += 1
    return _sign(order) * (math.factorial(order) * total + _asymptotic(order, x))


def _sign(order: int) -> int:
    return -1 if order % 2 == 0 else 1


def _inverse_power(x: float, n: int) -> float:
    power = x**n
    return math.inf if power == 0 else 1 / power


def _asymptotic(order: int, x: float) -> float:
    """The series of `(-1) ** (order + 1)` times the function, for large x."""
    inverse = 1 / x
    lead = -math.log(x) if order == 0 else math.factorial(order - 1) * inverse**order
    total = lead + math.factorial(order) / 2 * inverse ** (order + 1)
    for k, bernoulli in enumerate(_BERNOULLI, start=1):
        factor = math.factorial(2 * k + order - 1) / math.factorial(2 * k)
        total += bernoulli * factor * inverse ** (2 * k + order)
    return total


def _cotangent_derivative(order: int, x: float) -> float:
    """The derivative of that order of `pi / tan(pi x)`, as a polynomial in the cotangent."""
    polynomial = np.polynomial.Polynomial([0.0, math.pi])
    slope = np.polynomial.Polynomial([-math.pi, 0.0, -math.pi])
    for _ in range(order):
        polynomial = polynomial.deriv() * slope
    return float(polynomial(1 / math.tan(math.pi * (x - round(x)))))


GAUSS_NODES, GAUSS_WEIGHTS = (part / 2 for part in np.polynomial.legendre.leggauss(24))
GAUSS_NODES = GAUSS_NODES + 0.5
_QUADRATURE_BELOW = 2.0


def sinc_derivative(x: Any, order: int) -> Any:
    """The derivative of that order of `np.sinc`.

    sinc(x) is the integral of cos(pi x t) over t from 0 to 1: near 0 its derivative is integrated by
    Gauss's rule, elsewhere it follows from `x y = sin(pi x) / pi` differentiated repeatedly.

    >>> float(sinc_derivative(0.0, 1)), round(float(sinc_derivative(0.0, 2)), 12)  # 0, -pi ** 2 / 3
    (0.0, -3.289868133696)
    """
    values = np.asarray(x)
    dtype = np.result_type(values.dtype, np.float32) if values.dtype.kind in "fc" else np.dtype(np.float64)
    wide = values.astype(np.complex128 if dtype.kind == "c" else np.float64)
    near = np.abs(wide) < _QUADRATURE_BELOW
    result = np.where(near, _sinc_near(wide * near, order), _sinc_far(np.where(near, 1, wide), order))
    return result.astype(dtype)[()]


def _sinc_near(x: Any, order: int) -> Any:
    waves = _cosine_derivative(np.pi * np.multiply.outer(x, GAUSS_NODES), order)
    return np.pi**order * (waves @ (GAUSS_WEIGHTS * GAUSS_NODES**order))


def _cosine_derivative(x: Any, order: int) -> Any:
    wave = np.sin(x) if order % 2 else np.cos(x)
    return -wave if order % 4 in (1, 2) else wave


def _sinc_far(x: Any, order: int) -> Any:
    value = np.sin(np.pi * x) / (np.pi * x)
    for n in range(order):
        value = (np.pi**n * _cosine_derivative(np.pi * x, n) - (n + 1) * value) / x
    return value


def bessel_i(x: Any, order: int) -> Any:
    """The modified Bessel function of the first kind, of integer order, of real numbers.

    The trapezoid rule on Bessel's integral (Abramowitz and Stegun 9.6.19), which converges
    geometrically; the number of nodes grows with the largest argument.

    >>> round(float(bessel_i(1.0, 1)), 12)
    0.565159103992
    """
    values = np.asarray(x)
    largest = float(np.max(np.abs(values), initial=0.0, where=np.isfinite(values)))
    count = 40 + abs(order) + int(10 * math.sqrt(largest))
    angles = (np.arange(count) + 0.5) * (np.pi / count)
    with np.errstate(all="ignore"):
        exponentials = np.exp(np.multiply.outer(values.astype(np.float64), np.cos(angles)))
    result = exponentials @ np.cos(order * angles) / count
    return result.astype(values.dtype if values.dtype.kind == "f" else np.float64)[()]
