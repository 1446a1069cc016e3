"""Some eigenvalues and singular values of sparse matrices, by ARPACK and others, as programs.

SciPy finds them. A pair `(v, w)` is where `A v = w v` and `c^H v = 1`, with the vector found as the constant
`c`, so that its derivative is the solution of the bordered equations

    (A - w) dv - v dw = -dA v,    c^H dv = 0

(P. Lancaster, On eigenvalues of matrices dependent on a parameter, Numer. Math. 6 (1964)). For simple
eigenvalues they have one. Eigenvectors are taken as of length 1; functions that depend on their sign, or
phase, have no derivative, of which nothing is seen here.

This module is imported with the rules of `scipy.sparse`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sl

from zygpy.errors import MissingRuleError
from zygpy.runtime.library_values import as_given, depending, told_by
from zygpy.runtime.sparse_entries import added_at_places, keys, once, scattered
from zygpy.runtime.sparse_products import TURNED, assembled

# A pair as a function of the entries of a matrix.


def pair(data: Any, places: Any, found: Any, hermitian: bool) -> Any:
    """A vector of length 1 with its eigenvalue behind it, of the matrix with these entries."""
    return np.array(found)


def pair_cotangent(data: Any, places: Any, hermitian: bool, y: Any, y_bar: Any) -> Any:
    """The cotangent of the entries for that of a pair: `-u conj(v)` at the places, where `u` solves the
    adjoint of the bordered equations. That of the eigenvalue of a Hermitian matrix is `v conj(v)`, also where
    it is not simple."""
    rows, columns = places
    right = np.concatenate([y_bar[:-1], 0 * y_bar[-1:]]) if hermitian else y_bar
    u = solved_adjoint(np.conj(data), places, np.conj(y), right)
    found = -u[rows] * np.conj(y[columns])
    if hermitian:
        v = y[:-1]
        found = found + y_bar[-1] * v[rows] * np.conj(v[columns]) / np.sum(np.real(v * np.conj(v)))
    return found if np.iscomplexobj(data) else np.real(found)


def solved_adjoint(data: Any, places: Any, y: Any, right: Any) -> Any:
    """The solution of the adjoint of the bordered equations; all but the right side comes conjugated."""
    rows, columns = places
    size = np.size(y) - 1
    line = np.arange(size)
    vector, value = y[:-1], y[-1]
    values = np.concatenate([data * 1.0, np.zeros(size) - value, -vector, np.conj(fixed(vector))])
    where, first, second = bordered_places(rows, columns, size, line)
    matrix = scattered(values, where, (len(first),))
    kind = np.result_type(matrix, right)
    return bordered(matrix.astype(kind), first, second, "csc", np.asarray(right).astype(kind))


def bordered(data: Any, first: Any, second: Any, form: str, b: Any) -> Any:
    """The solution of bordered equations: zero for a right side of zero, else nan where they have no solution
    to more than a few digits."""
    if not np.any(b):
        return np.zeros_like(b)
    try:
        factors = sl.splu(assembled(data.copy(), first.copy(), second.copy(), (len(b), len(b)), form).tocsc())
    except RuntimeError:  # exactly singular
        return b * np.nan
    tried = factors.solve(np.cos(1.0 + np.arange(len(b)) ** 1.5).astype(data.dtype))
    is_simple = np.max(np.abs(tried)) * np.max(np.abs(data)) < LARGE
    return factors.solve(b) if is_simple else b * np.nan


def turned_bordered(data: Any, first: Any, second: Any, form: str, b: Any) -> Any:
    """The solution of the equations of the transpose."""
    return bordered(data, first, second, TURNED[form], b)


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


def eigsh(
    A: Any, k: Any = 6, M: Any = None, sigma: Any = None, which: Any = None, v0: Any = None,  # noqa: N803
    ncv: Any = None, maxiter: Any = None, tol: Any = None, return_eigenvectors: Any = True,
    Minv: Any = None, OPinv: Any = None, mode: Any = None, rng: Any = None,  # noqa: N803
) -> Any:  # fmt: skip
    """`scipy.sparse.linalg.eigsh` of a matrix that is symmetric or Hermitian.

    Raises a `MissingRuleError` for operators and for the equation `A v = w M v`."""
    check_matrix("eigsh", A, M)
    options = {
        "sigma": sigma, "which": which, "v0": v0, "ncv": ncv, "maxiter": maxiter, "tol": tol, "Minv": Minv,
        "OPinv": OPinv, "mode": mode, "rng": rng,
    }  # fmt: skip
    if not return_eigenvectors:
        value = told_by(sl.eigsh, (A, k), {**options, "return_eigenvectors": False})
        w, v = found_again(sl.eigsh, A, k, options)
        w, v = values_and_vectors(A, w, v, True)
        return as_given(value, np.real(depending(w, M)[order_like(value, w)]))
    value = told_by(sl.eigsh, (A, k), options)
    w, v = values_and_vectors(A, value[0], value[1], True)
    return as_given(value[0], np.real(depending(w, M))), as_given(value[1], depending(v, M))


def eigs(
    A: Any, k: Any = 6, M: Any = None, sigma: Any = None, which: Any = None, v0: Any = None,  # noqa: N803
    ncv: Any = None, maxiter: Any = None, tol: Any = None, return_eigenvectors: Any = True,
    Minv: Any = None, OPinv: Any = None, OPpart: Any = None, rng: Any = None,  # noqa: N803
) -> Any:  # fmt: skip
    """`scipy.sparse.linalg.eigs`, with the same refusals."""
    check_matrix("eigs", A, M)
    options = {
        "sigma": sigma, "which": which, "v0": v0, "ncv": ncv, "maxiter": maxiter, "tol": tol, "Minv": Minv,
        "OPinv": OPinv, "OPpart": OPpart, "rng": rng,
    }  # fmt: skip
    if not return_eigenvectors:
        value = told_by(sl.eigs, (A, k), {**options, "return_eigenvectors": False})
        w, v = found_again(sl.eigs, A, k, options)
        w, v = values_and_vectors(A, w, v, False)
        return as_given(value, depending(w, M)[order_like(value, w)])
    value = told_by(sl.eigs, (A, k), options)
    w, v = values_and_vectors(A, value[0], value[1], False)
    return as_given(value[0], depending(w, M)), as_given(value[1], depending(v, M))


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


def found_again(solver: Any, array: Any, k: Any, options: Any) -> Any:
    """Values and vectors, for a call that asked for values alone: no generator is drawn from again."""
    again = {name: option for name, option in options.items() if option is not None and name != "rng"}
    return solver(array, k, **again, rng=np.random.default_rng(0))


def order_like(value: Any, found: Any) -> Any:
    """Which of those found is which value: each the nearest one that is left."""
    left = list(range(len(found)))
    return np.array([left.pop(int(np.argmin(np.abs(found[left] - one)))) for one in value], int)


# Singular values.


def svds(
    A: Any, k: Any = 6, ncv: Any = None, tol: Any = None, which: Any = None, v0: Any = None,  # noqa: N803
    maxiter: Any = None, return_singular_vectors: Any = True, solver: Any = None, rng: Any = None,
    options: Any = None, *, random_state: Any = None,
) -> Any:  # fmt: skip
    """`scipy.sparse.linalg.svds`: a singular value is an eigenvalue of the matrix with `A` and its adjoint
    beside each other, whose vectors are both of its own.

    Raises a `MissingRuleError` for operators and where only vectors of one side are asked for."""
    check_matrix("svds", A, None)
    check_sides(return_singular_vectors)
    given = {
        "ncv": ncv, "tol": tol, "which": which, "v0": v0, "maxiter": maxiter, "solver": solver,
        "options": options,
    }  # fmt: skip
    drawn = {"rng": rng, "random_state": random_state}
    if not return_singular_vectors:
        value = told_by(sl.svds, (A, k), {**given, **drawn, "return_singular_vectors": False})
        u, s, vh = found_again(sl.svds, A, k, given)
        w, v = values_and_vectors(doubled(A), s, stacked(u, vh), True)
        return as_given(value, np.real(w)[order_like(value, w)])
    u, s, vh = told_by(sl.svds, (A, k), {**given, **drawn})
    w, v = values_and_vectors(doubled(A), s, stacked(u, vh), True)
    height = A.shape[0]
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


def check_sides(asked: Any) -> None:
    """Refuse vectors of one side."""
    if isinstance(asked, str):
        raise MissingRuleError(
            "'scipy.sparse.linalg.svds' has no rule for vectors of one side.",
            why="those of the other are needed for the derivative",
            instead="ask for both with 'return_singular_vectors=True'",
        )


def stacked(u: Any, vh: Any) -> Any:
    """The vectors of both sides, one below the other."""
    return np.concatenate([u, np.conj(vh.T)])
