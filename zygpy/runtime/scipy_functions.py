"""What comes back through functions of matrices and matrix equations of `scipy.linalg`, and matrices that are
made of vectors: plain programs.

Rules mention these programs as `functions.NAME`; a second derivative enters their source. This module is
imported with the rules of `scipy.linalg`, never by zygpy itself.
"""

from __future__ import annotations

from types import NoneType
from typing import Any

import numpy as np
import scipy.linalg as sl

from zygpy.errors import MissingRuleError
from zygpy.runtime.decompositions import adjoint
from zygpy.runtime.hermitian import block_upper, diagonal_blocks, in_upper_right, upper_right
from zygpy.runtime.indexing import float_dtype
from zygpy.runtime.matrix_norms import unitary_factor_cotangent

# Functions of matrices.


def expm_frechet(
    A: Any,  # noqa: N803 (SciPy's names)
    E: Any,  # noqa: N803
    method: Any = None,
    compute_expm: Any = True,
    check_finite: Any = True,
) -> Any:
    """`scipy.linalg.expm_frechet`."""
    check_alike("expm_frechet", A, E)
    if compute_expm:
        return with_frechet(A, E, method)
    return frechet(A, E, method)


def with_frechet(a: Any, direction: Any, method: Any = None) -> Any:
    """The exponential of `a`, and its derivative in a direction."""
    return sl.expm_frechet(a, direction, method)


def frechet(a: Any, direction: Any, method: Any = None) -> Any:
    """The derivative of the exponential of `a` in a direction (Al-Mohy and Higham 2009)."""
    if np.ndim(a) == 2 and min(np.shape(a)) > 0:
        found = sl.expm_frechet(a, direction, method, compute_expm=False)
        return np.asarray(found, float_dtype(a, direction))
    return upper_right(sl.expm(block_upper(a, direction)))


def frechet_to_matrix(a: Any, direction: Any, bar: Any) -> Any:
    """What comes back to `a` in `frechet(a, direction)`."""
    return diagonal_blocks(frechet(adjoint(block_upper(a, direction)), in_upper_right(bar)))


NEAR = 0.05
"""Where the logarithm is small enough to be integrated by so many points."""

POINTS, WEIGHTS = np.polynomial.legendre.leggauss(8)


def logarithm_cotangent(y: Any, bar: Any) -> Any:
    """What comes back to `a` in `y = scipy.linalg.logm(a)`.

    The logarithm is twice that of the root, and so on, until what is left is near one. Each root is an
    exponential of a part of `y` (Al-Mohy, Higham and Relton 2013, Computing the Frechet derivative of the
    matrix logarithm).
    """
    whole = adjoint(y)
    halvings = times_to_halve(whole)
    for step in range(1, halvings + 1):
        root = sl.expm(whole / 2.0**step)
        bar = sl.solve_sylvester(root, root, bar)
    last = sl.expm(whole / 2.0**halvings)
    one = np.eye(last.shape[-1], dtype=last.dtype)
    back: Any = np.zeros_like(last)
    for point, weight in zip(POINTS.tolist(), WEIGHTS.tolist(), strict=True):
        part = np.linalg.inv(one + (last - one) * ((point + 1) / 2))
        back = back + np.matmul(np.matmul(part, bar), part) * (weight / 2)
    return back * 2.0**halvings


def times_to_halve(a: Any) -> int:
    """How often a matrix has to be halved until it is small."""
    size = float(np.max(np.sum(np.abs(a), axis=-1), initial=0.0))
    return int(np.ceil(np.log2(size / NEAR))) if np.isfinite(size) and size > NEAR else 0


def of_matrix(bar: Any, a: Any) -> Any:
    """What comes in for the square root of a matrix: of a number SciPy's is not the root."""
    if np.ndim(a) < 2:
        raise MissingRuleError(
            "'scipy.linalg.sqrtm' is given a number, and no matrix.",
            why="some versions of SciPy give another function of it",
            instead="use 'np.sqrt'",
        )
    return bar


