"""Products with unit vectors, and Jacobians of many columns, which are taken in several parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import columns
from zygpy.derivatives import withjacobian_by_reverse
from zygpy.runtime.tangents import added_product, through_matrix, unit_vectors

PARTS = [
    (n, start, count) for n in (1, 2, 3, 5, 8) for start in range(n) for count in range(1, n - start + 1)
]


def numbers(*shape: int) -> Any:
    return np.cos(np.arange(1.0, 1.0 + np.prod(shape))).reshape(shape)


@pytest.mark.parametrize(("n", "start", "count"), PARTS)
def test_products_with_parts_of_them(n: int, start: int, count: int) -> None:
    units = unit_vectors(n, start, count)
    assert units.tolist() == np.eye(n)[start : start + count].tolist()
    for matrix in (numbers(n, 3), numbers(3, n).T, numbers(2 * n, 4)[::2], numbers(n, n).astype(np.float32)):
        np.testing.assert_array_equal(through_matrix(units, matrix), units @ matrix)
        assert not np.may_share_memory(through_matrix(units, matrix), matrix)
    factor = numbers(n)
    for total in (numbers(count, n), numbers(n, count).T, numbers(count, 2 * n)[:, ::2]):
        expected = total + factor * units
        np.testing.assert_array_equal(added_product(total, factor, units), expected)


def test_a_matrix_of_another_length() -> None:
    with pytest.raises(ValueError, match="matmul"):
        through_matrix(unit_vectors(3), numbers(4, 3))


def test_others_in_their_place_are_no_unit_vectors() -> None:
    matrix = numbers(3, 3)
    for _ in range(50):  # one of them may come to lie where unit vectors have been
        unit_vectors(3)
        columns.unit_vectors(3, 1, 1)
        directions = numbers(3, 3)
        np.testing.assert_allclose(through_matrix(directions, matrix), directions @ matrix)


MATRIX = numbers(70, 70)


def equations(x: Any) -> Any:
    return np.tanh(MATRIX @ x) + x * x


def rectangular(x: Any) -> Any:
    return np.sin(MATRIX[:30] @ x)


def by_row(x: Any) -> Any:
    return (x @ MATRIX) * x + x[::-1]


@pytest.mark.parametrize("entries", [1, 200, 70 * 33, 70 * 70, 2**15])
@pytest.mark.parametrize("function", [equations, rectangular, by_row])
def test_columns_in_several_parts(function: Any, entries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "ENTRIES", entries)
    monkeypatch.setattr(columns, "MORE_ENTRIES", entries)
    x = np.linspace(-1.0, 1.0, 70)
    expected = withjacobian_by_reverse(function, x).grad[0]
    for _ in range(2):
        found = zg.jacobian(function, x)[0]
        np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-13)
        found[...] = 0.0
