"""Adjoints that go another way where arrays are long: the gradients are those of short arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.runtime import scans
from zygpy.runtime.reductions import sorted_positions, stable_order
from zygpy.runtime.selections import choice_of_ranks, ranks
from zygpy.testing import check_gradient

LONG = np.cos(np.arange(60.0)) + 1.5


def weighed(values: Any) -> Any:
    flat = np.ravel(values)
    return np.sum(flat * np.sin(1.0 + np.arange(np.size(flat))))


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "cumprod": np.cumprod,
    "cumprod of rows": lambda x: np.cumprod(np.reshape(x, (60, 1)), axis=0),
    "cumprod with a zero": lambda x: np.cumprod(np.concatenate([x, [0.0], x])),
    "partition": lambda x: np.partition(x, 7) ** 2,
    "median": lambda x: np.median(x) ** 2,
    "quantiles": lambda x: np.quantile(x, [0.21, 0.77]) ** 2,
    "unique": lambda x: np.unique(x) ** 2,
    "deleted": lambda x: np.delete(x, [3, 5]) ** 2,
    "inserted": lambda x: np.insert(x, [3, 3], x[:2]) ** 2,
    "repeated": lambda x: np.repeat(x, 3) * np.repeat(x, 12)[:180],
    "padded at the edges": lambda x: np.pad(np.reshape(x, (12, 5)), 3, mode="edge") ** 2,
    "padded by many": lambda x: np.pad(x, (150, 2), mode="reflect") ** 2,
    "taken in rows": lambda x: np.take(np.stack([x, x * x, x] * 3), [1, 0, 1], axis=0),
    "taken in columns": lambda x: np.take(np.stack([x] * 70), [1, 0, 1], axis=1),
    "sums of pieces": lambda x: np.add.reduceat(x, np.arange(0, 60, 3)) ** 2,
    "sums of pieces that overlap": lambda x: (
        np.add.reduceat(np.reshape(x, (6, 10)), [5, 2, 2, 8], axis=1) ** 2
    ),
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_gradients(program: Callable[[Any], Any]) -> None:
    check_gradient(lambda x: weighed(program(x)), LONG)


@pytest.mark.parametrize("name", ["cumprod", "partition", "quantiles", "sums of pieces"])
def test_second_derivatives(name: str) -> None:
    check_gradient(lambda x: weighed(PROGRAMS[name](x)), LONG, order=2)


def test_many_pieces() -> None:
    (found,) = zg.gradient(lambda x: np.sum(np.add.reduceat(x, np.arange(0, 900, 3)) ** 2), np.ones(900))
    assert found.tolist() == [6.0] * 900


@pytest.mark.parametrize("spread", [1.0, 1e3, 1e-3])
def test_recurrences(spread: float) -> None:
    rng = np.random.default_rng(3)
    value, x = rng.normal(size=(2, 300)), spread * rng.uniform(0.5, 1.5, size=(2, 300))
    expected = value.copy()
    with np.errstate(all="ignore"):
        for k in range(298, -1, -1):
            expected[:, k] += x[:, k + 1] * expected[:, k + 1]
        assert scans.recur_down(value, x) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("rank", [0, 2, 5])
def test_places_of_ranks(rank: int) -> None:
    rows = np.array([[3.0, 1.0, 2.0, 1.0, np.nan, 2.0], [2.0, 2.0, 2.0, 2.0, 2.0, 2.0], [np.nan] * 6])
    expected = np.argsort(rows, axis=-1, kind="stable")
    assert sorted_positions(rows, rank, -1).tolist() == expected[:, rank].tolist()
    assert stable_order(rows).tolist() == expected.tolist()


def test_ranks_are_numbers_in_some_order() -> None:
    rows = np.array([[3.0, np.nan, 2.0], [np.nan, np.nan, np.nan], [1.0, 2.0, 0.0]])
    expected = [[0.0, 1.0], [0.0, 0.0, 0.0], [0.0, 1.0, 2.0]]
    assert [row[~np.isnan(row)].tolist() for row in ranks(rows, 1)] == expected


def test_neighbours_of_many_and_of_few_ranks() -> None:
    few, shares = choice_of_ranks(LONG, np.array([3.25, 58.0]))
    many, _ = choice_of_ranks(LONG, np.array([3.25, 58.0, 7.0, 11.0, 30.5]))
    assert few.tolist() == many[:2].tolist()
    assert shares.tolist() == [[0.75, 0.25], [1.0, 0.0]]


def test_products_of_many_matrices() -> None:
    rng = np.random.default_rng(4)
    a, b, seed = rng.normal(size=(30, 40)), rng.normal(size=(40, 50)), rng.normal(size=(30, 50))
    _, back = zg.pullback(lambda a, b: np.einsum("ij,jk->ik", a, b), a, b)
    of_a, of_b = back(seed)
    assert of_a == pytest.approx(seed @ b.T)
    assert of_b == pytest.approx(a.T @ seed)
