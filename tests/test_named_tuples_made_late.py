"""Named tuples that are made, or copied, by what is found when it is called; objects that hold sets."""

from __future__ import annotations

import copy
from collections import deque, namedtuple
from collections.abc import Callable, Iterator, Set
from typing import Any, NamedTuple

import pytest

import zygpy as zg
from zygpy import pipeline

Pair = namedtuple("Pair", "left right")


class Defaulted(NamedTuple):
    """Has a default."""

    left: Any
    right: Any = 2.0


MAKING: dict[str, Any] = {"pair": Pair, "defaulted": Defaulted, "by function": lambda xs: Pair(set(xs), xs)}


def by_a_class_in_a_table(x: Any) -> Any:
    made = MAKING["pair"]({x}, right=[x, x * x])
    return sum(v * v for v in made.left) * made.right[1]


def with_a_default(x: Any) -> Any:
    made = MAKING["defaulted"]({x, x * x})
    return max(made.left) * made.right * x


def under_a_try(x: Any) -> Any:
    try:
        made = MAKING["by function"]([x, x * x])
    except ValueError:
        return x
    made.left.add(x**3)
    return sum(made.left) * made[1][0]


COPYING: dict[str, Any] = {"deep": copy.deepcopy, "flat": copy.copy}


def copied_deeply(x: Any) -> Any:
    pair = Pair([x], x * x)
    copied = COPYING["deep"]([pair, pair])
    copied[0].left.append(x * x)
    return copied[1].left[1] * pair.left[0] * copied[0].right


def copied_with_what_it_shares(x: Any) -> Any:
    held = Defaulted([x, [x * x]])
    COPYING["flat"](held).left[1].append(x)
    return held.left[1][1] * held.left[1][0] * held.right


def copied_in_a_generator(x: Any) -> Any:
    def items(value: Any) -> Any:
        yield copy.deepcopy([value])[0]

    made = next(items(Defaulted([x], x * x)))
    return made.left[0] * made.right


PROGRAMS = (
    by_a_class_in_a_table,
    with_a_default,
    under_a_try,
    copied_deeply,
    copied_with_what_it_shares,
    copied_in_a_generator,
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_gradients(program: Callable[..., Any]) -> None:
    def slope(h: float) -> float:
        return float(program(1.5 + h) - program(1.5 - h)) / (2 * h)

    assert zg.gradient(program, 1.5)[0] == pytest.approx((4 * slope(5e-4) - slope(1e-3)) / 3, rel=1e-8)


class Weighted:
    """A number with things beside it."""

    def __init__(self, weight: Any, things: Any) -> None:
        self.weight, self.things = weight, things


@pytest.mark.parametrize("things", [deque([1.0, 2.0]), {1.0, 2.0}, frozenset({1.0, 2.0}), [deque([3.0])]])
def test_tangents_by_objects_that_hold_other_containers(things: Any) -> None:
    def square(held: Any) -> Any:
        return held.weight * held.weight * len(held.things)

    held = Weighted(3.0, things)
    assert zg.pushforward(square, held)({"weight": 2.0}) == 12.0 * len(things)


class Chosen(Set[Any]):
    """A set written in Python, with a field."""

    scale = 0.0

    def __contains__(self, item: object) -> bool:
        return False

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __len__(self) -> int:
        return 0


def test_tangents_of_fields_of_containers_in_objects() -> None:
    def scaled(held: Any) -> Any:
        return held.weight * held.things.scale

    held = Weighted(3.0, Chosen())
    held.things.scale = 2.0
    assert zg.pushforward(scaled, held)({"weight": 5.0}) == 10.0


def class_made_by_each_call(x: Any) -> Any:
    made = namedtuple("made", "a b", defaults=(2.0,))
    total = 0.0
    for row in [made(x * k, b=x) for k in range(3)] + [made(x)]:
        a, b = row
        total += a * b * row.a + row[1]
    return total


def class_statement_run_by_each_call(x: Any) -> Any:
    class Made(NamedTuple):
        a: Any
        b: Any

    made = Made(x, x * x)
    return made.a * made[1]


@pytest.mark.parametrize(
    ("program", "expected"),
    [(class_made_by_each_call, lambda x: 15 * x**2 + 4 * x + 3), (class_statement_run_by_each_call, None)],
)
def test_classes_that_calls_make_are_not_derived_for(
    program: Callable[[Any], Any], expected: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The class is another one at each call, for which nothing is derived again."""
    slope = 3 * 1.5**2 if expected is None else expected(1.5)
    assert zg.gradient(program, 1.5)[0] == pytest.approx(slope, rel=1e-12)
    assert zg.gradient(program, 1.5)[0] == pytest.approx(slope, rel=1e-12)
    monkeypatch.setattr(pipeline, "Derivation", None)
    assert zg.gradient(program, 1.5)[0] == pytest.approx(slope, rel=1e-12)
