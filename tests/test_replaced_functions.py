"""Functions that a program replaces while it runs, in globals, modules and classes: those are called then."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import units
from zygpy.testing import check_gradient

X = np.array([1.3, 0.7])


class Unit:
    def __init__(self, v: float = 1.5) -> None:
        self.v = v

    def act(self, a: Any) -> Any:
        return a * self.v

    def __call__(self, a: Any) -> Any:
        return a * 2.0

    def both(self, a: Any) -> Any:
        return self.act(a) * a


class Other(Unit):
    def act(self, a: Any) -> Any:
        return super().act(a) * 2.0


def twice(a: Any) -> Any:
    return a * 2.0


def loss(a: Any) -> Any:
    return activation(a) + a


activation: Callable[[Any], Any] = twice
MODULE: Any = types.ModuleType("replaced_in")
PLAIN = {"act": Unit.act, "__call__": Unit.__call__, "__init__": Unit.__init__}


@pytest.fixture(autouse=True)
def _as_they_were() -> Iterator[None]:
    reset()
    yield
    reset()


def reset() -> None:
    global activation
    activation, MODULE.act = twice, twice
    for name, function in PLAIN.items():
        setattr(Unit, name, function)


def set_activation(function: Any) -> None:
    global activation
    activation = function


def patch(name: str, function: Any) -> None:
    setattr(Unit, name, function)


def global_bound_here(x: Any) -> Any:
    global activation
    activation = lambda a: a * x[1]  # noqa: E731
    return activation(x[0]) * loss(x[0])


def global_bound_by_a_function(x: Any) -> Any:
    set_activation(lambda a: a * x[1])
    return activation(x[0]) * loss(x[0])


def global_bound_to_what_carries_a_number(x: Any) -> Any:
    scale = x[1] * 1.5
    set_activation(lambda a: a * scale)
    return loss(x[0])


def global_bound_by_what_is_made_here(x: Any) -> Any:
    def bind() -> Any:
        set_activation(lambda a: a * x[1])
        return 1.0

    return [bind][0]() * loss(x[0])


def of_a_module(x: Any) -> Any:
    MODULE.act = lambda a: a * x[1]
    return MODULE.act(x[0]) * sum(map(MODULE.act, x))


def method(x: Any) -> Any:
    Unit.act = lambda self, a: a * self.v * x[1]  # type: ignore[method-assign]
    return Unit().act(x[0]) + Unit(2.0).both(x[0]) + Other().act(x[0])


def method_by_a_function(x: Any) -> Any:
    before = Unit().act(x[0])
    patch("act", lambda self, a: a * self.v * x[1])
    return before * Unit().act(x[0]) * Other().act(x[0])


def called_object(x: Any) -> Any:
    patch("__call__", lambda self, a: a * x[1])
    return Unit()(x[0])


def initialiser(x: Any) -> Any:
    patch("__init__", lambda self, v: setattr(self, "v", v * x[1]))
    return Unit(x[0]).v * Unit(x[1]).act(2.0)


def method_that_carries_a_number(x: Any) -> Any:
    scale = x[1] * 1.5
    Unit.act = lambda self, a: a * scale  # type: ignore[method-assign]
    return Unit().act(x[0])


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
def test_method_that_carries_a_number_is_refused(*, specialise: bool) -> None:
    with units.options(specialise=specialise):  # noqa: SIM117
        with pytest.raises(zg.UnsupportedSyntaxError, match="captures numbers"):
            zg.gradient(method_that_carries_a_number, X)


def of_a_module_by_a_computed_name(x: Any) -> Any:
    for name in ("other", "act"):
        setattr(MODULE, name, lambda a: a**3)
    return MODULE.act(x[0]) * x[1]


def of_a_module_by_its_variables(x: Any) -> Any:
    vars(MODULE)["act"] = lambda a: a**3
    return MODULE.act(x[0]) * x[1]


def of_a_module_by_its_dict(x: Any) -> Any:
    MODULE.__dict__.update(act=lambda a: a**3)
    return MODULE.act(x[0]) * x[1]


def never_called(a: Any, b: float = 2.0) -> Any:
    return a * b


def other_code(x: Any) -> Any:
    never_called.__code__ = twice.__code__
    return never_called(x[0])


def other_defaults(x: Any) -> Any:
    give_defaults(x[1])
    return never_called(x[0])


def give_defaults(value: Any) -> None:
    setattr(never_called, "__defaults__", (value,))  # noqa: B010


def other_bases(x: Any) -> Any:
    Other.__bases__ = (Unit,)
    return Other(x[0]).act(2.0)


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("program", [other_code, other_defaults, other_bases])
def test_other_code_under_the_same_name_is_refused(
    program: Callable[[Any], Any], *, specialise: bool
) -> None:
    with units.options(specialise=specialise):  # noqa: SIM117
        with pytest.raises(zg.UnsupportedSyntaxError, match="something else from then on"):
            zg.gradient(program, X)


PROGRAMS: list[Callable[[Any], Any]] = [
    of_a_module_by_a_computed_name,
    of_a_module_by_its_variables,
    of_a_module_by_its_dict,
    global_bound_here,
    global_bound_by_a_function,
    global_bound_to_what_carries_a_number,
    global_bound_by_what_is_made_here,
    of_a_module,
    method,
    method_by_a_function,
    called_object,
    initialiser,
]


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_called_is_the_new_one(program: Callable[[Any], Any], *, specialise: bool) -> None:
    def plain(x: Any) -> Any:
        reset()
        return program(x)

    reset()
    with units.options(specialise=specialise):
        value, back = zg.pullback(program, X.copy())
    assert value == plain(X)
    step = 1e-6
    steps = [np.array([step, 0.0]), np.array([0.0, step])]
    expected = [(plain(X + each) - plain(X - each)) / (2 * step) for each in steps]
    assert [back(1.0)[0].tolist() for _ in range(2)] == [pytest.approx(expected, rel=1e-7)] * 2


class Standardised:
    """An object whose fields are named as functions of a module are."""

    def __init__(self, x: Any) -> None:
        self.mean = np.mean(x)
        self.std = np.std(x)

    def __call__(self, x: Any) -> Any:
        return (x - self.mean) / self.std


def test_fields_replace_no_functions_of_modules() -> None:
    def f(x: Any) -> Any:
        scaled = Standardised(x)
        scaled.sum = np.sum(x)  # type: ignore[attr-defined]
        return np.sum(scaled(x) ** 3) + np.mean(x)

    x = np.array([1.0, 2.0, 4.0])
    assert "pull" not in str(zg.show_adjoint(f, x))
    check_gradient(f, x)
