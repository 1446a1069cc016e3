"""Things that are changed in place, under any name: gradients against central differences.

Every program is differentiated at one point, called plainly around it, and differentiated twice by one
`back`. Programs of two numbers make their things themselves; the others are given them as arguments.
"""

from __future__ import annotations

import collections
import copy
import dataclasses
import functools
import math
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pytest

import zygpy as zg
from zygpy.runtime.records import Record

STEP = 1e-5
POINT = (1.3, 2.1)


class Thing:
    """An object with the fields that it is given."""

    def __init__(self, x: Any = None, y: Any = None, items: Any = None, table: Any = None) -> None:
        self.x = x
        self.y = y
        self.items = items
        self.table = table


# ------------------------------------------------------------------------------------- what is compared


def leaves(value: Any, path: tuple[Any, ...] = (), seen: Any = None) -> Iterator[tuple[Any, Any, Any, Any]]:
    """The path, owner, key and value of all that is no container, where it is found first."""
    seen = set() if seen is None else seen
    if not isinstance(value, tuple) and id(value) in seen:
        return
    seen.add(id(value))
    for key, item in parts_of(value):
        if isinstance(item, int | float | complex | str | None):
            yield (*path, key), value, key, item
        else:
            yield from leaves(item, (*path, key), seen)


def parts_of(value: Any) -> list[tuple[Any, Any]]:
    """What a container has, by index, key or name."""
    if isinstance(value, np.ndarray):
        return [(index, value[index]) for index in np.ndindex(value.shape)]
    if isinstance(value, list | tuple):
        return list(enumerate(value))
    if isinstance(value, dict):
        return list(value.items())
    names = [name for cls in type(value).__mro__ for name in getattr(cls, "__slots__", ())]
    own = [(name, getattr(value, name)) for name in names if hasattr(value, name)]
    return [*getattr(value, "__dict__", {}).items(), *own]


def at(bar: Any, path: tuple[Any, ...]) -> Any:
    """The cotangent that belongs to a path, zero where there is none."""
    for key in path:
        if isinstance(bar, Record):
            bar = bar._asdict()
        bar = bar.get(key) if isinstance(bar, dict) else bar if bar is None else bar[key]
        if bar is None:
            return 0.0
    return bar


def moved(make: Callable[[], list[Any]], path: tuple[Any, ...], step: float) -> list[Any]:
    """The arguments with one number changed."""
    args = make()
    for found, owner, key, value in leaves(args):
        if found == path:
            if isinstance(owner, list | dict | np.ndarray):
                owner[key] = value + step
            else:
                setattr(owner, key, value + step)
            return args
    raise AssertionError(path)


def slopes(function: Any, make: Callable[[], list[Any]]) -> dict[tuple[Any, ...], float]:
    """Central differences by every real number in the arguments."""
    found = {}
    for path, owner, _, value in leaves(make()):
        if isinstance(value, float | np.floating) and not isinstance(owner, tuple):
            up, down = function(*moved(make, path, STEP)), function(*moved(make, path, -STEP))
            found[path] = (up - down) / (2 * STEP)
    assert found
    return found


def state(args: Any) -> list[Any]:
    return [(path, value) for path, _, _, value in leaves(args)]


def check(function: Any, make: Callable[[], list[Any]]) -> None:
    """Values, what became of the arguments, and gradients, twice and for another seed."""
    plain, args = make(), make()
    expected = function(*plain)
    value, back = zg.pullback(function, *args)
    assert value == expected and type(value) is type(expected)
    assert state(args) == state(plain)
    bars, again, doubled = back(1.0), back(1.0), back(2.0)
    for path, slope in slopes(function, make).items():
        assert at(bars, path) == pytest.approx(slope, rel=1e-7, abs=1e-8), path
        assert at(again, path) == at(bars, path)
        assert at(doubled, path) == pytest.approx(2.0 * at(bars, path), rel=1e-14)
    assert state(args) == state(plain)


PROGRAMS: list[Any] = []
"""Programs of two numbers."""
ON_ARGUMENTS: list[Any] = []
"""Pairs of a program and what makes its arguments."""


def program(function: Any) -> Any:
    PROGRAMS.append(function)
    return function


def on(*make: Any) -> Any:
    """The program that follows has these arguments."""

    def register(function: Any) -> Any:
        ON_ARGUMENTS.append(pytest.param(function, lambda: make[0](), id=function.__name__))
        return function

    return register


# -------------------------------------------------------------------------------------- plain classes


class Account:
    rate = 1.5

    def __init__(self, start: float) -> None:
        self.total = start
        self.history = [start]

    def pay(self, amount: float) -> Account:
        self.total = self.total * amount + self.history[-1]
        self.history.append(amount)
        return self

    def worth(self) -> float:
        return self.total * self.rate

    @classmethod
    def rated(cls, start: float) -> float:
        return start * cls.rate

    @staticmethod
    def doubled(value: float) -> float:
        return value * 2


class Savings(Account):
    def pay(self, amount: float) -> Account:
        Account.pay(self, amount * amount)
        self.total += amount
        return self


@program
def methods_change_their_object(x, y):
    account = Account(x)
    same = account
    same.pay(y).pay(x)
    return account.worth() * account.history[1] * same.total


@program
def a_class_attribute_is_shadowed(x, y):
    account = Account(x)
    before = account.worth()
    account.rate = y * x
    return before * account.worth()


@program
def class_and_static_methods(x, y):
    account = Account(Account.rated(x))
    account.total *= Account.doubled(y)
    return account.rated(account.total) * account.history[0]


@program
def inherited_methods(x, y):
    savings = Savings(x)
    savings.pay(y)
    return savings.worth() * savings.history[1] + savings.total


@program
def fields_under_two_names(x, y):
    thing = Thing(x, y)
    other = thing
    other.x = thing.x * thing.y
    thing.y = other.x + thing.y
    return other.x * other.y


@program
def fields_that_are_swapped(x, y):
    thing = Thing(x, y)
    thing.x, thing.y = thing.y * 2, thing.x * thing.y
    thing.x += thing.y
    return thing.x * thing.x * thing.y


@program
def a_field_that_is_deleted(x, y):
    thing = Thing(x, y)
    kept = thing.x * thing.y
    del thing.x
    thing.x = kept * y
    return thing.x * kept


