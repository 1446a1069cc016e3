"""Tables of functions of `scipy.special`: gradients, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.special as sc

import zygpy as zg
from tests.solvers.references import agrees_to_second_order
from zygpy.errors import MissingRuleError
from zygpy.testing import check_gradient

INSIDE = np.array([[-0.7], [0.2], [0.6]])

PROGRAMS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "lmbda": (lambda x: sc.lmbda(2, x), 1.3),
    "lmbda, less than 0": (lambda x: sc.lmbda(2, x), -1.3),
    "lmbda, of a half": (lambda x: sc.lmbda(2.5, x), 1.3),
    "lqn": (lambda x: sc.lqn(3, x), 0.3),
    "lqn, of many": (lambda x: sc.lqn(3, x), INSIDE),
    "lqn, beyond": (lambda x: sc.lqn(2, x), np.array([1.5, -2.5])),
    "lqn, complex": (lambda x: sc.lqn(2, x), 0.3 + 0.4j),
    "lqn, constant": (lambda x: sc.lqn(0, x), 0.3),
    "lqmn": (lambda x: sc.lqmn(2, 3, x), 0.3),
    "lqmn, of many": (lambda x: sc.lqmn(2, 1, x), np.array([0.3, 1.5])),
    "lqmn, complex": (lambda x: sc.lqmn(1, 2, x), 2.0 - 1.0j),
    "pbdv_seq": (lambda x: sc.pbdv_seq(2.5, x), 1.3),
    "pbdv_seq, of order 0": (lambda x: sc.pbdv_seq(0, x), -2.0),
    "pbvv_seq": (lambda x: sc.pbvv_seq(1.3, x), 1.3),
}
if hasattr(sc, "legendre_p_all"):
    PROGRAMS |= {
        "legendre_p_all": (lambda x: sc.legendre_p_all(4, x), INSIDE),
        "legendre_p_all, with derivatives": (lambda x: sc.legendre_p_all(4, x, diff_n=2), 0.3),
        "legendre_p_all, constant": (lambda x: sc.legendre_p_all(0, x, diff_n=1) + x, 0.3),
        "legendre_p_all, complex": (lambda x: sc.legendre_p_all(3, x, diff_n=1), 0.3 + 0.4j),
        "assoc_legendre_p_all": (lambda x: sc.assoc_legendre_p_all(3, 2, x), INSIDE),
        "assoc_legendre_p_all, of norm 1": (lambda x: sc.assoc_legendre_p_all(2, 3, x, norm=True), 0.3),
        "sph_legendre_p_all": (lambda x: sc.sph_legendre_p_all(3, 2, x), np.array([0.3, 1.2, -0.4])),
        "sph_harm_y_all": (lambda x: sc.sph_harm_y_all(2, 2, x, np.array([0.3, 1.2])), 0.4),
        "sph_harm_y_all, around": (lambda x: sc.sph_harm_y_all(2, 1, 0.4, x), np.array([0.3, 1.2])),
    }


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients(name: str) -> None:
    program, x = PROGRAMS[name]
    before = np.copy(x)
    check_gradient(program, x)
    assert np.array_equal(x, before)


def mixed(y: Any) -> Any:
    if isinstance(y, tuple):
        return mixed(y[0]) + 1.3 * mixed(y[1])
    return np.sum(np.cos(np.real(y)) + np.sin(np.imag(y)))


@pytest.mark.parametrize("name", ["lmbda", "lqn", "lqmn", "pbdv_seq"])
def test_second_derivatives(name: str) -> None:
    program, x = PROGRAMS[name]
    agrees_to_second_order(lambda x: mixed(program(x)), x)


@pytest.mark.skipif(not hasattr(sc, "legendre_p_all"), reason="since SciPy 1.15")
def test_second_derivatives_of_polynomials() -> None:
    agrees_to_second_order(lambda x: mixed(sc.legendre_p_all(3, x)), 0.3)
    agrees_to_second_order(lambda x: mixed(sc.sph_legendre_p_all(2, 1, x)), 0.3)
    (bar,) = zg.gradient(lambda x: np.sum(sc.legendre_p_all(3, x)), np.float32(0.3))
    assert bar.dtype == np.float32


REFUSED: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    (lambda x: sc.lmbda(2, x), 0.0),
    (lambda x: sc.lmbda(1.5, x), -0.7),
    (lambda x: sc.pbdv_seq(-1.5, x), 0.7),
    (lambda x: sc.pbvv_seq(-1, x), 0.7),
    (lambda x: np.real(sc.pbdn_seq(2, x + 1j)), 0.7),
    (lambda v: sc.pbdv_seq(v, 0.7), 1.5),
)
OF_LEGENDRE: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    (lambda x: sc.assoc_legendre_p_all(2, 1, x, diff_n=1), 0.7),
    (lambda x: sc.assoc_legendre_p_all(2, 1, x, branch_cut=3), 1.7),
    (lambda x: sc.sph_legendre_p_all(2, 1, x, diff_n=1), 0.7),
    (lambda x: np.real(sc.sph_harm_y_all(2, 1, x, 0.3, diff_n=1)[0]), 0.7),
)


@pytest.mark.parametrize(
    ("program", "x"), [*REFUSED, *(OF_LEGENDRE if hasattr(sc, "legendre_p_all") else ())]
)
def test_what_is_refused(program: Callable[[Any], Any], x: Any) -> None:
    with pytest.raises(MissingRuleError):
        zg.gradient(lambda x: np.sum(program(x)[0]), x)
