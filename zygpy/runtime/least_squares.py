"""What comes back through pseudo-inverses and least squares, as plain programs of NumPy.

Source of the formulas: G. H. Golub and V. Pereyra, The differentiation of pseudo-inverses and nonlinear
least squares problems whose variables separate (1973).
"""

from __future__ import annotations

import math
from types import NoneType
from typing import Any

import numpy as np

from zygpy.errors import MissingRuleError
from zygpy.runtime.broadcast import unbroadcast
from zygpy.runtime.decompositions import (
    adjoint,
    diagonal,
    from_singular_values,
    hermitian_of,
    real,
    reciprocals,
    turned_into_values,
)
from zygpy.runtime.hermitian import triangle, triangle_transpose
from zygpy.runtime.linear_algebra import rounding_of
from zygpy.runtime.reductions import quotient

ROUNDING = 1e4
"""Singular values below so many units of rounding of the largest one count as zero."""


def pinv_cotangent(a: Any, y: Any, bar: Any, hermitian: Any = False) -> Any:
    """What comes back to `a` in `y = np.linalg.pinv(a)`.

    Of a matrix that was not cut off the rank is held; with `hermitian` the lower triangle gets it all.
    """
    a = np.asarray(a)
    if np.size(a) == 0:
        return np.zeros_like(a)
    whole = hermitian_of(a) if hermitian else a
    back = _cut_off(whole, y, bar) if is_cut_off(whole, y) else _of_same_rank(whole, y, bar)
    return triangle(back) if hermitian else back


def pinv_along(a: Any, y: Any, dot: Any, hermitian: Any = False) -> Any:
    """The tangent of `y = np.linalg.pinv(a)`; that of its conjugate transpose is its own adjoint."""
    moved = triangle_transpose(dot) if hermitian else dot
    return adjoint(pinv_cotangent(hermitian_of(a) if hermitian else a, y, adjoint(moved)))


def _of_same_rank(a: Any, y: Any, bar: Any) -> Any:
    """Golub and Pereyra's formula (4.12), turned round."""
    p, turned = adjoint(y), adjoint(bar)
    back = -np.matmul(np.matmul(p, bar), p)
    beside = turned - np.matmul(a, np.matmul(y, turned))
    below = turned - np.matmul(np.matmul(turned, y), a)
    return back + np.matmul(np.matmul(beside, y), p) + np.matmul(p, np.matmul(y, below))


def is_cut_off(a: Any, y: Any) -> bool:
    """Whether singular values that are not zero were left out of a pseudo-inverse."""
    if min(a.shape[-2:]) == 0 or not np.all(np.isfinite(y)):
        return False
    s = np.linalg.svd(a, compute_uv=False)
    left_out = np.matmul(np.matmul(a, y), a) - a
    size = np.max(np.abs(left_out), axis=(-2, -1))
    return bool(np.any(size > ROUNDING * rounding_of(s) * s[..., 0]))


def _cut_off(a: Any, y: Any, bar: Any) -> Any:
    """The same of a matrix whose smaller singular values were left out: divided differences of what the
    pseudo-inverse makes of singular values (Noferini 2017, A formula for the Frechet derivative of a
    generalized matrix function)."""
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    v = adjoint(vh)
    found = np.real(diagonal(np.matmul(np.matmul(vh, y), u)))
    kept = found * s > 0.5
    g = np.where(kept, reciprocals(s), 0)
    m = np.matmul(np.matmul(adjoint(u), adjoint(bar)), v)
    even, odd = (m + adjoint(m)) / 2, (m - adjoint(m)) / 2
    across, along = np.expand_dims(s, -2), np.expand_dims(s, -1)
    of_even = _divided(g, across, along, kept)
    of_odd = quotient(np.expand_dims(g, -2) + np.expand_dims(g, -1), across + along)
    back = np.matmul(np.matmul(u, of_even * even + of_odd * odd), vh)
    weights = np.expand_dims(quotient(g, s), -2)
    beside = adjoint(bar) - np.matmul(u, np.matmul(adjoint(u), adjoint(bar)))
    below = adjoint(bar) - np.matmul(np.matmul(adjoint(bar), v), vh)
    back = back + np.matmul(np.matmul(beside, v) * weights, vh)
    return back + np.matmul(u * weights, np.matmul(adjoint(u), below))


def _divided(g: Any, across: Any, along: Any, kept: Any) -> Any:
    """(g[j] - g[i]) / (s[j] - s[i]), where `g` is the inverse of what is kept, else zero."""
    differences = quotient(np.expand_dims(g, -2) - np.expand_dims(g, -1), across - along)
    both = np.logical_and(np.expand_dims(kept, -2), np.expand_dims(kept, -1))
    return np.where(both, -reciprocals(across * along), differences)


