"""Second derivatives of calls with nothing in them, and by parts of what a function gives."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.runtime import derivatives
from zygpy.testing.numeric import slope

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


def powers(x: Any, y: Any) -> Any:
    total = 0.0
    for exponent in [2, 0.5, y]:
        total = total + x**exponent
    return total * y


@pytest.mark.parametrize("helper", [derivatives.power_base, derivatives.power_exponent])
@pytest.mark.parametrize("exponent", [0.5, 2, 2.5, -1.0, -2, 1])
def test_derivatives_of_powers_have_derivatives(helper: Callable[..., Any], exponent: Any) -> None:
    args = (0.4, 0.7, exponent)
    bars = zg.gradient(lambda g, x, n: helper(g, x, n), *args)
    for place, bar in enumerate(bars):

        def moved(t: float, place: int = place) -> float:
            return float(helper(*(arg + t if at == place else arg for at, arg in enumerate(args))))

        assert bar == pytest.approx(slope(moved, 0.05).value, rel=1e-7, abs=1e-9)


def test_exponents_that_are_known_when_the_program_runs() -> None:
    """Of a function that is called by unpacking, which is derived for whatever it is given."""

    def f(z: Any) -> Any:
        return powers(*[z[0], z[1]])

    at, v = np.array([0.7, 0.4]), np.array([0.658, -0.965])

    def along(t: float, place: int) -> float:
        return float(zg.gradient(powers, *(at + t * v))[place])

    expected = [slope(functools.partial(along, place=place), 0.02).value for place in range(2)]
    assert zg.hvp(f, at, v) == pytest.approx(expected, rel=1e-6)
