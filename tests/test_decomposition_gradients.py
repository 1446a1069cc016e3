"""Gradients of programs with decompositions, norms and least squares."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.errors import MissingRuleError
from zygpy.testing import check_gradient

RANDOM = np.random.default_rng(1)
A = RANDOM.normal(size=(3, 3))
TALL = RANDOM.normal(size=(4, 3))
C = A + 1j * RANDOM.normal(size=(3, 3))
V = RANDOM.normal(size=3)


def all_factors(a: Any) -> Any:
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    return np.sum(u**3) + np.sum(s**2 * np.arange(3.0)) + np.sum(vh * A)


def beside_the_range(a: Any) -> Any:
    rest = np.linalg.svd(a)[0][:, 3:]
    return np.sum((rest @ rest.T) ** 3)


def beside_the_range_by_qr(a: Any) -> Any:
    rest = np.linalg.qr(a, mode="complete")[0][:, 3:]
    return np.sum((rest @ rest.T) ** 3)


def complex_factors(a: Any) -> Any:
    found = np.linalg.svd(a, full_matrices=False)
    return np.sum(np.abs(found[0]) ** 3) + np.sum(np.real(found.Vh) ** 3)


def hermitian_pairs(a: Any) -> Any:
    w, v = np.linalg.eigh(a)
    return np.sum(w**3) + np.sum(np.real(v) ** 3)


def general_pairs(a: Any) -> Any:
    w, v = np.linalg.eig(a)
    return np.sum(np.abs(w) ** 3) + np.sum(np.real(v) ** 3)


def triangular_factors(a: Any) -> Any:
    q, r = np.linalg.qr(a)
    return np.sum(np.real(q) ** 3) + np.sum(np.abs(r[0]) ** 2)


def fit(a: Any, b: Any) -> Any:
    x, residuals, _, s = np.linalg.lstsq(a, b)
    return np.sum(x**3) + np.sum(residuals**2) + np.sum(s**2)


CASES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (all_factors, (TALL,)),
    (all_factors, (A,)),
    (beside_the_range, (TALL,)),
    (beside_the_range_by_qr, (TALL,)),
    (complex_factors, (C,)),
    (complex_factors, (C[:2],)),
    (hermitian_pairs, (A,)),
    (hermitian_pairs, (C,)),
    (general_pairs, (A,)),
    (general_pairs, (C,)),
    (triangular_factors, (TALL,)),
    (triangular_factors, (TALL.T,)),
    (triangular_factors, (C,)),
    (lambda a: np.sum(np.linalg.qr(a, "r") ** 3), (TALL,)),
    (lambda a: np.sum(np.abs(np.linalg.eigvals(a)) ** 3), (A,)),
    (lambda a: np.sum(np.linalg.svdvals(a) ** 3), (C,)),
    (lambda a: np.sum(np.linalg.svd(a, compute_uv=False) ** 3), (TALL,)),
    (lambda a: np.sum(np.linalg.pinv(a) ** 3), (TALL,)),
    (lambda a: np.sum(np.abs(np.linalg.pinv(a, 0.4)) ** 3), (C,)),
    (fit, (TALL, np.arange(4.0))),
    (lambda a, b: np.sum(np.linalg.lstsq(a, b, rcond=None)[0] ** 3), (TALL.T, V)),
    (lambda a: np.linalg.cond(a), (A,)),
    (lambda a: np.linalg.cond(a, 1), (A,)),
    (lambda a: np.linalg.cond(a, "nuc"), (C,)),
    (lambda a: np.linalg.norm(a, 2) ** 2 + np.linalg.norm(a, -2) ** 2, (C,)),
    (lambda a: np.linalg.norm(a, 1) ** 2 + np.linalg.norm(a, -np.inf) ** 2, (C,)),
    (lambda a: np.linalg.norm(a, "nuc") ** 2 + np.linalg.matrix_norm(a), (A,)),
    (lambda a: np.linalg.norm(a, "nuc") ** 2, (np.eye(3),)),
    (lambda a: np.linalg.vector_norm(a, axis=(0, 1), ord=3) ** 2, (C,)),
    (lambda a: np.sum(np.linalg.tensorinv(a.reshape(3, 3, 9)) ** 3), (RANDOM.normal(size=(9, 9)),)),
    (lambda a, b: np.sum(np.linalg.tensorsolve(a, b) ** 3), (RANDOM.normal(size=(3, 2, 6)), TALL[:3, :2])),
    (lambda a, b: np.sum(np.linalg.multi_dot([a, b, a]) ** 3), (A, A + 1)),
    (lambda a: np.sum(np.linalg.cholesky(a, upper=True) ** 3), (A @ A.T + np.eye(3),)),
    (lambda a: np.linalg.trace(a, offset=1) ** 3 + np.sum(np.linalg.diagonal(a) ** 3), (A,)),
    (lambda a: np.sum(np.linalg.vecdot(a, a, axis=0) ** 2) + np.sum(np.linalg.cross(a, a[0]) ** 3), (A,)),
    (
        lambda a: np.sum(np.linalg.tensordot(a, a, axes=1) ** 3) + np.sum(np.linalg.outer(a[0], a[1]) ** 3),
        (A,),
    ),
]


@pytest.mark.parametrize(("function", "args"), CASES)
def test_first_and_second_derivatives(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    check_gradient(function, *args, order=2)


@pytest.mark.skipif(not hasattr(np, "matvec"), reason="needs NumPy 2.2")
def test_products_with_vectors() -> None:
    check_gradient(lambda a, b: np.sum(np.matvec(a, b) ** 3) + np.sum(np.vecmat(b, a) ** 3), A, V, order=2)
    check_gradient(
        lambda a, b: np.sum(np.abs(np.matvec(a, b)) ** 3) + np.sum(np.real(np.vecmat(b, a) * (1 + 2j)) ** 3),
        C,
        V + 1j,
        order=2,
    )


@pytest.mark.parametrize("order", [None, "fro", "nuc", 2, -2, 1, -1, np.inf, -np.inf])
def test_norms_of_zero_have_no_slope(order: Any) -> None:
    for shape in ((2, 3), (3, 3)):
        (bar,) = zg.gradient(lambda x: np.linalg.norm(x, order), np.zeros(shape))
        assert bar.tolist() == np.zeros(shape).tolist()


def test_the_nuclear_norm_of_a_unitary_matrix() -> None:
    turn = np.linalg.qr(A)[0]
    np.testing.assert_allclose(zg.gradient(lambda x: np.linalg.norm(x, "nuc"), turn)[0], turn, atol=1e-14)


def test_spectral_norms_of_integers_and_lists() -> None:
    rows = [[3.0, 0.0], [0.0, 1.0]]
    (bar,) = zg.gradient(lambda x: np.linalg.norm(x, 2), np.array(rows, int))
    assert bar.dtype == np.float64
    np.testing.assert_allclose(bar, [[1, 0], [0, 0]], atol=1e-15)
    np.testing.assert_allclose(
        zg.gradient(lambda x: np.linalg.norm(x, "nuc"), rows)[0], np.eye(2), atol=1e-15
    )
    assert zg.gradient(lambda x: np.linalg.norm(x, 1), np.array([3, -4]))[0].tolist() == [1.0, -1.0]


def test_single_precision_stays() -> None:
    single = TALL.astype(np.float32)
    for function in (
        lambda a: np.sum(np.linalg.svd(a, full_matrices=False)[0] ** 3),
        lambda a: np.sum(np.linalg.pinv(a) ** 3),
        lambda a: np.linalg.norm(a, "nuc"),
        lambda a: np.sum(np.linalg.qr(a)[0] ** 3),
        lambda a: np.sum(np.linalg.lstsq(a, a[:, 0] + 1)[0] ** 3),
    ):
        (bar,), (wide,) = zg.gradient(function, single), zg.gradient(function, TALL)
        assert bar.dtype == np.float32
        np.testing.assert_allclose(bar, wide, rtol=2e-3, atol=2e-3)


def test_a_pseudo_inverse_of_lower_rank() -> None:
    """The trace of the projector a+ a is the rank: it does not change as long as that is held."""
    low = TALL[:, :1] @ V[None, :]
    (bar,) = zg.gradient(lambda a: np.trace(np.linalg.pinv(a) @ a), low)
    assert np.max(np.abs(bar)) < 1e-10
    left, right = TALL[:, :1], V[None, :]
    check_gradient(lambda left, right: np.sum(np.linalg.pinv(left @ right) ** 3), left, right)


def test_condition_numbers_of_singular_matrices_have_no_slope() -> None:
    singular = np.ones((2, 2))
    for order in (None, 2, -2):
        assert np.all(np.isfinite(zg.gradient(lambda a, order: np.linalg.cond(a, order), singular, order)[0]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert np.all(np.isfinite(zg.gradient(lambda a: np.linalg.cond(a, 1), singular)[0]))


def test_equal_singular_values_do_not_make_nan() -> None:
    def value(a: Any) -> Any:
        u, s, vh = np.linalg.svd(a)
        return np.sum((u * s) @ vh * A)

    np.testing.assert_allclose(zg.gradient(value, 2 * np.eye(3))[0] * 0, np.zeros((3, 3)))
    assert np.all(np.isfinite(zg.gradient(lambda a: np.sum(np.linalg.eigh(a)[1]), np.eye(3))[0]))
    assert np.all(np.isfinite(zg.gradient(lambda a: np.sum(np.linalg.svdvals(a)), np.zeros((2, 3)))[0]))


def test_no_basis_of_eigenvectors() -> None:
    def squares(values: Any) -> Any:
        return np.real(np.sum(values**2))

    defective, plain = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[3.0, 1.0], [2.0, 1.0]])
    for program in (lambda a: squares(np.linalg.eigvals(a)), lambda a: squares(np.linalg.eig(a)[0])):
        assert np.all(np.isnan(zg.gradient(program, defective)[0]))
        assert np.all(zg.gradient(lambda a, p=program: 0 * p(a), defective)[0] == 0)
        (bars,) = zg.gradient(program, np.stack([plain, defective, np.eye(2)]))
        np.testing.assert_allclose(bars[0], 2 * plain.T, rtol=1e-12)  # the sum is the trace of a @ a
        assert np.all(np.isnan(bars[1]))
        np.testing.assert_allclose(bars[2], 2 * np.eye(2), rtol=1e-12)


def test_the_reflections_of_qr_are_refused_before_anything_runs() -> None:
    ran = []

    def raw(a: Any) -> Any:
        h = np.linalg.qr(a, mode="raw")[0]
        ran.append(1)
        return np.sum(h)

    with pytest.raises(MissingRuleError, match="raw"):
        zg.gradient(raw, A)
    assert not ran


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) >= "2.5.0", reason="NumPy has none any more")
@pytest.mark.filterwarnings("ignore:Arrays of 2-dimensional vectors:DeprecationWarning")
def test_cross_products_in_the_plane() -> None:
    for a, b in ((V[:2], TALL[0, :2]), (V[:2], TALL[0]), (TALL[:, :2], V[:2]), (TALL[:, :2], V)):
        expected = check_against_components(a, b)
        (found,) = zg.gradient(lambda a, b: np.sum(np.cross(a, b) ** 3), a, b)[:1]
        np.testing.assert_allclose(found, expected, rtol=1e-12)
        check_gradient(lambda a, b: np.sum(np.cross(a, b) ** 3), a, b, order=2)


def check_against_components(a: Any, b: Any) -> Any:
    """The gradient by `a` of the sum of the cubes of a cross product, from its components."""

    def value(a: Any) -> Any:
        height_a = a[..., 2] if a.shape[-1] == 3 else 0.0
        height_b = b[..., 2] if b.shape[-1] == 3 else 0.0
        across = a[..., 1] * height_b - height_a * b[..., 1]
        along = height_a * b[..., 0] - a[..., 0] * height_b
        up = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
        return np.sum(across**3) + np.sum(along**3) + np.sum(up**3)

    return zg.gradient(value, a)[0]


def test_what_is_real_in_one_branch_gets_a_real_cotangent() -> None:
    """Of such a variable it is not known whether it is complex, but its cotangent may not be."""
    z, w = np.array([1 + 2j, 3 - 1j]), np.array([2 + 1j, 1j])

    def value(z: Any, real: bool) -> Any:
        x = np.real(z) if real else z
        return np.sum(np.real(x * w))

    assert zg.gradient(value, z, True)[0].tolist() == [2, 0]
    assert zg.gradient(value, z, False)[0].tolist() == np.conj(w).tolist()
    assert zg.gradient(lambda z: value(z, True) * value(z, True), z)[0].tolist() == [8, 0]


@pytest.mark.parametrize(
    "function",
    [
        lambda a: np.sum(np.linalg.svd(a, full_matrices=False)[0]),
        lambda a: np.sum(np.linalg.svdvals(a)) + np.linalg.norm(a),
        lambda a: np.sum(np.linalg.qr(a)[0]) + np.sum(np.linalg.pinv(a)),
        lambda a: np.sum(np.linalg.lstsq(a, np.zeros(0))[0]),
        lambda a: np.sum(np.linalg.svd(a.reshape(0, 3, 1))[1]),
        lambda a: np.sum(np.linalg.norm(a.reshape(0, 1, 3), "nuc", (1, 2))),
        lambda a: np.sum(np.linalg.eigh(a[:, :0])[1]),
    ],
)
def test_matrices_without_rows(function: Callable[..., Any]) -> None:
    assert zg.gradient(function, np.zeros((0, 3)))[0].tolist() == []


def test_a_number_that_is_real_in_one_branch_gets_a_real_cotangent() -> None:
    def value(z: Any, real: bool) -> Any:
        x = z.real if real else z
        return (x * (2 + 1j)).real

    assert zg.gradient(value, 1 + 2j, True)[0] == 2
    assert zg.gradient(value, 1 + 2j, False)[0] == 2 - 1j


def test_second_derivatives_where_the_cotangents_of_complex_singular_vectors_are_zero() -> None:
    start = RANDOM.normal(size=(3, 3)) + 1j * RANDOM.normal(size=(3, 3))
    one, two = RANDOM.normal(size=(3, 3)), 1j * RANDOM.normal(size=(3, 3))
    left, _, right = np.linalg.svd(start)

    def distance(p: Any) -> Any:
        u, _, v = np.linalg.svd(start + p[0] * one + p[1] * two)
        beside, behind = u - left, v - right
        return np.sum(beside.real**2 + beside.imag**2) + np.sum(behind.real**2 + behind.imag**2)

    def difference(a: Any, b: Any) -> float:
        return float(distance(a + b) - distance(a - b) - distance(b - a) + distance(-a - b)) / 4e-8

    steps = 1e-4 * np.eye(2)
    expected = [[difference(a, b) for b in steps] for a in steps]
    for hessian in (zg.hessian(distance, np.zeros(2)), zg.hessian_reverse(distance, np.zeros(2))):
        np.testing.assert_allclose(hessian, expected, rtol=1e-5, atol=1e-4)
