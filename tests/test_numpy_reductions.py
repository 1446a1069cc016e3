"""Reductions of NumPy in all the forms in which they are called: masks, initial values, given means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient

M = np.array([[0.7, -1.3, 2.1, 0.3], [0.4, 1.7, -0.6, 0.8], [1.1, -0.2, 0.9, -1.4]])
MASK = np.array([[True, False, True, True], [True, True, False, True], [False, True, True, True]])


def weighed(values: Any) -> Any:
    return np.sum(values * np.cos(1.0 + np.arange(np.size(values))).reshape(np.shape(values)))


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "mean of some": lambda x: np.mean(x * x, where=MASK) ** 2,
    "mean of the positive": lambda x: weighed(np.mean(x * x, axis=1, where=x > 0) ** 2),
    "method mean": lambda x: weighed((x * x).mean(axis=1, where=MASK, keepdims=True) ** 2),
    "method sum": lambda x: weighed((x * x).sum(0, initial=x[0, 0], where=MASK) ** 2),
    "method var": lambda x: weighed(x.var(axis=0, ddof=1, where=MASK)),
    "method std": lambda x: weighed(x.std(1, where=MASK)),
    "method max": lambda x: weighed((x * x).max(axis=1, initial=x[0, 2], where=MASK)),
    "product": lambda x: weighed(np.prod(x, axis=1, initial=x[1, 1], where=MASK)),
    "least": lambda x: np.min(x, initial=x[0, 1] * 2),
    "correction": lambda x: weighed(np.std(x * x, axis=1, correction=1)),
    "deviation from a given mean": lambda x: weighed(
        np.var(x, axis=0, mean=np.mean(x * x, axis=0, keepdims=True), ddof=1)
    ),
    "deviation from the mean": lambda x: weighed(
        np.std(x, axis=0, mean=np.mean(x, axis=0, keepdims=True), where=MASK)
    ),
    "questions": lambda x: np.sum(x) if np.any(x > 2, where=MASK) else x[0, 0],
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str) -> None:
    check_gradient(PROGRAMS[name], M)
    check_gradient(PROGRAMS[name], M, order=2)


@pytest.mark.parametrize("name", ["mean of some", "method std", "product", "deviation from a given mean"])
def test_forward_over_reverse_agrees(name: str) -> None:
    program = PROGRAMS[name]
    direction = np.cos(np.arange(12.0)).reshape(3, 4)
    step = 1e-5
    expected = zg.gradient(program, M + step * direction)[0] - zg.gradient(program, M - step * direction)[0]
    np.testing.assert_allclose(zg.hvp(program, M, direction), expected / (2 * step), atol=1e-6)


def test_the_initial_value_counts_where_it_is_beyond_all() -> None:
    x = np.array([1.0, 3.0])
    assert [np.max(bar) for bar in zg.gradient(lambda x, i: np.max(x, initial=i), x, 5.0)] == [0.0, 1.0]
    bars = zg.gradient(lambda x, i: np.max(x, initial=i), x, 3.0)
    assert bars[0].tolist() == [0.0, 1.0] and bars[1] == 0.0  # a tie goes to the elements
    assert zg.gradient(lambda x, i: np.min(x, initial=i), np.zeros(0), 3.0)[1] == 1.0
    assert zg.gradient(lambda x, i: np.sum(x, initial=i), np.zeros((2, 0)), 3.0)[0].shape == (2, 0)


def test_nothing_comes_back_to_what_is_left_out() -> None:
    x = np.array([np.inf, 1.0, np.nan, 4.0])
    where = np.isfinite(x)
    for function in (np.sum, np.mean, np.var, np.std):
        (bar,) = zg.gradient(lambda x, f=function: f(x, where=where), x)
        assert bar[0] == bar[2] == 0 and np.all(np.isfinite(bar))
    (bar,) = zg.gradient(lambda x: np.max(x, where=where, initial=0.0), x)
    assert bar.tolist() == [0.0, 0.0, 0.0, 1.0]


def test_single_precision_stays() -> None:
    x, where = M.astype(np.float32), MASK
    for function in (np.sum, np.mean, np.var, np.std, np.prod):
        _, back = zg.pullback(lambda x, f=function: f(x, axis=1, where=where), x)
        assert back(np.ones(3, np.float32))[0].dtype == np.float32


@pytest.mark.parametrize("function", [np.var, np.std, np.nanvar, np.nanstd])
def test_degrees_of_freedom_are_counted(function: Any) -> None:
    x = np.array([1.0, 2.0, 4.0])
    with pytest.raises(zg.MissingRuleError, match="degrees of freedom"):
        zg.gradient(lambda d: function(x, ddof=d), 0.5)
    assert zg.gradient(lambda d: function(x, ddof=d), 1) == (None,)


@pytest.mark.parametrize("dtype", ["f4", np.float16, np.complex64])
@pytest.mark.parametrize("function", [np.std, np.var])
def test_deviations_from_a_mean_of_fewer_digits(function: Any, dtype: Any) -> None:
    alone = np.array([[0.3], [0.6], [0.7]])  # a single number deviates from its mean by a rounding alone
    for options in ({}, {"where": np.array([[True]])}):
        (found,) = zg.gradient(lambda a, o=options: np.sum(np.real(function(a, -1, dtype, **o))), alone)
        assert found.tolist() == [[0.0], [0.0], [0.0]]
    near = 1000.0 + np.array([0.1, 0.5, 0.7])
    (found,) = zg.gradient(lambda a: np.real(function(a, dtype="f4")), near)
    assert abs(np.sum(found)) < 1e-6  # a shift of all numbers changes nothing


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0), (0, 2, 2)])
@pytest.mark.parametrize("hermitian", [False, True])
def test_pseudo_inverses_of_nothing(shape: tuple[int, ...], hermitian: bool) -> None:
    empty = np.zeros(shape)
    assert zg.gradient(lambda a: np.sum(np.linalg.pinv(a, hermitian=hermitian)), empty)[0].shape == shape
