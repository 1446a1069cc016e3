"""What comes back to a matrix through its decompositions, as plain programs of NumPy.

Rules mention these programs as `decompositions.NAME`. A second derivative enters their source, so they
use functions that have rules themselves, and write nothing. All hold for stacks of matrices, real or
complex. Where two singular values or eigenvalues are equal, their vectors are not unique: what would
be divided by their difference is left out. Whether there is a cotangent is asked as a question about its
class, which is answered where kinds are known.
"""

from __future__ import annotations

from types import NoneType
from typing import Any

import numpy as np

from zygpy.errors import MissingRuleError
from zygpy.runtime.hermitian import half_lower, triangle
from zygpy.runtime.linear_algebra import adjoint_solve, inverse, phase_seed, rounding_of
from zygpy.runtime.products import swapped
from zygpy.runtime.reductions import quotient


def adjoint(a: Any) -> Any:
    """The conjugate transposes of a stack of matrices."""
    return np.conj(swapped(a)) if np.iscomplexobj(a) else swapped(a)


def real(values: Any) -> Any:
    """The real part of a cotangent that need not be complex."""
    return np.real(values) if np.iscomplexobj(values) else values


def in_diagonal(values: Any) -> Any:
    """Matrices with these vectors on their diagonals."""
    unit = np.eye(values.shape[-1], dtype=bool)
    return np.where(unit, np.expand_dims(values, -1), 0)


def diagonal(a: Any) -> Any:
    """The diagonals of a stack of matrices, not a view that cannot be written to."""
    return np.copy(np.diagonal(a, 0, -2, -1))


def inverse_differences(values: Any) -> Any:
    """1 / (values[j] - values[i]) at i, j; zero where they are equal."""
    return reciprocals(np.expand_dims(values, -2) - np.expand_dims(values, -1))


def reciprocals(x: Any) -> Any:
    """1 / x, and zero where that is zero."""
    return quotient(np.ones_like(x), x)


def slogdet_cotangent(a: Any, y: Any, bars: Any) -> Any:
    """What comes back to `a` in `np.linalg.slogdet(a)`."""
    sign_bar, logarithm_bar = bars
    seed: Any = 0.0 if isinstance(logarithm_bar, NoneType) else real(logarithm_bar)
    if not isinstance(sign_bar, NoneType):
        seed = seed + phase_seed(sign_bar, y[0])
    return np.expand_dims(seed, (-2, -1)) * adjoint(inverse(a))


# The singular value decomposition.


def from_singular_values(a: Any, bar: Any) -> Any:
    """What comes back to `a` from its singular values."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return np.matmul(u * np.expand_dims(bar, -2), vh)


def turned_into_values(a: Any, tangent: Any) -> Any:
    """The tangents of the singular values of `a`."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return np.real(diagonal(np.matmul(np.matmul(adjoint(u), tangent), adjoint(vh))))


def svd_cotangent(a: Any, y: Any, bars: Any, hermitian: Any = False) -> Any:
    """What comes back to `a` in `np.linalg.svd(a, ...)`.

    With `hermitian` the lower triangle alone is read, and gets it all.
    """
    back = from_factors(y[0], y[1], y[2], bars)
    return triangle(back) if hermitian else back


def values_cotangent(a: Any, bar: Any, hermitian: Any = False) -> Any:
    """The same where singular values alone are asked for."""
    if hermitian:
        return triangle(from_singular_values(hermitian_of(a), bar))
    return from_singular_values(a, bar)


def hermitian_of(a: Any) -> Any:
    """The Hermitian matrix that the lower triangle of `a` stands for."""
    lower = np.tril(a, -1)
    return lower + adjoint(lower) + in_diagonal(np.real(diagonal(a)))