def root_cotangent(y: Any, bar: Any) -> Any:
    """What comes back to `a` in `y = scipy.linalg.sqrtm(a)` (Higham 2008, section 6.1)."""
    if np.ndim(y) == 2:
        return _root_of_one(y, bar)
    matrices, bars = np.reshape(y, (-1, *y.shape[-2:])), np.reshape(bar, (-1, *y.shape[-2:]))
    return np.reshape(
        np.stack([_root_of_one(one, own) for one, own in zip(matrices, bars, strict=True)]), y.shape
    )


def _root_of_one(y: Any, bar: Any) -> Any:
    turned = adjoint(y)
    return sl.solve_sylvester(turned, turned, bar)


def polar_cotangent(a: Any, y: Any, bars: Any, side: Any) -> Any:
    """What comes back to `a` in `scipy.linalg.polar(a, side)`: as a is u p, or p u, p is u^H a, or a u^H."""
    u, u_bar, p_bar = y[0], bars[0], bars[1]
    u_bar = np.zeros_like(u) if isinstance(u_bar, NoneType) else u_bar
    back: Any = np.zeros_like(u)
    if not isinstance(p_bar, NoneType):
        p_bar = (p_bar + adjoint(p_bar)) / 2
        if side == "right":
            back, u_bar = np.matmul(u, p_bar), u_bar + np.matmul(a, p_bar)
        else:
            back, u_bar = np.matmul(p_bar, u), u_bar + np.matmul(p_bar, a)
    return back + unitary_factor_cotangent(a, u_bar)


# Matrix equations.


def continuous_to_first(a: Any, y: Any, bar: Any) -> Any:
    """What comes back to `a` in `scipy.linalg.solve_continuous_lyapunov(a, q)`: SciPy takes numbers, too."""
    solved = sl.solve_continuous_lyapunov(adjoint(np.atleast_2d(a)), bar)
    return np.reshape(-np.matmul(solved, adjoint(y)) - np.matmul(adjoint(solved), y), np.shape(a))


def continuous_to_second(a: Any, q: Any, bar: Any) -> Any:
    """What comes back to `q` in `scipy.linalg.solve_continuous_lyapunov(a, q)`."""
    return np.reshape(sl.solve_continuous_lyapunov(adjoint(np.atleast_2d(a)), bar), np.shape(q))


def continuous_along(a: Any, y: Any, dot: Any) -> Any:
    """How `scipy.linalg.solve_continuous_lyapunov(a, q)` changes along a change of `a`."""
    dot = np.atleast_2d(dot)
    return -sl.solve_continuous_lyapunov(a, np.matmul(dot, y) + np.matmul(y, adjoint(dot)))


def discrete_to_first(a: Any, y: Any, bar: Any, method: Any) -> Any:
    """What comes back to `a` in `scipy.linalg.solve_discrete_lyapunov(a, q, method)`."""
    solved = sl.solve_discrete_lyapunov(adjoint(a), bar, method)
    return np.matmul(np.matmul(solved, a), adjoint(y)) + np.matmul(np.matmul(adjoint(solved), a), y)


# Matrices made of vectors.


def toeplitz(c: Any, r: Any = None) -> Any:
    """`scipy.linalg.toeplitz` of vectors."""
    c = np.atleast_1d(c)
    r = np.conj(c) if r is None else np.atleast_1d(r)
    check_vectors("toeplitz", c, r)
    values = np.concatenate([r[:0:-1], c])
    rows, columns = np.arange(c.shape[0]), np.arange(r.shape[0])
    return values[np.expand_dims(rows, -1) - columns + (r.shape[0] - 1)]


def circulant(c: Any) -> Any:
    """`scipy.linalg.circulant` of a vector, or of the vectors along the last axis."""
    c = np.atleast_1d(c)
    places = np.arange(c.shape[-1])
    return c[..., (np.expand_dims(places, -1) - places) % max(c.shape[-1], 1)]


