"""Lists of numbers that functions take apart, and of which nothing comes back."""

from __future__ import annotations

import math
from typing import Any

import zygpy as zg


def looked_at(p: Any, xs: Any) -> None:
    if math.hypot(*xs[:2]):
        pass


def only_looked_at(a: Any, b: Any) -> Any:
    if b:
        looked_at(b, [a, a])


def looked_at_beside(a: Any, b: Any) -> Any:
    looked_at(b, [a, a * b])
    return a * a * b


def test_nothing_comes_back() -> None:
    y, back = zg.pullback(only_looked_at, 2.0, 1.0)
    assert y is None
    assert back(None) == back(1.0) == (None, None)


def test_nothing_is_added() -> None:
    assert zg.gradient(looked_at_beside, 2.0, 3.0) == (12.0, 4.0)
