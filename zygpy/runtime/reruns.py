"""Stretches of loops that were run once more on copies: whose cotangents are whose."""

from __future__ import annotations

from typing import Any

from zygpy.runtime.stretches import let_go


def pulled_back(adjoint: Any, stash: Any, y_bar: Any, store: Any, ends: Any, starts: Any) -> Any:
    """The cotangents of the arguments of a stretch that was run once more on copies of them.

    `ends` describes what the first run and the second have left behind, their results and their arguments,
    `starts` what the second was given, which are copies, and what the first was given.
    """
    let_go(store)
    (theirs, their_things), (ours, our_things) = ends
    whole = store.withdraw(theirs, y_bar, False)
    behind = store.withdraw(their_things, None, False)
    seed = store.seed(ours, whole)
    store.give(our_things, behind)
    bars = adjoint(stash, seed, store)
    copies, originals = starts
    found = []
    for copied, original, bar in zip(copies, originals, bars, strict=True):
        found.append(store.give(original, store.withdraw(copied, bar, False)))
    return tuple(found)
