"""Second derivatives of calls with nothing in them, and by parts of what a function gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg

EMPTY: dict[str, Callable[[Any], Any]] = {
    "largest": lambda x: np.linalg.norm(x, np.inf),
    "largest of rows": lambda x: np.linalg.norm(x, np.inf, axis=-1, keepdims=True),
    "largest by its own name": lambda x: np.linalg.vector_norm(x, ord=np.inf),
    "median": lambda x: np.median(x),
    "split": lambda x: np.array_split(x, 2)[0],
    "reduced": lambda x: np.logaddexp.reduce(x, axis=None),
    "reduced along": lambda x: np.logaddexp.reduce(x, axis=0),
}


@pytest.mark.filterwarnings("ignore:Mean of empty slice", "ignore:invalid value")
@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0)])
@pytest.mark.parametrize("name", EMPTY)
def test_of_nothing(name: str, shape: tuple[int, ...]) -> None:
    x = np.zeros(shape)

    def f(x: Any) -> Any:
        return np.sum(EMPTY[name](x)) + np.sum(x**3)

    try:
        f(x)
    except ValueError:
        return  # NumPy refuses it
    first = zg.gradient(f, x)[0]
    twice = zg.gradient(lambda x: np.sum(zg.gradient(f, x)[0]), x)[0]
    for found in (first, twice, zg.hvp(f, x, x)):
        assert found.shape == shape
        assert found.dtype == x.dtype


PARTS: dict[str, Callable[[Any], Any]] = {
    "second part": lambda x: np.split(x, 2)[1],
    "unequal parts": lambda x: np.array_split(x, [1, 3])[1],
    "part of columns": lambda x: np.hsplit(np.reshape(x, (2, 3)), [1])[1],
    "last of several": lambda x: np.split(x, 3).pop(),
    "other order": lambda x: np.concatenate(np.split(x, 2)[::-1]) * x,
    "row": lambda x: np.unstack(np.reshape(x, (2, 3)))[1],
    "in a loop": lambda x: sum(part[0] * part[1] for part in np.split(x, 2)),
}


chosen = PARTS["second part"]


def by_the_chosen(x: Any) -> Any:
    return np.sum(np.sin(chosen(x) * x[0]))


@pytest.mark.parametrize("name", [name for name in PARTS if name != "row" or hasattr(np, "unstack")])
def test_by_parts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "chosen", PARTS[name])
    x, direction = np.arange(1.0, 7.0), np.cos(3.0 * np.arange(6.0))
    slope = [zg.gradient(by_the_chosen, x + step * direction)[0] for step in (1e-5, -1e-5)]
    expected = (slope[0] - slope[1]) / 2e-5
    np.testing.assert_allclose(zg.hvp(by_the_chosen, x, direction), expected, rtol=1e-6, atol=1e-6)
    twice = zg.gradient(lambda x: zg.gradient(by_the_chosen, x)[0] @ direction, x)[0]
    np.testing.assert_allclose(twice, expected, rtol=1e-6, atol=1e-6)
