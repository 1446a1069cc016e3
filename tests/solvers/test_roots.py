"""Roots of `scipy.optimize` by what the equation depends on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.optimize as so

import zygpy as zg
from tests.solvers.references import agrees, agrees_to_second_order
from zygpy.errors import MissingRuleError, UnsupportedSyntaxError
from zygpy.runtime.unsolvable import quotient_or_nan, solved_or_nan

# x**3 + x = a has the root 1 where a is 2; there dx/da = 1 / (3 x**2 + 1) = 1 / 4.

BRACKETING = (so.brentq, so.brenth, so.ridder, so.bisect, so.toms748)


@pytest.mark.parametrize("solver", BRACKETING)
def test_roots_in_an_interval_by_what_is_captured_and_by_arguments(solver: Any) -> None:
    def captured(a: float) -> Any:
        return solver(lambda x: x**3 + x - a, 0.0, 5.0)

    def given(a: float) -> Any:
        return solver(lambda x, b: x**3 + x - b, 0.0, 5.0, a, xtol=1e-13)

    assert zg.withgradient(captured, 2.0) == (captured(2.0), (pytest.approx(0.25),))
    assert zg.withgradient(given, 2.0) == (given(2.0), (pytest.approx(0.25),))


def test_the_report_has_the_root_with_its_gradient() -> None:
    def f(a: float) -> Any:
        x, report = so.brentq(lambda x: x**3 + x - a, 0.0, 5.0, full_output=True)
        return x * report.root if report.converged else 0.0

    assert zg.gradient(f, 2.0) == (pytest.approx(0.5),)


def test_higher_derivatives() -> None:
    f = zg.derivative(zg.derivative(lambda a: so.brentq(lambda x: x**3 + x - a, 0.0, 5.0)))
    assert f(2.0) == pytest.approx(-6 / 4**3)
    hessian = zg.hessian(
        lambda p: so.brentq(lambda x: x**3 + p[1] * x - p[0], 0.0, 5.0), np.array([2.0, 1.0])
    )
    np.testing.assert_allclose(hessian, [[-6 / 64, 2 / 64], [2 / 64, 2 / 64]], rtol=1e-8)


def test_newton_and_root_scalar() -> None:
    agrees(lambda a: so.newton(lambda x: x**3 + x - a, 1.0, tol=1e-13), 2.0)
    agrees(lambda a: so.newton(lambda x, b: x**3 + x - b, 1.0, lambda x, b: 3 * x**2 + 1, (a,)), 2.0)
    agrees(lambda a: np.sum(np.cos(so.newton(lambda x: x**3 + x - a, np.ones(3)))), np.array([1.0, 2.0, 3.0]))
    agrees(lambda a: so.root_scalar(lambda x: x**3 + x - a, bracket=(0.0, 5.0)).root, 2.0)
    agrees(lambda a: so.root_scalar(lambda x: (x**3 + x - a, 3 * x**2 + 1), x0=1.0, fprime=True).root, 2.0)


def test_complex_roots() -> None:
    agrees(lambda a: abs(so.newton(lambda z: z * z + a, 1 + 1j, tol=1e-13)) ** 2, 2.0)
    agrees(lambda a: np.real(so.newton(lambda z: z * z - (a + 1j * a * a), 1 + 1j, tol=1e-13)), 1.3)


P = np.array([1.2, 2.1, 0.7])


def equations(x: Any, p: Any) -> Any:
    return np.array([x[0] ** 3 + x[1] - p[0], x[1] * p[1] + x[0] - p[2]])


def test_systems_of_equations() -> None:
    start = np.ones(2)
    agrees(lambda p: np.sum(np.cos(so.fsolve(equations, start, (p,), xtol=1e-13))), P)
    agrees(lambda p: np.sum(np.cos(so.root(equations, start, args=p, method="lm", tol=1e-13)["x"])), P)
    agrees_to_second_order(
        lambda p: np.sum(np.cos(so.fsolve(lambda x: equations(x, p), start, xtol=1e-13))), P
    )
    agrees(lambda p: np.sum(so.fixed_point(lambda x: np.cos(p * x), np.ones(3), xtol=1e-13)), P)


def in_a_list(x: Any, p: Any) -> Any:
    first, second = x
    return [first**3 + second - p[0], second * p[1] + first - p[2]]


def in_a_tuple(x: Any, first: Any, second: Any) -> Any:
    return x[0] ** 3 + x[1] - first, x[1] * second + x[0] - 0.7


def test_equations_in_lists_and_tuples() -> None:
    agrees(lambda p: np.sum(np.cos(so.fsolve(in_a_list, [1.0, 1.0], (p,), xtol=1e-13))), P)
    agrees(lambda p: np.sum(np.cos(so.root(lambda x: in_a_list(x, p), [1.0, 1.0], tol=1e-13).x)), P)
    agrees(lambda p: np.sum(so.fsolve(in_a_tuple, (1.0, 1.0), args=(p[0], p[1]), xtol=1e-13) ** 2), P)
    agrees(lambda p: so.fsolve(lambda x: [x[0] - p[0], 2.0 * x[1] - 1.0], [0.0, 0.0])[0] ** 3, P)


class Cubic:
    def __init__(self, a: float) -> None:
        self.a = a

    def value(self, x: float) -> float:
        return x**3 + x - self.a

    def root(self) -> Any:
        return so.brentq(self.value, 0.0, 5.0)


def changed_afterwards(a: float) -> Any:
    numbers = np.array([a, 1.0])
    x = so.brentq(lambda x: x**3 + x - numbers[0], 0.0, 5.0)
    numbers[0] = 7.0
    return x + numbers[0]


def object_changed_afterwards(a: float) -> Any:
    cubic = Cubic(a)
    x = cubic.root()
    cubic.a = 3.0
    return x * cubic.a


def test_what_is_captured_counts_as_it_was() -> None:
    assert zg.gradient(lambda cubic: cubic.root(), Cubic(2.0))[0].a == pytest.approx(0.25)
    assert zg.gradient(changed_afterwards, 2.0) == (pytest.approx(0.25),)
    assert zg.gradient(object_changed_afterwards, 2.0) == (pytest.approx(0.75),)


def test_equations_that_change_something_are_refused() -> None:
    def f(a: float) -> Any:
        seen: list[Any] = []

        def value(x: float) -> float:
            seen.append(x * a)
            return x**3 + x - a

        return so.brentq(value, 0.0, 5.0) + seen[-1]

    with pytest.raises(UnsupportedSyntaxError):
        zg.gradient(f, 2.0)


def test_what_a_root_does_not_depend_on() -> None:
    assert zg.gradient(lambda a: so.brentq(lambda x: x**3 - 1.0, a, 5.0), 0.2) == (None,)
    assert zg.gradient(lambda a: a * so.brentq(np.cos, 0.0, 3.0), 1.0) == (pytest.approx(np.pi / 2),)


def test_kinds_of_numbers() -> None:
    (found,) = zg.gradient(lambda a: so.brentq(lambda x: x**3 + x - a, 0, 5), np.float32(2.0))
    assert found == pytest.approx(0.25) and found.dtype == np.float32
    assert zg.gradient(lambda a: so.brentq(lambda x: x**3 + x - a, 0, 5), 2) == (pytest.approx(0.25),)


def test_what_has_not_converged_has_no_gradient() -> None:
    def f(a: float) -> Any:
        return so.brentq(lambda x: x**3 + x - a, 0.0, 5.0, maxiter=3, disp=False)

    with pytest.raises(MissingRuleError, match="converged"):
        zg.gradient(f, 2.0)


def test_what_is_reported_beside_a_root_has_no_gradient() -> None:
    with pytest.raises(MissingRuleError, match="reports beside the solution"):
        zg.gradient(lambda p: np.sum(so.root(equations, np.ones(2), args=p).fjac), P)


def test_more_equations_than_unknowns_are_refused() -> None:
    def f(a: float) -> Any:
        return so.root(lambda x: np.array([x[0] - a, x[0] - a, x[0] - a]), np.ones(1), method="lm").x[0]

    with pytest.raises(MissingRuleError, match="3 equations with 1 unknown"):
        zg.gradient(f, 2.0)


def test_singular_equations() -> None:
    assert np.isnan(solved_or_nan(np.ones((2, 2)), np.ones(2))).all()
    assert solved_or_nan(np.ones((2, 2)), np.zeros(2)).tolist() == [0.0, 0.0]
    assert quotient_or_nan(0.0, 0.0) == 0.0 and np.isnan(quotient_or_nan(1.0, 0.0))


def without_a_root(x: Any, p: Any) -> Any:
    """The least length of this is not 0 for `p > 0`."""
    return np.array([x[0] ** 2 + p, x[1] - 1.0])


def test_points_that_are_no_roots_are_refused() -> None:
    start = np.array([1.0, 0.5])
    with pytest.raises(MissingRuleError, match=r"is no solution|has not converged"):
        zg.gradient(lambda p: so.root(without_a_root, start, (p,), method="lm").x[1], 0.5)
    with pytest.warns(RuntimeWarning), pytest.raises(MissingRuleError, match="has not converged"):
        zg.gradient(lambda p: so.fsolve(without_a_root, start, (p,))[1], 0.5)
    with pytest.raises(MissingRuleError, match="has not converged"):
        zg.gradient(lambda p: np.sum(so.root(without_a_root, start, (p,)).fun), 0.5)


def test_what_fsolve_tells_beside_is_refused() -> None:
    def program(p: Any) -> Any:
        return so.fsolve(lambda x: x**2 - p, np.ones(1), full_output=True)[1]["fjac"][0, 0]

    with pytest.raises(MissingRuleError, match="beside the solution"):
        zg.gradient(program, 2.0)
