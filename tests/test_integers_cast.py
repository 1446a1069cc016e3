"""Integers that functions of NumPy take for other integers keep their derivative; floats do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient

WEIGHTS = np.cos(np.arange(1.0, 40.0))
X = np.array([3, 1, 2])


def weighed(values: Any) -> Any:
    flat = np.ravel(values)
    return np.sum(flat * WEIGHTS[: np.size(flat)])


IN_NEW_ARRAYS: dict[str, Callable[[Any], Any]] = {
    "insert": lambda x: np.insert(x, 1, x[2]),
    "insert several": lambda x: np.insert(x, [0, 2], x[:2] * x[1]),
    "ediff1d": lambda x: np.ediff1d(x, to_end=x[0], to_begin=x[1:]),
    "pad": lambda x: np.pad(x, 1, constant_values=x[0]),
    "pad with two": lambda x: np.pad(x, (2, 1), constant_values=(x[0], x[1])),
    "pad with the largest": lambda x: np.pad(x, 1, mode="maximum"),
    "pad by reflection": lambda x: np.pad(x, 2, mode="reflect", reflect_type="odd"),
    "along an axis": lambda x: np.apply_along_axis(lambda row: row * row, 0, x),
    "element by element": lambda x: np.vectorize(lambda one: one * one)(x),
    "row by row": lambda x: np.vectorize(lambda one: one * one, signature="(n)->(n)")(np.stack([x, x])),
    "full like": lambda x: np.full_like(x, x[0] * x[1]),
}
"""Programs whose results have the dtype of the argument."""

BY_NAME: dict[str, Callable[[Any, Any], Any]] = {
    "astype": lambda x, kind: x.astype(kind),
    **({"np.astype": lambda x, kind: np.astype(x, kind)} if hasattr(np, "astype") else {}),
    "array": lambda x, kind: np.array(x, dtype=kind),
    "array of a list": lambda x, kind: np.array([x[0], x[1] * x[2]], dtype=kind),
    "asarray": lambda x, kind: np.asarray(x, kind),
    "full": lambda x, kind: np.full(2, x[1] * x[0], dtype=kind),
    "sum": lambda x, kind: np.sum(x * x, dtype=kind),
    "product": lambda x, kind: np.prod(x, dtype=kind),
    "cumsum": lambda x, kind: np.cumsum(x, dtype=kind),
    "cumprod": lambda x, kind: np.cumprod(x, dtype=kind),
    "cumulative sum": lambda x, kind: np.cumulative_sum(x, dtype=kind, include_initial=True),
    "trace": lambda x, kind: np.trace(np.outer(x, x), dtype=kind),
    "concatenate": lambda x, kind: np.concatenate([x, x * x], dtype=kind),
    "ufunc": lambda x, kind: np.multiply(x, x, dtype=kind),
}
"""Programs that are told the dtype."""


@pytest.mark.parametrize("program", IN_NEW_ARRAYS.values(), ids=IN_NEW_ARRAYS)
def test_in_new_arrays_as_with_floats(program: Callable[[Any], Any]) -> None:
    def function(x: Any) -> Any:
        return weighed(program(x))

    check_gradient(function, X.astype(float))
    assert zg.gradient(function, X)[0] == pytest.approx(zg.gradient(function, X.astype(float))[0])
    assert zg.pushforward(function, X)(np.ones(3)) == pytest.approx(np.sum(zg.gradient(function, X)[0]))


@pytest.mark.parametrize("kind", [int, np.int32])
@pytest.mark.parametrize("program", BY_NAME.values(), ids=BY_NAME)
def test_told_the_dtype_as_with_floats(program: Callable[[Any, Any], Any], kind: Any) -> None:
    def function(x: Any, kind: Any) -> Any:
        return weighed(program(x, kind))

    expected = zg.gradient(function, X.astype(float), float)[0]
    check_gradient(lambda x: function(x, float), X.astype(float))
    assert zg.gradient(function, X, kind)[0] == pytest.approx(expected)


CUTTING = {name: program for name, program in BY_NAME.items() if name not in ("ufunc", "concatenate")}
"""Those that make integers of floats."""


@pytest.mark.parametrize("program", CUTTING.values(), ids=CUTTING)
def test_floats_are_cut_off(program: Callable[[Any, Any], Any]) -> None:
    found = zg.gradient(lambda x: weighed(program(x, int)), X.astype(float))[0]
    assert found is None or not found.any()


def test_second_derivatives_by_integers() -> None:
    def slope(x: Any) -> Any:
        return np.sum(
            zg.gradient(lambda x: weighed(np.insert((x * x).astype(int), 1, x[0] * x[1])), x)[0] * X
        )

    floats = np.asarray(zg.gradient(lambda x: np.sum(x * x * x), X.astype(float))[0])
    assert floats.shape == zg.gradient(slope, X)[0].shape
    expected = 2 * X * WEIGHTS[[0, 2, 3]] + WEIGHTS[1] * np.array([X[1], X[0], 0])
    assert zg.gradient(slope, X)[0] == pytest.approx(expected)
