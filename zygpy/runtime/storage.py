"""Storage: whether values share it."""

from __future__ import annotations

from typing import Any

import numpy as np


def overlap(values: list[Any]) -> bool:
    """Whether two of these values are arrays that may share memory, or hold one list, dict or array."""
    reached: list[dict[int, Any]] = []
    for value in values:
        found: dict[int, Any] = {}
        _reach(value, found)
        if any(_meets(found, other) for other in reached):
            return True
        reached.append(found)
    return False


def _reach(value: Any, found: dict[int, Any]) -> None:
    """Enter the arrays and containers that a value consists of."""
    if not isinstance(value, list | dict | tuple | np.ndarray) or id(value) in found:
        return
    if not isinstance(value, tuple):
        found[id(value)] = value
    if not isinstance(value, np.ndarray):
        for item in value.values() if isinstance(value, dict) else value:
            _reach(item, found)


def _meets(found: dict[int, Any], other: dict[int, Any]) -> bool:
    if not found.keys().isdisjoint(other):
        return True
    arrays, others = (
        [value for value in values.values() if isinstance(value, np.ndarray)] for values in (found, other)
    )
    return any(np.may_share_memory(a, b) for a in arrays for b in others)
