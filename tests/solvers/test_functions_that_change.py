"""Functions given to solvers that change what others know: how often they are called is not known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.integrate as si
import scipy.optimize as so

import zygpy

CALLS: list[Any] = []
TABLE: dict[str, Any] = {}
COUNT = 0


def noting(q: Any, x: Any) -> Any:
    CALLS.append(q)
    return q * q - x


def through_another(q: Any, x: Any) -> Any:
    return noting(q, x)


def storing(q: Any, x: Any) -> Any:
    TABLE["last"] = x * x
    return q * q - x


def counting(q: Any, x: Any) -> Any:
    global COUNT
    COUNT += 1
    return q * q - x


def with_default(q: Any, x: Any, log: Any = CALLS) -> Any:
    log.append(x)
    return q * q - x


class Equation:
    def __init__(self, x: Any) -> None:
        self.x, self.last = x, 0.0

    def __call__(self, q: Any) -> Any:
        self.last = self.x * q
        return q * q - self.x

    def value(self, q: Any) -> Any:
        return self(q)


def slope(t: Any, u: Any, x: Any) -> Any:
    TABLE["last"] = x * x
    return -x * u


def root(equation: Any) -> Callable[[Any], Any]:
    return lambda x: so.brentq(equation, 0.1, 2.0, args=(x,))


def of_field(x: Any) -> Any:
    equation = Equation(x)
    return so.newton(equation, 1.0) * equation.last


def of_method(x: Any) -> Any:
    equation = Equation(x)
    return so.brentq(equation.value, 0.1, 2.0) * equation.last


def of_callback(x: Any) -> Any:
    seen: list[Any] = []
    report = so.minimize(lambda q: (q[0] - x) ** 2, [0.1], callback=lambda q: seen.append(q * x))
    return report.x[0] * seen[0][0]


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "list": root(noting),
    "called by another": root(through_another),
    "dict": root(storing),
    "number": root(counting),
    "default": root(with_default),
    "field": of_field,
    "method": of_method,
    "callback": of_callback,
    "integrand": lambda x: si.quad(lambda t: noting(t, x), 0.0, 1.0)[0],
    "vector integrand": lambda x: si.quad_vec(lambda t: noting(t, x), 0.0, 1.0)[0],
    "slope": lambda x: si.solve_ivp(slope, (0.0, 1.0), [1.0], args=(x,)).y[0, -1],
    "residuals": lambda x: so.least_squares(lambda q: storing(q, x), [1.0]).x[0],
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_changes_are_refused(name: str) -> None:
    with pytest.raises(zygpy.ZygpyError, match="changes what"):
        zygpy.gradient(PROGRAMS[name], 0.7)


DATA = {"scale": 2.0, "table": np.arange(3.0)}
MEMBERS = [1.0, 2.0]


def reading(q: Any, x: Any, weights: Any = (1.0, 2.0)) -> Any:
    own = [weights[0]]
    own.append(q)
    return DATA["scale"] * own[1] * q - x * MEMBERS[1] * DATA["table"][1] * own[0]


def test_what_is_only_read_is_followed() -> None:
    found = zygpy.gradient(root(reading), 0.49)[0]
    assert found == pytest.approx(0.5 / np.sqrt(0.49), rel=1e-9)
