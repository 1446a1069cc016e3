"""What only the pair of a callee is found to need does not change how the pair of the caller is asked for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import zygpy as zg

STATE = {"b": -0.4}


def held(p1: Any, p2: Any, p3: Any) -> Any:
    return STATE["b"]


def again(p: Any, q: Any, k: int = 2) -> Any:
    if k <= 0:
        return held(np.full((3,), p), q, np.full((3,), p))
    x = p if p < -0.2857 else p  # noqa: RUF034
    r = again(held(np.full((3,), q[1]), q, np.full((3,), q[0])), q, k - 1)
    kept = {"a": np.where(np.full((3,), -0.575) > 0.1717, np.full((3,), -1.8), np.full((3,), r)), "b": -p}
    v = np.full((3,), r)
    for _ in range(3):
        v[-1] += x
        kept["a"] = v
    sum(np.sum(item * item) for item in kept.values())
    return math.sin(r) + (q[1] if x > 0.0 else q[0])


def program(a: Any, v: Any) -> Any:
    again(a, np.full((2,), v[2]))
    return np.sin(v).sum()


def test_back_knows_the_arguments_as_they_were() -> None:
    v = np.array([0.1, 0.4, 0.7])
    _, back = zg.pullback(program, 0.3, v)
    expected = np.cos(v)
    v[:] = 9.0
    np.testing.assert_allclose(back(1.0)[1], expected, rtol=1e-14)
