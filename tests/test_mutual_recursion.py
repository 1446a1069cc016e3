"""Functions that all call each other are derived in reasonable time."""

from __future__ import annotations

import math

import pytest

import zygpy as zg
from zygpy.derivation import interpreted


def first(x, n):
    return x if n <= 0 else math.sin(second(x, n - 1)) + math.sin(third(x, n - 1)) + fourth(x, n - 1)


def second(x, n):
    return x if n <= 0 else math.sin(first(x, n - 1)) + math.sin(third(x, n - 1)) + fourth(x, n - 1)


def third(x, n):
    return x if n <= 0 else math.sin(first(x, n - 1)) + math.sin(second(x, n - 1)) + fourth(x, n - 1)


def fourth(x, n):
    return x if n <= 0 else math.sin(first(x, n - 1)) + math.sin(second(x, n - 1)) + third(x, n - 1)


def test_what_is_known_of_a_function_is_not_found_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[object] = []
    interpret = interpreted.interpret
    monkeypatch.setattr(
        interpreted, "interpret", lambda *args, **kwargs: looked.append(1) or interpret(*args, **kwargs)
    )
    bar, _ = zg.gradient(first, 0.5, 3)
    step = 1e-6
    assert bar == pytest.approx((first(0.5 + step, 3) - first(0.5 - step, 3)) / (2 * step), rel=1e-7)
    assert len(looked) < 100