@program
def an_object_in_an_object(x, y):
    outer = Thing(Thing(x), [Thing(y)])
    inner = outer.x
    inner.x = inner.x * outer.y[0].x
    outer.y[0].x = inner.x * x
    return outer.x.x * outer.y[0].x


@program
def an_object_that_holds_itself(x, y):
    thing = Thing(x, y)
    thing.items = thing
    thing.items.items.x = thing.x * thing.y
    return thing.x * thing.items.y


@program
def a_chain_of_objects(x, y):
    first = last = Thing(x)
    for _ in range(3):
        last.items = Thing(last.x * y)
        last = last.items
    first.items.x = first.items.x * x
    total, here = 0.0, first
    while here is not None:
        total, here = total + here.x, here.items
    return total


@program
def loops_with_exits(x, y):
    thing = Thing(x, y)
    for number in range(6):
        if number == 1:
            continue
        if number == 4:
            break
        thing.x = thing.x * thing.y
    else:
        thing.x = 0.0
    return thing.x


@program
def loops_that_write_to_their_target(x, y):
    thing, pair = Thing(x, y), [0.0, 0.0]
    for thing.items in [thing.x, thing.y]:  # noqa: B020
        thing.x = thing.x * thing.items
    for pair[0] in [x, y]:
        pair[1] += pair[0] * pair[0]
    return thing.x * pair[0] * pair[1]


@program
def recursion_through_an_object(x, y):
    def descend(thing, depth):
        if depth == 0:
            return thing.x
        thing.x = thing.x * thing.y
        thing.items.append(thing.x)
        return descend(thing, depth - 1) + thing.items[depth - 1]

    return descend(Thing(x, y, []), 3)


# ---------------------------------------------------------------------------------------- dataclasses


@dataclass
class Layer:
    weight: float
    bias: float = 2.0
    seen: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.seen.append(self.weight)
        self.weight = self.weight * self.bias

    def apply(self, value: float) -> float:
        self.seen.append(value)
        return self.weight * value + self.bias


@dataclass(frozen=True)
class Fixed:
    weight: float
    seen: list[Any]


@dataclass(slots=True)
class Compact:
    weight: float
    bias: float = 3.0


@dataclass
class Counted(Layer):
    count: float = 1.0

    def apply(self, value: float) -> float:
        self.count *= value
        return Layer.apply(self, value) * self.count


@program
def a_dataclass_with_post_init(x, y):
    layer = Layer(x, bias=y)
    same = layer
    same.weight *= layer.apply(x)
    return layer.weight * same.seen[0] * layer.seen[1]


@program
def a_dataclass_with_a_default(x, y):
    layer = Layer(x)
    layer.bias = layer.bias * y
    return layer.apply(y) * layer.bias


@program
def a_frozen_dataclass_with_a_list(x, y):
    fixed = Fixed(x, [y])
    fixed.seen.append(fixed.weight * y)
    same = fixed
    same.seen[0] *= x
    return fixed.seen[0] * fixed.seen[1] * same.weight


@program
def a_dataclass_with_slots(x, y):
    compact = Compact(x, y)
    same = compact
    same.weight = same.weight * same.bias
    compact.bias += same.weight
    return compact.weight * same.bias + Compact(y).bias * y


@program
def a_dataclass_with_a_base(x, y):
    counted = Counted(x, y)
    return counted.apply(y) * counted.apply(x) * counted.count


# ------------------------------------------------------------------------------- how fields are reached


class Slotted:
    __slots__ = ("first", "second")

    def __init__(self, first: Any, second: Any) -> None:
        self.first = first
        self.second = second

    def mix(self) -> None:
        self.first, self.second = self.first * self.second, self.first


class Squared:
    """A property that keeps the square of what is assigned."""

    def __init__(self, value: float) -> None:
        self.kept = value
        self.written: list[Any] = []

    @property
    def value(self) -> float:
        return self.kept * 2

    @value.setter
    def value(self, new: float) -> None:
        self.written.append(self.kept)
        self.kept = new * new

    @value.deleter
    def value(self) -> None:
        self.kept = self.written.pop()


class Tripled:
    """A descriptor that keeps its value in the object."""

    def __set_name__(self, owner: Any, name: str) -> None:
        self.place = "_" + name

    def __get__(self, thing: Any, owner: Any = None) -> Any:
        return getattr(thing, self.place) * 3

    def __set__(self, thing: Any, value: Any) -> None:
        setattr(thing, self.place, value * thing.scale)


class Derived:
    """A descriptor that cannot be written, so that the object's own field hides it."""

    def __get__(self, thing: Any, owner: Any = None) -> Any:
        return thing.scale * 3


class Described:
    level = Tripled()
    computed = Derived()

    def __init__(self, scale: float, level: float) -> None:
        self.scale = scale
        self.level = level


class Lazy:
    def __init__(self, x: float) -> None:
        self.x = x

    @functools.cached_property
    def square(self) -> float:
        return self.x * self.x


