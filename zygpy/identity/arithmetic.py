"""Operators on plain numbers, which go through run-time doors where their kinds could not be known."""

from __future__ import annotations

import math
from fractions import Fraction
from types import BuiltinFunctionType
from typing import Any

import numpy as np

from zygpy import dispatch, units
from zygpy.rules import custom, declare
from zygpy.units import Pair

NUMBERS = frozenset({bool, int, float, complex, Fraction, np.float64})
"""Types whose operators have one pair for all values, and nothing that is found by identity."""


def of_numbers(function: Any, args: tuple[Any, ...]) -> Any:
    """An operator, or a function of `math`, on plain numbers; None for anything else."""
    if type(function) is not BuiltinFunctionType:
        return None
    key = (function, units.present_options(), *map(type, args))
    pair = units.AT_HAND.get(key)
    if pair is None or not pair.checks.hold():
        if not (_is_known(function) and NUMBERS.issuperset(map(type, args))):
            return None
        pair = units.AT_HAND[key] = dispatch.prepared_call(function, *args).pair
    if custom.RULES and custom.is_ruled(function):
        return None
    y, stash = dispatch.run(pair.forward, args)
    return y, OfNumbers(pair, stash, len(args))


def _is_known(function: BuiltinFunctionType) -> bool:
    """Whether a function has one pair for all numbers of the same types: the operators, for which nobody can
    declare a rule, and what `math` has of one number."""
    if function in dispatch.OPERATORS:
        return True
    rule = declare.find(function) if function.__self__ is math else None
    return rule is not None and rule.style in ("elementwise", "zero") and not custom.is_ruled(function)


class OfNumbers:
    """The pullback of an operator on numbers, whose cotangents belong to their variables."""

    __slots__ = ("count", "pair", "stash")

    def __init__(self, pair: Pair, stash: Any, count: int) -> None:
        self.pair, self.stash, self.count = pair, stash, count

    def __call__(self, y_bar: Any, store: Any) -> Any:
        if y_bar is None:
            return (None,) * (1 + self.count)
        return (None, *self.pair.adjoint(self.stash, y_bar))
