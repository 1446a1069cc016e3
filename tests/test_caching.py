"""What was derived is found again, and is not used any more when what it depends on has changed."""

from __future__ import annotations

import functools
import gc
import importlib
import importlib.util
import linecache
import math
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import units
from zygpy.rules import declare

MODULE = """
K = 2.0
def inner(x):
    return x * x
def middle(x):
    return inner(x) + 1
def scaled(x):
    return K * x
def absolute(x):
    return abs(x)
class Model:
    def __init__(self, weight):
        self.weight = weight
    def value(self, x):
        return self.weight * x
"""


def half(x: float) -> float:
    return x * 0.5


def uses_half(x: float) -> float:
    return half(x) * 2


def apply(function: Any, x: float) -> Any:
    return function(x)


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    (tmp_path / "changing.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield importlib.import_module("changing")
    del sys.modules["changing"]


def outer(module: ModuleType) -> Any:
    """A function that reaches `inner` two calls deep."""

    def run(x: float) -> Any:
        return module.middle(x) * 2

    return run


class TestChanges:
    def test_a_helper_two_calls_deep(self, module: ModuleType) -> None:
        run = outer(module)
        assert zg.gradient(run, 3.0) == (12.0,)
        module.inner = lambda x: x**3
        assert zg.gradient(run, 3.0) == (54.0,)

    def test_a_module_that_is_loaded_again(self, module: ModuleType) -> None:
        run, path = outer(module), Path(str(module.__file__))
        assert zg.gradient(run, 1.0) == (4.0,)
        path.write_text(MODULE.replace("x * x", "x * x * x * x"))
        linecache.checkcache(str(path))
        importlib.reload(module)
        assert zg.gradient(run, 1.0) == (8.0,)

    @pytest.mark.parametrize("value", [5, 5.0, np.float64(5.0), np.float32(5.0), np.array(5.0)])
    def test_a_global_of_another_kind(self, module: ModuleType, value: Any) -> None:
        assert zg.gradient(module.scaled, 1.0) == (2.0,)
        module.K = value
        assert zg.gradient(module.scaled, 1.0) == (5.0,)
        module.K = np.array([1.0, 2.0])
        with pytest.raises(zg.NotScalarError):
            zg.gradient(module.scaled, 1.0)

    def test_a_builtin_that_is_hidden_and_shown_again(self, module: ModuleType) -> None:
        assert zg.gradient(module.absolute, -2.0) == (-1.0,)
        module.abs = lambda x: 3 * x
        assert zg.gradient(module.absolute, -2.0) == (3.0,)
        del module.abs
        assert zg.gradient(module.absolute, -2.0) == (-1.0,)

    def test_a_rule_declared_and_removed(self) -> None:
        assert zg.gradient(uses_half, 1.0) == (1.0,) and zg.gradient(half, 1.0) == (0.5,)
        declare.elementwise(half, "y = half(x)", x_bar="y_bar * 100")
        try:
            assert zg.gradient(uses_half, 1.0) == (200.0,) and zg.gradient(half, 1.0) == (100.0,)
        finally:
            del declare.REGISTRY[half]
        assert zg.gradient(uses_half, 1.0) == (1.0,) and zg.gradient(half, 1.0) == (0.5,)

    def test_code_and_defaults_of_a_function(self) -> None:
        def helper(x: float, k: float = 2.0) -> float:
            return x * k

        def other(x: float, k: float = 3.0) -> float:
            return x * x * k

        def run(x: float, helper: Any) -> Any:
            return helper(x)

        assert zg.gradient(run, 1.0, helper)[0] == 2.0
        helper.__defaults__ = (4.0,)
        assert zg.gradient(run, 1.0, helper)[0] == 4.0
        helper.__code__ = other.__code__
        assert zg.gradient(run, 1.0, helper)[0] == 8.0
        assert zg.gradient(helper, 1.0) == (8.0,)

    def test_a_method_of_a_class(self, module: ModuleType) -> None:
        def run(model: Any, x: float) -> Any:
            return model.value(x)

        model = module.Model(3.0)
        assert zg.gradient(run, model, 2.0)[1] == 3.0
        module.Model.value = lambda self, x: self.weight * x * x
        assert zg.gradient(run, model, 2.0)[1] == 12.0

    def test_captured_variables(self) -> None:
        def make(scale: Any) -> tuple[Any, Any]:
            def change(value: Any) -> None:
                nonlocal scale
                scale = value

            return (lambda x: scale * x), change

        first, change = make(2.0)
        second, _ = make(7.0)
        for value in (5.0, 3, np.float64(6.0)):
            change(value)
            assert zg.gradient(first, 1.0) == (float(value),)
        assert zg.gradient(second, 1.0) == (7.0,)

    def test_captured_functions(self) -> None:
        def make(function: Any) -> Any:
            return lambda x: function(x)

        functions = [math.sin, math.cos, lambda x: 5 * x, lambda x: 6 * x, functools.partial(pow, 2.0)]
        expected = [1.0, 0.0, 5.0, 6.0, math.log(2.0)]
        for function, slope in zip(functions * 2, expected * 2, strict=True):
            assert zg.gradient(make(function), 0.0)[0] == pytest.approx(slope)


class TestBounds:
    def test_a_lambda_made_afresh_is_the_same_program(self) -> None:
        for _ in range(100):
            assert zg.gradient(apply, lambda x: x * x, 3.0) == (None, 6.0)
        assert len(units.unit_of(apply).pairs) < 5

    def test_many_kinds(self) -> None:
        def first(items: Any) -> Any:
            return items[0] * 2.0

        for length in range(1, 60):
            for more in ((), ("text",), (1, 2.0)):
                (bar,) = zg.gradient(first, ((1.0,) * length + more))
                assert bar[0] == 2.0
        assert len(units.unit_of(first).pairs) <= units.PAIRS_KEPT + 2

    def test_many_functions(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(units, "UNITS_KEPT", 8)
        for _ in range(12):
            zg.gradient(apply, half, 1.0)
            units.primitive_unit(("test", object()), "f", (), units.core.Copy(units.core.Const(1)), {})
        assert len(units.UNITS) <= 8
        assert zg.gradient(uses_half, 1.0) == (1.0,)

    def test_what_is_kept_by_a_unit_keeps_the_unit(self) -> None:
        def made(x: Any) -> Any:
            return x * x

        unit = units.unit_of(made)
        made_of = (units.catching_unit(unit), units.step_unit(made))
        assert (units.catching_unit(unit), units.step_unit(made)) == made_of
        dropped = weakref.ref(unit)
        del units.UNITS[id(made.__code__), id(made.__globals__)], unit
        gc.collect()
        assert dropped() is not None  # or another unit might get its number, and what was made of it

    def test_everything_can_be_dropped(self) -> None:
        zg.gradient(uses_half, 1.0)
        zg.refresh()
        assert not units.UNITS
        assert zg.gradient(uses_half, 1.0) == (1.0,)
