"""What a benchmark is: a program with its hand-written gradient, or a single measured number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Case:
    """A program and the gradient that a person would write for it.

    `hand(*arguments())` gives the value and a tuple with a gradient (or None) for each argument.
    `over(np)` writes the same program for a library that traces operations, with `np` the library's
    own functions; None where such a program cannot be written. The limits are the ratios that
    zygpy's gradient is meant to keep.
    """

    name: str
    primal: Callable[..., Any]
    hand: Callable[..., tuple[Any, tuple[Any, ...]]]
    arguments: Callable[[], tuple[Any, ...]]
    over: Callable[[Any], Callable[..., Any]] | None = None
    limit_to_hand: float | None = None
    limit_to_primal: float | None = None


@dataclass(frozen=True)
class Reading:
    """A measured number, and the limit that it is meant to keep."""

    name: str
    value: float
    unit: str
    limit: float | None = None
