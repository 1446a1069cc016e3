"""Data that is found by what holds nothing with a gradient itself: by classes and modules that a function
captures, by members of an enumeration, by the class of a class, by what wraps a function, by keys."""

from __future__ import annotations

import enum
import functools
import operator
import types
from collections.abc import Callable
from typing import Any

import pytest

import zygpy
from zygpy.testing.numeric import slope

X = 1.3


class Own:
    k: Any = 1.0


class Shared:
    items: Any = ()


class Meta(type):
    k: Any = 1.0

    def scaled(cls, v: Any) -> Any:
        return cls.k * v

    def inner(cls, v: Any) -> Any:
        def inner(w: Any) -> Any:
            return cls.k * w

        return inner(v)

    def times(cls, a: Any, v: Any) -> Any:
        return cls.k * a * v

    twice = functools.partialmethod(times, 2.0)


class Made(metaclass=Meta):
    pass


MODULE: Any = types.ModuleType("module")
MODULE.k = 1.0
MODULE.Own = Own


class Settings(types.ModuleType):
    k: Any = 1.0

    @property
    def doubled(self) -> Any:
        return self.k * 2.0

    def __call__(self, v: Any) -> Any:
        return self.k * v


SETTINGS: Any = Settings("settings")


def keeping(owner: Any) -> Callable[[Any], Any]:
    def inner(w: Any) -> Any:
        return owner.k * w

    return inner


BY_CLASS, BY_META, BY_MODULE = keeping(Own), keeping(Made), keeping(MODULE)


def captured_class(x: Any) -> Any:
    Own.k = x
    owner = Own

    def inner(w: Any) -> Any:
        return owner.k * w

    return inner(2.0) * x


def captured_class_changed_later(x: Any) -> Any:
    owner = Own

    def inner(w: Any) -> Any:
        return owner.k * w

    owner.k = x
    return inner(2.0) * x


def captured_module(x: Any) -> Any:
    MODULE.k = x
    owner = MODULE
    return (lambda w: owner.k * w)(2.0) * x


def captured_class_in_module(x: Any) -> Any:
    Own.k = x
    owner = MODULE
    return (lambda w: owner.Own.k * w)(2.0) * x


def captured_list(x: Any) -> Any:
    Shared.items = [x, x * x]
    owner = Shared

    def inner() -> Any:
        return owner.items.copy()[0] * owner.items.pop() + sum(owner.items)

    return inner() * Shared.items[-1]


def captured_list_in_module(x: Any) -> Any:
    MODULE.items = [x, x * x]
    owner = MODULE
    return (lambda: owner.items.pop() * owner.items.pop())()


def captured_outside(x: Any) -> Any:
    Own.k = x
    return BY_CLASS(2.0) * x


def captured_module_outside(x: Any) -> Any:
    MODULE.k = x
    return BY_MODULE(2.0) * x


def captured_derived(x: Any) -> Any:
    Meta.k = x
    return BY_META(2.0) * x


def class_of_class(x: Any) -> Any:
    Meta.k = x
    return Made.k * x * 2.0


def method_of_class(x: Any) -> Any:
    Meta.k = x
    return Made.scaled(2.0) * Made.inner(3.0) * Made.twice(x)


def class_that_is_called_for(x: Any) -> Any:
    Meta.k = x
    made = Meta("Another", (), {})
    return made.scaled(2.0) * type(made).k


def module_of_a_class(x: Any) -> Any:
    Settings.k = x
    return SETTINGS.k * SETTINGS.doubled * SETTINGS(3.0)


GIVING: Any = types.ModuleType("giving")


def given(name: str) -> Any:
    if name == "k":
        return Own.k
    raise AttributeError(name)


GIVING.__getattr__ = given


def given_by_a_module(x: Any) -> Any:
    Own.k = x
    owner = GIVING
    return GIVING.k * (lambda: owner.k)() * getattr(GIVING, "k")  # noqa: B009


def module_with_its_own(x: Any) -> Any:
    SETTINGS.own = x
    return SETTINGS.own * x


class Cell:
    k: Any = 1.0

    def get(self) -> Any:
        return __class__.k

    def inner(self) -> Any:
        return (lambda: __class__.k)()


class Above(Cell):
    def get(self) -> Any:
        return super().get() * __class__.k


def cell_of_class(x: Any) -> Any:
    Cell.k = x
    return Cell().get() * Cell().inner() * Above().get()


class Part(enum.Enum):
    LEFT = 1
    RIGHT = 2

    weight: Any

    @property
    def doubled(self) -> Any:
        return self.weight * 2.0


