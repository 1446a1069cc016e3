"""Judging a program: value, first and second derivative against plain calls."""

from __future__ import annotations

import contextlib
import hashlib
import linecache
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import zygpy
from tests.random_programs.subject import TooLong, at_most
from zygpy.testing.numeric import slope

POINT = 1.3
POINTS: dict[str, Any] = {"integer": 2, "array": np.array([1.3, 0.7])}
"""Where programs are judged that are not judged at `POINT`, by the orders."""

DIRECTION = np.array([0.8, -0.6])
STEP = 0.02
RIGHT, REFUSED, UNUSABLE, SLOW = "right", "refused", "not judged", "slow"
FINE = (RIGHT, REFUSED, UNUSABLE, SLOW)
ORDERS = ("first", "twice", "reversed twice", "tangent", "integer", "array")


@dataclass(frozen=True)
class Verdict:
    """What became of a program: one of `FINE`, or what is wrong, and the details."""

    outcome: str
    detail: str = ""


def judge(text: str, order: str = "first", seconds: float | None = None) -> Verdict:
    """The verdict on the function `f` of a module at one of the `ORDERS`."""
    with warnings.catch_warnings(), np.errstate(all="ignore"), contextlib.ExitStack() as stack:
        warnings.simplefilter("ignore")
        try:
            f = stack.enter_context(compiled(text))["f"]
            expected = plain(f, order)
            reference = (second_difference if "twice" in order else first_difference)(f, order)
        except Exception as error:
            return Verdict(UNUSABLE, spelled(error))
        try:
            with at_most(seconds):
                return compared(f, order, expected, reference)
        except TooLong as error:
            return Verdict(SLOW, str(error))
        except zygpy.ZygpyError as error:
            return Verdict(REFUSED, f"{error.message} Why: {error.why}")
        except Exception as error:
            return Verdict("internal", spelled(error))


@contextlib.contextmanager
def compiled(text: str) -> Iterator[dict[str, Any]]:
    """The names of the module with this text, whose source is found where Python looks for it."""
    name = f"<crossed {hashlib.sha256(text.encode()).hexdigest()[:16]}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Any] = {"__name__": "crossed"}
    try:
        exec(compile(text, name, "exec", dont_inherit=True), names)
        yield names
    finally:
        linecache.cache.pop(name, None)


def plain(f: Callable[[Any], Any], order: str) -> float:
    """The value of a plain call, a number; the same at the second call."""
    first, second = called(f, point(order)), called(f, point(order))
    if first != second:
        raise ValueError(f"not a function of its argument: {first}, then {second}")
    if order == "integer" and first != called(f, float(point(order))):
        raise ValueError("with floats it computes something else")
    return first


def point(order: str) -> Any:
    """The argument, nobody else's."""
    found = POINTS.get(order, POINT)
    return found.copy() if isinstance(found, np.ndarray) else found


def called(f: Callable[[Any], Any], x: Any) -> float:
    """What the program gives, added up where that is an array."""
    y = f(x)
    if not isinstance(y, float | int | np.ndarray) or isinstance(y, bool):
        raise TypeError(f"not a number: {y}")
    return float(np.sum(y))


def first_difference(f: Callable[[Any], Any], order: str) -> float:
    """The derivative by differences, along the direction where the argument is an array."""
    x = point(order)
    along = DIRECTION if order == "array" else 1.0
    return settled(slope(lambda t: called(f, x + t * along), STEP))


def second_difference(f: Callable[[Any], Any], order: str) -> float:
    """The second derivative by differences of differences."""
    return settled(slope(lambda t: slope(lambda s: f(POINT + t + s), STEP).value, STEP))


def settled(estimate: Any) -> float:
    """The estimate, where the differences settle on one."""
    if not estimate.error < 1e-6 * max(1.0, abs(estimate.value)):
        raise ValueError("differences do not settle")
    return float(estimate.value)


def compared(f: Callable[[Any], Any], order: str, expected: float, reference: float) -> Verdict:
    """Compare the value, and the derivative by one of the ways to it."""
    if order in WAYS:
        found = WAYS[order](f)
    else:
        value, back = zygpy.pullback(f, point(order))
        if float(np.sum(value)) != expected:
            return Verdict("value", f"{value!r} for {expected!r}")
        found, again = [back(np.ones_like(value) * 1.0)[0] for _ in range(2)]
        if not np.array_equal(found, again):
            return Verdict("second back", f"{again!r} for {found!r}")
        if order == "array" and found is not None:
            found = float(found @ DIRECTION)
    if found is None or not abs(found - reference) <= 1e-6 * max(1.0, abs(reference)):
        return Verdict("derivative", f"{found!r}, by differences {reference!r}")
    return Verdict(RIGHT)


def derivative_of(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The derivative as a function."""

    def derivative(x: Any) -> Any:
        return zygpy.gradient(f, x)[0]

    return derivative


WAYS: dict[str, Callable[[Any], Any]] = {
    "twice": lambda f: zygpy.hvp(f, POINT, 1.0),
    "reversed twice": lambda f: zygpy.gradient(derivative_of(f), POINT)[0],
    "tangent": lambda f: zygpy.pushforward(f, POINT)(1.0),
}
"""How the derivatives are found that are not those of `pullback`, by the orders."""


def spelled(error: BaseException) -> str:
    """An exception and the last calls before it."""
    return "".join(traceback.format_exception(error)[-4:])
