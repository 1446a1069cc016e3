"""The tangents of the factorisations and functions of matrices of `scipy.linalg`, as plain programs.

Rules mention these programs as `factors_along.NAME`; they are differentiated through their source. Each is
the transpose of a cotangent in `scipy_factors` or `scipy_functions`. This module is imported with the rules
of `scipy.linalg`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.runtime.decompositions import adjoint, diagonal, inverse_differences
from zygpy.runtime.decompositions_along import cholesky_along
from zygpy.runtime.decompositions_along import factors_along as qr_factors_along
from zygpy.runtime.hermitian import block_upper, triangle_transpose, upper_right
from zygpy.runtime.linear_algebra import inverse
from zygpy.runtime.matrix_norms import unitary_factor_cotangent
from zygpy.runtime.products import swapped
from zygpy.runtime.scipy_factors import (
    KEEPS,
    cho_solved,
    columns_in_order,
    in_mode,
    in_order,
    lu_solved,
    order_of,
    split,
    vectors_of,
)
from zygpy.runtime.scipy_functions import check_band, check_matrix, frechet
from zygpy.runtime.scipy_solutions import as_columns, code_of, shifted

# Cholesky factors.


def factored_along(y: Any, dot: Any, lower: Any) -> Any:
    """The tangent of `factored(a, lower)`."""
    if lower:
        found, rest = cholesky_along(np.tril(y), dot), np.triu(dot, 1)
    else:
        found, rest = cholesky_along(np.triu(y), dot, True), np.tril(dot, -1)
    return found + rest if KEEPS else found


def cho_solved_along(c: Any, lower: Any, b: Any, y: Any, dot: Any) -> Any:
    """The tangent of `cho_solved(c, lower, b)` where the factor moves."""
    vector = np.ndim(b) == 1
    x = as_columns(y, vector)
    if lower:
        factor, moving = np.tril(c), np.tril(dot)
        turned, turning = adjoint(factor), adjoint(moving)
    else:
        turned, turning = np.triu(c), np.triu(dot)
        factor, moving = adjoint(turned), adjoint(turning)
    right = np.matmul(moving, np.matmul(turned, x)) + np.matmul(factor, np.matmul(turning, x))
    return -cho_solved(c, lower, right[..., 0] if vector else right)


# LU factors.


def lu_along(lower: Any, upper: Any, dot: Any) -> Any:
    """The tangents of both factors of `lower @ upper`, which moves along `dot`."""
    count = upper.shape[-2]
    first, last = lower[..., :count, :], upper[..., :count]
    core = np.matmul(np.matmul(inverse(first), dot[..., :count, :count]), inverse(last))
    lower_dot, upper_dot = np.matmul(first, np.tril(core, -1)), np.matmul(np.triu(core), last)
    if lower.shape[-2] > count:
        below = dot[..., count:, :] - np.matmul(lower[..., count:, :], upper_dot)
        lower_dot = np.concatenate([lower_dot, np.matmul(below, inverse(last))], axis=-2)
    if upper.shape[-1] > count:
        beside = dot[..., :count, count:] - np.matmul(lower_dot[..., :count, :], upper[..., count:])
        upper_dot = np.concatenate([upper_dot, np.matmul(inverse(first), beside)], axis=-1)
    return lower_dot, upper_dot


def lu_factored_along(y: Any, dot: Any) -> Any:
    """The tangent of `lu_factored(a)`: of both factors in one matrix."""
    lu = y[0]
    lower, upper = split(lu)
    lower_dot, upper_dot = lu_along(lower, upper, in_order(dot, order_of(y[1], lu.shape[-2])))
    beside, below = np.zeros_like(lu[..., upper.shape[-2] :]), np.zeros_like(lu[..., upper.shape[-2] :, :])
    whole = np.concatenate([lower_dot, beside], axis=-1) + np.concatenate([upper_dot, below], axis=-2)
    return whole, np.zeros(np.shape(y[1]))


def lu_solved_along(lu: Any, pivots: Any, b: Any, y: Any, dot: Any, trans: Any) -> Any:
    """The tangent of `lu_solved(lu, pivots, b, trans)` where the factors move."""
    vector, turned = np.ndim(b) == 1, code_of(trans)
    lower, upper = split(lu)
    moving = np.matmul(np.tril(dot, -1), upper) + np.matmul(lower, np.triu(dot))
    moving = in_order(moving, np.argsort(order_of(pivots, lu.shape[-2]), axis=-1))
    if turned > 0:
        moving = swapped(moving) if turned == 1 else adjoint(moving)
    right = np.matmul(moving, as_columns(y, vector))
    return -lu_solved(lu, pivots, right[..., 0] if vector else right, trans)


def in_three_along(y: Any, dot: Any) -> Any:
    """The tangent of `in_three(a)`."""
    order, lower, upper = y
    lower_dot, upper_dot = lu_along(lower, upper, in_order(dot, np.argsort(order, axis=-1)))
    return np.zeros(np.shape(order)), lower_dot, upper_dot


# QR factors.


def factors_of_whole(a: Any, y: Any, dot: Any) -> Any:
    """The tangent of `whole(a)`."""
    return qr_factors_along(np.asarray(a), y[0], y[1], dot)


def in_mode_along(a: Any, y: Any, dot: Any, mode: Any) -> Any:
    """The tangent of `in_mode(a, mode)`."""
    a = np.asarray(a)
    if mode == "r":
        q, r = in_mode(a, "full")
        return (qr_factors_along(a, q, r, dot)[1],)
    return qr_factors_along(a, y[0], y[1], dot)


def in_order_along(a: Any, y: Any, dot: Any, mode: Any) -> Any:
    """The same with the order of columns, which has no tangent."""
    order = y[-1]
    a, dot = columns_in_order(np.asarray(a), order), columns_in_order(dot, order)
    none = np.zeros(np.shape(order))
    if mode == "r":
        q, r = in_mode(a, "full")
        return qr_factors_along(a, q, r, dot)[1], none
    q_dot, r_dot = qr_factors_along(a, y[0], y[1], dot)
    return q_dot, r_dot, none


# Eigenvalues of one Hermitian matrix, or two.


def eigh_along_first(y: Any, dot: Any, lower: Any) -> Any:
    """The tangent of `scipy.linalg.eigh(a, b)` where the first matrix moves."""
    values, vectors = y
    inner = _within(vectors, dot, "L" if lower else "U")
    return np.real(diagonal(inner)), np.matmul(vectors, inverse_differences(values) * inner)


def eigh_along_second(y: Any, dot: Any, lower: Any) -> Any:
    """The tangent of `scipy.linalg.eigh(a, b)` where the second matrix moves."""
    values, vectors = y
    inner = _within(vectors, dot, "L" if lower else "U")
    lengths = np.real(diagonal(inner))
    core = inverse_differences(values) * np.expand_dims(values, -2) * inner
    shorter = vectors * np.expand_dims(lengths / 2, -2)
    return -values * lengths, -np.matmul(vectors, core) - shorter


def eigvalsh_along_first(a: Any, b: Any, dot: Any, lower: Any) -> Any:
    """The tangent of `scipy.linalg.eigvalsh(a, b)` where the first matrix moves."""
    return np.real(diagonal(_within(vectors_of(a, b, lower), dot, "L" if lower else "U")))


def eigvalsh_along_second(a: Any, b: Any, y: Any, dot: Any, lower: Any) -> Any:
    """The tangent of `scipy.linalg.eigvalsh(a, b)` where the second matrix moves."""
    vectors = vectors_of(a, b, lower)
    return -y * np.real(diagonal(_within(vectors, dot, "L" if lower else "U")))


def _within(vectors: Any, dot: Any, letter: Any) -> Any:
    """The tangent of a Hermitian matrix between eigenvectors."""
    return np.matmul(np.matmul(adjoint(vectors), triangle_transpose(dot, letter)), vectors)


# Functions of matrices.


def polar_along(a: Any, y: Any, dot: Any, side: Any) -> Any:
    """The tangent of `scipy.linalg.polar(a, side)`; that of the unitary factor is its own adjoint."""
    u, u_dot = y[0], unitary_factor_cotangent(a, dot)
    if side == "right":
        p_dot = np.matmul(adjoint(u), dot) + np.matmul(adjoint(u_dot), a)
    else:
        p_dot = np.matmul(dot, adjoint(u)) + np.matmul(a, adjoint(u_dot))
    return u_dot, (p_dot + adjoint(p_dot)) / 2


def frechet_along(a: Any, direction: Any, dot: Any) -> Any:
    """The second derivative of the exponential of `a`.

    Source: N. J. Higham and S. D. Relton, Higher order Frechet derivatives of matrix functions and the
    level-2 condition number (2014)."""
    return upper_right(frechet(block_upper(a, direction), block_upper(dot, np.zeros_like(direction))))


# Banded matrices.


def banded_along(l_and_u: Any, y: Any, dot: Any) -> Any:
    """The product of a banded matrix, of which `dot` has the diagonals, with columns."""
    check_matrix("solve_banded", dot, y)
    below, above = l_and_u
    total: Any = np.zeros_like(y)
    for place in range(-above, below + 1):
        row = dot[above + place]
        total = total + shifted((np.expand_dims(row, -1) if np.ndim(y) == 2 else row) * y, place)
    return total


def hermitian_banded_along(y: Any, dot: Any, lower: Any) -> Any:
    """The same of a Hermitian matrix, of which `dot` has the diagonals on one side."""
    check_band("solveh_banded", dot)
    count = np.shape(dot)[0]
    first = 0 if lower else 1 - count
    total: Any = np.zeros_like(y)
    for place in range(first, first + count):
        row = np.expand_dims(dot[place - first], -1) if np.ndim(y) == 2 else dot[place - first]
        if place == 0:
            total = total + np.real(row) * y
        else:
            total = total + shifted(row * y, place) + np.conj(row) * shifted(y, -place)
    return total
