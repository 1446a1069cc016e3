"""Polynomials by their coefficients, of which NumPy drops leading ones that are exactly zero.

What is dropped has no place in the result, although the polynomial depends on it: where it may have a
gradient, the program is refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.errors import MissingRuleError
from zygpy.runtime.scans import with_leading_zeros


def polynomial(c_or_r: Any, r: Any = False, variable: Any = None) -> Any:
    """`np.poly1d`."""
    made: Any = object.__new__(np.poly1d)
    if isinstance(c_or_r, np.poly1d):
        made._coeffs = c_or_r.coeffs
        made._variable = c_or_r.variable if variable is None else variable
        return made
    given = np.atleast_1d(np.poly(c_or_r) if r else c_or_r)
    check_leading(given)
    made._coeffs = given
    made._variable = "x" if variable is None else variable
    return made


def check_leading(coefficients: Any) -> None:
    """Refuse coefficients of which the first is dropped."""
    if np.ndim(coefficients) > 1:
        raise ValueError("Polynomial must be 1d only.")
    if len(coefficients) == 0 or coefficients[0] == 0:
        raise dropped()


def dropped() -> MissingRuleError:
    """The error for a leading coefficient that is exactly zero."""
    return MissingRuleError(
        "a polynomial has a leading coefficient that is exactly zero, which NumPy drops.",
        why="the polynomial depends on it, but the result has no place for its gradient",
        instead="use np.polyval with an array of coefficients, or leave out what is zero and stays so",
    )


def with_leading_terms(value: Any, count: int, other: Any) -> Any:
    """The cotangent of all `count` terms of a product, zero for those in front that were dropped."""
    check_dropped(np.atleast_1d(other)[: count - len(value)])
    return with_leading_zeros(value, count)


def check_dropped(terms: Any) -> None:
    """Refuse a product whose dropped terms depend on a factor: these are the other's coefficients there."""
    if np.any(terms):
        raise dropped()
