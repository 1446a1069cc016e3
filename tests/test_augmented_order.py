"""`b[i] += X` and `o.a += X`: what is there is read before X is computed, whatever X changes."""

from __future__ import annotations

import itertools
import math
import os
import textwrap
from types import ModuleType

import numpy as np
import pytest

import zygpy as zg
from tests.written import module_of
from zygpy.units import options

PLACES = {
    "item of a list": ("s.items[0] {op} X", "s.items[0] = s.items[0] + v"),
    "item by a name": ("b = s.items; b[0] {op} X", "s.items[0] = s.items[0] + v"),
    "last item": ("b = s.items; b[-1] {op} X", "s.items[-1] = v * 1.5"),
    "item that moves": ("b = s.items; b[1] {op} X", "s.items.insert(0, v)"),
    "item of a dict": ("s.named['k'] {op} X", "s.named['k'] = v"),
    "items of a dict": ("d = s.named; d['k'] {op} X; d['m'] {op} X", "s.named.update(k=v * 2, m=v)"),
    "field": ("s.n {op} X", "s.n = s.n * v"),
    "field by a name": ("c = s; c.n {op} X", "s.n = s.n + v"),
    "field deep inside": ("s.me.me.n {op} X", "s.n = s.n + v"),
    "item of an array": ("s.buf[1] {op} X", "s.buf[1] = s.buf[1] + v"),
    "item of a named array": ("b = s.buf; b[1] {op} X", "s.buf[1] = v"),
    "part of an array": ("b = s.buf; b[0:2] {op} X", "s.buf[0] = v"),
    "whole array": ("s.buf {op} X", "s.buf = s.buf * v"),
    "array changed in place": ("s.buf {op} X", "s.buf *= v"),
    "row of a list": ("s.rows[0] {op} X", "s.rows[0] = np.ones(2) * v"),
    "row changed in place": ("s.rows[0] {op} X", "s.rows[0] *= v"),
    "property": ("s.gauge {op} X", "s.n = s.n + v"),
    "item of an object": ("s.me2['a'] {op} X", "s.me2.held['a'] = v"),
    "by an index that changes": ("s.items[s.place[0]] {op} X", "s.place[0] = 1"),
    "by indices that change": ("b = s.buf; i = s.indices; b[i] {op} X", "s.indices[:] = [0, 2]"),
    "captured": ("counted[0] {op} X", "counted[0] = v"),
}
"""Where something is stored, and how code that X runs changes it."""

SIDES = {
    "property": ("value(s)", "s.value * x", "return s.x * 2"),
    "getattr": ("value(s)", "getattr(s, 'value')", "return s.x * 2"),
    "unknown attribute": ("__getattr__(s, name)", "x * s.anything", "return s.x * 2"),
    "item": ("__getitem__(s, i)", "s[0] * x", "return s.x * 2"),
    "items": ("__getitem__(s, i)", "x * s[0] + s[1] * 0.5", "return s.x * 2"),
    "sum": ("__add__(s, w)", "s + x", "return s.x * w"),
    "reflected": ("__radd__(s, w)", "x + s", "return s.x * w"),
    "negative": ("__neg__(s)", "-s", "return s.x * 3"),
    "absolute": ("__abs__(s)", "abs(s) * x", "return s.x * 3"),
    "float": ("__float__(s)", "x * float(s)", "return s.x * 1.0"),
    "length": ("__len__(s)", "x * len(s)", "return 2"),
    "truth": ("__bool__(s)", "(x if s else x * 2)", "return True"),
    "comparison": ("__lt__(s, w)", "(x * 3 if s < 2 else x)", "return True"),
    "in": ("__contains__(s, w)", "(x * 3 if 2 in s else x)", "return True"),
    "call": ("__call__(s, w)", "s(x)", "return s.x * w"),
    "method": ("run(s, w)", "s.run(x) * x", "return s.x * w"),
    "function": ("run(s, w)", "ran(s, x)", "return s.x * w"),
    "lambda": ("run(s, w)", "(lambda: s.run(x))()", "return s.x * w"),
    "comprehension": ("__getitem__(s, i)", "sum([s[i] * x for i in range(2)])", "return s.x * 2"),
    "generator": ("__getitem__(s, i)", "sum(s[i] * x for i in range(2))", "return s.x * 2"),
    "iteration": ("__iter__(s)", "sum([a * x for a in s])", "return iter([s.x, 2.0])"),
    "starred": ("__iter__(s)", "max(*s) * x", "return iter([s.x, 2.0])"),
    "map": ("__call__(s, w)", "sum(map(s, [x, 2.0]))", "return s.x * w"),
    "next": ("__next__(s)", "next(s) * x", "return s.x * 2"),
    "walrus": ("__neg__(s)", "(x := -s) * x", "return s.x * 3"),
    "text": ("__str__(s)", "x * len(f'{s}')", "return 'abc'"),
    "and": ("value(s)", "(s.x > 0 and s.value * x)", "return s.x * 2"),
    "of another": ("value(s)", "other.thing * x", "return s.x * 2"),
}
"""A method, an X that calls it, and what it returns."""

