"""Operators on plain numbers, which go through run-time doors where their kinds could not be known."""

from __future__ import annotations

from fractions import Fraction
from types import BuiltinFunctionType
from typing import Any

import numpy as np

from zygpy import dispatch, units
from zygpy.units import Pair

NUMBERS = frozenset({bool, int, float, complex, Fraction, np.float64})
"""Types whose operators have one pair for all values, and nothing that is found by identity."""


def of_numbers(function: Any, args: tuple[Any, ...]) -> Any:
    """An operator on plain numbers; None for anything else."""
    if type(function) is not BuiltinFunctionType:
        return None
    key = (function, units.present_options(), *map(type, args))
    pair = units.AT_HAND.get(key)
    if pair is None or not pair.checks.hold():
        if function not in dispatch.OPERATORS or not NUMBERS.issuperset(map(type, args)):
            return None
        prepared = dispatch.prepared_call(function, *args)
        pair = units.AT_HAND[key] = prepared.pair
    y, stash = dispatch.run(pair.forward, args)
    return y, OfNumbers(pair, stash, len(args))


class OfNumbers:
    """The pullback of an operator on numbers, whose cotangents belong to their variables."""

    __slots__ = ("count", "pair", "stash")

    def __init__(self, pair: Pair, stash: Any, count: int) -> None:
        self.pair, self.stash, self.count = pair, stash, count

    def __call__(self, y_bar: Any, store: Any) -> Any:
        if y_bar is None:
            return (None,) * (1 + self.count)
        return (None, *self.pair.adjoint(self.stash, y_bar))
