"""What a call has changed in the things that it was given."""

from __future__ import annotations

from typing import Any

from zygpy.runtime.protocols import INERT
from zygpy.runtime.store import Held, content_of


class Contents:
    """What described things held at one moment."""

    def __init__(self, what: Any) -> None:
        self.things: list[tuple[Held, dict[Any, Any]]] = []
        self._note(what, set())

    def _note(self, what: Any, seen: set[int]) -> None:
        if isinstance(what, tuple):
            for item in what:
                self._note(item, seen)
        elif isinstance(what, Held) and id(what) not in seen:
            seen.add(id(what))
            if what.form != "function" and not _is_own(what.owner):  # whose variables are found by themselves
                self.things.append((what, dict(content_of(what.owner, what.form))))
            self._note(tuple(what.items.values()), seen)

    def changed(self) -> Any:
        """A thing that holds something else now that may have a gradient; None if there is none. (What a
        `defaultdict` makes for a key that is read is nothing else.)"""
        for held, before in self.things:
            made = getattr(held.owner, "default_factory", None)
            for key, item in content_of(held.owner, held.form):
                same = before[key] is item if key in before else type(item) is made
                if not (same or isinstance(item, INERT)):
                    return held.owner
        return None


def _is_own(value: Any) -> bool:
    """Whether a thing is a part of a derivation, which may keep what it has computed."""
    return type(value).__module__.startswith("zygpy.")
