"""The rules of the distributions of `scipy.stats`: each of them, and through the engine."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import scipy.stats as st

import zygpy as zg
from tests.analyse.test_rule_kinds import check, operands
from tests.rules import reference
from zygpy.errors import MissingRuleError
from zygpy.rules import declare
from zygpy.rules.declare import REGISTRY, Rule
from zygpy.runtime.distribution_calls import moved
from zygpy.runtime.distribution_fits import check_inside, fit_inside
from zygpy.testing import check_gradient

reference.load_all_rules()

RULES: dict[str, list[Rule]] = {}
"""The rules of each distribution, by its name."""
for _rule in REGISTRY.values():
    _name = (getattr(_rule.function, "__module__", None) or "").removeprefix("scipy.stats.")
    if isinstance(getattr(st, _name, None), st.rv_continuous | st.rv_discrete):
        RULES.setdefault(_name, []).append(_rule)

DISCRETE = {name for name in RULES if isinstance(getattr(st, name), st.rv_discrete)}
STEPS = ("ppf", "isf")
INTEGRATED = ("norminvgauss",)
"""Distributions of which SciPy integrates the density, which takes its time."""


def differences(rule: Rule, values: dict[str, Any], name: str) -> Any:
    """The derivative of each element of the result by its own element of a parameter."""
    at = np.asarray(values[name], float)
    step = 1e-3 * min(1.0, float(np.min(np.minimum(at, 1 - at)))) if name in "pq" else 1e-3
    return reference.directional(lambda t: reference.call(rule, {**values, name: at + t}), step)


def drawn(rule: Rule) -> Any:
    generator = np.random.default_rng(sum(reference.name_of(rule).encode()))
    return reference.case_of(rule, generator, ((3,), (3,), (3,)))


@pytest.mark.parametrize("name", RULES)
def test_agrees_with_differences(name: str) -> None:
    assert len(RULES[name]) == 8
    for rule in RULES[name]:
        case = drawn(rule)
        stepping = name in DISCRETE and rule.function.__name__ in STEPS
        if stepping or (name in INTEGRATED and "pdf" not in rule.function.__name__):
            continue
        y = reference.call(rule, case.values)
        assert np.isfinite(y).all()
        for wrt in case.wrt:
            bar = reference.contribution(rule, wrt, case.values, y, np.ones(y.shape))
            expected = differences(rule, case.values, wrt)
            where = f"{rule.function.__name__} by {wrt}"
            np.testing.assert_allclose(bar, expected, rtol=2e-6, atol=2e-7, err_msg=where)


EDGES = np.array([0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 1e3, -1e3, 1e300, np.inf, -np.inf, np.nan])


@pytest.mark.parametrize("name", [name for name in RULES if name not in INTEGRATED])
def test_a_zero_cotangent_stays_zero_at_edges_and_beyond(name: str) -> None:
    for rule in RULES[name]:
        case = drawn(rule)
        for edge in ("x", "k", "q", "loc", "scale"):
            if edge not in case.values:
                continue
            values = {key: np.asarray(value).flat[0] for key, value in case.values.items()}
            values[edge] = EDGES[:6] if name in DISCRETE else EDGES
            with np.errstate(all="ignore"):
                y = reference.call(rule, values)
            for wrt in case.wrt:
                with np.errstate(all="ignore"):
                    bar = reference.contribution(rule, wrt, values, y, np.zeros(np.shape(y)))
                assert np.all(np.asarray(bar) == 0), (rule.function.__name__, edge, wrt, bar)


OUTSIDE = {
    "expon": (-1.0, 0.1), "gamma": (-1.0, 0.0), "beta": (-0.5, 1.5), "uniform": (-0.5, 1.5),
    "pareto": (0.5, 0.9), "lognorm": (-1.0, 0.0), "weibull_max": (0.5, 1.0), "triang": (-0.5, 1.5),
    "arcsine": (-1.0, 2.0),
    "levy": (-1.0, 0.0), "chi2": (-1.0, 0.0), "loguniform": (0.1, 9.0), "invgauss": (-1.0, 0.0),
}  # fmt: skip


@pytest.mark.parametrize("name", OUTSIDE)
def test_densities_do_not_change_outside_of_the_support(name: str) -> None:
    for rule in RULES[name]:
        if rule.function.__name__ in STEPS:
            continue
        case = drawn(rule)
        values = {key: np.asarray(value).flat[0] for key, value in case.values.items()}
        values |= {"x": np.array(OUTSIDE[name]), "loc": 0.0 if name != "expon" else 0.2, "scale": 1.0}
        y = reference.call(rule, values)
        for wrt in case.wrt:
            bar = reference.contribution(rule, wrt, values, y, np.ones(2))
            assert np.all(np.asarray(bar) == 0), (rule.function.__name__, wrt, bar)


BESIDE = (1, 1.5, np.float32(0.5), np.ones(2, np.float32), np.ones((2, 2)))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("rule", RULES["norm"] + RULES["gamma"], ids=reference.name_of)
def test_kinds(rule: Rule) -> None:
    common = [value for value in operands() if np.ndim(value) < 2]
    done = [check(rule.function, value, other) for value in common for other in BESIDE]
    assert any(done)


# Through the engine.


def test_calls_are_written_as_they_are() -> None:
    text = str(zg.show_adjoint(lambda x, m: st.norm.logpdf(x, m, scale=2.0) * 1.5, 0.3, 0.1))
    assert "st.norm.logpdf(x, m, scale=2.0)" in text
    assert "pull" not in text


def through(program: Any, *args: float) -> None:
    """Assert that gradient, and its derivative by the first argument, agree with differences."""
    found = zg.gradient(program, *args)
    for place, bar in enumerate(found):

        def along(t: float, place: int = place) -> Any:
            return program(*(one + t * (at == place) for at, one in enumerate(args)))

        assert bar == pytest.approx(float(reference.directional(along, 1e-3)), rel=1e-6, abs=1e-8)

    def slopes(t: float) -> Any:
        return np.array(zg.gradient(program, args[0] + t, *args[1:]))

    hessian = zg.hessian(lambda p: program(*p), np.array(args))
    np.testing.assert_allclose(hessian[0], reference.directional(slopes, 1e-3), rtol=2e-5, atol=1e-6)


PROGRAMS: dict[str, Any] = {
    "norm": (lambda x, m, s: st.norm.logcdf(x, m, s) + st.norm.pdf(x, m, s), (0.7, 0.2, 1.3)),
    "gamma": (lambda x, a, s: st.gamma.logpdf(x, a, scale=s) * st.gamma.pdf(x, a=a), (0.7, 1.4, 1.3)),
    "genpareto": (lambda x, c: st.genpareto.logsf(x, c) + st.genpareto.ppf(0.3, c), (0.7, 0.0)),
    "genextreme": (lambda x, c: st.genextreme.logpdf(x, c) + st.genextreme.isf(0.3, c), (0.7, 1e-9)),
    "truncnorm": (lambda x, a, b: st.truncnorm.logpdf(x, a, b) + st.truncnorm.cdf(x, a, b), (0.3, -1.4, 0.8)),
    "poisson": (lambda m: st.poisson.logpmf(3, m) + st.poisson.cdf(2, m), (1.7,)),
    "binom": (lambda p: st.binom.pmf(3, 5, p) + st.binom.sf(2, 5, p), (0.3,)),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_first_and_second_derivatives(name: str) -> None:
    program, args = PROGRAMS[name]
    through(program, *args)


def frozen(x: float, m: float, s: float) -> Any:
    return st.norm(m, scale=s).logpdf(x) + st.norm(loc=m).cdf(x)


def frozen_twice(x: float, a: float, s: float) -> Any:
    given = st.gamma(a, scale=s)
    return given.logpdf(x) * given.pdf(x) + st.expon(scale=s).ppf(0.3)


def chosen(x: float, m: float, s: float) -> Any:
    total = 0.0
    for distribution in (st.norm, st.logistic):
        total = total + distribution.logpdf(x, m, s)
    return total


@pytest.mark.parametrize("program", [frozen, frozen_twice, chosen])
def test_distributions_that_are_found_when_they_are_called(program: Any) -> None:
    args = (0.7, 1.2, 1.3)
    found = zg.gradient(program, *args)
    for place, bar in enumerate(found):

        def along(t: float, place: int = place) -> Any:
            return program(*(one + t * (at == place) for at, one in enumerate(args)))

        assert bar == pytest.approx(float(reference.directional(along, 1e-3)), rel=1e-6)


POSTERIOR = st.gamma(2.0, scale=1.5)


def test_a_frozen_distribution_that_is_a_constant() -> None:
    assert zg.gradient(lambda x: POSTERIOR.logpdf(x), 0.7) == (pytest.approx(1 / 0.7 - 1 / 1.5),)


def test_frozen_distributions_whose_support_depends_on_a_parameter() -> None:
    (bar,) = zg.gradient(lambda c: st.genpareto(c).logpdf(0.3) * 1.0, 0.2)
    assert bar == pytest.approx(zg.gradient(lambda c: st.genpareto.logpdf(0.3, c) * 1.0, 0.2)[0])
    with pytest.raises(MissingRuleError, match="support"):
        zg.gradient(lambda a: st.truncnorm(a, 1.0).a * 2.0, -0.5)


class Exponential(st.rv_continuous):
    def _pdf(self, x: Any, c: Any) -> Any:
        return c * np.exp(-c * x)


OWN = Exponential(a=0.0, name="own", shapes="c")


def test_distributions_of_a_program_are_entered() -> None:
    found = zg.gradient(lambda x, c: OWN.logpdf(x, c) * 1.0, 0.3, 0.5)
    assert found == (pytest.approx(-0.5), pytest.approx(1.7))


def test_other_ways_to_name_a_method() -> None:
    assert zg.gradient(st.norm.logpdf, 0.3) == (-0.3,)
    assert zg.gradient(st.norm(0.0, 1.0).logpdf, 0.3) == (-0.3,)
    assert zg.gradient(lambda x: sum(map(st.norm.logpdf, [x, 2 * x])) * 1.0, 0.3) == (-1.5,)
    assert zg.gradient(lambda x: st.norm.logpdf(*[x, 0.1], scale=2.0) * 1.0, 0.3)[0] == pytest.approx(-0.05)


SHIFTING = st.norm


def test_a_name_that_is_bound_to_another_distribution() -> None:
    global SHIFTING
    program = lambda x: SHIFTING.logpdf(x) * 1.0  # noqa: E731
    assert zg.gradient(program, 0.3) == (-0.3,)
    try:
        SHIFTING = st.expon
        assert zg.gradient(program, 0.3) == (-1.0,)
    finally:
        SHIFTING = st.norm


MULTIVARIATE = (
    lambda x, m, c: st.multivariate_normal.logpdf(x, m, c @ c.T) * 1.0,
    lambda x, m, c: st.multivariate_t.logpdf(x, m, c @ c.T, 3.0) * 1.0,
    lambda x, m, c: st.dirichlet.logpdf(x / np.sum(x), m + c[0]) * st.dirichlet.pdf([0.3, 0.7], m),
)


@pytest.mark.parametrize("program", MULTIVARIATE)
def test_multivariate_distributions(program: Any) -> None:
    half = np.array([[1.4, 0.2], [0.3, 0.9]])
    check_gradient(program, np.array([0.8, 0.1]), np.array([0.3, 1.1]), half)


def test_several_points_of_a_dirichlet_distribution() -> None:
    points = np.array([[0.2, 0.5], [0.3, 0.1]])  # of three numbers, the last of which is what is left
    alpha = np.array([1.5, 2.5, 0.5])
    check_gradient(lambda x, a: np.sum(st.dirichlet.logpdf(x, a)), points, alpha)


def test_values_are_what_scipy_gives() -> None:
    x, m = np.linspace(-2, 2, 5), np.array([[0.0], [0.5]])
    y, back = zg.pullback(lambda x, m: st.t.pdf(x, 3, m), x, m)
    assert np.array_equal(y, st.t.pdf(x, 3, m))
    x_bar, m_bar = back(np.ones((2, 5)))
    assert x_bar.shape == (5,) and m_bar.shape == (2, 1)
    np.testing.assert_allclose(x_bar.sum(), -m_bar.sum())


def test_single_precision_and_integers() -> None:
    x = np.array([0.5, 1.5], np.float32)
    (bar,) = zg.gradient(lambda x: np.sum(st.expon.logpdf(x, 0, 2)), x)
    assert bar.dtype == np.float32 and bar.tolist() == [-0.5, -0.5]
    assert zg.gradient(lambda x: st.expon.logpdf(x, 0, 2), 3) == (-0.5,)


def test_at_edges() -> None:
    assert zg.gradient(lambda x: st.expon.logpdf(x) * 1.0, 0.0) == (-1.0,)
    assert zg.gradient(lambda x: st.gamma.logpdf(x, 1.0) * 1.0, 0.0) == (-1.0,)
    assert zg.gradient(lambda p: st.binom.logpmf(0, 3, p) * 1.0, 0.0) == (-3.0,)
    assert zg.gradient(lambda m: st.poisson.logpmf(0, m) * 1.0, 0.0) == (-1.0,)
    with np.errstate(all="ignore"):
        assert math.isnan(zg.gradient(lambda s: st.norm.logpdf(0.3, 0.0, s) * 1.0, 0.0)[0])
    assert zg.gradient(lambda x: st.uniform.ppf(x, 1.0, 3.0) * 1.0, 0.0) == (3.0,)
    far = zg.gradient(lambda x: st.norm.logcdf(x) * 1.0, -40.0)[0]
    assert far == pytest.approx(40.02496884720727, rel=1e-9)


def test_far_out() -> None:
    assert zg.gradient(lambda b: st.pareto.logsf(1e3, b) * 1.0, 100.0) == (pytest.approx(-math.log(1e3)),)
    (bar,) = zg.gradient(lambda b: st.pareto.isf(1e-300, b) * 1e-300, 1.0)
    assert bar == pytest.approx(-300 * math.log(10))
    found = zg.gradient(lambda q, s: st.lognorm.ppf(q, s) * 1.0, 1e-300, 30.0)[1]
    z = st.norm.ppf(1e-300)
    assert found == pytest.approx(z * math.exp(30.0 * z))
    assert zg.gradient(lambda df: st.t.logpdf(0.5, df) * 1.0, math.inf)[0] == pytest.approx(0.0, abs=1e-300)
    assert zg.gradient(lambda x: st.t.logpdf(x, math.inf) * 1.0, 0.5) == (-0.5,)


def test_lists_of_numbers() -> None:
    (bar,) = zg.gradient(lambda x: np.sum(st.gamma.logpdf([x, 1.0], [1.5, 2.5], 0.0, [1.0, 2.0])), 0.5)
    assert bar == pytest.approx(0.0)
    (bar,) = zg.gradient(lambda a: np.sum(st.gamma.logpdf(1.0, [a, 2.0])), 1.0)
    assert bar == pytest.approx(0.5772156649)
    (bar,) = zg.gradient(lambda p: np.sum(st.binom.logpmf([0, 5], 5, [p, 0.5])), 0.5)
    assert bar == pytest.approx(-10.0)
    (bar,) = zg.gradient(lambda s: np.sum(st.lognorm.cdf([1.5, 2.0], [s, 1.0], 0, [1.0, 2.0])), 0.5)
    expected = reference.directional(lambda t: st.lognorm.cdf(1.5, 0.5 + t), 1e-3)
    assert bar == pytest.approx(float(expected))


@pytest.mark.parametrize(
    "program",
    [
        lambda kappa: st.vonmises.cdf(0.3, kappa) * 1.0,
        lambda a: st.norminvgauss.ppf(0.3, a, 0.5) * 1.0,
        lambda k: st.poisson.pmf(k, 1.5) * 1.0,
        lambda a: st.nbinom.cdf(2, a, 0.4) * 1.0,
    ],
)
def test_parameters_without_a_closed_form_are_refused(program: Any) -> None:
    with pytest.raises(MissingRuleError, match="There is no rule for the derivative"):
        zg.gradient(program, 2.0)


def test_complex_numbers_are_refused() -> None:
    with pytest.raises(MissingRuleError, match="real"):
        zg.pullback(lambda x: st.laplace.logpdf(x) * 1.0, 0.3 + 0.1j)[1](1.0)


def test_steps_have_derivative_zero() -> None:
    assert zg.gradient(lambda q, m: st.poisson.ppf(q, m) * 1.0, 0.3, 2.5) == (0.0, 0.0)


def test_distributions_without_rules_are_entered() -> None:
    assert zg.gradient(lambda x: st.exponpow.logpdf(x, 1.5) * 1.0, 0.3)[0] == pytest.approx(
        float(reference.directional(lambda t: st.exponpow.logpdf(0.3 + t, 1.5), 1e-3))
    )


def test_parameters_that_are_left_out_of_formulas_are_refused() -> None:
    program = lambda c: st.pearson3.ppf(0.3, c) * 1.0  # noqa: E731
    for _ in range(2):  # SciPy's method and its copy, which is entered, are told apart
        with pytest.raises(MissingRuleError, match="without it where it is 0"):
            zg.gradient(program, 0.0)


LEFT_OUT = {
    "kappa4 by h": (lambda p: st.kappa4.pdf(0.4, p, 0.3) * 1.0, 0.0),
    "kappa4 by k": (lambda p: st.kappa4.sf(0.4, 0.3, p) * 1.0, 0.0),
    "kappa4 quantile": (lambda p: st.kappa4.ppf(0.4, np.array([0.2, p]), 0.3)[0] * 1.0, 0.0),
    "ncx2 density": (lambda p: st.ncx2.logpdf(1.5, 3.0, p) * 1.0, 0.0),
    "ncx2": (lambda p: st.ncx2(3.0, nc=p).cdf(1.5) * 1.0, 0.0),
    "ncx2 quantile": (lambda p: st.ncx2.ppf(0.3, 3.0, nc=p) * 1.0, 0.0),
}
"""Programs by parameters at values where SciPy computes something that does not depend on them."""


@pytest.mark.parametrize("name", LEFT_OUT)
def test_limits_that_do_not_depend_on_a_parameter_are_refused(name: str) -> None:
    program, at = LEFT_OUT[name]
    with pytest.raises(MissingRuleError, match="without it where it is 0"):
        zg.gradient(program, at)
    expected = reference.directional(lambda t: program(at + 0.2 + t), 1e-3)
    assert zg.gradient(program, at + 0.2)[0] == pytest.approx(float(expected), rel=1e-6)


def test_limits_depend_on_other_parameters() -> None:
    program = lambda x, k: st.kappa4.logpdf(x, 0.0, k) + st.ncx2.logpdf(x, 3.0, 0.0)  # noqa: E731
    for place, got in enumerate(zg.gradient(program, 0.4, 0.3)):
        step = lambda t, i=place: program(0.4 + t * (i == 0), 0.3 + t * (i == 1))  # noqa: E731
        assert got == pytest.approx(float(reference.directional(step, 1e-3)), rel=1e-6)


@pytest.mark.parametrize("order", [1, 3])
def test_moments_of_trapezoids_without_a_slope(order: int) -> None:
    """They are integrals of powers: `E[x**n]` of the density `2 / (1 + d - c)` times `x/c`, 1 or
    `(1-x)/(1-d)`."""
    n = order

    def moment(c: Any, d: Any) -> Any:
        powers = sum(d**j for j in range(n + 2))
        return 2 / (1 + d - c) * (powers - c ** (n + 1)) / ((n + 1) * (n + 2))

    for c, d in ((0.3, 1.0), (0.0, 0.0), (0.2, 0.7)):
        got = zg.gradient(lambda c, d: st.trapezoid.moment(n, c, d) * 1.0, c, d)
        assert st.trapezoid.moment(n, c, d) == pytest.approx(moment(c, d))
        for place, one in enumerate(got):
            step = lambda t, i=place, c=c, d=d: moment(c + t * (i == 0), d + t * (i == 1))  # noqa: E731
            assert one == pytest.approx(float(reference.directional(step, 1e-3)), rel=1e-6)


def test_complements_of_a_double_pareto_lognormal() -> None:
    program = lambda x, s: st.dpareto_lognorm.logsf(x, 0.2, s, 2.0, 3.0) * 1.0  # noqa: E731
    for place, got in enumerate(zg.gradient(program, 1.5, 1.1)):
        step = lambda t, i=place: program(1.5 + t * (i == 0), 1.1 + t * (i == 1))  # noqa: E731
        assert got == pytest.approx(float(reference.directional(step, 1e-3)), rel=1e-6)


def test_a_fit_at_the_least_sample_is_refused() -> None:
    """The likelihood has no maximum there: the fit depends on how the least sample is rounded."""
    samples = np.array([0.9, 0.51, 0.83, 1.31, 0.62, 0.77, 1.12, 0.58]) ** 3
    for fit in (st.lognorm.fit, st.powerlaw.fit):
        location = fit(samples)[1]
        with pytest.raises(MissingRuleError, match="least sample"):
            check_inside(samples, location)
        assert declare.PROGRAMS[fit.__func__].program is fit_inside
    check_inside(samples, 0.0)


STEPPING = {
    "positional": (lambda q, a, loc: st.boltzmann.ppf(q, a, 19, loc) * loc, (0.7, 0.4, 2.0)),
    "by keywords": (lambda q, a, loc: st.boltzmann.isf(q, lambda_=a, N=19, loc=loc) * a, (0.3, 0.4, 1.0)),
    "of arrays": (
        lambda q, a, loc: np.sum(st.boltzmann.ppf([q, 0.3], [[a], [2 * a]], 19, loc) * np.array([loc, a])),
        (0.7, 0.2, 1.0),
    ),
}


@pytest.mark.parametrize("name", STEPPING)
def test_quantiles_of_counts_without_a_rule_are_steps(name: str) -> None:
    program, at = STEPPING[name]
    for place, bar in enumerate(zg.gradient(program, *at)):

        def along(t: float, place: int = place) -> Any:
            return program(*(one + t * (position == place) for position, one in enumerate(at)))

        assert bar == pytest.approx(float(reference.directional(along, 1e-4)), rel=1e-6, abs=1e-8)


@pytest.mark.skipif(not hasattr(st, "Normal"), reason="SciPy has no random variables of this sort")
def test_random_variables_that_are_scaled_and_moved() -> None:
    def program(p: Any) -> Any:
        return (st.Normal(mu=0.2) * p + p**2).pdf(0.4)

    def by_formula(p: Any) -> Any:
        return st.norm.pdf(0.4, 0.2 * p + p**2, p)

    assert zg.gradient(program, 1.3)[0] == pytest.approx(zg.gradient(by_formula, 1.3)[0], rel=1e-10)


def test_infinite_ends_stay_where_they_are() -> None:
    ends = np.array([-np.inf, 0.5, np.inf])

    def program(p: Any) -> Any:
        return np.sum(moved(None, ends, p**2, -p)[1:2])

    np.testing.assert_array_equal(moved(None, ends, 2.0, -1.0), [np.inf, 1.5, -np.inf])
    assert zg.gradient(program, 1.3)[0] == pytest.approx(2.6 - 0.5)
