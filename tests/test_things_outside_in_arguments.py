"""Functions that put what others find into what they are given, as initialisations of objects do."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import units

ITEMS = [2.0]
ARRAY = np.array([1.0, 2.0])
TABLE: dict[str, Any] = {}


class Thing:
    part: Any
    items: Any


SHARED = Thing()


class Holding:
    def __init__(self) -> None:
        self.items = ITEMS


class Slotted:
    __slots__ = ("items",)

    def __init__(self) -> None:
        self.items = ITEMS


class HoldingMore:
    def __init__(self, x: Any) -> None:
        self.items = ITEMS
        self.x = x


class HoldingArray:
    def __init__(self) -> None:
        self.array = ARRAY


class HoldingPart:
    def __init__(self) -> None:
        self.part = ARRAY[1:]


class HoldingObject:
    def __init__(self) -> None:
        self.thing = SHARED


class Remembering:
    """One whose results are kept for all of its kind."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.table = TABLE

    def get(self, x: Any) -> Any:
        if self.name not in self.table:
            self.table[self.name] = x * x
        return self.table[self.name]


class Pooled:
    pool: list[Any] = []  # noqa: RUF012

    def __init__(self) -> None:
        self.items = self.pool


class Connected:
    items: Any = None

    def connect(self) -> None:
        self.items = ITEMS


def everything() -> list[Any]:
    return ITEMS


class Asking:
    def __init__(self) -> None:
        self.items = everything()


def fill(thing: Any) -> None:
    thing.items = ITEMS


def fill_by_another_name(thing: Any) -> None:
    same = thing
    thing = None
    same.items = ITEMS


def fill_in_a_list(thing: Any) -> None:
    if thing is not None:
        held = [thing]
        held[0].items = ITEMS
        thing = 3


def fill_deep(thing: Any) -> None:
    fill(thing)


def fill_part(thing: Any) -> None:
    thing.part.items = ITEMS


class Failed(Exception):
    pass


def fill_and_fail(thing: Any) -> None:
    thing.items = ITEMS
    raise Failed


def put(items: list[Any]) -> None:
    items.append(ITEMS)


def appended(x: Any) -> Any:
    Holding().items.append(x * x)
    return ITEMS[-1]


def read_by_another_object(x: Any) -> Any:
    first, second = Holding(), Holding()
    first.items.append(x)
    return second.items[-1] * x


def in_a_slot(x: Any) -> Any:
    first, second = Slotted(), Slotted()
    first.items.append(x)
    return second.items[-1] * ITEMS[-1]


def in_an_attempt(x: Any) -> Any:
    try:
        thing = Holding()
        thing.items.append(x * x)
    except ValueError:
        return x
    return ITEMS[-1]


def item_assigned(x: Any) -> Any:
    thing = Holding()
    thing.items[0] = x
    return ITEMS[0] * x


def beside_what_is_active(x: Any) -> Any:
    HoldingMore(x).items.append(x * x)
    return ITEMS[-1]


def array_written_to(x: Any) -> Any:
    HoldingArray().array[0] = x * x
    return float(ARRAY[0])


def view_written_to(x: Any) -> Any:
    HoldingPart().part[0] = x * x
    return float(ARRAY[1])


def field_of_an_object(x: Any) -> Any:
    HoldingObject().thing.part = x * x
    return SHARED.part


def remembered(x: Any) -> Any:
    Remembering("a").get(x)
    return Remembering("a").get(5.0)


def pooled(x: Any) -> Any:
    Pooled().items.append(x * x)
    return Pooled.pool[-1] * Pooled().items[-1]


def connected(x: Any) -> Any:
    thing = Connected()
    thing.connect()
    thing.items.append(x * x)
    return ITEMS[-1]


def asked_for(x: Any) -> Any:
    Asking().items.append(x * x)
    return ITEMS[-1]


def of_a_class_in_a_list(x: Any) -> Any:
    [Holding][0]().items.append(x * x)
    return ITEMS[-1]


def filled(x: Any) -> Any:
    thing = Thing()
    fill(thing)
    thing.items.append(x * x)
    return ITEMS[-1]


def filled_by_another_name(x: Any) -> Any:
    thing = Thing()
    fill_by_another_name(thing)
    thing.items.append(x * x)
    return ITEMS[-1]


def filled_in_a_list(x: Any) -> Any:
    thing = Thing()
    fill_in_a_list(thing)
    thing.items.append(x * x)
    return ITEMS[-1]


def filled_deep(x: Any) -> Any:
    thing = Thing()
    fill_deep(thing)
    same = thing
    same.items.append(x * x)
    return ITEMS[-1]


def filled_before_it_failed(x: Any) -> Any:
    thing = Thing()
    with contextlib.suppress(Failed):
        fill_and_fail(thing)
    thing.items.append(x * x)
    return ITEMS[-1]


def part_filled(x: Any) -> Any:
    thing, part = Thing(), Thing()
    thing.part = part
    fill_part(thing)
    part.items.append(x * x)
    return ITEMS[-1]


def put_into_a_list(x: Any) -> Any:
    items: list[Any] = []
    put(items)
    items[0].append(x * x)
    return ITEMS[-1]


def put_into_a_dict(x: Any) -> Any:
    table: dict[str, Any] = {}
    (lambda given: given.update(a=ITEMS))(table)
    table["a"].append(x * x)
    return ITEMS[-1]


def read_alone(x: Any) -> Any:
    return Holding().items[0] * x


PROGRAMS: list[Callable[[Any], Any]] = [
    *(
        in_a_slot,
        in_an_attempt,
        appended,
        read_by_another_object,
        item_assigned,
        beside_what_is_active,
        array_written_to,
    ),
    *(view_written_to, field_of_an_object, remembered, pooled, connected, asked_for),
    *(of_a_class_in_a_list, filled, filled_by_another_name, filled_in_a_list, filled_deep, part_filled),
    *(put_into_a_list, put_into_a_dict, read_alone, filled_before_it_failed),
]


def anew(program: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def function(x: Any) -> Any:
        reset()
        return program(x)

    return function


def reset() -> None:
    ITEMS[:] = [2.0]
    ARRAY[:] = [1.0, 2.0]
    TABLE.clear()
    Pooled.pool.clear()
    SHARED.part = 1.0


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_gradient(program: Callable[[Any], Any], specialise: bool) -> None:
    plain = anew(program)
    expected = (plain(0.6 + 1e-6) - plain(0.6 - 1e-6)) / 2e-6
    reset()
    with units.options(specialise=specialise):
        assert zg.gradient(program, 0.6) == pytest.approx((expected,), rel=1e-8)
    left = list(ITEMS)
    plain(0.6)
    assert list(ITEMS) == left
