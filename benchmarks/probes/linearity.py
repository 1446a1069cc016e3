"""Whether ten times the elements cost ten times the time, and not a hundred times."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

import zygpy as zg
from benchmarks.case import Reading
from benchmarks.measure import best_times
from benchmarks.programs import elements

LIMIT = 15.0
"""Ten, and what memory and caches do."""


def reads(x: NDArray[np.float64]) -> Any:
    total = 0.0
    for i in range(len(x)):
        total += x[i] * x[i]
    return total


def writes_in_place(x: NDArray[np.float64]) -> Any:
    y = x.copy()
    for i in range(1, len(y)):
        y[i] *= y[i - 1]
        y[i] += x[i]
    return y.sum()


def appended(xs: list[float]) -> float:
    """A list that grows, and is read from its front and from its end."""
    made: list[float] = []
    for x in xs:
        made.append(x * x)  # noqa: PERF401
    total = 0.0
    for i in range(len(made)):
        total += made[i] * made[-1 - i]
    return total


def dict_read(parameters: dict[str, float]) -> float:
    total = 0.0
    for name in parameters:
        total += parameters[name] * parameters[name]
    return total


def dict_made(parameters: dict[str, float]) -> float:
    halves = {}
    for name, value in parameters.items():
        halves[name] = 0.5 * value
    total = 0.0
    for name in parameters:
        total += halves[name] * halves[name]
    return total


def dict_written(parameters: dict[str, float]) -> float:
    """Every entry of the argument is written; the values stay near one when it is called again."""
    total = 0.0
    for name in parameters:
        parameters[name] = 0.5 * parameters[name] + 0.5
    for name in parameters:
        total += parameters[name] * parameters[name]
    return total


def numbers(size: int) -> NDArray[np.float64]:
    return np.random.default_rng(0).uniform(0.5, 1.0, size=size)


def listed(size: int) -> list[float]:
    return [float(number) for number in numbers(size)]


def named(size: int) -> dict[str, float]:
    return {f"p{place}": number for place, number in enumerate(listed(size))}


PROGRAMS: dict[str, tuple[Callable[..., Any], Callable[[int], Any], tuple[int, ...]]] = {
    "element writes": (elements.smooth, numbers, (10**4, 10**5)),
    "element reads": (reads, numbers, (10**3, 10**4)),
    "elements in place": (writes_in_place, numbers, (10**3, 10**4)),
    "list appends and reads": (appended, listed, (10**3, 10**4)),
    "dict entries read": (dict_read, named, (10**2, 10**3, 10**4)),
    "dict entries made": (dict_made, named, (10**2, 10**3, 10**4)),
    "dict entries written": (dict_written, named, (10**2, 10**3, 10**4)),
}


def readings(repeats: int) -> Iterator[Reading]:
    """How the gradient grows, and how the program itself does, which meets the same memory and caches."""
    for name, (program, make, sizes) in PROGRAMS.items():
        calls = {}
        for size in sizes:
            calls[f"primal {size}"] = _primal(program, make(size))
            calls[f"gradient {size}"] = _gradient(program, make(size))
        times = best_times(calls, repeats)
        for small, large in pairwise(sizes):
            for what, limit in {"gradient": LIMIT, "primal": None}.items():
                ratio = times[f"{what} {large}"] / times[f"{what} {small}"]
                yield Reading(f"{large} {name} over {small}, {what}", ratio, "times", limit)


def _primal(program: Callable[..., Any], argument: Any) -> Callable[[], object]:
    return lambda: program(argument)


def _gradient(program: Callable[..., Any], argument: Any) -> Callable[[], object]:
    return lambda: zg.gradient(program, argument)