class Open:
    """Fields that are kept in a dict."""

    def __init__(self, table: Any) -> None:
        object.__setattr__(self, "table", table)

    def __getattr__(self, name: str) -> Any:
        return self.table[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self.table[name] = value

    def __delattr__(self, name: str) -> None:
        del self.table[name]


class Fallback:
    def __init__(self, a: float, b: float) -> None:
        self.a = a
        self.b = b

    def __getattr__(self, name: str) -> Any:
        if name == "product":
            return self.a * self.b
        raise AttributeError(name)


@program
def slots(x, y):
    slotted = Slotted(x, [y])
    slotted.second.append(slotted.first)
    slotted.first *= slotted.second[0]
    return slotted.first * slotted.second[1]


@program
def slots_that_are_swapped(x, y):
    slotted = Slotted(x, y)
    slotted.mix()
    slotted.mix()
    return slotted.first * slotted.second


@program
def a_property_with_a_setter(x, y):
    squared = Squared(x)
    squared.value = y
    squared.value += x
    return squared.value * squared.written[1]


@program
def a_property_with_a_deleter(x, y):
    squared = Squared(x)
    squared.value = y
    changed = squared.value
    del squared.value
    return changed * squared.value


@program
def a_descriptor(x, y):
    described = Described(y, x)
    described.level = described.level * x
    described.level += described.scale
    return described.level * x


@program
def a_descriptor_that_a_field_hides(x, y):
    described = Described(x, y)
    before = described.computed
    described.computed = y * y
    described.scale = 1.0
    return before * described.computed


@program
def a_cached_property(x, y):
    lazy = Lazy(x)
    first = lazy.square
    lazy.x = y
    second = lazy.square
    del lazy.square
    return first * second * x + lazy.square


@program
def attributes_in_a_table(x, y):
    thing = Open({"x": x})
    thing.y = y
    thing.x = thing.x * thing.y
    same = thing
    same.y += thing.x
    first = thing.x
    del thing.x
    thing.x = first * first
    return thing.y * same.x


@program
def an_attribute_that_is_computed_when_missing(x, y):
    thing = Fallback(x, y)
    before = thing.product
    thing.a = thing.product * x
    return before * thing.product


@program
def attributes_by_functions(x, y):
    thing = Thing(x, y)
    setattr(thing, "x", getattr(thing, "y") * x)  # noqa: B009, B010
    name = "y"
    setattr(thing, name, getattr(thing, name) * thing.x)
    missing = getattr(thing, "missing", x) if not hasattr(thing, "missing") else 0.0
    return thing.x * thing.y * missing


# ------------------------------------------------------------------------------------------ operators


class Pair:
    def __init__(self, a: Any, b: Any) -> None:
        self.a = a
        self.b = b

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Pair):
            return Pair(self.a + other.a, self.b + other.b)
        if isinstance(other, float):
            return Pair(self.a + other, self.b)
        return NotImplemented

    __radd__ = __add__

    def __iadd__(self, other: Any) -> Any:
        self.a += other.a
        self.b += other.b
        return self

    def __sub__(self, other: Any) -> Any:
        return Pair(self.a - other.a, self.b - other.b)

    def __isub__(self, other: Any) -> Any:
        return NotImplemented

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, Pair):
            return NotImplemented
        return self.a * other.a + self.b * other.b

    def __rmul__(self, factor: float) -> Any:
        return Pair(self.a * factor, self.b * factor)

    def __truediv__(self, divisor: float) -> Any:
        return Pair(self.a / divisor, self.b / divisor)

    def __matmul__(self, other: Any) -> Any:
        return self.a * other.b

    def __pow__(self, exponent: int) -> Any:
        return Pair(self.a**exponent, self.b**exponent)

    def __neg__(self) -> Any:
        return Pair(-self.a, -self.b)

    def __abs__(self) -> Any:
        return math.hypot(self.a, self.b)

    def __float__(self) -> float:
        return self.a * self.b

    def __bool__(self) -> bool:
        return self.a > 0

    def __len__(self) -> int:
        return 2

    def __getitem__(self, index: int) -> Any:
        return self.a if index == 0 else self.b

    def __setitem__(self, index: int, value: Any) -> None:
        if index == 0:
            self.a = value
        else:
            self.b = value

    def __delitem__(self, index: int) -> None:
        self[index] = self.a * self.b

    def __call__(self, factor: float) -> Any:
        self.a = self.a * factor
        return self.a + self.b


class Scaled:
    """What only stands on the right of an operator."""

    def __init__(self, scale: float) -> None:
        self.scale = scale

    def __radd__(self, other: Any) -> Any:
        return other.a * self.scale

    def __rsub__(self, other: float) -> float:
        self.scale = self.scale * other
        return other - self.scale


class Special(Pair):
    """A subclass whose reflected method comes first."""

    def __radd__(self, other: Any) -> Any:
        return Pair(other.a * self.a, other.b)


@program
def operators_in_place(x, y):
    pair = Pair(x, y)
    same = pair
    same += Pair(y, x * x)
    total = pair + same
    return total * pair


@program
def reflected_operators(x, y):
    pair = Pair(x, y)
    doubled = 2.0 * pair
    total = x + doubled
    return total * pair + abs(-total)


@program
def an_operator_in_place_that_is_not_implemented(x, y):
    pair = Pair(x, y)
    before = pair
    pair -= Pair(y, x * x)
    before.a *= y
    return pair * before


@program
def an_operator_that_the_other_one_implements(x, y):
    pair, scaled = Pair(x, y), Scaled(y)
    pair.a *= scaled.scale
    total = pair + scaled
    return total * (x - scaled) * scaled.scale


@program
def the_reflected_operator_of_a_subclass(x, y):
    pair, special = Pair(x, y), Special(y, x)
    total = pair + special
    special.a = total.a * y
    return total.a * special.b + special.a


@program
def operators_without_a_method_in_place(x, y):
    pair = Pair(x, y)
    before = pair
    pair **= 2
    before.b *= x
    pair /= y
    return pair * before + (pair @ before)


@program
def items_of_an_object(x, y):
    pair = Pair(x, y)
    pair[0] = pair[1] * x
    pair[1] += pair[0]
    del pair[0]
    return pair[0] * pair[1]


@program
def an_object_that_is_called(x, y):
    pair = Pair(x, y)
    first = pair(y)
    return first * pair(x) * pair.a


@program
def an_object_as_a_condition(x, y):
    pair = Pair(x, y)
    while pair:
        pair.a = pair.a - 1.0
        pair.b = pair.b * x
    return pair.a * pair.b * float(pair)


@program
def a_sum_of_objects(x, y):
    pair = Pair(x, y)
    total = sum([pair, pair, Pair(y, y)], Pair(0.0, x))
    pair.a = total.a
    return total * pair


# ------------------------------------------------------------------------------------ lists and dicts


@program
def a_list_under_two_names(x, y):
    values = [x, y]
    same = values
    same.append(x * y)
    values[0] *= same[2]
    same.insert(0, values.pop(1))
    values.reverse()
    return values[0] * same[1] + same[2] * x


@program
def a_list_in_a_list(x, y):
    rows = [[x], [y]]
    first = rows[0]
    first.append(y * y)
    rows.reverse()
    rows[1][0] *= 3.0
    return first[0] * first[1] * rows[0][0]


@program
def one_list_in_three_places(x, y):
    rows = [[x]] * 3
    rows[0].append(y)
    rows[1][0] = rows[2][1] * x
    return rows[2][0] * rows[0][1]


@program
def a_list_that_holds_itself(x, y):
    values: list[Any] = [x, y]
    values.append(values)
    values[2][2][0] = values[2][1] * x
    return values[0] * values[1]


@program
def copies_of_a_list_go_their_own_way(x, y):
    values = [x]
    copies = [values[:], list(values), [*values], values + [], values * 1, values.copy()]  # noqa: RUF005
    values[0] = y * x
    total = values[0]
    for copied in copies:
        total = total * copied[0]
        copied[0] = y
    return total * copies[0][0]


