"""Liveness: which variables are read later, backwards over the core language."""

from __future__ import annotations

from zygpy.ir import core
from zygpy.ir.access import assigned, read


def live_after(function: core.Function) -> dict[int, frozenset[str]]:
    """For each statement (by `id`) the variables that some later statement may read."""
    found: dict[int, frozenset[str]] = {}
    _block(function.body, set(), [], found)
    return found


def _block(
    block: core.Block, live: set[str], exits: list[set[str]], found: dict[int, frozenset[str]]
) -> set[str]:
    """Walk a block backwards; `exits` holds what is live behind each loop around it."""
    for statement in reversed(block):
        found[id(statement)] = frozenset(live)
        live = _statement(statement, live, exits, found)
    return live


def _statement(
    statement: core.Statement, live: set[str], exits: list[set[str]], found: dict[int, frozenset[str]]
) -> set[str]:
    if isinstance(statement, core.Break):
        return set(exits[-1])
    if isinstance(statement, core.If):
        then = _block(statement.then, set(live), exits, found)
        orelse = _block(statement.orelse, set(live), exits, found)
        return then | orelse | read(statement)
    if isinstance(statement, core.For | core.Loop):
        return _loop(statement, live, exits, found)
    if isinstance(statement, core.With):
        inner = _block(statement.body, set(live), exits, found)
        return (inner - assigned(statement)) | read(statement)
    return (live - assigned(statement)) | read(statement)


def _loop(
    loop: core.For | core.Loop, live: set[str], exits: list[set[str]], found: dict[int, frozenset[str]]
) -> set[str]:
    head = set(live) if isinstance(loop, core.For) else set()
    walked = read(loop)  # what is iterated is read in every round
    while True:
        inner = _block(loop.body, head | walked, [*exits, live], found)
        grown = head | (inner - assigned(loop))
        if grown == head:
            return head | read(loop)
        head = grown
