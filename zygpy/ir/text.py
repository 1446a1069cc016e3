"""Generated source text: what `render` makes and `load` compiles."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Text:
    """The source of generated functions.

    `lines` maps a line of `source` (1-based) to the line of the user's file that it comes from;
    lines without an origin are missing.
    """

    source: str
    lines: dict[int, int] = field(default_factory=dict)
