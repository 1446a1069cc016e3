"""Objects that change something when they are asked for a text, or compared, deep inside of what is asked."""

from __future__ import annotations

import dataclasses
import inspect
from collections import OrderedDict, deque
from types import SimpleNamespace
from typing import Any

import pytest

import zygpy as zg
from zygpy import units

LOG: list[Any] = []


class Changing:
    """What changes when it is asked."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __repr__(self) -> str:
        self.value = self.value * 2
        return "Changing"

    def __eq__(self, other: object) -> bool:
        self.value = self.value * 3
        return True

    __hash__ = object.__hash__


@dataclasses.dataclass(frozen=True)
class Point:
    """What says its fields."""

    x: Any
    y: Any = dataclasses.field(default=1.0, repr=False)


WRAPPED = [
    lambda c: [[c]],
    lambda c: {"a": [c]},
    lambda c: (1, (c,)),
    lambda c: deque([c]),
    lambda c: OrderedDict(a=c),
    lambda c: {c},
    lambda c: SimpleNamespace(a=c),
    lambda c: [Point(c)],
    lambda c: Point([c]),
]


def percent(value: Any) -> str:
    return "%s" % (value,)  # noqa: UP031


ASKED = [repr, str, lambda value: f"{value}", percent]


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("wrap", WRAPPED)
def test_what_would_be_lost_is_refused(wrap: Any, *, specialise: bool) -> None:
    def program(x: float, ask: Any) -> Any:
        inside = Changing(x)
        LOG.append(ask(wrap(inside)))
        return inside.value * inside.value

    for ask in ASKED:
        with (
            units.options(specialise=specialise),
            pytest.raises(zg.UnsupportedSyntaxError, match="change"),
        ):
            zg.gradient(program, 2.0, ask)


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
def test_comparing_is_followed_or_refused(*, specialise: bool) -> None:
    def lists(x: float) -> Any:
        inside = Changing(x)
        LOG.append([[inside]] == [[Changing(x)]])
        return inside.value * inside.value

    def dicts(x: float) -> Any:
        inside = Changing(x)
        LOG.append({"a": inside} == {"a": Changing(x)})
        return inside.value * inside.value

    def less(x: float) -> Any:
        inside = Changing(x)
        LOG.append([(inside, 1)] < [(Changing(x), 2)])
        return inside.value * inside.value

    def in_a_list(x: float) -> Any:
        inside = Changing(x)
        LOG.append([Changing(x)] in [[inside]])
        return inside.value * inside.value

    def in_a_dict(x: float) -> Any:
        inside = Changing(x)
        LOG.append([1.0, Changing(x)] in {"a": [1.0, inside]}.values())
        return inside.value * inside.value

    with units.options(specialise=specialise):
        assert zg.gradient(lists, 2.0) == (pytest.approx(36.0),)
        for program in (dicts, less, in_a_list, in_a_dict):
            with pytest.raises(zg.UnsupportedSyntaxError, match="may change something"):
                zg.gradient(program, 2.0)


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
def test_texts_of_dataclasses(*, specialise: bool) -> None:
    def program(x: float) -> Any:
        point = Point(x, Point(x * x))
        LOG.append(repr(point) + str([point, {"a": point.y}]) + f"{point!r} {point}")
        return point.x * point.y.x

    LOG.clear()
    program(2.0)
    expected = [*LOG]
    LOG.clear()
    with units.options(specialise=specialise):
        assert zg.gradient(program, 2.0) == (pytest.approx(12.0),)
    assert expected == LOG


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
def test_a_key_is_not_compared_with_values(*, specialise: bool) -> None:
    def program(x: float) -> Any:
        table = {"s": inspect.signature(sorted), "c": Changing(x)}
        table["y"] = x * x
        if "y" in table and "z" not in table:
            return table["y"] * table["c"].value
        return x

    def in_the_fields(x: float) -> Any:
        held = SimpleNamespace(s=inspect.signature(sorted), c=Changing(x))
        held.y = x * x
        return held.__dict__["y"] * held.c.value if "y" in held.__dict__ else x

    with units.options(specialise=specialise):
        assert zg.gradient(program, 2.0) == (pytest.approx(12.0),)
        assert zg.gradient(in_the_fields, 2.0) == (pytest.approx(12.0),)


def test_a_dict_that_is_sought_is_compared_with_its_values() -> None:
    def program(x: float) -> Any:
        inside = Changing(x)
        LOG.append({"a": Changing(x)} in [{"a": inside}])
        return inside.value * inside.value

    with pytest.raises(zg.UnsupportedSyntaxError, match="may change something"):
        zg.gradient(program, 2.0)
