"""Sparse arrays of `scipy.sparse` that differentiated programs make and compute with."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as sl

import zygpy as zg
from tests.rules import reference
from zygpy.errors import MissingRuleError
from zygpy.runtime import sparse_arrays, sparse_entries

ROWS, COLUMNS, ENDS = [0, 0, 1, 2, 2], [0, 1, 1, 0, 2], [0, 2, 3, 5]
AGAIN = [0, 0, 1, 2, 2], [1, 1, 1, 0, 2]
DATA = np.array([2.0, 1.0, -1.3, 0.5, 3.0])
SQUARE = np.array([[4.0, 1.0, 0.0], [0.5, 3.0, -1.0], [0.0, 0.7, 5.0]])
FIXED, VECTOR = sp.csr_array(SQUARE), np.array([1.0, -2.0, 0.5])
OTHER = sp.csr_array((np.array([3.0, 1.0, 2.0]), [0, 2, 1], [0, 1, 2, 3]))
TABLE = np.arange(9.0).reshape(3, 3) + 1
ALL = "ZYGPY_ALL_CASES" in os.environ
"""Whether all programs are differentiated, and twice."""


def made(d: Any, of: Any = sp.csr_array) -> Any:
    return of((d, (ROWS, COLUMNS)), shape=(3, 3))


def two_diagonals(d: Any, of: Any = sp.dia_array) -> Any:
    return of((np.stack([d, d * d]), [0, -1]), shape=(4, 5))


def in_disorder(d: Any) -> Any:
    return sp.coo_array((d, ([2, 0, 1, 0, 2], [1, 2, 1, 2, 0])), shape=(3, 3))


def twice_at_places(d: Any) -> Any:
    rows = np.array([0, 1, 0, 1, 1, 2])
    return sp.csc_array((np.append(d, d[0]), rows, [0, 3, 5, 6]), shape=(3, 3))


def changed(d: Any) -> Any:
    a = made(d)
    turned, copied = a.T, a.tocoo()
    a.data[0] = d[1] * d[2]
    return turned @ VECTOR + copied @ VECTOR + a @ VECTOR


def changed_before(d: Any) -> Any:
    x = d * 1.0
    a = sp.csr_array((x, COLUMNS, ENDS))
    x[0] = d[3]
    a *= d[1]
    return a @ VECTOR


ALWAYS: dict[str, Callable[[Any], Any]] = {
    "entries at places": lambda d: made(d) @ VECTOR + sp.coo_array((d, AGAIN)) @ VECTOR,
    "entries at ends": lambda d: sp.csc_matrix((d, COLUMNS, ENDS)) @ VECTOR,
    "two diagonals": lambda d: two_diagonals(d) @ d + two_diagonals(d).tocsr() @ d,
    "diagonals": lambda d: sp.diags([d[:2], d[2:], d[0]], [-1, 0, 1], shape=(3, 3)) @ VECTOR,
    "blocks": lambda d: sp.bmat([[made(d), None], [FIXED, made(d * d)]]) @ np.arange(6.0),
    "Kronecker": lambda d: sp.kron(made(d), FIXED) @ np.arange(9.0),
    "sums": lambda d: (made(d) + OTHER - 0.7 * d[0] * made(d * d, sp.csc_array)) @ VECTOR,
    "products": lambda d: (made(d) @ made(d, sp.csc_array).T @ FIXED).toarray(),
    "entry by entry": lambda d: made(d).multiply(TABLE * d[0]) * made(d * d) @ VECTOR,
    "by rows": lambda d: made(d).sum(axis=0) * made(d, sp.coo_array).sum(1) * made(d).diagonal(),
    "solution": lambda d: sl.spsolve(made(d) + 5 * sp.eye_array(3, format="csr"), VECTOR),
    "changed": changed,
    "diagonal form of entries": lambda d: (
        made(d, sp.coo_array).todia() @ VECTOR + in_disorder(d).todia() @ d[:3]
    ),
    "solution of added entries": lambda d: sl.spsolve(twice_at_places(d), VECTOR),
    "changed before": changed_before,
}
OTHERS: dict[str, Callable[[Any], Any]] = {
    "added entries": lambda d: sp.csr_array((d, AGAIN)) @ VECTOR,
    "transposed": lambda d: sp.coo_array((d, AGAIN)).T.tocsr() @ VECTOR,
    "dense": lambda d: sp.csr_array(np.outer(d, d)) @ d,
    "dense diagonals": lambda d: two_diagonals(d, sp.dia_matrix).toarray(),
    "dense times diagonals": lambda d: d[:4] @ two_diagonals(d),
    "other forms": lambda d: sp.csc_array(made(d)).tocoo().tocsr().asformat("csc") @ VECTOR,
    "diagonal form": lambda d: sp.diags(d, 0, format="csr").toarray(),
    "diagonals as an array": lambda d: sp.diags_array([d, d[:4]], offsets=[0, 1], format="csc") @ d,
    "side by side": lambda d: sp.hstack([made(d), FIXED, made(d, sp.coo_array)]) @ np.ones(9),
    "below": lambda d: sp.vstack([made(d), FIXED], format="csr") @ VECTOR,
    "dense blocks": lambda d: (
        sp.block_array([[made(d), np.outer(VECTOR, d[:2])], [FIXED, None]]) @ np.arange(5.0)
    ),
    "unity": lambda d: sp.kron(sp.eye(2), made(d)) @ np.arange(6.0) + sp.identity(6) @ np.append(d, d[0]),
    "dense products": lambda d: sp.kron(made(d), np.outer(d[:2], d[1:3])) @ np.arange(6.0),
    "dense sums": lambda d: made(d) - TABLE * (TABLE + made(d)),
    "sum of several": lambda d: sum([made(d), FIXED]) @ VECTOR,
    "turned round": lambda d: (-made(d)).T @ VECTOR / d[0],
    "of a matrix": lambda d: (made(d, sp.csr_matrix) * d[0] / d[1]) @ VECTOR,
    "stars": lambda d: (made(d, sp.csr_matrix) * sp.csr_matrix(FIXED) + made(d) * FIXED) @ VECTOR,
    "by columns": lambda d: made(d).multiply(d[:3]).multiply(d[:3, None]) @ VECTOR,
    "dot": lambda d: made(d).dot(made(d, sp.coo_array)).toarray(),
    "solution of diagonals": lambda d: sl.spsolve(sp.diags([d, d[:4] ** 2], [0, 1], format="csc"), d),
    "copied": lambda d: made(d).copy().tocsc().toarray() * abs(made(d)).trace(),
    "powers": lambda d: (made(d) ** 2).data + sp.tril(made(d)).sum(),
    "complex": lambda d: np.abs((made(d * (1 + 1j)) @ made(d + 2j).conj()) @ VECTOR),
}


@pytest.mark.filterwarnings("ignore:spsolve is more efficient")
@pytest.mark.parametrize("name", [*ALWAYS, *(OTHERS if ALL else ())])
def test_programs_by_entries(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = ALWAYS[name] if name in ALWAYS else OTHERS[name]
    f = lambda d: np.sum(np.sin(program(d)))  # noqa: E731
    np.testing.assert_array_equal(zg.pullback(program, DATA)[0], program(DATA))
    direction = np.cos(3.0 * np.arange(5.0))
    (found,) = zg.gradient(f, DATA)
    expected = reference.directional(lambda t: f(DATA + t * direction))
    assert found @ direction == pytest.approx(float(expected), rel=1e-7, abs=1e-9)
    if ALL:
        seconds = reference.directional(lambda t: zg.gradient(f, DATA + t * direction)[0])
        monkeypatch.setitem(globals(), "chosen", program)
        for again in (
            zg.hvp(by_the_chosen, DATA, direction),
            zg.hessian_reverse(by_the_chosen, DATA) @ direction,
        ):
            np.testing.assert_allclose(again, seconds, rtol=1e-6, atol=1e-6)


chosen = ALWAYS["diagonals"]


def by_the_chosen(d: Any) -> Any:
    return np.sum(np.sin(chosen(d)))


def test_second_derivatives_of_one_program_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the same code, which calls another program each time: by entries, vectors and both."""
    direction = np.cos(3.0 * np.arange(5.0))
    for name in ("diagonals", "sums"):
        monkeypatch.setitem(globals(), "chosen", ALWAYS[name])
        seconds = reference.directional(lambda t: zg.gradient(by_the_chosen, DATA + t * direction)[0])
        found = zg.hvp(by_the_chosen, DATA, direction), zg.hessian(by_the_chosen, DATA) @ direction
        for product in found:
            np.testing.assert_allclose(product, seconds, rtol=1e-6, atol=1e-6)


