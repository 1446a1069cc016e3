"""What is kept in an object that others find counts, by whatever way it came to who keeps it there."""

from __future__ import annotations

import itertools
import random
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.found_by_name.ways import CHANGED, FOUND, HANDED, READ, text
from tests.written import module_of
from zygpy import units

POINT = np.array([1.1, 0.7, 1.3])

ALL = list(itertools.product(FOUND, HANDED, CHANGED, READ))
CASES = random.Random(5).sample(ALL, 220)


@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_what_is_kept_counts(case: tuple[str, str, str, str], tmp_path_factory: Any) -> None:
    module = module_of(text(*case), "program_that_is_handed_things", tmp_path_factory)
    specialise = len("".join(case)) % 3 > 0
    with units.options(specialise=specialise):
        found = _gradient(module)
    if found is not None:
        assert found == pytest.approx(3.0)  # twice what is kept, and the argument itself


def test_most_are_not_refused(tmp_path_factory: Any) -> None:
    """Refused is who changes things and was not known when its caller was derived."""
    modules = [
        module_of(text(*case), "program_that_is_handed_things", tmp_path_factory) for case in CASES[:40]
    ]
    refused = [module for module in modules if _gradient(module) is None]
    assert len(refused) < 12


def _gradient(module: ModuleType) -> Any:
    """The gradient of the program of a module; None where it is refused."""
    module.reset()
    assert module.program(POINT.copy()) == pytest.approx(3.0 * np.sum(POINT))
    module.reset()
    try:
        (gradient,) = zg.gradient(module.program, POINT.copy())
    except zg.UnsupportedSyntaxError:
        return None
    return np.zeros(3) if gradient is None else gradient
