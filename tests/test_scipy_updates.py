"""QR factors of `scipy.linalg` that are multiplied, or those of a matrix that is changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.linalg as sl

import zygpy as zg
from zygpy.errors import MissingRuleError
from zygpy.testing import check_gradient

RANDOM = np.random.default_rng(0)
TALL, SQUARE, WIDE = (RANDOM.normal(size=shape) for shape in ((4, 3), (3, 3), (2, 3)))
COMPLEX = TALL + 1j * RANDOM.normal(size=(4, 3))
ROWS, COLUMNS = RANDOM.normal(size=(2, 3)), RANDOM.normal(size=(4, 2))


def flat(*parts: Any) -> Any:
    return np.concatenate([np.ravel(part) for part in parts])


def told(q: Any, r: Any) -> Any:
    """The factors without the columns beside the range."""
    return flat(q[:, : min(q.shape[0], r.shape[1])], r)


@pytest.mark.parametrize("conjugate", [False, True])
@pytest.mark.parametrize("a", [TALL, SQUARE, WIDE, COMPLEX], ids=["tall", "square", "wide", "complex"])
def test_qr_multiply(a: Any, conjugate: bool) -> None:
    few = min(a.shape)
    left, right = COLUMNS.astype(a.dtype)[:few], COLUMNS.T.astype(a.dtype)[:, : len(a)]
    check_gradient(lambda a, c: flat(*sl.qr_multiply(a, c, "left", conjugate=conjugate)), a, left)
    check_gradient(lambda a, c: flat(*sl.qr_multiply(a, c, conjugate=conjugate)), a, right)
    check_gradient(lambda a, c: sl.qr_multiply(a, c, "left", conjugate=conjugate)[0], a, left[:, 0])
    check_gradient(lambda a, c: flat(*sl.qr_multiply(a, c, "right", True)[:2]), a, right[0])


@pytest.mark.parametrize("mode", ["full", "economic"])
@pytest.mark.parametrize("a", [TALL, SQUARE, WIDE], ids=["tall", "square", "wide"])
def test_qr_update(a: Any, mode: str) -> None:
    u, v = COLUMNS[: len(a)], ROWS.T
    if a is not TALL or mode == "economic":  # which LAPACK refuses
        check_gradient(lambda a, u, v: told(*sl.qr_update(*sl.qr(a, mode=mode), u, v)), a, u, v)
    check_gradient(lambda a, u, v: told(*sl.qr_update(*sl.qr(a, mode=mode), u, v)), a, u[:, 0], v[:, 0])


@pytest.mark.parametrize("k", [0, 1, 3])
@pytest.mark.parametrize("mode", ["full", "economic"])
def test_qr_insert(mode: str, k: int) -> None:
    for u in (ROWS, ROWS[0]):
        check_gradient(lambda a, u: told(*sl.qr_insert(*sl.qr(a, mode=mode), u, k)), TALL, u)
    for u in (COLUMNS, COLUMNS[:, 0]) if mode == "full" else (COLUMNS[:, 0],):
        check_gradient(lambda a, u: told(*sl.qr_insert(*sl.qr(a, mode=mode), u, k, "col")), TALL, u)


@pytest.mark.parametrize("k", [0, 1, -1])
@pytest.mark.parametrize("mode", ["full", "economic"])
def test_qr_delete(mode: str, k: int) -> None:
    check_gradient(lambda a: told(*sl.qr_delete(*sl.qr(a, mode=mode), k)), TALL)
    check_gradient(lambda a: told(*sl.qr_delete(*sl.qr(a, mode=mode), k, which="col")), TALL)
    check_gradient(lambda a: told(*sl.qr_delete(*sl.qr(a), 1, p=2)), TALL)


def test_complex_factors() -> None:
    """Whose phases come from the factors before."""
    a = COMPLEX[:3]
    check_gradient(lambda a, u: np.abs(np.stack(sl.qr_update(*sl.qr(a), u, u))), a, a[0])
    with pytest.raises(MissingRuleError, match="more than the product"):
        zg.gradient(lambda a: np.real(sl.qr_update(*sl.qr(a), a[0], a[1])[0][0, 0]), a)


def test_columns_beside_the_range() -> None:
    check_gradient(lambda a: np.abs(sl.qr_delete(*sl.qr(a), 1, which="col")[0][:, 2:] ** 2).sum(), TALL)
    with pytest.raises(MissingRuleError, match="more than the product"):
        zg.gradient(lambda a: np.sum(sl.qr_delete(*sl.qr(a), 1, which="col")[0]), TALL)


def test_stacks_are_refused() -> None:
    with pytest.raises(MissingRuleError, match="stacks of matrices"):
        zg.gradient(lambda a: np.sum(sl.qr_multiply(a, SQUARE)[0]), np.stack([SQUARE, SQUARE]))


@pytest.mark.parametrize(
    "f",
    [
        lambda a: np.sum(sl.qr_delete(*sl.qr(a, mode="economic"), 1, 1, "col")[0] ** 3),
        lambda a: np.sum(sl.qr_multiply(a, a.T)[0] ** 3),
    ],
    ids=["qr_delete", "qr_multiply"],
)
def test_twice_and_single(f: Any) -> None:
    check_gradient(f, TALL, order=2)
    assert zg.gradient(f, TALL.astype(np.float32))[0].dtype == np.float32
