"""Sparse linear equations that are solved by factors, as programs.

What has a gradient is the solution of the equations, whichever way SciPy has found it: of A x = b the
cotangent of b is v, where A^T v = x_bar, and that of A is -v x^T at its entries.
This module is imported with the rules of `scipy.sparse`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sl

from zygpy.runtime.library_values import as_given, told_by
from zygpy.runtime.sparse_entries import added_at_places, refused
from zygpy.runtime.sparse_products import is_out_of_order, outer_entries, parts_of, put_in_order, solved

# Triangular systems.


def spsolve_triangular(
    A: Any, b: Any, lower: Any = True, overwrite_A: Any = False, overwrite_b: Any = False,  # noqa: N803
    unit_diagonal: Any = False,
) -> Any:  # fmt: skip
    """`scipy.sparse.linalg.spsolve_triangular`, which leaves its arguments as they are.

    Raises a `MissingRuleError` for matrices with entries beside the triangle."""
    value = told_by(sl.spsolve_triangular, (A, b, lower, False, False, unit_diagonal), {})
    values, rows, columns = added_at_places(A)
    chosen = chosen_places(rows, columns, lower, unit_diagonal)
    line = np.arange(A.shape[0] if unit_diagonal else 0)
    data = np.concatenate([values[chosen], np.ones(len(line))])
    where, first, second = compressed(
        np.append(rows[chosen], line), np.append(columns[chosen], line), A.shape[0]
    )
    right = np.asarray(b)
    if np.ndim(right) == 2 and np.shape(right)[1] == 1:
        found = solved(data[where], first, second, A.shape, "csc", np.reshape(right, (-1,)))
    else:
        found = solved(data[where], first, second, A.shape, "csc", right)
    return as_given(value, np.reshape(found, np.shape(right)))


def chosen_places(rows: Any, columns: Any, lower: Any, unit: Any) -> Any:
    """Which entries count: those of the triangle, without the diagonal if that is one."""
    beside = np.asarray(columns) - rows if lower else np.asarray(rows) - columns
    if np.any(beside > 0):
        raise refused("'spsolve_triangular' of matrices with entries beside the triangle; use 'tril'")
    return np.flatnonzero(beside < (0 if unit else 1))


def compressed(rows: Any, columns: Any, size: int) -> tuple[Any, Any, Any]:
    """The order of entries in the form "csc", and their places there."""
    order = np.lexsort((rows, columns))
    counts = np.bincount(columns, minlength=size)
    return order, np.asarray(rows, np.int32)[order], np.append(0, np.cumsum(counts)).astype(np.int32)


# Solutions by factors.


class Factors:
    """The factors of a sparse matrix, as `splu` gives them, together with its entries."""

    def __init__(self, factors: Any, data: Any, places: Any) -> None:
        self.factors = factors
        self.data = data
        self.places = places
        self.shape, self.nnz = factors.shape, factors.nnz
        self.perm_r, self.perm_c = factors.perm_r, factors.perm_c

    @property
    def L(self) -> Any:  # noqa: N802
        """The lower factor, which is refused."""
        raise refused("the factors 'L' and 'U' of 'splu'", "use 'scipy.linalg.lu' of dense matrices")

    U = L

    def solve(self, rhs: Any, trans: Any = "N") -> Any:
        """The solution for a right side, of the matrix or of its transpose."""
        return by_factors(self.factors, self.data, self.places, np.asarray(rhs), trans)


def splu(
    A: Any, permc_spec: Any = None, diag_pivot_thresh: Any = None, relax: Any = None,  # noqa: N803
    panel_size: Any = None, options: Any = None,
) -> Any:  # fmt: skip
    """`scipy.sparse.linalg.splu` of real matrices."""
    check_real(A)
    if is_out_of_order(A):
        put_in_order(A)
    factors = told_by(sl.splu, (A, permc_spec, diag_pivot_thresh, relax, panel_size, options), {})
    return Factors(factors, A.data * 1.0, parts_of(A))


class Approximation:
    """What `spilu` gives: factors of nearly the matrix, which depend on what is dropped."""

    def __init__(self, factors: Any, data: Any) -> None:
        self.factors = factors
        self.data = data
        self.shape, self.nnz = factors.shape, factors.nnz
        self.perm_r, self.perm_c = factors.perm_r, factors.perm_c

    def solve(self, rhs: Any, trans: Any = "N") -> Any:
        """The approximate solution, with a derivative by the right side alone."""
        return by_approximation(self.factors, self.data, np.asarray(rhs), trans)


def spilu(
    A: Any, drop_tol: Any = None, fill_factor: Any = None, drop_rule: Any = None,  # noqa: N803
    permc_spec: Any = None, diag_pivot_thresh: Any = None, relax: Any = None, panel_size: Any = None,
    options: Any = None,
) -> Any:  # fmt: skip
    """`scipy.sparse.linalg.spilu` of real matrices, for preconditioners."""
    check_real(A)
    if is_out_of_order(A):
        put_in_order(A)
    given = (A, drop_tol, fill_factor, drop_rule, permc_spec, diag_pivot_thresh, relax, panel_size, options)
    return Approximation(told_by(sl.spilu, given, {}), A.data * 1.0)


def by_approximation(factors: Any, data: Any, b: Any, trans: Any) -> Any:
    """The solution of equations whose factors are known nearly."""
    return factors.solve(b, trans)


def factorized(A: Any) -> Any:  # noqa: N803
    """`scipy.sparse.linalg.factorized` of real matrices."""
    return splu(A).solve


def check_real(array: Any) -> None:
    """Refuse complex matrices, and forms of which SciPy makes another one first."""
    if not sp.issparse(array) or array.format != "csc" or np.iscomplexobj(array.data):
        raise refused("factors of other matrices than real ones of the form 'csc'; convert with 'tocsc'")


def by_factors(factors: Any, data: Any, places: Any, b: Any, trans: Any) -> Any:
    """The solution of equations whose factors are known."""
    return factors.solve(b, trans)


def solved_by(factors: Any, rhs: Any, trans: Any = "N") -> Any:
    """`solve` of the factors of a matrix of constants."""
    if trans == "H":
        return np.conj(by_known_factors(factors, np.conj(np.asarray(rhs)), "T"))
    return by_known_factors(factors, np.asarray(rhs), trans)


def by_known_factors(factors: Any, b: Any, trans: Any) -> Any:
    """The solution of equations whose matrix is constant, or of those of its transpose."""
    return factors.solve(b, trans)


def turned(trans: Any) -> str:
    """How the equations of the transpose are asked for, of real matrices."""
    return "T" if trans == "N" else "N"


def entries_by_factors(places: Any, trans: Any, v: Any, y: Any) -> Any:
    """The entries of `v y^T`, or of its transpose, at the places of a matrix."""
    first, second, _, form = places
    return (
        outer_entries(first, second, form, v, y) if trans == "N" else outer_entries(first, second, form, y, v)
    )