OPERATIONS = ("+=", "-=", "*=")
SURROUNDINGS = ("plain", "loop", "try", "branch")

_TEXT = """
import numpy as np


class Held:
    def __init__(self, x):
        self.held = {'a': x * 2}

    def __getitem__(self, i):
        return self.held[i]

    def __setitem__(self, i, v):
        self.held[i] = v


class Base:
    def __init__(self, x):
        self.x, self.items, self.named, self.n = x, [x, x * x, 2.0], {'k': x, 'm': x * 3}, x * 2
        self.buf, self.rows = np.array([x, 1.0, x * x]), [np.array([x, 1.5])]
        self.place, self.indices, self.me, self.me2 = [0], np.array([1, 2]), self, Held(x)

    @property
    def gauge(self):
        return self.n * 2

    @gauge.setter
    def gauge(self, v):
        self.n = v + self.x

    def total(self):
        t = self.n * 3 + self.named['k'] * 2 + self.named['m'] + sum(self.items) * self.items[0]
        return t + np.sum(self.buf * np.array([1.0, 2.0, 3.0])) + np.sum(self.rows[0]) + self.me2['a']


class Other:
    def __init__(self, s):
        self.s = s

    @property
    def thing(self):
        return self.s.value


def ran(s, w):
    return s.run(w)
"""

_SURROUNDED = {
    "plain": "{0}",
    "loop": "for _ in range(2):\n{1}",
    "try": "try:\n{1}\nexcept ZeroDivisionError:\n    x = x * 2",
    "branch": "if x > 0:\n{1}\nelse:\n    x = x * 2",
}


def _program(place: int, where: str, side: str, op: str, surroundings: str) -> str:
    signature, value, returned = SIDES[side]
    use, change = PLACES[where]
    body = textwrap.indent("\n".join(["v = s.x * 3", *change.split("; "), *returned.split("; ")]), " " * 8)
    marked = "    @property\n" if signature == "value(s)" else ""
    guard = '        if name != "anything": raise AttributeError(name)\n' if "getattr__" in signature else ""
    if where == "captured":
        body = body.replace("counted[0] = v", "s.counted[0] = v")
    lines = "\n".join(use.format(op=op).replace("X", value).split("; "))
    lines = _SURROUNDED[surroundings].format(lines, textwrap.indent(lines, "    "))
    more = "    def __iter__(s): return s\n" if side == "next" else ""
    return f"""
class Case{place}(Base):
{marked}    def {signature}:
{guard}{body}
{more}

def program_{place}(x):
    s = Case{place}(x)
    other = Other(s)
    counted = [x * 2]
    s.counted = counted
{textwrap.indent(lines, "    ")}
    return s.total() * x + counted[0]
"""


