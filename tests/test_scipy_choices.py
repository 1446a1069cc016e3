"""Statistics of `scipy.stats` that choose, sort or put into bins, and tests of counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.stats as st

import zygpy as zg
from tests.solvers.references import agrees_to_second_order
from zygpy.errors import MissingRuleError
from zygpy.testing import check_gradient

X = np.array([0.4, 1.35, 0.7, 2.2, 0.93, 1.6, 0.31, 1.9, 2.81, 1.1, 0.62, 5.5])
"""Numbers that are well apart."""
Y = np.roll(X, 5) + 0.3 * X
TABLE = X.reshape(4, 3)
PLACES = np.array([0.5, 1.2, 1.4, 2.0, 3.3, 0.1, 2.2, 2.6, 0.9, 1.3, 0.4, 2.9])
SHARES = np.array([[0.03, 0.4, 0.11, 0.02], [0.7, 0.05, 0.3, 0.6]])

PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "trimboth": (lambda x: st.trimboth(x, 0.2), (X,)),
    "trimboth, columns": (lambda x: st.trimboth(x, 0.3, 1), (TABLE,)),
    "trimboth, whole": (lambda x: st.trimboth(x, 0.1, None), (TABLE,)),
    "trim1": (lambda x: st.trim1(x, 0.2), (X,)),
    "trim1, left": (lambda x: st.trim1(x, 0.4, "left", axis=1), (TABLE,)),
    "sigmaclip": (lambda x, low, high: tuple(st.sigmaclip(x, low, high)), (X, 1.9, 1.7)),
    "mode": (lambda x: st.mode(x)[0] * 1.0, (X,)),
    "mode, columns": (lambda x: st.mode(x, axis=1, keepdims=True).mode, (TABLE,)),
    "mode, whole": (lambda x: st.mode(x, axis=None).mode * 1.0, (TABLE,)),
    "false_discovery_control": (st.false_discovery_control, (SHARES,)),
    "false_discovery_control, by": (lambda p: st.false_discovery_control(p, axis=1, method="by"), (SHARES,)),
    "false_discovery_control, whole": (lambda p: st.false_discovery_control(p, axis=None), (SHARES,)),
    "theilslopes": (lambda y, x: tuple(st.theilslopes(y, x)), (Y, X)),
    "theilslopes, joint": (lambda y: tuple(st.theilslopes(y, method="joint", alpha=0.8)), (Y,)),
    "siegelslopes": (lambda y, x: tuple(st.siegelslopes(y, x)), (Y, X)),
    "siegelslopes, separate": (lambda y, x: tuple(st.siegelslopes(y, x, "separate")), (Y, X)),
    "differential_entropy": (lambda x: st.differential_entropy(x) * 1.0, (X,)),
    "differential_entropy, base": (lambda x, b: st.differential_entropy(x, base=b) * 1.0, (X[:8], 2.5)),
    "vasicek": (lambda x: st.differential_entropy(x, method="vasicek", axis=1, window_length=1), (TABLE,)),
    "correa": (lambda x: st.differential_entropy(x, method="correa", keepdims=True), (X,)),
    "fisher": (lambda p: tuple(st.combine_pvalues(p)), (SHARES[0],)),
    "pearson": (lambda p: tuple(st.combine_pvalues(p, "pearson", axis=1)), (SHARES,)),
    "mudholkar": (lambda p: tuple(st.combine_pvalues(p, "mudholkar_george")), (SHARES[0],)),
    "tippett": (lambda p: st.combine_pvalues(p, "tippett").pvalue * 2.0, (SHARES[0],)),
    "stouffer": (lambda p, w: tuple(st.combine_pvalues(p, "stouffer", w)), (SHARES[0], SHARES[1])),
    "stouffer, plain": (lambda p: st.combine_pvalues(p, "stouffer", axis=None)[0] * 1.0, (SHARES,)),
    "power_divergence": (
        lambda x, power: tuple(st.power_divergence(x, lambda_=power)),
        (X[:5] * 9, 0.7),
    ),
    "log-likelihood": (
        lambda x, w: st.power_divergence(x, w * (x.sum() / w.sum()), lambda_="log-likelihood")[0] * 1.0,
        (X[:5], Y[:5]),
    ),
    "neyman": (lambda x: st.power_divergence(x, lambda_="neyman", axis=1, ddof=1).pvalue, (TABLE,)),
    "modified": (lambda x: st.power_divergence(x, lambda_="mod-log-likelihood")[0] * 1.0, (X,)),
    "chi2_contingency": (lambda x: st.chi2_contingency(x)[:2], (TABLE,)),
    "chi2_contingency, corrected": (lambda x: st.chi2_contingency(9 * x).pvalue * 1.0, (TABLE[:2, :2],)),
    "chi2_contingency, expected": (lambda x: st.chi2_contingency(x, False).expected_freq, (TABLE[:2, :2],)),
    "chi2_contingency, of a line": (lambda x: st.chi2_contingency(x).expected_freq, (X,)),
    **{
        f"binned {name}": (lambda v, name=name: st.binned_statistic(PLACES, v, name, 4)[0], (X,))
        for name in ("sum", "median", "min", "max", "count")
    },
    "binned mean": (lambda v: st.binned_statistic(PLACES, v, bins=[0.0, 0.7, 1.5, 4.0]).statistic, (X,)),
    "binned twice": (lambda v: st.binned_statistic(PLACES, [v, v * v], "sum", 3, (0.3, 2.7))[0], (X,)),
    "binned, 2d": (lambda v: st.binned_statistic_2d(PLACES, X, v, "sum", [2, 3])[0], (Y,)),
    "binned, 2d and expanded": (
        lambda v: st.binned_statistic_2d(PLACES, X, v, "max", 1, expand_binnumbers=True).statistic,
        (Y,),
    ),
    "binned, dd": (lambda v: st.binned_statistic_dd([PLACES, X, Y], v, "sum", 2).statistic, (Y,)),
}
if hasattr(st, "lmoment"):
    PROGRAMS |= {
        "lmoment": (st.lmoment, (X,)),
        "lmoment, plain": (lambda x: st.lmoment(x, [3, 1], axis=1, standardize=False), (TABLE,)),
        "lmoment, one": (lambda x: st.lmoment(x, 4, axis=None, keepdims=True), (TABLE,)),
        "lmoment, sorted": (lambda x: st.lmoment(x, 3, sorted=True) * 1.0, (np.sort(X),)),
    }


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients(name: str) -> None:
    program, args = PROGRAMS[name]
    before = [np.copy(arg) for arg in args]
    check_gradient(program, *args)
    assert all(np.array_equal(arg, copy) for arg, copy in zip(args, before, strict=True))


SECOND: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    (lambda x: st.sigmaclip(x, 1.9, 1.7)[1] ** 2, X),
    (lambda x: st.theilslopes(Y, x)[0] ** 2, X),
    (lambda x: st.differential_entropy(x) ** 2, X),
    (lambda p: st.combine_pvalues(p).pvalue ** 2, SHARES[0]),
    (lambda v: np.nansum(st.binned_statistic(PLACES, v, "std", 3)[0] ** 3), X),
)


@pytest.mark.parametrize(("f", "x"), SECOND)
def test_second_derivatives(f: Callable[[Any], Any], x: Any) -> None:
    agrees_to_second_order(f, x)


def test_equal_numbers() -> None:
    (bar,) = zg.gradient(lambda x: st.mode(x)[0] * 2.0, np.array([1.0, 3.0, 2.0, 3.0]))
    assert bar.tolist() == [0.0, 2.0, 0.0, 0.0]
    (bar,) = zg.gradient(lambda x: np.sum(st.trimboth(x, 0.25)), np.ones(4))
    assert bar.sum() == 2.0
    (bar,) = zg.gradient(lambda v: np.sum(st.binned_statistic(PLACES, v, "std", 12)[0][:1]), X)
    assert not np.any(bar)


def test_probabilities_that_are_cut_off() -> None:
    (bar,) = zg.gradient(lambda p: np.sum(st.false_discovery_control(p, method="by")), np.array([0.8, 0.9]))
    assert bar.tolist() == [0.0, 0.0]


def test_single_precision_integers_and_lists() -> None:
    (bar,) = zg.gradient(lambda x: np.sum(st.trim1(x, 0.2)), X.astype(np.float32))
    assert bar.dtype == np.float32
    (bar,) = zg.gradient(lambda x: np.sum(st.trimboth(x, 0.25)), np.array([3, 1, 2, 7]))
    assert bar.tolist() == [1.0, 0.0, 1.0, 0.0]
    assert zg.gradient(lambda x: st.sigmaclip([x, 2.0])[0].sum() * 1.0, 1.0) == (1.0,)
    assert zg.gradient(lambda x: len(st.trim1(x, 1.0)) * x[0], X)[0].tolist() == [0.0] * 12


REFUSED: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    (lambda v: np.sum(st.binned_statistic(PLACES, v, lambda one: np.sum(one**2), 3)[0]), X),
    (lambda x: st.binned_statistic(x, Y, "mean", 3).bin_edges[1], X),
    (lambda x: st.binned_statistic_2d(x, PLACES, Y, "mean", 3)[1][1], X),
    (lambda x: st.binned_statistic_dd([x, PLACES], Y, "mean", 3)[1][0][1], X),
    (lambda x: st.mode(np.append(x, np.nan), nan_policy="omit")[0], X),
    (lambda x: st.theilslopes(x, axis=0)[0], X),
    (lambda x: st.chi2_contingency(x, method=st.PermutationMethod())[0], TABLE),
)


@pytest.mark.parametrize(("f", "x"), REFUSED)
def test_what_is_refused(f: Callable[[Any], Any], x: Any) -> None:
    with pytest.raises(MissingRuleError):
        zg.gradient(f, x)


def test_bins_do_not_move() -> None:
    (bar,) = zg.gradient(lambda x: np.nansum(st.binned_statistic(x, x, "mean", 3)[0]), X)
    h = 1e-6
    moved = [X + h * np.eye(12)[place] for place in range(12)]
    edges = np.histogram_bin_edges(X, 3)
    expected = [np.nansum(st.binned_statistic(X, one, "mean", edges)[0]) for one in moved]
    before = np.nansum(st.binned_statistic(X, X, "mean", edges)[0])
    np.testing.assert_allclose(bar, (np.array(expected) - before) / h, atol=1e-6)
