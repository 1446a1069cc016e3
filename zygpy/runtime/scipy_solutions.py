"""What comes back through the solvers of `scipy.linalg`, as plain programs.

Rules mention these programs as `solutions.NAME`; a second derivative enters their source. This module is
imported with the rules of `scipy.linalg`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg as sl

from zygpy.runtime.broadcast import unbroadcast
from zygpy.runtime.decompositions import adjoint, diagonal, hermitian_of, in_diagonal
from zygpy.runtime.hermitian import triangle
from zygpy.runtime.products import swapped
from zygpy.runtime.scipy_functions import check_band, check_matrix


def as_columns(b: Any, vector: Any) -> Any:
    """Right-hand sides as the columns of matrices."""
    return np.expand_dims(b, -1) if vector else b


def conjugate(x: Any) -> Any:
    """The conjugate of what need not be complex."""
    return np.conj(x) if np.iscomplexobj(x) else x


def back_to(bar: Any, b: Any) -> Any:
    """The cotangent of columns in the shape of the right-hand side."""
    return unbroadcast(bar[..., 0] if np.ndim(b) == 1 else bar, np.shape(b))


# Structures: which elements of a matrix are read, and what is solved with.

SYMMETRIC = ("sym", "symmetric")
HERMITIAN = ("pos", "positive definite", "her", "hermitian")


def whole(a: Any, structure: Any, lower: Any) -> Any:
    """The matrix that `scipy.linalg.solve` solves with, given what is assumed of `a`."""
    if structure in HERMITIAN:
        return hermitian_of(a if lower else adjoint(a))
    if structure in SYMMETRIC:
        read = np.tril(a) if lower else np.triu(a)
        return read + swapped(read) - in_diagonal(diagonal(a))
    return read_part(a, structure)


def read_part(a: Any, structure: Any) -> Any:
    """The elements of a matrix that are read if it is assumed to have a structure, and zeros."""
    if structure == "diagonal":
        return in_diagonal(diagonal(a))
    if structure == "tridiagonal":
        return np.tril(np.triu(a, -1), 1)
    if structure == "upper triangular":
        return np.triu(a)
    return np.tril(a) if structure == "lower triangular" else a


def from_whole(bar: Any, structure: Any, lower: Any) -> Any:
    """The transpose of `whole`."""
    if structure in HERMITIAN:
        return triangle(bar, "L" if lower else "U")
    if structure in SYMMETRIC:
        both = bar + swapped(bar) - in_diagonal(diagonal(bar))
        return np.tril(both) if lower else np.triu(both)
    return read_part(bar, structure)


def is_single(a: Any) -> Any:
    """Whether SciPy takes a matrix for a number that all right-hand sides, however long, are divided by."""
    return np.size(a) == 1


def number_of(a: Any) -> Any:
    """The number that a matrix of one element is."""
    return np.reshape(a, ())[()]


def as_matrix(a: Any) -> Any:
    """A matrix that LAPACK takes: numbers of half precision become longer ones."""
    matrix = np.asarray(a)
    return matrix.astype(np.float32) if matrix.dtype == np.float16 else matrix


def solve_to_right(a: Any, b: Any, bar: Any, lower: Any, structure: Any, transposed: Any) -> Any:
    """What comes back to `b` in `scipy.linalg.solve(a, b, ...)`."""
    if is_single(a):
        return unbroadcast(bar / conjugate(number_of(a)), np.shape(b))
    return back_to(_solved_back(a, b, bar, lower, structure, transposed), b)


def _solved_back(a: Any, b: Any, bar: Any, lower: Any, structure: Any, transposed: Any) -> Any:
    matrix = whole(as_matrix(a), structure, lower)
    turned = np.conj(matrix) if transposed else adjoint(matrix)
    return np.linalg.solve(turned, as_columns(bar, np.ndim(b) == 1))


def solve_to_matrix(a: Any, b: Any, y: Any, bar: Any, lower: Any, structure: Any, transposed: Any) -> Any:
    """What comes back to `a` in `scipy.linalg.solve(a, b, ...)`."""
    if is_single(a):
        return np.reshape(-np.sum(bar / conjugate(number_of(a)) * conjugate(y)), np.shape(a))
    solved = _solved_back(a, b, bar, lower, structure, transposed)
    back = -np.matmul(solved, adjoint(as_columns(y, np.ndim(b) == 1)))
    return unbroadcast(from_whole(swapped(back) if transposed else back, structure, lower), np.shape(a))


def solve_along(a: Any, b: Any, y: Any, tangent: Any, lower: Any, structure: Any, transposed: Any) -> Any:
    """The tangent of `y = scipy.linalg.solve(a, b, ...)` where `a` has this tangent."""
    if is_single(a):
        return -(number_of(tangent) * y) / number_of(a)
    vector = np.ndim(b) == 1
    matrix, moving = whole(as_matrix(a), structure, lower), whole(tangent, structure, lower)
    if transposed:
        matrix, moving = swapped(matrix), swapped(moving)
    found = -np.linalg.solve(matrix, np.matmul(moving, as_columns(y, vector)))
    return found[..., 0] if vector else found


# Triangular and banded matrices.

TURNED: dict[Any, int] = {0: 0, 1: 1, 2: 2, "N": 0, "T": 1, "C": 2}
"""What `trans=` of SciPy's functions means, as a number."""


