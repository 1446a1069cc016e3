"""Whether a differentiable path leads through a primitive."""

from __future__ import annotations

import operator
from collections.abc import Iterable

import numpy as np

from zygpy.ir.kinds import Array, Kind, Number, NumpyScalar
from zygpy.rules.declare import Rule

FLOOR_DIVISIONS = (operator.floordiv, np.floor_divide)


def has_path(rule: Rule, kinds: Iterable[Kind]) -> bool:
    """Every primitive with contributions has one, except `//` of integers."""
    return rule.function not in FLOOR_DIVISIONS or not all(map(_is_integral, kinds))


def _is_integral(kind: Kind) -> bool:
    if isinstance(kind, Number):
        return kind.types <= {"int", "bool"}
    return isinstance(kind, NumpyScalar | Array) and kind.dtype in ("i", "b")
