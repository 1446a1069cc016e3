"""What is given as a seed, and what is given as a direction: taken in the form of the value that it is of,
or refused."""

from __future__ import annotations

from collections import OrderedDict, deque, namedtuple
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import zygpy as zg

X = np.array([1.0, 2.0, 3.0])
Pair = namedtuple("Pair", ["a", "b"])


class Thing:
    def __init__(self, x: Any) -> None:
        self.x = x * 2


class Slotted:
    __slots__ = ("x",)

    def __init__(self, x: Any) -> None:
        self.x = x * 2


def twice(x: Any) -> Any:
    return x * 2


def turned(x: Any) -> Any:
    return x[::-1]


def same(x: Any) -> Any:
    return x


def of_floats(x: Any) -> Any:
    return [2.0 * x[0], x[1] * x[2]]


NUMBERS = [
    [1, 2, 3],
    (1.0, 2.0, 3.0),
    np.array([1, 2, 3]),
    np.array([1, 2, 3], object),
    np.float32([1, 2, 3]),
]


@pytest.mark.parametrize("seed", NUMBERS, ids=["list", "tuple", "integers", "objects", "single"])
@pytest.mark.parametrize("program", [twice, turned, np.sin, same], ids=lambda program: program.__name__)
def test_a_seed_is_taken_in_the_form_of_the_result(program: Callable[[Any], Any], seed: Any) -> None:
    _, back = zg.pullback(program, X)
    _, back_of_lists = zg.pullback(lambda x: [program(x), {"a": program(x)}], X)
    expected = back(np.array([1.0, 2.0, 3.0]))[0]
    for found in (back(seed)[0], back_of_lists([seed, None])[0], back_of_lists((None, {"a": seed}))[0]):
        assert type(found) is np.ndarray
        assert found.dtype == float
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("seed", [2, 2.0, True + 1, np.float32(2), np.array(2), Fraction(2), 2 + 1j])
def test_a_seed_of_a_number(seed: Any) -> None:
    (found,) = zg.pullback(lambda x: x * x, 3.0)[1](seed)
    assert type(found) is float
    assert found == 12.0
    (array,) = zg.pullback(lambda x: (x * x).sum(), X)[1](seed)
    assert array.dtype == float
    assert array.tolist() == [4.0, 8.0, 12.0]


RESULTS: dict[str, tuple[Callable[[Any], Any], list[Any], list[Any]]] = {
    "array": (
        twice,
        [],
        [1.0, np.ones(2), [[1.0, 2.0], [3.0]], (1.0, X), "a", np.array(["a", "b", "c"]), {"a": X}],
    ),
    "number": (lambda x: float(x[0]), [], [X, [1.0], "a", {"a": 1.0}, [1.0, [2.0]]]),
    "tuple": (
        lambda x: (twice(x), x),
        [(X, None), [X, None]],
        [X, (X,), 1.0, {"a": X}, (1.0, X), "ab"],
    ),
    "named tuple": (lambda x: Pair(twice(x), x), [Pair(X, None), (X, None)], [{"a": X}, (X,), Pair(1.0, X)]),
    "deque": (
        lambda x: deque([twice(x), x]),
        [deque([X, None]), (X, None)],
        [deque([X]), 1.0, [np.ones(2), X]],
    ),
    "dict": (
        lambda x: {"a": twice(x), "b": x},
        [{"a": X}, OrderedDict(a=X), zg.Record({"a": X}), {"a": X, "c": None}],
        [{"c": X}, {"a": 1.0}, {"a": np.ones(2)}, X, 1.0, (X, X)],
    ),
    "nested": (
        lambda x: {"a": {"b": [twice(x)]}},
        [{"a": {"b": [X]}}],
        [{"a": {"c": [X]}}, {"a": X}, {"a": {"b": X}}],
    ),
    "object": (Thing, [{"x": X}, zg.Record({"x": X})], [{"y": X}, {"x": 1.0}, zg.Record({"x": np.ones(2)})]),
    "slots": (Slotted, [{"x": X}, zg.Record({"x": X})], [{"y": X}, {"x": 1.0}]),
    "function": (lambda x: lambda: 2 * x, [], [{"y": X}, {"x": 1.0}]),
    "set": (lambda x: {2.0 * x[0]}, [], [1.0, {"a": X}, [1.0]]),
    "values": (lambda x: {"a": twice(x)}.values(), [], [1.0, [X], {"a": X}]),
    "iterator": (lambda x: iter([twice(x)]), [], [1.0, [X], {0: X}]),
    "generator": (lambda x: (v * v for v in x), [], [1.0, list(X), X]),
    "flat": (lambda x: twice(x).flat, [], [X, 1.0]),
}