def from_factors(u: Any, s: Any, vh: Any, bars: Any) -> Any:
    """What comes back to a matrix from its singular vectors and values, of which any may be None."""
    u_bar, s_bar, vh_bar = bars
    if isinstance(vh_bar, NoneType):
        if isinstance(u_bar, NoneType):
            return _from_values(u, s, vh, s_bar)
        return _from_both(u, s, vh, u_bar, s_bar, np.zeros_like(vh))
    left = np.zeros_like(u) if isinstance(u_bar, NoneType) else u_bar
    return _from_both(u, s, vh, left, s_bar, vh_bar)


def _from_values(u: Any, s: Any, vh: Any, s_bar: Any) -> Any:
    count = s.shape[-1]
    return np.matmul(u[..., :count] * np.expand_dims(s_bar, -2), vh[..., :count, :])


def _from_both(u: Any, s: Any, vh: Any, u_bar: Any, s_bar: Any, vh_bar: Any) -> Any:
    v = adjoint(vh)
    left, right = np.add(u_bar, np.zeros_like(u)), np.add(adjoint(vh_bar), np.zeros_like(v))
    if np.iscomplexobj(u):
        left, right = with_phases(u, left, v, right)
    return _from_vectors(u, s, v, left, right, s_bar)


def _from_vectors(u: Any, s: Any, v: Any, left: Any, right: Any, s_bar: Any) -> Any:
    """The same of the cotangents of u and v (Townsend 2016; Wan and Zhang 2019)."""
    count = s.shape[-1]
    left, right = without_complement(u, left, count), without_complement(v, right, count)
    u, v = u[..., :count], v[..., :count]
    of_u, of_v = np.matmul(adjoint(u), left), np.matmul(adjoint(v), right)
    across, along = np.expand_dims(s, -2), np.expand_dims(s, -1)
    gaps = inverse_differences(s) * reciprocals(across + along)
    core = gaps * ((of_u - adjoint(of_u)) * across + along * (of_v - adjoint(of_v)))
    if np.iscomplexobj(u):
        core = core + in_diagonal(quotient(0.5j * np.imag(diagonal(of_u) - diagonal(of_v)), s))
    if not isinstance(s_bar, NoneType):
        core = core + in_diagonal(s_bar)
    back = np.matmul(np.matmul(u, core), adjoint(v))
    if u.shape[-2] > count:
        beside = quotient(left - np.matmul(u, of_u), across)
        back = back + np.matmul(beside, adjoint(v))
    if v.shape[-2] > count:
        beside = quotient(right - np.matmul(v, of_v), across)
        back = back + np.matmul(u, adjoint(beside))
    return back


def without_complement(vectors: Any, bars: Any, count: int) -> Any:
    """The cotangents of the first vectors, where the others are any basis of what is orthogonal to them.

    A function of the space that these span gives `bars` to the first ones by the same amount.
    """
    if vectors.shape[-1] == count:
        return bars
    first, rest = vectors[..., :count], vectors[..., count:]
    turned = np.matmul(adjoint(first), bars[..., count:])
    return bars[..., :count] - np.matmul(rest, adjoint(turned))


def with_phases(u: Any, left: Any, v: Any, right: Any) -> Any:
    """Cotangents of complex singular vectors, with what comes from how their phases are chosen.

    LAPACK makes the first component of one factor real. Functions of which the value does not depend on
    phases get nothing from it.
    """
    count = min(u.shape[-1], v.shape[-1])
    both = phases_of(u[..., :count], left[..., :count]) + phases_of(v[..., :count], right[..., :count])
    if is_real_row(v, 0):
        return left, right + turned_back(both, v, 0)
    if is_real_row(u, 0):
        return left + turned_back(both, u, 0), right
    return left, right


def is_real_row(vectors: Any, row: int) -> Any:
    """Whether the components of vectors in a row are real."""
    return np.all(np.abs(np.imag(vectors[..., row, :])) < 100 * rounding_of(vectors))


def phases_of(vectors: Any, bars: Any) -> Any:
    """The cotangents of the phases of vectors; rounding errors count as zero."""
    found = np.imag(np.sum(np.conj(vectors) * bars, axis=-2))
    size = np.sqrt(np.sum(np.abs(bars) ** 2, axis=-2))
    return np.where(np.abs(found) >= 1e3 * rounding_of(vectors) * size, found, 0)


