"""The table of functions of libraries, which the modules of this folder fill in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Function = Callable[..., Any]


@dataclass(frozen=True)
class Case:
    """A function of numbers that calls a library, and where its gradient is taken; for what is refused for
    now, always or where nothing is specialised, part of what the refusal says."""

    function: Function
    args: tuple[float, ...]
    refused: str = ""
    refused_unspecialised: str = ""

    @property
    def name(self) -> str:
        return f"{self.function.__module__.rsplit('.', 1)[-1]}.{self.function.__name__}"


TABLE: list[Case] = []


def at(*args: float, refused: str = "", refused_unspecialised: str = "") -> Callable[[Function], Function]:
    """Put a function into the table."""

    def entered(function: Function) -> Function:
        TABLE.append(Case(function, args, refused, refused or refused_unspecialised))
        return function

    return entered
