"""Programs in which exceptions carry what is differentiated: gradients, tangents and second derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.exceptions.programs import PROGRAMS, PULLED, Diverged, Plain
from zygpy.runtime.zeros import RUN, TANGENT, Begun, Partner, bring, brought_by
from zygpy.tangents_pulled import tangent_pull

X = np.array([0.55, 1.5, 2.4])
V = np.array([1.0, -0.3, 0.2])


def slope(function: Callable[[Any], Any], x: Any, v: Any, step: float = 1e-3) -> Any:
    """The derivative along a direction, by differences whose first two errors cancel."""

    def central(step: float) -> Any:
        return (function(x + step * v) - function(x - step * v)) / (2.0 * step)

    a, b, c = (central(step / 2**k) for k in range(3))
    first, second = (4.0 * b - a) / 3.0, (4.0 * c - b) / 3.0
    return (16.0 * second - first) / 15.0


def numerical_gradient(function: Callable[[Any], Any], x: Any) -> Any:
    return np.array([slope(function, x, unit) for unit in np.eye(len(x))])


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_gradient(name: str) -> None:
    program = PROGRAMS[name]
    np.testing.assert_allclose(
        zg.gradient(program, X)[0], numerical_gradient(program, X), rtol=1e-8, atol=1e-9
    )


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_tangent(name: str) -> None:
    program = PROGRAMS[name]
    np.testing.assert_allclose(zg.pushforward(program, X)(V), slope(program, X, V), rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("name", PULLED)
def test_second_derivatives(name: str) -> None:
    program = PROGRAMS[name]
    expected = slope(lambda x: numerical_gradient(program, x), X, V)
    for _ in range(2):  # anew, and what is at hand
        np.testing.assert_allclose(zg.hvp(program, X, V), expected, rtol=1e-5, atol=1e-5)
    pull = tangent_pull(program, X)
    assert pull is not None
    assert pull.push.tangent.unpulled == []  # it was the tangent function that was differentiated


def test_what_is_pulled_is_most() -> None:
    assert len(PULLED) > len(PROGRAMS) / 2


# -------------------------------------------------------------------------- what exceptions bring


def raising(x: Any) -> Any:
    if x > 0.0:
        raise Plain(x * x) from Diverged(x**3)
    return x


@pytest.mark.parametrize(
    "derivative", [lambda: zg.pushforward(raising, 2.0)(1.0), lambda: zg.hvp(raising, 2.0, 1.0)]
)
def test_an_exception_that_leaves_a_program_is_as_after_a_plain_call(derivative: Callable[[], Any]) -> None:
    with pytest.raises(Plain) as caught:
        derivative()
    assert caught.value.args == (4.0,)
    assert vars(caught.value).keys() <= {"__notes__"}
    assert isinstance(caught.value.__cause__, Diverged)
    assert vars(caught.value.__cause__) == {"x": 8.0, "n": 0}


def keeping(items: list[Any]) -> Any:
    """The exception that is raised is one that was there before, if there is one."""
    try:
        if len(items) > 1:
            raise items[1]
        raise Plain(items[0] * 3.0)
    except Plain as error:
        items.append(error)
        return error.args[0] * items[0]


def test_what_an_exception_of_another_run_brought_is_none_of_its_tangents() -> None:
    items: list[Any] = [2.0]
    assert zg.pushforward(keeping, items)([1.0]) == 12.0
    held = next(item for item in items if isinstance(item, Plain))
    assert zg.pushforward(lambda x: keeping([x, held]), 5.0)(1.0) == 6.0
    assert zg.gradient(lambda x: keeping([x, held]), 5.0) == (6.0,)


def test_runs_inside_of_runs_know_their_own_exceptions() -> None:
    error, partner = ValueError(1.0), Partner()
    with Begun():
        bring(error, partner)
        with Begun():
            assert brought_by(error) is None
        assert brought_by(error) is partner
    assert brought_by(error) is None
    assert {TANGENT, RUN} <= vars(error).keys()


def test_the_tangent_function_shows_what_an_exception_brings() -> None:
    text = str(zg.show_tangent(PROGRAMS["argument"], X))
    assert "Partner()" in text
    assert "zygpy_tangent" in text
