"""`np.r_` and `np.c_` of numbers, arrays and slices, of all dtypes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.errors import ZygpyError
from zygpy.testing import check_gradient

PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "rows": lambda x: np.r_[x, 0.0, x[0] * x[1]],
    "columns": lambda x: np.c_[x, x * x],
    "one": lambda x: np.r_[x * x],
    "behind steps": lambda x: np.r_[0:3, x, 5],
    "before steps": lambda x: np.r_[[1, 2], x, 0:4:2],
    "beside steps": lambda x: np.c_[0:2, x],
}


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128, np.complex64])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_gradients(program: Callable[[Any], Any], dtype: Any) -> None:
    x = np.array([0.5, 1.25]).astype(dtype)
    assert zg.pullback(program, x)[0].dtype == program(x).dtype
    check_gradient(lambda x: np.sum(np.real(program(x) ** 2)), x)


@pytest.mark.parametrize("name", ["columns", "one", "behind steps", "before steps", "beside steps"])
def test_integers(name: str) -> None:
    def function(x: Any) -> Any:
        return np.sum(PROGRAMS[name](x) ** 2)

    x = np.array([2, 3])
    assert zg.gradient(function, x)[0] == pytest.approx(zg.gradient(function, x.astype(float))[0])


def test_steps_with_a_gradient_and_directives_are_refused() -> None:
    with pytest.raises(ZygpyError):
        zg.gradient(lambda x: np.sum(np.r_[0:x:3j]), 2.0)
    with pytest.raises(ZygpyError):
        zg.gradient(lambda x: np.sum(np.r_["0,2", x, x]), np.ones(2))
