"""Containers that are looked at, or changed, by the elements that they take: `extend` appends each before
the next is computed, and a slice of a list has the bounds that this Python gives it."""

from __future__ import annotations

import itertools
import math
from collections import deque
from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg
from zygpy.units import options

STEP = 1e-3


def weighted(items: Any) -> Any:
    return sum(item * (place + 1) for place, item in enumerate(items))


def last_of_a_list(x: Any) -> Any:
    items = [x, x * 2]
    items.extend(items[-1] * v for v in [x, 2.0, x])
    return weighted(items)


def by_another_name(x: Any) -> Any:
    items = [x, x * 2]
    same = items
    items.extend(same[-1] * v for v in [x, 2.0])
    return weighted(items)


def held_by_another(x: Any) -> Any:
    items = [x, x * 2]
    holder = {"items": items}
    items.extend(holder["items"][-1] * v for v in [x, 2.0])
    return weighted(items)


def by_a_function(x: Any) -> Any:
    items = [x]

    def last(v: Any) -> Any:
        return items[-1] * v

    items.extend(last(v) for v in [x, 2.0])
    return weighted(items)


def by_a_call_in_between(x: Any) -> Any:
    out: list[Any] = []

    def walk(depth: int, value: Any) -> Any:
        out.append(value)
        if depth:
            out.extend(walk(depth - 1, value * k * x) for k in (1.0, 2.0))
        return value + x

    walk(2, x)
    return weighted(out)


class Held:
    def __init__(self, items: Any) -> None:
        self.items = items

    def last(self) -> Any:
        return self.items[-1]

    def times(self, v: Any) -> Any:
        return self.items[-1] * v

    def grow(self, x: Any) -> None:
        self.items.extend(self.items[0] * v * len(self.items) for v in [x, 2.0])
        self.items.extend(self.last() * v for v in [x, x])


def of_an_object(x: Any) -> Any:
    held = Held([x, x * 2])
    held.grow(x)
    return weighted(held.items)


def how_many(x: Any) -> Any:
    items: list[Any] = []
    items.extend(v * len(items) for v in [x, x, 2.0])
    return weighted(items) * x


def not_seen(x: Any) -> Any:
    items, others = [x, x * 2], [x * x, 3.0]
    items.extend(others[-1] * v for v in [x, 2.0])
    return weighted(items)


def bounded_queue(x: Any) -> Any:
    queue = deque([x, x * 2], 3)
    queue.extend(queue[0] * v for v in [x, 2.0, x])
    return weighted(queue)


def queue_by_an_operator(x: Any) -> Any:
    queue = deque([x, x * 2])
    queue += (queue[-1] * v for v in [x, 2.0])
    return weighted(queue)


def slice_that_grows(x: Any) -> Any:
    items = [x, x * 2, 3 * x]
    items[1:] = (items.append(v) or v * items[-1] for v in items[:2])
    return weighted(items)


def slice_by_a_generator(x: Any) -> Any:
    items = [x, x * 2, 3 * x]

    def more() -> Any:
        items.append(x)
        yield x * 5
        items.append(x * 7)

    items[1:] = more()
    items[-1:] = (items.append(v) or v for v in [x, x * x])
    return weighted(items)


def slice_that_shrinks(x: Any) -> Any:
    items = [x, x * 2, 3 * x]
    items[1:] = (items.pop() * v for v in [x])
    return weighted(items)


def slice_backwards(x: Any) -> Any:
    items = [x, x * 2, 3 * x]
    items[::-1] = (items[0] * v for v in [x, 2.0, 3.0])
    items[2::-2] = (items[1] * v for v in [x, x])
    return weighted(items)


def mapped(x: Any) -> Any:
    items = [x, x * 2]
    items.extend(map(lambda v: items[-1] * v, [x, 2.0, x]))  # noqa: C417
    return weighted(items)


def mapped_by_a_method(x: Any) -> Any:
    held = Held([x, x * 2])
    held.items.extend(map(held.times, [x, 2.0]))
    held.items.extend(itertools.islice(map(held.times, [x, 2.0, x]), 2))
    return weighted(held.items)