def turned_back(bars: Any, vectors: Any, row: int) -> Any:
    """Cotangents of vectors, of which a turn by this angle keeps the component in a row real.

    `bars` are those of the first phases; there may be more vectors.
    """
    count, rows = bars.shape[-1], vectors.shape[-2]
    turn = quotient(-1j * bars, np.real(vectors[..., row, :count]))
    here = np.expand_dims(np.arange(rows) == row % rows, -1)
    back = np.where(here, np.expand_dims(turn, -2), 0)
    missing = np.zeros_like(vectors[..., count:])
    return np.concatenate([back, missing], axis=-1)


# Eigenvalues and eigenvectors.


def eigvalsh_cotangent(a: Any, bar: Any, letter: Any = "L") -> Any:
    """What comes back to `a` in `np.linalg.eigvalsh(a, letter)`: to the triangle that is read."""
    vectors = np.linalg.eigh(a, letter)[1]
    return triangle(np.matmul(vectors * np.expand_dims(real(bar), -2), adjoint(vectors)), letter)


def eigh_cotangent(y: Any, bars: Any, letter: Any = "L") -> Any:
    """What comes back to `a` in `np.linalg.eigh(a, letter)`: to the triangle that is read."""
    values, vectors = y[0], y[1]
    values_bar, vectors_bar = bars
    core: Any = 0.0 if isinstance(values_bar, NoneType) else in_diagonal(real(values_bar))
    if not isinstance(vectors_bar, NoneType):
        if np.iscomplexobj(vectors):
            vectors_bar = with_real_row(vectors, vectors_bar, 0 if letter in "lL" else -1)
        core = core + np.matmul(adjoint(vectors), vectors_bar) * inverse_differences(values)
    return triangle(np.matmul(np.matmul(vectors, core), adjoint(vectors)), letter)


def with_real_row(vectors: Any, bars: Any, row: int) -> Any:
    """Cotangents of complex eigenvectors, with what comes from their phases: LAPACK makes a row real."""
    if not is_real_row(vectors, row):
        return bars
    return bars + turned_back(phases_of(vectors, bars), vectors, row)


def eig_cotangent(y: Any, bars: Any) -> Any:
    """What comes back to `a` in `np.linalg.eig(a)`, whose eigenvectors have length one and their largest
    component real (Giles 2008, section 3.1; Boeddeker et al. 2017)."""
    values, vectors = y[0], y[1]
    values_bar, vectors_bar = bars
    core: Any = np.zeros_like(vectors) if isinstance(values_bar, NoneType) else in_diagonal(values_bar)
    if not isinstance(vectors_bar, NoneType):
        free = vectors_bar - of_length_one(vectors, vectors_bar)
        core = core + np.conj(inverse_differences(values)) * np.matmul(adjoint(vectors), free)
    return np.matmul(np.matmul(adjoint(inverse_basis(vectors, core)), core), adjoint(vectors))


def inverse_basis(vectors: Any, core: Any) -> Any:
    """The inverses of matrices of eigenvectors; nan where these are no basis and something comes back.

    Where eigenvalues come together with their vectors, they move by the root of what the matrix does.
    """
    found = inverse(vectors)
    size = np.sum(np.abs(vectors), axis=(-2, -1)) * np.sum(np.abs(found), axis=(-2, -1))
    none = (size * rounding_of(vectors) > 0.01) | (size == 0)
    none = none & np.any(np.not_equal(core, 0), axis=(-2, -1))
    return np.where(np.expand_dims(none, (-2, -1)), np.nan, found) if np.any(none) else found


def of_length_one(vectors: Any, bars: Any) -> Any:
    """The part of the cotangents of eigenvectors that their length and phase take away."""
    inner = np.sum(np.conj(vectors) * bars, axis=-2, keepdims=True)
    if not np.iscomplexobj(vectors):
        return vectors * inner
    rows = np.expand_dims(np.arange(vectors.shape[-2]), -1)
    largest = rows == np.argmax(np.abs(vectors), axis=-2, keepdims=True)
    turn = np.where(largest, quotient(1j * np.imag(inner), np.real(vectors)), 0)
    return vectors * np.real(inner) + turn