@pytest.mark.parametrize("result", RESULTS)
def test_seeds_of_all_forms(result: str) -> None:
    program, right, wrong = RESULTS[result]
    _, back = zg.pullback(program, X.copy())
    for seed in right:
        (found,) = back(seed)
        np.testing.assert_array_equal(found, 2 * X)
    for seed in wrong:
        with pytest.raises(zg.CotangentShapeError):
            back(seed)
    assert back(None) == (None,)


@pytest.mark.parametrize("program", [Thing, Slotted])
@pytest.mark.parametrize("seed", [1.0, X, "a", Thing(X)], ids=["number", "array", "text", "object"])
def test_an_object_for_an_object_needs_a_rule(program: Callable[[Any], Any], seed: Any) -> None:
    _, back = zg.pullback(program, X)
    with pytest.raises(zg.UnsupportedSyntaxError, match="needed by its fields"):
        back(seed)


SEEDS_INSIDE = [np.ones((2, 2)), 1.0, [1.0, 2.0, 3.0]]


@pytest.mark.parametrize("seed", SEEDS_INSIDE, ids=["shape", "number", "list"])
def test_seeds_in_differentiated_code_are_refused_as_outside(seed: Any) -> None:
    def program(x: Any) -> Any:
        _, back = zg.pullback(lambda z: {"a": z * 2}, x)
        return np.sum(back({"a": seed})[0] * x)

    if not isinstance(seed, list):
        with pytest.raises(zg.CotangentShapeError, match=r"the seed has shape"):
            program(X)
    with pytest.raises(zg.CotangentShapeError, match=r"the seed"):
        zg.gradient(program, X)


class Vector:
    def __init__(self, x: Any) -> None:
        self.x = x


class Ruled(Vector):
    pass


class Several:
    def __init__(self, items: Any) -> None:
        self.items = list(items)


def norm(v: Any) -> Any:
    return np.sum(v.x**2)


@zg.adjoint(norm)
def _norm(v: Any) -> Any:
    return norm(v), lambda bar: (type(v)(2 * v.x * bar),)


@zg.adjoint(Ruled)
def _ruled(x: Any) -> Any:
    return Ruled(x), lambda bar: (bar.x,)


def first(several: Any) -> Any:
    return several.items[0] ** 2


@zg.adjoint(first)
def _first(several: Any) -> Any:
    rest = [0.0] * (len(several.items) - 1)
    return first(several), lambda bar: (Several([2 * several.items[0] * bar, *rest]),)


def made_here(x: Any) -> Any:
    return norm(Vector(x * 2))


def set_later(x: Any) -> Any:
    v = Vector(None)
    v.x = x * 2
    return norm(v)


def scaled_in_place(x: Any) -> Any:
    v = Vector(x * 2)
    v.x *= 2
    return norm(v)


def with_an_element_set(x: Any) -> Any:
    v = Vector(np.zeros(3))
    v.x[1] = x[0] * 3
    return norm(v)


def in_a_list(x: Any) -> Any:
    kept = [Vector(x * 2)]
    kept.append(Vector(x))
    return norm(kept[0]) + norm(kept[1])


def items_of_a_list(x: Any) -> Any:
    return first(Several([x[0] * 2, x[1]]))


def appended(x: Any) -> Any:
    several = Several([x[0] * 2])
    several.items.append(x[1])
    return first(several)


WHOLE = [made_here, set_later, scaled_in_place, with_an_element_set, in_a_list, items_of_a_list, appended]


@pytest.mark.parametrize("program", WHOLE, ids=lambda program: program.__name__)
def test_gradients_that_are_objects_are_not_lost_where_the_fields_are_made(
    program: Callable[[Any], Any],
) -> None:
    with pytest.raises(zg.UnsupportedSyntaxError, match="needed by its fields"):
        zg.gradient(program, X.copy())
    with pytest.raises(zg.UnsupportedSyntaxError, match="needed by its fields"):
        zg.pushforward(program, X.copy())(np.ones(3))


CONSTANT = Vector(np.ones(3))


