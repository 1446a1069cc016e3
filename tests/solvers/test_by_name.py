"""Solvers of `scipy.optimize` that are called by the name of a method, or search everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.integrate as si
import scipy.optimize as so

import zygpy as zg
from zygpy.errors import MissingRuleError

P = np.array([1.2, 0.7])
START = np.array([0.5, 0.5])
WITHIN = [(0.0, 3.0), (0.0, 3.0)]


def value(x: Any, p: Any) -> Any:
    return np.sum((x - p**2) ** 2) + 0.2 * (x[0] * x[1] - p[0]) ** 2


def residuals(x: Any, p: Any) -> Any:
    return np.array([x[0] - p[0] ** 2, x[1] - p[1] ** 2, np.sqrt(0.2) * (x[0] * x[1] - p[0])])


def slope(x: Any, p: Any) -> Any:
    return 2 * (x - p**2) + 0.4 * (x[0] * x[1] - p[0]) * np.array([x[1], x[0]])


MINIMA: dict[str, Callable[[Any], Any]] = {
    "fmin": lambda p: so.fmin(value, START, (p,), xtol=1e-9, ftol=1e-12, disp=False),
    "fmin_powell": lambda p: so.fmin_powell(lambda x: value(x, p), START, xtol=1e-9, disp=False),
    "fmin_cg": lambda p: so.fmin_cg(value, START, slope, (p,), gtol=1e-9, disp=False),
    "fmin_bfgs": lambda p: so.fmin_bfgs(value, START, slope, args=(p,), gtol=1e-9, disp=False),
    "fmin_ncg": lambda p: so.fmin_ncg(value, START, slope, args=(p,), avextol=1e-12, disp=False),
    "fmin_l_bfgs_b": lambda p: so.fmin_l_bfgs_b(value, START, slope, (p,), factr=0.1, pgtol=1e-11)[0],
    "fmin_l_bfgs_b by both": lambda p: so.fmin_l_bfgs_b(
        lambda x: (value(x, p), slope(x, p)), START, factr=0.1, pgtol=1e-11
    )[0],
    "fmin by position": lambda p: so.fmin(value, START, (p,), 1e-9, 1e-12, disp=False),
    "fmin_cg by position": lambda p: so.fmin_cg(value, START, slope, (p,), 1e-9, disp=False),
    "fmin_bfgs by position": lambda p: so.fmin_bfgs(value, START, slope, (p,), 1e-9, disp=False),
    "fmin, in full": lambda p: so.fmin(
        value, START, (p,), xtol=1e-9, ftol=1e-12, full_output=True, disp=False
    )[0],
    "fmin_tnc": lambda p: so.fmin_tnc(lambda x: (value(x, p), slope(x, p)), START, disp=0, xtol=1e-12)[0],
    "fmin_tnc by its slope": lambda p: so.fmin_tnc(value, START, slope, (p,), disp=0, xtol=1e-12)[0],
    "fmin_slsqp": lambda p: so.fmin_slsqp(value, START, args=(p,), iprint=0, acc=1e-13),
    "fmin_slsqp, in full": lambda p: so.fmin_slsqp(
        value, START, bounds=WITHIN, fprime=slope, args=(p,), iprint=0, acc=1e-13, full_output=True
    )[0],
    "leastsq, in full": lambda p: so.leastsq(
        residuals, START, (p,), full_output=True, xtol=1e-12, ftol=1e-12
    )[0],
    "leastsq": lambda p: so.leastsq(residuals, START, (p,), xtol=1e-12, ftol=1e-12)[0],
    "differential_evolution": lambda p: (
        so.differential_evolution(value, WITHIN, args=(p,), seed=1, tol=1e-9).x
    ),
    "dual_annealing": lambda p: so.dual_annealing(value, WITHIN, args=(p,), seed=1, maxiter=30).x,
    "basinhopping": lambda p: (
        so.basinhopping(value, START, niter=2, seed=1, minimizer_kwargs={"args": (p,), "tol": 1e-10}).x
    ),
}


def precise(p: Any) -> Any:
    return so.fsolve(lambda x: slope(x, p), START, xtol=1e-13)


def weighed(x: Any) -> Any:
    return np.sum(np.cos(x) * np.array([1.0, 2.0]))


@pytest.mark.parametrize("program", MINIMA.values(), ids=MINIMA)
def test_minima(program: Callable[[Any], Any]) -> None:
    (expected,) = zg.gradient(lambda p: weighed(precise(p)), P)
    (found,) = zg.gradient(lambda p: weighed(program(p)), P)
    assert found == pytest.approx(expected, rel=2e-4)


def test_the_least_value() -> None:
    (found,) = zg.gradient(lambda p: so.differential_evolution(value, WITHIN, args=(p,), seed=1).fun, P)
    (expected,) = zg.gradient(lambda p: value(precise(P), p), P)
    assert found == pytest.approx(expected, rel=1e-4)


def test_a_minimum_on_a_bound() -> None:
    def program(p: Any) -> Any:
        found = so.differential_evolution(lambda x: np.sum((x - p) ** 2), [(0, 3), (0, 0.2)], seed=1)
        return found.x @ np.array([1.0, 2.0])

    assert zg.gradient(program, P)[0] == pytest.approx(np.array([1.0, 0.0]), abs=1e-6)


BESIDE: dict[str, Callable[[Any], Any]] = {
    "each equation": lambda p: so.fmin_slsqp(apart, START, [gap], args=(p,), iprint=0, acc=1e-13),
    "equations": lambda p: so.fmin_slsqp(apart, START, f_eqcons=gap, args=(p,), iprint=0, acc=1e-13),
    "each inequality": lambda p: so.fmin_slsqp(
        apart, START, ieqcons=[lambda x, p: -gap(x, p)], args=(p,), iprint=0, acc=1e-13
    ),
    "inequalities": lambda p: so.fmin_slsqp(
        apart,
        START,
        f_ieqcons=lambda x, p: np.array([-gap(x, p), x[0] + 9.0]),
        args=(p,),
        iprint=0,
        acc=1e-13,
    ),
    "one linear approximation": lambda p: so.fmin_cobyla(
        apart, START, lambda x, p: -gap(x, p), (p,), None, 1.0, 1e-9
    ),
    "linear approximations": lambda p: so.fmin_cobyla(
        lambda x: apart(x, p),
        START,
        [lambda x, q: -gap(x, q), lambda x, q: x[0] + 9.0],
        consargs=(p,),
        rhoend=1e-9,
    ),
}


def apart(x: Any, p: Any) -> Any:
    return np.sum((x - p) ** 2)


def gap(x: Any, p: Any) -> Any:
    return x[0] + x[1] - p[0] * p[1]


@pytest.mark.parametrize("program", BESIDE.values(), ids=BESIDE)
def test_minima_by_constraints(program: Callable[[Any], Any]) -> None:
    """The nearest point of a line."""
    (found,) = zg.gradient(lambda p: program(p) @ np.array([1.0, 3.0]), P)
    share = np.array([1 - p for p in P[::-1]])  # by each entry, of how far the line is away
    assert found == pytest.approx(np.array([1.0, 3.0]) - 2.0 * share, rel=1e-5)


def test_a_bound_of_truncated_steps() -> None:
    def program(b: Any) -> Any:
        given = (lambda x: (np.sum((x - 2.0) ** 2), 2 * (x - 2.0)), START)
        return np.sum(so.fmin_tnc(*given, bounds=[(None, b), (0.0, None)], disp=0)[0])

    assert zg.gradient(program, 0.7)[0] == pytest.approx(1.0, abs=1e-6)


def test_what_older_solvers_have_not_found_is_refused() -> None:
    for program in (
        lambda p: so.fmin_slsqp(value, 9 * START, args=(p,), iprint=0, iter=1)[0],
        lambda p: so.fmin_tnc(value, 9 * START, slope, (p,), disp=0, maxfun=1)[0][0],
        lambda p: so.fmin_cobyla(value, 9 * START, lambda x, p: 99.0 - x[0], (p,), maxfun=9)[0],
    ):
        with pytest.raises(MissingRuleError):
            zg.gradient(program, P)


ROOTS: dict[str, Callable[[Any, Any], Any]] = {
    "newton_krylov": lambda f, x: so.newton_krylov(f, x, f_tol=1e-11),
    "anderson": lambda f, x: so.anderson(f, x, f_tol=1e-11),
    "broyden1": lambda f, x: so.broyden1(f, x, f_tol=1e-11),
    "broyden2 by position": lambda f, x: so.broyden2(f, x, None, -0.5, "restart", None, False, 200, 1e-11),
    "broyden2": lambda f, x: so.broyden2(f, x, f_tol=1e-11),
    "diagbroyden": lambda f, x: so.diagbroyden(f, x, f_tol=1e-11),
    "linearmixing": lambda f, x: so.linearmixing(f, x, alpha=-0.3, f_tol=1e-11),
    "excitingmixing": lambda f, x: so.excitingmixing(
        lambda v: -f(v), x, alpha=0.2, alphamax=0.3, f_tol=1e-11
    ),
}


@pytest.mark.parametrize("solver", ROOTS)
def test_roots(solver: str) -> None:
    find = ROOTS[solver]
    (found,) = zg.gradient(lambda p: weighed(find(lambda x: x**3 - p, np.ones(2))), P)
    (expected,) = zg.gradient(lambda p: weighed(np.cbrt(p)), P)
    assert found == pytest.approx(expected, rel=1e-6)


def test_what_is_told_beside() -> None:
    (expected,) = zg.gradient(lambda p: value(precise(P), p), P)
    (found,) = zg.gradient(lambda p: so.fmin_bfgs(value, START, slope, (p,), full_output=1, disp=False)[1], P)
    assert found == pytest.approx(expected, rel=1e-6)
    with pytest.raises(MissingRuleError, match="beside the solution"):
        zg.gradient(lambda p: so.fmin_bfgs(value, START, slope, (p,), full_output=1, disp=False)[3][0, 0], P)
    with pytest.raises(MissingRuleError, match="beside the solution"):
        zg.gradient(lambda p: so.leastsq(residuals, START, (p,), full_output=True)[1][0, 0], P)
    with pytest.raises(MissingRuleError, match="retall"):
        zg.gradient(lambda p: so.fmin(value, START, (p,), retall=True, disp=False)[0][0], P)


def test_a_bound_of_an_older_function() -> None:
    def program(p: Any, bound: Any) -> Any:
        found, least, _ = so.fmin_l_bfgs_b(value, START, slope, (p,), bounds=[(0, bound), (None, None)])
        return found[0] + 0 * least

    assert zg.gradient(program, P, 0.3) == (pytest.approx(np.zeros(2), abs=1e-9), pytest.approx(1.0))


STOPPED: dict[str, Callable[[Any], Any]] = {
    "fmin": lambda p: so.fmin(value, START, (p,), maxiter=4, disp=False),
    "fmin_powell": lambda p: so.fmin_powell(value, START, (p,), maxiter=1, disp=False),
    "fmin_l_bfgs_b": lambda p: so.fmin_l_bfgs_b(value, START, slope, (p,), maxiter=1)[0],
    "Nelder-Mead": lambda p: so.minimize(value, START, (p,), method="Nelder-Mead", options={"maxiter": 4}).x,
    "dual_annealing": lambda p: (
        so.dual_annealing(value, WITHIN, args=(p,), seed=1, maxiter=3, no_local_search=True).x
    ),
}


@pytest.mark.parametrize("program", STOPPED.values(), ids=STOPPED)
def test_what_has_not_come_to_a_minimum_is_refused(program: Callable[[Any], Any]) -> None:
    with pytest.raises(MissingRuleError, match=r"has not converged|is no solution"):
        zg.gradient(lambda p: weighed(program(p)), P)


def least_of(x: Any, p: Any) -> Any:
    return (x - p**2) ** 2 + 0.1 * (x - p) ** 4


ALONG_A_LINE: dict[str, Callable[[Any], Any]] = {
    "brent": lambda p: so.brent(least_of, (p,)),
    "golden": lambda p: so.golden(least_of, (p,), tol=1e-9),
    "golden, in full": lambda p: so.golden(least_of, (p,), None, 1e-9, True)[0],
    "fminbound": lambda p: so.fminbound(least_of, 0.0, 3.0, (p,), 1e-9),
    "fminbound, in full": lambda p: so.fminbound(least_of, 0.0, 3.0, (p,), 1e-9, full_output=True)[0],
}


@pytest.mark.parametrize("program", ALONG_A_LINE.values(), ids=ALONG_A_LINE)
def test_minima_of_one_variable(program: Callable[[Any], Any]) -> None:
    p = 1.2
    x = so.brentq(lambda x: 2 * (x - p**2) + 0.4 * (x - p) ** 3, 0.0, 3.0)
    bend = 2 + 1.2 * (x - p) ** 2
    assert zg.gradient(program, p)[0] == pytest.approx((4 * p + 1.2 * (x - p) ** 2) / bend, rel=1e-5)


def test_a_least_value_along_a_line_and_a_bound() -> None:
    (found,) = zg.gradient(lambda p: so.brent(least_of, (p,), full_output=True)[1], 1.2)
    x = so.brent(least_of, (1.2,))
    assert found == pytest.approx(-4.8 * (x - 1.44) - 0.4 * (x - 1.2) ** 3, abs=2e-7)  # x is known to 1e-8
    by_p, by_b = zg.gradient(lambda p, b: so.fminbound(least_of, 0.0, b, (p,)), 1.2, 0.7)
    assert not by_p
    assert by_b == 1.0


def test_other_points_are_refused() -> None:
    with pytest.raises(MissingRuleError, match="beside the solution"):
        zg.gradient(lambda p: so.differential_evolution(value, WITHIN, (p,), seed=1).population[0, 0], P)


REFUSED: dict[str, Callable[[Any], Any]] = {
    "milp": lambda p: so.milp(p, integrality=1, bounds=(0, 3)).fun,
    "quadratic_assignment": lambda p: so.quadratic_assignment(np.outer(p, p), np.eye(2)).fun,
    "brute": lambda p: so.brute(lambda x: value(x, p), ((0, 3), (0, 3)), Ns=3),
    "direct": lambda p: so.direct(lambda x: value(x, p), ((0, 3), (0, 3)), maxfun=9).x,
    "approx_fprime": lambda p: so.approx_fprime(START, value, 1e-6, p),
    "check_grad": lambda p: so.check_grad(value, slope, START, p),
}
OF_INTEGRALS: dict[str, Callable[[Any], Any]] = {
    "tanhsinh": lambda p: si.tanhsinh(lambda x: x * p[0], 0.0, 1.0).integral,
    "nsum": lambda p: si.nsum(lambda k: p[0] / k**2, 1.0, np.inf).sum,
    "cubature": lambda p: si.cubature(lambda x: x[:, 0] * p[0], [0.0], [1.0]).estimate,
}


@pytest.mark.parametrize("name", [name for name in OF_INTEGRALS if hasattr(si, name)])
def test_integrals_without_derivatives_are_refused_by_name(name: str) -> None:
    with pytest.raises(MissingRuleError, match=rf"scipy.integrate\.[\w', ]*{name}[\w', ]* has no rule"):
        zg.gradient(OF_INTEGRALS[name], P)


@pytest.mark.parametrize("name", REFUSED)
def test_solvers_without_derivatives_are_refused_by_name(name: str) -> None:
    with pytest.raises(MissingRuleError, match=rf"scipy.optimize\.[\w', ]*{name}[\w', ]* has no rule"):
        zg.gradient(lambda p: np.sum(REFUSED[name](p)), P)
