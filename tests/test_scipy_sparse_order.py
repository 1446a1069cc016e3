"""Gradients through solutions with sparse arrays whose entries are out of order, or several at one place:
SciPy sorts and adds them in the array that it is given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as sl

import zygpy as zg
from tests.solvers.references import agrees

VECTOR, WEIGHTS = np.array([1.0, 2.0, 3.0]), np.array([1.0, -2.0, 3.0])
ENTRIES = np.array([1.0, 3.0, 5.0, 1.0, 6.0])
FACTORS = np.array([0.5, -1.0, 2.0, 3.0, 1.5])
SORTS = (sp.csc_array, sp.csr_array, sp.csc_matrix, sp.csr_matrix)


def made(sort: Any, entries: Any) -> Any:
    """An array with two entries at one place, and a column whose entries are not sorted."""
    return sort((entries, np.array([0, 0, 1, 2, 0]), np.array([0, 2, 3, 5])), shape=(3, 3))


def of_a_copy(sort: Any, d: Any) -> Any:
    a = made(sort, d * 1.0)
    return np.sum(sl.spsolve(a, VECTOR) * WEIGHTS) + 2 * np.sum(a @ VECTOR) + d[0]


def read_afterwards(sort: Any, d: Any) -> Any:
    a = made(sort, d * 1.0)
    solution = sl.spsolve(a, VECTOR)
    return np.sum(solution * WEIGHTS) + 10 * a.data[0] + a.data[3] ** 2 + len(a.data)


def read_in_shared_memory(sort: Any, d: Any) -> Any:
    entries = d * 1.0
    solution = sl.spsolve(made(sort, entries), VECTOR)
    return np.sum(solution * WEIGHTS) + np.sum(entries * FACTORS)


def of_a_product(sort: Any, d: Any) -> Any:
    a = sort(sp.diags_array([d[:3], d[:2]], offsets=[0, 1]))
    return np.sum(sl.spsolve(a @ a.T, VECTOR) * WEIGHTS)


@pytest.mark.parametrize("program", [of_a_copy, read_afterwards, read_in_shared_memory, of_a_product])
@pytest.mark.parametrize("sort", SORTS)
def test_solutions(program: Any, sort: Any) -> None:
    value = zg.pullback(lambda d: program(sort, d), ENTRIES)[0]
    np.testing.assert_allclose(value, program(sort, ENTRIES), rtol=1e-14)
    agrees(lambda d: program(sort, d), ENTRIES)


@pytest.mark.parametrize("sort", SORTS)
def test_an_argument_is_left_as_scipy_leaves_it(sort: Any) -> None:
    """The gradient is that by the entries that the argument had."""
    given, other = made(sort, ENTRIES.copy()), made(sort, ENTRIES.copy())
    bar = zg.gradient(lambda a: np.sum(sl.spsolve(a, VECTOR) * WEIGHTS), given)[0]
    sl.spsolve(other, VECTOR)
    for name in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(given, name), getattr(other, name))
    by_entries = zg.gradient(lambda d: np.sum(sl.spsolve(made(sort, d * 1.0), VECTOR) * WEIGHTS), ENTRIES)[0]
    np.testing.assert_allclose(bar.data, by_entries)
