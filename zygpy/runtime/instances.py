"""Methods of particular objects, such as the distributions of `scipy.stats`, that have rules of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class OfInstances(NamedTuple):
    """What stands for a method of objects that are like this one: of its very class, with
    equal attributes."""

    function: Callable[..., Any]
    instance: Any
    attributes: tuple[str, ...]

    def fits(self, value: Any) -> bool:
        """Whether the function does what the method of this object does."""
        if value is self.instance:
            return True
        return all(_same(getattr(value, name), getattr(self.instance, name)) for name in self.attributes)


def _same(one: Any, other: Any) -> bool:
    return bool(one == other or (one != one and other != other))


INSTANCES: dict[tuple[type, str], OfInstances] = {}
"""The functions by class and name of the method."""


def method_of(value: Any, name: str) -> Callable[..., Any] | None:
    """The function that has the rule of a method of an object; None where there is none."""
    found = INSTANCES.get((type(value), name))
    return found.function if found is not None and found.fits(value) else None
