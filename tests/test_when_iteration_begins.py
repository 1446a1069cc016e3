"""An `__iter__` that changes something runs where Python runs it: where a generator expression, a `map`, a
`zip` is made, in front of what stands behind it."""

from __future__ import annotations

import os
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


X = np.array([0.7, -1.3, 1.9])


class Bag:
    """Counts in `total` and `passes` how often somebody begins to walk over it."""

    def __init__(self, values: Any) -> None:
        self.values = list(values)
        self.total: Any = 1.0
        self.passes = 0
        self.scales = [1.0, 2.0, 3.0]

    def __iter__(self) -> Iterator[Any]:
        self.total = self.total + self.values[0] * 3.0
        self.passes += 1
        self.scales = [scale + 1.0 for scale in self.scales]
        return iter(self.values)

    def __reversed__(self) -> Iterator[Any]:
        self.total = self.total * 2.0
        return iter(self.values[::-1])


class Walked:
    """What is no iterable: one by its `__getitem__`, whose walk changes nothing when it begins."""

    def __init__(self, values: Any) -> None:
        self.values = values
        self.total: Any = 1.0

    def __getitem__(self, index: int) -> Any:
        self.total = self.total + self.values[index]
        return self.values[index]


def start(x: np.ndarray) -> Any:
    bag = Bag(x)
    return sum((v * v for v in bag), bag.total)


def start_by_name(x: np.ndarray) -> Any:
    bag = Bag(x)
    return sum((v * v for v in bag), start=bag.total) * bag.total


def start_of_a_list(x: np.ndarray) -> Any:
    bag = Bag(x)
    return sum(sum(([v] for v in bag), [bag.total]))


def default(x: np.ndarray) -> Any:
    bag = Bag(x)
    return max((v * v for v in bag if v > 100.0), default=bag.total)


def filtered(x: np.ndarray) -> Any:
    bag = Bag(x)
    return sum((v * v for v in bag if v > 0.0), bag.total)


def mapped(x: np.ndarray) -> Any:
    bag = Bag(x)
    return sum(map(lambda v: v * v, bag), bag.total)  # noqa: C417


def filtered_by_a_lambda(x: np.ndarray) -> Any:
    bag = Bag(x)
    return sum(filter(lambda v: v > 0.0, bag), bag.total)


def counted(x: np.ndarray) -> Any:
    bag = Bag(x)
    return sum((i * v for i, v in enumerate(bag)), bag.total)


def in_pairs(x: np.ndarray) -> Any:
    bag, other = Bag(x), Bag(x * 2.0)
    return sum((v * w for v, w in zip(bag, other, strict=True)), bag.total * other.total)


def pairs_of_the_same(x: np.ndarray) -> Any:
    bag = Bag(x)
    return sum((v * w for v, w in zip(bag, bag, strict=True)), bag.total)


def backwards(x: np.ndarray) -> Any:
    bag = Bag(x)
    return sum((v * i for i, v in enumerate(reversed(bag))), bag.total)


def a_field(x: np.ndarray) -> Any:
    bag = Bag(x)
    holder = [bag]
    return sum((v * v for v in holder[0]), holder[0].total)


def of_two_loops(x: np.ndarray) -> Any:
    bag, other = Bag(x), Bag(x)
    return sum((v * w for v in bag for w in other), bag.total + other.total)


def in_zip_behind_enumerate(x: np.ndarray) -> Any:
    bag = Bag(x)
    total = 0.0
    for (i, v), scale in zip(enumerate(bag), bag.scales, strict=True):
        total += i * v * scale
    return total


def in_zip_behind_zip(x: np.ndarray) -> Any:
    bag = Bag(x)
    return sum(v * w * scale for (v, w), scale in zip(zip(bag, x, strict=True), bag.scales, strict=True))


def backwards_in_zip(x: np.ndarray) -> Any:
    bag = Bag(x)
    return sum(i * v for i, v in zip(bag.scales, reversed(bag), strict=True))


def backwards_in_zip_of_a_loop(x: np.ndarray) -> Any:
    bag, total = Bag(x), 0.0
    for (i, v), scale in zip(enumerate(reversed(bag)), [bag.total, 2.0, 3.0], strict=True):
        total += i * v * scale
    for v, (w, u) in zip(x, zip(bag, reversed(bag), strict=True), strict=True):
        total += v * w * u
    return total * bag.total


