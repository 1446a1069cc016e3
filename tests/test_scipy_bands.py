"""Matrices of `scipy.linalg` that are given by their diagonals, and functions of eigenvalues."""

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
BANDS = [RANDOM.normal(size=shape) for shape in ((1, 4), (2, 4), (3, 5), (2, 1))]
COMPLEX = [band + 1j * RANDOM.normal(size=band.shape) for band in BANDS]
A = RANDOM.normal(size=(3, 3))
STACK = RANDOM.normal(size=(2, 2, 3))


def flat(*parts: Any) -> Any:
    return np.concatenate([np.ravel(part) for part in parts])


def definite(band: Any, lower: bool) -> Any:
    """With a diagonal that is real and large."""
    return np.where(np.arange(len(band))[:, None] == (0 if lower else len(band) - 1), 6.0, band)


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("k", range(len(BANDS)))
def test_eigenvalues(k: int, lower: bool) -> None:
    some = (0, min(1, BANDS[k].shape[1] - 1))
    check_gradient(lambda b: flat(*sl.eig_banded(b, lower)), BANDS[k])
    check_gradient(lambda b: flat(*sl.eig_banded(b, lower, select="i", select_range=some)), BANDS[k])
    check_gradient(lambda b: sl.eigvals_banded(b, lower), COMPLEX[k])
    check_gradient(
        lambda b: sl.eig_banded(b, lower, eigvals_only=True, select="v", select_range=(-1, 5)), BANDS[k]
    )
    check_gradient(lambda b: np.abs(sl.eig_banded(b, lower=lower)[1]), COMPLEX[k])


def test_phases_of_vectors_are_refused() -> None:
    with pytest.raises(MissingRuleError, match="phases of complex vectors"):
        zg.gradient(lambda b: np.real(sl.eig_banded(b)[1][1, 0]), COMPLEX[1])


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("k", range(len(BANDS)))
def test_factors(k: int, lower: bool) -> None:
    """Of the factor, the corners are those that are given."""
    band, columns = definite(BANDS[k], lower), BANDS[k].T
    check_gradient(lambda b: sl.cholesky_banded(b, lower=lower), band)
    check_gradient(lambda b: sl.cholesky_banded(definite(b, lower), lower=lower), COMPLEX[k])
    for right in (columns[:, 0], columns):
        check_gradient(lambda c, b: sl.cho_solve_banded((c, lower), b), band, right)
        check_gradient(lambda c, b: sl.cho_solve_banded((c, lower), b), COMPLEX[k] + 3 * (band == 6), right)


@pytest.mark.parametrize("lower", [False, True])
def test_pinvh(lower: bool) -> None:
    check_gradient(lambda a: sl.pinvh(a, lower=lower), A)
    check_gradient(lambda a: sl.pinvh(a.T @ a, lower=lower, return_rank=True)[0], A[:2])
    check_gradient(lambda a: sl.pinvh(a - 1j * np.diag(np.imag(np.diagonal(a))), 0, 0.1, lower), A + 1j * A.T)


def test_funm() -> None:
    check_gradient(lambda a: sl.funm(a, np.exp), A)
    check_gradient(lambda a: sl.funm(a, lambda w: w * w), A + 1j * A.T)
    check_gradient(lambda a, t: sl.funm(a, lambda w: np.exp(t * w), disp=False)[0], A, 0.4)
    np.testing.assert_allclose(
        zg.gradient(lambda a: np.sum(sl.funm(a, np.exp)), A)[0],
        zg.gradient(lambda a: np.sum(sl.expm(a)), A)[0],
    )
    with pytest.raises(MissingRuleError, match="eigenvalues are equal but for rounding"):
        zg.gradient(lambda a: np.sum(sl.funm(a, np.exp)), np.eye(2))


@pytest.mark.skipif("ZYGPY_ALL_CASES" not in os.environ, reason="takes long to derive")
@pytest.mark.parametrize(
    ("f", "given"),
    [
        (lambda b: np.sum(sl.eig_banded(b)[1] ** 3), BANDS[2]),
        (lambda b: np.sum(sl.cholesky_banded(b) ** 3), definite(BANDS[2], False)),
        (lambda b: np.sum(sl.cho_solve_banded((b, False), b[0]) ** 3), definite(BANDS[2], False)),
        (lambda a: np.sum(sl.funm(a, np.exp) ** 2), A),
        (lambda a: np.sum(sl.pinvh(a) ** 3), A),
    ],
    ids=["eig_banded", "cholesky_banded", "cho_solve_banded", "funm", "pinvh"],
)
def test_twice_and_single(f: Any, given: Any) -> None:
    check_gradient(f, given, order=2)
    assert zg.gradient(f, given.astype(np.float32))[0].dtype == np.float32


def test_whole_numbers() -> None:
    band = np.array([[0, 1, 2], [5, 6, 7]])
    found = zg.gradient(lambda b: np.sum(sl.cholesky_banded(b)), band)[0]
    np.testing.assert_array_equal(found, zg.gradient(lambda b: np.sum(sl.cholesky_banded(b)), band * 1.0)[0])


def test_stacks() -> None:
    try:
        sl.eig_banded(STACK)
    except ValueError:
        pytest.skip("this version of SciPy takes one matrix alone")
    check_gradient(lambda b: flat(*sl.eig_banded(b, True)), STACK)
    check_gradient(lambda b: sl.eigvals_banded(b), STACK)
    check_gradient(lambda b: sl.cholesky_banded(b), STACK + np.array([[0.0], [5.0]]))
    check_gradient(lambda a: sl.pinvh(a), np.stack([A, A.T]))
    check_gradient(lambda a: sl.funm(a, lambda w: w * w), np.stack([A, A.T]))


@pytest.mark.parametrize(
    "program",
    [
        lambda a: np.sum(sl.solveh_banded(a, a)),
        lambda a: np.sum(sl.cholesky_banded(a)),
        lambda a: np.sum(sl.cho_solve_banded((a, True), np.ones(4))),
    ],
)
def test_diagonals_in_one_dimension_are_refused(program: Any) -> None:
    a = np.array([1.3, 1.5, 1.7, 1.2])
    assert np.isfinite(program(a))
    with pytest.raises(MissingRuleError, match="in one dimension has no rule"):
        zg.gradient(program, a)
    with pytest.raises(MissingRuleError, match="in one dimension has no rule"):
        zg.pushforward(program, a)(a)
