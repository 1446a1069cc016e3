"""Methods that Python calls by itself, inside a `try`: what they did before they failed is differentiated."""

from __future__ import annotations

import itertools
import os
import textwrap
from types import ModuleType

import numpy as np
import pytest

import zygpy as zg
from tests.written import module_of

OPERATIONS = {
    "item": ("__getitem__(s, i)", "t = s[0] * x", "return s.items[0]"),
    "items in a row": ("__getitem__(s, i)", "t = s[0] + s[1] * s[2]", "return s.x * 2"),
    "item in a comprehension": ("__getitem__(s, i)", "t = sum([s[i] for i in range(3)])", "return s.x * 2"),
    "item in a function": ("__getitem__(s, i)", "t = product(s) * x", "return s.x * 2"),
    "items in a loop": ("__getitem__(s, i)", "for a in s: t = t + a", "return s.x * 2"),
    "item of a field": ("__getitem__(s, i)", "t = s.me[0] * x", "return s.x * 2"),
    "property": ("value(s)", "t = s.value * x", "return s.x * 2"),
    "getattr": ("value(s)", "t = getattr(s, 'value') * x", "return s.x * 2"),
    "unknown attribute": ("__getattr__(s, name)", "t = s.anything * x", "return s.x * 2"),
    "store of an item": ("__setitem__(s, i, v)", "s[0] = x * 5", "s.items[0] = v * 1.0"),
    "deletion": ("__delitem__(s, i)", "del s[0]", "del s.items[0]"),
    "in place": ("__iadd__(s, v)", "k = s; k += x", "s.n = s.n + v; return s"),
    "sum": ("__add__(s, v)", "t = s + 2.0", "return s.x * v"),
    "reflected": ("__radd__(s, v)", "t = 2.0 + s", "return s.x * v"),
    "power": ("__pow__(s, v)", "t = s ** 2", "return s.x * v"),
    "divmod": ("__divmod__(s, v)", "t = divmod(s, 2)[0]", "return (s.x * v, 1)"),
    "negative": ("__neg__(s)", "t = -s", "return s.x * 3"),
    "absolute": ("__abs__(s)", "t = abs(s) * x", "return s.x * 2"),
    "float": ("__float__(s)", "t = float(s) * x", "return s.x * 2"),
    "call": ("__call__(s, v, w=1.0)", "t = s(x, w=x) * x", "return s.x * v + w"),
    "comparison": ("__lt__(s, o)", "t = x * 2 if s < 3 else x", "return True"),
    "equality": ("__eq__(s, o)", "t = x * 2 if s == 3 else x", "return True"),
    "truth": ("__bool__(s)", "t = x * 2 if s else x", "return True"),
    "length": ("__len__(s)", "t = x * len(s)", "return 2"),
    "text": ("__str__(s)", "t = x * len(f'{s}')", "return 'abc'"),
    "iteration": ("__iter__(s)", "for a in s: t = t + a", "return iter(s.items)"),
    "context": ("__enter__(s)", "with s: t = x * 3", "return s"),
}
"""A method, a use of it, and what it returns."""

CHANGES = {
    "list": "s.log.append(s.x * 3)",
    "field": "s.n = s.x * 3",
    "array": "s.buf[0] = s.x * 2",
    "view": "b = s.buf[1:]; b *= s.x",
    "function": "s.note()",
    "item in place": "s.items[0] *= s.x",
    "method of another": "s.n = s.n + s.inner[0]",
    "nothing": "pass",
}
"""What the method changes before it fails, or not."""

LIMITS = (0, 1, 99)
"""How often it may be called before it fails."""

MORE = {
    "context": "def __exit__(s, *a): return False",
    "equality": "__hash__ = object.__hash__",
}

_TEXT = """
import numpy as np


class Failed(Exception):
    pass


class Inner:
    def __init__(self, x):
        self.x, self.log = x, [1.0]

    def __getitem__(self, i):
        self.log.append(self.x * 3)
        return self.x


class Base:
    def __init__(self, x):
        self.x, self.items, self.log, self.n, self.inner = x, [x, x * x], [1.0], 1.0, Inner(x)
        self.buf, self.calls, self.limit, self.me = np.ones(2) * 2.0, 0, 0, self

    def note(self):
        self.log.append(self.x * 2)

    def total(self):
        kept = self.log[-1] * 2 + len(self.log) * self.x + self.n**2 + self.inner.log[-1]
        return kept + self.buf[0] * 3 + self.buf[1] + sum(self.items)


def product(s):
    return s[0] * s[1]
"""