@program
def slices_of_a_list(x, y):
    values = [x, y, x * y]
    same = values
    same[0:2] = [x * x, y * y, x]
    values[1:3] = []
    same[:0] = values[::-1]
    del same[1]
    return values[0] * 3 + same[1] * values[2]


@program
def a_list_that_grows_while_it_is_iterated(x, y):
    values = [x, y]
    total = 0.0
    for place, value in enumerate(values):
        if len(values) < 5:
            values.append(value * y)
        total += value * (place + 1)
    return total


@program
def a_list_that_is_sorted(x, y):
    values = [x, y, x * y]
    same = values
    same.sort(key=lambda value: -value)
    values[0] *= x
    ordered = sorted(same)
    ordered[0] *= values[1]
    return ordered[0] * same[0] + values[2]


@program
def lists_that_are_extended_in_place(x, y):
    values = [x]
    same = values
    same += [y, x * y]
    values += (x,)
    values *= 2
    values[1] = x
    return values[-2] * same[1] * values[5] + sum(same)


@program
def a_list_that_is_extended_by_itself(x, y):
    values = [x, y]
    same = values
    same.extend(values)
    values[0] = x * y
    same += values
    return same[2] * values[4] * values[7] + sum(same)


@program
def a_bound_method_of_a_list_in_an_object(x, y):
    thing = Thing(items=[x])
    add = thing.items.append
    add(x * y)
    return thing.items[1] * thing.items[0]


@program
def a_dict_under_two_names(x, y):
    table = {"x": x, "y": y}
    same = table
    same["x"] = table["x"] * table.pop("y")
    same["y"] = same.get("x", 1.0) * same.get("z", x)
    table.setdefault("items", []).append(y)
    same.setdefault("items", []).append(table["y"])
    return table["x"] * same["y"] * same["items"][0] * table["items"][1]


@program
def dicts_that_are_merged(x, y):
    first, second = {"a": x, "b": y}, {"b": x * y}
    spread = {**second, **first}
    same = first
    same.update(second)
    second["b"] = second["b"] * y
    before = first["b"]
    first |= second
    return spread["b"] * before * same["b"] * first["a"] * spread["a"]


@program
def dicts_in_an_object_that_are_merged(x, y):
    thing = Thing({"a": x, "b": y}, {"b": x * y})
    thing.table = thing.x | thing.y
    thing.x.update(thing.y, c=x)
    thing.y["b"] = y
    thing.x |= thing.y
    _, value = thing.table.popitem()
    return value * thing.x["b"] * thing.x["c"] * thing.table["a"]


@program
def a_dict_that_is_changed_while_it_is_read(x, y):
    table = {"a": x, "b": y}
    total = 0.0
    for key, value in table.items():
        table[key] = value * value
        total += table[key] * x
    values = table.values()
    table["a"] = x * y
    return (total + sum(values)) * table["b"]


@program
def a_dict_that_is_cleared(x, y):
    table = {"a": x, "b": y}
    same, copied = table, table.copy()
    same.clear()
    table["a"] = copied["a"] * y
    return same["a"] * copied["b"]


@program
def a_defaultdict(x, y):
    groups = collections.defaultdict(list)
    same = groups
    same["a"].append(y)
    groups["a"].append(x * y)
    groups["b"] = [x]
    return same["a"][0] * groups["a"][1] * same["b"][0]


@program
def a_copied_structure(x, y):
    values = [[x], {"y": y}]
    shallow = copy.copy(values)
    values[0][0] = x * y
    shallow[1]["y"] *= x
    values[1] = {"y": x}
    return values[0][0] * values[1]["y"] * shallow[1]["y"] * shallow[0][0]


@program
def tuples_of_things(x, y):
    pair = ([x], {"y": y})
    first, second = pair
    first[0] *= second["y"]
    pair[1]["y"] = first[0] * x
    first += [y]
    return pair[0][0] * pair[0][1] * second["y"]


@program
def unpacked_into_things(x, y):
    thing, values = Thing(), [0.0, 0.0]
    thing.x, values[0] = x, y
    (thing.y, values[1]), thing.items = [thing.x * y, values[0]], [values[0]]
    return thing.x * thing.y * values[1] * thing.items[0]


# ------------------------------------------------------------------------------------------ functions


@program
def a_closure_that_appends_to_a_captured_list(x, y):
    seen = []

    def record(value):
        seen.append(value)
        return value * value

    record(x)
    last = record(y * x)
    return seen[0] * seen[1] * last


@program
def closures_that_share_an_object(x, y):
    thing = Thing(x)

    def bump(factor, held=thing):
        held.x = held.x * factor

    def read():
        return thing.x * thing.x

    bump(y)
    bump(x)
    return read() * thing.x


@program
def a_variable_that_closures_rebind(x, y):
    total = x

    def grow(factor):
        nonlocal total
        total = total * factor
        return total

    first, second = grow(y), grow(x)
    return first * second * total


@program
def functions_in_a_list(x, y):
    functions = [lambda value, factor=factor: value * factor for factor in [x, y]]
    same = functions
    same.append(lambda value: same[0](value) * x)
    return functions[0](y) * functions[1](x) * functions[2](y)


@program
def a_memo(x, y):
    memo: dict[int, float] = {}

    def product(n):
        if n < 2:
            return x if n == 0 else y
        if n not in memo:
            memo[n] = product(n - 1) * product(n - 2)
        return memo[n]

    return product(5)


@program
def a_function_in_a_field(x, y):
    thing = Thing(x)
    thing.table = lambda value: value * thing.x
    first = thing.table(y)
    thing.x = y
    return first * thing.table(x)


@program
def a_partial_over_a_list(x, y):
    values = [x]
    push = functools.partial(lambda held, value: held.append(value), values)
    push(y)
    push(x * values[1])
    return values[1] * values[2]


@program
def a_default_that_is_a_list(x, y):
    def add(value, held=[]):  # noqa: B006
        held.append(value)
        return held

    add(x)
    return add(y * x)[0] * add(x)[1] * add(y)[2]


def raised(thing, *, factor):
    thing.items.append(thing.items[-1] * factor)
    return thing


@program
def keyword_arguments(x, y):
    thing = Thing(items=[x])
    raised(raised(thing, factor=y), factor=x)
    return thing.items[-1] * thing.items[1]


