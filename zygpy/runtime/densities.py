"""What rules of `scipy.stats` are made of; loaded with SciPy alone.

The rules say how the logarithm of a density depends on the standardised argument (`density_slopes`) and on
shape parameters (`density_trends`), and how a quantile moves with a shape parameter (`quantile_shifts`); the
distribution functions and their inverses follow from these.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.runtime.unknown_derivatives import unknown_derivative


def standard(x: Any, loc: Any, scale: Any) -> Any:
    """`(x - loc) / scale`, silent where the primal had its say."""
    with np.errstate(all="ignore"):
        return np.divide(np.subtract(x, loc), scale)


def inner(z: Any, outcome: Any, outside: float, instead: float) -> Any:
    """`z`, and another point where the outcome is what it is outside of the support, or nan.

    >>> inner(np.array([-1.0, 2.0]), np.array([0.0, 0.3]), 0.0, 0.5).tolist()
    [0.5, 2.0]
    """
    return np.where(np.equal(outcome, outside) | np.isnan(outcome), instead, z)[()]


def within(value: Any, outcome: Any, outside: float) -> Any:
    """`value`, but 0 where the outcome is what it is outside of the support, and nan where that is nan.

    >>> within(3.0, np.array([-np.inf, 1.0, np.nan]), -np.inf).tolist()
    [0.0, 3.0, nan]
    """
    beside = np.where(np.isnan(outcome), np.nan, 0.0)
    return np.where(np.equal(outcome, outside) | np.isnan(outcome), beside, value)[()]


def ratio(logarithm: Any, of_base: Any) -> Any:
    """The quotient of two numbers whose logarithms are given, 0 where both are 0.

    >>> float(ratio(-800.0, -800.0)), float(ratio(-np.inf, -np.inf))
    (1.0, 0.0)
    """
    with np.errstate(all="ignore"):
        return np.where(np.equal(logarithm, -np.inf), 0.0, np.exp(np.subtract(logarithm, of_base)))[()]


def reciprocal(logarithm: Any) -> Any:
    """The reciprocal of what has this logarithm, silent."""
    with np.errstate(all="ignore"):
        return np.exp(np.negative(logarithm))


def raised_to(z: Any, power: Any) -> Any:
    """`z ** power`, silent."""
    with np.errstate(all="ignore"):
        return np.power(np.asarray(z, float), power)[()]


WHY = "the rules of distributions are about real numbers."


def of_reals(g: Any, *given: Any) -> Any:
    """The cotangent `g`, which is not known where one of these is complex."""
    if any(np.iscomplexobj(one) for one in given):
        return unknown_derivative(g, 0.5, f"the derivative of a distribution by complex numbers: {WHY}")
    return g
