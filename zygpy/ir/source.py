"""The source of a function as the stages hand it on: its text, where it is, its live surroundings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, eq=False)
class Source:
    """The source of one function.

    `text` is the text of exactly this function as it stands in the file: from `def` (decorators
    left out) or `lambda` to its end. Only its first line is without the file's indentation, so
    that strings over several lines stay what they are. `line`/`column` is where it starts in
    `filename` (1-based, and 0-based in characters). `globals` and `cells` are the live objects,
    never copied. `owner` is the class whose body the function stands in, "" for none: Python
    derives private names from it. `rebound` are the captured variables that some function of the
    file rebinds through `nonlocal`, and those that the function hands on to others inside it and that
    the function they belong to rebinds.
    """

    function: Any
    name: str
    filename: str
    line: int
    column: int
    text: str
    globals: dict[str, Any] = field(repr=False)
    cells: dict[str, Any]
    owner: str = ""
    rebound: tuple[str, ...] = ()


def character_column(line: str, offset: int) -> int:
    """The column in characters of an offset in UTF-8 bytes, which is how Python counts columns.

    >>> character_column("α = β", len("α = ".encode()))
    4
    """
    return offset if line.isascii() else len(line.encode()[:offset].decode(errors="ignore"))
