"""Rosenbrock's function, which `scipy.optimize` has as an example, and its derivatives.

Its value is the sum of 100 (x[i+1] - x[i]**2)**2 + (1 - x[i])**2 over neighbours.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.optimize as so

from zygpy.rules.declare import stands_for
from zygpy.runtime.library_values import as_given, told_by


def value(x: Any) -> Any:
    """`scipy.optimize.rosen`."""
    told = told_by(so.rosen, (x,), {})
    x = np.asarray(x)
    return as_given(told, np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2, axis=0))


def slope(x: Any) -> Any:
    """`scipy.optimize.rosen_der`."""
    told = told_by(so.rosen_der, (x,), {})
    x = np.asarray(x)
    rest, nothing = x[1:] - x[:-1] ** 2, np.zeros_like(x[:1])
    by_left = -400.0 * x[:-1] * rest - 2 * (1 - x[:-1])
    return as_given(told, np.concatenate([by_left, nothing]) + np.concatenate([nothing, 200.0 * rest]))


def bends(x: Any) -> Any:
    """The diagonal of the Hessian."""
    left = 1200.0 * x[:-1] ** 2 - 400.0 * x[1:] + 2
    return np.concatenate([left, np.zeros(1)]) + np.concatenate([np.zeros(1), np.full(len(x) - 1, 200.0)])


def hessian(x: Any) -> Any:
    """`scipy.optimize.rosen_hess`."""
    told = told_by(so.rosen_hess, (x,), {})
    x = np.atleast_1d(x)
    beside = -400.0 * x[:-1]
    return as_given(told, np.diag(bends(x)) + np.diag(beside, 1) + np.diag(beside, -1))


def product(x: Any, p: Any) -> Any:
    """`scipy.optimize.rosen_hess_prod`."""
    told = told_by(so.rosen_hess_prod, (x, p), {})
    x, p = np.atleast_1d(x), np.asarray(p)
    beside = -400.0 * x[:-1]
    nothing = np.zeros(1)
    above, below = np.concatenate([beside * p[1:], nothing]), np.concatenate([nothing, beside * p[:-1]])
    return as_given(told, bends(x) * p + above + below)


for _function, _program in (
    (so.rosen, value),
    (so.rosen_der, slope),
    (so.rosen_hess, hessian),
    (so.rosen_hess_prod, product),
):
    stands_for(_function, _program)
