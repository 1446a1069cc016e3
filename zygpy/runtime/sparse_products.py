"""Sparse arrays of `scipy.sparse` in the forms "csr", "csc" and "coo", whose pattern is constant.

What has a gradient is their entries: that of a sparse array is the Record of its fields, of which `data`
has as many entries as the array itself.

This module is imported with the rules of `scipy.sparse`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sl

from zygpy.runtime import sparse_arrays, sparse_entries
from zygpy.runtime.library_values import as_given, told_by
from zygpy.runtime.sparse_entries import refused

TURNED = {"csr": "csc", "csc": "csr", "coo": "coo"}
"""In which form the transpose has the same entries in the same order."""


def assembled(data: Any, first: Any, second: Any, shape: Any, form: str) -> Any:
    """The array of these entries at `indices` and `indptr`, or at columns and rows."""
    if form == "coo":
        return sp.coo_array((data, (second, first)), shape=shape)
    made = sp.csr_array if form == "csr" else sp.csc_array
    return made((data, first, second), shape=shape)


def product(data: Any, first: Any, second: Any, shape: Any, form: str, x: Any) -> Any:
    """The product with a dense vector or matrix."""
    return assembled(data, first, second, shape, form) @ x


def turned_places(first: Any, second: Any, form: str) -> Any:
    """The places of the entries in the transpose."""
    return (second, first) if form == "coo" else (first, second)


def turned_product(data: Any, first: Any, second: Any, shape: Any, form: str, x: Any) -> Any:
    """The product of the transpose with a dense vector or matrix."""
    left, right = turned_places(first, second, form)
    return product(data, left, right, (shape[1], shape[0]), TURNED[form], x)


def places(first: Any, second: Any, form: str) -> Any:
    """The rows and columns of the entries."""
    if form == "coo":
        return second, first
    outer = np.repeat(np.arange(len(second) - 1), np.diff(second))
    return (outer, first) if form == "csr" else (first, outer)


def outer_entries(first: Any, second: Any, form: str, left: Any, right: Any) -> Any:
    """The entries of `left right^T` at the places of a sparse array."""
    rows, columns = places(first, second, form)
    both = left[rows] * right[columns]
    return both if np.ndim(both) == 1 else np.sum(both, axis=-1)


def parts_of(array: Any) -> Any:
    """The places of the entries of a sparse array, its shape and its form."""
    if array.format == "coo" and array.ndim == 2:
        row, column = array.coords
        return column, row, array.shape, "coo"
    if array.format in ("csr", "csc") and array.ndim == 2:
        return array.indices, array.indptr, array.shape, array.format
    raise refused(f"arrays of the form '{array.format}'")


def check_dense(other: Any) -> None:
    """Refuse products of sparse arrays with each other."""
    if not isinstance(other, np.ndarray | list | tuple) or isinstance(other, np.matrix):
        raise refused("products with what is not a dense array")


def times_dense(self: Any, other: Any) -> Any:
    """`A @ x` of a sparse array and a dense or another sparse one."""
    if sp.issparse(other):
        return sparse_arrays.matrix_product(self, other)
    check_dense(other)
    if is_plain(self):
        return times_plain(self, other)
    return sparse_arrays.product(self, other)


def is_plain(array: Any) -> bool:
    """Whether an array has one of the forms whose entries all stand by themselves."""
    return array.format in TURNED and array.ndim == 2


def times_plain(self: Any, other: Any) -> Any:
    """The product of an array of such a form with a dense one."""
    first, second, shape, form = parts_of(self)
    return product(data_of(self.data), first, second, shape, form, np.asarray(other))


def times_compressed(self: Any, other: Any) -> Any:
    """The same of an array of compressed rows or columns, which may have one axis: then it is a row."""
    first, second, shape, form = parts_of_rows(self)
    found = product(data_of(self.data), first, second, shape, form, np.asarray(other))
    return found[0] if is_line(self) else found


def parts_of_rows(array: Any) -> Any:
    """What `parts_of` gives, of an array of one axis as a row."""
    return (array.indices, array.indptr, (1, *array.shape), "csr") if is_line(array) else parts_of(array)


def is_line(array: Any) -> bool:
    """Whether a sparse array has one axis."""
    return bool(array.ndim == 1)


def data_of(data: Any) -> Any:
    """The entries of a sparse array themselves, which are numbers in a vector.

    Raises MissingRuleError where they are not.
    """
    if type(data) is not np.ndarray or data.ndim != 1 or data.dtype.kind not in "biufc":
        raise refused("entries that are no vector of numbers")
    return data


def times_star(self: Any, other: Any) -> Any:
    """`A * B` of sparse matrices: by a number, or as `A @ B`."""
    return (
        sparse_arrays.scaled(self, other)
        if np.ndim(other) == 0 and not sp.issparse(other)
        else (times_dense(self, other))
    )


def star_times(self: Any, other: Any) -> Any:
    """`B * A` of sparse matrices."""
    return sparse_arrays.scaled(self, other) if np.ndim(other) == 0 else dense_times(self, other)


def dense_times(self: Any, other: Any) -> Any:
    """`x @ A` of a dense array and a sparse one."""
    check_dense(other)
    if not is_plain(self):
        turned = sparse_arrays.product(sparse_arrays.transpose(self), np.transpose(np.asarray(other)))
        return np.transpose(turned)
    first, second, shape, form = parts_of(self)
    turned = turned_product(self.data, first, second, shape, form, np.transpose(np.asarray(other)))
    return np.transpose(turned)


# As dense arrays, and sums.


def spread(data: Any, first: Any, second: Any, shape: Any, form: str) -> Any:
    """The dense array with these entries, of which those at one place are added."""
    return assembled(data, first, second, shape, form).toarray()


def entries_at(first: Any, second: Any, form: str, dense: Any) -> Any:
    """The entries of a dense array at the places of a sparse one."""
    return dense[places(first, second, form)]


def toarray(self: Any, order: Any = None, out: Any = None) -> Any:
    """`A.toarray()`."""
    if order is not None or out is not None:
        raise refused("'toarray' with order= or out=")
    if not is_plain(self):
        return sparse_arrays.toarray(self)
    first, second, shape, form = parts_of(self)
    return spread(self.data, first, second, shape, form)


def summed(self: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """`A.sum()`, by rows or columns or of all."""
    if dtype is not None or out is not None:
        raise refused("'sum' with dtype= or out=")
    if axis is not None or not is_plain(self):
        return sparse_arrays.along(self, axis)
    return np.sum(self.data)


# Solutions.


def solved(data: Any, first: Any, second: Any, shape: Any, form: str, b: Any) -> Any:
    """The solution of sparse linear equations, of copies, as SciPy adds entries at one place in the array."""
    return sl.spsolve(assembled(data.copy(), first.copy(), second.copy(), shape, form), b)


def turned_solved(data: Any, first: Any, second: Any, shape: Any, form: str, b: Any) -> Any:
    """The solution of the equations of the transpose."""
    left, right = turned_places(first, second, form)
    return solved(data, left, right, (shape[1], shape[0]), TURNED[form], b)


def spsolve(A: Any, b: Any, permc_spec: Any = None, use_umfpack: Any = True) -> Any:  # noqa: N803
    """`scipy.sparse.linalg.spsolve`, whose right side may be dense or sparse."""
    if not sp.issparse(A):
        check_dense(b)
        line = np.reshape(b, (-1,)) if np.size(b) == np.shape(A)[0] else np.asarray(b)
        return as_given(told_by(sl.spsolve, (A, b, permc_spec, use_umfpack), {}), np.linalg.solve(A, line))
    if is_out_of_order(A):
        put_in_order(A)
    first, second, shape, form = parts_of(A)
    right = b.toarray() if sp.issparse(b) else b
    check_dense(right)
    if np.ndim(right) == 2 and np.shape(right)[1] == 1:
        right = np.reshape(right, (-1,))
    if not sp.issparse(b) or np.ndim(right) == 1:
        found = solved(A.data, first, second, shape, form, np.asarray(right))
        if permc_spec is None and use_umfpack is True:
            return found
        return as_given(told_by(sl.spsolve, (A, b, permc_spec, use_umfpack), {}), found)
    made = told_by(sl.spsolve, (A, b, permc_spec, use_umfpack), {})
    dense = solved(A.data, first, second, shape, form, right)
    check_left_out(A, b, made)
    rows, columns, _ = sparse_entries.places_in(made)
    return sparse_entries.made_of(made, dense[rows, columns], rows, columns)


def check_left_out(array: Any, b: Any, made: Any) -> None:
    """Refuse a sparse solution that leaves out a zero with a derivative: with `X = A^-1 B`, one to which
    `A^-1 (dB - dA X)` may bring something."""
    rows, columns, _ = sparse_entries.places_in(made)
    if len(rows) == made.shape[0] * made.shape[1]:
        return
    inverse = np.abs(sl.spsolve(array.copy(), np.eye(array.shape[0])))
    changes = pattern_of(array) @ abs(made) + pattern_of(b)
    left_out = np.reshape(inverse, array.shape) @ changes.toarray()
    left_out[rows, columns] = 0
    if np.any(left_out):
        raise refused("sparse solutions in which entries come out as zero, which SciPy leaves out")


def pattern_of(array: Any) -> Any:
    """The array with ones at its entries."""
    rows, columns, _ = sparse_entries.places_in(array)
    return sp.csr_array((np.ones(len(rows)), (rows, columns)), shape=array.shape)


def put_in_order(array: Any) -> None:
    """Sort the entries in the array itself and add those at one place, as SciPy does before it solves."""
    order, starts, indices, indptr = ordered(array)
    data = array.data
    data[...] = data[order]
    array.indices[...] = array.indices[order]
    if len(starts) < len(data):
        data[: len(starts)] = np.add.reduceat(data, starts)
        array.data = data[: len(starts)]
        array.indices = indices
        array.indptr = indptr


def is_out_of_order(array: Any) -> bool:
    """Whether entries of compressed rows or columns are not sorted, or several at one place."""
    if array.format not in ("csr", "csc", "bsr"):
        return False
    outer, inner = _outer(array), array.indices
    return not bool(np.all((np.diff(outer) > 0) | (np.diff(inner) > 0)))


def ordered(array: Any) -> Any:
    """The order of the entries, where each place begins in it, and the indices without repetitions."""
    outer, inner = _outer(array), array.indices
    order = np.lexsort((inner, outer))
    outer, inner = outer[order], inner[order]
    starts = np.flatnonzero(np.append(True, (np.diff(outer) > 0) | (np.diff(inner) > 0)))
    counts = np.bincount(outer[starts], minlength=len(array.indptr) - 1)
    indptr = np.append(0, np.cumsum(counts)).astype(array.indptr.dtype)
    return order, starts, inner[starts], indptr


def _outer(array: Any) -> Any:
    return np.repeat(np.arange(len(array.indptr) - 1), np.diff(array.indptr))
