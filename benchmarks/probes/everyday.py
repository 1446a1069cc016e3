"""What products with Hessians cost in everyday programs: with objects, dicts, functions that share variables,
generators and exceptions. None has a person's derivative beside it; each is measured in gradients."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import zygpy as zg
from benchmarks.case import Reading
from benchmarks.measure import best_times

X, V = np.linspace(0.5, 1.5, 20), np.cos(np.linspace(0.5, 1.5, 20))

MOST = 4.0
"""So many gradients a product with a Hessian is meant to cost at most."""


class Sum:
    """Something that is added to."""

    def __init__(self, weight: Any) -> None:
        self.weight, self.value = weight, 0.0

    def add(self, t: Any) -> None:
        self.value = self.value + t * t * self.weight


def numbers(x: Any) -> Any:
    """A loop over numbers."""
    total = 0.0
    for t in x:
        total = total + t**3
    return total * total


def branches(x: Any) -> Any:
    """The same with ways out."""
    total = 0.0
    for t in x:
        if t > 1.3:
            return total * t
        total = total + (t * t if t > 0.7 else math.sin(t))
    return total


def arrays(x: Any) -> Any:
    """An array that is written to."""
    y = x.copy()
    for i in range(1, len(y)):
        y[i] = y[i] * y[i - 1]
    return np.sum(y**2)


def lists(x: Any) -> Any:
    """A list that grows."""
    levels = [x[0]]
    for t in x:
        levels.append(levels[-1] * 0.9 + t * t)
    return sum([a * b for a, b in zip(levels, x, strict=False)])


def dicts(x: Any) -> Any:
    """A dict whose values change."""
    state = {"level": x[0]}
    for t in x:
        state["level"] = state["level"] * 0.9 + t**3
    return state["level"] ** 2


def objects(x: Any) -> Any:
    """An object whose fields change."""
    total = Sum(x[0])
    for t in x:
        total.add(t)
    return total.value * total.value


def recursion(x: Any, k: int = 0) -> Any:
    """A function that calls itself."""
    return x[0] if k == len(x) - 1 else recursion(x, k + 1) * x[k]


def shared(x: Any) -> Any:
    """Functions that share a variable."""
    total = 0.0

    def put(t: Any) -> None:
        nonlocal total
        total = total + t**3

    for t in x:
        put(t)
    return total * total


def contexts(x: Any) -> Any:
    """A context manager."""
    with contextlib.suppress(ValueError):
        y = x * x
    return np.sum(y * x)


def generators(x: Any) -> Any:
    """A generator."""

    def cubes() -> Iterator[Any]:
        for t in x:
            yield t * t * t

    return sum(cubes()) ** 2


def exceptions(x: Any) -> Any:
    """Exceptions that carry values."""
    total = 0.0
    for t in x:
        try:
            if t > 1.0:
                raise ValueError(t * t)
            total = total + t**3
        except ValueError as error:
            total = total + error.args[0] ** 2
    return total * total


PROGRAMS: tuple[Callable[..., Any], ...] = (
    *(numbers, branches, arrays, lists, dicts, objects, recursion),
    *(shared, contexts, generators, exceptions),
)


def readings(repeats: int) -> Iterator[Reading]:
    """The time of a product with the Hessian over that of the gradient, in one run."""
    for program in PROGRAMS:
        _check(program)
        contestants = {
            "gradient": lambda program=program: zg.gradient(program, X),
            "hvp": lambda program=program: zg.hvp(program, X, V),
        }
        seconds = best_times(contestants, repeats)
        ratio = seconds["hvp"] / seconds["gradient"]
        yield Reading(f"hvp of {program.__name__}, zygpy / gradient", ratio, "", MOST)


def _check(program: Callable[..., Any]) -> None:
    """What is wrong is not timed."""
    slopes = [zg.gradient(program, X + step * V)[0] for step in (1e-5, -1e-5)]
    if not np.allclose(zg.hvp(program, X, V), (slopes[0] - slopes[1]) / 2e-5, rtol=1e-4, atol=1e-6):
        raise ArithmeticError(f"{program.__name__}: the product with the Hessian is wrong")
