"""The checks of a derivation notice every change, and only changes."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from zygpy.analyse.facts import Guard
from zygpy.ir.kinds import FLOAT
from zygpy.load.guards import arrange


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
