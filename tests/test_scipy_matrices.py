"""Gradients of programs with functions of matrices, equations and bases of `scipy.linalg`."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg as sl

import zygpy as zg
from tests.rules import reference
from tests.solvers.references import agrees, agrees_to_second_order
from zygpy.pushing import Push, push_of

ALL = "ZYGPY_ALL_CASES" in os.environ  # second derivatives that take long to derive
RANDOM = np.random.default_rng(5)
A = RANDOM.normal(size=(4, 4))
B = RANDOM.normal(size=(4, 2))
V = RANDOM.normal(size=4)
POSITIVE = A @ A.T + np.eye(4)
ONE = np.eye(2)
T = V + np.array([5.0, 0.0, 0.0, 0.0])


def mixed(y: Any) -> Any:
    return np.sum(np.cos(np.real(y)) + np.sin(np.imag(y)))


def projection(basis: Any) -> Any:
    return basis @ basis.T


PROGRAMS: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    *((lambda a, f=f: f(a), 0.4 * A) for f in (sl.cosm, sl.sinm, sl.tanm, sl.coshm, sl.sinhm, sl.tanhm)),
    *((lambda a, f=f: f(a + 0.3j * a.T), 0.4 * A) for f in (sl.cosm, sl.sinm, sl.tanhm)),
    (lambda a: sl.fractional_matrix_power(a, 0.3), POSITIVE),
    (lambda t: sl.fractional_matrix_power(POSITIVE, t), 0.3),
    (sl.signm, A),
    (lambda a: sl.solve_continuous_are(a, B, POSITIVE, ONE), A),
    (lambda b: sl.solve_continuous_are(A, b, POSITIVE, ONE), B),
    (lambda q: sl.solve_continuous_are(A, B, q @ q.T, ONE), POSITIVE),
    (lambda r: sl.solve_continuous_are(A, B, POSITIVE, r @ r.T), ONE + 0.1),
    (lambda a: sl.solve_discrete_are(a, B, POSITIVE, ONE), A),
    (lambda b: sl.solve_discrete_are(A, b, POSITIVE, ONE), B),
    (lambda q: sl.solve_discrete_are(A, B, q @ q.T, ONE), POSITIVE),
    (lambda r: sl.solve_discrete_are(A, B, POSITIVE, r @ r.T), ONE + 0.1),
    (lambda a: projection(sl.orth(a)), B),
    (lambda a: projection(sl.null_space(a.T)), B),
    (lambda a: sl.subspace_angles(a, POSITIVE[:, :2]), B),
    (lambda a: sl.subspace_angles(POSITIVE[:, :1], a), B),
    (lambda a: sl.orthogonal_procrustes(a, POSITIVE)[0] * sl.orthogonal_procrustes(a, POSITIVE)[1], A),
    (lambda s: sl.diagsvd(s, 4, 5) + sl.diagsvd(s, 5, 4).T, V),
    (lambda f: sl.leslie(f, f[1:] ** 2), V),
    (lambda c: sl.solve_toeplitz((c, c[::-1]), B * c[1]), T),
    (lambda c: sl.solve_toeplitz(c, 2 * c), T),
    (lambda c: sl.matmul_toeplitz((c, 2 * c[:3]), c[1:]) + sl.matmul_toeplitz(c, c), T),
    (lambda c: sl.solve_circulant(c, 2 * c), T),
    (lambda a: sl.convolution_matrix(a, 3), V),
    (lambda a: sl.fiedler(a) * sl.fiedler_companion(a)[0, 0] * a[1], V),
    (lambda d: sl.eigvalsh_tridiagonal(d, d[1:] ** 2), V),
    (lambda d: sl.eigvalsh_tridiagonal(V, np.cos(d[1:]), "i", (1, 2)), V),
    (lambda d: sl.eigh_tridiagonal(V + 4 * np.arange(4.0), d[1:])[1] ** 2, V),
)


def test_products_of_lesser_rank_have_a_nearest_rotation() -> None:
    """Three points about their middle lie in a plane: there is a singular value of zero."""
    others = np.cos(np.arange(9.0)).reshape(3, 3)

    def f(a: Any, b: Any) -> Any:
        a, b = a - np.mean(a, 0), b - np.mean(b, 0)
        rotation, scale = sl.orthogonal_procrustes(a, b)
        return mixed(a @ rotation) + scale

    agrees(lambda a: f(a, POSITIVE[:3, :3]), others)
    agrees(lambda b: f(others, b), POSITIVE[:3, :3])


LONG: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    (lambda c: sl.solve_toeplitz(c, 2 * c), T),
    (lambda a: sl.solve_continuous_are(a, B, POSITIVE, ONE), A),
    (sl.signm, A),
)
"""Whose second derivatives take long to derive."""


@pytest.mark.parametrize(("program", "x"), PROGRAMS)
def test_gradients(program: Callable[[Any], Any], x: Any) -> None:
    agrees(lambda x: mixed(program(x)), x)


@pytest.mark.parametrize(("program", "x"), PROGRAMS)
def test_tangents(program: Callable[[Any], Any], x: Any) -> None:
    """Against differences along a direction, and in the precision of the results."""
    direction = np.cos(1.0 + 1.7 * np.arange(np.size(x))).reshape(np.shape(x))
    found, y = zg.pushforward(program, x)(direction), program(x)
    expected = reference.directional(lambda t: program(x + t * direction))
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)
    assert np.asarray(found).dtype == np.asarray(y).dtype


OF_THEIR_OWN: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    (lambda a: sl.fractional_matrix_power(a, 0.3), POSITIVE),
    (lambda t: sl.fractional_matrix_power(POSITIVE, t), 0.3),
    (sl.signm, A),
    *(
        (lambda a, f=f: f(a, a[:, :2], a @ a.T, a[:2, :2] @ a[:2, :2].T), POSITIVE)
        for f in (sl.solve_continuous_are, sl.solve_discrete_are)
    ),
    (lambda c: sl.solve_toeplitz((c, 2 * c), c), T),
    (lambda c: sl.matmul_toeplitz((c, 2 * c), c), T),
    (lambda d: sl.eigvalsh_tridiagonal(d, d[1:]), V),
    (lambda d: sl.eigh_tridiagonal(d, d[1:])[1], V),
)


@pytest.mark.parametrize(("program", "x"), OF_THEIR_OWN)
def test_tangents_are_not_those_of_pullbacks(program: Callable[[Any], Any], x: Any) -> None:
    found = push_of(program, (x,))
    assert isinstance(found, Push), found
    assert "pushed_by_rule" not in found.tangent.text.source
    found.run([np.ones_like(x)])


SECOND: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    (lambda a: sl.fractional_matrix_power(a, 0.3), POSITIVE),
    (lambda a: sl.signm(a), A),
    (lambda a: sl.solve_continuous_are(a, a[:, :2], a @ a.T, a[:2, :2] @ a[:2, :2].T), POSITIVE),
    (lambda a: sl.solve_discrete_are(a, a[:, :2], a @ a.T, a[:2, :2] @ a[:2, :2].T) / 1000, POSITIVE),
    (lambda c: sl.solve_toeplitz((c, 2 * c), c), T),
    (lambda d: sl.eigh_tridiagonal(d, d[1:])[1] ** 2, V + 4 * np.arange(4.0)),
)
"""Whose second derivatives are found forward over reverse, or in reverse over forward mode."""


@pytest.mark.parametrize(("program", "x"), SECOND)
def test_products_with_hessians(program: Callable[[Any], Any], x: Any) -> None:
    agrees_to_second_order(lambda x: mixed(program(x)), x)


@pytest.mark.parametrize(
    ("program", "x"),
    [
        (lambda c: sl.solve_circulant(c, 2 * c), T),
        *(LONG if ALL else ()),
    ],
)
def test_second_derivatives(program: Callable[[Any], Any], x: Any) -> None:
    agrees_to_second_order(lambda x: mixed(program(x)), x)


def test_the_values_are_scipys() -> None:
    for function in (sl.cosm, sl.sinm, sl.tanm, sl.coshm, sl.sinhm, sl.tanhm):
        assert np.array_equal(zg.pullback(function, A)[0], function(A)), function
    for function in (sl.orth, sl.null_space):
        assert np.array_equal(zg.pullback(function, B.T)[0], function(B.T)), function
    np.testing.assert_allclose(
        zg.pullback(sl.subspace_angles, B, A[:, :2])[0], sl.subspace_angles(B, A[:, :2])
    )
    found, scale = zg.pullback(sl.orthogonal_procrustes, A, POSITIVE)[0]
    np.testing.assert_allclose(found, sl.orthogonal_procrustes(A, POSITIVE)[0], rtol=1e-10)
    np.testing.assert_allclose(scale, sl.orthogonal_procrustes(A, POSITIVE)[1])


@pytest.mark.parametrize(
    "program",
    [
        lambda a: sl.solve_toeplitz(a[0], V),
        lambda a: sl.solve_banded((1, 1), a[:, :3], V),
        lambda a: sl.lu_solve(sl.lu_factor(a), V),
        lambda a: sl.cho_solve((a, True), V),
        lambda a: sl.orthogonal_procrustes(a, a)[0],
        lambda a: sl.eigvalsh_tridiagonal(a[0], V[1:]),
        lambda a: sl.lstsq(A, a)[0],
    ],
)
def test_stacks_that_older_versions_do_not_take_are_refused(program: Callable[[Any], Any]) -> None:
    """Where this version does not take them either, SciPy's own error comes."""
    stack = np.stack([POSITIVE, POSITIVE + 1])
    with pytest.raises((zg.ZygpyError, ValueError)) as caught:
        zg.gradient(lambda a: np.sum(program(a)), stack)
    try:
        program(stack)
    except ValueError:
        return
    assert isinstance(caught.value, zg.ZygpyError)


def test_riccati_equations_of_numbers() -> None:
    slope = zg.gradient(lambda a: sl.solve_continuous_are(a, 1.0, 1.0, 1.0, e=1.0)[0, 0], 0.5)[0]
    assert slope == pytest.approx(0.5 / np.sqrt(1.25) + 1)  # of a + sqrt(a * a + 1)
