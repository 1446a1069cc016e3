"""What a class gives for a new object may be a thing that others find: what functions that are found change
in it, others read."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

import zygpy as zg
from tests.written import module_of
from zygpy import units

GIVEN = {
    "cached": "Cached('q')",
    "cached of a subclass": "Derived('q')",
    "one for all": "One()",
    "another's": "Other()",
    "by a metaclass": "Made()",
    "by a function": "make()",
    "as an item": "Keeper()[0]",
}

REFUSED = {"Other()", "Made()", "Keeper()[0]"}
"""Refused where functions that are found change what comes of them: it has no class that is known."""

CHANGES = (
    "q.up(x)",
    "getattr(q, 'u' + 'p')(x)",
    "held = [q]\n    getattr(held[0], 'u' + 'p')(x)",
    "{'up': Thing.up}['up'](q, x)",
)

HEADER = """
class Thing:
    def up(self, x):
        self.v = x * x

class Cached(Thing):
    cache = {}

    def __new__(cls, key):
        if key not in cls.cache:
            cls.cache[key] = made = object.__new__(cls)
            made.v = 2.0
        return cls.cache[key]

class Derived(Cached):
    def __new__(cls, key):
        return super().__new__(cls, key)

class One(Thing):
    only = None

    def __new__(cls):
        if cls.only is None:
            cls.only = object.__new__(cls)
            cls.only.v = 1.0
        return cls.only

KEPT = Thing()
KEPT.v = 3.0

class Other:
    def __new__(cls):
        return KEPT

class Keeper:
    def __getitem__(self, index):
        return KEPT

class Meta(type):
    def __call__(cls):
        return KEPT

class Made(metaclass=Meta):
    pass

def make():
    return KEPT
"""

CASES = [(given, change) for given in GIVEN.values() for change in CHANGES]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    texts = [
        f"def f{number}(x):\n    q = {given}\n    {change}\n    return {given}.v * x\n"
        for number, (given, change) in enumerate(CASES)
    ]
    return module_of("\n".join([HEADER, *texts]), "things_that_classes_give", tmp_path_factory)


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("number", range(len(CASES)))
def test_changes_are_read_by_others(programs: ModuleType, number: int, *, specialise: bool) -> None:
    program: Any = getattr(programs, f"f{number}")
    given, change = CASES[number]
    try:
        with units.options(specialise=specialise):
            value, back = zg.pullback(program, 1.5)
    except zg.UnsupportedSyntaxError:
        assert given in REFUSED and "up(x)" not in change
        return
    assert value == pytest.approx(1.5**3)
    assert [back(1.0)[0], back(1.0)[0]] == pytest.approx([3 * 1.5**2] * 2)
