"""Statistical tests of `scipy.stats`, and powers that make samples normal: derivatives and refusals."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import scipy.optimize as so
import scipy.stats as st

import zygpy as zg
from tests.differences import differences
from zygpy.errors import MissingRuleError
from zygpy.runtime import tests_of_fits as fits
from zygpy.testing import check_gradient

RANDOM = np.random.default_rng(5)
X, Y = RANDOM.normal(size=(9, 2)), RANDOM.normal(size=(10, 2)) * 1.3 + 0.2
LINE, OTHER = RANDOM.normal(size=13), RANDOM.normal(size=9)

Program = Callable[..., Any]


@pytest.fixture(autouse=True)
def _without_warnings() -> Iterator[None]:
    """SciPy announces changes of `anderson`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        yield


def knows(function: Program, keyword: str) -> bool:
    """Whether this version of SciPy has a keyword."""
    return keyword in inspect.signature(function).parameters


def both(result: Any) -> Any:
    return np.sum(result.statistic * (1.0 + result.pvalue))


def logistic(z: Any, place: Any, steepness: Any) -> Any:
    return 1.0 / (1.0 + np.exp(-steepness * (z - place)))


PROGRAMS: dict[str, tuple[Program, Any]] = {
    "skewtest": (lambda x: both(st.skewtest(x)), X),
    "skewtest, one side": (lambda x: both(st.skewtest(x, None, alternative="less")), X),
    "kurtosistest": (lambda x: both(st.kurtosistest(x, axis=None, alternative="greater")), X),
    "normaltest": (lambda x: both(st.normaltest(x, axis=1, keepdims=True)), X.T),
    "shapiro": (lambda x: both(st.shapiro(x)), LINE),
    "bartlett": (lambda x: both(st.bartlett(x, Y, x * x)), X),
    "levene": (lambda x: both(st.levene(x, Y, x * x)), X),
    "levene, means": (lambda x: both(st.levene(x[:, 0], x[:, 1], center="mean")), X),
    "levene, trimmed": (
        lambda x: both(st.levene(x[:, 0], x[:, 1], center="trimmed", proportiontocut=0.2)),
        X,
    ),
    "alexandergovern": (lambda x: both(st.alexandergovern(x[:, 0], Y[:, 0], x[:, 1])), X),
    "f_oneway": (lambda x: both(st.f_oneway(x, Y, axis=None)), X),
    "ttest_ind": (lambda x: both(st.ttest_ind(x, Y, axis=(0, 1))), X),
    "ttest_ind, Welch": (lambda x: np.sum(st.ttest_ind(x, Y, equal_var=False).statistic), X),
    "ttest_ind, Yuen": (lambda x: both(st.ttest_ind(x, Y, trim=0.2, alternative="less")), X),
    "ks_1samp": (lambda x: st.ks_1samp(x, st.norm.cdf).statistic * 1.0, LINE),
    "ks_1samp, one side": (lambda x: both(st.ks_1samp(x, st.norm.cdf, alternative="less")), LINE),
    "ks_1samp, limit": (lambda x: both(st.ks_1samp(x, st.norm.cdf, method="asymp")), LINE),
    "ks_1samp, bound": (lambda x: both(st.ks_1samp(x, st.norm.cdf, method="approx", axis=0)), X),
    "kstest, a name": (lambda x: both(st.kstest(x, "laplace", (0.1, 1.2), alternative="greater")), LINE),
    "kstest, a function": (
        lambda x: both(st.kstest(LINE, lambda z: logistic(z, x[0], x[1] + 2), alternative="less")),
        LINE[:2],
    ),
    "kstest, of two": (lambda x: st.kstest(x, OTHER).pvalue * x[0], LINE),
    "cramervonmises": (lambda x: st.cramervonmises(x, "norm").statistic * 1.0, LINE),
    "cramervonmises, parameters": (
        lambda x: st.cramervonmises(LINE, logistic, (x[0], x[1] + 2)).statistic * 1.0,
        LINE[:2],
    ),
    "anderson": (lambda x: st.anderson(x).statistic * st.anderson(x).critical_values[0], LINE),
    "anderson, expon": (lambda x: st.anderson(x**2, "expon").statistic * 1.0, LINE),
    "epps_singleton_2samp": (lambda x: both(st.epps_singleton_2samp(x, OTHER)), LINE),
}
if knows(st.f_oneway, "equal_var"):
    PROGRAMS["f_oneway, Welch"] = (lambda x: np.sum(st.f_oneway(x, Y, equal_var=False).statistic), X)


