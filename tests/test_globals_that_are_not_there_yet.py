"""Global names that stand for nothing when a program is derived: what it calls binds them."""

from __future__ import annotations

import itertools
from types import ModuleType

import pytest

import zygpy as zg
from tests.written import module_of

BOUND = {
    "number": ("x * 2", "{g} + 1"),
    "listed": ("[x, x * x]", "sum({g}) * {g}[0]"),
    "keyed": ("{'k': x}", "{g}['k']"),
    "spaced": ("types.SimpleNamespace(k=x)", "{g}.k"),
    "called": ("lambda v: v * x", "{g}(2.0)"),
    "thing": ("Thing(x)", "{g}.get() * {g}.k"),
}
BY = {"itself": "bind()", "found": "[bind][0]()", "another": "set_{g}(x)", "unknown": "[set_{g}][0](x)"}
INSIDE = {"bare": "", "none": "    global {g}\n    {g} = None\n"}
TEXT = """
def set_{g}(x):
    global {g}
    {g} = {value}

def {name}(x):
{inside}    def bind():
        global {g}
        {g} = {value}
    {by}
    return {read} * x
"""
BEFORE = """
import types

class Thing:
    def __init__(self, k):
        self.k = k

    def get(self):
        return self.k * 2
"""
CASES = list(itertools.product(BOUND, BY, INSIDE))


def text_of(case: tuple[str, str, str]) -> str:
    """The program of a case, which has a global name of its own."""
    value, read = BOUND[case[0]]
    name = "_".join(case)
    parts = {"g": name.upper(), "name": name, "value": value}
    spelled = {"by": BY[case[1]], "read": read, "inside": INSIDE[case[2]]}
    return TEXT.format(**parts, **{key: text.format(g=name.upper()) for key, text in spelled.items()})


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return module_of(BEFORE + "".join(map(text_of, CASES)), "not_there_yet", tmp_path_factory)


def slope(f: object, x: float) -> float:
    """The derivative of a polynomial of low degree, by differences."""
    assert callable(f)
    return float(8 * (f(x + 0.01) - f(x - 0.01)) - (f(x + 0.02) - f(x - 0.02))) / 0.12


@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_gradients(programs: ModuleType, case: tuple[str, str, str]) -> None:
    program = getattr(programs, "_".join(case))
    vars(programs).pop(program.__name__.upper(), None)
    y, back = zg.pullback(program, 0.7)
    again = zg.gradient(program, 0.7)[0]  # when the name is there
    wanted = slope(program, 0.7)
    assert y == program(0.7)
    assert back(1.0)[0] == pytest.approx(wanted, rel=1e-9)
    assert back(2.0)[0] == pytest.approx(2 * wanted, rel=1e-9)
    assert again == pytest.approx(wanted, rel=1e-9)
