"""Functions that change a copy of their argument, called by names that are not known: they change nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import units
from zygpy.errors import UnsupportedSyntaxError

X = np.array([[1.0, 2.0, 0.5], [0.3, -1.0, 2.0]])


def copied(x: Any) -> Any:
    y = np.array(x)
    y -= 1.0
    return y * y


def copied_with_rank(x: Any) -> Any:
    y = np.array(x, ndmin=3, dtype=float)
    y[0] *= 2.0
    return y[0]


def perhaps_copied(x: Any) -> Any:
    y = np.array(x, copy=None)
    y *= 2.0
    return y


def objects_in_a_copy(items: Any) -> Any:
    y = np.array(items, dtype=object)
    y[0]["a"] = y[0]["a"] ** 2
    return items[0]["a"] * 3.0


def called(functions: list[Callable[[Any], Any]], x: Any) -> Any:
    return np.sum(functions[0](x)) + np.sum(x)


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize(
    ("function", "expected"),
    [(copied, 2 * (X - 1) + 1), (copied_with_rank, np.full(X.shape, 3.0)), (np.cov, None)],
)
def test_a_copy_that_is_changed(function: Any, expected: Any, specialise: bool) -> None:
    if expected is None:
        expected = zg.gradient(lambda x: np.sum(np.cov(x)) + np.sum(x), X)[0]
    with units.options(specialise=specialise):
        np.testing.assert_allclose(zg.gradient(called, [function], X)[1], expected, rtol=1e-12)


def test_what_may_be_no_copy_is_refused() -> None:
    with units.options(specialise=False), pytest.raises(UnsupportedSyntaxError, match="changes 'x' in place"):
        zg.gradient(called, [perhaps_copied], X.copy())


@pytest.mark.parametrize("specialise", [True, False])
def test_a_copy_holds_the_same_objects(specialise: bool) -> None:
    with units.options(specialise=specialise):
        assert zg.gradient(objects_in_a_copy, [{"a": 2.0}, {"a": 5.0}])[0][0] == {"a": 12.0}