@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees_with_differences(name: str) -> None:
    program, x = PROGRAMS[name]
    before = x.copy()
    assert zg.pullback(program, x)[0] == program(x)
    check_gradient(program, x)
    assert np.array_equal(x, before)


@pytest.mark.parametrize("name", ["normaltest", "levene", "alexandergovern", "cramervonmises", "anderson"])
def test_second_derivatives(name: str) -> None:
    program, x = PROGRAMS[name]
    check_gradient(program, x[:9], order=2)


@pytest.mark.parametrize("n", [3, 4, 5, 6, 11, 12, 30])
def test_coefficients_of_shapiro_and_wilk(n: int) -> None:
    x = np.random.default_rng(n).normal(size=n)
    w, p = st.shapiro(x)
    computed = np.sum(np.sort(x) * fits.normal_order(n)) ** 2 / np.sum((x - np.mean(x)) ** 2)
    assert computed == pytest.approx(w, rel=1e-6)
    assert fits.probability_of_correlation(w, n) == pytest.approx(p, rel=1e-6)


def test_samples_that_are_too_small() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            y, (bar,) = zg.withgradient(lambda x: st.skewtest(x).statistic * 1.0, LINE[:7])
        except ValueError:  # of SciPy before 1.14
            return
    assert np.isnan(y) and np.all(np.isnan(bar))


def test_single_precision_integers_and_lists() -> None:
    (bar,) = zg.gradient(lambda x: st.normaltest(x).statistic * 1.0, LINE.astype(np.float32))
    assert bar.dtype == np.float32
    (bar,) = zg.gradient(lambda x: st.bartlett(x, OTHER).statistic * 1.0, np.array([1, 2, 4, 3]))
    assert bar.dtype == np.float64
    (bar,) = zg.gradient(lambda x: st.levene([x, 2.0, 3.5], OTHER).statistic * 1.0, 1.0)
    (expected,) = zg.gradient(lambda x: st.levene(x, OTHER).statistic * 1.0, np.array([1.0, 2.0, 3.5]))
    assert bar == pytest.approx(expected[0])


POWERS: dict[str, Program] = {
    "boxcox": lambda x: np.sum(st.boxcox(x)[0] ** 2),
    "boxcox, power": lambda x: st.boxcox(x)[1] * 1.0,
    "boxcox_normmax": lambda x: st.boxcox_normmax(x) * 1.0,
    "boxcox_normmax, all": lambda x: np.sum(st.boxcox_normmax(x, method="all") ** 2),
    "boxcox_normmax, likelihood": lambda x: st.boxcox_normmax(x, (0.0, 1.0), "mle") * 1.0,
    "yeojohnson": lambda x: np.sum(st.yeojohnson(x - 1.0)[0] ** 2),
    "yeojohnson, power": lambda x: st.yeojohnson(x - 1.0)[1] * 1.0,
    "yeojohnson_normmax": lambda x: st.yeojohnson_normmax(x - 1.0) * 1.0,
}
POSITIVE = np.abs(LINE) + 0.1


def best_power(x: Any, scores: Any = None) -> float:
    """The power of Box and Cox where the likelihood has no slope, or the correlation of the numbers, in
    order, with scores: to all digits, which SciPy's search does not give."""
    u = np.log(np.sort(x))

    def slope(power: float) -> Any:
        y = np.expm1(power * u) / power
        by = (u * np.exp(power * u) - y) / power
        first = np.mean(u) if scores is None else np.cov(scores, by)[0, 1] / np.cov(scores, y)[0, 1]
        return first - np.cov(y, by)[0, 1] / np.var(y, ddof=1)

    return float(so.brentq(slope, 0.02, 2.0, xtol=1e-15, rtol=1e-14))


