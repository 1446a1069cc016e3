"""Arguments that globals hold too, in programs that store in things outside what has a gradient: each thing
is one, and what is read of it by whatever name counts. A given array is two things as long as nothing
changes in it: what is read by a global is no part of the argument, or that is refused."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.written import module_of
from zygpy.units import options

KINDS = {
    "array": ("np.array([1.5, 0.7])", "np.sum({r} * {r})"),
    "list": ("[1.5, 0.7]", "{r}[0] * {r}[1]"),
    "dict": ("dict(p=1.5, q=0.7)", "{r}['p'] * {r}['q']"),
    "object": ("Thing(1.5)", "{r}.v ** 2"),
    "list of arrays": ("[np.array([1.5, 0.7])]", "np.sum({r}[0] ** 2)"),
    "object of an array": ("Thing(np.array([1.5, 0.7]))", "np.sum({r}.v ** 2)"),
    "nested": ("[[1.5], dict(a=0.7)]", "{r}[0][0] * {r}[1]['a']"),
}
"""What is given, and read."""

HELD = {
    "directly": ("G = A", "G"),
    "in a list": ("G = [A]", "G[0]"),
    "in a dict": ("G = dict(x=A)", "G['x']"),
    "in a field": ("G = Thing(A)", "G.v"),
    "in a tuple": ("G = (A,)", "G[0]"),
    "in a closure": ("G = closure(A)", "G()"),
    "in a class": ("K.a = A", "K.a"),
    "deeper": ("G = dict(x=[A])", "G['x'][0]"),
    "by default": ("def G(a=A): return a", "G()"),
}
"""How a global holds it."""

STORES = {
    "dict": "STORE['k'] = x",
    "list": "LOG.append(x)",
    "global": "COUNT = x",
    "the argument": "STORE['k'] = a",
    "class": "K.zz = x",
    "read too": "STORE['k'] = x; y = STORE['k'] * x",
}
"""What is stored outside."""

READS = {
    "by the global": "RG",
    "by both": "RA * 2 + RG",
    "product": "RA * RG",
    "by a function": "RA + helper_{place}() * x",
}

_TEXT = """
import numpy as np


class Thing:
    def __init__(self, v): self.v = v


def closure(a):
    def get(): return a
    return get


class K: pass
STORE, LOG, COUNT = {'k': 0.0}, [], 0.0
"""


def _program(place: int, kind: str, held: str, store: str, reads: str) -> str:
    made, use = KINDS[kind]
    hold, read = HELD[held]
    result = READS[reads].format(place=place)
    result = result.replace("RG", f"({use.format(r=read)})").replace("RA", f"({use.format(r='a')})")
    return f"""
def reset_{place}():
    global A, G
    A = {made}
    {hold}
    STORE['k'] = 0.0
    LOG.clear()
    return A


def helper_{place}():
    return {use.format(r=read)}


def program_{place}(a, x):
    global COUNT
    y = 0.0
    {STORES[store]}
    return ({result}) * x + y
"""


ALL = list(enumerate(itertools.product(KINDS, HELD, STORES, READS)))
CASES = ALL if "ZYGPY_ALL_CASES" in os.environ else ALL[::23]

X, STEP = 1.3, 1e-6


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    text = _TEXT + "".join(_program(place, *case) for place, case in CASES)
    return module_of(text, "arguments_beside_stores", tmp_path_factory)


def _numbers(thing: Any) -> Iterator[tuple[Any, Any]]:
    """The places of numbers in a thing: what holds them, and where."""
    held = thing if isinstance(thing, list | dict | np.ndarray) else vars(thing)
    for key in held if isinstance(held, dict) else range(len(held)):
        if isinstance(held[key], float):
            yield held, key
        else:
            yield from _numbers(held[key])


def _flat(gradient: Any) -> list[float]:
    if isinstance(gradient, float):
        return [gradient]
    parts = gradient._asdict() if hasattr(gradient, "_asdict") else gradient
    return [
        number for part in (parts.values() if isinstance(parts, dict) else parts) for number in _flat(part)
    ]


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize(("place", "case"), CASES)
def test_what_is_read_by_a_global_counts(
    place: int, case: tuple[str, ...], specialise: bool, programs: ModuleType
) -> None:
    program, reset = getattr(programs, f"program_{place}"), getattr(programs, f"reset_{place}")

    def changed(number: int, step: float) -> float:
        a = reset()
        a = a.copy() if case[0] == "array" else a
        held, key = list(_numbers(a))[number]
        held[key] += step
        return float(program(a, X))

    count = len(list(_numbers(reset())))
    slopes = [(changed(at, STEP) - changed(at, -STEP)) / (2 * STEP) for at in range(count)]
    slope = (program(reset(), X + STEP) - program(reset(), X - STEP)) / (2 * STEP)
    with options(specialise=specialise):
        refused = "given as an argument is changed"
        try:
            found = zg.gradient(program, reset(), X)
        except zg.UnsupportedSyntaxError as error:
            refused = str(error) if case[0] == "array" else f"refused: {error}"
            found = zg.gradient(program, reset().copy(), X)
        assert "given as an argument is changed" in refused
        assert not refused.startswith("refused")
    if found[0] is None:
        found = (np.zeros(count), found[1])
    np.testing.assert_allclose(_flat(found[0]), slopes, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(found[1], slope, rtol=1e-6)
