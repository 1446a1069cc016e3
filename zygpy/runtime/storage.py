"""Storage: whether values share it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np

from zygpy.runtime.lookup import own_things
from zygpy.runtime.native import items_of, native
from zygpy.runtime.partials import carried_values, is_function_like
from zygpy.runtime.zeros import gives_partners


def overlap(values: Sequence[Any], written: Collection[int] | None = None) -> bool:
    """Whether two of these values are arrays that may share memory, or hold one list, dict, object or array;
    if it is told which of them are `written` to, one of those and another.

    >>> rows = np.ones((2, 2))
    >>> overlap([rows, [rows[0]]]), overlap([rows, rows.copy()]), overlap([[1.0], rows, rows.T], written=[0])
    (True, False, False)
    """
    reached: list[tuple[bool, dict[int, Any]]] = []
    for place, value in enumerate(values):
        found: dict[int, Any] = {}
        _reach(value, found)
        mine = written is None or place in written
        if any(_meets(found, other) for changed, other in reached if mine or changed):
            return True
        reached.append((mine, found))
    return False


def _reach(value: Any, found: dict[int, Any]) -> None:
    """Enter the arrays and things that a value consists of, or carries."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if type(one) is tuple:
            waiting += one
        elif id(one) not in found and (parts := _parts(one)) is not None:
            found[id(one)] = one
            waiting += parts


def _parts(value: Any) -> Iterable[Any] | None:
    """What a thing holds that may be changed; None of what cannot be changed."""
    if isinstance(value, np.ndarray):
        return ()
    if isinstance(value, dict):
        found: Iterable[Any] = native(value, "values")()
        return found
    if isinstance(value, list | tuple):
        return items_of(value)
    if is_function_like(type(value)):
        return [*carried_values(value).values()] or None
    return [*own_things(value).values()] if gives_partners(type(value)) else None


def _meets(found: dict[int, Any], other: dict[int, Any]) -> bool:
    if not found.keys().isdisjoint(other):
        return True
    arrays, others = (
        [value for value in values.values() if isinstance(value, np.ndarray)] for values in (found, other)
    )
    return any(np.may_share_memory(a, b) for a in arrays for b in others)
