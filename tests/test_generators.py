"""Generators beyond what the corpus runs: what is seen from outside, errors, and what is refused."""

from __future__ import annotations

import array
import contextlib
import functools
import itertools
from collections.abc import Callable, Iterator
from types import GeneratorType
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.errors import MissingRuleError, UnsupportedSyntaxError
from zygpy.testing import check_gradient


def powers(x: Any, n: int) -> Iterator[Any]:
    value = x
    for _ in range(n):
        yield value
        value = value * x


def averages() -> Iterator[Any]:
    total, count, average = 0.0, 0, None
    while True:
        term = yield average
        if term is None:
            return total
        total, count = total + term, count + 1
        average = total / count


def test_what_is_sent_has_a_gradient() -> None:
    def f(x: float) -> Any:
        g = averages()
        next(g)
        a, b = g.send(x), g.send(x * x)
        c = g.send(a * b)
        try:
            g.send(None)
        except StopIteration as stop:
            return a * b * c * stop.value
        return None

    check_gradient(f, 1.5)


def test_what_is_thrown_has_a_gradient() -> None:
    def answering(x: Any) -> Iterator[Any]:
        value = yield x
        try:
            while True:
                value = yield value * x
        except KeyError as error:
            yield error.args[0] * value

    def f(x: float) -> Any:
        g = answering(x)
        next(g)
        a = g.send(x * 2)
        return a * g.throw(KeyError(x * x))

    check_gradient(f, 1.5)


def test_context_managers_made_of_generators() -> None:
    @contextlib.contextmanager
    def scaled(state: dict[str, Any], factor: Any) -> Iterator[Any]:
        old = state["scale"]
        state["scale"] = old * factor
        try:
            yield state["scale"] * factor
        finally:
            state["scale"] = old

    @contextlib.contextmanager
    def keeping(kept: list[Any]) -> Iterator[None]:
        try:
            yield
        except ValueError as error:
            kept.append(error.args[0])

    def f(x: float) -> Any:
        state, kept = {"scale": x}, [x]
        y = x
        with scaled(state, x * x) as s:
            y = y * s * state["scale"]
        with keeping(kept):
            y = y * 2
            raise ValueError(y * x)
        return y * state["scale"] * kept[1] * kept[0]

    check_gradient(f, 1.1)


class Squares:
    def __init__(self, values: list[Any]) -> None:
        self.values = values

    def __iter__(self) -> Iterator[Any]:
        for value in self.values:
            yield value * value


def test_iteration_written_as_a_generator() -> None:
    def f(x: float) -> Any:
        squares = Squares([x, 2 * x, x * x])
        a, b, c = squares
        total = a * b
        for value in squares:
            total = total + value * x
        return total + sum(squares) * max(squares) + c

    check_gradient(f, 1.5)


def test_arrays_written_between_items() -> None:
    def f(x: float) -> Any:
        v = np.array([x, 2.0, x * x])

        def rows() -> Iterator[Any]:
            for k in range(3):
                v[k] = v[k] * x
                yield v

        total = 0.0
        for row in rows():
            row[0] = row[0] * 2
            total = total + np.sum(row * row)
        return total

    check_gradient(f, 1.5)


def test_back_twice_and_float32() -> None:
    def f(x: Any) -> Any:
        return sum(value * x for value in powers(x, 3) if value > 1)

    y, back = zg.pullback(f, np.float32(1.5))
    first, second, third = back(1.0), back(1.0), back(2.0)
    assert first == second
    assert third[0] == 2 * first[0]
    assert type(first[0]) is np.float32
    assert y == f(np.float32(1.5))


def test_integer_arguments() -> None:
    assert zg.gradient(lambda n: sum(powers(n, 3)), 2) == (1 + 2 * 2 + 3 * 4,)


def test_exceptions_that_leave_are_the_same() -> None:
    def failing(x: Any, kept: list[Any]) -> Iterator[Any]:
        yield x
        kept.append(x)
        raise KeyError("gone")

    def f(x: Any) -> Any:
        return sum(failing(x, [x]))

    with pytest.raises(KeyError, match="gone"):
        zg.gradient(f, 1.5)


def test_stop_iteration_never_leaves_a_generator() -> None:
    def stopping(x: Any) -> Iterator[Any]:
        yield x
        raise StopIteration

    with pytest.raises(RuntimeError, match="generator raised StopIteration"):
        zg.gradient(lambda x: sum(stopping(x)), 1.5)


def test_a_fresh_generator_takes_nothing() -> None:
    def f(x: float) -> Any:
        return averages().send(x)

    with pytest.raises(TypeError, match="just-started generator"):
        zg.gradient(f, 1.5)


def test_generators_look_like_generators() -> None:
    found = []

    def f(x: float) -> Any:
        g = powers(x, 2)
        found.append((isinstance(g, GeneratorType), repr(g)[:24], iter(g) is g))
        return next(g) * sum(g)

    zg.gradient(f, 1.5)
    assert found == [(True, "<generator object powers", True)]


def test_effects_happen_once_and_in_order() -> None:
    log = []

    def noisy(x: Any) -> Iterator[Any]:
        try:
            for k in range(4):
                log.append(f"gives {k}")
                yield x * k
        finally:
            log.append("closed")

    def f(x: float) -> Any:
        total = x
        for value in noisy(x):
            log.append("got")
            total = total * 2 + value
            if value > 2:
                break
        log.append("after")
        return total

    f(1.5)
    plain = log[:]
    log.clear()
    assert zg.gradient(f, 1.5) == (8.0 + 2 * 1 + 2,)
    assert log == plain


REFUSED: list[tuple[str, Callable[..., Any], type[Exception], str]] = []


def refused(error: type[Exception], text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        REFUSED.append((function.__name__, function, error, text))
        return function

    return enter


@refused(UnsupportedSyntaxError, "asks for the items of the generator '<genexpr>'")
def given_to_code_in_c(x: float) -> Any:
    return x * len(bytes(int(value) for value in powers(x, 2)))


@refused(MissingRuleError, "array.array")
def given_to_a_class_in_c(x: float) -> Any:
    return array.array("d", powers(x, 2))[0]


@refused(UnsupportedSyntaxError, "generator function 'powers' is called by a name")
def differentiated_itself(x: float) -> Any:
    return zg.gradient(powers, x, 2)


@refused(UnsupportedSyntaxError, "was left in the middle")
def left_in_the_middle_of_a_try(x: float) -> Any:
    kept = [x]

    def watching() -> Iterator[Any]:
        try:
            yield x * x
            yield x
        finally:
            kept.append(x)

    first = watching()
    return next(first) * sum(kept)


@pytest.mark.parametrize(
    ("function", "error", "text"), [pytest.param(*row[1:], id=row[0]) for row in REFUSED]
)
def test_what_is_refused(function: Callable[..., Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text) as caught:
        zg.gradient(function, 1.5)
    assert "Why: " in str(caught.value)


def test_lazy_functions_of_the_library() -> None:
    def f(x: float, values: list[float]) -> Any:
        left, right = itertools.tee(value * x for value in values)
        total = functools.reduce(lambda a, b: a * b + x, itertools.islice(left, 2), x)
        for key, group in itertools.groupby(right, key=lambda value: value > 2):
            total = total + sum(group) * (2 if key else 3)
        pairs = itertools.zip_longest(values, powers(x, 2), fillvalue=x)
        return total + sum(a * b for a, b in pairs) * next(itertools.count(x))

    check_gradient(f, 1.5, [1.0, 2.0, 0.5])
