"""`t op= v` where `t` is a number and `v` is an array: a new array, whatever holds it then."""

from __future__ import annotations

import itertools
import os
from types import ModuleType

import numpy as np
import pytest

import zygpy as zg
from tests.written import module_of
from zygpy.units import options

STARTS = {
    "whole": "0",
    "float": "0.5",
    "scalar of NumPy": "np.float64(1.0)",
    "sum": "np.sum(z)",
    "length": "len(z)",
    "argument": "k",
    "field": "o.v",
    "item": "ls[0]",
    "value": "d['k']",
    "array of rank 0": "np.array(2.0)",
    "truth": "True",
    "array": "np.ones(3)",
    "either": "(0.5 if k > 0 else z * 1)",
}

ADDED = {
    "array": "z",
    "expression": "z * 2 + 1",
    "itself": "z * t",
    "item": "hs[0]",
    "field": "o.w",
    "number": "k * 2",
    "made": "np.array([k, 1.0, k])",
    "row": "m[0]",
    "unknown": "mix['z']",
}

CONTEXTS = {
    "once": "t {op} V",
    "loop": "for i in range(2):\n        t {op} V",
    "rows": "for row in m:\n        t {op} row + V",
    "branch": "if k > 0:\n        t {op} V",
    "try": "try:\n        t {op} V\n        z.nothing\n    except AttributeError:\n        pass",
    "another name": "s = t\n    t {op} V\n    t = t + s",
    "nonlocal": "def inner():\n        nonlocal t\n        t {op} V\n    inner()",
    "field": "o.v = t; o.v {op} V; t = o.v",
    "item": "ls[0] = t; ls[0] {op} V; t = ls[0]",
    "value": "d['k'] = t; d['k'] {op} V; t = d['k']",
    "while": "n = 0\n    while n < 2:\n        t {op} V\n        n += 1",
    "generator": "for q in (j for j in [1.0, 2.0]):\n        t {op} V * q",
    "field by two names": "p = o; p.v = t; o.v {op} V; t = p.v",
    "method": "c = Total{place}(t); c.add(V); t = c.t",
}

KEPT = {
    "field": "h = o; h.v = t; out = o.v",
    "list": "hs.append(t); out = ls2[-1]",
    "result": "out = t",
    "dict": "d2 = d; d2['z'] = t; out = d['z']",
    "both": "o.v = t; out = o.v + t",
    "closure": "f = lambda: t; out = f()",
    "read twice": "o.v = t; o2 = o; out = o2.v * 1; out = out + o2.v",
}

_TEXT = """
import numpy as np


class Thing:
    def __init__(self, v): self.v = v
"""


def _program(place: int, start: str, op: str, added: str, context: str, kept: str) -> str:
    change = CONTEXTS[context].replace("V", f"({ADDED[added]})").format(op=op, place=place)
    return f"""
class Total{place}:
    def __init__(self, t): self.t = t
    def add(self, v): self.t {op} v


def program_{place}(k):
    z = np.array([k, k * k, 1.5])
    m = np.array([[k, 1.0, 2.0], [0.5, k, 1.2]])
    o = Thing(k); o.w = z * 3
    hs = [z * k]; ls2 = hs; ls = [k * 2, z]; ls3 = ls
    d = {{'k': k + 1, 's': 'text'}}; mix = {{'z': z, 't': 'text'}}
    t = {STARTS[start]}
    {change}
    {KEPT[kept]}
    return np.sum(out * 1.5) + np.sum(out / (1 + np.abs(out))) + np.sum(z) * 0.1
"""


ALL = list(enumerate(itertools.product(STARTS, ("+=", "-=", "*=", "/="), ADDED, CONTEXTS, KEPT)))
CASES = ALL if "ZYGPY_ALL_CASES" in os.environ else ALL[::503]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    text = _TEXT + "".join(_program(place, *case) for place, case in CASES)
    return module_of(text, "numbers_that_become_arrays", tmp_path_factory)


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize(("place", "case"), CASES)
def test_gradient_goes_through_the_array(
    place: int, case: tuple[str, ...], specialise: bool, programs: ModuleType
) -> None:
    program = getattr(programs, f"program_{place}")
    x, step = 1.3, 1e-6
    try:
        expected = program(x)
    except (TypeError, ValueError) as error:  # an array that cannot hold what is added
        with options(specialise=specialise), pytest.raises(type(error)):
            zg.gradient(program, x)
        return
    slope = (program(x + step) - program(x - step)) / (2 * step)
    with options(specialise=specialise):
        y, back = zg.pullback(program, x)
    assert y == expected
    for _ in range(2):
        np.testing.assert_allclose(back(1.0)[0], slope, rtol=1e-6)