# ----------------------------------------------------------------- functions, classes, modules, globals

SCALE = 1.0
LOG: list[Any] = []
TABLE: dict[str, Any] = {}
BUFFER = np.zeros(2)
MODULE = types.ModuleType("a_module")
MODULE.level = 1.0
MODULE.levels = []


def set_scale(value):
    global SCALE
    SCALE = value


def scale():
    return SCALE


def counted(value):
    counted.total = counted.total + value
    return counted.total


class Shared:
    level = 2.0
    levels: ClassVar[list[Any]] = []

    def read(self) -> Any:
        return self.level


@program
def a_global_that_a_helper_rebinds(x, y):
    set_scale(x * y)
    first = scale() * SCALE
    set_scale(SCALE * x)
    return first * scale()


@program
def a_global_list(x, y):
    LOG.clear()
    LOG.append(x * y)
    same = LOG
    same[0] *= x
    return LOG.pop() * y


@program
def a_global_dict(x, y):
    TABLE["a"] = x * y
    TABLE["a"] *= TABLE["a"]
    return TABLE["a"] * x


@program
def a_global_array(x, y):
    BUFFER[0] = x * x
    same = BUFFER
    same[1] = same[0] * y
    return float(BUFFER[1] * BUFFER[0])


@program
def an_attribute_of_a_module(x, y):
    MODULE.level = x * y
    MODULE.levels.append(MODULE.level)
    return MODULE.level * MODULE.levels.pop() * x


@program
def an_attribute_of_a_function(x, y):
    counted.total = 0.0
    counted(x)
    counted(y * x)
    return counted.total * counted(x)


@program
def an_attribute_of_a_class(x, y):
    Shared.level = x * y
    Shared.levels = [x]
    Shared.levels.append(y)
    return Shared.level * Shared().read() * Shared.levels[0] * Shared.levels[1]


# --------------------------------------------------------------------------------------------- arrays


@program
def an_array_under_two_names(x, y):
    a = np.array([x, y])
    b = a
    b[0] = a[1] * x
    a *= b
    return float(b.sum() * a[0])


@program
def an_array_and_its_views(x, y):
    a = np.array([x, y])
    held = [a, a[::-1]]
    table = {"a": held[1]}
    table["a"][0] = table["a"][1] * x
    held[0] *= 2
    return float(a.sum() * a[1])


@program
def views_in_an_object(x, y):
    thing = Thing(np.array([x, y]))
    thing.y, thing.items, thing.table = thing.x.reshape(2, 1), np.ravel(thing.x), np.asarray(thing.x)
    thing.y *= 2
    thing.items += 1.0
    thing.table[0] *= y
    return float(thing.x[0] * thing.x[1])


@program
def a_field_that_is_bound_anew(x, y):
    thing = Thing(np.array([x, y]))
    view = thing.x[:1]
    thing.x = thing.x * x
    view[0] = y
    return float(thing.x.sum() * view[0])


@program
def rows_of_a_matrix(x, y):
    a = np.zeros((2, 2))
    for row in a:
        row[0] = x
        row += y
    rows = list(a)
    rows[1][:] = rows[0] * x
    b = a.T
    b[0] *= x
    return float((a * a).sum())


@program
def an_array_that_is_replaced_in_a_list(x, y):
    a = np.array([x, y])
    held = [a]
    held[0] = held[0] * 2
    held[0][0] = y
    held[0] *= a
    return float((a * held[0]).sum())


@program
def parts_by_mask_and_index(x, y):
    a = np.array([x, y])
    b = a
    b[[0, 0]] = [y, x]
    b[b > 1.5] *= x
    a[-1] += b[0]
    return float(a[0] * b[1])


@program
def a_broadcast_array_sees_a_write(x, y):
    a = np.array([x, y])
    thing = Thing(np.broadcast_to(a, (2, 2)))
    a[1] = a[0] * y
    return float((thing.x * thing.x).sum())


@program
def a_view_that_is_written_over_its_base(x, y):
    a = np.array([x, y, x * y])
    thing = Thing(a[1:])
    thing.x[:] = a[:-1]
    thing.x += a[:2]
    a -= thing.x[0]
    return float((a * np.array([1.0, 2.0, 3.0])).sum() * a[2])


@program
def parts_of_complex_arrays(x, y):
    z = np.array([complex(x), y * 1j])
    thing = Thing(z.real, z.imag)
    thing.x[1] = x
    thing.y *= 2
    return float((z * z.conj()).real.sum())


@program
def arrays_in_tuples(x, y):
    thing = Thing((np.array([x]), [y]))
    thing.x[0][0] *= y
    thing.x[1][0] *= x
    array, values = thing.x
    values.append(array[0])
    return float(values[1] * values[0])


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_programs_that_change_what_they_made(function: Any) -> None:
    check(function, lambda: list(POINT))


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_gradients_of_such_programs(function: Any) -> None:
    expected = slopes(function, lambda: list(POINT))
    value, grads = zg.withgradient(function, *POINT)
    assert value == function(*POINT) and zg.gradient(function, *POINT) == grads
    for place, bar in enumerate(grads):
        assert type(bar) is float and bar == pytest.approx(expected[(place,)], rel=1e-7, abs=1e-8)


# --------------------------------------------------------------------------------------- as arguments


@on(lambda: [Thing(2.0, 3.0)])
def fields_of_an_argument(thing):
    same = thing
    same.x = same.x * thing.y
    thing.y += same.x
    return thing.x * same.y


@on(lambda: [Thing(2.0, Thing(3.0, 5.0)), 1.5])
def an_object_in_an_argument(thing, factor):
    inner = thing.y
    inner.x = inner.x * factor * thing.x
    thing.x = inner.y
    return thing.y.x * thing.x * inner.y


@on(lambda: [Account(2.0), 3.0])
def methods_of_an_argument(account, amount):
    return account.pay(amount).pay(amount).worth() * account.history[0]


@on(lambda: [Layer(2.0, 3.0), 1.5])
def a_dataclass_as_argument(layer, value):
    layer.weight *= layer.apply(value)
    return layer.weight * layer.seen[1] * layer.seen[0] + layer.bias


@on(lambda: [Compact(2.0, 3.0), Slotted(1.5, 2.5)])
def slots_as_arguments(compact, slotted):
    slotted.mix()
    compact.weight *= slotted.first
    slotted.second += compact.bias
    return compact.weight * slotted.second


