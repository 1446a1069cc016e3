"""Polynomials by their coefficients, of which NumPy drops leading ones that are zero.

What is dropped has no place in the result, although the polynomial depends on it: where it may have a
gradient, the program is refused.
"""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from zygpy.errors import MissingRuleError
from zygpy.runtime.sampling import powers
from zygpy.runtime.scans import with_leading_zeros, without_leading_terms
from zygpy.runtime.unsolvable import quotient_or_nan


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


def kept_terms(value: Any, y: Any) -> Any:
    """The tangent of a product whose value is `y`, as far as its terms are there."""
    check_dropped(value[: len(value) - len(y)])
    return without_leading_terms(value, y)


# Division.


NUMPYS_DIVISION = inspect.unwrap(np.polydiv)


def polydiv(u: Any, v: Any) -> Any:
    """`np.polydiv`, which drops leading terms of the remainder that are (nearly) zero."""
    quotient, rest = NUMPYS_DIVISION(u, v)
    steps = max(np.size(u) - np.size(v) + 1, 0)  # each of them makes one term zero, whatever the coefficients
    return quotient, remainder_terms(rest, np.size(u) - np.size(rest) - steps)


def remainder_terms(rest: Any, missing: Any) -> Any:
    """A remainder without that many of the terms that it has as a rule."""
    return rest


def all_terms(bar: Any, missing: Any) -> Any:
    """The cotangent or tangent of a remainder, which must have all of its terms unless nothing comes in."""
    if missing > 0 and np.any(bar):
        raise MissingRuleError(
            "a remainder has leading terms that are zero, which np.polydiv drops.",
            why="the remainder depends on them, but the result has no place for their gradient",
            instead="use the quotient alone, and subtract its product with the divisor by np.convolve",
        )
    return bar


# Roots.


def to_coefficients(c: Any, roots: Any, bar: Any) -> Any:
    """What comes back to the coefficients, from the highest down: where c(x) = 0, dx = -dc(x) / c'(x)."""
    degree = len(c) - 1
    back = quotient_or_nan(bar, np.conj(evaluated(c[:-1] * np.arange(degree, 0, -1), roots)))
    powers = np.expand_dims(roots, -1) ** np.arange(degree, -1, -1)
    found = -np.matmul(back, np.conj(powers))
    return found if np.iscomplexobj(c) else np.real(found)


def of_coefficients(c: Any, roots: Any, dot: Any) -> Any:
    """The tangents of the roots of a polynomial of which the coefficients move."""
    degree = len(c) - 1
    slopes = evaluated(c[:-1] * np.arange(degree, 0, -1), roots)
    found = -quotient_or_nan(evaluated(dot, roots), slopes)
    return found if np.iscomplexobj(roots) else np.real(found)


def roots_along(p: Any, roots: Any, dot: Any) -> Any:
    """The tangents of `np.roots(p)`."""
    if np.size(roots) == 0:
        return 0.0 * roots
    return of_coefficients(np.ravel(p), roots, np.ravel(dot))


def slopes_of_powers(x: Any, dot: Any, count: int) -> Any:
    """The tangents of the powers count - 1, ..., 1, 0 of the elements of a vector, in rows."""
    slopes = np.expand_dims(dot, -1) * powers(x, count - 1) * np.arange(count - 1, 0, -1)
    return np.concatenate([slopes, np.zeros((len(x), 1), slopes.dtype)], axis=1)[:, :count]


def evaluated(c: Any, points: Any) -> Any:
    """The values of a polynomial."""
    return np.matmul(np.expand_dims(points, -1) ** np.arange(len(c) - 1, -1, -1), c + 0j)


def roots_back(p: Any, roots: Any, bar: Any) -> Any:
    """What comes back to `p` in `np.roots(p)`, also to coefficients that are exactly zero."""
    if np.size(roots) == 0:
        return 0.0 * np.asarray(p)
    found = to_coefficients(np.ravel(p), roots, bar)
    return np.reshape(found.astype(dtype_of_terms(p)), np.shape(p))


def dtype_of_terms(p: Any) -> Any:
    """The dtype of a polynomial's coefficients as floats."""
    dtype = np.asarray(p).dtype
    return dtype if dtype.kind in "fc" else np.dtype(float)
