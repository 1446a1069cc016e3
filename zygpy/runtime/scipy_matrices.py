"""Functions of matrices, bases of subspaces, and special systems of `scipy.linalg`, as plain programs.

Rules mention these programs as `matrices.NAME`; a second derivative enters their source. This module is
imported with the rules of `scipy.linalg`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg as sl

from zygpy.runtime.decompositions import adjoint
from zygpy.runtime.hermitian import block_upper, upper_right
from zygpy.runtime.library_values import as_given, told_by
from zygpy.runtime.scipy_functions import check_flat, check_matrix, check_vectors
from zygpy.runtime.tridiagonal import dense

# Trigonometric functions, of exponentials.


def cosm(A: Any) -> Any:  # noqa: N803 (SciPy's names)
    """`scipy.linalg.cosm`."""
    a = np.asarray(A)
    if np.iscomplexobj(a):
        return 0.5 * (sl.expm(1j * a) + sl.expm(-1j * a))
    return np.real(sl.expm(1j * a))


def sinm(A: Any) -> Any:  # noqa: N803
    """`scipy.linalg.sinm`."""
    a = np.asarray(A)
    if np.iscomplexobj(a):
        return -0.5j * (sl.expm(1j * a) - sl.expm(-1j * a))
    return np.imag(sl.expm(1j * a))


def tanm(A: Any) -> Any:  # noqa: N803
    """`scipy.linalg.tanm`, whose last step SciPy may round in another way."""
    return as_given(told_by(sl.tanm, (A,), {}), np.linalg.solve(cosm(A), sinm(A)))


def coshm(A: Any) -> Any:  # noqa: N803
    """`scipy.linalg.coshm`."""
    a = np.asarray(A)
    return 0.5 * (sl.expm(a) + sl.expm(-a))


def sinhm(A: Any) -> Any:  # noqa: N803
    """`scipy.linalg.sinhm`."""
    a = np.asarray(A)
    return 0.5 * (sl.expm(a) - sl.expm(-a))


def tanhm(A: Any) -> Any:  # noqa: N803
    """`scipy.linalg.tanhm`."""
    return as_given(told_by(sl.tanhm, (A,), {}), np.linalg.solve(coshm(A), sinhm(A)))


# Powers and signs.


def power_to_matrix(a: Any, exponent: Any, bar: Any) -> Any:
    """What comes back to `a` in its power: a block of that of a larger matrix (Higham 2008, theorem 3.6).

    The power of a real matrix may be complex by rounding alone.
    """
    whole = upper_right(sl.fractional_matrix_power(block_upper(adjoint(a), bar), np.conj(exponent)))
    return whole if np.iscomplexobj(a) else np.real(whole)


def power_to_exponent(a: Any, y: Any, bar: Any) -> Any:
    """What comes back to the exponent in a power of `a`."""
    return np.sum(bar * np.conj(np.matmul(y, sl.logm(a))))


def sign_cotangent(a: Any, y: Any, bar: Any) -> Any:
    """What comes back to `a` in `y = scipy.linalg.signm(a)` (Higham 2008, theorem 5.3)."""
    modulus = adjoint(np.matmul(y, a))
    solved = sl.solve_sylvester(modulus, modulus, bar)
    return solved - np.matmul(np.matmul(adjoint(y), solved), adjoint(y))


# Riccati equations: with the gain f and a - b f the cotangent solves a Lyapunov equation.


def continuous_gain(b: Any, r: Any, y: Any) -> Any:
    """The gain that belongs to the solution of a continuous Riccati equation."""
    return np.linalg.solve(r, np.matmul(adjoint(b), y))


def continuous_weight(a: Any, b: Any, r: Any, y: Any, bar: Any) -> Any:
    """What comes back to the constant term of a continuous Riccati equation with the solution `y`."""
    return -sl.solve_continuous_lyapunov(a - np.matmul(b, continuous_gain(b, r, y)), bar)


def continuous_to_state(a: Any, b: Any, r: Any, y: Any, bar: Any) -> Any:
    """What comes back to `a` in `scipy.linalg.solve_continuous_are(a, b, q, r)`."""
    weight = continuous_weight(a, b, r, y, bar)
    return np.matmul(y, weight + adjoint(weight))


def continuous_to_input(a: Any, b: Any, r: Any, y: Any, bar: Any) -> Any:
    """What comes back to `b` in `scipy.linalg.solve_continuous_are(a, b, q, r)`."""
    return -np.matmul(continuous_to_state(a, b, r, y, bar), adjoint(continuous_gain(b, r, y)))


def continuous_to_cost(a: Any, b: Any, r: Any, y: Any, bar: Any) -> Any:
    """What comes back to `r` in `scipy.linalg.solve_continuous_are(a, b, q, r)`."""
    gain = continuous_gain(b, r, y)
    return np.matmul(np.matmul(gain, continuous_weight(a, b, r, y, bar)), adjoint(gain))


def discrete_gain(a: Any, b: Any, r: Any, y: Any) -> Any:
    """The gain that belongs to the solution of a discrete Riccati equation."""
    inner = r + np.matmul(np.matmul(adjoint(b), y), b)
    return np.linalg.solve(inner, np.matmul(np.matmul(adjoint(b), y), a))


def discrete_weight(a: Any, b: Any, r: Any, y: Any, bar: Any) -> Any:
    """What comes back to the constant term of a discrete Riccati equation with the solution `y`."""
    return sl.solve_discrete_lyapunov(a - np.matmul(b, discrete_gain(a, b, r, y)), bar)


def discrete_to_state(a: Any, b: Any, r: Any, y: Any, bar: Any) -> Any:
    """What comes back to `a` in `scipy.linalg.solve_discrete_are(a, b, q, r)`."""
    weight = discrete_weight(a, b, r, y, bar)
    closed = a - np.matmul(b, discrete_gain(a, b, r, y))
    return np.matmul(np.matmul(y, closed), weight + adjoint(weight))


def discrete_to_input(a: Any, b: Any, r: Any, y: Any, bar: Any) -> Any:
    """What comes back to `b` in `scipy.linalg.solve_discrete_are(a, b, q, r)`."""
    return -np.matmul(discrete_to_state(a, b, r, y, bar), adjoint(discrete_gain(a, b, r, y)))


def discrete_to_cost(a: Any, b: Any, r: Any, y: Any, bar: Any) -> Any:
    """What comes back to `r` in `scipy.linalg.solve_discrete_are(a, b, q, r)`."""
    gain = discrete_gain(a, b, r, y)
    return np.matmul(np.matmul(gain, discrete_weight(a, b, r, y, bar)), adjoint(gain))


# Bases of subspaces, of singular vectors.


def rank_of(s: Any, shape: Any, rcond: Any) -> int:
    """How many singular values count."""
    precision = np.finfo(s.dtype).eps * max(shape) if rcond is None else rcond
    return int(np.sum(s > np.max(s, initial=0.0) * precision))


def orth(A: Any, rcond: Any = None) -> Any:  # noqa: N803
    """`scipy.linalg.orth`."""
    check_matrix("orth", A)
    u, s, _ = sl.svd(np.asarray(A), full_matrices=False)
    return u[:, : rank_of(s, np.shape(A), rcond)]


def null_space(
    A: Any,  # noqa: N803
    rcond: Any = None,
    *,
    overwrite_a: Any = False,
    check_finite: Any = True,
    lapack_driver: Any = "gesdd",
) -> Any:
    """`scipy.linalg.null_space`."""
    check_matrix("null_space", A)
    _, s, vh = sl.svd(
        np.asarray(A), full_matrices=True, check_finite=check_finite, lapack_driver=lapack_driver
    )
    return np.conj(np.transpose(vh[rank_of(s, np.shape(A), rcond) :, :]))


def subspace_angles(A: Any, B: Any) -> Any:  # noqa: N803
    """`scipy.linalg.subspace_angles`: small angles by their sines (Knyazev and Argentati 2002)."""
    first, second = orth(A), orth(B)
    between = np.matmul(adjoint(first), second)
    cosines = sl.svdvals(between)
    if first.shape[1] >= second.shape[1]:
        rest = second - np.matmul(first, between)
    else:
        rest = first - np.matmul(second, adjoint(between))
    small = cosines**2 >= 0.5
    sines = np.clip(sl.svdvals(rest), -1.0, 1.0)
    by_sine = np.arcsin(np.where(small, sines, 0.0))
    turned = cosines[::-1]
    by_cosine = np.arccos(np.where(small, 0.0, np.clip(turned, -1.0, 1.0)))
    return np.where(small, by_sine, by_cosine)


def orthogonal_procrustes(A: Any, B: Any, check_finite: Any = True) -> Any:  # noqa: N803
    """`scipy.linalg.orthogonal_procrustes`: the unitary factor of a product, and the trace of the other."""
    check_matrix("orthogonal_procrustes", A, B)
    u, p = sl.polar(np.matmul(np.conj(np.transpose(A)), B))
    return u, np.real(np.trace(p))


# Matrices that are made of vectors, and systems with them.


def diagsvd(s: Any, M: Any, N: Any) -> Any:  # noqa: N803
    """`scipy.linalg.diagsvd`."""
    part = np.diag(s)
    if len(part) == M:
        return np.concatenate([part, np.zeros((M, N - M), part.dtype)], axis=1)
    if len(part) == N:
        return np.concatenate([part, np.zeros((M - N, N), part.dtype)], axis=0)
    raise ValueError("Length of s must be M or N.")


def leslie(f: Any, s: Any) -> Any:
    """`scipy.linalg.leslie` of vectors."""
    f, s = np.asarray(f), np.asarray(s)
    check_vectors("leslie", f, s)
    below = np.concatenate([np.diag(s), np.zeros((len(s), 1), s.dtype)], axis=1)
    return np.concatenate([np.expand_dims(f, 0), below], axis=0)


def column_and_row(given: Any) -> Any:
    """The first column and row of a Toeplitz matrix, of which the column may be given alone."""
    return two_given(given) if isinstance(given, tuple) else one_given(given)


def two_given(given: Any) -> Any:
    """Both, where both are given."""
    column, row = given
    return np.ravel(column), np.ravel(row)


def one_given(given: Any) -> Any:
    """The column, and the row of a Hermitian matrix."""
    column = np.ravel(given)
    return column, np.conj(column)


def turned_column(c: Any, r: Any) -> Any:
    """The first row of the conjugate transpose of a Toeplitz matrix, with the corner that is read."""
    return np.conj(c)


def turned_row(c: Any, r: Any) -> Any:
    """The first column of the conjugate transpose of a Toeplitz matrix, with the corner that is read."""
    return np.concatenate([np.conj(c[:1]), np.conj(r[1:])])


def diagonal_sums(left: Any, right: Any) -> Any:
    """The sums along the diagonals of `left` times `right` adjoint, from the top right to the bottom left."""
    product = np.matmul(as_columns(left), adjoint(as_columns(right)))
    rows, columns = product.shape
    if rows + columns == 0:
        return np.zeros_like(np.ravel(product))
    return np.stack([np.trace(product, offset) for offset in range(columns - 1, -rows, -1)])


def as_columns(b: Any) -> Any:
    """A vector, or the columns of a matrix, as columns."""
    return np.expand_dims(b, -1) if np.ndim(b) == 1 else b


def of_column(sums: Any, c: Any) -> Any:
    """What comes back to the first column, of sums along diagonals."""
    return sums[len(sums) - len(c) :]


def of_row(sums: Any, r: Any) -> Any:
    """What comes back to the first row, whose first entry is not read."""
    return np.concatenate([np.zeros_like(sums[:1]), np.flip(sums[: len(r) - 1])])


def check_toeplitz(name: str, given: Any, right: Any) -> None:
    """Raise MissingRuleError for stacks, which older versions of SciPy take for one vector."""
    check_flat(name, *given)
    check_matrix(name, right)


def solve_toeplitz(c_or_cr: Any, b: Any, check_finite: Any = True) -> Any:
    """`scipy.linalg.solve_toeplitz`."""
    check_toeplitz("solve_toeplitz", (c_or_cr,), b)
    c, r = column_and_row(c_or_cr)
    return toeplitz_solved(c, r, b)


def solve_toeplitz_of_two(c_or_cr: Any, b: Any, check_finite: Any = True) -> Any:
    """The same, where the column and the row are given."""
    check_toeplitz("solve_toeplitz", c_or_cr, b)
    c, r = two_given(c_or_cr)
    return toeplitz_solved(c, r, b)


def toeplitz_solved(c: Any, r: Any, b: Any) -> Any:
    """The solution with a Toeplitz matrix that has this first column and row.

    Older versions of SciPy take no arrays that cannot be written to.
    """
    return sl.solve_toeplitz((np.array(c), np.array(r)), np.array(b))


def matmul_toeplitz(c_or_cr: Any, x: Any, check_finite: Any = False, workers: Any = None) -> Any:
    """`scipy.linalg.matmul_toeplitz`."""
    check_toeplitz("matmul_toeplitz", (c_or_cr,), x)
    c, r = column_and_row(c_or_cr)
    return toeplitz_applied(c, r, x)


def matmul_toeplitz_of_two(c_or_cr: Any, x: Any, check_finite: Any = False, workers: Any = None) -> Any:
    """The same, where the column and the row are given."""
    check_toeplitz("matmul_toeplitz", c_or_cr, x)
    c, r = two_given(c_or_cr)
    return toeplitz_applied(c, r, x)


def toeplitz_applied(c: Any, r: Any, x: Any) -> Any:
    """The product of a Toeplitz matrix that has this first column and row with vectors."""
    return sl.matmul_toeplitz((c, r), x)


# Symmetric tridiagonal matrices.


def tridiagonal_core(d: Any, e: Any, bar: Any) -> Any:
    """What comes back to a symmetric tridiagonal matrix from its eigenvalues."""
    vectors = tridiagonal_vectors(d, e)
    return np.matmul(vectors * bar, np.transpose(vectors))


def tridiagonal_vectors(d: Any, e: Any) -> Any:
    """The eigenvectors of a symmetric tridiagonal matrix."""
    return sl.eigh(dense(d, e))[1]


def tridiagonal_to_diagonal(d: Any, e: Any, bar: Any) -> Any:
    """What comes back to the diagonal from eigenvalues."""
    return np.diagonal(tridiagonal_core(d, e, bar))


def tridiagonal_beside(d: Any, e: Any, bar: Any) -> Any:
    """What comes back to the entries beside the diagonal from eigenvalues."""
    return 2 * np.diagonal(tridiagonal_core(d, e, bar), -1)
