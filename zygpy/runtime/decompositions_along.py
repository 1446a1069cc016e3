"""The tangents of decompositions of matrices, as plain programs of NumPy.

Rules mention these programs as `decompositions_along.NAME`. They are differentiated through their source, so
they use functions that have rules themselves, and write nothing. All hold for stacks of matrices, real or
complex, and leave out what the cotangents in `decompositions` leave out: each is the transpose of one there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.runtime.decompositions import (
    adjoint,
    diagonal,
    hermitian_of,
    inverse_basis,
    inverse_differences,
    is_real_row,
    qr,
    reciprocals,
    turned_into_values,
)
from zygpy.runtime.hermitian import half_lower, triangle_transpose
from zygpy.runtime.linear_algebra import inverse, plain_solve
from zygpy.runtime.products import swapped
from zygpy.runtime.reductions import quotient

EigResult: Any = type(np.linalg.eig(np.eye(1)))
EighResult: Any = type(np.linalg.eigh(np.eye(1)))
QRResult: Any = type(np.linalg.qr(np.eye(1)))
SVDResult: Any = type(np.linalg.svd(np.eye(1)))
SlogdetResult: Any = type(np.linalg.slogdet(np.eye(1)))


def slogdet_along(a: Any, y: Any, dot: Any) -> Any:
    """The tangent of `np.linalg.slogdet(a)`: the trace of the inverse times that of `a`."""
    trace = np.sum(swapped(inverse(a)) * dot, axis=(-2, -1))
    if np.iscomplexobj(y[0]):
        return SlogdetResult(1j * np.imag(trace) * y[0], np.real(trace))
    return SlogdetResult(0.0 * y[0], trace)


def power_along(a: Any, dot: Any, n: int) -> Any:
    """The derivative of the n-th power of a matrix along `dot`, by squares and products of both at once.

    >>> power_along(np.array([[3.0]]), np.array([[1.0]]), 2), power_along(np.eye(1), np.eye(1), -3)
    (array([[6.]]), array([[-3.]]))
    """
    if n == 0:
        return np.zeros_like(dot)
    if n < 0:
        a = np.linalg.inv(a)
        dot, n = -np.matmul(np.matmul(a, dot), a), -n
    power, moved = a, dot
    for digit in bin(n)[3:]:
        moved = np.matmul(power, moved) + np.matmul(moved, power)
        power = np.matmul(power, power)
        if digit == "1":
            moved = np.matmul(power, dot) + np.matmul(moved, a)
            power = np.matmul(power, a)
    return moved


# Triangular factors.


def cholesky_along(y: Any, dot: Any, upper: Any = False) -> Any:
    """The tangent of a Cholesky factor, of which the triangle of `a` that is read moves along `dot`."""
    if upper:
        return adjoint(cholesky_along(adjoint(y), adjoint(dot)))
    solved = plain_solve(y, triangle_transpose(dot))
    return np.matmul(y, half_lower(plain_solve(y, adjoint(solved))))


def qr_along(a: Any, y: Any, dot: Any, mode: Any = "reduced") -> Any:
    """The tangent of `np.linalg.qr(a, mode)`."""
    a = np.asarray(a)
    if mode == "r":
        q, r = qr(a)
        return _qr_along(a, q, r, dot)[1]
    q_dot, r_dot = factors_along(a, y[0], y[1], dot)
    return QRResult(q_dot, r_dot)


def factors_along(a: Any, q: Any, r: Any, dot: Any) -> Any:
    """The tangents of both factors, which may be complete."""
    count = min(a.shape[-2:])
    first = q[..., :count]
    q_dot, r_dot = _qr_along(a, first, r[..., :count, :], dot)
    q_dot = with_complement(q, q_dot, count)
    if r.shape[-2] > count:
        r_dot = np.concatenate([r_dot, np.zeros_like(r[..., count:, :])], axis=-2)
    return q_dot, r_dot


def _qr_along(a: Any, q: Any, r: Any, dot: Any) -> Any:
    """The tangents of as many columns of `q` and rows of `r` as there are of both."""
    count = r.shape[-2]
    moved = np.matmul(dot[..., :count], inverse(r[..., :count]))
    inner = np.matmul(adjoint(q), moved)
    turn = adjoint(half_lower(inner + adjoint(inner)))
    q_dot, r_dot = moved - np.matmul(q, turn), np.matmul(turn, r[..., :count])
    if r.shape[-1] == count:
        return q_dot, r_dot
    beside = np.matmul(adjoint(q), dot[..., count:]) + np.matmul(adjoint(q_dot), a[..., count:])
    return q_dot, np.concatenate([r_dot, beside], axis=-1)


def with_complement(vectors: Any, dot: Any, count: int) -> Any:
    """The tangents of all vectors, given those of the first: the others stay orthogonal to them."""
    if vectors.shape[-1] == count:
        return dot
    first, rest = vectors[..., :count], vectors[..., count:]
    return np.concatenate([dot, -np.matmul(first, np.matmul(adjoint(dot), rest))], axis=-1)


# Singular values.


def svd_along(y: Any, dot: Any, hermitian: Any = False) -> Any:
    """The tangent of `np.linalg.svd(a, ...)`."""
    u, s, vh = singular_along(y[0], y[1], y[2], triangle_transpose(dot) if hermitian else dot)
    return SVDResult(u, s, vh)


def values_along(a: Any, dot: Any, hermitian: Any = False) -> Any:
    """The tangent of singular values that are asked for alone."""
    if hermitian:
        return turned_into_values(hermitian_of(a), triangle_transpose(dot))
    return turned_into_values(a, dot)


def singular_along(u: Any, s: Any, vh: Any, dot: Any) -> Any:
    """The tangents of singular vectors and values (Townsend 2016; Wan and Zhang 2019)."""
    count, v = s.shape[-1], adjoint(vh)
    left, right = u[..., :count], v[..., :count]
    inner = np.matmul(np.matmul(adjoint(left), dot), right)
    turned = adjoint(inner)
    across, along = np.expand_dims(s, -2), np.expand_dims(s, -1)
    gaps = inverse_differences(s) * reciprocals(across + along)
    u_dot = np.matmul(left, gaps * (inner * across + along * turned))
    v_dot = np.matmul(right, gaps * (along * inner + turned * across))
    if u.shape[-2] > count:
        moved = np.matmul(dot, right)
        u_dot = u_dot + quotient(moved - np.matmul(left, np.matmul(adjoint(left), moved)), across)
    if v.shape[-2] > count:
        moved = np.matmul(adjoint(dot), left)
        v_dot = v_dot + quotient(moved - np.matmul(right, np.matmul(adjoint(right), moved)), across)
    if np.iscomplexobj(u):
        u_dot, v_dot = _with_phases(left, right, u_dot, v_dot, quotient(0.5 * np.imag(diagonal(inner)), s))
    s_dot = np.real(diagonal(inner))
    return with_complement(u, u_dot, count), s_dot, adjoint(with_complement(v, v_dot, count))


def _with_phases(u: Any, v: Any, u_dot: Any, v_dot: Any, turn: Any) -> Any:
    """The tangents of complex singular vectors: with those of their phases, of which LAPACK chooses one."""
    turn = np.expand_dims(1j * turn, -2)
    u_dot, v_dot = u_dot + turn * u, v_dot - turn * v
    if is_real_row(v, 0):
        phase = phase_along(v, v_dot, 0)
    elif is_real_row(u, 0):
        phase = phase_along(u, u_dot, 0)
    else:
        return u_dot, v_dot
    return u_dot + phase * u, v_dot + phase * v


def phase_along(vectors: Any, dot: Any, row: int) -> Any:
    """The turns, as imaginary numbers, that keep the components in a row real."""
    found = quotient(-1j * np.imag(dot[..., row, :]), np.real(vectors[..., row, :]))
    return np.expand_dims(found, -2)


# Eigenvalues and eigenvectors.


def eigvalsh_along(a: Any, dot: Any, letter: Any = "L") -> Any:
    """The tangent of `np.linalg.eigvalsh(a, letter)`."""
    vectors = np.linalg.eigh(a, letter)[1]
    return np.real(diagonal(_in_basis(vectors, triangle_transpose(dot, letter))))


def _in_basis(vectors: Any, dot: Any) -> Any:
    """A matrix in the basis of eigenvectors of length one."""
    return np.matmul(np.matmul(adjoint(vectors), dot), vectors)


def eigh_along(y: Any, dot: Any, letter: Any = "L") -> Any:
    """The tangent of `np.linalg.eigh(a, letter)`."""
    values, vectors = hermitian_along(y[0], y[1], dot, letter)
    return EighResult(values, vectors)


def hermitian_along(values: Any, vectors: Any, dot: Any, letter: Any = "L") -> Any:
    """The tangents of eigenvalues and eigenvectors of a Hermitian matrix (Giles 2008)."""
    inner = _in_basis(vectors, triangle_transpose(dot, letter))
    moved = np.matmul(vectors, inverse_differences(values) * inner)
    row = 0 if letter in "lL" else -1
    if np.iscomplexobj(vectors) and is_real_row(vectors, row):
        moved = moved + phase_along(vectors, moved, row) * vectors
    return np.real(diagonal(inner)), moved


def eig_along(y: Any, dot: Any) -> Any:
    """The tangent of `np.linalg.eig(a)`."""
    values, vectors = pairs_along(y[0], y[1], dot)
    return EigResult(values, vectors)


def pairs_along(values: Any, vectors: Any, dot: Any) -> Any:
    """The tangents of eigenvalues and of eigenvectors that have length one and their largest component real
    (Giles 2008; Boeddeker et al. 2017)."""
    inner = np.matmul(np.matmul(inverse_basis(vectors, dot), dot), vectors)
    moved = np.matmul(vectors, inverse_differences(values) * inner)
    longer = np.sum(np.conj(vectors) * moved, axis=-2, keepdims=True)
    if not np.iscomplexobj(vectors):
        return diagonal(inner), moved - vectors * longer
    largest = np.argmax(np.abs(vectors), axis=-2, keepdims=True)
    turn = quotient(
        np.imag(np.take_along_axis(moved, largest, axis=-2)),
        np.real(np.take_along_axis(vectors, largest, axis=-2)),
    )
    return diagonal(inner), moved - vectors * (np.real(longer) + 1j * turn)


def eigvals_along(a: Any, y: Any, dot: Any) -> Any:
    """The tangent of `np.linalg.eigvals(a)`, whatever the order of the vectors."""
    values, vectors = np.linalg.eig(a)
    found = diagonal(np.matmul(np.matmul(inverse_basis(vectors, dot), dot), vectors))
    if not np.allclose(values, y):
        order = np.argmin(np.abs(np.expand_dims(y, -1) - np.expand_dims(values, -2)), axis=-1)
        found = np.take_along_axis(found, order, axis=-1)
    return found
