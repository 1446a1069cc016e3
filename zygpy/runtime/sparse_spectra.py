"""Some eigenvalues and singular values of sparse matrices, by ARPACK and others, as programs.

SciPy finds them. A pair `(v, w)` is where `A v = w v` and `c^H v = 1`, with the vector found as the constant
`c`, so that its derivative is the solution of the bordered equations

    (A - w) dv - v dw = -dA v,    c^H dv = 0

(P. Lancaster, On eigenvalues of matrices dependent on a parameter, Numer. Math. 6 (1964)). For simple eigenvalues
they have one. Eigenvectors are taken as of length 1; functions that depend on their sign, or phase, have no
derivative, of which nothing is seen here.

This module is imported with the rules of `scipy.sparse`, never by zygpy itself.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sl

from zygpy.errors import MissingRuleError
from zygpy.runtime.library_values import as_given, told_by
from zygpy.runtime.sparse_entries import added_at_places, keys, once, scattered
from zygpy.runtime.sparse_products import solved

# A pair as a function of the entries of a matrix.


def pair(data: Any, places: Any, found: Any, hermitian: bool) -> Any:
    """A vector of length 1 with its eigenvalue behind it, of the matrix with these entries."""
    return np.array(found)


def pair_cotangent(data: Any, places: Any, hermitian: bool, y: Any, y_bar: Any) -> Any:
    """The cotangent of the entries for that of a pair: `-u conj(v)` at the places, where `u` solves the
    adjoint of the bordered equations. That of the eigenvalue alone of a Hermitian matrix is `v conj(v)`, also
    where it is not simple."""
    rows, columns = places
    if hermitian and not np.any(y_bar[:-1]):
        v = y[:-1]
        found = y_bar[-1] * v[rows] * np.conj(v[columns]) / np.sum(np.real(v * np.conj(v)))
    else:
        u = solved_adjoint(np.conj(data), places, np.conj(y), y_bar)
        found = -u[rows] * np.conj(y[columns])
    return found if np.iscomplexobj(data) else np.real(found)


def solved_adjoint(data: Any, places: Any, y: Any, right: Any) -> Any:
    """The solution of the adjoint of the bordered equations, nan where the eigenvalue is not simple; all but
    the right side comes conjugated."""
    rows, columns = places
    size = np.size(y) - 1
    line = np.arange(size)
    vector, value = y[:-1], y[-1]
    values = np.concatenate([data * 1.0, np.zeros(size) - value, -vector, np.conj(fixed(vector))])
    where, first, second = bordered_places(rows, columns, size, line)
    matrix = scattered(values, where, (len(first),))
    kind = np.result_type(matrix, right)
    shape = (size + 1, size + 1)
    if not is_simple(matrix, first, second, shape):
        return right * np.nan
    return solved(matrix.astype(kind), first, second, shape, "csc", np.asarray(right).astype(kind))


def is_simple(matrix: Any, first: Any, second: Any, shape: Any) -> bool:
    """Whether the bordered equations have a solution to more than a few digits."""
    tried = np.cos(1.0 + np.arange(shape[0]) ** 1.5).astype(matrix.dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = sl.spsolve(sp.csc_array((matrix.copy(), first, second), shape=shape), tried)
    return bool(np.max(np.abs(found)) * np.max(np.abs(matrix)) < LARGE)


LARGE = 1e12
"""The product with the inverse from which on equations count as singular."""


def fixed(vector: Any) -> Any:
    """The vector as a constant."""
    return np.array(vector)


def bordered_places(rows: Any, columns: Any, size: int, line: Any) -> tuple[Any, Any, Any]:
    """Where the entries of the bordered matrix go in its transpose in the form "csc", and its places."""
    last = np.full(size, size)
    left = np.concatenate([columns, line, last, line])
    right = np.concatenate([rows, line, line, last])
    numbers = keys(right, left, size + 1)
    first, where = once(numbers)
    counts = np.bincount(right[first], minlength=size + 1)
    return where, left[first].astype(np.int32), np.append(0, np.cumsum(counts)).astype(np.int32)


def values_and_vectors(array: Any, values: Any, vectors: Any, hermitian: bool) -> tuple[Any, Any]:
    """The eigenvalues and vectors, a column each, that were found of a matrix, with their derivatives."""
    data, places = entries_of(array)
    found_values, found_vectors = [], []
    for number in range(len(values)):
        both = pair(data, places, with_value(values, vectors, number), hermitian)
        vector = both[:-1]
        length = np.sqrt(np.sum(np.real(vector * np.conj(vector))))
        found_values.append(both[-1])
        found_vectors.append(vector / length)
    return np.stack(found_values), np.stack(found_vectors, axis=-1)


def entries_of(array: Any) -> tuple[Any, Any]:
    """The entries of a sparse or dense matrix, and their rows and columns."""
    if sp.issparse(array):
        data, rows, columns = added_at_places(array)
        return data, (rows, columns)
    return np.reshape(array * 1.0, (-1,)), dense_places(array)


def dense_places(array: Any) -> tuple[Any, Any]:
    """The rows and columns of all elements."""
    rows, columns = np.indices(np.shape(array)).reshape(2, -1)
    return rows, columns


def with_value(values: Any, vectors: Any, number: int) -> Any:
    """A vector of length 1 with its value behind it."""
    vector = vectors[:, number] / np.linalg.norm(vectors[:, number])
    return np.append(vector, values[number])


# What SciPy finds.


def eigsh(A: Any, k: Any = 6, M: Any = None, **options: Any) -> Any:  # noqa: N803
    """`scipy.sparse.linalg.eigsh` of a matrix that is symmetric or Hermitian.

    Raises a `MissingRuleError` for operators and for the equation `A v = w M v`."""
    check_matrix("eigsh", A, M)
    value = told_by(sl.eigsh, (A, k), options)
    if has_no_vectors(options):
        w, v = found_again(sl.eigsh, A, k, options)
        w, v = values_and_vectors(A, w, v, True)
        return as_given(value, np.real(w[order_like(value, w)]))
    w, v = values_and_vectors(A, value[0], value[1], True)
    return as_given(value[0], np.real(w)), as_given(value[1], v)


def eigs(A: Any, k: Any = 6, M: Any = None, **options: Any) -> Any:  # noqa: N803
    """`scipy.sparse.linalg.eigs`, with the same refusals."""
    check_matrix("eigs", A, M)
    value = told_by(sl.eigs, (A, k), options)
    if has_no_vectors(options):
        w, v = found_again(sl.eigs, A, k, options)
        w, v = values_and_vectors(A, w, v, False)
        return as_given(value, w[order_like(value, w)])
    w, v = values_and_vectors(A, value[0], value[1], False)
    return as_given(value[0], w), as_given(value[1], v)


def check_matrix(name: str, array: Any, mass: Any) -> None:
    """Refuse operators, and equations with a second matrix."""
    if mass is not None:
        raise MissingRuleError(
            f"'scipy.sparse.linalg.{name}' has no rule for two matrices.",
            why="only the equation 'A v = w v' has one",
            instead="give it the matrix 'spsolve(M, A)', or use 'scipy.linalg.eigh' of dense ones",
        )
    if not (sp.issparse(array) or isinstance(array, np.ndarray)) or isinstance(array, np.matrix):
        raise MissingRuleError(
            f"'scipy.sparse.linalg.{name}' has no rule for operators.",
            why="the matrix is not known by its entries",
            instead="give it a sparse or dense array",
        )


def has_no_vectors(options: Any) -> bool:
    """Whether vectors are not asked for."""
    return not options.get("return_eigenvectors", True)


def found_again(solver: Any, array: Any, k: Any, options: Any) -> Any:
    """Values and vectors, for a call that asked for values alone: a generator is not drawn from again."""
    again = {name: option for name, option in options.items() if name not in ("rng", "return_eigenvectors")}
    return solver(array, k, **again)


def order_like(value: Any, found: Any) -> Any:
    """Which of those found is which value: each the nearest one that is left."""
    left = list(range(len(found)))
    chosen = []
    for one in value:
        nearest = min(left, key=lambda place, one=one: abs(found[place] - one))
        left.remove(nearest)
        chosen.append(nearest)
    return np.array(chosen, int)


# Singular values.


def svds(A: Any, k: Any = 6, **options: Any) -> Any:  # noqa: N803
    """`scipy.sparse.linalg.svds`: a singular value is an eigenvalue of the matrix with `A` and its adjoint
    beside each other, whose vectors are both of its own.

    Raises a `MissingRuleError` for operators and where only vectors of one side are asked for."""
    check_matrix("svds", A, None)
    asked = check_sides(options)
    value = told_by(sl.svds, (A, k), options)
    u, s, vh = value if asked else vectors_again(A, k, options)
    w, v = values_and_vectors(doubled(A), s, stacked(u, vh), True)
    height = A.shape[0]
    if not asked:
        return as_given(value, np.real(w)[order_like(value, w)])
    v = v * np.sqrt(2.0)
    return as_given(u, v[:height]), as_given(s, np.real(w)), as_given(vh, np.conj(np.transpose(v[height:])))


def doubled(array: Any) -> Any:
    """The matrix with another one and its adjoint beside each other, and zeros."""
    if sp.issparse(array):
        plain = sp.csr_array(array)
        return sp.block_array([[None, plain], [plain.T.conj(), None]], format="csr")
    height, width = np.shape(array)
    above = np.concatenate([np.zeros((height, height)), array], axis=1)
    return np.concatenate([above, np.concatenate([np.conj(array.T), np.zeros((width, width))], axis=1)])


def check_sides(options: Any) -> bool:
    """Whether vectors are asked for; refuse those of one side."""
    asked = options.get("return_singular_vectors", True)
    if isinstance(asked, str):
        raise MissingRuleError(
            "'scipy.sparse.linalg.svds' has no rule for vectors of one side.",
            why="those of the other are needed for the derivative",
            instead="ask for both with 'return_singular_vectors=True'",
        )
    return bool(asked)


def vectors_again(array: Any, k: Any, options: Any) -> Any:
    """Values and vectors of both sides, for a call that asked for values alone."""
    apart = ("rng", "random_state", "return_singular_vectors")
    return sl.svds(array, k, **{name: option for name, option in options.items() if name not in apart})


def stacked(u: Any, vh: Any) -> Any:
    """The vectors of both sides, one below the other."""
    return np.concatenate([u, np.conj(vh.T)])
