"""Polynomials by their coefficients, of which NumPy drops leading ones that are exactly zero."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.polynomial import Legendre, Polynomial
from numpy.polynomial.polynomial import polydiv, polygrid2d, polyval2d

import zygpy as zg
from zygpy.errors import MissingRuleError
from zygpy.testing import check_gradient

pytestmark = pytest.mark.filterwarnings("ignore:.lagrange. is deprecated:DeprecationWarning")
interpolate = pytest.importorskip("scipy.interpolate")

W = np.array([1.5, 2.0, -3.0])
FROM_ZERO = np.array([0.0, 2.0, -3.0])
PLACES = np.array([0.0, 1.0, 2.5, 4.0])


def product(w: Any) -> Any:
    return (np.poly1d(w) * np.poly1d([1.0, -2.0]) + 1.0)(0.5)


@pytest.mark.parametrize(
    "function",
    [
        lambda w: np.poly1d(w)(2.0) ** 2,
        lambda w: np.poly1d(w, r=True)(0.5),
        lambda w: np.poly1d(np.poly1d(w))(np.array([0.5, 2.0])),
        lambda w: np.poly1d(w, variable="z").coeffs * w[0],
        lambda w: np.polyval(np.polymul([0.0, 1.0], w), 2.0),
        product,
    ],
)
def test_gradients_by_coefficients(function: Any) -> None:
    check_gradient(function, W)


@pytest.mark.parametrize(
    "function",
    [
        lambda w: np.poly1d(w)(2.0),
        lambda w: np.poly1d(w[:1])(2.0),
        lambda w: np.sum(np.polymul(w, [1.0, 2.0])),
        lambda w: (np.poly1d(w) * np.poly1d(w))(2.0),
    ],
)
def test_a_leading_zero_is_refused(function: Any) -> None:
    with pytest.raises(MissingRuleError, match="leading coefficient that is exactly zero"):
        zg.gradient(function, FROM_ZERO)


def test_a_factor_with_a_constant_leading_zero() -> None:
    check_gradient(lambda w: np.polymul(np.array([0.0, 1.0, 2.0]), w), W, order=2)


def test_samples_on_a_line_are_refused() -> None:
    lagrange = lagrange_of_scipy()
    with pytest.raises(MissingRuleError, match="leading coefficient that is exactly zero"):
        zg.gradient(lambda y: lagrange([0.0, 1.0, 2.0], y)(0.5), np.ones(3))


def lagrange_of_scipy() -> Any:
    if not hasattr(interpolate, "lagrange"):
        pytest.skip("newer versions of SciPy have none")
    return interpolate.lagrange


@pytest.mark.parametrize("samples", [[0.0, 1.0, -0.5, 0.25], [1.0, 0.0, 0.0, 2.0]])
def test_samples_that_are_zero(samples: list[float]) -> None:
    lagrange = lagrange_of_scipy()
    check_gradient(lambda x, y: lagrange(x, y)(0.7), PLACES, np.array(samples))
    check_gradient(lambda y: lagrange(PLACES, y)(0.7), samples)


@pytest.mark.parametrize(
    "coefficients",
    [[1.0, 3.0, 2.0], [1.0, 3.0, 0.0], [1.0, -6.0, 11.0, -6.0, 0.0], [2.0, 1.0, 3.0], [1.0 + 1j, 2.0, 3j]],
)
def test_roots_by_all_coefficients(coefficients: list[complex]) -> None:
    p = np.array(coefficients)

    def sorted_roots(p: Any) -> Any:
        roots = np.roots(p)
        return roots[np.argsort(np.abs(roots - 0.1j), kind="stable")]

    check_gradient(sorted_roots, p, order=2)


def test_roots_of_a_polynomial_with_leading_zeros() -> None:
    p = np.array([0.0, 1.0, 3.0, 2.0])
    (found,) = zg.gradient(lambda p: np.min(np.roots(p)), p)
    np.testing.assert_allclose(found, [-8.0, 4.0, -2.0, 1.0], rtol=1e-12)
    assert np.isnan(
        zg.gradient(lambda p: np.sum(np.roots(p) ** 2 + np.roots(p)), np.array([1.0, 0, 0]))[0]
    ).all()
    assert zg.gradient(lambda p: np.sum(np.roots(p)), np.array([2.0]))[0].tolist() == [0.0]


def test_tangents_of_dropped_terms_are_refused() -> None:
    push = zg.pushforward(lambda w: np.polymul(w, [1.0, 3.0]), np.array([0.0, 1.0, 2.0]))
    np.testing.assert_array_equal(push(np.array([0.0, 1.0, 0.0])), [1.0, 3.0, 0.0])
    with pytest.raises(MissingRuleError, match="leading coefficient that is exactly zero"):
        push(np.array([1.0, 0.0, 0.0]))


PRODUCT = np.convolve([1.0, 2.0], [1.0, 3.0, 5.0])


def test_division() -> None:
    divisor = np.array([1.0, 3.0, 5.0])
    check_gradient(
        lambda u, v: np.polyval(np.polydiv(u, v)[1], 1.7), np.array([1.0, 2.0, 3.0, 4.0, 7.0]), divisor
    )
    for u in (PRODUCT, PRODUCT + np.array([0.0, 0.0, 0.0, 3.0]), np.array([0.0, 1.0, 2.0, 3.0])):
        check_gradient(lambda u, v: np.polyval(np.polydiv(u, v)[0], 1.7), u, divisor)


@pytest.mark.parametrize("u", [PRODUCT, PRODUCT + np.array([0.0, 0.0, 0.0, 3.0]), np.array([0.0, 2.0])])
def test_remainders_without_leading_terms_are_refused(u: Any) -> None:
    divisor = np.array([1.0, 3.0, 5.0])
    with pytest.raises(MissingRuleError, match="leading terms that are zero, which"):
        zg.gradient(lambda u: np.polyval(np.polydiv(u, divisor)[1], 1.7), u)
    with pytest.raises(MissingRuleError, match="leading terms that are zero"):
        zg.pushforward(lambda u: np.polydiv(u, divisor)[1], u)(np.ones(u.size))


SERIES: dict[str, Any] = {
    "sum": lambda k: (Polynomial([k, 2 * k, 1.0]) + Polynomial([k, 1.0]))(0.5),
    "with a number": lambda k: (1.5 - Polynomial([k, 2 * k, 1.0]))(0.5),
    "difference of Legendre series": lambda k: (Legendre([k, 1.0]) - Legendre([k, 2 * k, k * k]))(0.3),
    "quotient": lambda k: (Polynomial([k, 2.0, k * k, k]) // Polynomial([k, 2 * k]))(0.3),
    "remainder": lambda k: np.sum(polydiv([k, 2.0, k * k, 1.0, k], [1.0, 2 * k, k])[1] ** 2),
    "of two variables": lambda k: (
        np.sum(polyval2d(k * np.arange(2.0), np.ones(2), np.outer([k, 1.0], [k, k, 2.0])))
        + np.sum(polygrid2d(np.array([0.3, k]), np.array([k, 0.1, 0.2]), np.outer([k, 1.0], [k, 1.0])))
    ),
    "of a lower one": lambda k: np.sum(polydiv([k, 2.0], [1.0, 2 * k, k])[1] ** 2),
}


@pytest.mark.parametrize("name", SERIES)
def test_series_are_added_and_divided(name: str) -> None:
    program, step = SERIES[name], 1e-4
    one, two = (program(0.7 + h) - program(0.7 - h) for h in (step, 2 * step))
    assert zg.gradient(program, 0.7)[0] == pytest.approx((8 * one - two) / (12 * step), rel=1e-8)