def test_second_derivatives_by_a_sparse_argument() -> None:
    """The gradient of `sum((A @ x) ** 3)` by the entries `(i, j)` is `3 r_i^2 x_j`, with `r = A @ x`."""
    a, dot = sp.csr_array(SQUARE), sp.csr_array(SQUARE)
    residual, moved = SQUARE @ VECTOR, SQUARE @ VECTOR
    expected = (6 * residual * moved)[:, None] * VECTOR
    found = zg.hvp(lambda m: np.sum((m @ VECTOR) ** 3), a, dot)
    rows, columns = sp.coo_array(SQUARE).coords
    np.testing.assert_allclose(found.data, expected[rows, columns])
    (inner,) = zg.gradient(
        lambda x: np.sum(zg.gradient(lambda m: np.sum((m @ x) ** 2), a)[0].data), VECTOR
    )  # by `x` of the sum over the pattern of `2 r_i x_j`
    pattern = (SQUARE != 0) * 1.0
    by_hand = 2 * SQUARE.T @ (pattern @ VECTOR) + 2 * pattern.T @ residual
    np.testing.assert_allclose(inner, by_hand)


def with_repeated() -> sp.coo_array:
    return sp.coo_array((DATA, AGAIN), shape=(3, 3))


def every_array() -> Iterator[Any]:
    full = SQUARE + np.fliplr(np.diag([0.3, 0.0, 0.2]))
    full[1, 1] = 2.9
    for form in ("csr", "csc", "coo", "dia", "bsr"):
        for kind in ("array", "matrix"):
            yield getattr(sp, f"{form}_{kind}")(full)
            yield getattr(sp, f"{form}_{kind}")(full.astype(np.float32))
            yield getattr(sp, f"{form}_{kind}")(full * (1 + 2j))
    yield with_repeated()
    yield sp.csr_array(np.arange(9).reshape(3, 3))
    yield sp.csr_array((3, 3))