def code_of(trans: Any) -> int:
    """The number for a `trans=`."""
    return TURNED[trans]


def triangular_to_right(a: Any, b: Any, bar: Any, trans: Any, lower: Any, unit_diagonal: Any) -> Any:
    """What comes back to `b` in `scipy.linalg.solve_triangular(a, b, ...)`."""
    return back_to(_triangular_back(a, b, bar, trans, lower, unit_diagonal), b)


def _triangular_back(a: Any, b: Any, bar: Any, trans: Any, lower: Any, unit_diagonal: Any) -> Any:
    columns, turned = as_columns(bar, np.ndim(b) == 1), code_of(trans)
    if turned == 1:
        return conjugate(sl.solve_triangular(a, conjugate(columns), 0, lower, unit_diagonal))
    return sl.solve_triangular(a, columns, 2 - turned, lower, unit_diagonal)


def triangular_to_matrix(a: Any, b: Any, y: Any, bar: Any, trans: Any, lower: Any, unit_diagonal: Any) -> Any:
    """What comes back to `a` in `scipy.linalg.solve_triangular(a, b, ...)`."""
    solved = _triangular_back(a, b, bar, trans, lower, unit_diagonal)
    back = turned_back(solved, as_columns(y, np.ndim(b) == 1), code_of(trans))
    offset = 1 if unit_diagonal else 0
    return unbroadcast(np.tril(back, -offset) if lower else np.triu(back, offset), np.shape(a))


def triangular_along(a: Any, b: Any, y: Any, tangent: Any, trans: Any, lower: Any, unit_diagonal: Any) -> Any:
    """The tangent of `y = scipy.linalg.solve_triangular(a, b, ...)` where `a` has this tangent."""
    vector, turned, offset = np.ndim(b) == 1, code_of(trans), 1 if unit_diagonal else 0
    moving = np.tril(tangent, -offset) if lower else np.triu(tangent, offset)
    if turned > 0:
        moving = swapped(moving) if turned == 1 else adjoint(moving)
    right = np.matmul(moving, as_columns(y, vector))
    found = -sl.solve_triangular(a, right, turned, lower, unit_diagonal)
    return found[..., 0] if vector else found


def turned_back(solved: Any, x: Any, turned: int) -> Any:
    """The cotangent of a matrix M, where M, its transpose or its conjugate transpose is solved with."""
    back = -np.matmul(solved, adjoint(x))
    if turned == 0:
        return back
    return swapped(back) if turned == 1 else adjoint(back)


def shifted(row: Any, by: int) -> Any:
    """A row of diagonals, moved to the right, or with a negative number to the left; zeros come in."""
    zeros = np.zeros_like(row[: abs(by)])
    if by == 0:
        return row
    return np.concatenate([zeros, row[:-by]]) if by > 0 else np.concatenate([row[-by:], zeros])


def banded_adjoint(bands: Any, ab: Any) -> Any:
    """The diagonals of the conjugate transpose of a banded matrix, in the order of SciPy."""
    below, above = bands
    rows = [shifted(np.conj(ab[above + place]), place) for place in range(below, -above - 1, -1)]
    return np.stack(rows)


def banded_back(l_and_u: Any, ab: Any, bar: Any) -> Any:
    """Solve with the conjugate transpose of a banded matrix."""
    check_matrix("solve_banded", ab, bar)
    below, above = l_and_u
    return sl.solve_banded((above, below), banded_adjoint(l_and_u, ab), bar)


def banded_to_diagonals(l_and_u: Any, ab: Any, y: Any, bar: Any) -> Any:
    """What comes back to `ab` in `scipy.linalg.solve_banded(l_and_u, ab, b)`."""
    below, above = l_and_u
    solved, x = banded_back(l_and_u, ab, bar), np.conj(y)
    if np.ndim(y) == 1:
        solved, x = np.expand_dims(solved, -1), np.expand_dims(x, -1)
    return np.stack([-np.sum(shifted(solved, -place) * x, axis=-1) for place in range(-above, below + 1)])


def hermitian_banded_to_diagonals(ab: Any, b: Any, y: Any, bar: Any, lower: Any) -> Any:
    """What comes back to `ab` in `scipy.linalg.solveh_banded(ab, b, lower=lower)`."""
    check_band("solveh_banded", ab)
    solved, x = sl.solveh_banded(ab, bar, lower=lower), y
    if np.ndim(y) == 1:
        solved, x = np.expand_dims(solved, -1), np.expand_dims(x, -1)
    count = np.shape(ab)[0]
    places = range(count) if lower else range(1 - count, 1)
    rows = []
    for place in places:
        row = np.sum(shifted(solved, -place) * np.conj(x), axis=-1)
        other = np.sum(shifted(x, -place) * np.conj(solved), axis=-1)
        rows.append(-np.real(row) if place == 0 else -row - other)
    return np.stack(rows) if rows else np.zeros_like(ab)
