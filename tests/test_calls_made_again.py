"""Calls by identity that are made like one before: nothing that has changed in between may be passed by."""

from __future__ import annotations

import functools
from collections import OrderedDict, deque, namedtuple
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.analyse.fields import argument_kind
from zygpy.load.signatures import signature_of


class Spring:
    def __init__(self, k: Any, **more: Any) -> None:
        self.k = k
        self.__dict__.update(more)

    def energy(self, x: Any) -> Any:
        return energy_of(self, x)


class Chain(Spring):
    pass


class Slotted:
    __slots__ = ("k",)

    def __init__(self, k: Any) -> None:
        self.k = k


class Rows(np.ndarray):
    pass


Pair = namedtuple("Pair", "a b")


def energy_of(spring: Any, x: Any) -> Any:
    return spring.k * x**2 / 2


def values() -> list[Any]:
    """Values of which many are of one kind, and many nearly so."""
    leaves: list[Any] = [1.0, 2.5, 1, True, 1j, None, "a", np.float32(1.0), np.float64(2.0), np.ones(2)]
    leaves += [np.ones((2, 2)), np.ones(2, np.float32), np.array(["a"]), np.ones(2).view(Rows), print, len]
    leaves += [Slotted(1.0), Pair(1.0, 2), Pair(1, 2.0), deque([1.0]), OrderedDict(a=1.0), int, energy_of]
    leaves += [Spring, slice(1, 2), range(3), np.datetime64("2020-01-01"), np.str_("a"), np.arange(3)]
    found = [*leaves, [], {}, (), [1.0] * 100, (1.0,) * 100, dict.fromkeys(range(100), 1.0)]
    for one in leaves:
        found += [[one], [one, one], [one, 1.0], [1.0, one], (one,), (one, 1.0), {"a": one}, {1: one}]
        found += [{"a": one, "b": 1.0}, {"b": 1.0, "a": one}, {1: one, 2: one}, {1: one, "a": 1.0}]
        found += [
            Spring(one),
            Chain(one),
            Spring([one]),
            Spring({"a": one}),
            Spring({1: one}),
            Spring((one,)),
        ]
        found += [Spring(Spring(one)), Spring(Chain(one)), Spring([Chain(one)]), Spring(Chain(Spring(one)))]
        found += [Spring([one] * 100), Spring([Spring(1.0), one]), Spring({"a": Chain(one), "b": 1.0})]
        found += [
            [Spring(one)],
            [[one], [1.0]],
            [[[[[[[one]]]]]]],
            ((((((one,),),),),),),
            {"a": {"b": [one]}},
        ]
        found += [
            Spring(Chain(Pair(one, Spring(1.0)))),
            Spring(1.0, m=one),
            Spring(one, m=1.0),
            [Spring(1, n=one)],
        ]
    return found


def test_where_signatures_are_equal_kinds_are() -> None:
    found: dict[Any, Any] = {}
    for value in values():
        kind = argument_kind(value)
        assert found.setdefault(signature_of([value]), kind) == kind, value
    assert len(set(found.values())) > len(found) / 3


def history(spring: Any, times: Any) -> Any:
    """Steps that are found when they are made, of a spring that changes."""
    seen = []
    for t in times:
        seen.append(spring.energy(t))
        spring.k = spring.k + t
    return sum(seen)


def by_stiffness(k: Any) -> Any:
    return history(Spring(k), [0.5, 1.5, 2.0])


def test_a_rule_that_is_declared_later_is_seen() -> None:
    expected = (0.5**2 + 1.5**2 + 2.0**2) / 2
    assert zg.gradient(by_stiffness, 3.0)[0] == pytest.approx(expected)

    @zg.adjoint(energy_of)
    def tripled(spring: Any, x: Any) -> Any:
        def back(y_bar: Any) -> Any:
            return {"k": 3 * y_bar * x**2 / 2}, y_bar * spring.k * x

        return spring.k * x**2 / 2, back

    try:
        assert zg.gradient(by_stiffness, 3.0)[0] == pytest.approx(3 * expected)
    finally:
        zg.opt_out(energy_of, object)


def test_a_method_that_is_replaced_later_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    before = zg.gradient(by_stiffness, 3.0)[0]
    monkeypatch.setattr(Spring, "energy", lambda self, x: 2 * self.k * x)
    assert zg.gradient(by_stiffness, 3.0)[0] == pytest.approx(2 * (0.5 + 1.5 + 2.0))
    monkeypatch.undo()
    assert zg.gradient(by_stiffness, 3.0)[0] == before


def test_a_helper_that_is_replaced_later_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    zg.gradient(by_stiffness, 3.0)
    monkeypatch.setitem(globals(), "energy_of", lambda spring, x: spring.k * x)
    assert zg.gradient(by_stiffness, 3.0)[0] == pytest.approx(0.5 + 1.5 + 2.0)


def test_an_implementation_that_is_registered_later_is_seen() -> None:
    @functools.singledispatch
    def weight(spring: Any, x: Any) -> Any:
        return spring.k * x

    class Heavy(Spring):
        def energy(self, x: Any) -> Any:
            return weight(self, x)

    def f(k: Any) -> Any:
        return history(Heavy(k), [0.5, 1.5])

    assert zg.gradient(f, 3.0)[0] == pytest.approx(2.0)
    weight.register(Heavy, lambda spring, x: spring.k**2 * x)
    assert zg.gradient(f, 3.0)[0] == pytest.approx(2 * 3.0 * 0.5 + 2 * 3.5 * 1.5)


def test_defaults_that_are_set_later_are_seen() -> None:
    class Loaded(Spring):
        def energy(self, x: Any, load: Any = 2.0) -> Any:
            return self.k * x * load

    def f(k: Any) -> Any:
        return history(Loaded(k), [0.5, 1.5])

    assert zg.gradient(f, 3.0)[0] == pytest.approx(4.0)
    Loaded.energy.__defaults__ = (5.0,)
    assert zg.gradient(f, 3.0)[0] == pytest.approx(10.0)


def test_other_captured_values_are_seen() -> None:
    def of(load: Any) -> Any:
        class Loaded(Spring):
            def energy(self, x: Any) -> Any:
                return self.k * x * load

        return Loaded

    def f(k: Any, load: Any, kinds: Any) -> Any:
        return history(kinds(k), [0.5, 1.5])

    for load in (2.0, 5.0):
        assert zg.gradient(f, 3.0, load, of(load))[0] == pytest.approx(2 * load)


SEEN: list[Any] = []


def test_a_method_that_begins_to_store_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    def stores(self: Any, x: Any) -> Any:
        SEEN.append(self.k * x)
        return SEEN[-1] * self.k

    zg.gradient(by_stiffness, 3.0)
    monkeypatch.setattr(Spring, "energy", stores)
    k = 3.0 + np.array([0.0, 0.5, 2.0])
    assert zg.gradient(by_stiffness, 3.0)[0] == pytest.approx(np.sum(2 * k * [0.5, 1.5, 2.0]))
    assert pytest.approx(k * [0.5, 1.5, 2.0]) == SEEN
    SEEN.clear()


def test_second_derivatives_again() -> None:
    def f(z: Any) -> Any:
        return history(Spring(z[0] ** 2), [z[1], 1.5]) * z[0]

    z, v = np.array([0.7, 1.2]), np.array([1.0, -0.3])
    first = zg.hvp(f, z, v)
    step = 1e-5
    expected = (zg.gradient(f, z + step * v)[0] - zg.gradient(f, z - step * v)[0]) / (2 * step)
    assert first == pytest.approx(expected, rel=1e-6)
    assert zg.hvp(f, z, v) == pytest.approx(first)
