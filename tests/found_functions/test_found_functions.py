"""What a function changes counts, by whatever way it was found."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.found_functions.ways import CHANGED, FOUND, PLACES, READ, text
from tests.written import module_of
from zygpy import units

POINT = np.array([1.1, 0.7, 1.3])

ALL = list(itertools.product(FOUND, CHANGED, PLACES, READ))
CASES = random.Random(7).sample(ALL, 120)


@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_what_is_changed_counts(case: tuple[str, str, str, str], tmp_path_factory: Any) -> None:
    module = module_of(text(*case), "program_with_functions", tmp_path_factory)
    with units.options(specialise=len("".join(case)) % 3 > 0):
        module.reset()
        assert module.program(POINT.copy(), module.fresh()) == pytest.approx(3.0 * np.sum(POINT))
        module.reset()
        found = zg.gradient(module.program, POINT.copy(), module.fresh())[0]
    assert found == pytest.approx(3.0)  # twice what is kept, and the argument itself


KEEPING = {
    "a method with its object": "PUT(x[0])",
    "a partial": "PARTIAL(x[0])",
    "a function that carries an object": "BOUND(x[0])",
    "an object": "KEEPER(x[0])",
    "made on the spot": "bound(KEEPER)(x[0])",
    "in a list": "[KEEPER.put][0](x[0])",
    "in a lazy iterator": "list(map(PUT, x[:1]))",
    "in a vectorised function": "VECTORISED(x[:1])",
}

CALLED = {"given": "kept", "given in a list": "[kept]", "given in an object": "Holder(kept)"}

_KEPT = """
import functools

import numpy as np


class Keeper:
    u = 0.0

    def put(self, v):
        self.u = self.u + v
        return v

    def __call__(self, v):
        return self.put(v)


class Holder:
    def __init__(self, f):
        self.f = f


def bound(keeper):
    return lambda v: keeper.put(v)


KEEPER = Keeper()
PUT, PARTIAL, BOUND = KEEPER.put, functools.partial(Keeper.put, KEEPER), bound(KEEPER)
VECTORISED = np.vectorize(lambda v: (KEEPER.put(v), v * 2.0)[1])


def kept(x):
    {keeping}
    return 0.0


def program(x, given):
    KEEPER.u = 0.0
    f = given if callable(given) else given[0] if isinstance(given, list) else given.f
    return f(x) + KEEPER.u * x[1]


GIVEN = {called}
"""


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "unspecialised"])
@pytest.mark.parametrize("called", CALLED)
@pytest.mark.parametrize("keeping", KEEPING)
def test_what_is_kept_outside_is_never_lost(
    keeping: str, called: str, specialise: bool, tmp_path_factory: Any
) -> None:
    """The product of the first two; refused where `kept` was not known when the program was derived."""
    text = _KEPT.format(keeping=KEEPING[keeping], called=CALLED[called])
    module = module_of(text, "program_that_keeps", tmp_path_factory)
    with units.options(specialise=specialise):
        try:
            gradient = zg.gradient(module.program, POINT.copy(), module.GIVEN)[0]
        except zg.UnsupportedSyntaxError:
            assert called != "given"
            return
    times = 2.0 if "vectorised" in keeping else 1.0  # its first call is made once more, for the type
    assert gradient == pytest.approx([times * POINT[1], times * POINT[0], 0.0])
