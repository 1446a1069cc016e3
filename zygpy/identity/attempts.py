"""What may know of a callable that is no function with source or rule, and which of them a call asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from zygpy.rules import custom
from zygpy.runtime.ways import Way

Attempt: TypeAlias = "Callable[[Way, Any, tuple[Any, ...], Mapping[str, Any]], Any]"


@dataclass(frozen=True, eq=False)
class Knowing:
    """An attempt with the callables that it may know: these, and those of some types, if `where` holds of the
    callable and its arguments. For any other it is sure to give None."""

    attempt: Attempt
    functions: frozenset[int]  # as numbers: not everything that is called has a hash
    types: tuple[type, ...]
    where: Callable[[Any, tuple[Any, ...]], bool]

    def may_know(self, function: Any, args: tuple[Any, ...]) -> bool:
        """Whether a call is worth an attempt."""
        about = id(function) in self.functions or isinstance(function, self.types)
        return about and self.where(function, args)


def _anywhere(function: Any, args: tuple[Any, ...]) -> bool:
    return True


def knowing(
    attempt: Attempt,
    functions: Iterable[Any] = (),
    types: tuple[type, ...] = (),
    where: Callable[[Any, tuple[Any, ...]], bool] = _anywhere,
) -> Knowing:
    """An attempt with what it is about."""
    return Knowing(attempt, frozenset(map(id, functions)), types, where)


ATTEMPTS: list[Knowing] = []
"""What knows of callables that are no functions with source or rule: each gives None for any other."""


def attempts_for(function: Any, *given: Any) -> tuple[Attempt, ...]:
    """What is asked of a call, in order.

    (It is told by what each is about: where a gradient is differentiated once more, whatever is asked has to
    be derived, even to say that it knows nothing.)
    """
    if custom.is_ruled(function):
        return ()
    return tuple([known.attempt for known in ATTEMPTS if known.may_know(function, given)])
