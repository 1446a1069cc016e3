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


def numbers(given: Any) -> Any:
    """A number or array; lists of numbers are made arrays.

    >>> numbers([1.0, 2.0]) - 1
    array([0., 1.])
    """
    return given if isinstance(given, float | int) else np.asarray(given)[()]


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


UNDERFLOW = -600.0
"""Below this a logarithm belongs to a number of which SciPy may have made 0."""


def ratio(logarithm: Any, of_base: Any) -> Any:
    """The quotient of two numbers whose logarithms are given, 0 where both are 0.

    It is nan where the first may only be too small for a float, as SciPy often takes logarithms of densities.

    >>> float(ratio(-800.0, -800.0)), float(ratio(-np.inf, -np.inf)), float(ratio(-np.inf, -800.0))
    (1.0, 0.0, nan)
    """
    with np.errstate(all="ignore"):
        quotient = np.exp(np.subtract(logarithm, of_base))
        lost = np.less(of_base, UNDERFLOW) & np.not_equal(of_base, -np.inf)
        return np.where(np.equal(logarithm, -np.inf), np.where(lost, np.nan, 0.0), quotient)[()]


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
