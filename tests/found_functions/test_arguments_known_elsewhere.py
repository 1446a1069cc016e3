"""Arguments, or things deep in them, that globals know too, changed by the program or by functions that it
finds when it calls them: whoever reads them by another name reads the change."""

from __future__ import annotations

import itertools
from types import ModuleType
from typing import Any

import pytest

import zygpy as zg
from tests.written import module_of
from zygpy import units

CHANGES = {
    "named": "s.do_item(x)",
    "found": "getattr(s, 'do_' + name)(x)",
    "of the class": "getattr(type(s), 'do_' + name)(s, x)",
    "partial": "functools.partial(getattr(s, 'do_' + name), x)()",
    "in a closure": "l = s.items\n    def w(): l[0] = x * 2\n    w()",
    "deep": "s.box.box.items[0] = x * 2",
    "array": "s.arrays[0][0] = x * 2",
    "by itself": "return getattr(s, 'do_both')(x)",
}

READS = {
    "global": "sum(LIST) + ARRAY[0]",
    "object": "sum(REG['s'].items) + REG['s'].arrays[0][0]",
    "named function": "read()",
    "found function": "getattr(Names, 're' + 'ad')()",
    "in a list": "[read][0]()",
    "by default": "default()",
    "method": "s.read()",
    "closure": "carrying()",
}

HEADER = """
import functools
import numpy as np

LIST = [1.0, 2.0]
ARRAY = np.array([1.0, 2.0])

def read():
    return sum(LIST) + ARRAY[0]

def default(items=LIST, array=ARRAY):
    return sum(items) + array[0]

def carry(items, array):
    return lambda: sum(items) + array[0]

carrying = carry(LIST, ARRAY)

class Names:
    read = staticmethod(read)

class Box:
    pass

class State:
    def __init__(self):
        self.items, self.arrays, self.box = LIST, [ARRAY[:1]], Box()
        self.box.box = Box()
        self.box.box.items = LIST

    def read(self):
        return sum(LIST) + ARRAY[0]

    def do_item(self, x):
        self.items[0] = x * 2

    def do_app(self, x):
        list(map(self.items.append, [x, x]))

    def do_both(self, x):
        self.items[0] = x * 2
        return read() * x

GIVEN = State()
REG = {"s": GIVEN}
"""

CASES = list(itertools.product(CHANGES, READS, ("item", "app")))


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    texts = [
        f"def f{number}(x, name, s):\n    {CHANGES[change]}\n    return ({READS[read]}) * x\n"
        for number, (change, read, _) in enumerate(CASES)
    ]
    return module_of("\n".join([HEADER, *texts]), "known_elsewhere", tmp_path_factory)


def _given(programs: ModuleType) -> Any:
    programs.LIST[:] = [1.0, 2.0]
    programs.ARRAY[:] = [1.0, 2.0]
    return programs.GIVEN


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("read", READS)
def test_changes_are_read_by_other_names(programs: ModuleType, read: str, *, specialise: bool) -> None:
    for number, (change, how, name) in enumerate(CASES):
        if how != read or (name == "app" and "name" not in CHANGES[change]):
            continue
        program = getattr(programs, f"f{number}")

        def plain(x: float, program: Any = program, name: str = name) -> float:
            return float(program(x, name, _given(programs)))

        expected = (8 * (plain(1.51) - plain(1.49)) - (plain(1.52) - plain(1.48))) / 0.12
        try:
            with units.options(specialise=specialise):
                value, back = zg.pullback(program, 1.5, name, _given(programs))
        except zg.UnsupportedSyntaxError:
            assert not specialise and change == "of the class"  # of which nothing is known
            continue
        assert value == plain(1.5)
        assert [back(1.0)[0], back(1.0)[0]] == pytest.approx([expected] * 2, rel=1e-8), (change, name)
