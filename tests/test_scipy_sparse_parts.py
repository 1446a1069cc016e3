"""Parts of sparse arrays of `scipy.sparse`, entries that are set, vectors, means and extremes."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import zygpy as zg
from tests.solvers.references import agrees, agrees_to_second_order
from zygpy.errors import MissingRuleError

ROWS, COLUMNS = [0, 0, 1, 2, 2], [0, 1, 1, 0, 2]
DATA = np.array([2.0, 1.0, -1.3, 0.5, 3.0])
VECTOR = np.array([1.0, -2.0, 0.5])
MASK = np.array([True, False, True])
ALL = "ZYGPY_ALL_CASES" in os.environ
"""Whether all programs are differentiated, and twice."""


def made(d: Any, of: Any = sp.csr_array) -> Any:
    return of((d * 1.0, (ROWS, COLUMNS)), shape=(3, 3))


def matrix(d: Any) -> Any:
    return made(d, sp.csr_matrix)


def twice_at_places(d: Any) -> Any:
    return sp.csr_array((d * 1.0, [1, 1, 1, 0, 2], [0, 2, 3, 5]), shape=(3, 3))


def diagonals(d: Any) -> Any:
    """The last elements stand outside of the array."""
    return sp.dia_array((np.stack([d, d * d]), [0, -1]), shape=(3, 3))


def set_here_and_there(d: Any) -> Any:
    a = made(d)
    a[[0, 2], [1, 2]] = d[:2] ** 2
    a[1, 1] = a[0, 0] * 2
    a[0, 0] += d[1]
    return a @ VECTOR


def set_by_a_number(d: Any) -> Any:
    a = made(d, sp.csc_array)
    a[0, 0] = 7.0
    return a @ VECTOR


def set_on_the_diagonal(d: Any) -> Any:
    a = made(d)
    a.setdiag(d[:3] ** 2)
    return a.toarray()


def set_on_a_diagonal_of_diagonals(d: Any) -> Any:
    a = sp.dia_array((np.stack([d, d * d]), [0, -1]), shape=(4, 5))
    a.setdiag(d[1] * d[2])
    return a.toarray()


def set_in_columns(d: Any) -> Any:
    """A row is put into a column of a matrix, and a column into one of an array, which is a vector."""
    a, b = made(d, sp.csc_matrix), made(d, sp.csc_array)
    a[:2, 1] = d[:2] * d[2]
    b[:2, 1] = (d[:2] * d[2])[:, None]
    b[2, 2] = d[:1] ** 2
    return a.toarray() + 2 * b.toarray()


def set_on_the_diagonal_of_places(d: Any) -> Any:
    """The form "coo" puts the diagonal behind the other entries."""
    a = made(d, sp.coo_array)
    a.setdiag(d[:3] ** 2)
    return a.data


def set_in_lists(d: Any) -> Any:
    a = sp.lil_array((3, 3))
    for i in range(3):
        a[i, i] = d[i] * 2
        if i > 0:
            a[i, i - 1] = -(d[i] ** 2)
            a[i, i] += d[4]
    return a.tocsr() @ VECTOR + a[1, 1]


def set_in_lines_of_lists(d: Any) -> Any:
    a = sp.lil_matrix((3, 3))
    a.setdiag(d[:3])
    a.setdiag(d[3], k=1)
    a[2, :2] = d[:2] ** 2
    a[[0, 1], [1, 0]] = d[3:]
    before = a.tocsc()
    a[-1, 0] = 7.0
    return a.toarray() + 2 * before.toarray()


def blocks_apart(d: Any) -> Any:
    a = made(d)
    blocks, shared = a.tobsr((1, 1)), a.tobsr((1, 1), False)
    a[0, 0] = d[1] * d[2]
    return blocks.toarray() + 2 * shared.toarray()


def entries_before(d: Any) -> Any:
    a = made(d, sp.coo_array)
    before = a.data
    a.eliminate_zeros()
    a.data[0] = d[3]
    return before * a.toarray()[0, 0]


def in_order(d: Any) -> Any:
    a = sp.csr_array((d * 1.0, [1, 0, 1, 2, 0], [0, 2, 3, 5]), shape=(3, 3))
    a.sort_indices()
    a.eliminate_zeros()
    return a.data * np.arange(5.0)


def sums_of_rows(d: Any) -> Any:
    """A row is a vector in the form "coo", whose entries SciPy puts in order before it adds them."""
    return np.stack([made(d)[i].sum() for i in range(3)]) * made(d)[0].sum(axis=0)


def constant_lists(d: Any) -> Any:
    a = sp.lil_matrix((3, 3))
    a.setdiag(-2.0)
    for i in range(2):
        a[i, i + 1] = 1.0
    return a.tocsr().dot(d[:3]) * d[1]


ALWAYS: dict[str, Callable[[Any], Any]] = {
    "an entry": lambda d: made(d)[0, 1] * made(d)[-1, -1] + made(d)[1, 0],
    "a row": lambda d: made(d)[0].toarray() * made(d, sp.csc_array)[:, 1].toarray(),
    "several rows": lambda d: made(d)[[0, 2, 0, 0]] @ VECTOR,
    "a block": lambda d: made(d)[1:, :2] @ VECTOR[:2],
    "entries": lambda d: made(d)[[0, 2, 0], [0, 2, 0]],
    "entries at one place": lambda d: twice_at_places(d)[[0, 2], [1, 2]] * twice_at_places(d)[0, 1],
    "sums of rows": sums_of_rows,
    "set": set_here_and_there,
    "set on the diagonal": set_on_the_diagonal,
    "set in columns": set_in_columns,
    "set in lists": set_in_lists,
    "blocks apart": blocks_apart,
    "extremes by tuples": lambda d: (
        made(d).max(axis=(0,)).toarray() * made(d).min(axis=(0, 1)) + sp.csr_array(d).max(axis=0)
    ),
    "elements outside": lambda d: (diagonals(d) * d[0] / 2.0).astype(complex).real.data,
    "a vector": lambda d: (made(d) @ sp.csr_array(d[:3])).toarray() + sp.coo_array(d[2:]) @ made(d).toarray(),
    "means": lambda d: made(d).mean(axis=0) * made(d).mean() * made(d).mean(axis=(1,)),
    "extremes": lambda d: made(d).max(axis=0).toarray() * made(d).min() + made(d).max(),
    "repeated": lambda d: made(d).multiply(made(d)[[0]]).toarray(),
    "constant lists": constant_lists,
}
OTHERS: dict[str, Callable[[Any], Any]] = {
    "a row of a matrix": lambda d: matrix(d)[0].toarray() * matrix(d).getrow(2).toarray(),
    "a column of a matrix": lambda d: (matrix(d)[:, 1] + matrix(d).getcol(0)).toarray(),
    "backwards": lambda d: made(d)[::-1].toarray() + made(d)[:, ::2].toarray() @ np.ones((2, 3)),
    "by a mask": lambda d: made(d)[MASK].toarray(),
    "by a mask of entries": lambda d: made(d)[np.outer(MASK, MASK)],
    "an open mesh": lambda d: made(d)[np.ix_([0, 2], [0, 1])].toarray(),
    "nothing": lambda d: np.append(made(d)[1:1].toarray(), d),
    "of entries and places": lambda d: made(d, sp.coo_array)[0].toarray(),
    "set by a number": set_by_a_number,
    "set in lines of lists": set_in_lines_of_lists,
    "set on the diagonal of places": set_on_the_diagonal_of_places,
    "entries before": entries_before,
    "elements of another type": lambda d: twice_at_places(d).astype(complex).real.data * d[0],
    "set on a diagonal of diagonals": set_on_a_diagonal_of_diagonals,
    "in order": in_order,
    "rows one by one": lambda d: np.stack([row.toarray() ** 2 for row in made(d)]),
    "products of vectors": lambda d: sp.csr_array(d[:3]) @ sp.coo_array(d[2:]) * d,
    "a vector and a dense one": lambda d: sp.csr_array(d[:3]) @ VECTOR + sp.csr_array(d[:3]) @ np.eye(3),
    "sums of vectors": lambda d: (sp.csr_array(d).T + sp.coo_array(d * d)).toarray() * sp.coo_array(d).sum(),
    "an entry of a vector": lambda d: sp.csr_array(d)[1] * sp.coo_array(d)[[0, 2, 2]].toarray(),
    "a vector times rows": lambda d: sp.csr_array(d[:3]).multiply(made(d)).toarray(),
    "extremes by rows": lambda d: made(d).max(axis=1).toarray() + made(d).min(axis=1).toarray(),
    "extremes of a matrix": lambda d: matrix(d).max(axis=0).toarray() * matrix(d).min(axis=1).toarray(),
    "complex elements": lambda d: np.abs(made(d).astype(complex).toarray() * (1 + d[0] * 1j)) ** 2,
    "in blocks": lambda d: made(d).tobsr(blocksize=(1, 3)).toarray(),
    "quotients": lambda d: (made(d) / np.outer(VECTOR, d[:3])).toarray() + (made(d) / VECTOR).toarray(),
}


@pytest.mark.parametrize("name", [*ALWAYS, *(OTHERS if ALL else ())])
def test_gradients(name: str) -> None:
    program = ALWAYS[name] if name in ALWAYS else OTHERS[name]
    np.testing.assert_array_equal(zg.pullback(program, DATA)[0], program(DATA))
    assert type(zg.pullback(program, DATA)[0]) is type(program(DATA))
    weights = np.cos(1.0 + np.arange(np.size(program(DATA)))).reshape(np.shape(program(DATA)))
    checks = agrees_to_second_order if ALL and name != "rows one by one" else agrees
    checks(lambda d: np.sum(np.sin(program(d)) * weights), DATA)


def test_what_is_read_of_an_argument() -> None:
    """A part that is taken twice adds up; entries that are not stored have no slot."""
    a = made(DATA.astype(np.float32))
    (record,) = zg.gradient(lambda a: 3 * a[0, 1] + a[0].sum() + a[1, 0], a)
    assert record.data.tolist() == [1.0, 4.0, 0.0, 0.0, 0.0]
    assert record.data.dtype == np.float32
    (whole,) = zg.gradient(lambda a: np.sum(a[:2].toarray() ** 2), made(np.arange(1, 6)))
    np.testing.assert_array_equal(whole.data, [2.0, 4.0, 6.0, 0.0, 0.0])


def test_integers_are_differentiated() -> None:
    """They are in parts, products and sums, but not where numbers are made integers."""
    a = made(np.arange(1, 6))
    weights = np.arange(1.0, 10.0).reshape(3, 3)
    for program in (
        lambda a: a[[0, 1, 2]].toarray(),
        lambda a: a.tobsr((1, 1)).toarray(),
        lambda a: (a * 1).toarray(),
        lambda a: (a + 0 * a).toarray(),
    ):
        (found,) = zg.gradient(lambda a, program=program: np.sum(program(a) * weights), a)
        assert found.data.tolist() == [1.0, 2.0, 5.0, 7.0, 9.0]
    (none,) = zg.gradient(lambda a: np.sum(a.astype(int).toarray() * weights), made(DATA))
    assert none.data.tolist() == [0.0] * 5


def test_of_equal_extremes_the_first_counts() -> None:
    (found,) = zg.gradient(lambda d: made(d).max() + made(d).min(), np.array([2.0, 1.0, 2.0, 1.0, 1.0]))
    assert found.tolist() == [1.0, 0.0, 0.0, 0.0, 0.0]  # the least one is 0, and is not stored


LISTED: dict[str, Callable[[Any], Any]] = {
    "rows": lambda d: made(d).tolil().tocsr(),
    "columns": lambda d: made(d, sp.csc_matrix).tolil().tocsc(),
    "twice at places": lambda d: twice_at_places(d).tolil().tocsr(),
    "by its class": lambda d: sp.lil_array(made(d)).tocoo(),
    "by its name": lambda d: made(d).asformat("lil").tocsr(),
    "changed": lambda d: changed_in_lists(d),
}


def changed_in_lists(d: Any) -> Any:
    a = made(d).tolil()
    a[0, 1] = d[0] * d[1]
    return a.tocsr()


@pytest.mark.parametrize("name", LISTED)
def test_arrays_that_become_lists(name: str) -> None:
    program = LISTED[name]
    assert np.array_equal(zg.pullback(lambda d: program(d).toarray(), DATA)[0], program(DATA).toarray())
    agrees(lambda d: np.sum(np.sin(program(d) @ VECTOR)), DATA)


def zeros_in_lists(d: Any) -> Any:
    a = sp.lil_array((3, 3))
    a[0, 1] = d[0] * 0.0
    return a.tocsr() @ VECTOR


def part_of_lists(d: Any) -> Any:
    a = sp.lil_array((3, 3))
    a[0, 1] = d[0]
    return a[0].toarray()


def set_in_a_dict(d: Any) -> Any:
    a = sp.dok_matrix((3, 3))
    a[0, 1] = d[0] * d[1]
    return a.tocsr() @ VECTOR


def set_where_none_is(d: Any) -> Any:
    a = made(d)
    a[1, 0] = d[0]
    return a @ VECTOR


def set_a_sparse_row(d: Any) -> Any:
    a = made(d)
    a[[0]] = made(d)[[0]]
    return a @ VECTOR


def without_zeros(d: Any) -> Any:
    a = made(d * np.array([1.0, 0.0, 1.0, 1.0, 1.0]))
    a.eliminate_zeros()
    return a @ VECTOR


def blocks_in_order(d: Any) -> Any:
    a = sp.bsr_array((d[:4].reshape(2, 2, 1), [1, 0], [0, 2]), shape=(2, 2))
    a.sort_indices()
    return a.data


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (blocks_in_order, "blocks that are out of order"),
        (lambda d: (diagonals(d) + diagonals(d)).data, "outside of an array"),
        (lambda d: diagonals(d).T.data, "outside of an array"),
        (zeros_in_lists, "zeros that are set"),
        (part_of_lists, "parts of arrays of the form 'lil'"),
        (set_in_a_dict, r"(?s)the form 'dok'.*coo_array\(\(values"),
        (set_where_none_is, r"(?s)set where there are none.*coo_array"),
        (set_a_sparse_row, "put into others"),
        (without_zeros, "entries that are zero"),
        (lambda d: twice_at_places(d)[:2], "places occur twice"),
        (lambda d: twice_at_places(d).max(), "out of order"),
        (lambda d: made(d).tolil()[0], "parts of arrays of the form 'lil'|lil"),
        (lambda d: made(d).todok(), r"(?s)'todok'.*the form 'dok'.*coo_array\(\(values"),
        (lambda d: sp.dok_array(made(d)), "'todok'"),
        (lambda d: made(d).asformat("dok"), "'todok'"),
        (lambda d: matrix(d)[[0, 1], [0, 1]], r"np\.matrix"),
        (lambda d: made(d).mean(dtype=np.float32), "dtype="),
        (lambda d: made(d).max(explicit=True), "explicit="),
    ],
)
def test_what_is_refused(program: Callable[[Any], Any], why: str) -> None:
    with pytest.raises(MissingRuleError, match=why):
        zg.gradient(lambda d: program(d).sum(), DATA)
