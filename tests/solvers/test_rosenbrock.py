"""Rosenbrock's function of `scipy.optimize` and its derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.optimize as so

import zygpy as zg
from zygpy.testing import check_gradient

X = np.array([0.3, -0.5, 1.2, 0.8])


def weighed(y: Any) -> Any:
    return np.sum(y * np.cos(np.arange(np.size(y))).reshape(np.shape(y)))


@pytest.mark.parametrize("function", [so.rosen, so.rosen_der, so.rosen_hess])
def test_by_the_point(function: Any) -> None:
    for x in (X, X[:2]):
        check_gradient(lambda x: weighed(function(x)), x, order=2)
    if function is not so.rosen_hess:
        check_gradient(lambda x: weighed(function(x)), X.reshape(2, 2), order=2)


def test_products() -> None:
    for x in (X, X[:2]):
        check_gradient(lambda x, p: weighed(so.rosen_hess_prod(x, p)), x, np.sin(x), order=2)


def test_the_derivatives_are_those_of_scipy() -> None:
    np.testing.assert_allclose(zg.gradient(so.rosen, X)[0], so.rosen_der(X), rtol=1e-12)
    (found,) = zg.gradient(lambda x: so.rosen_der(x) @ np.sin(X), X)
    np.testing.assert_allclose(found, so.rosen_hess_prod(X, np.sin(X)), rtol=1e-12)


def test_lists_and_single_numbers() -> None:
    found = zg.gradient(lambda a, b: so.rosen([a, b]), 0.3, 0.5)
    assert found == pytest.approx(tuple(so.rosen_der([0.3, 0.5])))
    assert zg.gradient(so.rosen, X.astype(np.float32))[0].dtype == np.float32
