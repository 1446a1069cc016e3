"""What one round of a loop made and a later one changed, wherever it was kept, counts as it was by then."""

from __future__ import annotations

import os
from typing import Any

import pytest

import zygpy as zg
from tests.earlier_rounds.ways import HEAD, cases
from tests.written import module_of
from zygpy import units

EVERY = int(os.environ.get("ZYGPY_ROUNDS_STRIDE", "1811"))
"""Of the product each program of so many is run, a number prime to the sizes of its sides, so that all of
them come up."""
POINT = (1.1, 0.9)
CASES = [*cases()][::EVERY]


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Any:
    programs = "\n\n".join(case.text(f"p{number}") for number, case in enumerate(CASES))
    return module_of(HEAD + programs, "programs_of_rounds", tmp_path_factory)


@pytest.mark.parametrize("number", range(len(CASES)), ids=lambda number: "-".join(map(str, CASES[number])))
def test_rounds(module: Any, number: int) -> None:
    program = getattr(module, f"p{number}")
    with units.options(specialise=number % 3 > 0):
        value, back = zg.pullback(program, *POINT)
    assert value == program(*POINT)
    expected = [slope(program, place) for place in range(2)]
    assert back(1.0) == pytest.approx(expected, rel=1e-7, abs=1e-9)
    assert back(1.0) == back(1.0)


def slope(program: Any, place: int) -> float:
    """A derivative by central differences of fourth order."""

    def at(step: float) -> float:
        moved = [value + step * (place == other) for other, value in enumerate(POINT)]
        found: float = program(*moved)
        return found

    return (8 * (at(1e-3) - at(-1e-3)) - (at(2e-3) - at(-2e-3))) / 12e-3
