"""Fractions are compared, sorted and looked for like other numbers, and have exact gradients."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import zygpy as zg
from zygpy.units import options


def sorted_again(xs: Any) -> Any:
    ordered = sorted(xs, key=lambda x: -x)
    ordered.append(ordered[0] * ordered[1])
    ordered.sort()
    return ordered[-1] * ordered[0]


def extremes(xs: Any) -> Any:
    return max(xs) * min(xs) + (xs[0] if xs[0] < xs[1] else xs[2])


def as_keys(xs: Any) -> Any:
    squares = {x: x * x for x in xs}
    return squares[xs[0]] * (2 if xs[1] in xs else 3)


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("program", [sorted_again, extremes, as_keys])
def test_fractions_do_what_floats_do(program: Callable[[Any], Any], specialise: bool) -> None:
    exact = [Fraction(1, 2), Fraction(3), Fraction(3, 4)]
    with options(specialise=specialise):
        (found,) = zg.gradient(program, exact)
        (floats,) = zg.gradient(program, [float(x) for x in exact])
    assert {type(entry) for entry in found} == {Fraction}
    assert found == floats  # all of them are binary fractions
    h = Fraction(1, 10**9)
    for place, entry in enumerate(found):
        above, below = ([*exact[:place], exact[place] + s * h, *exact[place + 1 :]] for s in (1, -1))
        assert entry == pytest.approx((program(above) - program(below)) / (2 * h), abs=1e-8)
