"""Arrays that are unpacked into calls of functions that are found when the program runs."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient

X = np.array([1.0, 2.5, 5.0, 7.0])
M = np.array([[1.0, 2.0], [4.0, -1.0], [0.5, 3.0]])


def first(*items: Any) -> Any:
    return np.sum(items[0]) * 2.0


def two_of_many(*items: Any) -> Any:
    return items[2] * items[4]


def nothing(*items: Any) -> Any:
    return 3.0


FOUND = {"first": first, "two": two_of_many, "nothing": nothing, "subtract": np.subtract, "mul": operator.mul}


def found(name: str) -> Any:
    return FOUND[name]


PROGRAMS = {
    "one entry is used": lambda x: found("first")(*np.percentile(x, [25, 75])),
    "no entry is used": lambda x: found("nothing")(*np.sort(x)) * x[1],
    "both are used": lambda x: found("subtract")(*np.percentile(x, [25, 75])) ** 2,
    "the result is not used": lambda x: max(found("mul")(*np.percentile(x, [25, 75])), 100.0 * x[1]),
    "two arrays, and a number": lambda x: found("two")(x[3], *np.percentile(x, [25, 75]), *np.sort(x)),
    "integers beside it": lambda x: found("two")(*np.arange(2), *x),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_entries(name: str) -> None:
    check_gradient(PROGRAMS[name], X, order=2)


def test_rows() -> None:
    check_gradient(lambda m: found("first")(*(m * m)), M, order=2)
    (bar,) = zg.gradient(lambda m: found("first")(*np.sin(m)), M)
    np.testing.assert_allclose(bar, [2 * np.cos(M[0]), [0, 0], [0, 0]], rtol=1e-15)


@pytest.mark.parametrize("value", [[X, X], (X, 1.0), {"a": X}, 2.0])
def test_attributes_that_are_not_there(value: Any) -> None:
    def asked(value: Any, x: Any) -> Any:
        try:
            count = value.nowhere
        except AttributeError as error:
            return np.sum(x * x) + len(str(error))
        return count

    expected = asked(value, X)
    found_value, back = zg.pullback(asked, value, X)
    assert found_value == expected
    np.testing.assert_array_equal(back(1.0)[1], 2 * X)
    with pytest.raises(AttributeError, match="nowhere"):
        zg.gradient(lambda v, x: v.nowhere * x, value, X)
