"""What one more read or write of a variable, attribute, item or element costs in a gradient."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import zygpy as zg
from benchmarks.case import Reading
from benchmarks.measure import best_times

TIMES = 1000
"""How often a program does what is measured."""

LIMIT = 500.0


class State:
    """Something with an attribute."""

    def __init__(self, value: float) -> None:
        self.value = value


def variable_read(x: float) -> float:
    total = 0.0
    for _ in range(TIMES):
        total += x
    return total


def attribute_read(x: float) -> float:
    state = State(x)
    total = 0.0
    for _ in range(TIMES):
        total += state.value
    return total


def entry_read(x: float) -> float:
    state = {"value": x}
    total = 0.0
    for _ in range(TIMES):
        total += state["value"]
    return total


def element_read(x: float) -> Any:
    state = np.full(1, x)
    total = 0.0
    for _ in range(TIMES):
        total += state[0]
    return total


def variable_written(x: float) -> float:
    value = x
    for i in range(TIMES):
        value = x + i
    return value


def attribute_written(x: float) -> float:
    state = State(x)
    for i in range(TIMES):
        state.value = x + i
    return state.value


def entry_written(x: float) -> float:
    state = {"value": x}
    for i in range(TIMES):
        state["value"] = x + i
    return state["value"]


def element_written(x: float) -> Any:
    state = np.full(1, x)
    for i in range(TIMES):
        state[0] = x + i
    return state[0]


PROGRAMS: dict[str, dict[str, Callable[[float], Any]]] = {
    "read": {
        "variable": variable_read,
        "attribute": attribute_read,
        "dict entry": entry_read,
        "array element": element_read,
    },
    "write": {
        "variable": variable_written,
        "attribute": attribute_written,
        "dict entry": entry_written,
        "array element": element_written,
    },
}


def readings(repeats: int) -> Iterator[Reading]:
    for what, programs in PROGRAMS.items():
        added = {name: _added(program, repeats) for name, program in programs.items()}
        yield Reading(f"{what} of a variable over primal", added["variable"], "ns")
        for name in list(programs)[1:]:
            limit = LIMIT if name == "attribute" else None
            yield Reading(f"{what} of {name} over that", added[name] - added["variable"], "ns", limit)


def _added(program: Callable[[float], Any], repeats: int) -> float:
    """Nanoseconds that the gradient adds to the primal, for each round of the loop."""
    times = best_times({"primal": lambda: program(0.5), "zygpy": lambda: zg.gradient(program, 0.5)}, repeats)
    return 1e9 * (times["zygpy"] - times["primal"]) / TIMES
