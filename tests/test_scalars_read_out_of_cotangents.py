"""Cotangents of numbers that lie in those of arrays (`y_bar[..., i]` is an array without axes, which shows
the memory of `y_bar`) when the whole is cleared or changed behind them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences

X = np.array([0.3, -0.5, 0.4])
WEIGHTS = np.array([1.0, 2.0, 4.0])


def places(names: str) -> list[int]:
    return ["xyz".index(name) for name in names]


def chosen(q: Any, order: list[int]) -> Any:
    i, j, k = order
    sign = i - j
    return np.stack([q[..., i], sign * q[..., j], q[..., k] * q[..., i]], axis=-1)


def of_chosen(q: Any) -> Any:
    y = chosen(q, places("yxz"))
    return np.sum(y * y)


def of_steps(q: Any) -> Any:
    i, j, k = places("zxy")
    y = q * 1.0
    y[..., i] = y[..., j] * (i - k)
    y[..., j] += y[..., i] * y[..., k]
    np.add.at(y, (..., k), y[..., j] * i)
    return np.sum(y * y * WEIGHTS)


@pytest.mark.parametrize("f", [of_chosen, of_steps])
def test_first_and_second_order(f: Any) -> None:
    def slope(q: Any) -> Any:
        return np.sum(zg.gradient(f, q)[0] * WEIGHTS)

    assert np.allclose(zg.gradient(f, X)[0], differences(f, X), atol=1e-8)
    assert np.allclose(zg.gradient(slope, X)[0], differences(slope, X), atol=1e-7)
    assert np.allclose(zg.hvp(f, X, WEIGHTS), differences(slope, X), atol=1e-7)
