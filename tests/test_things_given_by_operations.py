"""An operation, an index or an attribute may give a thing that others find: what is kept in that counts where
it is read by the other name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.written import module_of
from zygpy import units

HEAD = """
import collections
import functools
import operator

import numpy as np


class State:
    def __init__(self):
        self.value = 1.0
        self.rows = [1.0, 2.0]
        self.table = {{"k": 1.0}}
        self.array = np.array([1.0, 2.0])


STATE = State()


class Giving:
    def __get__(self, owner, cls=None):
        return STATE


def give(self, *args):
    return STATE


class Meta(type):
    found = property(give)
    __getitem__ = __neg__ = give


class OfMeta(metaclass=Meta):
    pass


class Holder:
    described = Giving()
    found = property(give)
    __getitem__ = __call__ = __neg__ = __abs__ = __round__ = __invert__ = give
    __add__ = __radd__ = __mul__ = __matmul__ = __pow__ = __lshift__ = give

    def __divmod__(self, other):
        return STATE, 1

    def __getattr__(self, name):
        if name == "computed":
            return STATE
        raise AttributeError(name)

    def __iter__(self):
        yield STATE


class Missing(dict):
    __missing__ = give


HOLDER = Holder()
ROWS = [STATE]


def program(x):
    thing = {given}
    {changed}
    return STATE.value * x + sum(STATE.rows) * x + STATE.table["k"] + STATE.array[0] * x
"""
GIVEN = (
    "Holder().described",
    "Holder.described",
    "HOLDER.found",
    "HOLDER.computed",
    "HOLDER[0]",
    "HOLDER()",
    "-HOLDER",
    "~HOLDER",
    "abs(HOLDER)",
    "round(Holder())",
    "divmod(HOLDER, 2)[0]",
    "HOLDER + 1",
    "1 + Holder()",
    "HOLDER * x",
    "x + HOLDER",
    "HOLDER ** x",
    "HOLDER @ HOLDER",
    "HOLDER << 1",
    "pow(HOLDER, 2)",
    "operator.add(HOLDER, 1)",
    "list(HOLDER)[0]",
    "next(iter(HOLDER))",
    "sum([[STATE]], [])[0]",
    "(ROWS + [])[0]",
    "functools.reduce(operator.add, [HOLDER, 1])",
    "min(ROWS)",
    "OfMeta[0]",
    "OfMeta.found",
    "-OfMeta",
    "Missing()['k']",
    "collections.defaultdict(lambda: STATE)['k']",
    "getattr(HOLDER, 'des' + 'cribed')",
)
CHANGED = (
    "thing.value = x",
    "setattr(thing, ''.join(['val', 'ue']), x)",
    "thing.value += x",
    "thing.rows.append(x)",
    "thing.table.update(k=x)",
    "thing.array[0] = x",
)
CASES = [case for number, case in enumerate(product(GIVEN, CHANGED)) if number % 5 < 2]


def made(given: str, changed: str, directory: Any) -> ModuleType:
    text = HEAD.format(given=given, changed=changed)
    return module_of(text, "program_that_is_given_things", directory)


@pytest.fixture(params=[True, False], ids=["specialised", "generic"])
def specialise(request: pytest.FixtureRequest) -> Iterator[None]:
    with units.options(specialise=request.param):
        yield


def expected(given: str, changed: str, directory: Any, x: float) -> float:
    """The central difference of a quadratic program, which is exact up to rounding."""
    above, below = [made(given, changed, directory).program(x + step) for step in (0.5, -0.5)]
    return float(above - below)


@pytest.mark.usefixtures("specialise")
@pytest.mark.parametrize("case", CASES, ids=" | ".join)
def test_what_is_kept_in_a_given_thing_counts(case: tuple[str, str], tmp_path_factory: Any) -> None:
    reference = expected(*case, tmp_path_factory, 1.3)
    module = made(*case, tmp_path_factory)
    np.testing.assert_allclose(zg.gradient(module.program, 1.3), [reference], rtol=1e-12)
