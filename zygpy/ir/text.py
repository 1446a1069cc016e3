"""Generated source text: what `render` makes and `load` compiles."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Text:
    """The source of generated functions.

    `lines` maps a line of `source` (1-based) to the line of the user's file that it comes from;
    lines without an origin are missing. `also` has the other lines of the user's file that parts of a
    line come from; `made` says where the functions stand there that are made in the text, in its order.
    """

    source: str
    lines: dict[int, int] = field(default_factory=dict)
    also: dict[int, tuple[int, ...]] = field(default_factory=dict)
    made: tuple[tuple[int, int] | None, ...] = ()

    def origins(self, line: int) -> tuple[int, ...]:
        """Every line of the user's file that a line of `source` comes from, in order."""
        own = (self.lines[line],) if line in self.lines else ()
        return tuple(sorted({*own, *self.also.get(line, ())}))
