"""The cosine-sine factors of unitary matrices of `scipy.linalg`."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg as sl

import zygpy as zg
from zygpy.errors import MissingRuleError
from zygpy.testing import check_gradient

RANDOM = np.random.default_rng(0)
REAL = {n: RANDOM.normal(size=(n, n)) for n in (2, 4, 6)}
COMPLEX = {n: k + 1j * RANDOM.normal(size=(n, n)) for n, k in REAL.items()}


def unitary(k: Any) -> Any:
    return sl.expm(k - np.conj(k.T))


def told(k0: Any, swap_sign: bool, separate: bool) -> Callable[[Any], Any]:
    """All factors, turned by the signs or phases that make the first one like that at a point."""
    half = len(k0) // 2
    first = sl.cossin(unitary(k0), half, half, True, swap_sign)[0][0]

    def factors(k: Any) -> Any:
        x = unitary(k)
        if separate:
            blocks = (x[:half, :half], x[:half, half:], x[half:, :half], x[half:, half:])
            (u1, u2), theta, (v1, v2) = sl.cossin(blocks, separate=True, swap_sign=swap_sign)
        else:
            u, middle, v = sl.cossin(x, p=half, q=half, swap_sign=swap_sign)
            u1, u2, theta = u[:half, :half], u[half:, half:], middle[:half]
            v1, v2 = v[:half, :half], v[half:, half:]
        inner = np.sum(np.conj(u1) * first, axis=0)
        turn = inner / np.abs(inner)
        back = np.conj(turn)[:, None]
        parts = [np.ravel(part) for part in (u1 * turn, u2 * turn, theta, back * v1, back * v2)]
        return np.concatenate(parts)

    return factors


FORMS = [(False, True), (True, False), (True, True), (False, False)][
    :: 1 if "ZYGPY_ALL_CASES" in os.environ else 3
]


@pytest.mark.parametrize(("separate", "swap_sign"), FORMS)
@pytest.mark.parametrize("n", REAL)
def test_cossin(n: int, swap_sign: bool, separate: bool) -> None:
    check_gradient(told(REAL[n], swap_sign, separate), REAL[n])
    if n < 6:
        check_gradient(told(COMPLEX[n], swap_sign, separate), COMPLEX[n])


@pytest.mark.skipif("ZYGPY_ALL_CASES" not in os.environ, reason="takes long to derive")
def test_some_factors_alone() -> None:
    x = unitary(REAL[6])
    check_gradient(lambda k: sl.cossin(unitary(k), p=3, q=3, compute_u=False)[1], REAL[6])
    check_gradient(
        lambda k: sl.cossin(unitary(k), 3, 3, separate=True, compute_u=False, compute_vh=False)[1], REAL[6]
    )
    found = zg.gradient(lambda x: np.sum(sl.cossin(x, 3, 3)[0]), x)[0]
    np.testing.assert_allclose(x.T @ found, -(found.T @ x), atol=1e-10)
    single = zg.gradient(lambda x: np.sum(sl.cossin(x, 3, 3)[1]), x.astype(np.float32))[0]
    assert single.dtype == np.float32


@pytest.mark.skipif("ZYGPY_ALL_CASES" not in os.environ, reason="takes long to derive")
def test_cossin_twice() -> None:
    """Along rotations that Cayley's formula makes."""
    skew, unit = REAL[4] - REAL[4].T, np.eye(4)

    def turned(t: Any) -> Any:
        return np.sum(sl.cossin(np.linalg.solve(unit + t * skew, unit - t * skew), 2, 2)[0] ** 4)

    check_gradient(turned, 0.3, order=2)


def test_what_is_refused() -> None:
    x = unitary(REAL[6])
    for given, options, reason in (
        (x, (2, 3), "square blocks"),
        (x, (3, None), "square blocks"),
        (np.eye(6), (3, 3), "two of its angles are equal"),
        (2 * x, (3, 3), "lost in rounding|unitary"),
    ):
        with pytest.raises(MissingRuleError, match=reason):
            zg.gradient(lambda x, options=options: np.sum(sl.cossin(x, *options)[0]), given)
    with pytest.raises(MissingRuleError, match="phases of complex vectors"):
        zg.gradient(lambda x: np.sum(np.real(sl.cossin(x, 3, 3)[0])), unitary(COMPLEX[6]))