def check_matrices(a: Any, b: Any) -> None:
    """Raise MissingRuleError for stacks, of which newer versions of SciPy solve each."""
    if np.ndim(a) != 2 or np.ndim(b) > 2:
        raise MissingRuleError(
            "'scipy.linalg.lstsq' has no rule for stacks.",
            why="it is not implemented",
            instead="call it for one after the other, or multiply by 'pinv(a)'",
        )


def lstsq_to_matrix(a: Any, b: Any, y: Any, bars: Any, rcond: Any = None) -> Any:
    """What comes back to `a` in `np.linalg.lstsq(a, b, rcond)`."""
    check_matrices(a, b)
    x_bar, residuals_bar, _, values_bar = bars
    a, right = np.asarray(a), columns(b)
    back = np.zeros(np.shape(a), y[0].dtype)
    if not isinstance(x_bar, NoneType):
        inverse = pseudo_inverse(a, rcond, y[0])
        bar = np.reshape(x_bar, (a.shape[1], right.shape[1]))
        back = back + pinv_cotangent(a, inverse, np.matmul(bar, adjoint(right)))
    if not isinstance(residuals_bar, NoneType):
        x = np.reshape(y[0], (a.shape[1], right.shape[1]))
        back = back - np.matmul(scaled_left_over(a, right, x, residuals_bar), adjoint(x))
    if not isinstance(values_bar, NoneType):
        back = back + from_singular_values(a, real(values_bar))
    return back


def lstsq_to_right(a: Any, b: Any, y: Any, bars: Any, rcond: Any = None) -> Any:
    """What comes back to `b` in `np.linalg.lstsq(a, b, rcond)`."""
    check_matrices(a, b)
    x_bar, residuals_bar, _, _ = bars
    a, right = np.asarray(a), columns(b)
    back = np.zeros(np.shape(right), y[0].dtype)
    if not isinstance(x_bar, NoneType):
        bar = np.reshape(x_bar, (a.shape[1], right.shape[1]))
        back = back + np.matmul(adjoint(pseudo_inverse(a, rcond, y[0])), bar)
    if not isinstance(residuals_bar, NoneType):
        x = np.reshape(y[0], (a.shape[1], right.shape[1]))
        back = back + scaled_left_over(a, right, x, residuals_bar)
    return np.reshape(back, np.shape(b))


def lstsq_along_matrix(a: Any, b: Any, y: Any, dot: Any, rcond: Any = None) -> Any:
    """The tangent of `np.linalg.lstsq(a, b, rcond)` where `a` moves."""
    check_matrices(a, b)
    a, right = np.asarray(a), columns(b)
    x = np.reshape(y[0], (a.shape[1], right.shape[1]))
    moved = np.matmul(pinv_along(a, pseudo_inverse(a, rcond, y[0]), dot), right)
    values = None if isinstance(y[3], NoneType) else turned_into_values(a, dot)
    left_over = left_over_along(y[1], twice_left_over(a, right, x), -np.matmul(dot, x))
    return np.reshape(moved, np.shape(y[0])), left_over, 0.0, values


def lstsq_along_right(a: Any, b: Any, y: Any, dot: Any, rcond: Any = None) -> Any:
    """The tangent of `np.linalg.lstsq(a, b, rcond)` where `b` moves."""
    check_matrices(a, b)
    a, right, dots = np.asarray(a), columns(b), columns(dot)
    x = np.reshape(y[0], (a.shape[1], right.shape[1]))
    moved = np.matmul(pseudo_inverse(a, rcond, y[0]), dots)
    values = None if isinstance(y[3], NoneType) else np.zeros_like(y[3])
    left_over = left_over_along(y[1], twice_left_over(a, right, x), dots)
    return np.reshape(moved, np.shape(y[0])), left_over, 0.0, values


def left_over_along(y: Any, twice: Any, dot: Any) -> Any:
    """The tangents of sums of squares, which may have been left out."""
    if np.size(y) == 0:
        return np.zeros_like(y)
    return np.reshape(np.real(np.sum(np.conj(twice) * dot, axis=0)), np.shape(y))[()]


def columns(b: Any) -> Any:
    """The right-hand sides of a problem of least squares as columns."""
    b = np.asarray(b)
    return np.expand_dims(b, -1) if b.ndim == 1 else b


def twice_left_over(a: Any, right: Any, x: Any) -> Any:
    """The derivative of the sums of squares of what a solution leaves over."""
    return 2 * (right - np.matmul(a, x))


def scaled_left_over(a: Any, right: Any, x: Any, bar: Any) -> Any:
    """What comes back to the product from the sums of squares, which may have been left out."""
    return twice_left_over(a, right, x) * real(bar) if np.size(bar) > 0 else np.zeros_like(right)


def pseudo_inverse(a: Any, rcond: Any, x: Any) -> Any:
    """The pseudo-inverse that `np.linalg.lstsq` multiplies with, in the precision of its solution."""
    if isinstance(rcond, NoneType):
        return np.linalg.pinv(a, rounding_of(x) * max(a.shape))
    return np.linalg.pinv(a, rounding_of(x) if rcond < 0 else rcond)