def mapped_by_what_it_is_given(x: Any) -> Any:
    items = [x, x * 2]
    items.extend(map(lambda held: held.items[-1] * x, [Held(items), Held(items)]))  # noqa: C417
    return weighted(items)


GLOBAL: list[Any] = []


def last_of_the_global(v: Any) -> Any:
    return GLOBAL[-1] * v


def mapped_by_a_global(x: Any) -> Any:
    GLOBAL.clear()
    GLOBAL.append(x)
    GLOBAL.extend(map(last_of_the_global, [x, 2.0]))
    return weighted(GLOBAL)


def filtered_and_accumulated(x: Any) -> Any:
    items = [x, x * 2]
    items.extend(filter(lambda v: len(items) < 4, [x, 2.0 * x, x]))
    items.extend(itertools.accumulate([x, 2.0], lambda a, v: a * v * items[-1]))
    items.extend(itertools.starmap(lambda a, b: a * b + items[-1], [(x, 2.0), (x, x)]))
    items.extend(itertools.takewhile(lambda v: items[-1] > -1.0 and len(items) < 9, [x, x, x]))
    return weighted(items)


def mapped_queue(x: Any) -> Any:
    queue = deque([x, x * 2], 3)
    queue.extend(map(lambda v: queue[0] * v, [x, 2.0, x]))  # noqa: C417
    return weighted(queue)


def mapped_by_what_sees_nothing(x: Any) -> Any:
    items = [x, x * 2]
    items.extend(map(lambda v: math.sin(v) * abs(v), [x, 2.0]))  # noqa: C417
    items.extend(map(math.sin, [x, x * x]))
    return weighted(items)


PROGRAMS = [
    last_of_a_list,
    by_another_name,
    held_by_another,
    by_a_function,
    by_a_call_in_between,
    of_an_object,
]
PROGRAMS += [how_many, not_seen, bounded_queue, queue_by_an_operator, slice_that_grows, slice_by_a_generator]
PROGRAMS += [slice_that_shrinks, slice_backwards]

MAPPED = [mapped, mapped_by_a_method, mapped_by_what_it_is_given, mapped_by_a_global, mapped_queue]
MAPPED += [filtered_and_accumulated, mapped_by_what_sees_nothing]


def slope(f: Callable[[Any], Any], x: float) -> float:
    """The derivative by differences."""
    one, two = f(x + STEP) - f(x - STEP), f(x + 2 * STEP) - f(x - 2 * STEP)
    return float(8 * one - two) / (12 * STEP)


@pytest.mark.parametrize(
    ("program", "specialise"),
    [*((one, True) for one in [*PROGRAMS, *MAPPED]), *((one, False) for one in [*PROGRAMS[::4], *MAPPED])],
)
def test_elements_see_what_they_see_in_a_plain_call(program: Any, specialise: bool) -> None:
    with options(specialise=specialise):
        value, back = zg.pullback(program, 1.5)
        assert value == program(1.5)
        assert back(1.0) == (pytest.approx(slope(program, 1.5), rel=1e-8),)
        assert back(1.0) == back(1.0)


@pytest.mark.parametrize("program", [*PROGRAMS[::3], *MAPPED], ids=lambda program: program.__name__)
def test_tangents(program: Any) -> None:
    assert zg.pushforward(program, 1.5)(1.0) == pytest.approx(slope(program, 1.5), rel=1e-8)


def wrong_length(x: Any) -> Any:
    items = [x, x * 2, 3 * x]
    items[::2] = (items.pop() * v for v in [x])
    return weighted(items)


def outcome(call: Any) -> Any:
    """What a call gives, or the text of what it raises."""
    try:
        return call()
    except ValueError as error:
        return str(error)


def test_a_slice_of_another_length_does_what_it_does_in_a_plain_call() -> None:
    assert outcome(lambda: zg.pullback(wrong_length, 1.5)[0]) == outcome(lambda: wrong_length(1.5))
