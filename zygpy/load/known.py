"""Whether what a call changes is known to the program by a global variable as well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from zygpy.ir.kinds import MAXIMUM_ITEMS, is_mutable
from zygpy.load.guards import Checks, found_by


def is_known_elsewhere(checks: Checks, changed: Iterable[Any]) -> bool:
    """Whether one of these arguments, or something in it, is what a global that the program reads holds, or
    has in it."""
    others = [guard for guard in checks.others if guard.kind is not None and is_mutable(guard.kind)]
    data = [*others, *[guard for *_, guard in checks.arrays]]
    if not data:
        return False
    known = [thing for guard in data for thing in _things(found_by(guard))]
    identities, arrays = set(map(id, known)), [thing for thing in known if isinstance(thing, np.ndarray)]
    for thing in (thing for value in changed for thing in _things(value)):
        if id(thing) in identities:
            return True
        if isinstance(thing, np.ndarray) and any(np.may_share_memory(thing, array) for array in arrays):
            return True
    return False


def _things(value: Any) -> Iterator[Any]:
    """A value and what is in it directly, as far as these can be changed."""
    yield from filter(_can_change, (value, *_content(value)))


def _can_change(value: Any) -> bool:
    if isinstance(value, FunctionType | ModuleType | type):
        return False  # which many things may have in common
    return isinstance(value, np.ndarray | list | dict) or hasattr(value, "__dict__")


def _content(value: Any) -> list[Any]:
    if isinstance(value, list | tuple):
        return list(value[:MAXIMUM_ITEMS])
    items = value if isinstance(value, dict) else getattr(value, "__dict__", {})
    return list(items.values())[:MAXIMUM_ITEMS]