@on(lambda: [Squared(2.0), Described(1.5, 2.5), Lazy(3.0)])
def computed_attributes_of_arguments(squared, described, lazy):
    squared.value = squared.value * described.level
    described.level = squared.value * lazy.square
    lazy.x = described.computed
    return described.level * lazy.square * lazy.x


@on(lambda: [Open({"x": 2.0, "y": 3.0}), Fallback(1.5, 2.5)])
def attributes_in_tables_of_arguments(thing, fallback):
    thing.x = thing.x * thing.y
    fallback.a = fallback.product * thing.x
    del thing.y
    return fallback.product * thing.x


@on(lambda: [Pair(2.0, 3.0), Pair(1.5, 2.5), 0.5])
def operators_on_arguments(first, second, factor):
    kept = first
    first += second
    second[1] = factor * (first * kept)
    second -= factor * kept
    del kept[0]
    return kept * second + abs(second)


@on(lambda: [[2.0, 3.0], 1.5])
def a_list_as_argument(values, factor):
    same = values
    same[0] = values[1] * factor
    values.append(same[0] * same[1])
    return same.pop() * values[0]


@on(lambda: [[[2.0], [3.0, 5.0]]])
def lists_in_an_argument(rows):
    first, second = rows
    rows[0] = second
    first.append(rows[0][1])
    second[1] = first[0] * rows[1][0]
    rows.reverse()
    return rows[1][1] * first[1] * rows[0][0]


@on(lambda: [{"a": 2.0, "b": [3.0, 5.0]}, 1.5])
def a_dict_as_argument(table, factor):
    held = table["b"]
    held[0] *= table["a"] * factor
    table["c"] = held
    table["a"] = table["c"][0] * held[1]
    return table.pop("a") * table["b"][0]


@on(lambda: [collections.defaultdict(list, {"a": [2.0, 3.0]})])
def a_defaultdict_as_argument(groups):
    groups["n"].append(groups["a"][0] * 2)
    groups["a"].append(groups["n"][0])
    return groups["a"][2] * groups["a"][1]


@on(lambda: [np.array([1.0, 2.0, 3.0]), Thing()])
def an_array_that_an_object_keeps(a, thing):
    thing.x = a
    thing.x *= 2
    thing.y = thing.x[::-1]
    thing.y[0] = a[1] * a[0]
    return float((a * a).sum())


@on(lambda: [Thing(np.array([1.0, 2.0]), np.array([[3.0, 4.0], [5.0, 6.0]]))])
def arrays_in_an_argument(thing):
    row = thing.y[0]
    row += thing.x
    thing.y.T[1] *= thing.x[0]
    thing.x = thing.x * row
    return float((thing.y * thing.y).sum() + thing.x.sum())


@on(lambda: [[np.array([1.0, 2.0])], {"a": np.array([3.0, 4.0])}])
def arrays_in_lists_and_dicts(held, table):
    a, b = held[0], table["a"]
    a[0] *= b[1]
    table["a"] += a
    held.append(b)
    held[1][0] *= a[1]
    return float((held[0] * table["a"]).sum())


def shared_list() -> list[Any]:
    values = [2.0, 3.0]
    return [Thing(items=values, table={"again": values})]


@on(shared_list)
def a_list_that_is_reachable_twice(thing):
    thing.items.append(thing.table["again"][0] * thing.items[1])
    thing.table["again"][1] *= thing.items[2]
    return thing.items[1] * thing.table["again"][0]


def shared_object() -> list[Any]:
    inner = Thing(2.0, 3.0)
    return [[inner, Thing(inner), {"inner": inner}]]


@on(shared_object)
def an_object_that_is_reachable_three_times(things):
    things[0].x = things[1].x.y * things[2]["inner"].x
    things[2]["inner"].y *= things[0].x
    return things[1].x.x * things[1].x.y


def with_itself() -> list[Any]:
    thing, values = Thing(2.0, 3.0), [1.5]
    thing.items = thing
    values.append(values)
    return [thing, values]


@on(with_itself)
def arguments_that_contain_themselves(thing, values):
    thing.items.x = thing.x * thing.items.items.y
    values[1][0] = values[0] * thing.x
    return values[1][1][0] * thing.x


def same_object() -> list[Any]:
    thing = Thing(2.0, 3.0)
    return [thing, thing]


@on(same_object)
def one_object_as_two_arguments(first, second):
    first.x = first.x * second.y
    second.y = first.x * second.x
    return second.x * first.y


def part_and_whole() -> list[Any]:
    values = [2.0, 3.0]
    return [Thing(1.5, items=values), values]


@on(part_and_whole)
def an_argument_in_another_one(thing, values):
    values[0] *= thing.x
    thing.items[1] = values[0] * thing.items[1]
    thing.x = values[1]
    return thing.items[0] * thing.x


def views_of_one_array() -> list[Any]:
    a = np.array([1.0, 2.0, 3.0])
    return [Thing(a, a[::-1])]


def an_argument_with_two_views(thing):
    thing.y[0] = thing.x[0] * thing.y[1]
    thing.x += thing.y[0]
    return float((thing.x * np.array([1.0, 2.0, 3.0])).sum() * thing.y[2])


@on(lambda: [Thing(2.0), 3.0, 5.0])
def positional_and_further_arguments(thing, *rest):
    thing.x = thing.x * rest[0]
    thing.items = rest
    return thing.x * thing.items[1]


@on(lambda: [Thing(2.0, 3.0, [])])
def a_recursion_on_an_argument(thing):
    if len(thing.items) == 3:
        return thing.x
    thing.x = thing.x * thing.y
    thing.items.append(thing.x)
    return a_recursion_on_an_argument(thing) + thing.items[-1] * thing.x


@on(lambda: [Thing(2.0, [3.0, 5.0])])
def comprehensions_over_an_argument(thing):
    scaled = [value * thing.x for value in thing.y]
    thing.y[0] = scaled[1]
    return sum(a * b for a, b in zip(thing.y, scaled, strict=True))


@on(lambda: [Thing(2.0, 3.0)])
def fields_that_become_something_else(thing):
    product = thing.x * thing.y
    thing.x, thing.items = None, product
    del thing.y
    return thing.items * product


@pytest.mark.parametrize(("function", "make"), ON_ARGUMENTS)
def test_programs_that_change_their_arguments(function: Any, make: Any) -> None:
    check(function, make)