PARTS: Any = Part
TABLE: Any = {"parts": Part}


def weigh(x: Any) -> None:
    Part.LEFT.weight = x
    Part.RIGHT.weight = x * x


def walked(x: Any) -> Any:
    weigh(x)
    total = 0.0
    for part in Part:
        total += part.doubled
    return total * x


def stored_by_a_walk(x: Any) -> Any:
    for part in Part:
        part.weight = x
    return Part.RIGHT.weight * Part["LEFT"].weight


def zipped(x: Any) -> Any:
    for part, v in zip(Part, [x, x * x], strict=True):
        part.weight = v
    return sum(part.weight * k for k, part in enumerate(Part, 1))


def by_item(x: Any) -> Any:
    weigh(x)
    return Part["RIGHT"].weight * Part["LEFT"].doubled


def by_value(x: Any) -> Any:
    weigh(x)
    return Part(1).weight * Part(2).doubled


def by_name(x: Any) -> Any:
    weigh(x)
    return getattr(Part, "LEFT").weight * Part.__members__["RIGHT"].weight  # noqa: B009


def unpacked(x: Any) -> Any:
    weigh(x)
    left, right = Part
    return left.weight * right.doubled


def listed(x: Any) -> Any:
    weigh(x)
    return list(Part)[0].weight * [*Part][1].doubled  # noqa: RUF015


def comprehended(x: Any) -> Any:
    weigh(x)
    by_part = {part: part.weight for part in Part}
    by_word = {part.name: part for part in Part}
    return by_part[Part.LEFT] * by_word["RIGHT"].weight + sum([part.doubled for part in Part])


def chosen(x: Any) -> Any:
    weigh(x)
    return max(Part, key=lambda part: part.weight).weight * min(PARTS, key=lambda part: part.weight).weight


def sorted_by(x: Any) -> Any:
    weigh(x)
    return sorted(Part, key=lambda part: -part.weight)[0].weight


def mapped(x: Any) -> Any:
    weigh(x)
    return sum(map(operator.attrgetter("weight"), Part)) + sum(part.weight for part in TABLE["parts"])


def handed_on(x: Any) -> Any:
    weigh(x)

    def total(parts: Any) -> Any:
        return sum(part.weight for part in parts)

    return total(Part) * total([Part.LEFT])


def labelled(x: Any) -> Any:
    def g(v: Any) -> Any:
        return v

    g.scale = x

    @functools.wraps(g)
    def wrapper(v: Any) -> Any:
        return g(v)

    return wrapper(2.0) * wrapper.scale


def labelled_with_a_dict(x: Any) -> Any:
    def g(v: Any) -> Any:
        return v

    g.table = {"k": x}
    wrapper: Any = functools.update_wrapper(lambda v: v, g)
    wrapper.table["k"] = wrapper.table["k"] * x
    return g.table["k"]


class Wrapper:
    __wrapped__: Any
    scale: Any

    def __init__(self, f: Any) -> None:
        functools.update_wrapper(self, f)

    def __call__(self, v: Any) -> Any:
        return self.__wrapped__(v)


def wrapped_by_an_object(x: Any) -> Any:
    @Wrapper
    def g(v: Any) -> Any:
        return v * x

    return g(2.0) * g.__wrapped__(3.0)


def labelled_with_its_own(x: Any) -> Any:
    def g(v: Any) -> Any:
        return v

    def wrapper(v: Any) -> Any:
        return v

    g.scale = x
    g.other = x * x
    wrapper.scale = x * x
    wrapper.other = x
    functools.update_wrapper(wrapper, g, assigned=("other",), updated=())
    return wrapper.scale * wrapper.other + g.scale


def wrapped_by_a_partial_call(x: Any) -> Any:
    def g(v: Any) -> Any:
        return v * x

    p: Any = functools.update_wrapper(functools.partial(g, 2.0), g)
    return p() * p.__wrapped__(3.0)


def copied_to_an_object(x: Any) -> Any:
    def g(v: Any) -> Any:
        return v

    g.scale = x
    wrapper = Wrapper(g)
    g.scale = x * x
    return wrapper(2.0) * wrapper.scale + g.scale


RIGHT = [
    *(captured_list, captured_list_in_module, given_by_a_module),
    *(captured_class, captured_class_changed_later, captured_module, captured_class_in_module),
    *(captured_outside, captured_module_outside, captured_derived, class_of_class, method_of_class),
    *(class_that_is_called_for, module_of_a_class, module_with_its_own, cell_of_class),
    *(walked, stored_by_a_walk, zipped, by_item, by_value, by_name, unpacked, listed, comprehended, chosen),
    *(sorted_by, mapped, handed_on, labelled, labelled_with_a_dict, wrapped_by_an_object),
    *(copied_to_an_object, labelled_with_its_own, wrapped_by_a_partial_call),
]