def test_gradients_that_are_objects_go_where_rules_take_them() -> None:
    def program(x: Any) -> Any:
        ruled = [Ruled(x * 2), Ruled(x)]
        ruled.reverse()
        return norm(ruled[0]) + norm(ruled[1]) + norm(CONSTANT) * x[0] + np.sum(CONSTANT.x * x)

    assert zg.gradient(program, X)[0].tolist() == [14.0, 21.0, 31.0]
    (found,) = zg.gradient(norm, Vector(X))
    assert type(found) is Vector
    assert found.x.tolist() == [2.0, 4.0, 6.0]


class Scaled:
    def __new__(cls, x: Any) -> Any:
        return np.sum(x * x)


def test_classes_are_functions_of_what_their_objects_are_made_of() -> None:
    assert zg.pullback(Thing, X)[1]({"x": X})[0].tolist() == [2.0, 4.0, 6.0]
    assert zg.gradient(Scaled, X)[0].tolist() == [2.0, 4.0, 6.0]
    assert zg.hvp(Scaled, X, np.ones(3)).tolist() == [2.0, 2.0, 2.0]
    assert zg.pushforward(Scaled, X)(np.ones(3)) == 12.0


@pytest.mark.parametrize(
    "iterator",
    [iter([2.0]), iter((2.0,)), reversed((2.0,)), iter(np.ones(1))],
    ids=lambda one: type(one).__name__,
)
def test_what_an_iterator_walks_over_is_no_part_of_it(iterator: Any) -> None:
    assert zg.gradient(lambda x, items: x * next(items), 3.0, iterator)[1] is None


class Point:
    def __init__(self, x: Any, y: Any) -> None:
        self.x = x
        self.y = y


DIRECTIONS: dict[str, tuple[Any, Callable[[Any], Any], list[Any], list[Any]]] = {
    "array": (
        X,
        lambda x: np.sum(x**3),
        [[1, 2, 3], (1.0, 2.0, 3.0), np.arange(1, 4), np.float32([1, 2, 3])],
        [1.0, np.ones(2), np.ones((3, 1)), {"a": X}, "a", (X, 1.0), [1.0, [2.0]]],
    ),
    "number": (2.0, lambda x: x**3, [1, np.float32(1), np.array(1)], [X, [1.0], np.ones(1), "a", {"a": 1.0}]),
    "dict": (
        {"a": X, "b": 2.0},
        lambda d: np.sum(d["a"] ** 3) * d["b"],
        [{"a": [1, 2, 3], "b": None}, {"a": X}],
        [1.0, X, {"c": X}, {"a": 1.0}, {"a": np.ones(2)}, (X, 1.0)],
    ),
    "tuple": (
        (X, 2.0),
        lambda t: np.sum(t[0] ** 3) * t[1],
        [(X, None), [[1, 2, 3], 0]],
        [1.0, X, (X,), (1.0, 1.0), {"a": X}],
    ),
    "object": (
        Point(X, 2.0),
        lambda p: np.sum(p.x**3) * p.y,
        [{"x": X}, zg.Record({"x": [1, 2, 3], "y": 0})],
        [1.0, X, (X, 1.0), {"z": X}, {"x": 1.0}, "a", Vector(X)],
    ),
}


FIRST: dict[str, Callable[[Any], Any]] = {
    "dict": lambda product: product["a"],
    "tuple": lambda product: product[0],
    "object": lambda product: product.x,
}


@pytest.mark.parametrize("argument", DIRECTIONS)
def test_directions_of_all_forms(argument: str) -> None:
    x, program, right, wrong = DIRECTIONS[argument]
    for direction in right:
        pushed, product = zg.pushforward(program, x)(direction), zg.hvp(program, x, direction)
        found = FIRST.get(argument, lambda whole: whole)(product)
        if argument == "number":
            assert (pushed, found) == (12.0, 12.0)
        else:
            scale = 1.0 if argument == "array" else 2.0
            assert pushed == pytest.approx(108.0 * scale)
            np.testing.assert_allclose(found, 6.0 * X * X * scale)
    for direction in wrong:
        for asked in (zg.pushforward(program, x), lambda v: zg.hvp(program, x, v)):
            with pytest.raises(zg.CotangentShapeError, match="direction"):
                asked(direction)


def test_as_many_tangents_as_arguments() -> None:
    push = zg.pushforward(lambda x, y: x * y, 2.0, 3.0)
    for tangents in ((), (1.0,), (1.0, 2.0, 3.0)):
        with pytest.raises(TypeError, match="for 2 arguments"):
            push(*tangents)
