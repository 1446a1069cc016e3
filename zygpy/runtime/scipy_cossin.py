"""The cosine-sine factors of unitary matrices of `scipy.linalg`, of four square blocks.

With X = U D V^H, the blocks E of U^H dX V and the turns of the vectors, which are skew, are tied by C and S
alone: E11 = A1 C + dC - C B1, E21 = A2 S + dS - S B1, and so on. Signs are constants; the phases that complex
vectors which belong together have in common are chosen by the iteration: of what depends on them there is no
derivative. What comes back is along unitary matrices, as the factors are theirs alone.

Rules mention these programs as `cossins.NAME`; a second derivative enters their source. This module is
imported with the rules of `scipy.linalg`, never by zygpy itself.
"""

from __future__ import annotations

from types import NoneType
from typing import Any

import numpy as np
import scipy.linalg as sl

from zygpy.errors import MissingRuleError
from zygpy.runtime.decompositions import adjoint
from zygpy.runtime.library_values import as_given, told_by
from zygpy.runtime.scipy_told import check_found, check_phases, norm_of, rounding


def cossin(
    X: Any, p: Any = None, q: Any = None, separate: Any = False, swap_sign: Any = False,  # noqa: N803
    compute_u: Any = True, compute_vh: Any = True,
) -> Any:  # fmt: skip
    """`scipy.linalg.cossin`."""
    value = told_by(sl.cossin, (X, p, q, separate, swap_sign, compute_u, compute_vh), {})
    x = np.asarray(X) if p or q else whole_of(X)
    half = check_square(x, p, q, X)
    given = told_by(sl.cossin, (x, half, half, True, swap_sign), {})
    sign = -1.0 if swap_sign else 1.0
    check_unitary(x, given, sign)
    u1, u2, theta, v1, v2 = parted(x, given[0][0], given[0][1], given[1], given[2][0], given[2][1], sign)
    if separate:
        left = as_computed(value[0], (u1, u2), compute_u)
        return left, as_given(value[1], theta), as_computed(value[2], (v1, v2), compute_vh)
    left = as_given(value[0], sl.block_diag(u1, u2)) if compute_u else value[0]
    right = as_given(value[2], sl.block_diag(v1, v2)) if compute_vh else value[2]
    return left, as_given(value[1], middle(theta, sign)), right


def as_computed(value: Any, pair: Any, computed: Any) -> Any:
    """What the library gave for two factors, which it leaves out where they are not asked for."""
    return (as_given(value[0], pair[0]), as_given(value[1], pair[1])) if computed else value


def whole_of(blocks: Any) -> Any:
    """The matrix of four blocks."""
    x11, x12, x21, x22 = blocks
    upper = np.concatenate([np.atleast_2d(x11), np.atleast_2d(x12)], axis=-1)
    return np.concatenate([upper, np.concatenate([np.atleast_2d(x21), np.atleast_2d(x22)], axis=-1)], axis=-2)


def check_square(x: Any, p: Any, q: Any, given: Any) -> int:
    """The number of rows of each block; MissingRuleError where they are not squares of one size."""
    rows, columns = ((p or 1), (q or 1)) if p or q else np.shape(np.atleast_2d(given[0]))[-2:]
    if np.ndim(x) != 2 or 2 * rows != len(x) or rows != columns:
        raise MissingRuleError(
            "'scipy.linalg.cossin' has no rule for these blocks.",
            why="the vectors beside square blocks may be turned into each other, and stacks are not followed",
            instead="use four square blocks of one matrix, or 'svd' of a block for the cosines",
        )
    return int(rows)


def check_unitary(x: Any, given: Any, sign: Any) -> None:
    """Raise MissingRuleError where the factors are not those of the matrix, as it is not unitary."""
    left, right = sl.block_diag(*given[0]), sl.block_diag(*given[2])
    check_found("cossin", x, left @ middle(given[1], sign) @ right)


