"""Tables that a program fills under keys that vary: entries of earlier calls have no derivative."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg
from zygpy.errors import UnsupportedSyntaxError
from zygpy.testing import check_gradient


def remembering(f: Callable[..., Any]) -> Callable[..., Any]:
    kept: dict[Any, Any] = {}

    def wrapper(*args: Any) -> Any:
        if args not in kept:
            kept[args] = f(*args)
        return kept[args]

    return wrapper


@remembering
def squared(v):
    return v * v


def by_decorator(x):
    return squared(x) * x + squared(x)


TABLE: dict[float, Any] = {}


def by_global(x):
    if x not in TABLE:
        TABLE[x] = x * x
    return TABLE[x] * x


class Model:
    def __init__(self) -> None:
        self.kept: dict[float, Any] = {}

    def value(self, x):
        found = self.kept.get(x)
        if found is None:
            found = self.kept[x] = x * x * x
        return found


MODEL = Model()


def by_object(x):
    return MODEL.value(x) + x


PROGRAMS = {
    by_decorator: lambda x: 3 * x * x + 2 * x,
    by_global: lambda x: 3 * x * x,
    by_object: lambda x: 3 * x * x + 1,
}


@pytest.mark.parametrize("f", PROGRAMS)
def test_entries_of_earlier_calls_are_refused(f):
    derivative = PROGRAMS[f]
    assert zg.gradient(f, 0.7)[0] == pytest.approx(derivative(0.7))
    assert zg.pushforward(f, 0.8)(1.0) == pytest.approx(derivative(0.8))
    f(0.9)
    for x in (0.7, 0.8, 0.9):
        with pytest.raises(UnsupportedSyntaxError, match="which varies, that the running call has not made"):
            zg.gradient(f, x)
    with pytest.raises(UnsupportedSyntaxError, match="which varies, that the running call has not made"):
        zg.pushforward(f, 0.8)(1.0)
    assert zg.gradient(f, 1.1)[0] == pytest.approx(derivative(1.1))


def local_table(x):
    kept: dict[float, Any] = {}

    def fibonacci(t):
        if t < 2.0:
            return t * x
        if t not in kept:
            kept[t] = fibonacci(t - 1.0) + fibonacci(t - 2.0)
        return kept[t]

    return fibonacci(x)


def local_object(x):
    model = Model()
    return model.value(x) * model.value(x) + model.value(2 * x)


HISTORY: dict[float, Any] = {}


def recording(x):
    HISTORY[x] = x * x
    return HISTORY[x] + x


COUNTS: dict[int, float] = {}


def whole_keys(x, n=10):
    if n not in COUNTS:
        COUNTS[n] = 2.0 if n < 2 else whole_keys(1.0, n - 1) + whole_keys(1.0, n - 2)
    return COUNTS[n] * x


@pytest.mark.parametrize("f", [local_table, local_object, recording, whole_keys])
def test_entries_of_the_running_call_are_differentiated(f):
    for _ in range(2):
        check_gradient(f, 5.25)


def remembered(kept, x):
    if x not in kept:
        kept[x] = x * x
    return kept[x]


class Holder:
    def __init__(self, x):
        self.kept = {}
        self.kept[x] = x * x * x
        self.other = {2 * x: x}


def filled_by_others(x):
    holder, kept = Holder(x), {}
    kept[x] = 2 * x
    tables = {"a": {}, "b": {x: 3 * x}}
    tables["a"][x] = x * x
    found = [holder.kept, kept, *tables.values(), {x: x, 3 * x: x}, dict(zip([x], [4 * x], strict=True))]
    return sum([remembered(one, x) for one in found]) * remembered(holder.other, 2 * x)


def filled_from_others(x):
    HISTORY.clear()
    HISTORY.update({x: x * x})
    copied = HISTORY.copy()
    copied.update([(2 * x, x)])
    both = copied | {3 * x: x}
    return remembered(HISTORY, x) * remembered(copied, 2 * x) * remembered(both, x) * remembered(both, 3 * x)


SUMS: Any = collections.defaultdict(float)


def summed(x):
    SUMS.clear()
    SUMS[x] += x * x
    SUMS[2 * x] += SUMS[x]
    return SUMS[x] * SUMS[2 * x] + SUMS[3 * x]


@pytest.mark.parametrize("f", [filled_by_others, filled_from_others, summed])
def test_what_the_running_call_has_put_there_in_any_way_is_differentiated(f):
    for x in (1.25, 1.25, 0.5):
        check_gradient(f, x)


class Making(dict):
    def __missing__(self, x):
        self[x] = x * x
        return self[x]


MADE = Making()


def made_by_the_table(x):
    return MADE[x] * x


class Box:
    def __init__(self) -> None:
        self.kept: dict[float, Any] = {}

    def __contains__(self, x):
        return x in self.kept

    def __getitem__(self, x):
        return self.kept[x]

    def __setitem__(self, x, value):
        self.kept[x] = value


BOX = Box()


def boxed(x):
    if x not in BOX:
        BOX[x] = x * x
    return BOX[x] * x


COPIED: dict[float, Any] = {}


def by_a_copy(x):
    copied = COPIED.copy()
    found = remembered(copied, x)
    COPIED.update(copied)
    return found * x


@pytest.mark.parametrize("f", [made_by_the_table, boxed, by_a_copy])
def test_entries_left_where_others_read_them_are_refused(f):
    assert zg.gradient(f, 0.7)[0] == pytest.approx(3 * 0.7**2)
    with pytest.raises(UnsupportedSyntaxError, match="which varies, that the running call has not made"):
        zg.gradient(f, 0.7)
    assert zg.gradient(f, 1.1)[0] == pytest.approx(3 * 1.1**2)


CONSTANTS = {0.5: 2.0, 1.5: 4.0}


def looked_up(x):
    return CONSTANTS.get(x, 1.0) * CONSTANTS[x] * x


def test_a_table_of_constants_is_one():
    assert [zg.gradient(looked_up, 1.5)[0] for _ in range(2)] == [16.0, 16.0]


class Given:
    def fields(self, /, **given):
        return given["self"] * given["other"]


def by_place(a, b=2.0, /, **given):
    return a * b * given["a"] * given.get("b", 1.5)


def keywords_of_parameters_by_place(x):
    functions = [by_place, lambda a, /, **given: a * given["a"]]
    taken = Given().fields(self=x, other=x)
    return taken + by_place(x, a=x, b=x) + sum([f(x, a=2 * x) for f in functions])


def test_keywords_may_have_the_names_of_parameters_that_are_given_by_place():
    check_gradient(keywords_of_parameters_by_place, 1.3)
