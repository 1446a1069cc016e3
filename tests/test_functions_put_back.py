"""Functions that a program replaces and puts back before it ends, in ways that name neither: what ran is what
a plain call runs."""

from __future__ import annotations

import types
from typing import Any

import pytest

import zygpy as zg
from tests.written import module_of
from zygpy import units

HEAD = """
import functools, itertools, types
from unittest import mock

import pytest

def one(x): return x * 2.0
def two(x): return x * x * 3.0

M = types.ModuleType("M")
M.h = one

class C:
    h = staticmethod(one)

def put(function): M.h = function

class Told:
    "Binds `M.h` whatever it is asked."
    def __init__(self, function): self.function = function
    def put(self, *args):
        M.h = self.function
        return 1
    def text(self, *args): return "-" * self.put()
    __lt__ = __eq__ = __hash__ = __len__ = __index__ = __int__ = __contains__ = put
    def __bool__(self): return self.put() > 0
    __str__ = __repr__ = __format__ = text
    def __enter__(self): self.put()
    def __exit__(self, *args): M.h = one

class Asking:
    "Answers by another method."
    def __init__(self, function): self.function = function
    def __hash__(self): return self.answer
    @property
    def answer(self): return self.number()
    def number(self):
        M.h = self.function
        return 1

class Base:
    def __init_subclass__(cls, function): M.h = function

class Dropped:
    def __init__(self, function): self.function = function
    def __del__(self): M.h = self.function

class Bag: pass
BAG = Bag()
BAG.x = Bag(); BAG.x.y = Bag(); BAG.x.y.z = Bag(); BAG.x.y.z.w = Bag(); BAG.x.y.z.w.put = put
BAG.x.y.z.w.told = Bag()
BAG.x.y.z.w.told.two, BAG.x.y.z.w.told.one = Told(two), Told(one)
DEEP = {"a": {"b": [[{"c": [[[put]]]}]]}}
TOLD = {"one": Told(one), "two": Told(two)}
PATCH = mock.patch.object(M, "h", two)

def bag():
    found = BAG
    for name in "xyzw":
        found = getattr(found, name)
    return found
"""

PAIRS = {
    "compared": "TOLD['{f}'] < 1",
    "equal": "1 == Told({f})",
    "hashed": "{{Told({f}): 1}}",
    "hashed by another method": "{{Asking({f}): 1}}",
    "length": "len(Told({f}))",
    "index": "[1, 2][Told({f})]",
    "truth": "not TOLD['{f}']",
    "sorted": "sorted([Told({f}), Told({f})])",
    "searched": "1 in [Told({f})]",
    "searched for": "1 in TOLD['{f}']",
    "format": "f'{{Told({f})}}'",
    "percent": "'%s' % Told({f})",
    "text": "str(TOLD['{f}'])",
    "dropped": "Dropped({f})",
    "in a subclass": "class Made(Base, function={f}): pass",
    "deep in containers": "DEEP['a']['b'][0][0]['c'][0][0][0]({f})",
    "deep in objects": "bag().put({f})",
    "method deep in objects": "bag().told.{f}.put()",
    "handed on": "functools.partial(setattr, M, 'h')({f})",
    "mapped": "list(map(setattr, [M], ['h'], [{f}]))",
    "mapped from tuples": "list(itertools.starmap(setattr, [(M, 'h', {f})]))",
    "by a variable": "bind = setattr; bind(M, 'h', {f})",
    "chosen": "[setattr, delattr][0](M, 'h', {f})",
    "method of the module": "M.__setattr__('h', {f})",
    "method of object": "object.__setattr__(M, 'h', {f})",
    "method of modules": "types.ModuleType.__setattr__(M, 'h', {f})",
    "method of type": "type.__setattr__(C, 'h', staticmethod({f}))",
    "by a library": "pytest.MonkeyPatch().setattr(M, 'h', {f})",
    "by a library, by name": "pytest.MonkeyPatch().setattr(C, 'h', staticmethod({f}))",
}
BLOCKS = {
    "patched": "mock.patch.object(M, 'h', two)",
    "patched class": "mock.patch.object(C, 'h', staticmethod(two))",
    "patched before": "PATCH",
    "own": "Told(two)",
    "found": "TOLD['two']",
    "by a library": "pytest.MonkeyPatch.context() as patch: patch.setattr(M, 'h', two); y = M.h(x) + C.h(x)#",
}


def programs() -> str:
    """A function for each of the ways."""
    text = HEAD
    for number, way in enumerate(PAIRS.values()):
        text += f"\ndef pair_{number}(x):\n    {way.format(f='two')}\n    y = M.h(x) + C.h(x)\n"
        text += f"    {way.format(f='one')}\n    return y * x\n"
    for number, way in enumerate(BLOCKS.values()):
        text += f"\ndef block_{number}(x):\n    with {way}: y = M.h(x) + C.h(x)\n    return y * x\n"
    return text


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> types.ModuleType:
    return module_of(programs(), "put_back", tmp_path_factory)


WAYS = [
    *((f"pair_{number}", way) for number, way in enumerate(PAIRS)),
    *((f"block_{number}", way) for number, way in enumerate(BLOCKS)),
]


@pytest.mark.parametrize(
    ("way", "specialise"), [*((way, True) for way in WAYS), *((way, False) for way in WAYS[::4])], ids=str
)
def test_what_ran_is_what_a_plain_call_runs(
    written: types.ModuleType, way: tuple[str, str], specialise: bool
) -> None:
    program: Any = getattr(written, way[0])
    assert program(0.7) == pytest.approx(3 * 0.7**3 + 2 * 0.7**2)
    with units.options(specialise=specialise):
        assert zg.gradient(program, 0.7) == (pytest.approx(9 * 0.7**2 + 4 * 0.7),)
    assert written.M.h is written.one
