"""What is taken out of things that are known only when the code runs, in forward mode and in products with
Hessians: sums, unpacked arguments, items of objects, and items that are changed in place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import pushing


class Table:
    """What keeps its items under pairs, and counts who asks."""

    def __init__(self, scale: Any) -> None:
        self.items: dict[Any, Any] = {}
        self.scale = scale
        self.asked = 0

    def __getitem__(self, key: Any) -> Any:
        self.asked += 1
        return self.items[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.items[key] = value * self.scale


class Added:
    """What is added in a way of its own."""

    def __init__(self, a: Any) -> None:
        self.a = a

    def __radd__(self, other: Any) -> Any:
        return self.a * (other + 1.0)


def held(x: Any, y: Any, key: str) -> Any:
    kept = {"list": [x, y, x * y], "tuple": (x, 2, y), "empty": [], "rows": [[x], [y]], "true": (True, x)}
    return kept[key]


def product(*factors: Any, scale: Any = 1.0) -> Any:
    for factor in factors:
        scale = scale * factor
    return scale


def changing(first: Any, *rest: Any) -> Any:
    first[0] = first[0] * rest[0]
    rest[1].append(first[0])
    return first[0] + len(rest)


def keywords(a: Any, b: Any = 2.0, *, c: Any, d: Any = 3.0, **rest: Any) -> Any:
    return a * b + c * d + sum(rest.values())


def lists_are_added_up(x: Any, y: Any) -> Any:
    rows = held(x, y, "rows")
    joined = sum(rows, [])  # noqa: RUF017 (it is what is tested)
    joined[0] = joined[0] * y
    return joined[0] * joined[1] + rows[0][0] + sum(held(x, y, "true")) * sum(held(x, y, "tuple"))


def what_a_sum_starts_with_is_given_back(x: Any, y: Any) -> Any:
    start = np.array([x, y])
    total = sum(held(x, y, "empty"), start)
    total[0] = total[0] * y
    return start[0] * start[1]


def iterators_are_used_up(x: Any, y: Any) -> Any:
    steps = iter(held(x, y, "list"))
    first = next(steps)
    return sum(steps) * first + sum(steps) + product(*iter([x, y]))


def arguments_are_unpacked(x: Any, y: Any) -> Any:
    table = {"c": x, "q": y * y}
    total = product(x, *held(x, y, "tuple"), y) + product(*held(x, y, "empty"), scale=x)
    total = total + product(*[np.array([x, y]), y]).sum()
    return total + keywords(x, **table) + keywords(*[x, y], **table, d=x) + keywords(y, c=x, b=x)


def what_is_unpacked_is_changed(x: Any, y: Any) -> Any:
    first, log = [x, y], [1.0]
    result = changing(first, *[y, log])
    return result * first[0] + log[-1] * x


def too_few_are_unpacked(x: Any, y: Any) -> Any:
    try:
        return keywords(*[x, y])
    except TypeError:
        return x * y * y


def items_of_objects(x: Any, y: Any) -> Any:
    table = Table(y)
    table[0, 1] = x
    table[1] = x * y
    return table[0, 1] * table[1] + table.asked * x * Added(*[y]).a


def items_change_in_place(x: Any, y: Any) -> Any:
    arrays, lists = [np.array([x, y]), np.array([1.0, x])], [[x], [y]]
    array, row = arrays[0], lists[0]
    arrays[0] += arrays[1]
    arrays[1] *= array
    arrays[0] /= arrays[0] * y
    lists[0] += [y]
    lists[1] += (x,)
    return array[0] * arrays[1][1] + row[1] * lists[1][1] * arrays[1][0]


def lists_grow(x: Any, y: Any) -> Any:
    twice = [x, y]
    alias = twice
    alias *= 2
    alias[3] = alias[3] * x
    grown = [x]
    grown += {"p": y, "q": x}.values()
    grown += {3: x}
    grown += range(2)
    return twice[3] * twice[2] + grown[1] * grown[2] * grown[3] + len(grown)


PROGRAMS = (
    lists_are_added_up,
    what_a_sum_starts_with_is_given_back,
    iterators_are_used_up,
    arguments_are_unpacked,
    what_is_unpacked_is_changed,
    too_few_are_unpacked,
    items_of_objects,
    items_change_in_place,
    lists_grow,
)

LEFT = (lists_are_added_up, what_a_sum_starts_with_is_given_back, iterators_are_used_up)
"""Those that are left to reverse mode."""

PULLED = (what_a_sum_starts_with_is_given_back, arguments_are_unpacked, what_is_unpacked_is_changed)
"""Those whose products with Hessians are compared, which takes more time."""

AT, ALONG = np.array([1.3, 0.7]), np.array([0.6, -0.9])


def slope(function: Any, step: float = 1e-4) -> Any:
    """Along the direction, by differences that are extrapolated."""
    wide, narrow = [
        (function(*(AT + h * ALONG)) - function(*(AT - h * ALONG))) / (2 * h) for h in (2 * step, step)
    ]
    return (4 * narrow - wide) / 3


@pytest.mark.parametrize("function", PROGRAMS)
def test_tangents_and_products_agree(function: Any) -> None:
    found = pushing.push_of(function, tuple(AT), any_result=True)
    assert isinstance(found, pushing.Push) or function in LEFT
    assert zg.pushforward(function, *AT)(*ALONG) == pytest.approx(slope(function), rel=1e-8)
    if function not in PULLED:
        return
    expected = slope(lambda x, y: np.array(zg.gradient(function, x, y)))
    for _ in range(3):
        made = zg.hvp(lambda at: function(*at), tuple(AT), tuple(ALONG))
        assert made == pytest.approx(expected, rel=1e-7)


def objects_are_added_up(x: Any, y: Any) -> Any:
    things = [Added(x), y]
    things.append(2)
    return sum([things[0]]) * sum(things[1:]) + sum(reversed(things))


def test_objects_that_are_added_up_are_left_to_reverse_mode() -> None:
    assert zg.pushforward(objects_are_added_up, *AT)(*ALONG) == pytest.approx(slope(objects_are_added_up))
