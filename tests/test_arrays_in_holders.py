"""Arrays without a gradient that lie in something, and get one by a function that writes to them."""

from __future__ import annotations

import itertools
import textwrap
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.written import module_of
from zygpy import units

HOLDERS = {
    "list": ("o = [s]", "o[0]"),
    "tuple": ("o = (s, 1)", "o[0]"),
    "dict": ('o = {"a": s}', 'o["a"]'),
    "field": ("o = Holder()\no.a = s", "o.a"),
    "made object": ("o = Made(s)", "o.a"),
    "further in": ("o = [Made((s,))]", "o[0].a[0]"),
    "stored later": ("o = {}\no['a'] = s", "o['a']"),
    "appended": ("o = []\no.append(s)", "o[-1]"),
    "view in a list": ("o = [s[:]]", "o[0]"),
    "named tuple": ("o = Pair(s, 1)", "o.a"),
    "function": ("def o(): return s", "o()"),
    "variable": ("o = s", "o"),
    "queue": ("o = deque([s])", "o[0]"),
    "global": ("KEPT['a'] = s", "KEPT['a']"),
}
"""What holds the array `s`, and how it is read."""

WRITES = {
    "function": "put(s, x)",
    "function of a function": "put_further(s, x)",
    "method": "Putting().put(s, x)",
    "fill": "s.fill(x[1])",
    "item": "s[0] = x[1]",
    "slice": "s[:] = x",
    "in place": "s += x",
    "in a function": "add(s, x)",
    "copyto": "np.copyto(s, x)",
    "out": "np.multiply(x, 2.0, out=s)",
    "at": "np.add.at(s, [0, 0], x[1])",
    "put": "s.put([0, 1], x[:2])",
    "inner function": "def inner():\n    s[:] = x\ninner()",
    "through the holder": "put({read}, x)",
    "item of a slice": "put(s[1:], x[1:])",
    "each": "for i in range(3): put_one(s, i, x[i])",
    "unpacked": "put(*(s, x))",
    "found": "[put][0](s, x)",
}
"""How something active is written to it."""

READS = {
    "both": "np.sum(s * W) + np.sum({read} * s)",
    "holder": "np.sum({read} * W)",
    "before": "before + np.sum({read} * W)",
}

_TEXT = """
from collections import deque, namedtuple

import numpy as np

Pair = namedtuple("Pair", "a b")
KEPT = {{}}
W = np.array([1.0, 2.0, 3.0])


class Holder:
    pass


class Made:
    def __init__(self, a):
        self.a = a


class Putting:
    def put(self, s, x):
        s[:] = x * 2.0


def put(s, x):
    s[:] = x * 2.0


def put_further(s, x):
    put(s, x)


def put_one(s, i, v):
    s[i] = v


def add(s, x):
    s += x


def program(x):
    s = np.ones(3)
{body}
"""

ALL = list(itertools.product(HOLDERS, WRITES, READS))


def text(holder: str, write: str, read: str) -> str:
    """The module of one case."""
    kept, found = HOLDERS[holder]
    before = [f"before = np.sum({found} * x)"] if read == "before" else []
    statements = [kept, *before, WRITES[write].format(read=found), f"return {READS[read].format(read=found)}"]
    return _TEXT.format(body=textwrap.indent("\n".join(statements), "    "))


@pytest.mark.parametrize("case", ALL[::5], ids="-".join)
def test_gradients(case: tuple[str, str, str], tmp_path_factory: Any) -> None:
    check(case, module_of(text(*case), "program_with_holders", tmp_path_factory))


def check(case: tuple[str, str, str], module: Any) -> None:
    """Programs are of degree two at most, for which central differences are exact but for rounding."""
    point = np.array([0.7, 1.3, 0.4])
    steps = np.eye(3) * 2.0**-10
    expected = [(module.program(point + step) - module.program(point - step)) * 2.0**9 for step in steps]
    for specialise in (True, False) if len("".join(case)) % 2 else (True,):
        with units.options(specialise=specialise):
            (gradient,) = zg.gradient(module.program, point.copy())
        assert gradient == pytest.approx(np.array(expected), abs=1e-9)


