"""Rules of `scipy.special` at edges: poles of parts, ends of intervals, numbers that SciPy makes whole."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.special as sc

import zygpy as zg
from zygpy.errors import MissingRuleError

SMOOTH: dict[str, tuple[Callable[[Any], Any], float]] = {
    "beta, a + b at a pole": (lambda a: sc.beta(a, -0.5), -1.5),
    "beta, by the other": (lambda b: sc.beta(1.5, b), -3.5),
    "beta, both at poles": (lambda a: sc.beta(a, 1.0), -3.0),
    "betaln, both at poles": (lambda a: sc.betaln(a, 2.0), -3.0),
    "boxcox, of 0 by the power": (lambda p: sc.boxcox(0.0, p), 2.5),
    "boxcox1p, of -1 by the power": (lambda p: sc.boxcox1p(-1.0, p), 0.4),
    "agm, beside 0": (lambda a: sc.agm(a, 0.0) + a, 1.5),
    "hyp1f1, of two parameters -1": (lambda x: sc.hyp1f1(-1.0, -1.0, x) ** 2, 0.3),
    "lpmv, where the degree is the order": (lambda x: sc.lpmv(-1, 1, x), -0.5),
    "mathieu_sem, of order 0": (lambda x: sc.mathieu_sem(0, 0.3, x)[0] + x, 0.3),
    "eval_hermite, of a narrow degree": (lambda x: sc.eval_hermite(np.int32(3), x), 0.3),
    "eval_hermitenorm, of narrow degrees": (lambda x: np.sum(sc.eval_hermitenorm(np.int32([3, 0]), x)), 0.3),
    "powm1": (lambda a: sc.powm1(a, 20.5), 0.5),
    "powm1, of a known power": (lambda a: sc.powm1(a, 0.5), 0.7),
    "binom, n below k": (lambda n: sc.binom(n, 2.0), 1.0),
    "binom, at 0": (lambda n: sc.binom(n, 7.0), 0.0),
    "binom, by k": (lambda k: sc.binom(1.5, k), -2.0),
    "binom, by k above n": (lambda k: sc.binom(2.0, k), 5.0),
    "poch, at 0": (lambda z: sc.poch(z, 7.0), 0.0),
    "poch, of a broken length": (lambda z: sc.poch(z, 2.7), -2.0),
    "poch, of negative numbers": (lambda z: sc.poch(z, 2.0), -4.0),
    "elliprc": (lambda a: sc.elliprc(a, -2.5), 1.3),
    "elliprc, by the second": (lambda b: sc.elliprc(1.3, b), -2.5),
    "voigt_profile, far out": (lambda x: 1e6 * sc.voigt_profile(x, 1e-4, 3.0), 20.0),
    "voigt_profile, by x": (lambda x: sc.voigt_profile(x, 0.0, 0.7), 0.4),
    "voigt_profile, by gamma": (lambda g: sc.voigt_profile(0.4, 0.0, g), 0.7),
    "voigt_profile, by sigma": (lambda s: sc.voigt_profile(0.4, s, 0.7), 0.8),
    "kn, of a broken order": (lambda x: sc.kn(2.7, x), 1.3),
    "yn, of a broken order": (lambda x: sc.yn(1.9, x), 1.3),
    "spherical_jn, of a broken order": (lambda x: sc.spherical_jn(1.5, x), 1.3),
    "spherical_kn, of a broken order": (lambda x: sc.spherical_kn(-0.3, x, derivative=True), 1.3),
    "expn, of a broken order": (lambda x: sc.expn(1.5, x), 0.8),
    "bdtr, of broken counts": (lambda p: sc.bdtr(1.5, 4.7, p), 0.3),
    "bdtrc, of broken counts": (lambda p: sc.bdtrc(1.5, 4.7, p), 0.3),
    "bdtr, of all": (lambda p: sc.bdtr(3.0, 3.0, p) + p, 0.3),
    "bdtri, of broken counts": (lambda p: sc.bdtri(1.5, 4.7, p), 0.3),
    "nbdtr, of broken counts": (lambda p: sc.nbdtr(1.5, 4.7, p), 0.3),
    "nbdtri, of broken counts": (lambda p: sc.nbdtri(1.5, 4.7, p), 0.3),
    "pdtri, of a broken count": (lambda p: sc.pdtri(2.5, p), 0.3),
    "smirnov, of a broken count": (lambda d: sc.smirnov(4.6, d), 0.3),
    "eval_sh_jacobi, of a broken degree": (lambda x: sc.eval_sh_jacobi(0.7, 2.0, 1.5, x), 0.3),
    "eval_chebyt, of degree 0": (lambda x: sc.eval_chebyt(0.0, x) + x, -9.2),
    "eval_chebyt, of degree -1": (lambda x: sc.eval_chebyt(-1.0, x), 0.4),
    "eval_chebyu, of degree 0": (lambda x: sc.eval_chebyu(0.0, x) + x, -1.5),
    "eval_gegenbauer, of degree 0": (lambda x: sc.eval_gegenbauer(0.0, 2.0, x) + x, -2.0),
    "eval_jacobi, of degree 0": (lambda x: sc.eval_jacobi(0.0, 0.5, 1.0, x) + x, -1.0),
    "eval_genlaguerre, of degree 0": (lambda x: sc.eval_genlaguerre(0.0, 0.5, x) + x, 1e4),
    "sh_jacobi, of degree 1": (lambda x: sc.sh_jacobi(1, 3.0, 1.5)(x), -2.0),
    "eval_legendre, of degree 0": (lambda x: sc.eval_legendre(0.0, x) + x, -1.0),
    "hyp2f1, of a parameter 0": (lambda z: sc.hyp2f1(0.0, 12.5, 1.0, z) + z, 25.0),
    "eval_genlaguerre, by the parameter": (lambda a: sc.eval_genlaguerre(4, a, 0.7), 0.6),
    "assoc_laguerre, by the parameter": (lambda k: sc.assoc_laguerre(0.7, 3, k), 0.6),
    "eval_gegenbauer, by the parameter": (lambda a: sc.eval_gegenbauer(4.0, a, 0.3), 0.6),
    "eval_jacobi, by the first": (lambda a: sc.eval_jacobi(4, a, 0.4, 0.3), 0.6),
    "eval_jacobi, by the second": (lambda b: sc.eval_jacobi(3, 0.4, b, 0.3), 0.6),
    "eval_jacobi, constant": (lambda b: sc.eval_jacobi(0, 0.4, b, 0.3) + b, 0.6),
    "eval_sh_jacobi, by the first": (lambda p: sc.eval_sh_jacobi(3, p, 1.3, 0.3), 2.6),
    "eval_sh_jacobi, by the second": (lambda q: sc.eval_sh_jacobi(3, 2.6, q, 0.3), 1.3),
    "tklmbda, beyond": (lambda v: sc.tklmbda(25.0, v) + v, 2.0),
    "nctdtr, by the noncentrality": (lambda nc: sc.nctdtr(3.5, nc, 0.8), 0.6),
    "nctdtrit, by the noncentrality": (lambda nc: sc.nctdtrit(3.5, nc, 0.3), 0.6),
}


@pytest.mark.filterwarnings("ignore:floating point number truncated")
@pytest.mark.filterwarnings("ignore:non-integer arg")
@pytest.mark.parametrize("name", SMOOTH)
def test_agrees_with_differences(name: str) -> None:
    f, x = SMOOTH[name]
    (gradient,) = zg.gradient(f, x)
    assert type(gradient) is float
    np.testing.assert_allclose(gradient, slope(f, x), rtol=2e-6, atol=1e-10)
    (second,) = zg.gradient(lambda x: zg.gradient(f, x)[0], x)
    np.testing.assert_allclose(second, slope(lambda x: zg.gradient(f, x)[0], x), rtol=2e-5, atol=1e-7)


def slope(f: Callable[[Any], Any], x: float) -> float:
    """The derivative by central differences of two steps."""
    h = 1e-3 * max(1.0, abs(x))
    wide, narrow = ((f(x + step) - f(x - step)) / (2 * step) for step in (h, h / 2))
    return float((4 * narrow - wide) / 3)


@pytest.mark.parametrize(("m", "expected"), [(0, 6.0), (1, math.inf), (2, -30.0), (3, 0.0), (-2, -0.25)])
def test_legendre_functions_at_the_ends(m: int, expected: float) -> None:
    assert zg.gradient(lambda x: sc.lpmv(m, 3.0, x), 1.0)[0] == expected
    inner = slope_inside(lambda x: sc.lpmv(m, 3.0, x))
    if m in {0, 2, -2}:
        np.testing.assert_allclose(zg.gradient(lambda x: sc.lpmv(m, 3.0, x), -1.0)[0], inner, atol=2e-3)


def test_legendre_functions_of_degrees_below_zero_at_the_ends() -> None:
    assert zg.gradient(lambda x: sc.lpmv(-2, -3.0, x), -1.0) == (0.25,)
    assert math.isnan(zg.gradient(lambda x: sc.lpmv(-2, 1.0, x), 1.0)[0])


def test_legendre_functions_beyond_the_ends() -> None:
    assert math.isnan(zg.gradient(lambda x: sc.lpmv(0, 0.5, x), 5.0)[0])
    np.testing.assert_allclose(zg.gradient(lambda x: sc.lpmv(0, 3.0, x), 2.0)[0], 28.5, rtol=1e-12)


def test_second_derivatives_of_legendre_functions_at_the_ends_are_not_known() -> None:
    (second,) = zg.gradient(lambda x: zg.gradient(lambda x: sc.lpmv(0, 3.0, x), x)[0], 1.0)
    assert math.isnan(second)


@pytest.mark.parametrize(
    ("f", "z"),
    [
        (lambda z: sc.elliprd(z, 30j, -20 + 3j), -7 - 4j),
        (lambda z: sc.elliprd(-7 - 4j, 30j, z), -20 + 3j),
        (lambda z: sc.elliprg(-7 - 4j, z, -2.5 + 1e-3j), -7 - 4j),
        (lambda z: sc.erfcx(z), 2e5 - 1e5j),
    ],
)
def test_complex_numbers_whose_angles_are_far_apart_or_that_are_large(
    f: Callable[[Any], Any], z: complex
) -> None:
    h = 1e-3 * abs(z)
    slopes = [(f(z + step) - f(z - step)) / (2 * step) for step in (h, h / 2)]
    (gradient,) = zg.gradient(lambda z: f(z).real, z)
    np.testing.assert_allclose(gradient, np.conj((4 * slopes[1] - slopes[0]) / 3), rtol=1e-9)


def test_carlsons_integrals_beside_the_branch_cut_are_not_known() -> None:
    gradient = zg.gradient(lambda z: sc.elliprd(z, -1 - 1e-9j, 2.0).real, -1 + 1e-9j)
    assert np.isnan(gradient[0])


def test_derivatives_at_infinity_are_zero() -> None:
    assert zg.gradient(sc.dawsn, -math.inf) == (0.0,)
    assert zg.gradient(sc.powm1, 0.0, 0.0)[0] == 0.0


@pytest.mark.parametrize(
    "f",
    [
        lambda z: sc.eval_genlaguerre(3.0, 0.6, z),
        lambda z: sc.assoc_laguerre(z, 3.0, 0.6),
        lambda z: sc.eval_gegenbauer(3.0, 0.6, z),
        lambda z: sc.eval_jacobi(3.0, 0.6, 0.4, z),
        lambda z: sc.eval_sh_jacobi(3.0, 2.6, 0.4, z),
    ],
)
def test_polynomials_of_complex_numbers(f: Callable[[Any], Any]) -> None:
    z, h = 0.4 + 0.3j, 1e-3
    slopes = [(f(z + step) - f(z - step)) / (2 * step) for step in (h, h / 2)]
    (gradient,) = zg.gradient(lambda z: f(z).real, z)
    np.testing.assert_allclose(gradient, np.conj((4 * slopes[1] - slopes[0]) / 3), rtol=1e-9)


def test_parameters_beside_complex_numbers_have_real_derivatives() -> None:
    def f(a: Any) -> Any:
        return (sc.eval_jacobi(3.0, a, 0.4, 0.4 + 0.3j) * (1 + 2j)).real

    (gradient,) = zg.gradient(f, 0.6)
    assert type(gradient) is float
    np.testing.assert_allclose(gradient, slope(f, 0.6), rtol=1e-9)


@pytest.mark.parametrize(
    "f",
    [
        lambda a: sc.eval_genlaguerre(2.5, a, 0.4),
        lambda a: np.sum(sc.eval_jacobi(np.array([1.0, 2.5]), a, 0.3, 0.4)),
        lambda a: sc.eval_gegenbauer(-2.0, a, 0.4),
    ],
)
def test_parameters_of_broken_degrees_are_refused(f: Callable[[Any], Any]) -> None:
    with pytest.raises(MissingRuleError, match="not whole"):
        zg.gradient(f, 0.5)


def slope_inside(f: Callable[[Any], Any]) -> float:
    """The derivative at -1 from the right."""
    h = 1e-7
    return float((f(-1 + h) - f(-1.0)) / h)


def test_what_no_noncentrality_gives_has_no_derivative() -> None:
    assert zg.gradient(lambda p: sc.chndtrinc(2.0, 2.0, p), 0.95)[0] == 0.0


@pytest.mark.parametrize("f", [sc.modfresnelp, sc.modfresnelm])
def test_integrals_of_fresnel_below_zero(f: Any) -> None:
    assert math.isnan(zg.gradient(lambda x: f(x)[0].imag, -0.5)[0])
    second = zg.gradient(lambda x: f(x)[1].real, -0.5)[0]
    np.testing.assert_allclose(second, slope(lambda x: f(x)[1].real, -0.5), rtol=1e-7)


def test_noncentrality_that_gives_a_probability() -> None:
    for f, x in ((lambda p: sc.nctdtrinc(3.5, p, 0.8), 0.4), (lambda t: sc.nctdtrinc(3.5, 0.4, t), 0.8)):
        np.testing.assert_allclose(zg.gradient(f, x)[0], slope(f, x), rtol=1e-5)


def test_a_mean_that_cancels_is_not_known() -> None:
    assert math.isnan(zg.gradient(lambda nc: sc.nctdtr(2.0, nc, -0.7), 12.5)[0])
