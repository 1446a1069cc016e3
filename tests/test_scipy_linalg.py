"""Gradients of programs with functions of `scipy.linalg`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg as sl

import zygpy as zg
from zygpy.errors import MissingRuleError, ZygpyError
from zygpy.testing import check_gradient

RANDOM = np.random.default_rng(3)
A = RANDOM.normal(size=(3, 3))
B = RANDOM.normal(size=(3, 2))
C = A + 1j * RANDOM.normal(size=(3, 3))
V = RANDOM.normal(size=3)
POSITIVE = A @ A.T + np.eye(3)
BANDS = np.array([[0.1, 0.2, -0.3, 0.4], [3.0, 4.0, 5.0, 6.0], [0.3, -0.2, 0.5, 0.1]])


def by_cholesky(a: Any, b: Any) -> Any:
    return np.sum(sl.cho_solve(sl.cho_factor(a), b) ** 3)


def by_lower_cholesky(a: Any, b: Any) -> Any:
    factor = sl.cho_factor(a, lower=True, overwrite_a=True)
    return np.sum(sl.cho_solve(factor, b, overwrite_b=True) ** 3)


def by_lu(a: Any, b: Any) -> Any:
    return np.sum(sl.lu_solve(sl.lu_factor(a), b) ** 3) + np.sum(
        sl.lu_solve(sl.lu_factor(a), b, trans=1) ** 2
    )


def three_factors(a: Any) -> Any:
    p, lower, upper = sl.lu(a)
    together, other = sl.lu(a, permute_l=True)
    return np.sum((p @ lower) ** 3) + np.sum(upper**3) + np.sum(together**2) + np.sum(other**2)


def log_likelihood(a: Any, x: Any) -> Any:
    factor = sl.cholesky(a, lower=True)
    white = sl.solve_triangular(factor, x, lower=True)
    return -0.5 * white @ white - np.sum(np.log(np.diag(factor)))


def triangular_factors(a: Any) -> Any:
    q, r = sl.qr(a, mode="economic")
    _, pivoted, order = sl.qr(a, pivoting=True)
    return np.sum(q**3) + np.sum(r**2 * np.arange(r.shape[1])) + np.sum(pivoted[:2] ** 2 * order)


def polar_factors(a: Any) -> Any:
    u, p = sl.polar(a)
    w, q = sl.polar(a, side="left")
    return np.sum(u**3) + np.sum(p**3) + np.sum(w * A) + np.sum(q**2)


def made_of_vectors(c: Any, r: Any) -> Any:
    return (
        np.sum((sl.toeplitz(c, r) @ r) ** 2)
        + np.sum((sl.toeplitz(c) @ c) ** 2)
        + np.sum((sl.hankel(c, r) @ r) ** 2)
        + np.sum((sl.hankel(c) @ c) ** 2)
        + np.sum((sl.circulant(c) @ c) ** 2)
        + np.sum((sl.companion(c) @ c[1:]) ** 2)
    )


def blocks(a: Any, b: Any) -> Any:
    whole = sl.block_diag(a, b, 2.0, b[0])
    return np.sum((whole @ whole.T) ** 2) + np.sum(sl.khatri_rao(a[:, :2], b) ** 3)


def stationary(a: Any, q: Any) -> Any:
    return (
        np.sum(sl.solve_continuous_lyapunov(a, q) ** 3)
        + np.sum(sl.solve_discrete_lyapunov(a / 5, q) ** 3)
        + np.sum(sl.solve_sylvester(a, a.T + q, q) ** 3)
    )


def general_pairs(a: Any) -> Any:
    w, v = sl.eig(a)
    return np.sum(np.abs(w) ** 3) + np.sum(np.abs(v) ** 3) + np.sum(np.abs(sl.eigvals(a)) ** 2)


def pencil(a: Any, b: Any) -> Any:
    w, v = sl.eigh(a, b)
    return np.sum(w**3) + np.sum(v**4) + np.sum(sl.eigvalsh(a, b, lower=False) ** 2)


def factors(a: Any) -> Any:
    u, s, vh = sl.svd(a, full_matrices=False, overwrite_a=False, check_finite=False)
    return np.sum(u**4) + np.sum(s**3) + np.sum(vh**4) + np.sum(sl.svdvals(a) ** 2)


CASES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (lambda a, b: np.sum(sl.solve(a, b) ** 3), (A, B)),
    (lambda a, b: np.sum(sl.solve(a, b, assume_a="pos", lower=True) ** 3), (POSITIVE, V)),
    (lambda a, b: np.sum(sl.solve(a, b, False, True, True) ** 3), (A, V)),
    (lambda a, b: np.sum(np.abs(sl.solve(a, b, assume_a="sym")) ** 3), (C + C.T, V)),
    (lambda a, b: np.sum(np.abs(sl.solve_triangular(a, b, trans="C")) ** 3), (C, B)),
    (lambda a, b: np.sum(sl.solve(a[:1, :1] + a[0, 0] * 1j, b).imag ** 3), (A, V)),  # a number for SciPy
    (lambda ab, b: np.sum(sl.solve_banded((1, 1), ab, b, overwrite_ab=True) ** 3), (BANDS, np.arange(4.0))),
    (lambda ab, b: np.sum(sl.solveh_banded(ab, b) ** 3), (BANDS[:2], np.arange(4.0))),
    (by_cholesky, (POSITIVE, B)),
    (by_lower_cholesky, (POSITIVE, V)),
    (by_lu, (A, B)),
    (three_factors, (A,)),
    (three_factors, (RANDOM.normal(size=(4, 3)),)),
    (log_likelihood, (POSITIVE, V)),
    (triangular_factors, (A,)),
    (polar_factors, (A,)),
    (made_of_vectors, (V + 3, V - 1)),
    (blocks, (A, B)),
    (stationary, (A, POSITIVE)),
    (general_pairs, (A,)),
    (general_pairs, (C,)),
    (pencil, (A, POSITIVE)),
    (factors, (A,)),
    (lambda a: np.sum(sl.eigh(a)[1] ** 4) + np.sum(sl.eigh(a, eigvals_only=True) ** 3), (A,)),
    (lambda a: np.sum(sl.expm(a) ** 2), (A,)),
    (lambda a: np.sum(np.abs(sl.expm(a)) ** 2), (C,)),
    (
        lambda a, e: np.sum(sl.expm_frechet(a, e)[1] ** 2) + np.sum(sl.expm_frechet(a, e)[0] ** 2),
        (A, POSITIVE),
    ),
    (lambda a: np.sum(sl.logm(a) ** 2) + np.sum(sl.sqrtm(a) ** 2), (POSITIVE,)),
    (lambda a: np.sum(sl.inv(a, overwrite_a=True) ** 2) + sl.det(a) ** 2, (A,)),
    (lambda a: sl.norm(a) ** 3 + sl.norm(a, 1) ** 2 + sl.norm(a, 2) ** 2, (A,)),
    (lambda a: np.sum(sl.pinv(a) ** 2) + np.sum(sl.pinv(a, return_rank=True)[0] ** 3), (B,)),
    (lambda a, b: np.sum(sl.lstsq(a, b)[0] ** 3) + np.sum(sl.lstsq(a, b)[1] ** 2), (B, V)),
]


ALL = "ZYGPY_ALL_CASES" in os.environ
"""Whether second derivatives of all programs are taken; `tests/rules` checks those of every rule."""

TWICE = (log_likelihood, three_factors, polar_factors, stationary, pencil)


@pytest.mark.parametrize(("function", "args"), CASES)
def test_first_and_second_derivatives(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    check_gradient(function, *args, order=2 if ALL or function in TWICE else 1)


def test_the_exponential_of_a_stack() -> None:
    stack = np.stack([A, POSITIVE / 3])
    check_gradient(lambda a: np.sum(sl.expm(a) ** 2), stack)


def of_lu(a: Any, b: Any) -> Any:
    return sl.lu_solve(sl.lu_factor(a), b)


def of_singular_values(a: Any, b: Any) -> Any:
    return b * sl.svd(a)[1][..., np.newaxis]


def of_eigenvectors(a: Any, b: Any) -> Any:
    return b * sl.eigh(a)[1] ** 2


@pytest.mark.parametrize("function", [of_lu, of_singular_values, of_eigenvectors])
def test_second_derivatives_of_factors_of_stacks(function: Callable[..., Any]) -> None:
    args = np.stack([A, POSITIVE]) + 2 * np.eye(3), np.stack([C.imag, C.real])

    def of_arguments(x: Any) -> Any:
        return np.sum(function(x, *args[1:]))

    direction = np.stack([C.imag, A])
    step = 1e-5 * direction
    (above,), (below,) = (zg.gradient(of_arguments, args[0] + way) for way in (step, -step))
    expected = (above - below) / 2e-5
    assert np.abs(expected).max() > 1e-3
    found = zg.hvp(of_arguments, args[0], direction)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)


def test_the_exchanged_columns_of_a_stack() -> None:
    stack = np.stack([A, POSITIVE])
    check_gradient(lambda a: np.sum(sl.qr(a, pivoting=True)[1] ** 3), stack)
    check_gradient(lambda a: np.sum(sl.qr(a, pivoting=True, mode="r")[0] ** 3), stack)


def test_what_may_be_overwritten_is_not() -> None:
    a, b = POSITIVE.copy(order="F"), V.copy()
    for function in (
        lambda a, b: np.sum(sl.solve(a, b, overwrite_a=True, overwrite_b=True)),
        lambda a, b: np.sum(sl.cho_solve(sl.cho_factor(a, overwrite_a=True), b, overwrite_b=True)),
        lambda a, b: np.sum(sl.lu_solve(sl.lu_factor(a, overwrite_a=True), b, overwrite_b=True)),
    ):
        expected = -np.outer(np.linalg.solve(POSITIVE, np.ones(3)), np.linalg.solve(POSITIVE, V))
        found, right = zg.gradient(function, a, b)
        np.testing.assert_allclose((found + found.T) / 2, (expected + expected.T) / 2, rtol=1e-9)
        np.testing.assert_allclose(right, np.linalg.solve(POSITIVE, np.ones(3)), rtol=1e-9)
        np.testing.assert_array_equal(a, POSITIVE)
        np.testing.assert_array_equal(b, V)


def test_a_rotation_by_the_exponential() -> None:
    def turned(angle: Any) -> Any:
        return sl.expm(np.array([[0.0, -1.0], [1.0, 0.0]]) * angle)[1, 0]

    assert zg.gradient(turned, 0.7)[0] == pytest.approx(np.cos(0.7), rel=1e-12)
    assert zg.derivative(zg.derivative(turned))(0.7) == pytest.approx(-np.sin(0.7), rel=1e-10)


NEAR_ONE = np.eye(3) + 0.01 * A


def log_of(a: Any) -> Any:
    return np.sum(np.abs(sl.logm(a)) ** 2)


MATRICES = [POSITIVE / 100, NEAR_ONE, np.array([[0.0, -2.0], [2.0, 0.0]])]


@pytest.mark.parametrize("matrix", [*MATRICES, *([C + 4 * np.eye(3)] if ALL else [])])
def test_logarithms_far_from_one_and_near(matrix: Any) -> None:
    check_gradient(log_of, matrix, order=2 if ALL or matrix is NEAR_ONE else 1)


def test_the_complex_logarithm_of_a_real_matrix() -> None:
    check_gradient(lambda a: np.sum(np.abs(sl.logm(a)) ** 2), np.array([[-1.0, 0.3], [0.2, -2.0]]))


WHOLE = np.array([[2, 1], [1, 3]])


@pytest.mark.parametrize(
    "function",
    [
        lambda a: np.sum(sl.solve(a, [1.0, 2.0]) ** 2),
        lambda a: np.sum(sl.cho_solve(sl.cho_factor(a), [1.0, 2.0]) ** 2),
        lambda a: np.sum(sl.lu_solve(sl.lu_factor(a), [1.0, 2.0]) ** 2),
        lambda a: np.sum(sl.expm(a)) + np.sum(sl.logm(a)) + np.sum(sl.sqrtm(a)),
        lambda a: np.sum(sl.polar(a)[1] ** 2) + sl.norm(a, 1) + sl.det(a),
        lambda a: np.sum(sl.qr(a)[1] ** 2) + np.sum(sl.pinv(a)) + np.sum(sl.eigvalsh(a) ** 2),
    ],
)
def test_integers_and_lists_count_as_floats(function: Callable[..., Any]) -> None:
    (bar,), (expected,) = zg.gradient(function, WHOLE), zg.gradient(function, WHOLE.astype(float))
    assert bar.dtype == np.float64
    np.testing.assert_allclose(bar, expected, rtol=1e-12)
    np.testing.assert_allclose(zg.gradient(function, WHOLE.tolist())[0], expected, rtol=1e-12)


def test_single_precision_stays() -> None:
    single = POSITIVE.astype(np.float32)
    for function in (
        sl.expm,
        sl.sqrtm,
        sl.inv,
        lambda a: sl.cholesky(a, lower=True),
        lambda a: sl.solve(a, a[0]),
    ):
        (bar,) = zg.gradient(lambda a, function=function: np.sum(function(a)), single)[:1]
        assert bar.dtype == np.float32


@pytest.mark.parametrize(
    "function",
    [
        lambda a: np.sum(sl.qr(a, mode="raw")[0][0]),
        lambda a: np.sum(np.abs(sl.eig(a, POSITIVE, homogeneous_eigvals=True)[0])),
        lambda a: np.sum(sl.toeplitz(a)),
    ],
)
def test_what_has_no_rule_is_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(ZygpyError):
        zg.gradient(function, A)


def test_vectors_are_what_structures_are_made_of() -> None:
    with pytest.raises(MissingRuleError, match="one after the other"):
        zg.gradient(lambda a: np.sum(sl.toeplitz(a)), A)


def test_scipy_is_not_imported_by_zygpy() -> None:
    program = "import math, sys, zygpy; zygpy.gradient(math.sin, 2.0); assert 'scipy' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True)
