"""Exceptions that a program raises and catches itself, whose attributes are read: gradients, tangents and
second derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.exceptions import thrown
from tests.exceptions.test_exceptions import slope
from tests.exceptions.thrown import PROGRAMS, Low
from zygpy.errors import UnsupportedSyntaxError

AT = (0.3, 1.37)
"""Where most of them raise an exception, and do not."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_gradient(name: str) -> None:
    program = PROGRAMS[name]
    for x in AT:
        expected = slope(program, x, 1.0)
        y, back = zg.pullback(program, x)
        assert y == program(x)
        for seed in (1.0, -2.0):
            np.testing.assert_allclose(back(seed)[0] or 0.0, seed * expected, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("name", ["in_loop", "args_read", "changed_before", "continues"])
def test_second_derivatives_and_tangents(name: str) -> None:
    program, x = PROGRAMS[name], AT[0]
    np.testing.assert_allclose(zg.pushforward(program, x)(1.0), slope(program, x, 1.0), rtol=1e-7, atol=1e-8)
    expected = slope(lambda x: zg.gradient(program, x)[0], x, 1.0)
    np.testing.assert_allclose(zg.hvp(program, x, 1.0), expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", ["in_loop", "args_read", "several", "others_too", "translated"])
def test_they_are_in_variables(name: str) -> None:
    assert "exception_kept" in zg.show_adjoint(PROGRAMS[name], AT[0])


# ------------------------------------------------------------------------- what is found anew


def raising(x: Any) -> Any:
    if x > 0.0:
        raise Low(x * 2.0)
    return x


def catching(x: Any) -> Any:
    try:
        y = raising(x)
    except Low as e:
        y = e.value * x
    return y


def test_a_function_and_a_class_that_are_others_now(monkeypatch: pytest.MonkeyPatch) -> None:
    assert zg.gradient(catching, 3.0) == (12.0,)

    def other(x: Any) -> Any:
        raise Low(x * x)

    monkeypatch.setitem(globals(), "raising", other)
    assert zg.gradient(catching, 3.0) == (27.0,)

    def tripled(self: Low, value: Any) -> None:
        self.value = value * 3.0

    monkeypatch.setattr(Low, "__init__", tripled)
    assert zg.gradient(catching, 3.0) == (81.0,)


def test_an_exception_that_leaves_the_program_is_as_after_a_plain_call() -> None:
    with pytest.raises(Low) as caught:
        zg.gradient(thrown.reraise_bare, 0.5)
    assert caught.value.value == 1.5


def of_shapes(x: Any, y: Any) -> Any:
    try:
        if x[0] > 1.0:
            raise ValueError(x[0])
        z = x * y
    except ValueError as e:
        return e.args[0]
    return z.sum()


def test_an_error_of_numpy_whose_arguments_are_read_is_refused() -> None:
    x, y = np.array([0.5, 2.0, 3.0]), np.array([1.0, 2.0])
    np.testing.assert_array_equal(zg.gradient(of_shapes, x + 1.0, y)[0], [1.0, 0.0, 0.0])
    np.testing.assert_array_equal(zg.gradient(of_shapes, x, x)[0], x)
    with pytest.raises(UnsupportedSyntaxError, match="ValueError came from somewhere else"):
        zg.gradient(of_shapes, x, y)