@pytest.mark.parametrize("f", RIGHT, ids=lambda f: f.__name__)
def test_gradient(f: Callable[[Any], Any]) -> None:
    expected = slope(lambda t: f(X + t), 0.02).value
    value, back = zygpy.pullback(f, X)
    assert value == f(X)
    for _ in range(2):
        (bar,) = back(1.0)
        assert bar == pytest.approx(expected, rel=1e-8)


TWICE = [
    captured_class,
    captured_outside,
    captured_class_in_module,
    class_that_is_called_for,
    cell_of_class,
    by_name,
]


@pytest.mark.parametrize("f", TWICE, ids=lambda f: f.__name__)
def test_second_derivative(f: Callable[[Any], Any]) -> None:
    expected = slope(lambda t: slope(lambda s: f(X + t + s), 0.02).value, 0.02).value
    assert zygpy.hvp(f, X, 1.0) == pytest.approx(expected, rel=1e-5, abs=1e-6)


def carried(x: Any) -> Any:
    def f(v: Any) -> Any:
        return v * x

    return f


def key_of_a_display(x: Any) -> Any:
    return [g for g in {carried(x): "name"}][0](2.0)  # noqa: C416, RUF015


def key_that_is_stored(x: Any) -> Any:
    names: dict[Any, str] = {}
    names[carried(x)] = "name"
    return sum(g(2.0) for g in names)


def key_of_a_comprehension(x: Any) -> Any:
    names = {g: name for name, g in {"f": carried(x)}.items()}
    total = 0.0
    for g, name in names.items():
        total += g(2.0) if name == "f" else 0.0
    return total


def key_that_is_set_by_default(x: Any) -> Any:
    names: dict[Any, str] = {}
    names.setdefault(carried(x), "name")
    return next(iter(names))(2.0)


def key_that_is_unpacked(x: Any) -> Any:
    (g,) = {carried(x): "name"}
    return g(2.0)


def key_that_is_taken_out(x: Any) -> Any:
    return {carried(x): "name"}.popitem()[0](2.0)


def number_as_a_key(x: Any) -> Any:
    return sum(k * 2.0 for k in {x: "name"})


def number_as_a_key_that_is_stored(x: Any) -> Any:
    names: dict[Any, str] = {}
    names[x] = "name"
    total = 0.0
    for k in names:
        total += k * 2.0
    return total


LOST = [
    *(key_of_a_display, key_that_is_stored, key_of_a_comprehension, key_that_is_set_by_default),
    *(key_that_is_unpacked, key_that_is_taken_out, number_as_a_key, number_as_a_key_that_is_stored),
]


@pytest.mark.parametrize("f", LOST, ids=lambda f: f.__name__)
def test_keys_of_texts_are_refused_where_they_are_used(f: Callable[[Any], Any]) -> None:
    with pytest.raises(zygpy.UnsupportedSyntaxError, match="a key of a dict is"):
        zygpy.gradient(f, X)


def test_keys_that_are_not_used_are_no_matter() -> None:
    def f(x: Any) -> Any:
        names = {carried(x): "name", x: "number"}
        return x * len([name for name in names.values() if name != "name"])

    assert zygpy.gradient(f, X) == (1.0,)


class Vector:
    def __init__(self, c: Any) -> None:
        self.c = list(c)

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Vector):
            return Vector([a + b for a, b in zip(self.c, other.c, strict=True)])
        return Vector([a + other for a in self.c])

    __radd__ = __add__

    def __mul__(self, k: Any) -> Any:
        return Vector([a * k for a in self.c])


def test_vectors_are_added_to_vectors_and_numbers() -> None:
    def f(x: Any) -> Any:
        a, b = Vector([x, 2.0]), Vector([1.0, x * x])
        return sum((1.0 + (a + b * 2.0 + 1.0)).c)

    assert zygpy.gradient(f, X)[0] == pytest.approx(1.0 + 4.0 * X)


def test_a_call_of_a_name_that_is_not_there_in_a_branch_not_taken() -> None:
    def f(x: Any) -> Any:
        return not_there_as_yet() if x > 5.0 else x * x  # noqa: F821

    assert zygpy.gradient(f, X) == (2.0 * X,)
