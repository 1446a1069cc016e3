"""`sum` of arrays, lists and numbers that begins with something else than zero."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from zygpy.units import options


@pytest.fixture(params=[True, False], ids=["specialised", "generic"], autouse=True)
def _both_ways(request: pytest.FixtureRequest) -> Iterator[None]:
    with options(specialise=request.param):
        yield


X = np.array([0.7, 1.3, 0.4, 1.1])


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


class Totals:
    def __init__(self) -> None:
        self.total: Any = 1.0
        self.shape = [2]

    def add(self, v: Any) -> Any:
        self.total += v
        return v * v

    def widened(self, v: Any) -> Any:
        self.shape[0] = 3
        return v


def field_that_the_elements_change(x: np.ndarray) -> Any:
    t = Totals()
    return sum((t.add(v) for v in x), t.total) * t.total


def field_by_name(x: np.ndarray) -> Any:
    t = Totals()
    return sum((t.add(v) for v in x), start=t.total) * t.total


def field_that_what_is_walked_changes(x: np.ndarray) -> Any:
    t = Totals()
    return sum((v * v for v in [t.add(x[0]), x[1]]), t.total) * t.total


def shared_variable(x: np.ndarray) -> Any:
    total = x[0]

    def add(v: Any) -> Any:
        nonlocal total
        total += v
        return v * v

    return sum((add(v) for v in x), total) * total


GLOBAL: Any = 0.0


def add_to_global(v: Any) -> Any:
    global GLOBAL
    GLOBAL = GLOBAL + v
    return v * v


def global_variable(x: np.ndarray) -> Any:
    global GLOBAL
    GLOBAL = x[0]
    return sum((add_to_global(v) for v in x), GLOBAL) * GLOBAL


def shape_that_the_elements_change(x: np.ndarray) -> Any:
    t = Totals()
    return np.sum(sum((t.widened(v) for v in x), np.zeros(t.shape)))


def item_of_a_list(x: np.ndarray) -> Any:
    last = x[0]

    def kept(v: Any) -> list[Any]:
        nonlocal last
        last = last * v
        return [v]

    return sum(sum((kept(v) for v in x), [last])) * last


def default_that_the_elements_change(x: np.ndarray) -> Any:
    t = Totals()
    return (
        max((t.add(v) for v in zip(x, x, strict=True) if t.add(v[0]) < 0), default=t.total) * x[0] * t.total
    )


def in_pairs(x: np.ndarray) -> Any:
    t = Totals()
    return sum((t.add(a) * b for i, (a, b) in enumerate(zip(x, x[::-1], strict=True))), t.total) * t.total


def captured_in_the_elements(x: np.ndarray) -> Any:
    t = Totals()
    return sum(((lambda: t.add(v))() for v in x), t.total) * t.total


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
    field_that_the_elements_change,
    field_by_name,
    field_that_what_is_walked_changes,
    shared_variable,
    global_variable,
    shape_that_the_elements_change,
    item_of_a_list,
    default_that_the_elements_change,
    in_pairs,
    captured_in_the_elements,
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
