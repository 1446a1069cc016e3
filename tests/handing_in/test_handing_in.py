"""What a function changes in an array that it is given in something else, the caller sees by every name."""

from __future__ import annotations

import itertools
from types import ModuleType

import numpy as np
import pytest

import zygpy as zg
from tests.handing_in.ways import HOLDERS, READS, STARTS, WRITES, text
from tests.written import module_of
from zygpy import units

POINT = np.array([1.1, 0.7, 1.3])

CASES = [
    (holder, write, (5 * place + 7 * write) % len(READS), (place + write) % len(STARTS))
    for (place, holder), write in itertools.product(enumerate(HOLDERS), range(len(WRITES)))
]
"""Every holder with every write; reads and starts in turn."""


def spelled(case: tuple[str, int, int, int]) -> str:
    holder, *places = case
    return "-".join([holder, *map(str, places)])


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    texts = [
        text(f"program_{number}", holder, WRITES[write], READS[read], STARTS[start])
        for number, (holder, write, read, start) in enumerate(CASES)
    ]
    whole = "from tests.handing_in.ways import *\n\n\n" + "\n".join(texts)
    return module_of(whole, "handing_in_programs", tmp_path_factory)


@pytest.mark.parametrize("number", range(len(CASES)), ids=map(spelled, CASES))
def test_the_caller_sees_it(number: int, programs: ModuleType) -> None:
    program = getattr(programs, f"program_{number}")
    with units.options(specialise=number % 5 > 0):
        (gradient,) = zg.gradient(program, POINT.copy())
    gradient = np.zeros(3) if gradient is None else gradient
    steps = 1e-6 * np.eye(3)
    differences = [(program(POINT + step) - program(POINT - step)) / 2e-6 for step in steps]
    assert gradient == pytest.approx(differences, rel=1e-6, abs=1e-7)
