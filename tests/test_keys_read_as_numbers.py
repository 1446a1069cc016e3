"""Numbers that have become keys of dicts, and are read as numbers again: whatever the dict is, wherever it
lies and however its keys are read, the gradient is right or it is refused."""

from __future__ import annotations

import os
from types import ModuleType

import pytest

import zygpy as zg
from tests.written import module_of

BEFORE = """
import collections, functools, itertools, math

def over(t):
    s = 0.0
    for k in t:
        s = s + k
    return s

def first(*keys):
    return keys[0]
"""
MADE = {
    "filled": "t = collections.defaultdict(float)\n    t[x] += 2.0",
    "asked": "t = collections.defaultdict(list)\n    t[x].append(1.0)",
    "set": "t = collections.defaultdict(float)\n    t[x] = 2.0",
    "ordered": "t = collections.OrderedDict()\n    t[x] = 2.0",
    "of_itself": "t = collections.OrderedDict()\n    t[x] = x",
    "counted": "t = collections.Counter()\n    t[x] += 1",
    "plain": "t = {x: 2.0}",
    "shared": "t = 0\n    def bind():\n        nonlocal t\n        t = {x: 2.0}\n    [bind][0]()",
    "perhaps": "if 0:\n        t = None\n    def bind():\n        nonlocal t\n        t = {x: x}\n    bind()",
}
READ = {
    "list": "list(t)[0]",
    "next": "next(iter(t))",
    "loop": "over(t)",
    "sum": "sum(t)",
    "star": "[*t][0]",
    "zip": "list(zip(t, 'k'))[0][0]",
    "backwards": "list(reversed(t))[0]",
    "chain": "list(itertools.chain(t))[0]",
    "unpacked": "first(*t)",
    "least": "min(t, key=lambda k: 1)",
    "folded": "functools.reduce(lambda a, b: a + b, t)",
    "fsum": "math.fsum(t)",
    "items": "[k for k, v in t.items()][0]",
}
ALL = "ZYGPY_ALL_CASES" in os.environ
CASES = [
    (made, read)
    for number, made in enumerate(MADE)
    for turn, read in enumerate(READ)
    if ALL or (number + turn) % 3 == 0
]
KNOWN = {
    "memo": "t = collections.defaultdict(float)\n    t[x] += x * x\n    return t[x] * x",
    "tables": "t = {0.5: x, 2.0: x * x}\n    return sum([k * v for k, v in t.items()])",
    "nodes": "t = collections.OrderedDict([(0.5, 2.0)])\n    return sum([k * v * x for k, v in t.items()])",
    "counts": "t = 0\n    def a(v):\n        nonlocal t\n        t += v * x\n    [a][0](2.0)\n    return t",
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    texts = [f"def {a}_{b}(x):\n    {MADE[a]}\n    return {READ[b]} * x\n" for a, b in CASES]
    texts += [f"def {name}(x):\n    {text}\n" for name, text in KNOWN.items()]
    return module_of(BEFORE + "\n".join(texts), "keys_read_as_numbers", tmp_path_factory)


@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_keys_that_vary_are_refused_as_numbers(programs: ModuleType, case: tuple[str, str]) -> None:
    program = getattr(programs, "_".join(case))
    assert program(0.7) == pytest.approx(0.49)
    with pytest.raises(zg.UnsupportedSyntaxError, match="a key of a dict is used as a number"):
        zg.gradient(program, 0.7)


@pytest.mark.parametrize("name", KNOWN)
def test_what_needs_no_key_is_right(programs: ModuleType, name: str) -> None:
    program, h = getattr(programs, name), 1e-6
    wanted = (program(0.7 + h) - program(0.7 - h)) / (2 * h)
    assert zg.gradient(program, 0.7)[0] == pytest.approx(wanted, rel=1e-8)