def test_powers_of_box_and_cox() -> None:
    scores = st.probplot(POSITIVE)[0][0]
    for name, reference in (
        ("boxcox, power", best_power),
        ("boxcox_normmax, likelihood", best_power),
        ("boxcox_normmax", lambda x: best_power(x, scores)),
        ("boxcox_normmax, all", lambda x: best_power(x) ** 2 + best_power(x, scores) ** 2),
        ("boxcox", lambda x: np.sum(st.boxcox(x, best_power(x)) ** 2)),
    ):
        y, (bar,) = zg.withgradient(POWERS[name], POSITIVE)
        assert y == POWERS[name](POSITIVE) == pytest.approx(reference(POSITIVE), rel=1e-6)
        np.testing.assert_allclose(bar, differences(reference, POSITIVE), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["yeojohnson", "yeojohnson, power", "yeojohnson_normmax"])
def test_powers_of_both_signs(name: str) -> None:
    """SciPy searches to about eight digits, so that steps have to be long."""
    y, (bar,) = zg.withgradient(POWERS[name], POSITIVE)
    assert y == POWERS[name](POSITIVE)
    direction = np.cos(np.arange(13.0))
    by = [
        (POWERS[name](POSITIVE + h * direction) - POWERS[name](POSITIVE - h * direction)) / (2 * h)
        for h in (0.008, 0.004, 0.002)
    ]
    first = [(4 * by[1] - by[0]) / 3, (4 * by[2] - by[1]) / 3]
    assert bar @ direction == pytest.approx((16 * first[1] - first[0]) / 15, rel=1e-5, abs=1e-5)


def test_second_derivatives_of_a_power() -> None:
    """Of degree 0 in the sample, so that its gradient has degree -1."""

    def power(x: Any) -> Any:
        return st.boxcox(x)[1] * 1.0

    (bar,) = zg.gradient(power, POSITIVE)
    curvature = zg.hessian(power, POSITIVE)
    np.testing.assert_allclose(curvature, curvature.T, atol=1e-9)
    np.testing.assert_allclose(curvature @ POSITIVE, -bar, atol=1e-6)


@pytest.mark.parametrize(
    "program",
    [
        lambda x: st.ks_1samp(x, st.norm.cdf).pvalue * 1.0,
        lambda x: st.cramervonmises(x, "norm").pvalue * 1.0,
        lambda x: st.ttest_ind(x, OTHER, equal_var=False).df * 1.0,
        lambda x: st.ttest_ind(x, OTHER).confidence_interval().low,
        lambda x: st.ttest_1samp(x, 0.3).confidence_interval()[1],
        lambda x: st.ks_1samp(x, st.norm.cdf).statistic_location * 1.0,
        lambda x: st.linregress(x, LINE).intercept_stderr * 1.0,
        lambda x: st.anderson(x, "gumbel").statistic * 1.0,
        lambda x: st.kstest(st.norm.rvs, "norm", (x[0],)).statistic * 1.0,
        lambda x: st.skewtest(np.append(x, np.nan), nan_policy="omit").statistic * 1.0,
        lambda x: st.tukey_hsd(x, OTHER).statistic[0, 1],
        lambda x: st.permutation_test((x, OTHER), lambda a, b: a.mean() - b.mean()).statistic * 1.0,
        lambda x: st.dunnett(x, OTHER, control=LINE).statistic[0],
        lambda x: st.poisson_means_test(3, x[0] ** 2, 4, 2.0).statistic,
        lambda x: st.ppcc_max(x) * 1.0,
        lambda x: st.boxcox_normmax(x**2, ymax=2.0) * 1.0,
    ],
)
def test_what_has_no_derivative_is_refused(program: Program) -> None:
    with pytest.raises(MissingRuleError) as caught:
        zg.gradient(program, LINE)
    assert "Why: " in str(caught.value) and "Instead: " in str(caught.value)
