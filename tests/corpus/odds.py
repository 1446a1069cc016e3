"""Less common ways of calling and making things."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
import operator
from collections import defaultdict
from typing import Any, Generic, NamedTuple, NewType, TypeVar

from tests.corpus.registry import program

T = TypeVar("T")
Meters = NewType("Meters", float)


class Box(Generic[T]):
    def __init__(self, value):
        self.value = value


class Doubling(type):
    def __call__(cls, value):
        made = super().__call__(value)
        made.double = 2 * value
        return made


class Doubled(metaclass=Doubling):
    def __init__(self, value):
        self.value = value


class Scaled:
    def __init__(self, value):
        self.value = value

    def times(self, factor):
        self.value = self.value * factor
        return self.value

    twice = functools.partialmethod(times, 2.0)


class Holder:
    def __init__(self, function, factor=1.0):
        self.function, self.factor = function, factor


@dataclasses.dataclass
class Point:
    x: Any
    y: Any


@functools.singledispatch
def area(thing):
    return 0.0 * thing


@area.register(float)
def _(side):
    return side * side


@area.register(list)
def _(sides):
    sides.append(sides[0] * sides[-1])
    return sides[-1]


@program((1.5,), (0.5,))
def class_with_parameters(x):
    box = Box[float](x)
    same = box
    same.value *= x
    return box.value * x


@program((1.5,))
def class_with_a_metaclass_that_makes_more(x):
    made = Doubled(x * x)
    return made.value * made.double


@program((1.5,))
def type_that_is_another_name(x):
    return Meters(x * x) * x


@program((1.5,))
def partial_method(x):
    scaled = Scaled(x)
    return scaled.twice() * scaled.value * scaled.times(x)


@program((1.5, 0.5))
def function_chosen_by_the_class_of_its_argument(x, y):
    sides = [x, y]
    return area(x * y) + area(sides) * sides[2]


@program((1.5,))
def called_until_something_comes(x):
    values = [x, 2 * x, None, 3 * x]
    total = 0.0
    for value in iter(lambda: values.pop(0), None):
        total += value * value
    return total * values[0]


@program((1.5,))
def branches_of_a_list(x):
    first, second = itertools.tee([x, 2 * x])
    return sum(first) * sum(second)


@program((1.5,))
def context_that_gives_a_value(x):
    with contextlib.nullcontext(x * x) as y:
        z = y * x
    return z * y


@program((1.5,))
def last_item_of_a_dict(x):
    table = {"a": x, "b": x * x}
    key, value = next(reversed(table.items()))
    table[key] = value * x
    return table["b"] * value


@program((1.5,))
def fields_by_their_names(x):
    point = Point(x, x * x)
    point.x = 3 * x
    return sum(getattr(point, field.name) for field in dataclasses.fields(point)) * point.y


@program((1.5, 0.5))
def function_that_a_partial_class_holds(x, y):
    values = [x]
    same = values
    same.append(y)
    make = functools.partial(Holder, factor=y)
    held = make(lambda: x * x * same[1])
    return held.function() * held.factor * values[0]


@program(([1.5, 2.0], 0.5), tags="writes-arguments")
def operators_in_place_by_name(values, x):
    grown = operator.iadd(values, [x * x])
    return grown[2] * values[0] * operator.imul(x, values[1])


@program((1.5,))
def methods_of_a_list_in_variables(x):
    values = [x]
    take, put = values.pop, values.append
    put(x * x)
    return take() * take() * x


@program((1.5,))
def factory_read_by_its_name(x):
    squares = defaultdict(lambda: x * x, a=x)
    return squares.default_factory() * squares["a"]


@program((1.5,))
def factory_set_later(x):
    squares = defaultdict(None, a=x, default_factory=x * 3)
    squares.default_factory = lambda: x * x
    return squares["b"] * squares["a"] * squares["default_factory"]


class Triple(NamedTuple):
    a: Any
    b: Any
    c: Any

    def total(self):
        return self.a + self.b * self.c

    def times(self, factor):
        return self.a * self.b * factor


@program((1.5, 0.5))
def methods_of_named_tuples_in_variables(x, y):
    triple = Triple(x, y, x * y)
    total = triple.total
    methods = {"times": triple.times, "square": lambda factor: factor * y}
    given = functools.partial(triple.times, x)
    return total() * methods["times"](y) * methods["square"](x) + given()


class Weighed:
    def __init__(self, weight):
        self.weight = weight

    def times(self, factor, *, more=1.0):
        return self.weight * factor * more


@program((1.5, 0.5))
def caller_of_a_method_with_numbers(x, y):
    things = [Weighed(x)]
    things.append(Weighed(x * y))
    times = operator.methodcaller("times", x)
    return times(things[0]) * times(things[1]) + operator.methodcaller("times", y, more=x)(things[0])