ALL = list(enumerate(itertools.product(PLACES, SIDES, OPERATIONS, SURROUNDINGS)))
CASES = ALL if "ZYGPY_ALL_CASES" in os.environ else ALL[::83]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    text = _TEXT + "".join(_program(place, *case) for place, case in CASES)
    return module_of(text, "augmented_order", tmp_path_factory)


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize(("place", "case"), CASES)
def test_what_is_changed_was_read_before(
    place: int, case: tuple[str, ...], specialise: bool, programs: ModuleType
) -> None:
    program = getattr(programs, f"program_{place}")
    x, step = 1.3, 1e-6
    try:
        with options(specialise=specialise):
            y, back = zg.pullback(program, x)
            found = [back(1.0)[0] for _ in range(2)]
    except zg.ZygpyError:
        assert case[1] == "unknown attribute"  # whose objects may be found by others, as far as can be told
        return
    assert y == program(x)
    slope = (program(x + step) - program(x - step)) / (2 * step)
    np.testing.assert_allclose(found, [slope] * 2, rtol=1e-6)


MISSING = {
    "list": ("b = [x, 2.0]", "b[5]"),
    "dict": ("b = {'k': x}", "b['m']"),
    "array": ("b = np.array([x, 2.0])", "b[5]"),
    "matrix": ("b = np.ones((2, 2)) * x", "b[0, 7]"),
    "field": ("b = Held(x)", "b.missing"),
}
"""What has no such item or attribute."""

FAILING = {
    "quotient": "x / 0.0",
    "inside": "math.sin(x / 0.0) * x",
    "power": "0.0 ** (-x) * x",
    "logarithm": "math.log(-x) * x",
    "key": "{'a': x}['b']",
    "position": "[x, x][7] * x",
}
"""What cannot be computed either."""

_FAILING = """
def failing_{0}(x):
    {1}
    {2} += {3}
    return x


def caught_{0}(x):
    try:
        return failing_{0}(x)
    except IndexError:
        return x * 3
    except KeyError:
        return x * 5
    except AttributeError:
        return x * 7
    except ArithmeticError:
        return x * 11
    except ValueError:
        return x * 13
"""

ERRORS = list(enumerate(itertools.product(MISSING, FAILING)))


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    texts = [_FAILING.format(at, *MISSING[where], FAILING[side]) for at, (where, side) in ERRORS]
    return module_of("import math\n" + _TEXT + "".join(texts), "augmented_failing", tmp_path_factory)


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize(("place", "case"), ERRORS)
def test_reading_fails_first(
    place: int, case: tuple[str, str], specialise: bool, failing: ModuleType
) -> None:
    program, caught = getattr(failing, f"failing_{place}"), getattr(failing, f"caught_{place}")
    with pytest.raises(Exception) as plain:  # noqa: PT011
        program(1.3)
    with options(specialise=specialise):
        with pytest.raises(plain.type):
            zg.gradient(program, 1.3)
        try:
            found = zg.withgradient(caught, 1.3)
        except zg.ZygpyError:
            assert case[0] == "field" or not specialise  # what it had changed by then is not known
            return
    assert found.val == caught(1.3)
    np.testing.assert_allclose(found.grad[0], caught(1.3) / 1.3)


def test_numbers_are_changed_outside_of_their_array_where_computing_may_fail() -> None:
    def f(x, b):
        for i in range(3):
            b[i] += math.sin(x / (i + 1.0)) * x
        return b[0]

    def g(x, b):
        for i in range(3):
            b[i] += math.pi * x * x
        return b[0]

    text = str(zg.show_adjoint(f, 1.3, np.ones(3)))
    assert "before = b[i]" in text
    assert "b[i] = before + " in text
    assert "before" not in str(zg.show_adjoint(g, 1.3, np.ones(3)))
