"""Solutions of initial value problems at all times, and events."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.integrate as si

import zygpy as zg
from tests.solvers.references import agrees

P = np.array([1.2, 2.1, 0.7])
TOLERANCES = {"rtol": 1e-9, "atol": 1e-11}


def rates(t: float, y: Any, p: Any) -> Any:
    return np.array([p[0] * y[0] - y[0] * y[1], y[0] * y[1] - p[1] * y[1] + np.sin(t)])


@pytest.mark.parametrize("method", ["RK45", "RK23", "DOP853", "Radau"])
def test_states_at_all_times(method: str) -> None:
    def program(p: Any) -> Any:
        report = si.solve_ivp(rates, (0.1, 1 + 0.1 * p[2]), [1.0, p[1]], method, dense_output=True, args=(p,),
                              **TOLERANCES)  # fmt: skip
        several = report.sol(np.array([0.9, 0.5 * p[2], 0.1]))
        return np.sum(np.cos(report.sol(p[2]))) + np.sum(np.sin(several)) + report.sol.t_max

    agrees(program, P, 1e-5)


def reached(t: float, y: Any, level: Any, _: Any) -> Any:
    return y[1] - level


reached.terminal = True  # type: ignore[attr-defined]


def falling(times: Any, tolerances: Any) -> Any:
    """A body that falls from 1 to a level, and passes by the half of the way."""

    def program(q: Any) -> Any:
        report = si.solve_ivp(
            lambda t, y, level, g: np.array([-g, y[0]]),
            (0.0, 9.0),
            [0.0, 1.0],
            t_eval=times,
            events=[lambda t, y, level, g: y[1] - (1 + level) / 2, reached],
            args=(q[0], q[1]),
            **tolerances,
        )
        (half,), (end,) = report.t_events
        return np.array([half, end, report.t[-1], report.y[1, -1], *report.y_events[1][0]])

    return program


def test_a_body_that_falls() -> None:
    q = np.array([0.2, 1.7])

    def expected(q: Any) -> Any:
        half, end = np.sqrt((1 - q[0]) / q[1]), np.sqrt(2 * (1 - q[0]) / q[1])
        return np.array([half, end, end, q[0], -q[1] * end, q[0]])

    for tolerances in ({}, TOLERANCES):
        y, back = zg.pullback(falling(None, tolerances), q)
        np.testing.assert_allclose(y, expected(q), atol=1e-7)
        for seed in (np.arange(1.0, 7.0), np.ones(6)):
            (bar,) = zg.pullback(expected, q)[1](seed)
            np.testing.assert_allclose(back(seed)[0], bar, atol=1e-7)
    program = falling([0.0, 0.3, 5.0], TOLERANCES)
    found = zg.pullback(program, q)[1](np.array([1.0, 1.0, 9.0, 1.0, 0.0, 0.0]))[0]
    bars = zg.gradient(lambda q: expected(q)[0] + expected(q)[1] - q[1] * 0.3**2 / 2, q)[0]
    np.testing.assert_allclose(found, bars, atol=1e-7)


def test_second_derivatives() -> None:
    def program(k: Any) -> Any:
        report = si.solve_ivp(lambda t, y: -k * y, (0.0, 2.0), [1.0], dense_output=True, **TOLERANCES)
        return np.sum(report.sol(np.array([k, 0.5])))

    exact = lambda k: np.exp(-k * k) + np.exp(-0.5 * k)  # noqa: E731
    assert zg.hvp(program, 0.8, 1.0) == pytest.approx(zg.hvp(exact, 0.8, 1.0), rel=1e-6)


def test_backwards_and_what_a_solution_tells() -> None:
    def program(p: Any) -> Any:
        report = si.solve_ivp(lambda t, y: -p[0] * y, (1.0, p[2] - 1), [1.0], dense_output=True, **TOLERANCES)
        return report.sol(np.array([0.9, 0.2])).sum() + report.sol(p[2])[0], report.sol

    agrees(lambda p: program(p)[0], P, 1e-5)
    value, sol = program(P)
    (same, followed), _ = zg.pullback(program, P)
    assert same == value and isinstance(followed, si.OdeSolution)
    assert (followed.t_min, followed.t_max) == (sol.t_min, sol.t_max) and np.array_equal(followed.ts, sol.ts)
    assert np.array_equal(followed([0.1, 0.2]), sol([0.1, 0.2]))
