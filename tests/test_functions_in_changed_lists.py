"""Functions that share a variable, called out of a list that changes behind the call."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

import zygpy
from zygpy import units

CHANGES = (
    "pass",
    "fs.reverse()",
    "fs.pop()",
    "fs.insert(0, lambda: 1.0)",
    "fs.append(g)",
    "fs[0], fs[1] = fs[1], fs[0]",
    "fs.clear()",
    "del fs[0]",
    "fs[:1] = []",
)
CALLS = (
    "k, l = fs; z = k() * l() + k()",
    "z = use(*fs)",
    "z = first_of(fs)() * fs[1]()",
    "(k, l), = [fs]; z = k() * l() + k()",
)
TEXT = """
def use(k, l):
    return k() + l() * k()

def first_of(fs):
    return fs[0]

def f(x, y):
    p = x
    def g():
        return p * y
    def h():
        nonlocal p
        p = p * 1.5 + y
        return p
    fs = [g, h]
    {call}
    {change}
    return z * p
"""


def made(call: str, change: str) -> Callable[[Any, Any], Any]:
    """The function of a program."""
    text = TEXT.format(call=call, change=change)
    name = f"<functions in changed lists: {call} {change}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Callable[[Any, Any], Any]] = {}
    exec(compile(text, name, "exec"), names)
    return names["f"]


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize(("call", "change"), [*product(CALLS, CHANGES)])
def test_cotangents_belong_to_the_list_as_it_was(call: str, change: str, specialise: bool) -> None:
    f, x, y, step = made(call, change), 1.3, 0.7, 1e-20
    expected = [f(x + step * 1j, y).imag / step, f(x, y + step * 1j).imag / step]
    with units.options(specialise=specialise):
        np.testing.assert_allclose(zygpy.gradient(f, x, y), expected, rtol=1e-12)
