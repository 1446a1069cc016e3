"""In which way a derivation has to be done, and what it finds out of that on its way."""

from __future__ import annotations

from zygpy.runtime.ways import Way


class NeedsMore(Exception):
    """A derivation that has to be done in another way, because of what a program does."""

    def __init__(self, way: Way) -> None:
        super().__init__(way)
        self.way = way


def more(way: Way, needs: Way) -> Way:
    """The way that has what both have."""
    everywhere = way.everywhere or needs.everywhere
    return Way(
        copying=way.copying or needs.copying,
        identity=way.identity or needs.identity,
        everywhere=everywhere,
        guarded=(way.guarded or needs.guarded) and not everywhere,
        changing=way.changing or needs.changing,
        replaced=way.replaced | needs.replaced,
    )