def middle(theta: Any, sign: Any) -> Any:
    """The matrix of cosines and sines."""
    cosines, sines = np.diag(np.cos(theta)), sign * np.diag(np.sin(theta))
    upper, lower = np.concatenate([cosines, -sines], axis=1), np.concatenate([sines, cosines], axis=1)
    return np.concatenate([upper, lower])


def parted(x: Any, u1: Any, u2: Any, theta: Any, v1: Any, v2: Any, sign: Any) -> Any:
    """The factors of a matrix, which the library gave."""
    return u1, u2, theta, v1, v2


def parted_cotangent(x: Any, y: Any, bars: Any, sign: Any) -> Any:
    """What comes back to `x` in `parted(x, ...)`, along unitary matrices."""
    u1, u2, theta, v1, v2 = y
    cosines, sines = np.cos(theta), np.sin(theta)
    left, lower = turned(u1, bars[0]), turned(u2, bars[1])
    right, beyond = turned_back(v1, bars[3]), turned_back(v2, bars[4])
    angles = np.zeros_like(theta) if isinstance(bars[2], NoneType) else bars[2]
    check_angles(theta)
    check_turns(left, lower, right, beyond)
    first = apart(left, theta) * cosines + np.expand_dims(cosines, 1) * apart(right, theta)
    first = first - np.diag(sines * angles)
    below = np.diag(cosines * angles) - apart(lower, theta) * sines
    beside = np.expand_dims(sines, 1) * apart(beyond, theta)
    if np.iscomplexobj(x):
        first = first + 1j * np.diag(np.imag(np.diagonal(left + beyond)) / cosines)
        below = below + 1j * np.diag(np.imag(np.diagonal(lower)) / sines)
        beside = beside + 1j * np.diag(np.imag(np.diagonal(beyond)) / sines)
    back = whole_of(
        (
            np.matmul(np.matmul(u1, first), v1),
            sign * np.matmul(np.matmul(u1, beside), v2),
            sign * np.matmul(np.matmul(u2, below), v1),
            np.zeros_like(u2),
        )
    )
    inner = np.matmul(adjoint(x), back)
    return np.matmul(x, inner - adjoint(inner)) / 2


def turned(basis: Any, bar: Any) -> Any:
    """What comes to the turn of a basis; `bar` is its cotangent, or None."""
    if isinstance(bar, NoneType):
        return np.zeros_like(basis)
    return np.matmul(adjoint(basis), bar)


def turned_back(basis: Any, bar: Any) -> Any:
    """The same of a basis of which the conjugate transpose, `basis`, and its cotangent are given."""
    if isinstance(bar, NoneType):
        return np.zeros_like(basis)
    return -np.matmul(bar, adjoint(basis))


def check_turns(left: Any, lower: Any, right: Any, beyond: Any) -> None:
    """Raise MissingRuleError for what depends on the phases that four vectors have in common."""
    size = norm_of(left) + norm_of(lower) + norm_of(right) + norm_of(beyond)
    check_phases("cossin", np.diagonal(left + lower + right + beyond), 1e3 * rounding(left) * size)


def apart(turn: Any, theta: Any) -> Any:
    """What comes from the turns of two vectors into each other, by the differences of squared cosines."""
    across, along = np.expand_dims(theta, 0), np.expand_dims(theta, 1)
    same = np.eye(len(theta), dtype=bool)
    gaps = np.sin(along - across) * np.sin(along + across)
    part = np.where(same, 0, turn) / np.where(same, 1, gaps)
    return part + adjoint(part)


def check_angles(theta: Any) -> None:
    """Raise MissingRuleError where two angles are equal, or one is 0 or a right angle, but for rounding."""
    gaps = np.sin(theta[:, None] - theta) * np.sin(theta[:, None] + theta) + np.eye(len(theta))
    least = min(np.min(np.abs(each), initial=1.0) for each in (gaps, np.sin(theta), np.cos(theta)))
    if not least > 1e5 * rounding(theta):
        raise MissingRuleError(
            "'scipy.linalg.cossin' has no rule for this matrix.",
            why="two of its angles are equal, or one is 0 or a right angle, but for rounding errors",
            instead="use products of the blocks with their adjoints",
        )
