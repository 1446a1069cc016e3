"""What may know of a callable that is no function with source or rule, and which of them a call asks."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import BuiltinFunctionType, ModuleType
from typing import Any, TypeAlias

from zygpy.ir.classes import HEAP_TYPE
from zygpy.rules import custom
from zygpy.runtime.ways import Way

Attempt: TypeAlias = "Callable[[Way, Any, tuple[Any, ...], Mapping[str, Any]], Any]"


def _any(function: Any) -> bool:
    return True


@dataclass(frozen=True, eq=False)
class Knowing:
    """An attempt with the callables that it may know: these, and those of some types, if `such` holds of the
    callable, for as long as there is one, and `where` of what it is given (None: whatever that is). For any
    other it is sure to give None."""

    attempt: Attempt
    functions: frozenset[int]  # as numbers: not everything that is called has a hash
    types: tuple[type, ...]
    such: Callable[[Any], bool]
    where: Callable[[Any, tuple[Any, ...]], bool] | None

    def is_about(self, function: Any) -> bool:
        """Whether calls of a callable may be worth an attempt."""
        return (id(function) in self.functions or isinstance(function, self.types)) and self.such(function)


def knowing(
    attempt: Attempt,
    functions: Iterable[Any] = (),
    types: tuple[type, ...] = (),
    such: Callable[[Any], bool] = _any,
    where: Callable[[Any, tuple[Any, ...]], bool] | None = None,
) -> Knowing:
    """An attempt with what it is about."""
    return Knowing(attempt, frozenset(map(id, functions)), types, such, where)


ATTEMPTS: list[Knowing] = []
"""What knows of callables that are no functions with source or rule: each gives None for any other."""


def ask_first(*known: Knowing) -> None:
    """Let these be asked before all others."""
    ATTEMPTS[:0] = known
    _about_lasting.cache_clear()
    _of_type.cache_clear()


def attempts_for(function: Any, *given: Any) -> tuple[Attempt, ...]:
    """What is asked of a call, in order.

    (It is told by what each is about: where a gradient is differentiated once more, whatever is asked has to
    be derived, even to say that it knows nothing.)
    """
    if custom.is_ruled(function):
        return ()
    about = _about(function)
    return tuple([known.attempt for known in about if known.where is None or known.where(function, given)])


def _about(function: Any) -> Iterable[Knowing]:
    """What is about a callable: a function of a module, or a class, that is written in C stays what it is."""
    cls: Any = type(function)
    if cls is BuiltinFunctionType and type(function.__self__) is ModuleType:
        return _about_lasting(function)
    if cls is type and not function.__flags__ & HEAP_TYPE:
        return _about_lasting(function)
    asked = ATTEMPTS if cls.__flags__ & HEAP_TYPE else _of_type(cls)
    return [known for known in asked if known.is_about(function)]


@functools.lru_cache(maxsize=512)
def _about_lasting(function: Any) -> tuple[Knowing, ...]:
    return tuple([known for known in ATTEMPTS if known.is_about(function)])


@functools.lru_cache(maxsize=64)
def _of_type(cls: type) -> tuple[Knowing, ...]:
    """What may be about a callable of a class that is not written in Python."""
    return tuple([known for known in ATTEMPTS if known.functions or issubclass(cls, known.types)])
