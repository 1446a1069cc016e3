"""Forms of calls that NumPy takes and that were once wrong, or raised an exception out of the adjoint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.errors import MissingRuleError
from zygpy.testing import check_gradient

M = np.array([[0.7, 0.3, 0.55, 0.25], [0.4, 0.65, 0.2, 0.8], [0.45, 0.6, 0.35, 0.5]])
Z = M * np.exp(3j * M)
QUANTILES = ("quantile", "percentile", "nanquantile", "nanpercentile")


def unweighed(name: str, **options: Any) -> Callable[..., Any]:
    function = getattr(np, name)
    return lambda m: function(m, [0.3, 0.7], axis=0, weights=None, **options)


@pytest.mark.parametrize("name", QUANTILES)
@pytest.mark.parametrize("options", [{}, {"method": "hazen", "keepdims": True}], ids=["plain", "hazen"])
def test_quantiles_whose_weights_are_none(name: str, options: dict[str, Any]) -> None:
    check_gradient(unweighed(name, **options), M)


def deviating(name: str, **options: Any) -> Callable[..., Any]:
    function = getattr(np, name)
    return lambda z: function(z, axis=0, **options)


@pytest.mark.filterwarnings("ignore:Casting complex values")
@pytest.mark.parametrize("name", ["nanvar", "nanstd"])
@pytest.mark.parametrize(
    "options",
    [{"dtype": float}, {"dtype": np.float32}, {"dtype": complex}, {"dtype": float, "correction": 1}],
    ids=str,
)
def test_deviations_of_complex_numbers_from_a_real_mean(name: str, options: dict[str, Any]) -> None:
    check_gradient(deviating(name, **options), Z)


@pytest.mark.parametrize(
    ("program", "argument"),
    [
        (lambda z: np.abs(z, dtype=np.float64), Z),
        (lambda m: np.abs(m, dtype=np.float32), M),
        (lambda m: np.ldexp(m, 2, dtype=float), M),
        (lambda m: np.multiply(2j, m, dtype=complex), M),
        (lambda m: np.sin(m, where=True), M),
        (lambda m: np.sin(list(m[0])), M),
        (lambda z: np.linalg.vector_norm(z, ord=None, axis=0), Z),
    ],
    ids=["modulus", "narrower", "ldexp", "complex", "everywhere", "list of a row", "norm"],
)
def test_agrees_with_differences(program: Callable[..., Any], argument: Any) -> None:
    check_gradient(program, argument, order=2)


def summed_by_a_method(m: Any) -> Any:
    sums, means = np.empty(4), np.empty((3, 1))
    m.sum(0, out=sums)
    m.mean(1, None, means, keepdims=True)
    return sums * means


def test_methods_that_store_their_result() -> None:
    check_gradient(summed_by_a_method, M, order=2)
    check_gradient(lambda m: m.cumsum(1, out=np.empty((3, 4))) ** 2, M)


@pytest.mark.parametrize(
    "program",
    [
        lambda m: np.ma.array(m).mean(),
        lambda m: np.ma.masked_where(m > 0.5, m).sum(),
        lambda m: (np.ma.masked_array(M, M > 0.5) * m).sum(),
        lambda m: np.sum(np.asmatrix(m) * 2),
        lambda m: np.sum(np.matrix(m)),
    ],
)
def test_arrays_of_other_classes_are_refused(program: Callable[..., Any]) -> None:
    with pytest.raises(MissingRuleError, match=r"masked arrays|numpy\.matrix"):
        zg.gradient(program, M)
