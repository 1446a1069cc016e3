"""What is kept in a thing that others find counts where it is read, in whatever code that is done."""

from __future__ import annotations

import itertools
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.kept_outside.ways import CONTEXTS, PLACES, text
from tests.written import module_of
from zygpy import units

POINT = np.array([1.1, 0.7, 1.3])

UNBOUND = {"setdefault", "class of an object"}
"""Where there is nothing before something is kept."""

CASES = [
    (place, context)
    for number, (place, context) in enumerate(itertools.product(PLACES, CONTEXTS))
    if number % 2 == 0 or place in ("closure", "default", "global")
    if not (place in UNBOUND and context in ("before it is read", "read before"))
]

REFUSED = {"by a partial function", "globals"}
"""Who is called is not known beforehand; `globals()` looks into the running frame."""


@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_what_is_kept_counts(case: tuple[str, str], tmp_path_factory: pytest.TempPathFactory) -> None:
    module = module_of(text(*case), "program_that_keeps", tmp_path_factory)
    steps = 1e-6 * np.eye(3)
    differences = [(_fresh(module, POINT + step) - _fresh(module, POINT - step)) / 2e-6 for step in steps]
    module.reset()
    with units.options(specialise=len(case[1]) % 3 > 0):
        try:
            (gradient,) = zg.gradient(module.program, POINT.copy())
        except zg.UnsupportedSyntaxError:
            assert not REFUSED.isdisjoint(case)
            return
    gradient = np.zeros(3) if gradient is None else gradient
    assert gradient == pytest.approx(differences, rel=1e-6, abs=1e-7)


def _fresh(module: ModuleType, x: Any) -> Any:
    module.reset()
    return module.program(x)
