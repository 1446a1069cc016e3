"""What a function reads from global variables, and whether that is still as it was."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from zygpy.runtime.accumulate import snapshot

NUMBERS = (bool, int, float, complex, np.generic, str, bytes)


@dataclass(frozen=True)
class Reads:
    """Data in global variables that a function, and the functions that it calls by name, may read."""

    data: tuple[tuple[dict[str, Any], str, Any], ...]

    def changed(self) -> str | None:
        """The name of a variable that holds something else now; None if there is none."""
        for namespace, name, before in self.data:
            if not _is_same(before, _summary(namespace.get(name))):
                return name
        return None


def reads_of(function: Callable[..., Any]) -> Reads:
    """What a function reads, as it is now.

    >>> reads_of(lambda x: x).changed() is None
    True
    """
    found = ((namespace, name, _summary(namespace[name])) for namespace, name in _names(function))
    return Reads(tuple(item for item in found if item[2] is not None))


def _names(function: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """Global names that functions mention which can be reached by name."""
    waiting, seen = [function], set()
    while waiting:
        reached = waiting.pop()
        reached = getattr(reached, "__func__", getattr(reached, "func", reached))
        if not isinstance(reached, FunctionType) or reached.__code__ in seen:
            continue
        seen.add(reached.__code__)
        namespace = reached.__globals__
        for name in _mentioned(reached.__code__):
            if name in namespace:
                yield namespace, name
                waiting.append(namespace[name])
        waiting += [cell.cell_contents for cell in reached.__closure__ or () if _is_bound(cell)]


def _is_bound(cell: Any) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


def _mentioned(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _mentioned(constant)


def _summary(value: Any) -> Any:
    """What tells whether a value is still the same; None of what is no data."""
    if isinstance(value, np.ndarray):
        return (id(value), value.shape, zlib.crc32(value.tobytes()))
    if isinstance(value, NUMBERS):
        return (value,)
    return snapshot(value) if type(value) in (list, tuple, dict) else None


def _is_same(before: Any, now: Any) -> bool:
    if isinstance(before, np.ndarray):
        return isinstance(now, np.ndarray) and np.array_equal(before, now, equal_nan=True)
    if isinstance(before, list | tuple) and isinstance(now, list | tuple):
        return len(before) == len(now) and all(map(_is_same, before, now))
    if isinstance(before, dict) and isinstance(now, dict):
        return list(before) == list(now) and all(_is_same(before[key], now[key]) for key in before)
    return before is now or bool(before == now)
