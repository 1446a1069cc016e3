"""Integrals of `scipy.integrate` by limits and parameters, and Simpson's rule on samples."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import scipy.integrate as si

import zygpy as zg
from tests.solvers.references import agrees, agrees_to_second_order
from zygpy.errors import MissingRuleError

P = np.array([1.2, 2.1, 0.7])


def wave(x: float, p: Any) -> float:
    return math.exp(-p[0] * x) * math.sin(p[1] * x)


PROGRAMS = (
    lambda p: si.quad(lambda x: wave(x, p), 0, p[2])[0],
    lambda p: si.quad(wave, p[2], 0.0, args=(p,))[0],
    lambda p: si.quad(wave, p[2], np.inf, (p,))[0],
    lambda p: si.quad(lambda x: wave(-x, p), -np.inf, -p[2])[0],
    lambda p: si.quad(lambda x: np.exp(-p[0] * (x - p[1]) ** 2), np.inf, -np.inf)[0],
    lambda p: si.quad(lambda x: p[0] * math.log(x) + p[2] / math.sqrt(x), 0, p[1])[0],
    lambda p: si.quad(lambda x: p[0] * abs(x - 0.5), 0, p[1], points=[0.5])[0],
    lambda p: si.quad(lambda x: si.quad(lambda y: p[0] * x * y**2, 0, x)[0], 0, p[1])[0],
    lambda p: si.dblquad(lambda y, x: np.exp(-p[0] * x * y), 0, p[1], 0, lambda x: p[2] * x)[0],
    lambda p: si.nquad(lambda y, x, k: np.exp(-p[0] * x * y * k), [[0, p[1]], [0.0, 1.0]], args=(p[2],))[0],
    lambda p: np.sum(np.cos(si.quad_vec(lambda x: np.sin(p * x), 0, p[0])[0])),
    lambda p: si.fixed_quad(lambda x: np.exp(-p[0] * x), 0.0, p[1])[0],
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_integrals(program: Any) -> None:
    agrees(program, P)


def test_three_dimensions() -> None:
    def f(p: Any) -> Any:
        return si.tplquad(lambda z, y, x: p * x * y * z, 0, 1.0, 0, lambda x: x, 0.0, lambda x, y: p * y)[0]

    assert zg.gradient(f, 2.0)[0] == pytest.approx(3 * 2.0**2 / 48)


def test_second_derivatives() -> None:
    agrees_to_second_order(PROGRAMS[0], P)


def test_kinks_and_jumps_in_the_integrand() -> None:
    def bent(p: Any) -> Any:
        return si.quad(lambda x: abs(x - p[0]), 0.0, p[1])[0]

    np.testing.assert_allclose(zg.gradient(bent, P)[0], [2 * P[0] - P[1], P[1] - P[0], 0.0], atol=3e-6)

    def jumps(p: Any) -> Any:
        return si.quad(lambda x: p[1] if x > 1.0 else p[0], 0.0, p[1])[0]

    np.testing.assert_allclose(zg.gradient(jumps, P)[0], [1.0, 2 * P[1] - 1.0, 0.0], atol=1e-5)


def test_singularities_at_the_upper_limit() -> None:
    (slope,) = zg.gradient(lambda p: si.quad(lambda x: x**p / math.sqrt(1 - x), 0.0, 1.0)[0], 0.0)
    assert slope == pytest.approx(4 * math.log(2) - 4)
    with pytest.raises(MissingRuleError, match="does not come to an end"):
        zg.gradient(lambda p: si.quad(lambda x: math.log(p - x), 0.0, 1.0)[0], 1.0)


def test_arguments_in_a_list() -> None:
    (slope,) = zg.gradient(lambda p: si.fixed_quad(lambda x, a, b: a * x * b, 0.0, 2.0, [p, 3.0])[0], 2.0)
    assert slope == pytest.approx(6.0)


def test_the_integral_is_scipys() -> None:
    value, error = si.quad(lambda x: wave(x, P), 0, 0.7)
    (found, estimate), _ = zg.pullback(lambda p: si.quad(lambda x: wave(x, p), 0, 0.7), P)
    assert (found, estimate) == (value, error)
    assert zg.gradient(lambda p: si.quad(lambda x: p * x, 1.0, 1.0)[0], 2.0) == (0.0,)


def test_what_is_refused() -> None:
    for p in ((0.0, 0.5), (0.5, 0.0)):
        with pytest.raises(MissingRuleError, match="weight"):
            zg.gradient(lambda a, b: si.quad(np.exp, 0, 1, weight="alg", wvar=(a, b))[0], *p)
    with pytest.raises(MissingRuleError, match="weight"):
        zg.gradient(lambda p: si.quad(np.exp, -np.inf, p, weight="cos", wvar=1.0)[0], 2.0)
    with pytest.raises(MissingRuleError, match="complex_func"):
        zg.gradient(lambda p: np.real(si.quad(np.exp, 0, p, complex_func=True, full_output=1)[0]), 2.0)
    with pytest.raises(MissingRuleError, match="opts"):
        zg.gradient(lambda p: si.nquad(lambda x: p * x, [[0, 1]], opts={"weight": "cos", "wvar": p})[0], 2.0)


def test_options_of_each_variable() -> None:
    options = [{"points": [0.5]}, lambda: {"epsabs": 1e-10}]
    (bar,) = zg.gradient(
        lambda p: si.nquad(lambda x, y: p * y * np.abs(x - 0.5), [(0, 1), (0, p)], opts=options)[0], 2.0
    )
    assert bar == pytest.approx(1.5)  # of p**3 / 8


def test_vectors_over_infinite_ranges() -> None:
    """The integrals of exp(-p x) and of x exp(-p x)."""

    def program(p: Any, a: Any, b: Any) -> Any:
        return si.quad_vec(lambda x: np.array([np.exp(-p * x), x * np.exp(-p * x)]), a, b)[0] @ np.array(
            [1.0, 2.0]
        )

    def closed(p: Any, a: Any) -> Any:
        return np.exp(-p * a) * (1 / p + 2 * (a / p + 1 / p**2))

    expected = zg.gradient(closed, 1.5, 0.3)
    assert zg.gradient(lambda p, a: program(p, a, np.inf), 1.5, 0.3) == pytest.approx(expected, rel=1e-9)
    assert zg.gradient(lambda p, a: -program(p, np.inf, a), 1.5, 0.3) == pytest.approx(expected, rel=1e-9)
    assert zg.gradient(lambda p: program(p, 0.3, 2.0) + program(p, 2.0, 0.3), 1.5)[0] == pytest.approx(
        0, abs=1e-12
    )

    def bells(p: Any) -> Any:
        return np.sum(si.quad_vec(lambda x: np.exp(-p * x**2 * np.array([1.0, 2.0])), -np.inf, np.inf)[0])

    assert zg.gradient(bells, 1.5)[0] == pytest.approx(
        -0.5 * (1 + 0.5**0.5) * np.pi**0.5 / 1.5**1.5, rel=1e-9
    )


# The integral of exp(-p x) exp(i w x) from a to b.


def waves(v: Any) -> Any:
    p, w, a, b = v
    return (np.exp((1j * w - p) * b) - np.exp((1j * w - p) * a)) / (1j * w - p)


PARTS: dict[str, Any] = {
    "cos": lambda v: si.quad(lambda x: np.exp(-v[0] * x), v[2], v[3], weight="cos", wvar=v[1])[0],
    "sin": lambda v: -si.quad(lambda x, p: np.exp(-p * x), v[3], v[2], (v[0],), weight="sin", wvar=v[1])[0],
    "both": lambda v: si.quad(
        lambda x: np.exp((1j * v[1] - v[0]) * x), v[2], v[3], complex_func=True
    )[0],
}  # fmt: skip
CLOSED: dict[str, Any] = {"cos": np.real, "sin": np.imag, "both": lambda y: y}


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("frequency", [3.0, 40.0])
def test_waves(name: str, frequency: float) -> None:
    """Weights, and complex integrands, by parameters, frequencies and limits."""
    v = np.array([1.5, frequency, 0.2, 2.0])
    (expected,) = zg.gradient(lambda v: np.sum(np.abs(CLOSED[name](waves(v)) - 0.3)), v)
    (found,) = zg.gradient(lambda v: np.sum(np.abs(PARTS[name](v) - 0.3)), v)
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-10)


def test_waves_in_full() -> None:
    decay = lambda p, *more: si.quad(lambda x: np.exp(-p * x), 0.2, 2.0, *more, weight="cos", wvar=3.0)  # noqa: E731
    y, back = zg.pullback(lambda p: decay(p, (), 1)[0], 1.5)
    assert (y, len(decay(1.5, (), 1))) == (decay(1.5)[0], 3)
    slope = lambda p: np.real(waves(np.array([p, 3.0, 0.2, 2.0])))  # noqa: E731
    assert back(1.0)[0] == pytest.approx(zg.gradient(slope, 1.5)[0], rel=1e-9)


SAMPLES = 1.9 * np.sin(1.0 + 2.3 * np.arange(27)).reshape(3, 9)
PLACES = np.cumsum(1.5 + SAMPLES[0] / 2)


@pytest.mark.parametrize("count", [2, 3, 4, 8, 9])
def test_samples(count: int) -> None:
    rows, places = SAMPLES[:, :count], PLACES[:count]
    agrees(lambda y: np.sum(np.cos(si.simpson(y, x=places))), rows)
    agrees(lambda x: np.sum(np.cos(si.simpson(rows, x=x))), places)
    agrees(lambda y: np.sum(np.cos(si.cumulative_simpson(y, x=places, initial=1.3))), rows)
    agrees(lambda x: np.sum(np.cos(si.cumulative_simpson(rows, x=x))), places)
    agrees(lambda y: np.sum(np.cos(si.simpson(y.T, dx=y[0, 0], axis=0))), rows)
    agrees(lambda y: np.sum(np.cos(si.cumulative_simpson(y.T, dx=y[0, 0], axis=0))), rows)


def test_samples_to_second_order() -> None:
    agrees_to_second_order(lambda y: np.sum(np.cos(si.simpson(y, x=np.cumsum(2.5 + y[0])))), SAMPLES)
    agrees(lambda y: np.sum(np.cos(si.romb(y, dx=0.5))), SAMPLES)


@pytest.mark.parametrize(
    ("integrand", "expected"),
    [
        (lambda x, p: math.exp(x) + p * math.sin(60 * x) ** 2, 0.5 - math.sin(120) / 240),
        (lambda x, p: 1.0 + p * abs(x - 0.3), 0.29),
        (lambda x, p: p * math.exp(-1e4 * (x - 0.31) ** 2), math.sqrt(math.pi) / 100),
    ],
)
def test_the_derivative_of_an_integrand_may_be_rougher_than_the_integrand(
    integrand: Any, expected: float
) -> None:
    """At 0 nothing of the integrand tells where its derivative has to be looked at closely."""
    (found,) = zg.gradient(lambda p: si.quad(integrand, 0.0, 1.0, args=(p,))[0], 0.0)
    assert found == pytest.approx(expected, rel=1e-6)
    moved = zg.pushforward(lambda p: si.quad(integrand, 0.0, 1.0, args=(p,))[0], 0.0)(1.0)
    assert moved == pytest.approx(expected, rel=1e-6)
