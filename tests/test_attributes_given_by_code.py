"""Arguments whose attributes are given by code have the gradients of what the code reads; functions that are
arguments have directions."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from zygpy import units
from zygpy.testing.numeric import slope


@pytest.fixture(params=[True, False], ids=["specialised", "generic"])
def switches(request: pytest.FixtureRequest) -> Iterator[None]:
    with units.options(specialise=request.param):
        yield


class Inner:
    def __init__(self, k: float) -> None:
        self.k = k


class Delegating:
    def __init__(self, k: float) -> None:
        self.inner = Inner(k)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


class Handing(Delegating):
    def __getattr__(self, name: str) -> Any:
        return super().__getattr__(name)


class OfTable:
    def __init__(self, k: float) -> None:
        self.__dict__["table"] = {"k": k}

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["table"][name]
        except KeyError:
            raise AttributeError(name) from None


class Hidden:
    def __init__(self, k: float) -> None:
        object.__setattr__(self, "_inner", Inner(k))

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "_inner"), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(object.__getattribute__(self, "_inner"), name, value)


class Tripled:
    def __get__(self, thing: Any, owner: Any = None) -> Any:
        return thing.raw * 3


class Described:
    k = Tripled()

    def __init__(self, k: float) -> None:
        self.raw = k


class Underscored:
    def __set_name__(self, owner: Any, name: str) -> None:
        self.name = "_" + name

    def __get__(self, thing: Any, owner: Any = None) -> Any:
        return getattr(thing, self.name)

    def __set__(self, thing: Any, value: Any) -> None:
        setattr(thing, self.name, value)


class Validated:
    k = Underscored()

    def __init__(self, k: float) -> None:
        self.k = k


class Kept:
    def __init__(self, k: float) -> None:
        self.raw = k

    @functools.cached_property
    def k(self) -> float:
        return self.raw * 3


class ByGetter(Described):
    k = property(operator.attrgetter("raw"))


class ByPartial(Described):
    k = property(functools.partial(lambda factor, thing: thing.raw * factor, 3.0))


class Spacious(SimpleNamespace):
    def __init__(self, k: float) -> None:
        super().__init__(raw=k)

    def __getattr__(self, name: str) -> Any:
        return self.raw * 2


CLASSES = [
    *(Delegating, Handing, OfTable, Hidden, Described, Validated, Kept, ByGetter, ByPartial, Spacious),
]

READERS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "itself": (lambda it: it.k**2, lambda it: it),
    "in a list": (lambda it: it[0].k * it[0].k, lambda it: [it]),
    "by a name in a text": (lambda it: sum(getattr(it, name) for name in ("k",)) ** 2, lambda it: it),
    "if it has one": (lambda it: it.k**2 if hasattr(it, "k") else 0.0, lambda it: it),
}


def numbers(gradient: Any, path: tuple[Any, ...] = ()) -> dict[tuple[Any, ...], float]:
    """The numbers in a gradient by where they are."""
    if isinstance(gradient, zg.Record):
        gradient = gradient._asdict()
    if isinstance(gradient, list):
        gradient = dict(enumerate(gradient))
    if not isinstance(gradient, dict):
        return {} if gradient is None else {path: gradient}
    inside = [numbers(part, (*path, key)) for key, part in gradient.items()]
    return {where: number for found in inside for where, number in found.items()}


@pytest.mark.usefixtures("switches")
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("of", CLASSES)
def test_the_gradient_belongs_to_what_is_stored(of: Callable[[Any], Any], reader: str) -> None:
    program, held = READERS[reader]
    expected = differences(lambda k: program(held(of(k[0]))), np.array([0.7]))[0]
    found = numbers(zg.gradient(program, held(of(0.7)))[0])
    assert list(found.values()) == [pytest.approx(expected)]
    (where,) = found
    fields = {"inner", "table", "_inner", "raw", "_k"}
    assert not fields.isdisjoint(where)


@pytest.mark.usefixtures("switches")
def test_what_is_kept_is_changed() -> None:
    def program(thing: Any) -> Any:
        for _ in range(3):
            thing.k += thing.k * 0.5
        return thing.k

    assert numbers(zg.gradient(program, Kept(0.7))[0]) == {("raw",): pytest.approx(3 * 1.5**3)}
    assert zg.gradient(lambda x: program(Kept(x)), 0.7)[0] == pytest.approx(3 * 1.5**3)


class Intercepting(Delegating):
    def __getattribute__(self, name: str) -> Any:
        inner = object.__getattribute__(self, "inner")
        return inner if name == "inner" else getattr(inner, name)


@pytest.mark.usefixtures("switches")
@pytest.mark.parametrize("reader", READERS)
def test_what_is_intercepted_is_refused(reader: str) -> None:
    program, held = READERS[reader]
    thing = Inner(0.7)
    thing.__class__ = Intercepting  # type: ignore[assignment]
    object.__setattr__(thing, "inner", Inner(0.7))
    with pytest.raises(zg.UnsupportedSyntaxError, match="'__getattribute__' of its own"):
        zg.gradient(program, held(thing))


# --------------------------------------------------------------------------- directions of functions


def scaling(a: float) -> Callable[[float], float]:
    return lambda x: a * a * x * x


class Scale:
    def __init__(self, a: float) -> None:
        self.a = a

    def of(self, x: float) -> float:
        return self.a * self.a * x * x


MADE: dict[str, tuple[Callable[[float], Any], Callable[[Any, Any], Any]]] = {
    "a closure": (scaling, lambda f, x: f(x) * x),
    "a method": (lambda a: Scale(a).of, lambda f, x: f(x) * x),
    "a partial call": (lambda a: functools.partial(lambda b, x: b * b * x * x, a), lambda f, x: f(x) * x),
    "in a dict": (lambda a: {"f": scaling(a)}, lambda d, x: d["f"](x) * x),
    "in a field": (lambda a: Scale(scaling(a)), lambda s, x: s.a(x) * x),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("made", MADE)
def test_functions_have_directions(made: str) -> None:
    make, program = MADE[made]
    direction = zg.gradient(program, make(2.0), 3.0)[0]  # 2 a x^3 for the number that the function carries
    assert list(numbers(direction).values()) == [pytest.approx(2 * 2.0 * 27.0)]
    slope = 108.0 * 2 * 2.0 * 27.0
    assert zg.pushforward(program, make(2.0), 3.0)(direction, 0.0) == pytest.approx(slope)
    assert zg.pushforward(program, make(2.0), 3.0)(direction, 1.0) == pytest.approx(slope + 3 * 4.0 * 9.0)
    if made in ("a closure", "a method"):
        product = zg.hvp(lambda f: program(f, 3.0), make(2.0), direction)
        assert list(numbers(product).values()) == [pytest.approx(108.0 * 2 * 27.0)]


def test_a_function_is_the_direction_of_one_of_the_same_code() -> None:
    program: Callable[[Any, float], Any] = lambda f, x: f(x) * x  # noqa: E731
    assert zg.pushforward(program, scaling(2.0), 3.0)(scaling(0.5), 0.0) == pytest.approx(
        0.5 * 2 * 2.0 * 27.0
    )
    for other in (abs, scaling, 1.0):
        with pytest.raises(zg.CotangentShapeError):
            zg.pushforward(program, scaling(2.0), 3.0)(other, 0.0)


def rebinding(a: float) -> Callable[[float], float]:
    def of(x: float) -> float:
        nonlocal a
        a = a * 0.5 + x
        return a * a * x

    return of


IN_OBJECTS: dict[str, Callable[[float], Any]] = {
    "a closure": lambda a: Scale(scaling(a)),  # type: ignore[arg-type]
    "a closure that rebinds": lambda a: Scale(rebinding(a)),  # type: ignore[arg-type]
    "a method": lambda a: Scale(Scale(a).of),  # type: ignore[arg-type]
    "a partial call": lambda a: Scale(functools.partial(Scale.of, Scale(a))),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("made", IN_OBJECTS)
def test_an_object_with_functions_is_a_direction(made: str) -> None:
    make = IN_OBJECTS[made]

    def program(thing: Any) -> Any:
        return thing.a(1.5) * thing.a(0.5)

    def twice(things: Any) -> Any:
        return program(things[0]) + things[1].a(2.0)

    expected = slope(lambda t: program(make(2.0 + 0.5 * t)), 0.02).value
    assert zg.pushforward(program, make(2.0))(make(0.5)) == pytest.approx(expected, rel=1e-8)
    expected += slope(lambda t: make(1.0 + 0.7 * t).a(2.0), 0.02).value
    found = zg.pushforward(twice, [make(2.0), make(1.0)])([make(0.5), make(0.7)])
    assert found == pytest.approx(expected, rel=1e-8)


def test_functions_of_modules_stand_beside_others_in_a_direction() -> None:
    """A function of a module is bound to that, which is no part of a direction."""

    def program(given: Any) -> Any:
        functions, v = given
        return v[0] * functions["a"](1.5) * functions["b"](v[1])

    def made(t: float) -> Any:
        return {"a": scaling(2.0 + 0.5 * t), "b": math.sin}, [1.0 + 0.3 * t, 0.7 - 0.2 * t]

    direction = {"a": scaling(0.5), "b": math.sin}, [0.3, -0.2]
    expected = slope(lambda t: program(made(t)), 0.02).value
    assert zg.pushforward(program, made(0.0))(direction) == pytest.approx(expected, rel=1e-8)
    expected = slope(lambda t: slope(lambda s: program(made(t + s)), 0.02).value, 0.02).value
    product = zg.hvp(program, made(0.0), direction)
    found = 0.5 * product[0]["a"].a + np.dot(product[1], [0.3, -0.2])
    assert found == pytest.approx(expected, rel=1e-6)
