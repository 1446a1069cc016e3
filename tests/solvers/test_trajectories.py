"""Initial value problems of `scipy.integrate` by initial states, times and parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.integrate as si

import zygpy as zg
from tests.solvers.references import agrees
from zygpy.errors import MissingRuleError

P = np.array([1.2, 2.1, 0.7])
METHODS = ("RK45", "DOP853", "LSODA", "Radau", "BDF")


def rates(t: float, y: Any, p: Any) -> Any:
    return np.array([p[0] * y[0] - y[0] * y[1], y[0] * y[1] - p[1] * y[1] + np.sin(t)])


@pytest.mark.parametrize("method", METHODS)
def test_the_last_state(method: str) -> None:
    def f(p: Any) -> Any:
        report = si.solve_ivp(
            lambda t, y: rates(t, y, p), (p[0] - 1.2, p[2]), [1.0, p[1]], method=method, rtol=1e-9, atol=1e-11
        )
        return np.sum(np.cos(report.y[:, -1]))

    agrees(f, P, 1e-5)


@pytest.mark.parametrize("method", METHODS)
def test_states_at_times(method: str) -> None:
    def f(p: Any) -> Any:
        times = np.array([0.1, 0.2, p[2], 0.9])
        report = si.solve_ivp(rates, (0.1, 1.0), [1.0, p[1]], method, times, args=(p,), rtol=1e-9, atol=1e-11)
        return np.sum(np.cos(report.y))

    agrees(f, P, 1e-5)


def test_backwards_in_time() -> None:
    def f(p: Any) -> Any:
        report = si.solve_ivp(
            lambda t, y: rates(t, y, p),
            (1.0, p[2] - 1),
            [1.0, p[1]],
            t_eval=[0.9, 0.3],
            rtol=1e-9,
            atol=1e-11,
        )
        return np.sum(np.cos(report.y[:, -1]))

    agrees(f, P, 1e-5)


def test_a_coarse_solution_has_the_gradient_of_its_steps() -> None:
    def decayed(k: float) -> Any:
        return si.solve_ivp(lambda t, y: -k * y, (0.0, 1.0), [1.0], "RK23", max_step=0.5, first_step=0.5,
                            rtol=1e3, atol=1e3).y[0, -1]  # fmt: skip

    x = -0.5 * 1.5
    step = 1 + x + x**2 / 2 + x**3 / 6
    assert zg.withgradient(decayed, 1.5) == (
        pytest.approx(step**2), (pytest.approx(2 * step * -0.5 * (1 + x + x**2 / 2)),)
    )  # fmt: skip


def test_no_time_at_all() -> None:
    def stayed(k: Any) -> Any:
        return si.solve_ivp(lambda t, y: -k * y, (0.5, 0.5), [2.0 * k]).y[0, -1] * k

    assert zg.pushforward(stayed, 1.5)(1.0) == pytest.approx(6.0)


def test_many_steps() -> None:
    (found,) = zg.gradient(
        lambda k: si.solve_ivp(lambda t, y: -k * y, (0.0, 1.0), [1.0], max_step=0.002).y[0, -1], 1.5
    )
    assert found == pytest.approx(-np.exp(-1.5), rel=1e-9)


def test_odeint() -> None:
    times = np.array([0.0, 0.5])

    def f(p: Any) -> Any:
        states = si.odeint(
            lambda y, t: rates(t, y, p), [1.0, p[1]], np.append(times, p[2]), rtol=1e-11, atol=1e-11
        )
        return np.sum(np.cos(states))

    agrees(f, P)

    def g(p: Any) -> Any:
        return np.sum(si.odeint(rates, [1.0, p[1]], times, args=(p,), tfirst=True, rtol=1e-11, atol=1e-11))

    agrees(g, P)
    assert zg.gradient(lambda k: si.odeint(lambda y, t: -k * y, 1.0, [0.0, 1.0])[-1, 0], 1.5)[
        0
    ] == pytest.approx(-np.exp(-1.5))


def test_the_values_are_scipys() -> None:
    report = si.solve_ivp(rates, (0.0, 1.0), [1.0, 2.0], args=(P,))
    (t, y), _ = zg.pullback(
        lambda p: (lambda one: (one.t, one.y))(si.solve_ivp(rates, (0.0, 1.0), [1.0, 2.0], args=(p,))), P
    )
    assert np.array_equal(t, report.t) and np.array_equal(y, report.y)


def test_what_is_refused() -> None:
    def of_class(k: float) -> Any:
        return si.solve_ivp(lambda t, y: -k * y, (0, 1), [1.0], method=si.RK45).y[0, -1]

    with pytest.raises(MissingRuleError, match="method"):
        zg.gradient(of_class, 1.5)


def test_boundary_values_of_which_the_guess_is_the_solution() -> None:
    x = np.linspace(0.0, 1.0, 4)

    def middle(a: Any) -> Any:
        found = si.solve_bvp(
            lambda x, y: [y[1], 6 * a * x],
            lambda left, right: [left[0], right[0] - a],
            x,
            np.vstack((x**3, 3 * x**2)),
        )
        return found.sol(0.5)[0] + found.y[1, -1]

    assert zg.gradient(middle, 1.0)[0] == pytest.approx(0.125 + 3.0)
