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
    "along the second axis": lambda x: np.r_["1", np.outer(x, x), 0.5 * np.outer(x, x)],
    "along the last axis": lambda x: np.r_["-1", np.outer(x, x), np.eye(2)],
    "as rows": lambda x: np.r_["0,2", x, x * x],
    "as columns": lambda x: np.r_["1,2,0", x, 0:2, x * x],
    "between axes": lambda x: np.r_["0,3,1", x, x * x],
    "between axes, from behind": lambda x: np.r_["0,3,-2", x, np.outer(x, x)[:1]],
    "numbers": lambda x: np.r_["1,2", x[0] * x[1], 2.0, x[1]],
    "columns, directed": lambda x: np.c_["0", x, x * x],
    "columns, with more axes": lambda x: np.c_["0,3", x, x * x],
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


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_steps_with_a_gradient_and_matrices_are_refused() -> None:
    with pytest.raises(ZygpyError):
        zg.gradient(lambda x: np.sum(np.r_[0:x:3j]), 2.0)
    with pytest.raises(ZygpyError):
        zg.gradient(lambda x: np.sum(np.r_["c", x, x]), np.ones(2))
    with pytest.raises(ValueError, match="special directive"):
        zg.gradient(lambda x: np.sum(np.r_["0,", x, x]), np.ones(2))


def test_axes_in_places_that_there_are_not() -> None:
    """NumPy takes them in its own way, or raises: so it is here, or the call is refused."""
    for directive in ("0,2,-4", "0,3,-5", "0,3,3", "0,2,2"):
        with pytest.raises((ZygpyError, ValueError)):
            zg.gradient(lambda x, directive=directive: np.sum(np.r_[directive, x, x] ** 2), np.ones(2))
