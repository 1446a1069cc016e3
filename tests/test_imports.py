"""Imports inside functions: done when a function is derived, or when the program comes to them."""

from __future__ import annotations

import colorsys
import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient


def another_module_if_one_is_missing(x: Any) -> Any:
    try:
        import not_installed_anywhere as xp
    except ImportError:
        import cmath as xp  # type: ignore[no-redef]
    return abs(xp.sin(x[0])) * x[1]


def one_name_in_two_branches(x: Any) -> Any:
    if np.sum(x) > 0:
        from math import sin as g
    else:
        from math import cos as g
    return g(x[0]) * x[1]


def a_name_that_a_module_lacks(x: Any) -> Any:
    try:
        from scipy.special import not_there as g
    except ImportError:
        from scipy.special import expit as g
    return np.sum(g(x))


def another_name_in_every_iteration(x: Any) -> Any:
    total = 0.0
    for place, element in enumerate(x):
        if place == 0:
            from math import sin as g
        else:
            from math import cos as g
        total = total + g(element) * element
    return total


def a_function_inside(x: Any) -> Any:
    if x[0] > 0:
        from math import sin as g
    else:
        from math import cos as g
    return (lambda y: g(y) * x[1])(x[0])


def the_package_at_the_top(x: Any) -> Any:
    if x[0] > 0:
        import scipy.special
        import scipy.special as sp
    else:
        import math as scipy  # type: ignore[no-redef]
        import math as sp
    return np.sum(scipy.special.expit(x)) + sp.gamma(x[1])


@pytest.mark.parametrize(
    "function",
    [
        another_module_if_one_is_missing,
        one_name_in_two_branches,
        a_name_that_a_module_lacks,
        another_name_in_every_iteration,
        a_function_inside,
        the_package_at_the_top,
    ],
)
def test_imports_that_are_done_when_the_program_comes_to_them(function: Callable[..., Any]) -> None:
    check_gradient(function, np.array([0.3, 0.5]))
    y, _ = zg.pullback(function, np.array([0.3, 0.5]))
    assert y == function(np.array([0.3, 0.5]))


def test_a_module_that_is_loaded_in_a_branch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "colorsys")

    def f(x: float) -> Any:
        if x > 0.5:
            import colorsys

            return colorsys.rgb_to_hsv(x, 0.2, 0.3)[2] * x
        return x

    assert zg.gradient(f, 0.25) == (1.0,)
    assert "colorsys" not in sys.modules
    assert zg.gradient(f, 0.75) == (1.5,)
    assert sys.modules["colorsys"] is not colorsys


def test_a_global_module() -> None:
    def f(x: float) -> Any:
        global imported_here
        import math as imported_here

        return imported_here.sin(x)

    assert zg.gradient(f, 0.3) == (math.cos(0.3),)
    assert imported_here is math  # type: ignore[name-defined]


def test_an_import_that_fails_raises_what_it_raises() -> None:
    def missing_module(x: float) -> Any:
        import not_installed_anywhere

        return not_installed_anywhere.f(x)

    def missing_name(x: float) -> Any:
        from math import not_there

        return not_there(x)

    with pytest.raises(ModuleNotFoundError, match="not_installed_anywhere"):
        zg.gradient(missing_module, 1.0)
    with pytest.raises(ImportError, match="cannot import name 'not_there' from 'math'"):
        zg.gradient(missing_name, 1.0)
