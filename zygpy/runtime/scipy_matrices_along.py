"""The tangents of functions of matrices, of Riccati equations and of eigenvalues of three diagonals, as plain
programs.

Rules mention these programs as `matrices_along.NAME`; a second derivative enters their source. Each is the
transpose of a cotangent in `scipy_matrices`. This module is imported with the rules of `scipy.linalg`, never
by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg as sl

from zygpy.runtime.decompositions import adjoint
from zygpy.runtime.hermitian import block_upper, upper_right
from zygpy.runtime.scipy_matrices import continuous_gain, discrete_gain, tridiagonal_vectors

# Powers and signs.


def power_along_matrix(a: Any, exponent: Any, y: Any, dot: Any) -> Any:
    """The tangent of a power of `a`: a block of that of a larger matrix (Higham 2008, theorem 3.6).

    The power of a real matrix may be complex by rounding alone.
    """
    whole = upper_right(sl.fractional_matrix_power(block_upper(a, dot), exponent))
    return whole if np.iscomplexobj(y) else np.real(whole)


def power_along_exponent(a: Any, y: Any, dot: Any) -> Any:
    """The tangent of a power of `a` where the exponent moves."""
    whole = dot * np.matmul(y, sl.logm(a))
    return whole if np.iscomplexobj(y) else np.real(whole)


def sign_along(a: Any, y: Any, dot: Any) -> Any:
    """The tangent of `y = scipy.linalg.signm(a)` (Higham 2008, theorem 5.3)."""
    modulus = np.matmul(y, a)
    return sl.solve_sylvester(modulus, modulus, dot - np.matmul(np.matmul(y, dot), y))


# Riccati equations: with the gain f and a - b f the tangent solves a Lyapunov equation.


def continuous_along_weight(a: Any, b: Any, r: Any, y: Any, dot: Any) -> Any:
    """The tangent of `scipy.linalg.solve_continuous_are(a, b, q, r)` where the constant term moves."""
    closed = a - np.matmul(b, continuous_gain(b, r, y))
    return -sl.solve_continuous_lyapunov(adjoint(closed), dot)


def continuous_along_state(a: Any, b: Any, r: Any, y: Any, dot: Any) -> Any:
    """The same where `a` moves."""
    half = np.matmul(y, dot)
    return continuous_along_weight(a, b, r, y, half + adjoint(half))


def continuous_along_input(a: Any, b: Any, r: Any, y: Any, dot: Any) -> Any:
    """The same where `b` moves."""
    return -continuous_along_state(a, b, r, y, np.matmul(dot, continuous_gain(b, r, y)))


def continuous_along_cost(a: Any, b: Any, r: Any, y: Any, dot: Any) -> Any:
    """The same where `r` moves."""
    gain = continuous_gain(b, r, y)
    return continuous_along_weight(a, b, r, y, np.matmul(np.matmul(adjoint(gain), dot), gain))


def discrete_along_weight(a: Any, b: Any, r: Any, y: Any, dot: Any) -> Any:
    """The tangent of `scipy.linalg.solve_discrete_are(a, b, q, r)` where the constant term moves."""
    closed = a - np.matmul(b, discrete_gain(a, b, r, y))
    return sl.solve_discrete_lyapunov(adjoint(closed), dot)


def discrete_along_state(a: Any, b: Any, r: Any, y: Any, dot: Any) -> Any:
    """The same where `a` moves."""
    closed = a - np.matmul(b, discrete_gain(a, b, r, y))
    half = np.matmul(np.matmul(adjoint(closed), y), dot)
    return sl.solve_discrete_lyapunov(adjoint(closed), half + adjoint(half))


def discrete_along_input(a: Any, b: Any, r: Any, y: Any, dot: Any) -> Any:
    """The same where `b` moves."""
    return -discrete_along_state(a, b, r, y, np.matmul(dot, discrete_gain(a, b, r, y)))


def discrete_along_cost(a: Any, b: Any, r: Any, y: Any, dot: Any) -> Any:
    """The same where `r` moves."""
    gain = discrete_gain(a, b, r, y)
    return discrete_along_weight(a, b, r, y, np.matmul(np.matmul(adjoint(gain), dot), gain))


# Symmetric tridiagonal matrices.


def tridiagonal_along_diagonal(d: Any, e: Any, dot: Any) -> Any:
    """The tangent of the eigenvalues where the diagonal moves."""
    vectors = tridiagonal_vectors(d, e)
    return np.matmul(dot, vectors * vectors)


def tridiagonal_along_beside(d: Any, e: Any, dot: Any) -> Any:
    """The tangent of the eigenvalues where the entries beside the diagonal move."""
    vectors = tridiagonal_vectors(d, e)
    return 2 * np.matmul(dot, vectors[1:] * vectors[:-1])