def results(a: Any) -> Iterator[Any]:
    arrays = sparse_arrays
    for name in ("tocsr", "tocsc", "tocoo", "todia"):
        yield getattr(arrays, name)(a)
    yield from (arrays.transpose(a), arrays.copied(a), arrays.negative(a), arrays.conjugate(a))
    yield from (arrays.plus(a, FIXED), arrays.minus(FIXED, 3.0 * a), arrays.plus(a, 0))
    yield from (arrays.multiply(a, TABLE), arrays.multiply(a, FIXED), arrays.multiply(a, 2.5))
    yield from (arrays.divided(a, 2.0), arrays.matrix_product(a, FIXED), arrays.matrix_product(FIXED, a))
    yield from (arrays.toarray(a), arrays.diagonal(a, 1), arrays.product(a, TABLE), arrays.product(a, VECTOR))
    yield from (arrays.kron(a, FIXED), arrays.kron(a, TABLE), arrays.csr_array(a), arrays.coo_matrix(a))
    yield from (arrays.hstack([a, TABLE]), arrays.vstack([a, FIXED]), arrays.bmat([[None, a], [FIXED, None]]))
    if isinstance(a, sp.sparray):
        yield from (arrays.along(a, axis) for axis in (None, 0, 1, -1, -2))


def test_what_is_computed_beside_is_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """For all forms, in the same classes and precision."""
    for module in (sparse_arrays, sparse_entries):
        monkeypatch.setattr(module, "with_entries", lambda array, data: (array.data, data))
        monkeypatch.setattr(module, "as_stored", lambda found, array: found)
    monkeypatch.setattr(sparse_arrays, "as_given", lambda value, found: (value, found))
    for a in every_array():
        for result in results(a):
            if result is not a:
                value, found = result
                assert np.shape(found) == np.shape(value)
                np.testing.assert_allclose(found, value, rtol=1e-6)


def test_sparse_arguments_and_precision() -> None:
    for of in (sp.csr_array, sp.csc_matrix, sp.dia_array):
        a = of(SQUARE)
        (record,) = zg.gradient(lambda m: (m.T @ (m + m)).toarray().sum(), a)
        made_of_it = a.copy()
        made_of_it.data = np.asarray(record.data)
        expected = np.where(SQUARE == 0, 0.0, 4 * SQUARE.sum(axis=1)[:, None])
        np.testing.assert_allclose(made_of_it.toarray(), expected)
    (found,) = zg.gradient(lambda d: (made(d) @ made(d)).sum(), DATA.astype(np.float32))
    assert found.dtype == np.float32


def test_entries_that_are_zero_stay() -> None:
    (found,) = zg.gradient(lambda d: (made(d).T @ VECTOR).sum(), np.zeros(5))
    assert found.tolist() == [1.0, 1.0, -2.0, 0.5, 0.5]


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (lambda d: (made(d) - made(DATA)).sum(), "come out as zero"),
        (lambda d: (made(d * 0.0) @ FIXED).sum(), "come out as zero"),
        (lambda d: sp.diags(d * 0.0, format="csr").sum(), "come out as zero"),
        (lambda d: sp.csr_array(np.diag(d)).sum(), "there are zeros"),
        (lambda d: np.sum(made(d, sp.csr_matrix) + TABLE), r"np\.matrix"),
        (lambda d: (made(d) / made(d)).sum(), "by each other"),
    ],
)
def test_what_is_refused(program: Callable[[Any], Any], why: str) -> None:
    with pytest.raises(MissingRuleError, match=why):
        zg.gradient(program, DATA)
