"""Lazy builtins that raise as soon as they are called, for want of arguments or of something to walk over:
programs that catch that go the way that a plain call goes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg
from zygpy.units import options


def called(function: Any, *args: Any) -> Any:
    return function(*args)


def twice(item: Any) -> Any:
    return item * 2.0


def doubled(items: Any) -> Any:
    """What is no iterable counts three times."""
    try:
        found = map(twice, items)
    except TypeError:
        return items * 3.0
    return sum(found)


def summed_in_pairs(x: Any) -> Any:
    try:
        found = zip([x], x, strict=True)
    except TypeError:
        return x * 3.0
    return sum(a * b for a, b in found)


def accumulated(x: Any) -> Any:
    try:
        found = itertools.accumulate(x)
    except TypeError:
        return x * 3.0
    return sum(found)


CALLS: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    "map of nothing": lambda x: (map, math.exp),
    "map": lambda x: (map, math.exp, x),
    "zip": lambda x: (zip, [x], x),
    "filter": lambda x: (filter, None, x),
    "enumerate": lambda x: (enumerate, x),
    "starmap": lambda x: (itertools.starmap, math.pow, x),
    "islice": lambda x: (itertools.islice, x, 3),
    "cycle": lambda x: (itertools.cycle, x),
    "repeat": lambda x: (itertools.repeat, x, 1.5),
    "groupby": lambda x: (itertools.groupby, x),
}


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_refused_by_name(call: Callable[[Any], tuple[Any, ...]], specialise: bool) -> None:
    def program(x: Any) -> Any:
        try:
            called(*call(x))
        except TypeError:
            return x * 3.0
        return x

    with options(specialise=specialise):
        assert zg.withgradient(program, 2.0) == (6.0, (3.0,))
        assert zg.pushforward(program, 2.0)(1.0) == 3.0


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("program", [doubled, summed_in_pairs, accumulated])
def test_refused(program: Callable[[Any], Any], specialise: bool) -> None:
    with options(specialise=specialise):
        assert zg.withgradient(program, 2.0) == (6.0, (3.0,))
        assert zg.pushforward(program, 2.0)(1.0) == 3.0


def test_what_can_be_walked_over() -> None:
    assert zg.gradient(doubled, [1.5, 2.5]) == ([2.0, 2.0],)


def unused(x: Any) -> Any:
    zip([x], x, strict=True)
    return x


def test_not_caught() -> None:
    with pytest.raises(TypeError):
        zg.gradient(unused, 2.0)


class Setting:
    """Sets its fields by a method that is bound to it before, as generated initialisers do."""

    def __init__(self, x: Any, y: Any) -> None:
        put = object.__setattr__.__get__(self)
        put("x", x)
        put("y", y)


class SettingAbove:
    def __init__(self, x: Any, y: Any) -> None:
        put = super().__setattr__
        put("x", x)
        put("y", x)
        super().__delattr__("y")
        drop = self.__delattr__
        put("y", x)
        drop("y")
        self.__setattr__("y", y)


class SettingOwn:
    kept: Any

    def __init__(self, x: Any, y: Any) -> None:
        put = self.__setattr__
        put("x", x)
        put("kept", y)

    @property
    def y(self) -> Any:
        return self.kept

    @y.setter
    def y(self, y: Any) -> None:
        self.kept = y * 1.0


def again(thing: Any) -> Any:
    put = object.__setattr__.__get__(thing)
    put("y", thing.y * thing.x)
    return thing.x * thing.y


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("cls", [Setting, SettingAbove, SettingOwn])
def test_slots_under_names(cls: type, specialise: bool) -> None:
    def program(x: Any, y: Any) -> Any:
        return again(cls(x, y))

    with options(specialise=specialise):
        assert zg.gradient(program, 1.5, 2.0) == (6.0, 2.25)
        back = zg.pullback(program, 1.5, 2.0)[1]
        assert back(1.0) == back(1.0) == (6.0, 2.25)
        assert zg.pushforward(program, 1.5, 2.0)(1.0, 1.0) == 8.25