@pytest.mark.parametrize(("function", "make"), ON_ARGUMENTS)
def test_gradients_by_arguments_that_are_changed(function: Any, make: Any) -> None:
    plain = make()
    value, grads = zg.withgradient(function, *make())
    assert value == function(*plain)
    for path, slope in slopes(function, make).items():
        assert at(grads, path) == pytest.approx(slope, rel=1e-7, abs=1e-8), path


# --------------------------------------------------------------------------------- what gradients look like


def test_the_gradient_of_an_object_is_a_record() -> None:
    thing = Thing(2.0, 3.0)
    (bar,) = zg.gradient(fields_of_an_argument, thing)
    assert isinstance(bar, Record)
    # f = xy (y + xy), so f_x = y (y + xy) + xy y, f_y = x (y + xy) + xy (1 + x)
    assert (bar.x, bar.y) == (45.0, 36.0)
    assert (thing.x, thing.y) == (6.0, 9.0)


def test_the_gradient_of_a_dataclass_has_its_fields() -> None:
    value, grads = zg.withgradient(lambda compact: mixed(compact) * compact.weight, Compact(2.0, 3.0))
    # weight w b, then b + w b: f = (w b)(b + w b)(w b)
    assert value == 6.0 * 9.0 * 6.0
    assert grads[0].weight == pytest.approx(2 * 2 * 9.0 * 9.0 + 36.0 * 3.0)
    assert grads[0].bias == pytest.approx(2 * 6.0 * 2.0 * 9.0 + 36.0 * 3.0)


def mixed(compact):
    compact.weight = compact.weight * compact.bias
    compact.bias += compact.weight
    return compact.weight * compact.bias


def test_of_one_object_as_two_arguments_the_first_has_the_gradient() -> None:
    def product(first, second):
        first.x = first.x * second.y
        return second.x * second.x

    thing = Thing(2.0, 3.0)
    first, second = zg.gradient(product, thing, thing)
    assert (first.x, first.y, second) == (36.0, 24.0, None)
    values, back = zg.pullback(product, *[Thing(2.0, 3.0)] * 2)
    assert values == 36.0 and back(1.0) == ({"x": 36.0, "y": 24.0}, None)


def test_what_is_reachable_twice_has_its_gradient_where_it_is_found_first() -> None:
    inner = Thing(2.0, 3.0)
    (bars,) = zg.pullback(an_object_that_is_reachable_three_times, [inner, Thing(inner), {"inner": inner}])[
        1
    ](1.0)
    # x -> xy, y -> y xy: the product is x^2 y^3
    assert bars == [{"x": 108.0, "y": 108.0}, None, None]


def test_a_part_that_is_an_argument_too_has_its_gradient_in_the_first() -> None:
    def product(first, second):
        first.x[0] = first.x[0] * second[1] if isinstance(first, Thing) else 0.0
        return second[0] * second[0]

    values = [2.0, 3.0]
    bar, rest = zg.gradient(product, Thing(values), values)
    assert bar.x == [36.0, 24.0] and rest is None


def test_a_field_that_is_overwritten_has_none() -> None:
    def overwritten(thing):
        thing.x = 5.0
        return thing.x * thing.y

    assert zg.pullback(overwritten, Thing(2.0, 3.0))[1](1.0) == ({"y": 5.0},)


def test_an_object_that_is_only_written_has_none() -> None:
    def kept(thing, x):
        thing.x = x * x
        return thing.x * x

    assert zg.gradient(kept, Thing(2.0), 3.0) == (None, 27.0)


def test_of_two_views_the_first_has_the_gradient_of_what_they_share() -> None:
    thing = views_of_one_array()[0]
    (bar,) = zg.gradient(an_argument_with_two_views, thing)
    # x2 = x0 x1, then x0 + (x1 x0), x1 + (x1 x0), ...: NumPy adds a copy of the number x0 x1
    # f = (a + 2 b + 3 c) a with a = x0 + p, b = x1 + p, c = 2 p, p = x0 x1
    a, b, c = 1.0 + 2.0, 2.0 + 2.0, 4.0
    total = a + 2 * b + 3 * c
    assert an_argument_with_two_views(views_of_one_array()[0]) == total * a
    by_x0 = (1 + 2.0 + 2 * 2.0 + 6 * 2.0) * a + total * (1 + 2.0)
    by_x1 = (1.0 + 2 * (1 + 1.0) + 6 * 1.0) * a + total * 1.0
    np.testing.assert_allclose(bar.x, [by_x0, by_x1, 0.0], rtol=1e-15)
    np.testing.assert_array_equal(bar.y, [0.0, 0.0, 0.0])


def test_gradients_share_no_memory_with_the_arguments() -> None:
    a = np.array([1.0, 2.0, 3.0])
    thing = Thing(a, a[::-1])
    _, back = zg.pullback(an_argument_with_two_views, thing)
    first, second = back(1.0)[0], back(1.0)[0]
    expected = first["x"].copy()
    first["x"][:] = 7.0
    for other in (a, second["x"]):
        assert not np.shares_memory(first["x"], other)
    np.testing.assert_array_equal(second["x"], expected)
    np.testing.assert_array_equal(back(1.0)[0]["x"], expected)


def test_the_point_is_that_of_the_call() -> None:
    thing, values, a = Thing(2.0, 3.0), [2.0, 3.0], np.array([1.0, 2.0])

    def changes(thing, values, a):
        thing.x = thing.x * values[0]
        a *= thing.y
        thing.items = a
        values.append(thing.x)
        return float(values[2] * thing.items.sum())

    value, back = zg.pullback(changes, thing, values, a)
    before = copy.deepcopy(back(1.0))
    thing.x, thing.items = "text", None
    del thing.y
    values.clear()
    a[:] = 99.0
    # f = x v0 y (a0 + a1)
    assert value == 36.0
    bars = back(1.0)
    assert bars[0] == before[0] == {"x": 18.0, "y": 12.0} and bars[1] == [18.0, None]
    np.testing.assert_array_equal(bars[2], [12.0, 12.0])


# ------------------------------------------------------------------------------------ results that are things


def test_a_list_that_was_given_is_returned() -> None:
    def grown(values):
        same = values
        same.append(values[0] * values[1])
        return same

    values = [2.0, 3.0]
    result, back = zg.pullback(grown, values)
    assert result is values
    assert back([1.0, 10.0, 100.0]) == ([301.0, 210.0],) == back([1.0, 10.0, 100.0])
    assert back([None, None, 1.0]) == ([3.0, 2.0],)


