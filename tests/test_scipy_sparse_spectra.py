"""Eigenvalues, singular values, exponentials and triangular solutions of sparse matrices."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as sl

import zygpy as zg
from tests.rules import reference
from tests.solvers.references import agrees, agrees_to_second_order
from zygpy.errors import MissingRuleError

DATA = np.array([2.0, 1.0, -1.3, 0.5, 3.0])
VECTOR, START = np.array([1.0, -2.0, 0.5]), np.ones(4)
PLACES = ([0, 0, 1, 2, 2], [0, 1, 1, 0, 2])
SYMMETRIC = np.array([[4.0, 1.0, 0.0, 0.3], [1.0, 3.0, 0.5, 0.0], [0.0, 0.5, 1.0, 0.2], [0.3, 0.0, 0.2, 6.0]])
TURNED = np.triu(SYMMETRIC, 1)
HERMITIAN = sp.csr_array(SYMMETRIC + 0.3j * TURNED - 0.3j * TURNED.T)
CONSTANT = sp.csc_array(np.diag([4.0, 5.0, 6.0]))
ALL = "ZYGPY_ALL_CASES" in os.environ
"""Whether all programs are differentiated, and twice."""


def made(d: Any, of: Any = sp.csc_array) -> Any:
    return of((d * 1.0, PLACES), shape=(3, 3))


def symmetric(d: Any) -> Any:
    return sp.csr_array(SYMMETRIC) + sp.diags_array(np.append(d[:3], 0.5))


def general(d: Any) -> Any:
    return sp.diags_array([d[:3], np.append(d[1:], d[:1])[:4] * 3, d[2:]], offsets=[-1, 0, 1], format="csr")


def hermitian(d: Any) -> Any:
    return HERMITIAN * d[0] + sp.diags_array(d[:4])


def triangle(d: Any) -> Any:
    return sp.csc_array((d * 1.0, ([0, 1, 1, 2, 2], [0, 0, 1, 0, 2])))


def twice_at_places(d: Any) -> Any:
    return sp.csr_array((d * 1.0, [1, 1, 1, 0, 2], [0, 2, 3, 5]), shape=(3, 3))


def projection(d: Any) -> Any:
    values, vectors = sl.eigsh(symmetric(d), k=2, v0=START)
    return (vectors * values) @ vectors.T


def of_both_sides(d: Any) -> Any:
    u, s, vh = sl.svds(general(d), k=2, v0=START)
    return (u * s**2) @ vh


def preconditioned(matrix: Any, solver: Any) -> Any:
    steps = sl.LinearOperator((3, 3), sl.spilu(matrix.tocsc()).solve)
    return solver(matrix, VECTOR, M=steps, rtol=1e-13)[0]


ALWAYS: dict[str, Callable[[Any], Any]] = {
    "eigsh": lambda d: sl.eigsh(symmetric(d), k=2, return_eigenvectors=False, v0=START),
    "projection": projection,
    "eigs": lambda d: sl.eigs(general(d), k=2, return_eigenvectors=False, v0=START),
    "svds": lambda d: sl.svds(general(d), k=2, return_singular_vectors=False, v0=START),
    "options by place": lambda d: sl.eigsh(symmetric(d), 2, None, 0.5, "LM", START)[0],
    "expm_multiply of added entries": lambda d: sl.expm_multiply(0.1 * twice_at_places(d), VECTOR),
    "expm_multiply": lambda d: sl.expm_multiply(made(d), VECTOR * d[0]),
    "expm": lambda d: sl.expm(made(d)).toarray(),
    "triangle": lambda d: sl.spsolve_triangular(triangle(d), VECTOR),
    "spilu": lambda d: preconditioned(made(d) + 6 * sp.eye_array(3), sl.gmres),
    "sparse right sides": lambda d: sl.spsolve(made(d), sp.csc_array(np.outer(VECTOR, [1.0, 2.0]))).toarray(),
}
OTHERS: dict[str, Callable[[Any], Any]] = {
    "eigenvectors": lambda d: np.abs(sl.eigsh(symmetric(d), k=2, v0=START)[1]),
    "eigsh of a dense matrix": lambda d: sl.eigsh(SYMMETRIC + np.diag(d[:4]), 2, v0=START)[0],
    "eigsh near a number": lambda d: sl.eigsh(symmetric(d).tocsc(), k=2, sigma=1.3, v0=START)[0],
    "eigsh from below": lambda d: sl.eigsh(symmetric(d), 2, which="SA", v0=START)[0],
    "eigsh of a Hermitian one": lambda d: sl.eigsh(hermitian(d), k=2, v0=START)[0],
    "vectors of a Hermitian one": lambda d: np.abs(sl.eigsh(hermitian(d), k=2, v0=START)[1]),
    "vectors of eigs": lambda d: np.abs(sl.eigs(general(d), k=1, v0=START)[1]),
    "eigs of a dense matrix": lambda d: sl.eigs(np.outer(d, d[::-1]) + np.diag(d**2), k=1, v0=np.ones(5))[0],
    "eigs of a complex matrix": lambda d: sl.eigs(general(d) * (1 + 0.5j * d[0]), k=2, v0=START)[0],
    "vectors of svds": of_both_sides,
    "svds of a dense matrix": lambda d: sl.svds(np.outer(d, d[:4] ** 2) + np.diag(d)[:, :4], 2, v0=START)[1],
    "svds by PROPACK": lambda d: sl.svds(general(d), k=1, solver="propack", v0=START)[1],
    "expm_multiply of columns": lambda d: sl.expm_multiply(-3.0 * made(d), np.outer(VECTOR, d)),
    "expm_multiply at times": lambda d: sl.expm_multiply(made(d), VECTOR, start=0.0, stop=1.0, num=3),
    "expm_multiply by a time": lambda d: sl.expm_multiply(made(d), VECTOR, d[3], d[0], num=4),
    "expm_multiply of a complex matrix": lambda d: sl.expm_multiply(1j * made(d), VECTOR),
    "expm_multiply of a matrix": lambda d: sl.expm_multiply(made(d, sp.csr_matrix), VECTOR),
    "expm_multiply of a dense one": lambda d: sl.expm_multiply(np.outer(d, d) * 0.1, d),
    "triangle with ones": lambda d: sl.spsolve_triangular(triangle(d), VECTOR, unit_diagonal=True),
    "upper triangle": lambda d: sl.spsolve_triangular(
        triangle(d).T.tocsr(), np.outer(VECTOR, d), lower=False
    ),
    "inverse": lambda d: sl.inv(made(d)).toarray(),
    "a right side of one column": lambda d: sl.spsolve(made(d), d[:3, None]),
    "a sparse right side": lambda d: sl.spsolve(made(d), sp.csc_array(d[:3, None])),
}
SECOND = ("svds",)


@pytest.mark.parametrize("name", [*ALWAYS, *(OTHERS if ALL else ())])
def test_gradients(name: str) -> None:
    program = ALWAYS[name] if name in ALWAYS else OTHERS[name]
    value = program(DATA)
    np.testing.assert_array_equal(zg.pullback(program, DATA)[0], value)
    weights = np.cos(1.0 + np.arange(np.size(value))).reshape(np.shape(value))
    checks = agrees_to_second_order if name in SECOND and ALL else agrees
    checks(lambda d: np.sum(np.sin(np.real(program(d))) * weights), DATA)


def lowest(d: Any) -> Any:
    return np.abs(sl.eigsh(SYMMETRIC + np.diag(d[:4]), 1, which="SA", v0=START)[1])


FITTED = lowest(DATA)


def distance(d: Any) -> Any:
    """At these numbers it is zero, and so is what comes back to the vectors; its second derivative is not."""
    return np.sum((lowest(d) - FITTED) ** 2)


def of_eigs(d: Any) -> Any:
    return np.real(sl.eigs(general(d), k=1, return_eigenvectors=False, v0=START)[0]) ** 2


def of_values(d: Any) -> Any:
    return np.sum(sl.eigsh(symmetric(d), k=2, return_eigenvectors=False, v0=START) ** 2)


def of_products(d: Any) -> Any:
    return np.sum(sl.expm_multiply(made(d * 0.1), VECTOR) ** 2)


OF = {"distance": distance, "eigs": of_eigs, "eigsh": of_values, "expm_multiply": of_products}


@pytest.mark.parametrize("name", OF if ALL else ["distance"])
def test_second_derivatives(name: str) -> None:
    f = OF[name]
    direction = np.cos(3.0 * np.arange(5.0))
    expected = reference.directional(lambda t: zg.gradient(f, DATA + t * direction)[0])
    assert np.any(np.abs(expected) > 1e-3)
    np.testing.assert_allclose(zg.hvp(f, DATA, direction), expected, rtol=1e-6, atol=1e-6)
    if ALL:
        np.testing.assert_allclose(zg.hessian_reverse(f, DATA) @ direction, expected, rtol=1e-6, atol=1e-6)


def test_sums_of_eigenvalues_that_are_equal() -> None:
    """Their derivative is the trace over the space; that of vectors is nan."""
    f = lambda d: np.sum(sl.eigsh(sp.diags_array(d), k=2, v0=START[:3] + VECTOR)[0])  # noqa: E731
    (found,) = zg.gradient(f, np.array([1.0, 5.0, 4.0]))
    np.testing.assert_allclose(found, [0.0, 1.0, 1.0], atol=1e-12)
    equal = sp.csr_array(np.diag([5.0, 5.0, 1.0, 0.5]))
    (value,) = zg.gradient(lambda m: sl.eigsh(m, k=2, v0=START)[0].sum(), equal)
    np.testing.assert_allclose(value.data, [1.0, 1.0, 0.0, 0.0], atol=1e-12)
    (vector,) = zg.gradient(lambda m: np.sum(sl.eigsh(m, k=2, v0=START)[1] ** 3), equal)
    assert np.all(np.isnan(vector.data))
    (either,) = zg.gradient(lambda m: np.real(sl.eigs(m, k=1, v0=START)[0][0]), equal)
    assert np.all(np.isnan(either.data))


def test_precision_is_kept() -> None:
    (found,) = zg.gradient(lambda d: np.sum(sl.expm_multiply(made(d), VECTOR)), DATA.astype(np.float32))
    assert found.dtype == np.float32
    (whole,) = zg.gradient(lambda m: np.sum(sl.expm_multiply(m, VECTOR)), sp.csr_array(np.eye(3, dtype=int)))
    np.testing.assert_allclose(whole.data, np.e * VECTOR)


def cancelling(d: Any) -> Any:
    """A matrix of whose exponential the last entry of the first row, `a + 1 / 2`, is exactly zero."""
    return sp.csc_array((np.stack([d[1], d[1], -d[3]]), ([0, 1, 0], [1, 2, 2])), shape=(3, 3))


def with_a_zero(d: Any) -> Any:
    """An entry that is zero brings something to the exponential all the same."""
    return sp.csc_array((np.stack([0.0 * d[0], d[1]]), ([0, 1], [1, 2])), shape=(3, 3))


def operator(d: Any) -> Any:
    return sl.LinearOperator((3, 3), matvec=lambda v: d[:3] * v)


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (lambda d: sl.eigsh(operator(d), k=1)[0], "operators"),
        (lambda d: sl.eigsh(made(d), 1, CONSTANT)[0], "two matrices"),
        (lambda d: sl.eigsh(CONSTANT, 1, made(d))[0], "two matrices"),
        (lambda d: sl.eigs(CONSTANT, 1, made(d), return_eigenvectors=False), "two matrices"),
        (lambda d: sl.svds(made(d), 1, return_singular_vectors="u")[0], "one side"),
        (lambda d: sl.expm_multiply(operator(d), VECTOR, traceA=0.0), "operators"),
        (lambda d: sl.expm(cancelling(d)).toarray(), "come out as zero"),
        (lambda d: sl.expm(with_a_zero(d)).toarray(), "come out as zero"),
        (lambda d: sl.expm(twice_at_places(d)).toarray(), "out of order"),
        (lambda d: sl.splu(made(d)).L.toarray(), "the factors 'L' and 'U'"),
        (lambda d: sl.spsolve_triangular(made(d), VECTOR), "beside the triangle"),
        (lambda d: sl.spilu(made(d) + 6 * sp.eye_array(3, format="csc")).solve(VECTOR), "incomplete factors"),
        (lambda d: sl.spsolve(made(d), made(d**2 + 1)).toarray(), "come out as zero"),
    ],
)
def test_what_is_refused(program: Callable[[Any], Any], why: str) -> None:
    with pytest.raises(MissingRuleError, match=why):
        zg.gradient(lambda d: np.sum(program(d)), DATA)
