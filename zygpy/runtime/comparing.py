"""Keys that are compared by a function: `functools.cmp_to_key`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Compared:
    """What stands for an item in a comparison; its order has no gradient."""

    __slots__ = ("compare", "obj")
    __zygpy_inert__ = True
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, compare: Callable[[Any, Any], Any], obj: Any) -> None:
        self.compare, self.obj = compare, obj

    def __lt__(self, other: Compared) -> bool:
        return bool(self.compare(self.obj, other.obj) < 0)

    def __gt__(self, other: Compared) -> bool:
        return bool(self.compare(self.obj, other.obj) > 0)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Compared) and bool(self.compare(self.obj, other.obj) == 0)

    def __le__(self, other: Compared) -> bool:
        return bool(self.compare(self.obj, other.obj) <= 0)

    def __ge__(self, other: Compared) -> bool:
        return bool(self.compare(self.obj, other.obj) >= 0)


def key_by_comparing(mycmp: Any) -> Any:
    """`functools.cmp_to_key`.

    >>> sorted([3, 1, 2], key=key_by_comparing(lambda a, b: b - a))
    [3, 2, 1]
    """
    return lambda obj: Compared(mycmp, obj)
