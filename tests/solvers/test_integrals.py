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


def test_the_integral_is_scipys() -> None:
    value, error = si.quad(lambda x: wave(x, P), 0, 0.7)
    (found, estimate), _ = zg.pullback(lambda p: si.quad(lambda x: wave(x, p), 0, 0.7), P)
    assert (found, estimate) == (value, error)
    assert zg.gradient(lambda p: si.quad(lambda x: p * x, 1.0, 1.0)[0], 2.0) == (0.0,)


def test_what_is_refused() -> None:
    with pytest.raises(MissingRuleError, match="weight"):
        zg.gradient(lambda p: si.quad(lambda x: p * x, 0, 1, weight="cos", wvar=1.0)[0], 2.0)
    with pytest.raises(MissingRuleError, match="infinite limits"):
        zg.gradient(lambda p: si.quad_vec(lambda x: np.exp(-p * x), 0, np.inf)[0], 2.0)
    with pytest.raises(MissingRuleError, match="opts"):
        zg.gradient(lambda p: si.nquad(lambda x: p * x, [[0, 1]], opts={"limit": 9})[0], 2.0)


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