# Inverses and solutions of arrays of more axes.


def tensorinv_cotangent(y: Any, bar: Any, ind: Any = 2) -> Any:
    """What comes back to `a` in `np.linalg.tensorinv(a, ind)`."""
    count = np.ndim(y) - ind
    rows = math.prod(y.shape[:count])
    p = adjoint(np.reshape(y, (rows, -1)))
    back = -np.matmul(np.matmul(p, np.reshape(bar, (rows, -1))), p)
    return np.reshape(back, y.shape[count:] + y.shape[:count])


def tensorsolve_to_matrix(a: Any, b: Any, y: Any, bar: Any, axes: Any = None) -> Any:
    """What comes back to `a` in `np.linalg.tensorsolve(a, b, axes)`."""
    order = order_of(np.ndim(a), axes)
    moved = np.transpose(a, order)
    solved = np.reshape(tensorsolve_to_right(a, b, bar, axes), -1)
    back = -np.reshape(np.outer(solved, np.conj(y)), np.shape(moved))
    return np.transpose(back, np.argsort(order))


def tensorsolve_to_right(a: Any, b: Any, bar: Any, axes: Any = None) -> Any:
    """What comes back to `b` in `np.linalg.tensorsolve(a, b, axes)`."""
    moved = np.transpose(a, order_of(np.ndim(a), axes))
    matrix = np.reshape(moved, (-1, np.size(bar)))
    return np.reshape(np.linalg.solve(adjoint(matrix), np.reshape(bar, -1)), np.shape(b))


def tensorsolve_right(a: Any, b: Any, y: Any, dot: Any, axes: Any = None) -> Any:
    """The product of a matrix as in `np.linalg.tensorsolve(a, b, axes)` with a solution."""
    moved = np.transpose(dot, order_of(np.ndim(a), axes))
    return np.reshape(np.matmul(np.reshape(moved, (-1, np.size(y))), np.reshape(y, -1)), np.shape(b))


def order_of(rank: int, axes: Any) -> list[int]:
    """The axes of an array, those that are named moved to the end."""
    order = list(range(rank))
    for axis in () if axes is None else axes:
        order.remove(axis)
        order.append(axis)
    return order


def multi_dot_cotangents(arrays: Any, bar: Any) -> Any:
    """What comes back to each of the matrices in `np.linalg.multi_dot(arrays)`."""
    if len(arrays) == 2 and (np.ndim(arrays[0]) == 0 or np.ndim(arrays[1]) == 0):
        shares = [bar * np.conj(arrays[1]), bar * np.conj(arrays[0])]
        return [unbroadcast(share, np.shape(one)) for share, one in zip(shares, arrays, strict=True)]
    turned = [adjoint(one) for one in as_matrices(arrays)]
    seed = np.add(np.reshape(bar, (turned[0].shape[1], turned[-1].shape[0])), 0.0)  # which is no view
    backs = [np.reshape(chained(joined([], seed, turned[1:][::-1])), np.shape(arrays[0]))]
    for place in range(1, len(arrays)):
        before, behind = turned[:place], turned[place + 1 :]
        back = chained(joined(before[::-1], seed, behind[::-1]))
        backs.append(as_factor(back, np.shape(arrays[place])))
    return backs


def joined(before: list[Any], one: Any, behind: list[Any]) -> list[Any]:
    """Two lists with something between them."""
    found = list(before)
    found.append(one)
    found.extend(behind)
    return found


def as_factor(matrix: Any, shape: Any) -> Any:
    """A matrix in the shape of a factor of a product, of which the last axis but one are the rows."""
    if len(shape) <= 2:
        return np.reshape(matrix, shape)
    return np.moveaxis(np.reshape(matrix, (shape[-2], *shape[:-2], shape[-1])), 0, -2)


def chained(matrices: Any) -> Any:
    """`np.linalg.multi_dot` of matrices alone."""
    return np.linalg.multi_dot(matrices)


def as_matrices(arrays: Any) -> Any:
    """The factors of a product, of which the first and the last may be vectors, or two of any rank."""
    matrices = [np.asarray(one) for one in arrays]
    if matrices[0].ndim != 2:
        matrices[0] = np.reshape(matrices[0], (-1, matrices[0].shape[-1]))
    if matrices[-1].ndim == 1:
        matrices[-1] = np.reshape(matrices[-1], (-1, 1))
    if matrices[-1].ndim > 2:
        rows = matrices[-1].shape[-2]
        matrices[-1] = np.reshape(np.moveaxis(matrices[-1], -2, 0), (rows, -1))
    return matrices


def multi_dot_along(arrays: Any, dots: Any) -> Any:
    """The tangent of `np.linalg.multi_dot(arrays)`."""
    factors = list(arrays)
    total: Any = 0.0
    for place, dot in enumerate(dots):
        if dot is not None:
            total = total + np.linalg.multi_dot(joined(factors[:place], dot, factors[place + 1 :]))
    return total
