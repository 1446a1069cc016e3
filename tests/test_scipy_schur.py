"""Schur's form of `scipy.linalg`: matrices and pencils whose blocks, signs and order are LAPACK's."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg as sl

import zygpy as zg
from zygpy.errors import MissingRuleError
from zygpy.runtime.scipy_schur import places_of
from zygpy.testing import check_gradient

RANDOM = np.random.default_rng(0)
WEIGHTS = RANDOM.normal(size=(5, 5))
REAL = [RANDOM.normal(size=(n, n)) for n in (1, 2, 2, 3, 3, 5)]
REAL.append(WEIGHTS - WEIGHTS.T + 0.3 * WEIGHTS)
COMPLEX = [a + 1j * RANDOM.normal(size=a.shape) for a in REAL]
ROTATION = sl.expm(np.array([[0, 1, 2.0], [-1, 0, 3], [-2, -3, 0]]))
JORDAN = np.array([[2.0, 1.0], [0.0, 2.0]])
TURN = np.linalg.qr(REAL[1])[0]


def flat(*parts: Any) -> Any:
    return np.concatenate([np.ravel(part) for part in parts])


def without_phases(t: Any, z: Any) -> Any:
    """A sum that does not depend on the phases of the vectors."""
    count = len(t)
    weights, turned = WEIGHTS[:count, :count], z * (1.0 + np.arange(count)) @ np.conj(z.T)
    return np.sum(np.abs(t) ** 2 * weights + np.real(turned) * weights + np.imag(turned) * weights.T)


def signed(a0: Any) -> Callable[[Any], Any]:
    """Both real factors, with the signs that they have at a point: which LAPACK gives may change close by."""
    first = sl.schur(a0)[1]

    def factors(a: Any) -> Any:
        t, z = sl.schur(a)
        signs = np.sign(np.sum(z * first, axis=-2, keepdims=True))
        return flat(t * signs * np.swapaxes(signs, -1, -2), z * signs)

    return factors


def test_there_are_blocks() -> None:
    blocks = [np.sum(np.diagonal(sl.schur(a)[0], -1) != 0) for a in REAL]
    assert set(blocks) >= {0, 1, 2}


@pytest.mark.parametrize("k", range(len(REAL)))
def test_schur(k: int) -> None:
    check_gradient(signed(REAL[k]), REAL[k])
    check_gradient(lambda a: without_phases(*sl.schur(a)), COMPLEX[k])
    check_gradient(lambda a: without_phases(*sl.schur(a, "complex")), REAL[k])


@pytest.mark.parametrize("sort", ["lhp", "rhp", "iuc", "ouc", lambda x, y: x + y > 0.3])
def test_sorted(sort: Any) -> None:
    """The space of the first vectors, and their number, which is constant."""

    def space(a: Any) -> Any:
        _, z, count = sl.schur(a, sort=sort)
        return z[:, :count] @ z[:, :count].T

    check_gradient(space, REAL[5])


def test_order_of_real_eigenvalues() -> None:
    a = REAL[5] + REAL[5].T + 0.1 * REAL[5]
    check_gradient(lambda a: np.diagonal(sl.schur(a, sort=lambda x, y: x < 1)[0]), a)
    check_gradient(lambda a: np.diagonal(sl.schur(a + 0j, sort="lhp", overwrite_a=True)[0]), a)


@pytest.mark.parametrize("output", ["real", "complex"])
def test_schur_twice(output: str) -> None:
    check_gradient(lambda a: np.sum(np.abs(sl.schur(a, output)[0]) ** 3), REAL[4], order=2)


def test_other_forms() -> None:
    single = zg.gradient(lambda a: np.sum(sl.schur(a)[1]), REAL[4].astype(np.float32))[0]
    np.testing.assert_allclose(single, zg.gradient(lambda a: np.sum(sl.schur(a)[1]), REAL[4])[0], rtol=1e-3)
    assert single.dtype == np.float32
    found = zg.gradient(lambda a: np.sum(sl.schur(a)[1]), np.array([[1, 2], [3, 4]]))[0]
    np.testing.assert_allclose(
        found, zg.gradient(lambda a: np.sum(sl.schur(a)[1]), np.array([[1.0, 2], [3, 4]]))[0]
    )
    a = REAL[4].copy()
    _, back = zg.pullback(lambda a: sl.schur(a, overwrite_a=True), a)
    seed = (np.ones((3, 3)), None)
    np.testing.assert_array_equal(back(seed)[0], back(seed)[0])
    np.testing.assert_array_equal(a, REAL[4])
    assert zg.gradient(lambda a: np.sum(sl.schur(a)[0]), np.zeros((0, 0)))[0].shape == (0, 0)


def test_a_rotation() -> None:
    """The vectors of a block may be turned: of what does not depend on that there is a derivative."""
    check_gradient(lambda a: without_phases(*sl.schur(a, "complex")), ROTATION)
    check_gradient(lambda a: np.sum(sl.schur(a)[0] ** 2) + sl.schur(a)[1][0, 0] ** 2, ROTATION)
    with pytest.raises(MissingRuleError, match="multiple of a rotation"):
        zg.gradient(lambda a: np.sum(sl.schur(a)[1]), ROTATION)


@pytest.mark.parametrize("a", [np.eye(3), JORDAN, TURN @ JORDAN @ TURN.T], ids=["unit", "block", "turned"])
def test_equal_eigenvalues_are_refused(a: Any) -> None:
    with pytest.raises(MissingRuleError, match="eigenvalues are equal but for rounding"):
        zg.gradient(lambda a: np.sum(sl.schur(a)[0]), a)


def test_what_depends_on_phases_is_refused() -> None:
    for what in (lambda t, z: np.real(z[0, 0]), lambda t, z: np.imag(t[0, 1])):
        with pytest.raises(MissingRuleError, match="phases of complex vectors"):
            zg.gradient(lambda a, what=what: what(*sl.schur(a)), COMPLEX[4])
        with pytest.raises(MissingRuleError, match="phases of complex vectors"):
            zg.pushforward(lambda a, what=what: what(*sl.schur(a)), COMPLEX[4])(COMPLEX[3])


@pytest.mark.parametrize("k", range(len(REAL)))
def test_rsf2csf(k: int) -> None:
    """What is zero in Schur's form counts as constant."""
    t, z = sl.schur(REAL[k])
    places = places_of(t)
    check_gradient(lambda t, z: flat(*sl.rsf2csf(np.where(places, t, 0), z)), t, z)
    check_gradient(lambda a: np.real(flat(*sl.rsf2csf(*sl.schur(a)))), REAL[k])


@pytest.mark.skipif("ZYGPY_ALL_CASES" not in os.environ, reason="takes long to derive")
def test_rsf2csf_twice() -> None:
    check_gradient(lambda a: np.sum(np.real(sl.rsf2csf(*sl.schur(a))[0]) ** 3), REAL[4], order=2)


def test_stacks() -> None:
    stack = np.stack([[REAL[3], REAL[4]]])
    try:
        sl.schur(stack)
    except ValueError:
        pytest.skip("this version of SciPy takes one matrix alone")
    check_gradient(signed(stack), stack)
    check_gradient(lambda a: np.real(flat(*sl.rsf2csf(*sl.schur(a)))), stack)