def test_one_list_that_is_returned_twice() -> None:
    def grown(x, y):
        values = [x, y]
        same = values
        same.append(x * y)
        return values, same

    _, back = zg.pullback(grown, 2.0, 3.0)
    seed = [1.0, 10.0, 100.0]
    assert back((seed, None)) == (301.0, 210.0) == back((None, seed))
    assert back((seed, seed)) == (602.0, 420.0)


@pytest.mark.parametrize("make", [dict, Record])
def test_an_object_is_returned(make: Any) -> None:
    def built(x, y):
        thing = Thing(x, items=[y])
        same = thing
        same.items.append(same.x * same.items[0])
        return thing

    _, back = zg.pullback(built, 2.0, 3.0)
    assert back(make({"x": 1.0, "items": [10.0, 100.0]})) == (301.0, 210.0)
    assert back(make({"items": [None, 100.0]})) == (300.0, 200.0)


def test_an_argument_is_returned_with_a_number() -> None:
    def doubled(thing):
        thing.x = thing.x * 2
        return thing.x, thing

    _, back = zg.pullback(doubled, Thing(2.0, 1.0))
    assert back((1.0, {"x": 3.0})) == ({"x": 8.0},)


def test_an_array_and_a_view_of_it_are_returned() -> None:
    def written(a):
        thing = Thing(a[::-1])
        thing.x[0] = thing.x[1] * 2
        return a, thing.x

    _, back = zg.pullback(written, np.array([1.0, 2.0, 3.0]))
    # a = (a0, a1, 2 a1), its view (2 a1, a1, a0)
    (bar,) = back((np.array([1.0, 10.0, 100.0]), np.array([1.0, 10.0, 100.0])))
    np.testing.assert_array_equal(bar, [101.0, 222.0, 0.0])
    (bar,) = back((None, np.array([1.0, 10.0, 100.0])))
    np.testing.assert_array_equal(bar, [100.0, 12.0, 0.0])


def test_auxiliary_things_come_along() -> None:
    def loss(x):
        log = []
        same = log
        same.append(x * x)
        return log[0] * x, log

    result = zg.withgradient(loss, 3.0)
    assert result.val == (27.0, [9.0]) and result.grad == (27.0,)


# --------------------------------------------------------------------------------------- sorts of numbers


def scaled_in_place(thing):
    thing.x[0] = thing.x[1] * thing.y
    same = thing.x
    same *= thing.x
    return same.sum()


def test_single_precision_stays_single() -> None:
    thing = Thing(np.array([1.0, 2.0, 3.0], np.float32), np.float32(3.0))
    value, (bar,) = zg.withgradient(scaled_in_place, thing)
    # (x1 y)^2 + x1^2 + x2^2
    assert value == 49.0 and type(value) is np.float32 and thing.x.dtype == np.float32
    assert bar.x.dtype == np.float32 and bar.x.tolist() == [0.0, 40.0, 6.0]
    assert bar.y == 24.0 and type(bar.y) is np.float32


def test_single_precision_with_a_number() -> None:
    (bar,) = zg.gradient(scaled_in_place, Thing(np.array([1.0, 2.0, 3.0], np.float32), 3.0))
    assert bar.x.dtype == np.float32 and bar.x.tolist() == [0.0, 40.0, 6.0]
    assert bar.y == 24.0 and type(bar.y) is float


def test_complex_arrays_that_are_written() -> None:
    def energy(thing):
        thing.x[0] = thing.x[1] * thing.y
        same = thing.x
        same[1] *= 1j
        return float((thing.x * thing.x.conj()).real.sum())

    (bar,) = zg.gradient(energy, Thing(np.array([1 + 1j, 2 - 1j]), 3.0))
    # (1 + y^2) |z1|^2 with |z1|^2 = 5
    np.testing.assert_allclose(bar.x, [0.0, 20 * (2 - 1j)], rtol=1e-15)
    assert bar.y == pytest.approx(30.0) and type(bar.y) is float


def test_arrays_of_integers_take_no_gradient_from_what_is_stored() -> None:
    def stored(thing):
        thing.x[0] = thing.y
        return float((thing.x * thing.x).sum()) * thing.y

    (bar,) = zg.gradient(stored, Thing(np.array([1, 2, 3]), 3.5))
    # (3^2 + x1^2 + x2^2) y
    np.testing.assert_array_equal(bar.x, [0.0, 14.0, 21.0])
    assert bar.y == 22.0


# ------------------------------------------------------------------------------------------- what is refused


def changed(thing):
    thing.x = thing.x * thing.x
    return thing.x * 3.0


def of_an_object(x):
    return changed(Thing(x))


def of_a_list(x):
    values = [x]
    same = values
    same.append(x * x)
    return values[1] * same[0]


def gradient_inside(x):
    return zg.gradient(of_an_object, x)[0] * x


def withgradient_inside(x):
    return zg.withgradient(of_a_list, x).grad[0] * x


def pullback_inside(x):
    _, back = zg.pullback(of_an_object, x)
    return back(1.0)[0] * x


def object_inside(x):
    return zg.gradient(changed, Thing(x))[0].x * x


@pytest.mark.parametrize("function", [gradient_inside, withgradient_inside, pullback_inside, object_inside])
def test_the_gradient_of_what_has_a_gradient_inside(function: Any) -> None:
    # f' x = 6 x^2 and 3 x^3
    assert zg.gradient(function, 2.0) == ((36.0,) if function is withgradient_inside else (24.0,))


def test_derivatives_of_higher_order() -> None:
    assert zg.derivative(of_an_object)(2.0) == 12.0
    assert zg.derivative(zg.derivative(of_an_object))(2.0) == 6.0


def test_the_inner_gradient_alone_is_right() -> None:
    # f = 3 x^2 and x^3
    assert gradient_inside(2.0) == 24.0 and pullback_inside(2.0) == 24.0 and object_inside(2.0) == 24.0
    assert withgradient_inside(2.0) == 24.0


def test_dataclasses_are_left_as_they_are() -> None:
    layer = Layer(2.0, 3.0)
    zg.gradient(lambda held: held.weight * held.bias, layer)
    assert dataclasses.asdict(layer) == {"weight": 6.0, "bias": 3.0, "seen": [2.0]}