def eigvals_cotangent(a: Any, y: Any, bar: Any) -> Any:
    """What comes back to `a` in `np.linalg.eigvals(a)`, whatever the order of the vectors."""
    values, vectors = np.linalg.eig(a)
    if not np.allclose(values, y):
        order = np.argmin(np.abs(np.expand_dims(values, -1) - np.expand_dims(y, -2)), axis=-1)
        bar = np.take_along_axis(bar, order, axis=-1)
    core = in_diagonal(bar)
    return np.matmul(np.matmul(adjoint(inverse_basis(vectors, core)), core), adjoint(vectors))


# Triangular factors.


def cholesky_cotangent(y: Any, bar: Any, upper: Any = False) -> Any:
    """What comes back to the triangle of `a` that is read in `np.linalg.cholesky(a, upper=upper)`."""
    if upper:
        return adjoint(cholesky_cotangent(adjoint(y), adjoint(bar)))
    inner = half_lower(np.matmul(adjoint(y), np.tril(bar)))
    return triangle(adjoint_solve(y, adjoint(adjoint_solve(y, inner))))


def qr_in_mode(a: Any, mode: Any = "reduced") -> Any:
    """`np.linalg.qr`; what LAPACK gives as it stands has no gradient."""
    check_mode(mode)
    return qr(a, mode)


def qr_reduced(a: Any) -> Any:
    """`np.linalg.qr` without a mode."""
    return qr(a, "reduced")


def check_mode(mode: Any) -> None:
    """Raise MissingRuleError for a mode in which `np.linalg.qr` gives no factors."""
    if mode not in ("reduced", "complete", "r"):
        raise MissingRuleError(
            f"'numpy.linalg.qr' has no rule for mode={mode!r}.",
            why="it gives the reflections that the factors are made of",
            instead="use mode='reduced' or 'complete'",
        )


def qr(a: Any, mode: Any = "reduced") -> Any:
    """`np.linalg.qr` in one of the modes that give factors."""
    return np.linalg.qr(a, mode)


def qr_cotangent(a: Any, y: Any, bars: Any, mode: Any = "reduced") -> Any:
    """What comes back to `a` in `np.linalg.qr(a, mode)` (Roberts and Roberts 2020)."""
    a = np.asarray(a)
    if mode == "r":
        q, r = qr(a)
        return _from_qr(a, q, r, np.zeros_like(q), bars)
    q, r = y[0], y[1]
    q_bar = np.zeros_like(q) if isinstance(bars[0], NoneType) else bars[0]
    r_bar = np.zeros_like(r) if isinstance(bars[1], NoneType) else bars[1]
    count = min(a.shape[-2:])
    q_bar = without_complement(q, q_bar, count)
    return _from_qr(a, q[..., :count], r[..., :count, :], q_bar, r_bar[..., :count, :])


def _from_qr(a: Any, q: Any, r: Any, q_bar: Any, r_bar: Any) -> Any:
    """The columns of `a` that are more than its rows are `q` times those of `r`."""
    count = r.shape[-2]
    beside = np.matmul(q, r_bar[..., count:])
    q_bar = q_bar + np.matmul(a[..., count:], adjoint(r_bar[..., count:]))
    first = _from_triangular(q, r[..., :count], q_bar, r_bar[..., :count])
    return np.concatenate([first, beside], axis=-1)


def _from_triangular(q: Any, r: Any, q_bar: Any, r_bar: Any) -> Any:
    """The same of matrices that have no more columns than rows."""
    m = np.matmul(r, adjoint(np.triu(r_bar))) - np.matmul(adjoint(q_bar), q)
    lower = np.tril(m, -1)
    both = lower + adjoint(lower) + in_diagonal(np.real(diagonal(m)))
    return np.matmul(q_bar + np.matmul(q, both), adjoint(inverse(r)))
