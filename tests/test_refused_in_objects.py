"""What classes and objects do that is refused, with the reason."""

from __future__ import annotations

import contextvars
import dataclasses
import types
from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg
from zygpy.errors import ZygpyError


class Plain:
    def __init__(self, x: Any) -> None:
        self.x = x


VARIABLE = contextvars.ContextVar("VARIABLE", default=1.0)


def class_made_by_a_function(x: Any) -> Any:
    pair = dataclasses.make_dataclass("Pair", ["a", "b"])
    return pair(x, 2.0 * x).a


def method_made_of_a_closure(x: Any) -> Any:
    def scaled(self: Any, k: float) -> Any:
        return self.x * k * x

    thing: Any = Plain(x)
    thing.scaled = types.MethodType(scaled, thing)
    return thing.scaled(2.0)


def variable_of_a_context(x: Any) -> Any:
    token = VARIABLE.set(x)
    try:
        return VARIABLE.get() * x
    finally:
        VARIABLE.reset(token)


def method_of_float_by_name(x: Any) -> Any:
    return float.__rsub__(x, 3.0) * x


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (class_made_by_a_function, "the class 'Pair' is called, which was not known"),
        (method_made_of_a_closure, "'method' has no rule"),
        (variable_of_a_context, "'set' on an object of class ContextVar"),
        (method_of_float_by_name, "no rule for '__rsub__'"),
    ],
)
def test_what_is_refused(program: Callable[[Any], Any], message: str) -> None:
    """With its place, the reason and what to do instead, and nothing stays behind."""
    with pytest.raises(ZygpyError, match=message) as refused:
        zg.gradient(program, 1.5)
    text = str(refused.value)
    assert "test_refused_in_objects.py:" in text
    assert "Why: " in text
    assert "Instead: " in text
    assert VARIABLE.get() == 1.0