def in_zip_in_order(x: np.ndarray) -> Any:
    bag = Bag(x)
    return sum(v * scale for v, scale in zip(bag, bag.scales, strict=True))


def in_a_list_of_pairs(x: np.ndarray) -> Any:
    bag = Bag(x)
    pairs = list(zip(enumerate(bag), bag.scales, strict=True))
    return sum(i * v * scale for (i, v), scale in pairs)


def whole_number(x: np.ndarray) -> Any:
    bag = Bag(x)
    return sum((v * v for v in bag), bag.passes) * bag.passes


def no_gradients(x: np.ndarray) -> Any:
    bag = Bag([1.0, 2.0, 3.0])
    return x[0] * sum((v * v for v in bag), bag.total)


def no_gradients_in_elements_that_have(x: np.ndarray) -> Any:
    bag = Bag([1.0, 2.0, 3.0])
    return sum((v * x[0] for v in bag), bag.total)


def by_items(x: np.ndarray) -> Any:
    walked = Walked(list(x))
    return sum((v * v for v in walked), walked.total) * walked.total


def suspended(x: np.ndarray) -> Any:
    bag = Bag(x)
    squares = (v * v for v in bag)
    total = bag.total
    return total * next(squares) + next(squares)


def suspended_map(x: np.ndarray) -> Any:
    bag = Bag(x)
    squares = map(lambda v: v * v, bag)  # noqa: C417
    total = bag.total
    return total * next(squares) + next(squares)


def never_begun(x: np.ndarray) -> Any:
    bag = Bag(x)
    squares = (v * v for v in bag)
    total = bag.total
    del squares
    return total * total


def in_any(x: np.ndarray) -> Any:
    bag = Bag(x)
    return x[1] * bag.total if any(v > 0 for v in bag) and bag.total > 0 else bag.total


def given_to_a_function(x: np.ndarray) -> Any:
    def weighted(values: Any, weight: Any) -> Any:
        return sum(v * weight for v in values)

    bag = Bag(x)
    return weighted((v * v for v in bag), bag.total)


def given_as_a_list(x: np.ndarray) -> Any:
    bag = Bag(x)
    return sum([v * v for v in bag], bag.total)


def made_by_a_generator(x: np.ndarray) -> Any:
    seen = [1.0]

    class Lazily:
        def __iter__(self) -> Iterator[Any]:
            seen.append(x[0])
            yield x[1]
            yield x[2]

    return sum((v * v for v in Lazily()), sum(seen))


def empty(x: np.ndarray) -> Any:
    bag = Bag(x)
    bag.values = [x[1]]
    return sum((v * v for v in bag if v > 10.0), bag.total)


def in_a_loop(x: np.ndarray) -> Any:
    bag = Bag(x)
    total = 0.0
    for _ in range(3):
        total += sum((v * v for v in bag), bag.total)
    return total


PROGRAMS = tuple(
    program
    for name, program in list(globals().items())
    if getattr(program, "__module__", None) == __name__
    and callable(program)
    and not (isinstance(program, type) or name.startswith("_"))
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_gradients(program: Callable[[Any], Any]) -> None:
    value, back = zg.pullback(program, X)
    assert float(value) == float(program(X))
    (gradient,) = back(1.0)
    np.testing.assert_allclose(gradient, differences(program, X), rtol=1e-7, atol=1e-8)
    np.testing.assert_array_equal(back(1.0)[0], gradient)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_directions(program: Callable[[Any], Any]) -> None:
    v = np.array([0.3, -0.2, 0.9])
    np.testing.assert_allclose(
        zg.pushforward(program, X)(v), differences(program, X) @ v, rtol=1e-7, atol=1e-8
    )


FEW = (start, default, counted, no_gradients, in_zip_behind_enumerate)
SOME = PROGRAMS if "ZYGPY_ALL_CASES" in os.environ else FEW


@pytest.mark.parametrize("program", SOME, ids=lambda program: program.__name__)
def test_second_derivatives(program: Callable[[Any], Any]) -> None:
    v = np.array([0.3, -0.2, 0.9])

    def along(x: Any) -> Any:
        return zg.gradient(program, x)[0] @ v

    np.testing.assert_allclose(zg.hvp(program, X, v), differences(along, X), rtol=1e-6, atol=1e-7)
