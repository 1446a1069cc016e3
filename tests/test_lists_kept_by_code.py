"""Lists that are given to code while nothing in them varies, which keeps them where others find them: what is
written to them later is read there."""

from __future__ import annotations

from types import ModuleType

import pytest

import zygpy as zg
from tests.written import module_of
from zygpy.units import options

HEAD = """
import functools

ITEMS = []

def keep(value):
    ITEMS.append(value)

def second(_, value):
    return value

class Box:
    items = ITEMS
    def add(self, value):
        self.items.append(value)
    def put(self, value):
        keep(value)
"""

KEEPING = {
    "in_a_class_list": "Box().add(functools.partial(lambda p, q: q, 0.5)(q=z))",
    "behind_a_partial": "box = Box(); made = functools.partial(second, 0.5); made(1.0); box.add(z)",
    "by_a_method": "box = Box(); functools.partial(lambda p, q: q, 0.5)(q=1.0); box.put(z)",
    "by_setattr": "box = Box(); setattr(box, 'name', 1.0); box.add(z)",
    "by_getattr": "getattr(Box(), 'add')(z)",
    "by_a_function_in_a_dict": "{'f': keep}['f'](z)",
    "by_a_partial": "functools.partial(keep)(z)",
    "by_map": "list(map(keep, [z]))",
    "by_map_of_a_method": "list(map(ITEMS.append, [z]))",
    "by_map_in_a_loop": "[None for _ in map(keep, [z])]",
    "by_filter": "list(filter(keep, [z]))",
    "by_a_key": "max([z], key=lambda v: keep(v) or 0.0)",
    "by_a_key_of_sorted": "sorted([z], key=keep)",
    "by_reduce": "functools.reduce(lambda a, v: keep(v), [0.0, z])",
    "by_any": "any(keep(v) for v in [z])",
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    texts = [
        f"def {name}(x):\n    ITEMS.clear()\n    z = [1.0, 2.0]\n    {text}\n    z[1] = x * x\n"
        "    return ITEMS[0][1] * 3.0\n"
        for name, text in KEEPING.items()
    ]
    return module_of("\n\n".join([HEAD, *texts]), "lists_kept_by_code", tmp_path_factory)


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("name", KEEPING)
def test_what_is_written_later_is_read_there(name: str, specialise: bool, programs: ModuleType) -> None:
    program = getattr(programs, name)
    with options(specialise=specialise):
        y, back = zg.pullback(program, 1.5)
    assert y == program(1.5)
    assert back(1.0) == pytest.approx((9.0,))
    assert back(2.0) == pytest.approx((18.0,))
