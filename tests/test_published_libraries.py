"""Functions of published libraries, specialised and not, against differences of the library itself.

The libraries (the extra `libraries`) are needed only where all cases are asked for.
"""

from __future__ import annotations

import importlib
import os
import warnings
from collections.abc import Iterator

import numpy as np
import pytest

import zygpy as zg
from tests.libraries.table import TABLE, Case, Function
from zygpy.units import options

MODULES = (
    "colours_and_images",
    "filters_and_signals",
    "fluids_and_heat",
    "geodesy_and_sky",
    "models_and_pipelines",
    "money_and_games",
    "rotations_and_curves",
    "statistics_and_learning",
)

if "ZYGPY_ALL_CASES" in os.environ:
    with warnings.catch_warnings(), np.printoptions():
        warnings.simplefilter("ignore")
        for module in MODULES:
            importlib.import_module(f"tests.libraries.{module}")

STEP = 3e-4
"""The step of the differences, as a part of the argument."""


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def slope(function: Function, args: tuple[float, ...], position: int) -> float:
    """The derivative by one argument, by central differences with Richardson's extrapolation."""
    step = STEP * max(abs(args[position]), 1e-3)

    def moved(steps: int) -> float:
        return float(function(*args[:position], args[position] + steps * step, *args[position + 1 :]))

    return (8 * (moved(1) - moved(-1)) - (moved(2) - moved(-2))) / (12 * step)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("case", TABLE, ids=lambda case: case.name)
def test_gradient(case: Case, specialise: bool) -> None:
    refused = case.refused if specialise else case.refused_unspecialised
    with options(specialise=specialise):
        if refused:
            with pytest.raises(zg.ZygpyError, match=refused):
                zg.pullback(case.function, *case.args)
            return
        y, back = zg.pullback(case.function, *case.args)
        found = [0.0 if bar is None else float(bar) for bar in back(1.0)]
    value = case.function(*case.args)
    assert y == value
    slopes = [slope(case.function, case.args, position) for position in range(len(case.args))]
    sizes = [abs(value) / max(abs(arg), 1e-3) for arg in case.args]
    for position, (bar, expected) in enumerate(zip(found, slopes, strict=True)):
        assert bar == pytest.approx(expected, rel=1e-6, abs=1e-8 * float(sizes[position])), position