AUGMENTED = {
    "dict": "d = {'a': s}\nd['a'] += x",
    "dict of a row": "s = np.outer(x, x)\nd = {'a': s[0]}\nd['a'] += x",
    "dict of two": "d = {'a': s, 'b': x}\nd['a'] *= d['b']",
    "dict, stored": "d = {}\nd['a'] = s\nd['a'] -= x",
    "dict, by keyword": "d = dict(a=s)\nd['a'] -= x",
    "dict in a dict": "d = {'a': {'b': s}}\nd['a']['b'] -= x",
    "dict, by each key": "d = {'a': s}\nfor k in d: d[k] += x",
    "dict, slice": "d = {'a': s}\nd['a'][1:] += x[1:]",
    "list": "d = [s]\nd[0] += x",
    "list, by each place": "d = [s, s]\nfor i in range(2): d[i] += x",
    "list of lists": "d = [[s]]\nd[0][0] *= x",
    "field": "d = Holder()\nd.a = s\nd.a += x",
    "list of a list": "t = [s]\nd = {'a': t}\nd['a'] += [x]\ns = t[0] * t[1]",
}
"""Augmented assignments to items that are the array `s`."""


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "unspecialised"])
@pytest.mark.parametrize("start", ["np.ones(3)", "x * 2.0"])
@pytest.mark.parametrize("augmented", AUGMENTED)
def test_augmented_items(augmented: str, start: str, specialise: bool, tmp_path_factory: Any) -> None:
    body = f"s = {start}\n{AUGMENTED[augmented]}\nreturn np.sum(s * s)"
    text = _TEXT.format(body=textwrap.indent(body, "    "))
    module = module_of(text, "program_that_augments_items", tmp_path_factory)
    point = np.array([0.7, 1.3, 0.4])
    with units.options(specialise=specialise):
        zg.testing.check_gradient(module.program, point)


VIEWS = {
    "vector": "t = np.atleast_1d(s)",
    "matrix": "t = np.atleast_2d(s)",
    "third axis": "t = np.atleast_3d(s)",
    "one of several": "q, t = np.atleast_2d(x, s)",
    "sum over nothing": "t = np.einsum('i->i', s)",
    "transposed": "t = np.einsum('ij->ji', s[None])",
    "diagonal": "t = np.einsum('ii->i', s[1:2, None])",
}
"""Views of `s` that functions give which take any number of arrays."""


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "unspecialised"])
@pytest.mark.parametrize("written", ["t *= x[2]", "t[-1:] += x[1]", "np.multiply(t, x[0], out=t)"])
@pytest.mark.parametrize("view", VIEWS)
def test_views_of_one_of_several(view: str, written: str, specialise: bool, tmp_path_factory: Any) -> None:
    body = f"s = x * 1.0\n{VIEWS[view]}\n{written}\nreturn np.sum(s * s[::-1]) * np.sum(np.sin(t))"
    module = module_of(
        _TEXT.format(body=textwrap.indent(body, "    ")), "program_with_a_view", tmp_path_factory
    )
    with units.options(specialise=specialise):
        zg.testing.check_gradient(module.program, np.array([0.7, 1.3, 0.4]))


GIVEN = {
    "list": ("[a, b]", "for e in given:", "given[0]"),
    "tuple": ("(a, b)", "for e in given:", "given[0]"),
    "dict": ("{0: a, 1: b}", "for e in given.values():", "given[0]"),
    "items": ("{0: a, 1: b}", "for _, e in given.items():", "given[0]"),
    "indices": ("[a, b]", "for i in range(2):\n        e = given[i]", "given[0]"),
    "further in": ("[[a], [b]]", "for e, in given:", "given[0][0]"),
}
"""Things of two arrays, a loop over them, and the first of them."""

REACHED = """
import numpy as np


def program(given, k):
    y = 0.0
    {loop}
        if k:
            {change}
    return {first}[1]


def given(a, b):
    return {holder}
"""


@pytest.mark.parametrize("k", [0, 1])
@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "unspecialised"])
@pytest.mark.parametrize("change", ["e[2] = e[0]", "e[1] *= e[0]", "e += e[::-1]", "y = y + e"])
@pytest.mark.parametrize("holder", GIVEN)
def test_cotangents_of_arrays_are_arrays(
    holder: str, change: str, specialise: bool, k: int, tmp_path_factory: Any
) -> None:
    """What is given behind the call of `back` for an array is an array of its shape, or nothing."""
    text, loop, first = GIVEN[holder]
    module = module_of(
        REACHED.format(holder=text, loop=loop, change=change, first=first), "given", tmp_path_factory
    )
    with units.options(specialise=specialise):
        _, back = zg.pullback(module.program, module.given(np.arange(3.0), np.ones(3)), k)
        found = [bar for bar in leaves(back(1.0)[0]) if bar is not None]
    assert found
    assert all(isinstance(bar, np.ndarray) and bar.shape == (3,) for bar in found)


def leaves(bar: Any) -> list[Any]:
    """What stands in lists, tuples and dicts."""
    if isinstance(bar, dict):
        bar = list(bar.values())
    return [leaf for part in bar for leaf in leaves(part)] if isinstance(bar, list | tuple) else [bar]
