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
STEP = 0.02
RIGHT, REFUSED, UNUSABLE, SLOW = "right", "refused", "not judged", "slow"
FINE = (RIGHT, REFUSED, UNUSABLE, SLOW)
ORDERS = ("first", "twice", "reversed twice", "tangent")


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
            expected, reference = plain(f), REFERENCES[order](f)
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


def plain(f: Callable[[Any], Any]) -> float:
    """The value of a plain call, a number; the same at the second call."""
    first, second = f(POINT), f(POINT)
    if not isinstance(first, float) or first != second:
        raise ValueError(f"not a function of a number: {first}, then {second}")
    return float(first)


def first_difference(f: Callable[[Any], Any]) -> float:
    """The derivative by differences."""
    return settled(slope(lambda t: f(POINT + t), STEP))


def second_difference(f: Callable[[Any], Any]) -> float:
    """The second derivative by differences of differences."""
    return settled(slope(lambda t: slope(lambda s: f(POINT + t + s), STEP).value, STEP))


def settled(estimate: Any) -> float:
    """The estimate, where the differences settle on one."""
    if not estimate.error < 1e-6 * max(1.0, abs(estimate.value)):
        raise ValueError("differences do not settle")
    return float(estimate.value)


REFERENCES = {
    "first": first_difference,
    "twice": second_difference,
    "reversed twice": second_difference,
    "tangent": first_difference,
}


def compared(f: Callable[[Any], Any], order: str, expected: float, reference: float) -> Verdict:
    """Compare the value, and the derivative by one of the ways to it."""
    if order == "first":
        value, back = zygpy.pullback(f, POINT)
        found, again = back(1.0)[0], back(1.0)[0]
        if value != expected:
            return Verdict("value", f"{value!r} for {expected!r}")
        if found != again:
            return Verdict("second back", f"{again!r} for {found!r}")
    elif order == "twice":
        found = zygpy.hvp(f, POINT, 1.0)
    elif order == "tangent":
        found = zygpy.pushforward(f, POINT)(1.0)
    else:
        found = zygpy.gradient(derivative_of(f), POINT)[0]
    if found is None or not abs(found - reference) <= 1e-6 * max(1.0, abs(reference)):
        return Verdict("derivative", f"{found!r}, by differences {reference!r}")
    return Verdict(RIGHT)


def derivative_of(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The derivative as a function."""

    def derivative(x: Any) -> Any:
        return zygpy.gradient(f, x)[0]

    return derivative


def spelled(error: BaseException) -> str:
    """An exception and the last calls before it."""
    return "".join(traceback.format_exception(error)[-4:])
