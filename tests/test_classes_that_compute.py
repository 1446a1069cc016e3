"""Operations on classes - on items, attributes and operators that a metaclass, a `__class_getitem__` or a
descriptor says in Python what they do: what they are given, keep and give has its gradient."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg
from zygpy import units


class Meta(type):
    """Makes objects of its classes in many ways, and keeps what it is given."""

    store: dict[str, Any] = {}  # noqa: RUF012
    held = 1.0

    def __getitem__(cls, key: Any) -> Any:
        return cls.store[key] if isinstance(key, str) else cls(key)

    def __setitem__(cls, key: str, value: Any) -> None:
        cls.store[key] = value

    def __delitem__(cls, key: str) -> None:
        cls.store[key] = cls.store[key] * 2

    def __add__(cls, other: Any) -> Any:
        return cls(other)

    def __rmul__(cls, other: Any) -> Any:
        return other * other

    def __iadd__(cls, other: Any) -> Any:
        cls.store["added"] = other
        return cls

    def __invert__(cls) -> Any:
        return cls(2.0)

    def __iter__(cls) -> Any:
        return iter([cls(2.0), cls(3.0)])

    @property
    def kept(cls) -> Any:
        return cls.store["kept"]

    @property
    def last(cls) -> Any:
        return cls.held

    @last.setter
    def last(cls, value: Any) -> None:
        cls.held = value

    def put(cls, value: Any) -> None:
        cls.store["kept"] = value


class Made(metaclass=Meta):
    def __init__(self, v: Any) -> None:
        self.v = v


class Asked(Meta):
    def __contains__(cls, key: Any) -> bool:
        cls.store["asked"] = key
        return True


class Searched(metaclass=Asked):
    pass


class Answering(Meta):
    """Makes up whatever attribute a class is asked for."""

    def __getattr__(cls, name: str) -> Any:
        return cls.store.get(name, 1.0)


class Answered(metaclass=Answering):
    def __init__(self, v: Any) -> None:
        self.v = v


class OfItems:
    kept: list[Any] = []  # noqa: RUF012

    def __init__(self, v: Any) -> None:
        self.v = v

    def __class_getitem__(cls, key: Any) -> Any:
        cls.kept.append(key)
        return cls(key)


class Described:
    store: dict[str, Any] = {}  # noqa: RUF012

    def __get__(self, owner: Any, cls: Any) -> Any:
        return Described.store["described"]


class Describing:
    found = Described()


class Registry:
    table: dict[str, Any] = {}  # noqa: RUF012

    @classmethod
    def put(cls, value: Any) -> None:
        cls.table["put"] = value

    @classmethod
    def get(cls) -> Any:
        return cls.table["put"]


def item(x: float, y: float) -> float:
    return Made[y].v * x


def item_of_a_variable(x: float, y: float) -> float:
    cls = Made
    return cls[y].v * cls(x).v


def item_of_what_is_given(x: float, y: float) -> float:
    def made(cls: Any, value: Any) -> Any:
        return cls[value]

    return made(Made, y).v * x


def item_and_call(x: float, y: float) -> float:
    return Made(x).v * Made[y].v


def item_of_one_that_answers_all(x: float, y: float) -> float:
    return Answered[y].v * x


def attribute_that_is_made_up(x: float, y: float) -> float:
    Answered["made_up"] = x
    return Answered.made_up * y


def changed_item(x: float, y: float) -> float:
    Made["a"] = x
    del Made["a"]
    Made["a"] *= y
    return Made["a"] * y


def asked(x: float, y: float) -> float:
    return Searched["asked"] * y if x in Searched else x


def operators(x: float, y: float) -> float:
    return (Made + y).v * (x * Made)


def added_in_place(x: float, y: float) -> float:
    cls = Made
    cls += x
    return Made["added"] * y


def inverted(x: float, y: float) -> float:
    made = ~Made
    made.v *= x
    return made.v * y


def walked_over(x: float, y: float) -> float:
    total = 0.0
    for made in Made:
        made.v *= y
        total += made.v * x
    return total


def property_of_a_class(x: float, y: float) -> float:
    Made.put(x)
    return Made.kept * y


def property_that_is_assigned(x: float, y: float) -> float:
    Made.last = x
    return Made.last * Made.held * y


def item_by_the_class(x: float, y: float) -> float:
    return OfItems[y].v * x


def item_that_is_kept(x: float, y: float) -> float:
    OfItems.kept.clear()
    OfItems[x]
    return OfItems.kept[0] * y


def descriptor_of_a_class(x: float, y: float) -> float:
    Described.store["described"] = x
    return Describing.found * y


def kept_by_a_method_of_a_class(x: float, y: float) -> float:
    Registry.put(x)
    return Registry.get() * Registry.table["put"] * y


PROGRAMS = (
    item,
    item_of_a_variable,
    item_of_what_is_given,
    item_and_call,
    item_of_one_that_answers_all,
    attribute_that_is_made_up,
    changed_item,
    asked,
    operators,
    added_in_place,
    inverted,
    walked_over,
    property_of_a_class,
    property_that_is_assigned,
    item_by_the_class,
    item_that_is_kept,
    descriptor_of_a_class,
    kept_by_a_method_of_a_class,
)


def differences(f: Callable[[float, float], float], x: float, y: float) -> list[float]:
    """The two slopes by central differences, extrapolated twice."""

    def slope(g: Callable[[float], float]) -> float:
        steps = [(g(h) - g(-h)) / (2 * h) for h in (1e-2, 5e-3, 2.5e-3)]
        once = [(4 * fine - coarse) / 3 for coarse, fine in itertools.pairwise(steps)]
        return (16 * once[1] - once[0]) / 15

    return [slope(lambda t: f(x + t, y)), slope(lambda t: f(x, y + t))]


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("program", PROGRAMS)
def test_gradients(program: Callable[..., Any], specialise: bool) -> None:
    with units.options(specialise=specialise):
        value, back = zg.pullback(program, 0.7, 1.3)
        bars = back(1.0)
    assert value == program(0.7, 1.3)
    assert bars == pytest.approx(differences(program, 0.7, 1.3), rel=1e-8)


@pytest.mark.parametrize("program", [item, item_by_the_class])
def test_second_derivatives(program: Callable[..., Any]) -> None:
    def slope(x: float, y: float) -> Any:
        return zg.gradient(program, x, y)[0]

    assert zg.gradient(slope, 0.7, 1.3) == pytest.approx(differences(slope, 0.7, 1.3), rel=1e-8)
