"""The generalised Schur form of `scipy.linalg`, whose blocks, signs and order are LAPACK's."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
import scipy.linalg as sl

import zygpy as zg
from zygpy.errors import MissingRuleError
from zygpy.testing import check_gradient

RANDOM = np.random.default_rng(0)
WEIGHTS = RANDOM.normal(size=(4, 4))
REAL = [(RANDOM.normal(size=(n, n)), RANDOM.normal(size=(n, n))) for n in (1, 2, 2, 2, 3, 3, 4)]
REAL.append((REAL[6][0] - REAL[6][0].T + 0.2 * REAL[6][0], REAL[6][1] @ REAL[6][1].T))
COMPLEX = [(a + 1j * RANDOM.normal(size=a.shape), b + 1j * b.T) for a, b in REAL]
PLAIN, PAIRED = REAL[4], REAL[7]


def flat(*parts: Any) -> Any:
    return np.concatenate([np.ravel(part) for part in parts])


def without_phases(s: Any, t: Any, q: Any, z: Any) -> Any:
    """A sum that does not depend on the phases that the vectors of one pair have in common."""
    count = len(t)
    weights, scale = WEIGHTS[:count, :count], 1.0 + np.arange(count)
    turned = [left * scale @ np.conj(right.T) for left, right in ((q, q), (z, z), (q, z))]
    sums = [np.sum(np.real(each) * weights + np.imag(each) * weights.T) for each in turned]
    return np.sum((np.abs(s) ** 2 + np.abs(t) ** 2) * weights) + sums[0] + sums[1] + sums[2]


def signed(given: Any, first: Any) -> Any:
    """Real factors, with the signs of `first`, right vectors: which LAPACK gives may change close by."""
    s, t, q, z = given
    signs = np.sign(np.sum(z * first, axis=-2, keepdims=True))
    both = signs * np.swapaxes(signs, -1, -2)
    return flat(s * both, t * both, q * signs, z * signs)


def ratios(a: Any, b: Any, *options: Any) -> Any:
    _, _, alpha, beta, _, _ = sl.ordqz(a, b, *options)
    return alpha / beta


def test_there_are_blocks() -> None:
    blocks = [np.sum(np.diagonal(sl.qz(*both)[0], -1) != 0) for both in REAL]
    assert set(blocks) == {0, 1, 2} and blocks[4] == 0 and blocks[7] == 2


@pytest.mark.parametrize("k", range(len(REAL)))
def test_qz(k: int) -> None:
    first = sl.qz(*REAL[k])[3]
    check_gradient(lambda a, b: signed(sl.qz(a, b), first), *REAL[k])
    check_gradient(lambda a, b: without_phases(*sl.qz(a, b)), *COMPLEX[k])
    check_gradient(lambda a, b: without_phases(*sl.qz(a, b, "complex")), *REAL[k])


@pytest.mark.parametrize("sort", ["lhp", "iuc", lambda a, b: np.real(b) > 0.5])
def test_ordqz(sort: Any) -> None:
    first = sl.ordqz(*PLAIN, sort)[5]

    def factors(a: Any, b: Any) -> Any:
        s, t, alpha, beta, q, z = sl.ordqz(a, b, sort)
        return flat(signed((s, t, q, z), first), np.real(alpha), beta)

    check_gradient(factors, *PLAIN)
    check_gradient(lambda a, b: ratios(a, b, sort), *PAIRED)
    check_gradient(lambda a, b: ratios(a, b, sort, "complex"), *PAIRED)
    check_gradient(lambda a, b: sl.ordqz(a, b, sort)[3], *COMPLEX[4])


def test_scales_of_a_pair_are_refused() -> None:
    with pytest.raises(MissingRuleError, match="'alpha' and 'beta' of a pair"):
        zg.gradient(lambda a, b: np.sum(sl.ordqz(a, b)[3]), *PAIRED)


@pytest.mark.skipif("ZYGPY_ALL_CASES" not in os.environ, reason="takes long to derive")
def test_twice_and_other_forms() -> None:
    a, b = PLAIN
    check_gradient(lambda a: np.sum(sl.qz(a, b)[0] ** 3), a, order=2)
    single = zg.gradient(lambda a, b: np.sum(sl.qz(a, b)[0]), a.astype(np.float32), b.astype(np.float32))
    assert [each.dtype for each in single] == [np.float32, np.float32]
    np.testing.assert_allclose(single, zg.gradient(lambda a, b: np.sum(sl.qz(a, b)[0]), a, b), rtol=1e-3)
    given = a.copy()
    _, back = zg.pullback(lambda a: sl.qz(a, b, overwrite_a=True), given)
    seed = (a, None, b, None)
    np.testing.assert_array_equal(back(seed)[0], back(seed)[0])
    np.testing.assert_array_equal(given, a)


@pytest.mark.parametrize("a", [np.eye(2), np.array([[1.0, 1.0], [0.0, 1.0]])], ids=["unit", "block"])
def test_equal_eigenvalues_are_refused(a: Any) -> None:
    for b in (np.eye(2), np.zeros((2, 2))):
        with pytest.raises(MissingRuleError, match="eigenvalues are equal but for rounding"):
            zg.gradient(lambda a, b=b: np.sum(sl.qz(a, b)[0]), a)


def test_what_is_not_told_is_refused() -> None:
    rotation = np.array([[0.0, 1.0], [-1.0, 0.3]])
    with pytest.raises(MissingRuleError, match="multiple of the unit matrix"):
        zg.gradient(lambda a: np.sum(sl.qz(a, np.eye(2))[0]), rotation)
    with pytest.raises(MissingRuleError, match="phases of complex vectors"):
        zg.gradient(lambda a, b: np.real(sl.qz(a, b)[0][0, 1]), *COMPLEX[4])
    with pytest.raises(MissingRuleError, match="the second matrix is singular"):
        zg.gradient(lambda a, b: np.imag(sl.qz(a, b)[0][1, 1]), COMPLEX[1][0], np.diag([1.0 + 0j, 0.0]))


def test_stacks() -> None:
    a, b = np.stack([PLAIN[0], PLAIN[1]]), PLAIN[1] @ PLAIN[0]
    try:
        sl.qz(a, b)
    except ValueError:
        pytest.skip("this version of SciPy takes two matrices alone")
    first = sl.qz(a, b)[3]
    check_gradient(lambda a, b: signed(sl.qz(a, b), first), a, b)
    check_gradient(lambda a, b: ratios(a, b), a, b)
