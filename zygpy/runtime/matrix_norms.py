"""What comes back through norms and condition numbers of matrices, as plain programs of NumPy.

Source of the formulas: G. A. Watson, Characterization of the subdifferential of some matrix norms (1992).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.runtime.broadcast import axes_of
from zygpy.runtime.decompositions import adjoint, from_singular_values, reciprocals
from zygpy.runtime.decompositions_along import singular_along
from zygpy.runtime.indexing import float_dtype
from zygpy.runtime.linear_algebra import (
    in_floats,
    inverse,
    power_or_zero,
    signed_power,
    spread_norm,
)
from zygpy.runtime.reductions import quotient


def vector_norm_cotangent(bar: Any, x: Any, y: Any, order: Any, axis: Any, keepdims: Any = False) -> Any:
    """What comes back to `x` from the norms of all that lies along one or more axes."""
    x = in_floats(x)
    order = 2 if order is None else order
    exponent = 1 if order in (0, np.inf, -np.inf) else order
    weights = np.real(bar) * power_or_zero(y, 1 - exponent)
    return spread_norm(weights, x, order, axis, keepdims) * signed_power(x, exponent - 2)


def weights(x: Any, order: Any = 2, axis: Any = None) -> Any:
    """The derivative of `np.linalg.norm(x, order, axis)` by each element."""
    axes = axes_of(axis, np.ndim(x))
    if order is None or len(axes) != 2:
        return weights_of_vectors(x, order, axis)
    x = in_floats(x)
    shape = [length for place, length in enumerate(np.shape(x)) if place % x.ndim not in axes]
    return along_matrices(np.ones(shape, np.real(x).dtype), x, order, axes)


def weights_of_vectors(x: Any, order: Any = 2, axis: Any = None) -> Any:
    """The derivative of `np.linalg.vector_norm(x, axis, ord=order)` by each element."""
    x = in_floats(x)
    y = np.linalg.vector_norm(x, axis=axis, keepdims=True, ord=2 if order is None else order)
    return vector_norm_cotangent(np.ones_like(y), x, y, order, axis, True)


def weights_along(x: Any, dot: Any, order: Any = None, axis: Any = None) -> Any:
    """The tangent of `weights(x, order, axis)`, and what comes back through it: it is its own adjoint."""
    axes = axes_of(axis, np.ndim(x))
    if order is None or len(axes) != 2:
        return weights_of_vectors_along(x, dot, order, axis)
    moved, moving = np.moveaxis(in_floats(x), axes, (-2, -1)), np.moveaxis(dot, axes, (-2, -1))
    return np.moveaxis(_weights_of_matrices_along(moved, moving, order), (-2, -1), axes)


def _weights_of_matrices_along(x: Any, dot: Any, order: Any) -> Any:
    if order == "fro":
        return weights_of_vectors_along(x, dot, 2, (-2, -1))
    if order == "nuc":
        return unitary_factor_cotangent(x, dot)
    if order in (2, -2):
        u, s, vh = np.linalg.svd(x, full_matrices=False)
        u_dot, _, vh_dot = singular_along(u, s, vh, dot)
        chosen = np.expand_dims(one_of(x, 0 if order > 0 else -1) * np.sign(s), -2)
        return np.matmul(u_dot * chosen, vh) + np.matmul(u * chosen, vh_dot)
    sums = np.sum(np.abs(x), axis=-2 if abs(order) == 1 else -1, keepdims=True)
    return np.where(extreme_of(sums, order), _powers_along(x, dot, -1), 0)


def weights_of_vectors_along(x: Any, dot: Any, order: Any = 2, axis: Any = None) -> Any:
    """The tangent of `weights_of_vectors(x, order, axis)`."""
    x, order = in_floats(x), 2 if order is None else order
    exponent = 1 if order in (0, np.inf, -np.inf) else order
    y = np.linalg.vector_norm(x, axis=axis, keepdims=True, ord=order)
    scaled = spread_norm(power_or_zero(y, 1 - exponent), x, order, axis, True)
    moved = scaled * _powers_along(x, dot, exponent - 2)
    if exponent == 1:
        return moved
    own = scaled * signed_power(x, exponent - 2)
    y_dot = np.sum(np.real(np.conj(own) * dot), axis=axis, keepdims=True)
    return moved + own * ((1 - exponent) * quotient(y_dot, y))


def _powers_along(x: Any, dot: Any, exponent: Any) -> Any:
    """The tangent of `signed_power(x, exponent)`."""
    if exponent == 0:
        return dot
    turned = exponent * signed_power(x, exponent - 2) * np.real(np.conj(x) * dot)
    return dot * power_or_zero(np.abs(x), exponent) + turned


def along_matrices(bar: Any, x: Any, order: Any, axes: Any) -> Any:
    """What comes back from norms of matrices that lie along two axes."""
    moved = np.moveaxis(x, axes, (-2, -1))
    back = matrix_norm_cotangent(np.reshape(bar, moved.shape[:-2]), moved, order)
    return np.moveaxis(back, (-2, -1), axes)


def matrix_norm_cotangent(bar: Any, x: Any, order: Any) -> Any:
    """What comes back to a stack of matrices from their norms."""
    x = in_floats(x)
    seed = np.expand_dims(np.real(bar), (-2, -1))
    if order in (None, "fro"):
        size = np.sqrt(np.sum(np.abs(x) ** 2, axis=(-2, -1), keepdims=True))
        return seed * quotient(x, size)
    if order == "nuc":
        return seed * unitary_factor(x)
    if order in (2, -2):
        u, s, vh = np.linalg.svd(x, full_matrices=False)
        chosen = one_of(x, 0 if order > 0 else -1) * np.sign(s)
        return seed * np.matmul(u * np.expand_dims(chosen, -2), vh)
    sums = np.sum(np.abs(x), axis=-2 if abs(order) == 1 else -1, keepdims=True)
    return seed * np.where(extreme_of(sums, order), signed_power(x, -1), 0)


def one_of(x: Any, place: int) -> Any:
    """The cotangent of all singular values, of which one has the cotangent 1."""
    count = min(x.shape[-2:])
    return (np.arange(count) == place % max(count, 1)).astype(np.real(x).dtype)


def extreme_of(sums: Any, order: Any) -> Any:
    """Where the norm of this order picks one of the sums over rows or columns."""
    axis = -1 if abs(order) == 1 else -2
    if sums.shape[axis] == 0:
        return np.zeros(sums.shape, bool)
    picked = np.argmax(sums, axis=axis) if order > 0 else np.argmin(sums, axis=axis)
    places = np.arange(sums.shape[axis])
    return np.expand_dims(places, (-1 - axis) - 2) == np.expand_dims(picked, axis)


def unitary_factor(x: Any) -> Any:
    """The unitary factor of the polar decomposition; singular values of zero have no part in it."""
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    return np.matmul(u * np.expand_dims(np.sign(s), -2), vh)


def unitary_factor_cotangent(x: Any, bar: Any) -> Any:
    """What comes back to `x` in `unitary_factor(x)`; also where singular values are equal.

    Source: N. J. Higham, Functions of Matrices (2008), section 8.2, turned round.
    """
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    v = adjoint(vh)
    m = np.matmul(np.matmul(adjoint(u), bar), v)
    across = np.expand_dims(s, -2)
    core = quotient(m - adjoint(m), across + np.expand_dims(s, -1))
    back = np.matmul(np.matmul(u, core), vh)
    rows, columns = np.shape(x)[-2:]
    if rows > columns:  # else nothing lies beside, but rounding errors that are divided by zero
        beside = bar - np.matmul(u, np.matmul(adjoint(u), bar))
        back = back + np.matmul(quotient(np.matmul(beside, v), across), vh)
    if rows < columns:
        below = bar - np.matmul(np.matmul(bar, v), vh)
        back = back + np.matmul(quotient(u, across), np.matmul(adjoint(u), below))
    return back


def cond_cotangent(bar: Any, x: Any, order: Any = None) -> Any:
    """What comes back to `x` in `np.linalg.cond(x, order)`; zero where the matrix is singular."""
    x = in_floats(x)
    if order in (None, 2, -2):
        s = np.linalg.svd(x, compute_uv=False)
        first, last = s[..., :1], s[..., -1:]
        above, below = (last, first) if order == -2 else (first, last)
        of_above = reciprocals(below) * one_of(x, -1 if order == -2 else 0)
        of_below = quotient(above, below * below) * one_of(x, 0 if order == -2 else -1)
        return from_singular_values(x, np.expand_dims(np.real(bar), -1) * (of_above - of_below))
    other = inverse(x)
    size, size_of_other = np.linalg.norm(x, order, (-2, -1)), np.linalg.norm(other, order, (-2, -1))
    through = matrix_norm_cotangent(np.real(bar) * size, other, order)
    back = np.matmul(np.matmul(adjoint(other), through), adjoint(other))
    return matrix_norm_cotangent(np.real(bar) * size_of_other, x, order) - back


def along(weights: Any, tangent: Any, keepdims: Any = False) -> Any:
    """The tangents of real functions of matrices: how these weigh the tangents of the elements."""
    return np.sum(np.real(np.conj(weights) * tangent), axis=(-2, -1), keepdims=keepdims)


def ones_for(x: Any) -> Any:
    """The cotangent one for a real function of each matrix of a stack."""
    return np.ones(np.shape(x)[:-2], np.real(np.zeros(0, float_dtype(x))).dtype)
