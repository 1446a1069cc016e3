"""Functions of NumPy that select or order elements, count them or leave NaN out, in programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient

X = np.array([0.7, -1.3, 2.1, 0.2])
M = np.array([[0.7, -1.3, 2.1, 0.3], [0.4, 1.7, -0.6, 0.8], [1.1, -0.2, 0.9, -1.4]])


def weighed(values: Any) -> Any:
    return np.sum(values * np.cos(1.0 + np.arange(np.size(values))).reshape(np.shape(values)))


PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "trimmed": (lambda x: weighed(np.trim_zeros(x * np.array([0, 1, 1, 0])) ** 2), (X,)),
    "trimmed behind": (lambda x: weighed(np.trim_zeros(x * np.array([0, 1, 0, 0]), "b") ** 2), (X,)),
    "both sets": (lambda x: weighed(np.intersect1d(x, np.append(x[1:], 5.0)) ** 2), (X,)),
    "counted": (lambda x: weighed(np.bincount([0, 2, 2, 1], weights=x**2)), (X,)),
    "counted matrices": (lambda x: np.bincount([0, 2, 2, 1], x * 3, 5)[2], (X,)),
    "unique with counts": (lambda x: np.sum(np.divide(*np.unique(x * x, return_counts=True))), (X,)),
    "unique rows": (lambda x: weighed(np.unique(np.stack([x, x * x, x]), axis=0)), (X,)),
    "places of unique": (lambda x: weighed(np.unique_all(x * x).values), (X,)),
    "windows": (
        lambda x: weighed(np.prod(np.lib.stride_tricks.sliding_window_view(x, 2), axis=1)),
        (X,),
    ),
    "robust spread": (lambda x: np.subtract(*np.percentile(x * x, [75, 25])), (X,)),
    "level": (lambda q: np.quantile(M, q) ** 2, (0.43,)),
    "levels": (lambda q: weighed(np.quantile(M, q, axis=1) ** 2), (np.array([0.43, 0.71]),)),
    "partitioned": (lambda x: np.sum(np.partition(x * x, 1)[:2] ** 2), (X,)),
    "inserted": (lambda x, v: weighed(np.insert(x * x, [1, 3], v) ** 2), (X, np.array([0.5, -0.4]))),
    "deleted": (lambda x: weighed(np.delete(np.outer(x, x), [0, 2], axis=1) ** 2), (X,)),
    "phases": (lambda x: weighed(np.unwrap(x * 5) ** 2), (X,)),
    "without holes": (lambda m: np.nanstd(np.where(m > 1, np.nan, m * m)), (M,)),
    "steps": (lambda x: weighed(np.linspace(x[0], x[1], 4, dtype=float) ** 2), (X,)),
    "with more axes": (lambda x: weighed(np.array(x * x, ndmin=3) ** 2), (X,)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str) -> None:
    program, args = PROGRAMS[name]
    check_gradient(program, *args)
    if (
        name != "unique rows"
    ):  # they lie in the memory of an array of records, of which cotangents are refused
        check_gradient(program, *args, order=2)


def test_counts_of_what_is_weighed_have_a_gradient() -> None:
    """They count what they are given once more, which has none."""
    (bar,) = zg.gradient(lambda w: np.bincount([1, 1, 0], weights=w)[1], np.array([1.0, 2.0, 3.0]))
    assert bar.tolist() == [1.0, 1.0, 0.0]


@pytest.mark.parametrize("function", [np.median, np.nanmedian])
def test_medians_of_ties(function: Any) -> None:
    (bar,) = zg.gradient(function, np.array([2.0, 1.0, 2.0, 5.0]))
    assert bar.sum() == pytest.approx(1.0)
    assert bar[1] == bar[3] == 0


def test_all_that_is_not_a_number() -> None:
    """A slice without numbers gives NaN, and nothing comes back to it, without a warning of its own."""
    holes = np.array([[np.nan, np.nan], [1.0, 3.0]])
    with pytest.warns(RuntimeWarning, match="All-NaN"):
        y, back = zg.pullback(lambda x: np.nanquantile(x, 0.25, axis=1), holes)
    assert np.isnan(y[0]) and y[1] == 1.5
    assert back(np.ones(2))[0].tolist() == [[0.0, 0.0], [0.75, 0.25]]


def test_quantiles_at_the_ends() -> None:
    x = np.array([3.0, 1.0, 2.0])
    assert zg.gradient(lambda x: np.quantile(x, 0.0), x)[0].tolist() == [0.0, 1.0, 0.0]
    assert zg.gradient(lambda x: np.quantile(x, 1.0), x)[0].tolist() == [1.0, 0.0, 0.0]
    assert zg.gradient(lambda q: np.quantile(x, q, method="weibull"), 0.05) == (0.0,)
    assert zg.gradient(lambda q: np.quantile(x, q, method="nearest"), 0.4) == (0.0,)


def test_single_precision_rounds_as_numpy_does() -> None:
    """Ranks of many elements are counted in the precision in which NumPy counts them."""
    x = np.random.default_rng(5).permutation(50_001).astype(np.float32)
    value, (bar,) = zg.withgradient(lambda x: np.quantile(x, 0.3), x)
    assert bar.dtype == np.float32
    assert float(bar @ x) == pytest.approx(float(value), rel=1e-6)


def test_values_that_are_cast_have_no_gradient() -> None:
    assert zg.gradient(lambda v: np.insert(np.arange(3), 1, v).sum() * 1.0, 2.5) == (0.0,)


CASTS: tuple[Callable[[Any], Any], ...] = (
    lambda x: np.array(x, dtype=int) * 1.0,
    lambda x: np.asarray(x, int) * 1.0,
    lambda x: x.astype(int) * 1.0,
    lambda x: np.sum(x, dtype=int) * 1.0,
    lambda x: np.cumsum(x, dtype=int) * 1.0,
    lambda x: np.full((2,), x[0], dtype=int) * 1.0,
    lambda x: np.full_like(np.array([1, 2]), x[0]) * 1.0,
    lambda x: np.linspace(0, x[0], 3, dtype=int) * 1.0,
)


@pytest.mark.parametrize("program", CASTS)
def test_tangents_do_not_pass_casts_to_integers(program: Any) -> None:
    assert not np.any(zg.pushforward(program, np.array([2.7]))(np.array([1.5])))
