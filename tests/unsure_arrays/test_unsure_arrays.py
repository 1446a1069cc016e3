"""What is written into an array counts, however little is known of the variable that holds it."""

from __future__ import annotations

import importlib.util
import itertools
from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest

import zygpy as zg
from zygpy import units

WAYS = (
    "m if v[0] > 0 else 1",
    "[m, 1][int(v[0] < 0)]",
    "[q for q in (m, 1)][0]",
    "one_of(m, 1)",
    "{'a': m, 'b': 'text'}['a']",
    "(m if v[0] > 0 else 1) * v[0]",
    "one_of(m, 1) * v[0]",
    "[m * v[1], [1]][0]",
    "-Holder(m).x",
    "next(q for q in (m, 'text'))",
)
"""How `r` comes to hold an array: `m` itself, a view of it, or another one."""

WRITES = (
    "r[0] += v[1]",
    "r[0] = v[1] * v[0]",
    "r *= v[1]",
    "r[::-1] -= v",
    "np.add.at(r, [0, 0], v[1])",
    "np.subtract.at(r, [0, 0], v)",
    "np.put(r, [0], v[1])",
    "r.put([1], [v[0]])",
    "np.copyto(r, v[1])",
    "np.copyto(r, v, where=[True, False])",
    "r.fill(v[1])",
    "np.place(r, r > 1.0, [v[1], v[0]])",
    "np.putmask(r, [True, False], v)",
    "np.multiply(r, v[1], out=r)",
    "np.exp(v, out=r)",
    "np.put_along_axis(r, np.array([1]), v[1], 0)",
    "r.sort()",
    "r.partition(0)",
    "np.cumsum(v, out=r)",
    "np.clip(r, 0.5, v[1], out=r)",
)

RESULTS = ("np.sum(r * v) + np.sum(m)", "np.sum(r) * np.sum(m * m)")

CASES = tuple(itertools.product(range(len(WAYS)), range(len(WRITES))))

HEADER = """
import numpy as np


class Holder:
    def __init__(self, x):
        self.x = x


def one_of(first, second):
    return first if np.sum(first) > -1e9 else second
"""

BEFORE_AND_AFTER = ("{write}", "{write}\n    r = r * v[0]\n    {write}")

POINT = np.array([1.3, 2.1])


def text(way: int, write: int) -> str:
    """The program: two results by turns, the write once or twice by turns."""
    body = BEFORE_AND_AFTER[(way + write) % 2].format(write=WRITES[write])
    result = RESULTS[write % 2]
    lines = "m = v * 3.0", f"r = {WAYS[way]}", body, f"return {result}"
    return f"def program_{way}_{write}(v):\n    " + "\n    ".join(lines) + "\n"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    path = tmp_path_factory.mktemp("unsure") / "programs.py"
    path.write_text(HEADER + "\n\n".join(text(*case) for case in CASES))
    spec = importlib.util.spec_from_file_location("unsure_programs", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def slopes(program: Callable[[np.ndarray], float]) -> np.ndarray:
    """Central differences with one step of Richardson's extrapolation."""

    def along(direction: np.ndarray) -> float:
        near = program(POINT + direction) - program(POINT - direction)
        far = program(POINT + 2 * direction) - program(POINT - 2 * direction)
        return (8 * near - far) / 12e-4

    return np.array([along(1e-4 * axis) for axis in np.eye(2)])


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}")
def test_what_is_written_counts(programs: ModuleType, case: tuple[int, int]) -> None:
    program = getattr(programs, "program_{}_{}".format(*case))
    with units.options(specialise=sum(case) % 3 > 0):
        value, (gradient,) = zg.withgradient(program, POINT.copy())
    assert value == program(POINT.copy())
    np.testing.assert_allclose(gradient, slopes(lambda v: program(v.copy())), rtol=1e-7)
