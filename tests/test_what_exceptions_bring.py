"""Exceptions that may hold active values, and those that hold none; managers whose classes are known."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.test_operators_of_objects import check_all
from zygpy.errors import UnsupportedSyntaxError

X = np.linspace(0.5, 1.5, 6)


class Bad(Exception):
    def __init__(self, value: Any) -> None:
        super().__init__("bad")
        self.value = value


def other() -> None:
    raise ValueError("other")


def deep(t: Any) -> Any:
    if t > 0.6:
        raise Bad(t * t)
    return t


def mid(t: Any) -> Any:
    return deep(t) * 2.0


def from_two_functions_further(x: Any) -> Any:
    total = 0.0
    for t in x:
        try:
            total = total + mid(t)
        except Bad as error:
            total = total + error.value
    return total


def made_before(x: Any) -> Any:
    error = Bad(x[0] * x[1])
    try:
        raise error
    except Bad as caught:
        return caught.value * x[2]


def as_a_cause(x: Any) -> Any:
    try:
        try:
            raise Bad(x[0] * x[1])
        except Bad as error:
            raise ValueError("other") from error
    except ValueError as error:
        return error.__cause__.value * x[2]  # type: ignore[union-attr]


def from_a_function_that_only_raises(x: Any) -> Any:
    def inner() -> None:
        raise Bad(x[0] * x[1])

    try:
        inner()
    except Bad as error:
        return error.value * x[2]
    return x[0]


def recursive(t: Any, n: int) -> Any:
    if n == 0:
        raise Bad(t * t)
    return recursive(t * 1.1, n - 1)


def from_a_recursion(x: Any) -> Any:
    try:
        return recursive(x[0], 3)
    except Bad as error:
        return error.value * x[1]


def of_an_assertion(x: Any) -> Any:
    try:
        if x[0] < 5.0:
            raise AssertionError(x[0] * x[1])
    except AssertionError as error:
        return error.args[0] * x[2]
    return x[0]


def raised_again(x: Any) -> Any:
    def again() -> None:
        raise

    try:
        try:
            raise Bad(x[0] * x[1])
        except Bad:
            again()
    except Bad as error:
        return error.value * x[2]
    return x[0]


class Swallowing:
    got: Any = 1.0

    def __enter__(self) -> Swallowing:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        if isinstance(error, Bad):
            self.got = error.value * 2.0
        return True


def swallowed_from_a_call(x: Any) -> Any:
    manager = Swallowing()
    with manager:
        deep(x[3] * 1.5)
    return manager.got * x[0]


def swallowed_here(x: Any) -> Any:
    manager = Swallowing()
    with manager:
        raise Bad(x[3] * 1.5)
    return manager.got * x[0]


def swallowed_of_an_index(x: Any) -> Any:
    manager = Swallowing()
    with manager:
        x[99]
    return manager.got * x[0]


class Section:
    """Counts, and measures time."""

    def __init__(self, name: str) -> None:
        self.name, self.count, self.spent, self.start = name, 0, 0.0, 0.0

    def __enter__(self) -> Section:
        self.start = time.perf_counter()
        self.count += 1
        return self

    def __exit__(self, *failure: Any) -> None:
        self.spent += time.perf_counter() - self.start


class Gain:
    def __init__(self, factor: Any) -> None:
        self.factor = factor

    def __enter__(self) -> Any:
        self.factor = self.factor * 2.0
        return self.factor

    def __exit__(self, *failure: Any) -> None:
        self.factor = self.factor * 0.5


class Simulation:
    def __init__(self) -> None:
        self.section, self.level = Section("steps"), 1.0

    def step(self, t: Any) -> None:
        with self.section:
            self.level = self.level * 0.9 + t * t


def sections_in_a_loop(x: Any) -> Any:
    section, total = Section("loop"), 0.0
    for t in x:
        with section:
            total = total + t * t
    return total * section.count


def a_section_in_an_object(x: Any) -> Any:
    simulation = Simulation()
    for t in x:
        simulation.step(t)
    return simulation.level * simulation.section.count


def gains(x: Any) -> Any:
    total = 0.0
    for t in x:
        with Gain(t) as factor:
            total = total + t * factor
    return total


def suppressed(x: Any) -> Any:
    known, total = {0: x[0], 3: x[3]}, 0.0
    for k in range(6):
        with contextlib.suppress(KeyError):
            total = total + known[k] ** 2
    return total


def key_of_an_item(x: Any) -> Any:
    known: dict[Any, Any] = {}
    try:
        return known[x[0]]
    except KeyError as error:
        return error.args[0] * x[1]


def key_that_is_popped(x: Any) -> Any:
    known: dict[Any, Any] = {}
    try:
        return known.pop(x[0] * 2.0)
    except KeyError as error:
        return error.args[0] * x[1]


def key_that_is_deleted(x: Any) -> Any:
    known: dict[Any, Any] = {}
    try:
        del known[x[0]]
    except KeyError as error:
        return error.args[0] * x[1]
    return x[0]


def key_in_a_function(x: Any) -> Any:
    def look(known: Any, key: Any) -> Any:
        return known[key]

    try:
        return look({}, x[0])
    except KeyError as error:
        return error.args[0] * x[1]


def item_of_a_set(x: Any) -> Any:
    known: set[Any] = set()
    try:
        known.remove(x[0])
    except KeyError as error:
        return error.args[0] * x[1]
    return x[0]


PROGRAMS: tuple[Callable[[Any], Any], ...] = (
    *(from_two_functions_further, made_before, as_a_cause, from_a_function_that_only_raises),
    *(from_a_recursion, of_an_assertion, raised_again),
    *(swallowed_from_a_call, swallowed_here, swallowed_of_an_index),
    *(sections_in_a_loop, a_section_in_an_object, gains, suppressed),
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_derivatives(program: Callable[[Any], Any]) -> None:
    check_all(program)


@pytest.mark.parametrize("program", [sections_in_a_loop, suppressed, swallowed_of_an_index])
def test_exceptions_that_hold_nothing_are_not_followed(program: Callable[[Any], Any]) -> None:
    text = zg.show_adjoint(program, X)
    assert "pull_method" not in text and "check_exception_is_inert" not in text


@pytest.mark.parametrize(
    "program", [key_of_an_item, key_that_is_popped, key_that_is_deleted, key_in_a_function, item_of_a_set]
)
def test_keys_that_exceptions_tell_are_refused(program: Callable[[Any], Any]) -> None:
    with pytest.raises(UnsupportedSyntaxError, match="depends on what an exception brought"):
        zg.gradient(program, X)
