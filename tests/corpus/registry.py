"""Where the corpus registers its programs; a registered function is returned unchanged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

TAGS = frozenset({"order1-only", "order2", "writes-arguments", "effects", "raises", "analytic", "nested"})


@dataclass(frozen=True)
class Program:
    """A function with the arguments it is run on (copied for every run).

    Tags: "order1-only" (no second derivative is checked), "order2" (it always is), "writes-arguments",
    "effects" (prints or logs), "raises" (every argument set raises), "analytic" (complex step applies: the
    program takes complex arguments and is holomorphic in them), "nested" (calls zygpy itself).
    `gradient` is the closed form, if there is one: arguments to tuple of gradients.
    """

    name: str
    function: Callable[..., Any]
    argument_sets: tuple[tuple[Any, ...], ...]
    tags: frozenset[str]
    gradient: Callable[..., tuple[Any, ...]] | None


PROGRAMS: dict[str, Program] = {}

LOG: list[Any] = []
"""What programs with effects append to."""


def program(
    *argument_sets: tuple[Any, ...], tags: str = "", gradient: Callable[..., tuple[Any, ...]] | None = None
) -> Callable[[Function], Function]:
    """Register the decorated function under its module and name."""

    def register(function: Function) -> Function:
        name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
        words = frozenset(tags.split())
        if name in PROGRAMS or not words <= TAGS:
            raise ValueError(f"{name} is registered twice, or has an unknown tag")
        PROGRAMS[name] = Program(name, function, argument_sets, words, gradient)
        return function

    return register
