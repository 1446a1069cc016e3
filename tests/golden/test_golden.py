"""The generated text of a dozen programs, and that each of them can be differentiated again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import zygpy
from tests.golden.programs import FOLDER, GOLDEN


@pytest.mark.parametrize("name", GOLDEN)
def test_text(name: str) -> None:
    function, args = GOLDEN[name]
    expected = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert str(zygpy.show_adjoint(function, *args)) == expected


def first_gradient(name: str, *args: Any) -> Any:
    """The sum of the gradient by the first argument."""
    function = GOLDEN[name][0]
    _, back = zygpy.pullback(lambda *args: np.sum(function(*args)), *args)
    return np.sum(back(1.0)[0])


@pytest.mark.parametrize("name", GOLDEN)
def test_generated_code_can_be_differentiated_again(name: str) -> None:
    args = GOLDEN[name][1]
    (second, *_) = zygpy.gradient(lambda *args: first_gradient(name, *args), *args)
    step = 1e-5
    moved = [first_gradient(name, args[0] + sign * step, *args[1:]) for sign in (1, -1)]
    expected = (moved[0] - moved[1]) / (2 * step)
    assert np.sum(0.0 if second is None else second) == pytest.approx(expected, rel=1e-6, abs=1e-7)