def hankel(c: Any, r: Any = None) -> Any:
    """`scipy.linalg.hankel` of vectors."""
    c = np.asarray(c)
    r = np.zeros_like(c) if r is None else np.asarray(r)
    check_vectors("hankel", c, r)
    values = np.concatenate([c, r[1:]])
    rows, columns = np.arange(c.shape[0]), np.arange(r.shape[0])
    return values[np.expand_dims(rows, -1) + columns]


def check_vectors(name: str, *given: Any) -> None:
    """Raise MissingRuleError where a function whose meaning differs by version is given matrices."""
    if any(np.ndim(one) != 1 for one in given):
        raise no_vectors(name)


def check_matrix(name: str, *given: Any) -> None:
    """The same where it is given a stack of matrices."""
    if any(np.ndim(one) > 2 for one in given):
        raise no_vectors(name)


def check_band(name: str, band: Any) -> None:
    """Refuse the diagonals of a matrix in one dimension, which SciPy takes for a matrix of one row."""
    if np.ndim(band) < 2:
        raise MissingRuleError(
            f"'scipy.linalg.{name}' of diagonals in one dimension has no rule.",
            why="they are taken for something else than one diagonal",
            instead="give it an array of two dimensions, with a row for each diagonal",
        )


def check_flat(name: str, *given: Any) -> None:
    """The same where it is given anything but vectors, or numbers."""
    if any(np.ndim(one) > 1 for one in given):
        raise no_vectors(name)


def check_alike(name: str, a: Any, b: Any) -> None:
    """The same where it is given a stack, and beside it what has other axes."""
    if max(np.ndim(a), np.ndim(b)) > 2 and np.ndim(a) != np.ndim(b):
        raise no_vectors(name)


def no_vectors(name: str) -> MissingRuleError:
    """The error for arrays of more axes than a function has a rule for."""
    return MissingRuleError(
        f"'scipy.linalg.{name}' has no rule for stacks.",
        why="what it makes of them is not the same in all versions of SciPy",
        instead="call it for one after the other",
    )


def block_diag(*arrs: Any) -> Any:
    """`scipy.linalg.block_diag`."""
    blocks = [np.atleast_2d(one) for one in (arrs or ([],))]
    lead = np.broadcast_shapes(*[one.shape[:-2] for one in blocks])
    width = sum([one.shape[-1] for one in blocks])
    rows, before = [], 0
    for one in blocks:
        height, own = one.shape[-2], one.shape[-1]
        whole = np.broadcast_to(one, (*lead, height, own))
        left = np.zeros((*lead, height, before), one.dtype)
        right = np.zeros((*lead, height, width - before - own), one.dtype)
        rows.append(np.concatenate([left, whole, right], axis=-1))
        before = before + own
    return np.concatenate(rows, axis=-2)


def khatri_rao(a: Any, b: Any) -> Any:
    """`scipy.linalg.khatri_rao`."""
    a, b = np.asarray(a), np.asarray(b)
    check_khatri_rao(a, b)
    product = np.expand_dims(a, -2) * np.expand_dims(b, -3)
    return np.reshape(product, (-1, a.shape[1]))


def check_khatri_rao(a: Any, b: Any) -> None:
    """Raise what `scipy.linalg.khatri_rao` raises where the shapes do not fit."""
    if np.ndim(a) != 2 or np.ndim(b) != 2 or np.shape(a)[1] != np.shape(b)[1]:
        sl.khatri_rao(a, b)
        raise no_vectors("khatri_rao")


def companion(a: Any) -> Any:
    """`scipy.linalg.companion`."""
    a = np.atleast_1d(a)
    check_companion(a)
    first = np.expand_dims(-a[..., 1:] / (1.0 * a[..., :1]), -2)
    count = a.shape[-1] - 1
    below = np.eye(count - 1, count, dtype=first.dtype)
    return np.concatenate([first, np.broadcast_to(below, (*first.shape[:-2], count - 1, count))], axis=-2)


def check_companion(a: Any) -> None:
    """Raise what `scipy.linalg.companion` raises where there is no such matrix."""
    sl.companion(a)
