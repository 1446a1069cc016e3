"""Rational functions of `scipy.signal`, as polynomials, zeros and poles, residues or state spaces.

The values are SciPy's own; beside them they are computed in operations that have rules. This module is
imported with the rules of `scipy.signal`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.signal as ss

from zygpy.errors import MissingRuleError
from zygpy.runtime import filtering
from zygpy.runtime.library_values import as_given, told_by
from zygpy.runtime.polynomials import evaluated

# Polynomials.


def roots_of(c: Any, roots: Any) -> Any:
    """The roots of a polynomial, which are given, as a function of its coefficients from the highest down."""
    return np.array(roots) + 0j


def with_roots(roots: Any) -> Any:
    """The polynomial of these roots whose highest coefficient is 1."""
    c = np.ones(1, complex)
    for root in roots:
        zero = np.zeros(1, complex)
        c = np.concatenate([c, zero]) - root * np.concatenate([zero, c])
    return c


def characteristic(a: Any) -> Any:
    """The characteristic polynomial of a matrix.

    By the method of Leverrier and Faddeev, which divides by nothing but whole numbers.
    """
    count = len(a)
    found, inner = [1.0 + 0 * np.trace(a)], np.eye(count)
    for index in range(1, count + 1):
        product = np.matmul(a, inner)
        found.append(-np.trace(product) / index)
        inner = product + found[index] * np.eye(count)
    return np.stack(found)


def quotient(b: Any, a: Any, count: int) -> Any:
    """The first coefficients of the quotient of polynomials, from the highest down."""
    if count == 0:
        return np.zeros(0)
    return ss.lfilter(filtering.one(a), a, b[:count])


# Zeros, poles and state spaces.


def tf2zpk(b: Any, a: Any) -> Any:
    """`scipy.signal.tf2zpk`."""
    z, p, k = told_by(ss.tf2zpk, (b, a), {})
    b, a = np.atleast_1d(b), np.atleast_1d(a)
    b, a = b[len(b) - len(z) - 1 :], a[len(a) - len(p) - 1 :]
    return as_given(z, roots_of(b, z)), as_given(p, roots_of(a, p)), as_given(k, b[0] / a[0])


def ss2zpk(A: Any, B: Any, C: Any, D: Any, input: Any = 0) -> Any:  # noqa: N803 (SciPy's names)
    """`scipy.signal.ss2zpk` of systems with one output."""
    z, p, k = told_by(ss.ss2zpk, (A, B, C, D, input), {})
    A, B, C, D = ss.abcd_normalize(A, B, C, D)  # noqa: N806
    denominator = characteristic(A)
    through = D[0, input]
    numerator = characteristic(A - np.outer(B[:, input], C[0])) + (through - 1.0) * denominator
    numerator = numerator[len(numerator) - len(z) - 1 :]
    return (
        as_given(z, roots_of(numerator, z)),
        as_given(p, roots_of(denominator, p)),
        as_given(k, numerator[0]),
    )


def tf2ss(num: Any, den: Any) -> Any:
    """`scipy.signal.tf2ss`."""
    value = told_by(ss.tf2ss, (num, den), {})
    return in_states(value, np.atleast_2d(num), np.atleast_1d(den))


def zpk2ss(z: Any, p: Any, k: Any) -> Any:
    """`scipy.signal.zpk2ss`."""
    value = told_by(ss.zpk2ss, (z, p, k), {})
    numerator = k * with_roots(np.atleast_1d(z))
    return in_states(value, np.expand_dims(numerator, 0), with_roots(np.atleast_1d(p)))


def in_states(value: Any, num: Any, den: Any) -> Any:
    """The matrices of a system in its controller form, with the gradients of its polynomials."""
    a, b, c, d = value
    if np.size(d) == 0:
        return value
    den = den[first_of(den) :]
    order = len(den) - 1
    num = num[:, max(0, num.shape[1] - order - 1) :] / den[0]
    num = np.concatenate([np.zeros((num.shape[0], order + 1 - num.shape[1])), num], axis=1)
    den = den / den[0]
    through = num[:, :1]
    if order == 0:
        return a, b, c, as_given(d, through)
    below = np.eye(order - 1, order)
    states = np.concatenate([np.expand_dims(-den[1:], 0), below], axis=0)
    return as_given(a, states), b, as_given(c, num[:, 1:] - through * den[1:]), as_given(d, through)


def first_of(c: Any) -> int:
    """The place of the first coefficient that is not zero."""
    return int(np.flatnonzero(c)[0])


# Partial fractions, of poles that lie apart.


def residue(b: Any, a: Any, tol: Any = 1e-3, rtype: Any = "avg") -> Any:
    """`scipy.signal.residue`."""
    r, p, k = told_by(ss.residue, (b, a, tol, rtype), {})
    check_apart("residue", p)
    b, a = np.atleast_1d(b), np.atleast_1d(a)
    a = a[len(a) - len(p) - 1 :]
    poles = roots_of(a, p)
    found = evaluated(b, poles) / evaluated(a[:-1] * np.arange(len(p), 0, -1), poles)
    whole = quotient(b[max(0, len(b) - len(p) - len(k)) :], a, len(k))
    return as_given(r, found), as_given(p, poles), as_given(k, whole)


def residuez(b: Any, a: Any, tol: Any = 1e-3, rtype: Any = "avg") -> Any:
    """`scipy.signal.residuez`."""
    r, p, k = told_by(ss.residuez, (b, a, tol, rtype), {})
    check_apart("residuez", p)
    b, a = np.atleast_1d(b), np.atleast_1d(a)
    a = a[: len(p) + 1]
    poles = roots_of(a, p)
    slopes = evaluated(a[:-1] * np.arange(len(p), 0, -1), poles)
    found = evaluated(np.flip(b), 1.0 / poles) * poles ** (len(p) - 1) / slopes
    whole = np.flip(quotient(np.flip(b[: len(p) + len(k)]), np.flip(a), len(k)))
    return as_given(r, found), as_given(p, poles), as_given(k, whole)


def check_apart(name: str, poles: Any) -> None:
    """Refuse poles that lie together, which SciPy takes for one."""
    if len(np.unique(poles)) < len(poles):
        raise MissingRuleError(
            f"'scipy.signal.{name}' has no rule for poles of higher order.",
            why="such a pole has no derivative by the coefficients",
            instead="give it a smaller 'tol' if the poles lie apart",
        )
