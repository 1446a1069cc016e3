"""Arrays that a global or captured variable or a class holds, and that are changed in place by a variable of
which it is not known what it is: whoever reads them later, by whatever name, reads the change."""

from __future__ import annotations

import itertools
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.written import module_of
from zygpy import units

HEADER = """
import operator
import types

import numpy as np

BUFFER = np.array([1.0, 2.0, 3.0])


class State:
    shared = BUFFER

    def __init__(self):
        self.buffer = BUFFER
        self.count = 2.0

    def total(self):
        return np.sum(self.buffer * 3.0)


STATE = State()
TABLE = {"rows": [BUFFER]}


def buffer():
    return BUFFER


def total():
    return np.sum(BUFFER * BUFFER)


def holding():
    kept = BUFFER
    return lambda: kept


HELD = holding()


def add(target, x):
    target += x


FUNCTIONS = {"buffer": buffer, "add": add, "total": total}


def adds_to_the_state(x):
    b = STATE.buffer
    b += x
    return np.sum(b)


def adds_to_the_count(x):
    b = STATE.count
    b += x
    return np.sum(b)


LIBRARY = types.ModuleType("library")
LIBRARY.adds_to_the_state = adds_to_the_state
LIBRARY.adds_to_the_count = adds_to_the_count


def found(name):
    return getattr(LIBRARY, "".join(name))


def found_and_called(x):
    return found("adds_to_the_state")(x) + total()


def found_and_harmless(x):
    return found("adds_to_the_count")(x) + total()
"""

READ = {
    "attribute": "STATE.buffer",
    "computed_attribute": "getattr(STATE, 'buf' + 'fer')",
    "choice": "BUFFER if x[0] > 0 else x",
    "item": "[BUFFER, x][0]",
    "get": "{'a': BUFFER}.get('a', x)",
    "or": "None or BUFFER",
    "next": "next(iter([BUFFER]))",
    "table": "TABLE['rows'][0]",
    "class": "State.shared",
    "captured": "HELD()",
    "function": "FUNCTIONS['buffer']()",
    "fields": "vars(STATE)['buffer']",
}
"""How `b` comes to be the array."""

CHANGES = (
    "b += x",
    "b *= x[1]",
    "b = operator.iadd(b, x)",
    "c = b\n    c -= x\n    b += x[0] * b",
    "FUNCTIONS['add'](b, x)",
    "if x[1] > 0:\n        b **= x[0]",
)

RESULTS = (
    "np.sum(BUFFER * x)",
    "np.sum(STATE.buffer * 3.0)",
    "total()",
    "FUNCTIONS['total']()",
    "STATE.total() * x[0]",
)

X = np.array([1.5, 2.5, 0.5])

CASES = [
    (way, change, result)
    for number, way in enumerate(READ)
    for change, result in itertools.product(range(len(CHANGES)), range(len(RESULTS)))
    if (number + change + result) % 2
]
"""Every second one of the product."""


def text(way: str, change: int, result: int) -> str:
    lines = f"b = {READ[way]}", CHANGES[change], f"return {RESULTS[result]}"
    return f"def {way}_{change}_{result}(x):\n    " + "\n    ".join(lines) + "\n"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return module_of(HEADER + "\n\n".join(text(*case) for case in CASES), "outside", tmp_path_factory)


def plain(programs: ModuleType, name: str, x: Any) -> Any:
    programs.BUFFER[:] = [1.0, 2.0, 3.0]
    return getattr(programs, name)(x.copy())


def slopes(programs: ModuleType, name: str) -> list[float]:
    """Central differences with one step of Richardson's extrapolation."""

    def along(direction: Any) -> Any:
        ends = [plain(programs, name, X + factor * direction) for factor in (1, -1, 2, -2)]
        return (8 * (ends[0] - ends[1]) - (ends[2] - ends[3])) / 12e-4

    return [along(1e-4 * axis) for axis in np.eye(3)]


@pytest.mark.parametrize("way", READ)
def test_the_change_is_read_by_every_name(programs: ModuleType, way: str) -> None:
    for number, case in enumerate(case for case in CASES if case[0] == way):
        name = "{}_{}_{}".format(*case)
        with units.options(specialise=number % 2 == 0):
            programs.BUFFER[:] = [1.0, 2.0, 3.0]
            value, (gradient,) = zg.withgradient(getattr(programs, name), X.copy())
        after = programs.BUFFER.copy()
        assert value == plain(programs, name, X), name
        np.testing.assert_array_equal(after, programs.BUFFER, err_msg=name)
        np.testing.assert_allclose(gradient, slopes(programs, name), rtol=1e-7, atol=1e-9, err_msg=name)


def test_a_function_that_nobody_expected_is_refused(programs: ModuleType) -> None:
    with pytest.raises(zg.UnsupportedSyntaxError, match="changes what other functions reach in place"):
        zg.gradient(programs.found_and_called, X)


def test_a_number_is_bound_anew(programs: ModuleType) -> None:
    programs.BUFFER[:] = 1.0
    assert zg.gradient(programs.found_and_harmless, X)[0].tolist() == [1.0, 1.0, 1.0]
