"""Handlers that find their exception by asking Python for it."""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.exceptions.programs import Diverged, check
from tests.exceptions.test_exceptions import V, X, numerical_gradient, slope
from zygpy.analyse.handled import asks


def current() -> Any:
    return sys.exc_info()[1]


def asked_in_another(factor: Any) -> Any:
    from sys import exc_info as asking

    return asking()[1].x * factor  # type: ignore[union-attr]


def asked_deep(factor: Any) -> Any:
    return asked_in_another(factor) + 1.0


class Log:
    def current(self) -> Any:
        return sys.exc_info()[1]

    def __call__(self) -> Any:
        return self.current()


class Asking:
    """A context manager that asks, where it is given the exception."""

    value: Any = None

    def __enter__(self) -> Asking:
        return self

    def __exit__(self, *given: object) -> bool:
        self.value = sys.exc_info()[1].x  # type: ignore[union-attr]
        return True


LOG = Log()
WEIGHTS = np.array([1.0, 2.0])
PARTIAL = partial(current)
LOGGER = logging.getLogger(__name__)


def by_exc_info(x: Any) -> Any:
    try:
        return check(x[1])
    except Diverged:
        return sys.exc_info()[1].x ** 2  # type: ignore[union-attr]


def by_parts_of_it(x: Any) -> Any:
    total = 0.0
    for t in x:
        try:
            total = total + check(t)
        except Diverged:
            _, error, _ = sys.exc_info()
            total = total + error.x * t  # type: ignore[union-attr]
    return total


def by_exception(x: Any) -> Any:
    try:
        return check(x[1])
    except Diverged:
        return sys.exception().x ** 2  # type: ignore[union-attr]


def by_a_function(x: Any) -> Any:
    try:
        return check(x[1])
    except Diverged:
        return current().x ** 2


def by_a_function_below(x: Any) -> Any:
    try:
        return check(x[1])
    except Diverged:
        return asked_deep(x[0]) ** 2


def by_a_function_in_a_variable(x: Any) -> Any:
    try:
        return check(x[1])
    except Diverged:
        ask = current
        return ask().x ** 2


def by_a_partial_call(x: Any) -> Any:
    try:
        return check(x[1])
    except Diverged:
        return PARTIAL().x ** 2


def by_a_local_function(x: Any) -> Any:
    def ask() -> Any:
        return sys.exc_info()[1]

    try:
        return check(x[1])
    except Diverged:
        return ask().x ** 2


def by_a_lambda(x: Any) -> Any:
    ask = lambda: sys.exc_info()[1].x  # type: ignore[union-attr]  # noqa: E731
    try:
        return check(x[1])
    except Diverged:
        return ask() * x[0]


def by_a_method(x: Any) -> Any:
    try:
        return check(x[1])
    except Diverged:
        return LOG.current().x ** 2


def by_a_method_of_a_new_object(x: Any) -> Any:
    log = Log()
    try:
        return check(x[1])
    except Diverged:
        return log.current().x ** 2


def by_an_object_that_is_called(x: Any) -> Any:
    try:
        return check(x[1])
    except Diverged:
        return LOG().x * x[0]


def by_a_context(x: Any) -> Any:
    with Asking() as asking:
        check(x[1])
    return asking.value * x[0]


def in_finally(x: Any) -> Any:
    total = x[0]
    try:
        total = total + check(x[1])
    finally:
        error: Any = sys.exc_info()[1]
        return total * (error.x if error is not None else 1.0)  # noqa: B012


def weighted(t: Any) -> Any:
    return WEIGHTS[0] * t + WEIGHTS[1]


def beside_arrays(x: Any) -> Any:
    try:
        return check(x[1])
    except Diverged as error:
        return weighted(error.x) ** 2


def for_its_text_alone(x: Any) -> Any:
    try:
        return check(x[1])
    except Diverged:
        LOGGER.debug("failed", exc_info=True)
        return x[0] ** 2 * len(traceback.format_exc()) / len(traceback.format_exc())


PROGRAMS: list[Callable[[Any], Any]] = [
    *(by_exc_info, by_parts_of_it, by_exception, by_a_function, by_a_function_below),
    *(by_a_function_in_a_variable, by_a_partial_call, by_a_local_function, by_a_lambda, by_a_method),
    *(by_a_method_of_a_new_object, by_an_object_that_is_called, by_a_context, in_finally),
    *(for_its_text_alone, beside_arrays),
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_gradient(program: Callable[[Any], Any]) -> None:
    expected = numerical_gradient(program, X)
    assert np.any(expected)
    np.testing.assert_allclose(zg.gradient(program, X)[0], expected, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(zg.pushforward(program, X)(V), slope(program, X, V), rtol=1e-8, atol=1e-9)


def test_what_asks() -> None:
    assert asks(sys.exc_info)
    assert asks(by_a_function_below)
    assert asks(Log)
    assert not asks(for_its_text_alone)
    assert not asks(LOGGER)
    assert not asks(np.sum)
