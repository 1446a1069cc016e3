"""Functions that give a library's value with the derivative of another computation: their tangents are those
of the computation, to first and second order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.integrate as si
import scipy.optimize as so
import scipy.stats as st

import zygpy as zg

X = np.array([0.4, 1.3, 0.9, 2.2, 0.7])
Y = np.array([0.3, 1.2, 0.7, 2.0, 1.1])
V = np.array([1.0, -2.0, 0.3, 0.5, 0.8])

PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "simpson": lambda x: si.simpson(x, x=np.cumsum(x)),
    "description": lambda x: st.describe(x).variance,
    "least value": lambda x: st.describe(x).minmax[0] * st.describe(x).mean,
    "line": lambda x: st.linregress(x, Y).slope,
    "test": lambda x: st.ttest_ind(x, Y).statistic,
    "padded by a constant": lambda x: np.sum(np.pad(x, 1, constant_values=5.0) ** 3),
    "padded by ramps": lambda x: np.sum(np.pad(x, 2, "linear_ramp", end_values=5.0) ** 3),
    "with what stands in front": lambda x: np.sum(si.cumulative_simpson(x, dx=1.0, initial=5.0) ** 3),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_tangents_and_products_with_hessians(name: str) -> None:
    f = PROGRAMS[name]

    def richardson(of: Callable[[float], Any]) -> Any:
        near, far = ((of(step) - of(-step)) / (2 * step) for step in (1e-4, 2e-4))
        return (4 * near - far) / 3

    expected = richardson(lambda step: f(X + step * V))
    assert zg.pushforward(f, X)(V) == pytest.approx(expected, rel=1e-8)
    (grad,) = zg.gradient(f, X)
    assert grad @ V == pytest.approx(expected, rel=1e-8)
    second = richardson(lambda step: zg.gradient(f, X + step * V)[0])
    assert zg.hvp(f, X, V) == pytest.approx(second, rel=1e-6, abs=1e-8)


def test_second_derivatives_by_what_solvers_find() -> None:
    """The bookkeeping of a solver's report is no reason to refuse them."""

    def least(x: Any) -> Any:
        found = so.minimize(lambda t: np.sum((t - x) ** 2 + (t - x) ** 4), np.zeros(5))
        return np.sum(np.sin(found.x))

    def programmed(x: Any) -> Any:
        found = so.linprog([1.0, 2.0], A_ub=[[-1.0, -1.0]], b_ub=[-x[0]])
        return np.sin(found.fun)

    assert zg.hvp(least, X, V) == pytest.approx(-np.sin(X) * V, abs=1e-4)  # as near as the solver comes
    assert zg.hvp(programmed, X, V) == pytest.approx([-np.sin(X[0]) * V[0], 0, 0, 0, 0], abs=1e-9)
