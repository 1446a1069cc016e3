"""Functions that are found when they are called and change what they are given: this is followed; what they
change that others find is followed or refused."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

import zygpy as zg
from tests.written import module_of
from zygpy import units

CHANGES = {
    "field": "s.a = s.a + x",
    "added": "s.a += x * x",
    "item": "s.items[0] = x * 2",
    "appended": "s.items.append(x)",
    "key": "s.table['k'] = x * 3",
    "deep": "s.inner.items[0] = x",
    "entry": "s.array[0] = x",
    "entries": "s.array += x",
    "view": "v = s.array[1:]; v *= x",
    "replaced": "s.items = [x, x * x]; s.items[0] *= 2",
    "ufunc": "np.multiply(s.array, x, out=s.array)",
    "fresh": "o = Inner(); o.items[0] = x; s.a = o.items[0] * 2",
    "found": "FOUND['change'](s.items, x)",
    "unpacked": "change(*(s.items, x), **{})",
    "by_name": "setattr(s, 'a', x * 4)",
    "of_the_class": "type(s).shared[0] = x; s.a = x",
    "global_list": "LIST[0] = x",
    "global_object": "OBJECT.items[0] = x",
    "linked": "s.inner = OBJECT; s.inner.items[0] = x",
    "either": "t = s.items if s.a < 0 else LIST\n        t[0] = x",
}

CALLS = {
    "method": "getattr(s, 'do_' + name)(x)",
    "of_a_class": "getattr(type(s), 'do_' + name)(s, x)",
    "unpacked": "getattr(s, 'do_' + name)(*[x])",
    "by_another": "Runner(s).run(name, x)",
}

RESULTS = {
    "own": "s.total() * x",
    "others": "sum(LIST) * x + OBJECT.items[0] + State.shared[0] * x + s.a",
}

HEADER = """
import numpy as np

LIST = [1.0, 2.0]


class Inner:
    def __init__(self):
        self.items = [0.5, 2.5]


OBJECT = Inner()


def change(items, x):
    items[0] = x * x


FOUND = {"change": change}


class Runner:
    def __init__(self, s):
        self.s = s

    def run(self, name, x):
        return getattr(self.s, "do_" + name)(x)


class State:
    shared = [3.0]

    def __init__(self):
        self.a, self.items, self.table = 2.0, [1.0, 2.0], {"q": 1.0}
        self.inner, self.array = Inner(), np.ones(3)

    def total(s):
        held = sum(s.items) + sum(s.table.values()) + sum(s.inner.items) + np.sum(s.array)
        return s.a + 2 * s.items[0] + held

"""

REFUSED = {"global_list", "global_object", "linked", "either", "of_the_class"}
"""What functions change that others find: refused where nothing is known of the caller's object."""


def _text() -> str:
    methods = [f"    def do_{name}(s, x):\n        {change}\n" for name, change in CHANGES.items()]
    programs = [
        f"def {sort}_{call}_{result}({parameters}):\n    {first}\n    {CALLS[call]}\n    "
        f"return {RESULTS[result]}\n"
        for call, result in itertools.product(CALLS, RESULTS)
        for sort, parameters, first in (("made", "x, name", "s = State()"), ("given", "x, name, s", "pass"))
    ]
    return HEADER + "\n".join(methods) + "\n\n" + "\n\n".join(programs)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return module_of(_text(), "changes_of_arguments", tmp_path_factory)


def _fresh(programs: ModuleType, sort: str) -> tuple[Any, ...]:
    """The arguments behind `x` and the name, with everything as it was at first."""
    programs.LIST[:] = [1.0, 2.0]
    programs.OBJECT.items[:] = [0.5, 2.5]
    programs.State.shared[:] = [3.0]
    return (programs.State(),) if sort == "given" else ()


def _slope(program: Callable[[float], float], x: float) -> float:
    ends = [program(x + step) for step in (1e-3, -1e-3, 2e-3, -2e-3)]
    return (8 * (ends[0] - ends[1]) - (ends[2] - ends[3])) / 12e-3


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("sort", ["made", "given"])
@pytest.mark.parametrize("change", CHANGES)
def test_what_a_found_function_changes_is_followed(
    programs: ModuleType, change: str, sort: str, *, specialise: bool
) -> None:
    for call, result in itertools.product(CALLS, RESULTS):
        program = getattr(programs, f"{sort}_{call}_{result}")

        def plain(x: float, program: Any = program) -> float:
            return program(x, change, *_fresh(programs, sort))

        expected = _slope(plain, 1.7)
        try:
            with units.options(specialise=specialise):
                value, back = zg.pullback(program, 1.7, change, *_fresh(programs, sort))
        except zg.UnsupportedSyntaxError:
            assert not specialise and sort == "given" and (change in REFUSED or call == "of_a_class")
            continue
        assert value == plain(1.7)
        assert back(1.0)[0] == pytest.approx(expected, rel=1e-8), (call, result)
