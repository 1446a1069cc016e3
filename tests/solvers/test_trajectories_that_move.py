"""Tangents and products with Hessians of solutions of initial value problems, by those of the steps."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import odeint, solve_ivp

import zygpy as zg
from zygpy.tangents_pulled import tangent_pull

X = 0.7


def by_parameters(x: float) -> Any:
    return odeint(lambda y, t, k: [y[1], -k * y[0] ** 2 + t * k], [1.0, x], np.linspace(0, 1, 4), args=(x,))[
        -1, 0
    ]


def by_times(x: float) -> Any:
    states = odeint(lambda y, t: [y[1] * t, -x * y[0] ** 2], [x, 1.0], np.array([1.0, x, 0.1]))
    return states[1:].sum()


def of_a_number(x: float) -> Any:
    return odeint(lambda y, t: -x * y[0] ** 2, x, np.array([0.0, 1.0]))[-1, 0]


def between_moving_limits(x: float) -> Any:
    report = solve_ivp(
        lambda t, y: np.array([y[1], -x * y[0] ** 2 * math.cos(t)]), (x * x, 1.0 + x), np.array([1.0, x]),
        t_eval=[0.6, 0.8 + 0.5 * x, 1.0 + x], rtol=1e-8, atol=1e-8,
    )  # fmt: skip
    return (report.y**2).sum() + report.t.sum() * x if report.success else 0.0


def backwards(x: float) -> Any:
    report = solve_ivp(
        lambda t, y: [y[1], -x * y[0] ** 2], [x, 0.1 * x], [1.0, x], "DOP853", t_eval=[0.6 * x, 0.3 * x]
    )
    return np.sum(report.y**2) * x


def at_the_end(x: float) -> Any:
    return solve_ivp(lambda t, y: -x * y**2, (0.0, 1.0), [x], "Radau", rtol=1e-8, atol=1e-8).y[0, -1]


def slope(f: Any, x: float, step: float = 2e-3) -> Any:
    """The derivative by four differences."""
    ahead, behind = f(x + step) - f(x - step), f(x + 2 * step) - f(x - 2 * step)
    return (8 * ahead - behind) / (12 * step)


CASES = [by_parameters, by_times, of_a_number, between_moving_limits, backwards, at_the_end]


@pytest.mark.parametrize("f", CASES)
def test_tangents_and_products_with_hessians(f: Any) -> None:
    """The products are those of the tangent function, which is not left to another way."""
    pull = tangent_pull(f, X)
    assert pull is not None
    assert 2 * pull.product(1.0) == pytest.approx(2 * slope(lambda x: zg.gradient(f, x)[0], X), rel=1e-5)
    assert zg.pushforward(f, X)(2.0) == pytest.approx(2 * zg.gradient(f, X)[0], rel=1e-10)


def test_steps_have_their_own_second_derivatives() -> None:
    """Of two steps of a method of third order, whose values are polynomials."""

    def decayed(k: float) -> Any:
        return solve_ivp(lambda t, y: -k * y, (0.0, 1.0), [1.0], "RK23", max_step=0.5, first_step=0.5,
                         rtol=1e3, atol=1e3).y[0, -1]  # fmt: skip

    z = -0.5 * 1.5
    step, first, second = 1 + z + z**2 / 2 + z**3 / 6, 1 + z + z**2 / 2, 1 + z
    assert zg.hvp(decayed, 1.5, 1.0) == pytest.approx(0.5 * (first**2 + step * second), rel=1e-12)
