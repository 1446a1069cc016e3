"""Derivatives of classical orthogonal polynomials of whole degrees by their parameters: plain programs, which
a second derivative enters.

Source of the formulas: W. Koepf, Identities for families of orthogonal polynomials and special functions,
Integral Transforms and Special Functions 5 (1997). Of other degrees nothing is known.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.special as sc

from zygpy.runtime.unknown_derivatives import unknown_derivative


def laguerre_by_parameter(n: Any, alpha: Any, x: Any) -> Any:
    """The derivative of a Laguerre polynomial by its parameter."""
    total: Any = 0.0
    for k in degrees_below(n):
        total = total + np.where(k < n, sc.eval_genlaguerre(k, alpha, x) / apart(n, k), 0.0)
    return total + unknown_beside(n, "eval_genlaguerre by alpha")


def gegenbauer_by_parameter(n: Any, alpha: Any, x: Any, y: Any) -> Any:
    """The derivative of a Gegenbauer polynomial `y` by its parameter."""
    total: Any = 0.0
    for k in degrees_below(n):
        gap = apart(n, k)
        share = 2 * (k + 1) / ((2 * alpha + k) * (2 * alpha + 2 * k + 1)) + 2 / (2 * alpha + k + n)
        even = np.where(gap % 2 == 0, 4.0, 0.0) * (k + alpha) / ((2 * alpha + k + n) * gap)
        total = total + np.where(k < n, share * y + even * sc.eval_gegenbauer(k, alpha, x), 0.0)
    return total + unknown_beside(n, "eval_gegenbauer by alpha")


def jacobi_by_first(n: Any, alpha: Any, beta: Any, x: Any, y: Any) -> Any:
    """The derivative of a Jacobi polynomial `y` by its first parameter."""
    return _jacobi(n, alpha, beta, x, y, beta, 1.0) + unknown_beside(n, "eval_jacobi by alpha")


def jacobi_by_second(n: Any, alpha: Any, beta: Any, x: Any, y: Any) -> Any:
    """The same by its second parameter."""
    return _jacobi(n, alpha, beta, x, y, alpha, -1.0) + unknown_beside(n, "eval_jacobi by beta")


def shifted_by_first(n: Any, p: Any, q: Any, x: Any, y: Any) -> Any:
    """The derivative of a shifted Jacobi polynomial `y`, which has a factor (DLMF 18.7.2), by its first
    parameter."""
    scale, z = sc.binom(2 * n + p - 1, n), 2 * x - 1
    by_parameter = jacobi_by_first(n, p - q, q - 1, z, y * scale)
    return by_parameter / scale - y * (sc.psi(2 * n + p) - sc.psi(n + p))


def shifted_by_second(n: Any, p: Any, q: Any, x: Any, y: Any) -> Any:
    """The same by its second parameter."""
    scale, z = sc.binom(2 * n + p - 1, n), 2 * x - 1
    first = jacobi_by_first(n, p - q, q - 1, z, y * scale)
    return (jacobi_by_second(n, p - q, q - 1, z, y * scale) - first) / scale


def _jacobi(n: Any, alpha: Any, beta: Any, x: Any, y: Any, other: Any, sign: float) -> Any:
    total: Any = 0.0
    for k in degrees_below(n):
        gap, whole = apart(n, k), alpha + beta + k + 1
        ratio = sc.poch(other + k + 1, gap) / sc.poch(whole, gap)
        share = np.where(gap % 2 == 0, 1.0, sign) * (whole + k) / gap * ratio
        part = y + share * sc.eval_jacobi(k, alpha, beta, x)
        total = total + np.where(k < n, part / (n + whole), 0.0)
    return total


def degrees_below(n: Any) -> range:
    """The degrees of the polynomials that take part."""
    return range(int(np.ceil(np.max(n, initial=0))))


def apart(n: Any, k: int) -> Any:
    """How far a degree is above another one, 1 where it is not."""
    return np.where(np.less(k, n), np.subtract(n, k), 1) * 1.0


def unknown_beside(n: Any, why: str) -> Any:
    """0 for whole degrees from 0 on, else what is not known."""
    known = np.equal(n, np.floor(n)) & np.greater_equal(n, 0)
    why = f"the derivative of '{why}': of degrees that are not whole there is no closed form."
    unknown = unknown_derivative(1.0, 0.5, why)
    return np.where(known, 0.0, np.asarray(unknown))[()]
