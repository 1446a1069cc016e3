"""`sum` of arrays, lists and numbers that begins with something else than zero."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.units import options


@pytest.fixture(params=[True, False], ids=["specialised", "generic"], autouse=True)
def _both_ways(request: pytest.FixtureRequest) -> Iterator[None]:
    with options(specialise=request.param):
        yield


X = np.array([0.7, 1.3, 0.4, 1.1])


def differences(f: Callable[..., Any], x: np.ndarray) -> np.ndarray:
    def moved(step: float) -> np.ndarray:
        return np.array([float(f(x + step * unit)) for unit in np.eye(x.size)])

    one, two = moved(1e-3) - moved(-1e-3), moved(2e-3) - moved(-2e-3)
    return (8 * one - two) / 12e-3


def stages(x: np.ndarray) -> Any:
    slopes: list[Any] = []
    for row in [[], [0.5], [0.1, 0.5]]:
        slopes.append(np.sin(x + sum((a * k for a, k in zip(row, slopes, strict=False)), np.zeros(4))))
    return np.sum(slopes[-1])


def from_what_is_active(x: np.ndarray) -> Any:
    return np.sum(sum((v * v for v in x[:2]), x[2:]) ** 2)


def of_nothing(x: np.ndarray) -> Any:
    start = x[:2] * 1.0
    total = sum((v * x[:2] for v in x if v > 10), start)
    total *= x[0]
    return np.sum(start * total)


def of_something(x: np.ndarray) -> Any:
    start = x[:2] * 1.0
    total = sum((v * x[:2] for v in x if v > 1), start)
    total *= x[0]
    return np.sum(start * total)


def of_nothing_in_a_loop(x: np.ndarray) -> Any:
    acc = np.zeros(2)
    for i in range(3):
        total = sum([x[:2]] * i, acc)
        total += x[i] * x[1]
    return np.sum(acc**2)


def of_whole_numbers(x: np.ndarray) -> Any:
    return np.sum(sum((v * v for v in x), np.zeros(2, int)) * x[:2])


def of_single_precision(x: np.ndarray) -> Any:
    return np.sum(sum((v * np.ones(2) for v in x), np.ones(2, np.float32)) ** 2)


def of_rows(x: np.ndarray) -> Any:
    return np.sum(sum(x.reshape(2, 2), np.ones((2, 1))) ** 2 * np.arange(4.0).reshape(2, 2))


def of_a_vector(x: np.ndarray) -> Any:
    return np.sum(sum(x, np.ones(2)) ** 2)


def of_a_tuple(x: np.ndarray) -> Any:
    return np.sum(sum((x[0], x[1] * x[2], 2.0), x[2:]) ** 2)


def of_numbers_and_arrays(x: np.ndarray) -> Any:
    return np.sum(sum([x[0], x[:2], 3, x.reshape(2, 2)]) ** 2)


def flattened(x: np.ndarray) -> Any:
    flat = sum(([v, v * x[0]] for v in x), [])  # noqa: RUF017
    return sum(v * i for i, v in enumerate(flat)) + len(flat)


def flattened_tuples(x: np.ndarray) -> Any:
    a, b, *_ = sum(((v, v * v) for v in x[:2]), ())
    return a * b


def bound_in_the_elements(x: np.ndarray) -> Any:
    n = x[0]
    total = sum((n := v * v for v in x), n)
    return total + n


def bound_in_the_start(x: np.ndarray) -> Any:
    n = x[0]
    return sum((v * n for v in x), (n := x[1] * 2)) + n


def negative(x: np.ndarray) -> Any:
    return sum((v * v for v in x), -1.0) ** 2


PROGRAMS = (
    stages,
    from_what_is_active,
    of_nothing,
    of_something,
    of_nothing_in_a_loop,
    of_whole_numbers,
    of_single_precision,
    of_rows,
    of_a_vector,
    of_a_tuple,
    of_numbers_and_arrays,
    flattened,
    flattened_tuples,
    bound_in_the_elements,
    bound_in_the_start,
    negative,
)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: str(f.__name__))
def test_gradient(f: Callable[..., Any]) -> None:
    y, back = zg.pullback(f, X)
    assert y == f(X)
    expected = differences(f, X)
    assert back(1.0)[0] == pytest.approx(expected, rel=1e-8, abs=1e-9)
    assert back(2.0)[0] == pytest.approx(2 * expected, rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: str(f.__name__))
def test_second_derivatives(f: Callable[..., Any]) -> None:
    v = np.array([1.0, -0.5, 0.3, 0.8])
    slopes = differences(lambda t: float(zg.gradient(f, X + t[0] * v)[0] @ v), np.zeros(1))
    assert zg.hvp(f, X, v) @ v == pytest.approx(slopes[0], rel=1e-6, abs=1e-7)


def test_what_comes_first() -> None:
    """The start is made before the elements, and behind what is walked over."""
    seen: list[str] = []

    def noted(name: str, value: Any) -> Any:
        seen.append(name)
        return value

    def f(x: np.ndarray) -> Any:
        return np.sum(sum((noted("element", v) for v in noted("walked", x)), noted("start", np.zeros(2))))

    f(X)
    expected = list(seen)
    seen.clear()
    zg.pullback(f, X)
    assert seen == expected