def _class(name: str, operation: str, change: str) -> str:
    signature, _, returned = OPERATIONS[operation]
    lines = [*CHANGES[change].split("; "), "s.calls += 1", "if s.calls > s.limit: raise Failed('so often')"]
    body = textwrap.indent("\n".join([*lines, *returned.split("; ")]), " " * 8)
    marked = "    @property\n" if signature == "value(s)" else ""
    guard = (
        '        if name != "anything": raise AttributeError(name)\n' if "__getattr__" in signature else ""
    )
    more = f"    {MORE[operation]}\n" if operation in MORE else ""
    return f"class {name}(Base):\n{marked}    def {signature}:\n{guard}{body}\n{more}"


def _program(place: int, operation: str, change: str, limit: int) -> str:
    use = textwrap.indent(OPERATIONS[operation][1], " " * 8)
    return f"""
{_class(f"Case{place}", operation, change)}
def program_{place}(x):
    s = Case{place}(x)
    s.limit, known, t = {limit}, s, 0.0
    try:
{use}
{use}
    except Failed as failure:
        t = t + x * 7 + len(failure.args)
    return t * 1.5 + known.total()
"""


REFUSED = {
    ("item of a field", 1),  # of a kind that is not known any more
}
"""What is refused: what is changed may be a thing that others find, as far as can be told."""

ALL = list(enumerate(itertools.product(OPERATIONS, CHANGES, LIMITS)))
CASES = ALL if "ZYGPY_ALL_CASES" in os.environ else ALL[::11]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    text = _TEXT + "".join(_program(place, *case) for place, case in CASES)
    return module_of(text, "methods_in_attempts", tmp_path_factory)


@pytest.mark.parametrize(("place", "case"), CASES)
def test_what_was_done_before_is_differentiated(
    place: int, case: tuple[str, str, int], programs: ModuleType
) -> None:
    program = getattr(programs, f"program_{place}")
    x, step = 1.3, 1e-6
    operation, change, limit = case
    if {(operation, change), (operation, limit)} & REFUSED:
        with pytest.raises(zg.UnsupportedSyntaxError, match="Why: "):
            zg.gradient(program, x)
        return
    y, back = zg.pullback(program, x)
    assert y == program(x)
    slope = (program(x + step) - program(x - step)) / (2 * step)
    for _ in range(2):
        np.testing.assert_allclose(back(1.0)[0], slope, rtol=1e-6)


def test_a_method_of_a_class_without_a_rule_is_not_run_for_its_exception() -> None:
    ran = []

    class Counted:
        def __init__(self, x: float) -> None:
            self.x = x

        def __trunc__(self) -> float:
            ran.append(1)
            raise ValueError

    def f(x: float) -> float:
        import math

        try:
            return math.trunc(Counted(x))
        except ValueError:
            return x

    with pytest.raises(zg.ZygpyError):
        zg.gradient(f, 1.0)
    assert not ran


WRONG_ARGUMENTS = {
    "copy by name": ("{'a': x * 2}", "d.copy(deep=True)"),
    "copy by position": ("{'a': x * 2}", "d.copy(1)"),
    "values": ("{'a': x * 2}", "d.values(sort=True)"),
    "items": ("{'a': x * 2}", "d.items(1)"),
    "keys": ("{'a': x * 2}", "d.keys(1)"),
    "get": ("{'a': x * 2}", "d.get('a', default=2)"),
    "copy of a list": ("[x * 2]", "d.copy(order='K')"),
    "append by name": ("[x * 2]", "d.append(v=1.0)"),
    "extend twice": ("[x * 2]", "d.extend([1.0], [2.0])"),
    "pop by name": ("[x * 2]", "d.pop(i=0)"),
    "protocol": ("[x * 2]", "d.__getitem__(key=0)"),
    "method kept": ("{'a': x * 2}", "(m := d.copy)(1)"),
    "queue": ("deque([x * 2])", "d.copy(1)"),
    "queue by name": ("deque([x * 2])", "d.appendleft(v=1.0)"),
    "set": ("{x * 2}", "d.copy(1)"),
    "pop of a set": ("{x * 2}", "d.pop(1)"),
    "add": ("{x * 2}", "d.add()"),
    "default": ("defaultdict(float, a=x * 2)", "d.items(k=1)"),
}
"""A container, and a call of a method with arguments that it does not take."""


@pytest.mark.parametrize("name", WRONG_ARGUMENTS)
def test_methods_of_containers_that_do_not_take_their_arguments(
    name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    made, call = WRONG_ARGUMENTS[name]
    text = f"""
from collections import defaultdict, deque

def f(x):
    d = {made}
    try:
        {call}
        s = x * 7
    except TypeError:
        s = x * x
    return s + sum(d.values() if hasattr(d, "values") else d)
"""
    program = module_of(text, "not_taken", tmp_path_factory).f
    point = 0.7
    assert program(point) == point**2 + 2 * point
    value, back = zg.pullback(program, point)
    assert value == program(point)
    for _ in range(2):
        assert back(1.0)[0] == pytest.approx(2 * point + 2)
    assert zg.pushforward(program, point)(1.0) == pytest.approx(2 * point + 2)
