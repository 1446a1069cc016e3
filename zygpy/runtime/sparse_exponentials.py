"""Exponentials of sparse matrices of `scipy.sparse.linalg`, and their products with vectors, as programs.

The value is SciPy's own. What has a gradient beside it is, for products, the series of Taylor in steps in
which the norm of the matrix is at most 1 (A. H. Al-Mohy and N. J. Higham, Computing the action of the matrix
exponential, SIAM J. Sci. Comput. 33 (2011), equation 3.2), which is exact to rounding.

This module is imported with the rules of `scipy.sparse`, never by zygpy itself.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp
import scipy.sparse.linalg as sl

from zygpy.errors import MissingRuleError
from zygpy.runtime.library_values import as_given, told_by
from zygpy.runtime.sparse_entries import made_of, places_in, refused
from zygpy.runtime.sparse_products import is_out_of_order

TERMS = 22
"""So many terms of the series: the next one is below 1e-21 of the first where the norm is 1."""


def expm_multiply(
    A: Any, B: Any, start: Any = None, stop: Any = None, num: Any = None, endpoint: Any = None,  # noqa: N803
    traceA: Any = None,  # noqa: N803
) -> Any:  # fmt: skip
    """`scipy.sparse.linalg.expm_multiply`, of a sparse or dense matrix and a dense vector or several.

    By `start` and `stop` there is a derivative, too. Raises a `MissingRuleError` for operators."""
    check_matrix(A)
    given = {"start": start, "stop": stop, "num": num, "endpoint": endpoint, "traceA": traceA}
    value = told_by(sl.expm_multiply, (A, B), given)
    b = np.asarray(B) * 1.0
    if is_one(start, stop, num, endpoint):
        return as_given(value, moved(A, b, 1.0, steps_for(A, 1.0)))
    times = times_between(start, stop, num, endpoint)
    found = [moved(A, b, times[0], steps_for(A, times[0]))]
    for place in range(1, len(times)):
        length = times[place] - times[place - 1]
        found.append(moved(A, found[-1], length, steps_for(A, length)))
    return as_given(value, np.stack(found))


def check_matrix(array: Any) -> None:
    """Refuse operators, and products with sparse vectors."""
    if not (sp.issparse(array) or isinstance(array, np.ndarray)) or isinstance(array, np.matrix):
        raise MissingRuleError(
            "'scipy.sparse.linalg.expm_multiply' has no rule for operators.",
            why="the steps depend on their norm, which is estimated",
            instead="give it a sparse or dense array",
        )


def is_one(*options: Any) -> bool:
    """Whether the exponential at 1 is meant, and not those at several times."""
    return all(option is None for option in options)


def times_between(start: Any, stop: Any, num: Any, endpoint: Any) -> Any:
    """The times that SciPy takes."""
    return np.linspace(start, stop, 50 if num is None else num, True if endpoint is None else endpoint)


def steps_for(array: Any, time: Any) -> int:
    """In how many steps the norm is at most 1 in each."""
    # a copy, as 'abs' puts the entries of the array itself in order
    values = (
        np.asarray(abs(array.copy()).sum(axis=0)) if sp.issparse(array) else np.sum(np.abs(array), axis=0)
    )
    return max(1, math.ceil(float(np.max(values, initial=0.0) * abs(time))))


def moved(array: Any, b: Any, time: Any, steps: int) -> Any:
    """The exponential of so many times the matrix, applied to `b`."""
    for _ in range(steps):
        term = b
        for order in range(1, TERMS):
            term = (array @ term) * (time / (steps * order))
            b = b + term
    return b


# The exponential itself.


def expm(A: Any) -> Any:  # noqa: N803
    """`scipy.sparse.linalg.expm`, which is refused where an entry that may become one is left out."""
    check_sorted(A)
    made = told_by(sl.expm, (A,), {})
    if not sp.issparse(A):
        return as_given(made, la.expm(A))
    dense = la.expm(A.toarray())
    rows, columns, _ = places_in(made)
    check_pattern(A, made)
    return made_of(made, dense[rows, columns], rows, columns)


def check_sorted(array: Any) -> None:
    """Refuse arrays whose entries SciPy puts in order before it computes."""
    if sp.issparse(array) and is_out_of_order(array):
        raise refused("exponentials of arrays whose entries are out of order; call 'sum_duplicates' before")


def check_pattern(array: Any, made: Any) -> None:
    """Refuse results that leave out a place that is reached from another one by entries of the matrix."""
    reached: Any = np.eye(array.shape[0])
    reached[places_in(array)[:2]] = 1
    for _ in range(max(1, array.shape[0]).bit_length()):
        reached = (reached @ reached > 0) * 1.0
    rows, columns, _ = places_in(made)
    reached[rows, columns] = 0
    if np.any(reached):
        raise refused("exponentials in which entries come out as zero, which SciPy leaves out")
