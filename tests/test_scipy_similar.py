"""Hessenberg's form, balanced matrices, and factors with blocks, of `scipy.linalg`."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
import scipy.linalg as sl

import zygpy as zg
from zygpy.errors import MissingRuleError
from zygpy.testing import check_gradient

RANDOM = np.random.default_rng(4)
MATRICES = {n: RANDOM.normal(size=(n, n)) for n in (1, 2, 3, 5)}
COMPLEX = {n: a + 1j * RANDOM.normal(size=(n, n)) for n, a in MATRICES.items()}
BOTH = [*MATRICES.values(), *COMPLEX.values()]
NAMES = [f"{kind}{n}" for kind in ("real", "complex") for n in MATRICES]
STACK = RANDOM.normal(size=(2, 1, 3, 3))
UNBALANCED = MATRICES[3] * np.array([[1.0, 1e3, 0.0], [1e-2, 1.0, 0.0], [1e3, 1.0, 2.0]])


def flat(*parts: Any) -> Any:
    return np.concatenate([np.ravel(part) for part in parts])


def check_second(f: Any, a: Any) -> None:
    """Second derivatives along a direction, by reverse mode twice, against differences of gradients."""
    v = np.cos(np.arange(a.size)).reshape(a.shape)
    expected = (zg.gradient(f, a + 1e-6 * v)[0] - zg.gradient(f, a - 1e-6 * v)[0]) / 2e-6
    found = zg.gradient(lambda a: np.sum(zg.gradient(f, a)[0] * v), a)[0]
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6 * np.max(np.abs(expected)))


@pytest.mark.parametrize("a", BOTH, ids=NAMES)
def test_hessenberg(a: Any) -> None:
    check_gradient(lambda a: flat(*sl.hessenberg(a, calc_q=True)), a)
    check_gradient(lambda a: sl.hessenberg(a), a)


@pytest.mark.skipif("ZYGPY_ALL_CASES" not in os.environ, reason="takes long to derive")
def test_hessenberg_twice_and_in_other_forms() -> None:
    a = MATRICES[5]
    check_second(lambda a: np.sum(sl.hessenberg(a, True)[1] ** 3 + sl.hessenberg(a) ** 3), a)
    single = zg.gradient(lambda a: np.sum(sl.hessenberg(a, overwrite_a=True)), a.astype(np.float32))[0]
    whole = zg.gradient(lambda a: np.sum(sl.hessenberg(a)), np.rint(10 * a).astype(int))[0]
    same = zg.gradient(lambda a: np.sum(sl.hessenberg(a)), np.rint(10 * a))[0]
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, zg.gradient(lambda a: np.sum(sl.hessenberg(a)), a)[0], rtol=1e-4)
    np.testing.assert_allclose(whole, same, rtol=1e-12, atol=1e-14)


def test_hessenberg_of_what_is_reduced_already() -> None:
    """LAPACK makes no reflection of a column that has its form; one of nothing turns suddenly."""
    form = np.triu(MATRICES[5], -1)
    check_gradient(lambda a: np.sum(sl.hessenberg(a @ a.T @ a)), form)
    found = zg.gradient(lambda a: np.sum(np.abs(sl.hessenberg(a))), form)[0]
    near = form + 1e-9 * RANDOM.normal(size=(5, 5))
    np.testing.assert_allclose(
        found, zg.gradient(lambda a: np.sum(np.abs(sl.hessenberg(a))), near)[0], atol=1e-5
    )
    for none in (np.eye(3), np.triu(MATRICES[5]), np.eye(3, dtype=complex)):
        with pytest.raises(MissingRuleError, match="nothing to reflect"):
            zg.gradient(lambda a: np.sum(np.abs(sl.hessenberg(a))), none)


@pytest.mark.parametrize("a", [*BOTH, UNBALANCED], ids=[*NAMES, "unbalanced"])
def test_matrix_balance(a: Any) -> None:
    check_gradient(lambda a: sl.matrix_balance(a)[0], a)
    check_gradient(lambda a: sl.matrix_balance(a, permute=False, separate=True)[0], a)
    check_gradient(lambda a: sl.matrix_balance(a, 1, 0, True)[0], a)


def test_what_balances_is_constant() -> None:
    assert not np.array_equal(sl.matrix_balance(UNBALANCED)[1], np.eye(3))
    a = UNBALANCED
    value, back = zg.pullback(lambda a: sl.matrix_balance(a, separate=True)[1][0] * a[0, 0], a)
    scale = sl.matrix_balance(a, separate=True)[1][0]
    np.testing.assert_array_equal(value, scale * a[0, 0])
    assert back(np.ones(3))[0][0, 0] == np.sum(scale)
    check_gradient(lambda a: np.sum(sl.matrix_balance(a)[0] ** 3), a, order=2)


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("n", MATRICES)
def test_ldl(n: int, lower: bool) -> None:
    """Small diagonals make blocks of two rows."""
    a = MATRICES[n] - 0.9 * np.diag(np.diagonal(MATRICES[n]))
    check_gradient(lambda a: flat(*sl.ldl(a, lower)[:2]), a)
    check_gradient(lambda a: flat(*sl.ldl(a, lower, hermitian=False)[:2]), a + 1j * MATRICES[n])
    check_gradient(lambda a: flat(*sl.ldl(a + 1j * np.triu(a, 1) + 1j * np.tril(a, -1), lower)[:2]), a)


@pytest.mark.skipif("ZYGPY_ALL_CASES" not in os.environ, reason="takes long to derive")
def test_ldl_twice_and_in_other_forms() -> None:
    a = MATRICES[5] - 0.9 * np.diag(np.diagonal(MATRICES[5]))
    _, middle, order = sl.ldl(a)
    assert np.any(np.diagonal(middle, 1)) and not np.array_equal(order, np.arange(5))
    check_second(lambda a: np.sum(sl.ldl(a)[0] ** 3 + sl.ldl(a)[1] ** 3), a)
    found = zg.gradient(lambda a: np.sum(sl.ldl(a, overwrite_a=True)[0]), a.astype(np.float32))[0]
    assert found.dtype == np.float32 and not np.any(np.triu(found, 1))


def test_ldl_that_is_refused() -> None:
    """Blocks of nothing, of which the order of rows is made; the last block may be nothing."""
    with pytest.raises(MissingRuleError, match="nothing but rounding errors"):
        zg.gradient(lambda a: np.sum(sl.ldl(a)[0]), np.ones((3, 3)))
    np.testing.assert_array_equal(
        zg.gradient(lambda a: np.sum(sl.ldl(a)[1]), np.ones((2, 2)))[0], [[2, 0], [-2, 1]]
    )


def stacks_are_taken() -> bool:
    try:
        sl.ldl(STACK)
    except ValueError:
        return False
    return True


@pytest.mark.skipif(not stacks_are_taken(), reason="this version of SciPy takes one matrix alone")
def test_stacks() -> None:
    check_gradient(lambda a: flat(*sl.hessenberg(a, calc_q=True)), STACK)
    check_gradient(lambda a: sl.matrix_balance(a)[0], STACK)
    check_gradient(lambda a: flat(*sl.ldl(a)[:2]), STACK)
    given = sl.hessenberg(STACK, True)
    value, _ = zg.pullback(lambda a: sl.hessenberg(a, True), STACK)
    assert type(value) is type(given) and value[0].shape == given[0].shape
