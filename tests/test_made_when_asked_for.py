"""Globals, and attributes of classes, that hold nothing until a program puts a new thing there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

import zygpy as zg
from zygpy import units

NOTHING: Any = None
TEXT: Any = "text"
INSTANCE: Any = None
FACTOR = [2.0]


class Thing:
    v: Any


class Registered:
    items: Any = None
    only: Any = None

    @classmethod
    def get(cls) -> Any:
        if cls.only is None:
            cls.only = Registered()
        return cls.only

    @staticmethod
    def get_by_name() -> Any:
        if Registered.only is None:
            Registered.only = Registered()
        return Registered.only


@dataclass
class Made:
    x: Any
    factor: Any = field(default_factory=lambda: FACTOR[0])
    items: list[Any] = field(default_factory=list)
    factors: list[Any] = field(default_factory=lambda: [FACTOR[0]])


def instance() -> Any:
    global INSTANCE
    if INSTANCE is None:
        INSTANCE = Thing()
    return INSTANCE


def start() -> None:
    global NOTHING
    NOTHING = [0.0]


def put(x: Any) -> None:
    TEXT[0] = x


def dict_made_first(x: Any) -> Any:
    global NOTHING
    if NOTHING is None:
        NOTHING = {}
    NOTHING["a"] = x
    return sum(NOTHING.values()) * x


def list_in_place_of_text(x: Any) -> Any:
    global TEXT
    TEXT = [0.0]
    put(x)
    return TEXT[0] * x


def made_by_another(x: Any) -> Any:
    start()
    NOTHING[0] = x
    return NOTHING[0] * x


def only_instance(x: Any) -> Any:
    instance().v = x
    return instance().v * x


def only_instance_by_its_name(x: Any) -> Any:
    found = instance()
    found.v = x
    return INSTANCE.v * found.v


def attribute_of_a_class(x: Any) -> Any:
    Registered.items = [0.0]
    Registered.items[0] = x
    return Registered.items[0] * x


def only_one_of_a_class(x: Any) -> Any:
    Registered.get().v = x
    return Registered.get().v * x


def only_one_by_name(x: Any) -> Any:
    Registered.get_by_name().v = x
    return Registered.get_by_name().v * Registered.only.v


def tuple_with_a_list(x: Any) -> Any:
    global NOTHING
    NOTHING = (0.0, [0.0])
    NOTHING[1][0] = x
    return NOTHING[1][0] * x


def bound_by_a_loop(x: Any) -> Any:
    global NOTHING
    for NOTHING in ([0.0],):  # noqa: B007
        pass
    NOTHING[0] = x
    return NOTHING[0] * x


def augmented(x: Any) -> Any:
    global NOTHING
    NOTHING = [0.0]
    NOTHING += [x]
    return NOTHING[1] * x


def default_that_reads_what_is_stored(x: Any) -> Any:
    FACTOR[0] = x
    return Made(x).factor * x


def default_list(x: Any) -> Any:
    FACTOR[0] = x
    made = Made(x)
    made.items.append(x)
    return made.items[0] * made.factors[0]


PROGRAMS: list[Callable[[Any], Any]] = [
    *(dict_made_first, list_in_place_of_text, made_by_another, only_instance, only_instance_by_its_name),
    *(attribute_of_a_class, only_one_of_a_class, only_one_by_name, tuple_with_a_list, bound_by_a_loop),
    *(augmented, default_that_reads_what_is_stored, default_list),
]


def reset() -> None:
    global NOTHING, TEXT, INSTANCE
    NOTHING, TEXT, INSTANCE = None, "text", None
    Registered.items, Registered.only = None, None
    FACTOR[0] = 2.0


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_gradient(program: Callable[[Any], Any], specialise: bool) -> None:
    """Each is the square of its argument."""
    with units.options(specialise=specialise):
        for _ in range(2):
            reset()
            value, back = zg.pullback(program, 0.6)
            assert value == pytest.approx(0.36)
            assert back(1.0) == pytest.approx((1.2,))
    reset()
