"""Functions of `np.emath`, which give complex numbers where real ones do not do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient

PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "sqrt": np.emath.sqrt,
    "log": np.emath.log,
    "log2": np.emath.log2,
    "log10": np.emath.log10,
    "logn": lambda x: np.emath.logn(3.0, x),
    "base": lambda x: np.emath.logn(x, 5.0),
    "power": lambda x: np.emath.power(x, 3),
    "power of powers": lambda x: np.emath.power(x, x),
    "arccos": np.emath.arccos,
    "arcsin": np.emath.arcsin,
    "arctanh": np.emath.arctanh,
}


@pytest.mark.parametrize("x", [np.array([0.4, 0.7]), np.array([-0.4, 2.5, -1.7]), 0.3, -1.6])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_real_and_complex_results(program: Callable[[Any], Any], x: Any) -> None:
    def function(x: Any) -> Any:
        y = program(x)
        return np.sum(np.real(y * (1 - 0.7j)))

    check_gradient(function, x, order=2)
    value, _ = zg.pullback(program, x)
    assert np.array_equal(value, program(x))
    assert np.result_type(value) == np.result_type(program(x))
