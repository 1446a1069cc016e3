"""Which real numbers are surely not negative: powers of such are no complex numbers.

NaN counts as not negative, as it is nowhere treated as a negative number is.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from zygpy.analyse.values import Value
from zygpy.ir import core
from zygpy.ir.kinds import FLOAT, Kind, Number, RealScalar, is_double, is_real, is_real_scalar

NEVER_NEGATIVE = frozenset(
    {
        operator.abs,
        math.fabs,
        math.sqrt,
        math.exp,
        math.exp2,
        math.cosh,
        math.hypot,
        math.dist,
        math.acos,
        math.acosh,
    }
)
"""Functions of real numbers whose results are not negative."""

KEEPING = frozenset({"+", "*", "/", "//", "%", "**"})
"""Operators that make no negative number of two that are not negative."""


def never_gives_negative(function: Any, items: list[tuple[core.Atom, Value]]) -> bool:
    """Whether a function of real numbers gives no negative number; `items`: what a function of any number of
    arguments is given. (Of a number and NaN the maximum is what comes first.)"""
    if function is max and len(items) > 1:
        sure = [item for place, item in enumerate(items) if place == 0 or isinstance(item[0], core.Const)]
        return any(value.never_negative for _, value in sure)
    if function is min and len(items) > 1:
        return all(value.never_negative for _, value in items)
    return function in NEVER_NEGATIVE


def is_never_negative(op: core.Op, values: list[Value]) -> bool:
    """Whether what an operator gives is not negative."""
    if not isinstance(op, core.Binary):
        return False
    squares = op.op == "*" and isinstance(op.left, core.Var) and op.left == op.right
    if squares and is_real_scalar(values[0].kind):
        return True
    return gives_no_negative(op.op, values, op.right)


def gives_no_negative(symbol: str, values: list[Value], right: core.Atom) -> bool:
    """Whether `left op right` is not negative, for operands of these values."""
    if not all(is_real_scalar(value.kind) for value in values):
        return False
    even = isinstance(right, core.Const) and type(right.value) is int and right.value % 2 == 0
    return (symbol == "**" and even) or (symbol in KEEPING and all(value.never_negative for value in values))


def real_power(base: Value, exponent: Kind, kind: Kind) -> Kind:
    """The kind of `base ** exponent`, known to be one of `kind`, where the base is not negative."""
    if not base.never_negative or not is_real_scalar(exponent) or not is_real(exponent):
        return kind
    if isinstance(kind, Number) and "complex" in kind.types:
        return Number(kind.types - {"complex"})
    if isinstance(base.kind, RealScalar):
        return RealScalar("f8") if is_double(base.kind) or exponent == FLOAT else RealScalar("real")
    return kind
