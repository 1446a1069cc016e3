"""Statistics of samples of `scipy.stats` through the engine: derivatives, values, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.stats as st

import zygpy as zg
from zygpy.errors import MissingRuleError
from zygpy.testing import check_gradient

X = np.array([[0.4, 1.3, 0.7], [2.2, 0.9, 1.6], [0.3, 1.9, 2.8], [1.1, 0.6, 0.35], [1.75, 2.45, 3.1]])
COLUMN = np.array([0.5, 1.0, 2.0, 0.3, 0.7])
W = COLUMN[:, np.newaxis]

Program = Callable[..., Any]


def described(x: Any) -> Any:
    d = st.describe(x)
    return d.mean.sum() + d.minmax[0][1] * d.variance[0] + d.skewness[2] * d.kurtosis[1]


def unpacked(x: Any, w: Any) -> Any:
    r, p = st.pearsonr(x, w)
    return r * p


def regressed(x: Any, w: Any) -> Any:
    line = st.linregress(x, w)
    return line.slope * line.stderr + line.intercept * line[2] + line.pvalue


ONE: dict[str, Program] = {
    "gmean": lambda x: st.gmean(x, axis=None) * 1.0,
    "moment": lambda x: st.moment(x, 3).sum() + st.moment(x, 2, center=0.3, axis=None),
    "skew": lambda x: st.skew(x, 0, False).sum(),
    "kurtosis": lambda x: st.kurtosis(x, bias=False, axis=None) * 1.0,
    "kurtosis, kept": lambda x: (st.kurtosis(x, keepdims=True, fisher=False) * x).sum(),
    "variation": lambda x: st.variation(x, ddof=1).sum(),
    "sem": lambda x: st.sem(x, 1).sum(),
    "gstd": lambda x: st.gstd(x).sum(),
    "kstat": lambda x: st.kstat(x) + st.kstat(x, 1) * st.kstat(x, 4) + st.kstat(x, 3, axis=0).sum(),
    "kstatvar": lambda x: st.kstatvar(x, 1) * st.kstatvar(x, 2),
    "zscore": lambda x: (st.zscore(x, 1, 1) * X**2).sum(),
    "gzscore": lambda x: (st.gzscore(x) * X).sum(),
    "iqr": lambda x: st.iqr(x) * 1.0,
    "iqr, scaled": lambda x: st.iqr(x, axis=1, scale="normal", rng=(70, 20)).sum(),
    "median_abs_deviation": lambda x: st.median_abs_deviation(x, scale="normal").sum(),
    "scoreatpercentile": lambda x: st.scoreatpercentile(x, 30) * 1.0,
    "trim_mean": lambda x: st.trim_mean(x, 0.25).sum() + st.trim_mean(x, 0.2, axis=None),
    "tmean": lambda x: st.tmean(x, (0.5, 2.0)) * 1.0,
    "tvar": lambda x: st.tvar(x, (0.35, None), (False, True)).sum(),
    "tstd": lambda x: st.tstd(x, axis=1).sum(),
    "tsem": lambda x: st.tsem(x, (None, 2.7), axis=None) * 1.0,
    "tmin, tmax": lambda x: st.tmin(x, 0.5).sum() * st.tmax(x, 2.0, axis=None),
    "circmean": lambda x: st.circmean(x) * st.circmean(x, high=3, low=-1, axis=0).sum(),
    "circvar": lambda x: st.circvar(x, axis=1).sum(),
    "circstd": lambda x: st.circstd(x, high=5) * st.circstd(x, high=5, normalize=True),
    "entropy": lambda x: st.entropy(x).sum(),
    "expectile": lambda x: st.expectile(x[:, 0], 0.3, weights=COLUMN) * 1.0,
    "boxcox": lambda x: st.boxcox(x[:, 0], 0.3).sum(),
    "yeojohnson": lambda x: st.yeojohnson(x[:, 0] - 1, 0.3).sum(),
    "ttest_1samp": lambda x: st.ttest_1samp(x, 0.4).statistic.sum() + st.ttest_1samp(x, 0.4)[1][1],
    "ttest_rel": lambda x: st.ttest_rel(x, X[::-1], axis=None)[0] * 1.0,
    "describe": described,
    "jarque_bera": lambda x: st.jarque_bera(x).statistic * st.jarque_bera(x, axis=1).pvalue[0],
    "chisquare": lambda x: st.chisquare(x)[0][1] * st.chisquare(x, axis=None).pvalue,
}

TWO: dict[str, tuple[Program, tuple[Any, ...]]] = {
    "gmean": (lambda x, w: st.gmean(x, weights=w).sum(), (X, W)),
    "hmean": (lambda x, w: st.hmean(x, weights=w).sum(), (X, W)),
    "pmean": (lambda x, p: st.pmean(x, p, axis=1).sum(), (X, 2.5)),
    "zmap": (lambda x, y: (st.zmap(x, y) * X).sum(), (X, X[::-1] * 1.1)),
    "entropy": (lambda x, w: st.entropy(x, w, base=2).sum(), (X, W)),
    "expectile": (lambda x, a: st.expectile(x, a) * 1.0, (COLUMN, 0.3)),
    "boxcox_llf": (lambda power, x: st.boxcox_llf(power, x).sum(), (0.4, X)),
    "yeojohnson_llf": (lambda power, x: st.yeojohnson_llf(power, x - 1).sum(), (0.4, X)),
    "pearsonr": (lambda x, w: st.pearsonr(x, w, alternative="less").pvalue * 2.0, (X[:, 0], COLUMN)),
    "pearsonr, unpacked": (unpacked, (X[:, 0], COLUMN)),
    "linregress": (regressed, (X[:, 0], COLUMN)),
    "f_oneway": (lambda x, w: st.f_oneway(x, w, x * x)[0].sum() * 1.0, (X, X[:4] ** 2)),
    "f_oneway, probability": (lambda x, w: st.f_oneway(x, w).pvalue * 1.0, (X[:, 0], COLUMN[:3])),
    "chisquare": (lambda x, w: st.chisquare(x, w * (x.sum() / w.sum())).pvalue * 1.0, (X[:, 0], COLUMN)),
    "pointbiserialr": (lambda x, w: st.pointbiserialr(x, w)[0] * 1.0, (X[:, 0], COLUMN)),
    "energy_distance": (lambda x, w: st.energy_distance(x, w) * 1.0, (X[:, 0], COLUMN[:4] * 1.1)),
    "ttest_ind": (lambda x, w: st.ttest_ind(x, w).pvalue * 1.0, (X[:, 0], COLUMN[:3])),
}
TWO["moment, several"] = (
    lambda x, w: (
        (st.moment(x * w, [1, 2, 3], nan_policy="omit") * X[:3]).sum()
        + (st.moment(x, [2, 3], axis=1, center=0.3, nan_policy="raise") * np.array([[1.0], [2.0]])).sum()
    ),
    (X, W),
)
if hasattr(st, "quantile"):
    TWO["quantile"] = (lambda x, w: st.quantile(x * w, 0.3).sum(), (X, W))
    TWO["quantile, several"] = (
        lambda x, p: (
            (st.quantile(x, p) * p[::-1]).sum()
            + (st.quantile(X, p, axis=-1) * X[:, :2]).sum()
            + st.quantile(np.outer(x, x), p[:, None], axis=0, method="hazen").sum() * 2.0
        ),
        (COLUMN, np.array([0.31, 0.77])),
    )


@pytest.mark.parametrize("name", ONE)
def test_agrees_with_differences(name: str) -> None:
    before = X.copy()
    assert np.array_equal(zg.pullback(ONE[name], X)[0], ONE[name](X))
    check_gradient(ONE[name], X)
    assert np.array_equal(X, before)


@pytest.mark.parametrize("name", TWO)
def test_agrees_with_differences_by_two_arguments(name: str) -> None:
    program, args = TWO[name]
    assert np.array_equal(zg.pullback(program, *args)[0], program(*args))
    check_gradient(program, *args)


@pytest.mark.parametrize("name", ["entropy"])
def test_second_derivatives(name: str) -> None:
    check_gradient(ONE[name], X, order=2)


def test_entropy_where_a_probability_is_zero() -> None:
    (bar,) = zg.gradient(lambda p: st.entropy(p) * 1.0, np.array([0.0, 1.0, 3.0]))
    expected = zg.gradient(lambda p: st.entropy(p) * 1.0, np.array([1.0, 3.0]))[0]
    assert bar[0] == np.inf
    np.testing.assert_allclose(bar[1:], expected)


def test_directions() -> None:
    along = zg.pushforward(lambda x: st.sem(x, None) * 1.0, X)(X[::-1])
    (bar,) = zg.gradient(lambda x: st.sem(x, None) * 1.0, X)
    assert along == pytest.approx(float(np.sum(bar * X[::-1])))


def test_lists_integers_and_single_precision() -> None:
    assert zg.gradient(lambda x: st.gmean([x, 2.0]) * 1.0, 8.0) == (pytest.approx(0.25),)
    (bar,) = zg.gradient(lambda x: st.sem(x) * 1.0, np.array([1, 2, 4]))
    assert bar.dtype == np.float64 and bar.sum() == pytest.approx(0.0)
    (bar,) = zg.gradient(lambda x: st.zscore(x)[0] * 1.0, np.array([1, 2, 4], np.float32))
    assert bar.dtype == np.float32


@pytest.mark.parametrize(
    "program",
    [
        lambda x: st.skew(np.append(x, np.nan), nan_policy="omit"),
        lambda x: st.gmean(x, dtype=np.float32),
        lambda x: st.boxcox_llf(np.append(x, np.nan)[:3], x),
        lambda x: st.boxcox(x, alpha=0.05)[0].sum(),
        lambda x: st.ttest_ind(np.append(x, np.nan), x[:3], nan_policy="omit").statistic,
        lambda x: st.pearsonr(x, COLUMN, method=st.PermutationMethod())[0],
        lambda x: st.median_abs_deviation(x, center=np.mean),
        lambda x: st.circmean(x, high=x + 3.0).sum(),
        lambda x: st.circstd(x, 5.0, x[0] * np.ones(2), axis=None).sum(),
    ],
)
def test_what_is_not_followed_is_refused(program: Program) -> None:
    with pytest.raises(MissingRuleError, match="has no rule for this call"):
        zg.gradient(program, COLUMN)


def test_the_power_zero_is_refused_by_itself() -> None:
    assert zg.gradient(lambda x: st.pmean(x, 0) * 1.0, np.array([2.0, 8.0]))[0].tolist() == [1.0, 0.25]
    with pytest.raises(MissingRuleError, match="at 0"):
        zg.gradient(lambda p: st.pmean(COLUMN, p) * 1.0, 0.0)


def test_ranks_and_counts_have_no_gradient() -> None:
    assert zg.gradient(lambda x: st.rankdata(x)[0] * 1.0, COLUMN) == (None,)
    assert zg.gradient(lambda x: st.spearmanr(x, X[:, 0]).statistic * x[0], COLUMN)[0].tolist() == [
        pytest.approx(st.spearmanr(COLUMN, X[:, 0]).statistic), 0, 0, 0, 0,
    ]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
def test_one_number_alone_is_what_it_is_for_scipy() -> None:
    for program in (st.sem, st.skew, st.kstat, lambda x: st.zscore(x, ddof=1)[0]):
        value, back = zg.pullback(lambda x, program=program: program(x) * 1.0, np.array([1.5]))
        assert np.array_equal(value, program(np.array([1.5])), equal_nan=True)
        assert np.all(back(0.0)[0] == 0) or np.isnan(value)
