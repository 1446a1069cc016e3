"""What functions and classes that are made in a differentiated function say of themselves: their names, where
they stand, their annotations, as in a plain call."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg
from zygpy import units

LOG: list[Any] = []


def note(function: Any) -> Any:
    LOG.append((function.__name__, function.__qualname__, function.__doc__, function.__module__))
    LOG.append(getattr(function, "__annotations__", None))

    @functools.wraps(function)
    def wrapper(*args: Any) -> Any:
        return function(*args)

    LOG.append((wrapper.__name__, wrapper.__qualname__, wrapper.__wrapped__ is function))
    return wrapper


def decorated(x: float) -> Any:
    @note
    @note
    def square(a: float, *rest: int, power: complex = 2) -> list[float]:
        """A square."""
        return a**2  # type: ignore[return-value]

    return square(x, 1) * x


def in_a_method(x: float) -> Any:
    class Scale:
        def __init__(self, factor: float) -> None:
            self.factor = factor

        def apply(self, value: float) -> float:
            def inner(y: float) -> float:
                return y * self.factor

            LOG.append((inner.__qualname__, (lambda: 0).__qualname__))
            return inner(value)

    LOG.append((Scale.__qualname__, Scale.apply.__qualname__, Scale.apply.__name__))
    return Scale(x).apply(x)


def further_in(x: float) -> Any:
    def outer(a: float) -> Callable[[float], float]:
        def inner(b: float) -> float:
            return a * b * x

        LOG.append((inner.__name__, inner.__qualname__, outer.__qualname__))
        return inner

    found = outer(x)
    LOG.append(found.__qualname__)
    return found(x)


def by_name(x: float) -> Any:
    table: dict[str, Any] = {}

    def register(function: Any) -> Any:
        table[function.__name__] = function
        return function

    @register
    def first(a: float) -> float:
        return a * a

    @register
    def second(a: float) -> float:
        return a * x

    return table["first"](x) + table["second"](x) * first(x) * second(x)


PROGRAMS: list[tuple[Callable[[float], Any], float]] = [
    (decorated, 12.0),
    (in_a_method, 4.0),
    (further_in, 12.0),
    (by_name, 4.0 + 6 * 32.0),
]


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize(("program", "slope"), PROGRAMS)
def test_they_say_what_they_say_in_a_plain_call(program: Any, slope: float, *, specialise: bool) -> None:
    LOG.clear()
    program(2.0)
    expected = [*LOG]
    LOG.clear()
    with units.options(specialise=specialise):
        assert zg.gradient(program, 2.0) == (pytest.approx(slope),)
    assert expected == LOG
    LOG.clear()
    assert zg.pushforward(program, 2.0)(1.0) == pytest.approx(slope)
    assert expected[0:1] == LOG[0:1]
