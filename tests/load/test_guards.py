"""The checks of a derivation notice every change, and only changes."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from zygpy.analyse.facts import Guard
from zygpy.ir.kinds import FLOAT, kind_of
from zygpy.load.guards import arrange, together


class Table(np.ndarray[Any, Any]):
    """An array of another class."""


class Settings:
    """A class with an attribute that guards look at."""

    scale = 1.0


def step(x: float) -> float:
    return x


def other(x: float) -> float:
    return 2 * x


def test_a_global_name() -> None:
    namespace: dict[str, Any] = {"step": step}
    checks = arrange([Guard(namespace, "step", step)])
    assert checks.hold()
    namespace["step"] = other
    assert not checks.hold()
    namespace["step"] = step
    assert checks.hold()
    del namespace["step"]
    assert not checks.hold()


def test_a_builtin_that_is_hidden_later() -> None:
    namespace: dict[str, Any] = {}
    checks = arrange([Guard(namespace, "abs", abs)])
    assert checks.hold()
    namespace["abs"] = other
    assert not checks.hold()


def test_a_name_of_a_module() -> None:
    module = types.ModuleType("module")
    module.__dict__["step"] = step
    checks = arrange([Guard(module, "step", step)])
    assert checks.hold()
    module.__dict__["step"] = other
    assert not checks.hold()


def test_a_name_that_a_module_makes_when_asked() -> None:
    module = types.ModuleType("module")
    module.__dict__["__getattr__"] = {"step": step}.__getitem__
    checks = arrange([Guard(module, "step", step)])
    assert checks.hold()
    module.__dict__["__getattr__"] = {"step": other}.__getitem__
    assert not checks.hold()


@pytest.mark.parametrize(
    ("owner", "name", "change"),
    [(step, "__code__", other.__code__), (step, "__defaults__", (1.0,)), (Settings, "scale", 2.0)],
)
def test_an_attribute(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, change: Any) -> None:
    checks = arrange([Guard(owner, name, getattr(owner, name))])
    assert checks.hold()
    monkeypatch.setattr(owner, name, change)
    assert not checks.hold()


@pytest.mark.parametrize(
    ("value", "holds"),
    [(2.0, True), (1, False), (np.float64(1.0), False), (np.ones(2), False), (step, False)],
)
def test_the_kind_of_a_global(value: Any, holds: bool) -> None:
    namespace: dict[str, Any] = {"scale": 1.0}
    checks = arrange([Guard(namespace, "scale", kind=FLOAT)])
    assert checks.hold()
    namespace["scale"] = value
    assert checks.hold() is holds
    del namespace["scale"]
    assert not checks.hold()


def test_no_guards_always_hold() -> None:
    assert arrange([]).hold()


def test_every_guard_counts() -> None:
    owners: list[dict[str, Callable[..., Any]]] = [{"f": step} for _ in range(3)]
    checks = arrange([Guard(owner, "f", step) for owner in owners])
    for owner in owners:
        assert checks.hold()
        owner["f"] = other
        assert not checks.hold()
        owner["f"] = step


def test_a_number_of_another_type() -> None:
    namespace: dict[str, Any] = {"scale": 1.0}
    checks = arrange([Guard(namespace, "scale", None, FLOAT)])
    assert checks.hold()
    for value, holds in ((2.5, True), (2, False), (np.float64(2.0), False), (3.0, True)):
        namespace["scale"] = value
        assert checks.hold() is holds
    del namespace["scale"]
    assert not checks.hold()


def test_the_kind_of_a_global_array() -> None:
    namespace: dict[str, Any] = {"table": np.ones((2, 3))}
    checks = arrange([Guard(namespace, "table", None, kind_of(namespace["table"]))])
    assert len(checks.arrays) == 1
    for other_of_the_kind in (np.zeros((5, 1)), np.ones((3, 2)).T):
        namespace["table"] = other_of_the_kind
        assert checks.hold()
    for of_another_kind in (
        np.ones(3),
        np.ones((2, 3), np.float32),
        np.ones((2, 3), int),
        1.0,
        [1.0],
        Table((2, 3)),
    ):
        namespace["table"] = of_another_kind
        assert not checks.hold()
    del namespace["table"]
    assert not checks.hold()


def test_checks_of_two_derivations_are_those_of_both() -> None:
    namespace: dict[str, Any] = {"step": step, "scale": 1.0, "table": np.ones(2)}
    first = arrange([Guard(namespace, "step", step), Guard(namespace, "scale", None, FLOAT)])
    kind = kind_of(namespace["table"])
    second = arrange([Guard(namespace, "step", step), Guard(namespace, "table", None, kind)])
    both = together(first, second)
    assert (len(both.entries), len(both.numbers), len(both.arrays)) == (1, 1, 1)
    for name, value in (("step", other), ("scale", "text"), ("table", np.ones((2, 2)))):
        assert both.hold()
        kept, namespace[name] = namespace[name], value
        assert not both.hold()
        namespace[name] = kept
