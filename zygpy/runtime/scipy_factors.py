"""What comes back through the factorisations of `scipy.linalg`, as plain programs.

Rules mention these programs as `factors.NAME`; a second derivative enters their source. This module is
imported with the rules of `scipy.linalg`, never by zygpy itself.
"""

from __future__ import annotations

from types import NoneType
from typing import Any

import numpy as np
import scipy.linalg as sl

from zygpy.errors import MissingRuleError
from zygpy.runtime.broadcast import unbroadcast
from zygpy.runtime.decompositions import (
    adjoint,
    cholesky_cotangent,
    diagonal,
    hermitian_of,
    in_diagonal,
    inverse_differences,
    qr_cotangent,
    real,
)
from zygpy.runtime.hermitian import triangle
from zygpy.runtime.linear_algebra import inverse
from zygpy.runtime.scipy_functions import check_alike, check_matrix
from zygpy.runtime.scipy_solutions import as_columns, code_of, conjugate, turned_back

# Cholesky factors.


def cho_factor(a: Any, lower: Any = False, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    """`scipy.linalg.cho_factor`."""
    return factored(a, lower, check_finite), lower


KEEPS = bool(sl.cho_factor(np.eye(2) + 0.5)[0][1, 0])
"""Whether the other triangle is that of the matrix: since SciPy 1.18 there are zeros."""


def factored(a: Any, lower: Any = False, check_finite: Any = True) -> Any:
    """The first of what `scipy.linalg.cho_factor` gives: a factor, and `a` or zeros in the other triangle."""
    return sl.cho_factor(np.asarray(a), lower, check_finite=check_finite)[0]


def factored_cotangent(y: Any, bar: Any, lower: Any) -> Any:
    """What comes back to `a` in `factored(a, lower)`."""
    read, rest = (np.tril(bar), np.triu(bar, 1)) if lower else (np.triu(bar), np.tril(bar, -1))
    factor = np.tril(y) if lower else np.triu(y)
    back = cholesky_cotangent(factor, read, not lower)
    return back + rest if KEEPS else back


def cho_solve(c_and_lower: Any, b: Any, overwrite_b: Any = False, check_finite: Any = True) -> Any:
    """`scipy.linalg.cho_solve`."""
    c, lower = c_and_lower
    if np.ndim(b) == 1:
        check_matrix("cho_solve", c)
    return cho_solved(c, lower, b, check_finite)


def cho_solved(c: Any, lower: Any, b: Any, check_finite: Any = True) -> Any:
    """`scipy.linalg.cho_solve` with a factor."""
    return sl.cho_solve((c, lower), b, check_finite=check_finite)


def cho_solved_to_factor(c: Any, lower: Any, b: Any, y: Any, bar: Any) -> Any:
    """What comes back to the factor in `cho_solved`: of L L^H, or U^H U, in the triangle that is read."""
    vector = np.ndim(b) == 1
    solved, x = as_columns(cho_solved(c, lower, bar), vector), as_columns(y, vector)
    back = -np.matmul(solved, adjoint(x))
    both = back + adjoint(back)
    if lower:
        return unbroadcast(np.tril(np.matmul(both, np.tril(c))), np.shape(c))
    return unbroadcast(np.triu(np.matmul(np.triu(c), both)), np.shape(c))


# LU factors: rows `order` of a are L U.


def lu_factor(a: Any, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    """`scipy.linalg.lu_factor`."""
    lu, pivots = lu_factored(a, check_finite)
    return lu, pivots


def lu_factored(a: Any, check_finite: Any = True) -> Any:
    """`scipy.linalg.lu_factor`, which does not overwrite."""
    return sl.lu_factor(a, check_finite=check_finite)


def order_of(pivots: Any, count: int) -> Any:
    """The order of the rows that exchanges, one after the other, lead to."""
    if np.ndim(pivots) > 1:
        return np.stack([order_of(one, count) for one in pivots])
    order = np.arange(count)
    for place, other in enumerate(pivots):
        order[[place, other]] = order[[other, place]]
    return order


def in_order(rows: Any, order: Any) -> Any:
    """The rows of matrices in an order."""
    return np.take_along_axis(rows, np.expand_dims(order, -1), axis=-2)


def split(lu: Any) -> Any:
    """The factors that are kept in one matrix."""
    count = min(lu.shape[-2:])
    unit = np.eye(lu.shape[-2], count, dtype=lu.dtype)
    return np.tril(lu[..., :count], -1) + unit, np.triu(lu[..., :count, :])


def lu_cotangent(lower: Any, upper: Any, lower_bar: Any, upper_bar: Any) -> Any:
    """What comes back to L U from its factors (Giles's rules for products, in triangles)."""
    count = upper.shape[-2]
    if upper.shape[-1] > count:
        return _wide_lu(lower, upper, lower_bar, upper_bar)
    if lower.shape[-2] > count:
        return _tall_lu(lower, upper, lower_bar, upper_bar)
    return _square_lu(lower, upper, lower_bar, upper_bar)


def _wide_lu(lower: Any, upper: Any, lower_bar: Any, upper_bar: Any) -> Any:
    count = upper.shape[-2]
    beside = np.matmul(adjoint(inverse(lower)), upper_bar[..., count:])
    lower_bar = lower_bar - np.matmul(beside, adjoint(upper[..., count:]))
    square = _square_lu(lower, upper[..., :count], lower_bar, upper_bar[..., :count])
    return np.concatenate([square, beside], axis=-1)


def _tall_lu(lower: Any, upper: Any, lower_bar: Any, upper_bar: Any) -> Any:
    count = upper.shape[-2]
    below = np.matmul(lower_bar[..., count:, :], adjoint(inverse(upper)))
    upper_bar = upper_bar - np.matmul(adjoint(lower[..., count:, :]), below)
    square = _square_lu(lower[..., :count, :], upper, lower_bar[..., :count, :], upper_bar)
    return np.concatenate([square, below], axis=-2)


def _square_lu(lower: Any, upper: Any, lower_bar: Any, upper_bar: Any) -> Any:
    of_lower = np.tril(np.matmul(adjoint(lower), lower_bar), -1)
    of_upper = np.triu(np.matmul(upper_bar, adjoint(upper)))
    core = np.matmul(of_lower + of_upper, adjoint(inverse(upper)))
    return np.matmul(adjoint(inverse(lower)), core)


def lu_factored_cotangent(y: Any, bars: Any) -> Any:
    """What comes back to `a` in `lu_factored(a)`."""
    lu, bar = y[0], bars[0]
    if isinstance(bar, NoneType):
        return np.zeros_like(lu)
    count = min(lu.shape[-2:])
    lower, upper = split(lu)
    back = lu_cotangent(lower, upper, np.tril(bar[..., :count], -1), np.triu(bar[..., :count, :]))
    return in_order(back, np.argsort(order_of(y[1], lu.shape[-2]), axis=-1))


def lu_solve(
    lu_and_piv: Any, b: Any, trans: Any = 0, overwrite_b: Any = False, check_finite: Any = True
) -> Any:
    """`scipy.linalg.lu_solve`."""
    lu, pivots = lu_and_piv
    check_alike("lu_solve", lu, b)
    return lu_solved(lu, pivots, b, trans, check_finite)


def lu_solved(lu: Any, pivots: Any, b: Any, trans: Any = 0, check_finite: Any = True) -> Any:
    """`scipy.linalg.lu_solve` with factors."""
    return sl.lu_solve((lu, pivots), b, trans, check_finite=check_finite)


def lu_solved_to_right(lu: Any, pivots: Any, b: Any, bar: Any, trans: Any) -> Any:
    """What comes back to `b` in `lu_solved`."""
    return unbroadcast(_lu_back(lu, pivots, bar, trans), np.shape(b))


def _lu_back(lu: Any, pivots: Any, bar: Any, trans: Any) -> Any:
    turned = code_of(trans)
    if turned == 1:
        return conjugate(lu_solved(lu, pivots, conjugate(bar), 0))
    return lu_solved(lu, pivots, bar, 2 - turned)


def lu_solved_to_factors(lu: Any, pivots: Any, b: Any, y: Any, bar: Any, trans: Any) -> Any:
    """What comes back to the factors, kept in one matrix, in `lu_solved`."""
    vector = np.ndim(b) == 1
    solved = as_columns(_lu_back(lu, pivots, bar, trans), vector)
    back = turned_back(solved, as_columns(y, vector), code_of(trans))
    back = in_order(back, order_of(pivots, lu.shape[-2]))
    lower, upper = split(lu)
    both = np.tril(np.matmul(back, adjoint(upper)), -1) + np.triu(np.matmul(adjoint(lower), back))
    return unbroadcast(both, np.shape(lu))


def lu(
    a: Any,
    permute_l: Any = False,
    overwrite_a: Any = False,
    check_finite: Any = True,
    p_indices: Any = False,
) -> Any:
    """`scipy.linalg.lu`, put together from its factors."""
    order, lower, upper = in_three(a, check_finite)
    if permute_l:
        return in_order(lower, order), upper
    return (order if p_indices else as_matrix(order, a)), lower, upper


def in_three(a: Any, check_finite: Any = True) -> Any:
    """`scipy.linalg.lu` with the order of rows as indices: `a` is the rows of L U in that order."""
    return sl.lu(a, check_finite=check_finite, p_indices=True)


def as_matrix(order: Any, a: Any) -> Any:
    """The permutation that SciPy gives as a matrix."""
    return sl.lu(a)[0]


def in_three_cotangent(y: Any, bars: Any) -> Any:
    """What comes back to `a` in `in_three(a)`."""
    order, lower, upper = y
    lower_bar = np.zeros_like(lower) if isinstance(bars[1], NoneType) else np.tril(bars[1], -1)
    upper_bar = np.zeros_like(upper) if isinstance(bars[2], NoneType) else np.triu(bars[2])
    return in_order(lu_cotangent(lower, upper, lower_bar, upper_bar), order)


# QR factors.


def qr(
    a: Any,
    overwrite_a: Any = False,
    lwork: Any = None,
    mode: Any = "full",
    pivoting: Any = False,
    check_finite: Any = True,
) -> Any:
    """`scipy.linalg.qr`; what LAPACK gives as it stands has no gradient."""
    check_mode(mode)
    return in_mode(a, mode, pivoting, check_finite)


def qr_full(a: Any) -> Any:
    """`scipy.linalg.qr` without a mode."""
    return whole(a)


def whole(a: Any) -> Any:
    """Both factors of the full decomposition."""
    return sl.qr(a)


def check_mode(mode: Any) -> None:
    """Raise MissingRuleError for the mode in which `scipy.linalg.qr` gives no factors."""
    if mode == "raw":
        raise MissingRuleError(
            "'scipy.linalg.qr' has no rule for mode='raw'.",
            why="it gives the reflections that the factors are made of",
            instead="use mode='full' or 'economic'",
        )


def in_mode(a: Any, mode: Any = "full", pivoting: Any = False, check_finite: Any = True) -> Any:
    """`scipy.linalg.qr` in one of the modes that give factors."""
    return sl.qr(a, mode=mode, pivoting=pivoting, check_finite=check_finite)


def in_mode_cotangent(a: Any, y: Any, bars: Any, mode: Any) -> Any:
    """What comes back to `a` in `in_mode(a, mode)`."""
    a = np.asarray(a)
    if mode == "r":
        return qr_cotangent(a, in_mode(a, "full"), (None, bars[0]))
    return qr_cotangent(a, (y[0], y[1]), (bars[0], bars[1]))


def whole_cotangent(a: Any, y: Any, bars: Any) -> Any:
    """What comes back to `a` in `whole(a)`."""
    return qr_cotangent(a, y, bars)


def in_order_cotangent(a: Any, y: Any, bars: Any, mode: Any) -> Any:
    """The same as `in_mode_cotangent` with the order of columns, which has no derivative."""
    back = in_mode_cotangent(columns_in_order(np.asarray(a), y[-1]), y, bars, mode)
    return columns_in_order(back, np.argsort(y[-1], axis=-1))


def columns_in_order(matrices: Any, order: Any) -> Any:
    """The columns of matrices in an order."""
    return np.take_along_axis(matrices, np.expand_dims(order, -2), axis=-1)


# Eigenvalues.


def of_pencil(y: Any, bars: Any) -> Any:
    """The factors of what comes back to both matrices of a Hermitian problem: vectors, and a core each."""
    values, vectors = y
    values_bar, vectors_bar = bars
    core = in_diagonal(np.zeros_like(values) if isinstance(values_bar, NoneType) else real(values_bar))
    if isinstance(vectors_bar, NoneType):
        return vectors, core, np.expand_dims(values, -2) * core
    inner = np.matmul(adjoint(vectors), vectors_bar)
    core = core + inner * inverse_differences(values)
    length = in_diagonal(np.real(diagonal(inner))) / 2
    return vectors, core, np.expand_dims(values, -2) * core + length


def eigh_to_first(y: Any, bars: Any, lower: Any) -> Any:
    """What comes back to `a` in `scipy.linalg.eigh(a, b)`: to the triangle that is read."""
    vectors, core, _ = of_pencil(y, bars)
    return triangle(np.matmul(np.matmul(vectors, core), adjoint(vectors)), "L" if lower else "U")


def eigh_to_second(y: Any, bars: Any, lower: Any) -> Any:
    """What comes back to `b` in `scipy.linalg.eigh(a, b)`."""
    vectors, _, core = of_pencil(y, bars)
    back = -np.matmul(np.matmul(vectors, core), adjoint(vectors))
    return triangle(back, "L" if lower else "U")


def eigvalsh_to_first(a: Any, b: Any, bar: Any, lower: Any) -> Any:
    """What comes back to `a` in `scipy.linalg.eigvalsh(a, b)`."""
    vectors = vectors_of(a, b, lower)
    back = np.matmul(vectors * np.expand_dims(real(bar), -2), adjoint(vectors))
    return triangle(back, "L" if lower else "U")


def eigvalsh_to_second(a: Any, b: Any, y: Any, bar: Any, lower: Any) -> Any:
    """What comes back to `b` in `scipy.linalg.eigvalsh(a, b)`."""
    return -eigvalsh_to_first(a, b, real(bar) * y, lower)


def vectors_of(a: Any, b: Any, lower: Any) -> Any:
    """The eigenvectors of a problem of two matrices, of which one triangle is read."""
    return sl.eigh(hermitian_of(a if lower else adjoint(a)), hermitian_of(b if lower else adjoint(b)))[1]


def pairs(a: Any, check_finite: Any = True) -> Any:
    """`scipy.linalg.eig` of one matrix."""
    return sl.eig(a, check_finite=check_finite)


def values_alone(a: Any, check_finite: Any = True) -> Any:
    """`scipy.linalg.eigvals` of one matrix."""
    return sl.eigvals(a, check_finite=check_finite)
