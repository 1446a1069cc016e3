"""Liveness: which variables are read later, backwards over the core language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from zygpy.ir import core
from zygpy.ir.access import assigned, leaves, read
from zygpy.ir.names import is_temporary


def live_after(function: core.Function) -> dict[int, frozenset[str]]:
    """For each statement (by `id`) the variables that some later statement may read."""
    found: dict[int, frozenset[str]] = {}
    _Live([], set(), found).block(function.body, set())
    return found


@dataclass
class _Live:
    """A walk backwards: `exits` holds what is live behind each loop around a block, `caught` what is
    live behind the attempts around it, which may end at every statement."""

    exits: list[set[str]]
    caught: set[str]
    found: dict[int, frozenset[str]]

    def block(self, block: core.Block, live: set[str]) -> set[str]:
        """What is live in front of a block."""
        for statement in reversed(block):
            live = live | self.caught
            self.found[id(statement)] = frozenset(live)
            live = self._statement(statement, live)
        return live | self.caught

    def _statement(self, statement: core.Statement, live: set[str]) -> set[str]:
        match statement:
            case core.Break():
                return set(self.exits[-1])
            case core.Raise():
                return read(statement)
            case core.If():
                return self.block(statement.then, live) | self.block(statement.orelse, live) | read(statement)
            case core.For() | core.Loop():
                return self._loop(statement, live)
            case core.With() | core.Handle():
                return (self.block(statement.body, live) - assigned(statement)) | read(statement)
            case core.Attempt():
                caught, self.caught = self.caught, self.caught | live
                inner = self.block(statement.body, live)
                self.caught = caught
                return inner - assigned(statement)
        return (live - assigned(statement)) | read(statement)

    def _loop(self, loop: core.For | core.Loop, live: set[str]) -> set[str]:
        head = set(live) if isinstance(loop, core.For) else set()
        walked = read(loop)  # what is iterated is read in every round
        while True:
            self.exits.append(live)
            inner = self.block(loop.body, head | walked)
            self.exits.pop()
            grown = head | (inner - assigned(loop))
            if grown == head:
                return head | read(loop)
            head = grown


def ending_with(function: core.Function, live: Mapping[int, frozenset[str]]) -> dict[int, frozenset[str]]:
    """For each block inside another (by `id`) the temporaries that are mentioned in it alone, and that no
    later round of a loop reads; blocks without any are left out, and so are those that the adjoint may begin
    in the middle of. `live` is `live_after` of the function."""
    inside: list[tuple[core.Block, Counter[str]]] = []
    everywhere = _mentions(function.body, inside)
    found: dict[int, frozenset[str]] = {}
    for block, mentions in inside:
        alone = {name for name, count in mentions.items() if count == everywhere[name]}
        if ending := alone - live[id(block[-1])]:
            found[id(block)] = frozenset(ending)
    return found


def _mentions(
    block: core.Block, inside: list[tuple[core.Block, Counter[str]]], *, attempted: bool = False
) -> Counter[str]:
    """How many statements of a block mention each temporary; noted for each block in it."""
    found: Counter[str] = Counter()
    for statement in block:
        found.update([name for name in read(statement) | assigned(statement) if is_temporary(name)])
        partly = attempted or isinstance(statement, core.Attempt)
        kept = partly or _is_left_in_the_middle(statement)
        for inner in core.blocks(statement):
            mentions = _mentions(inner, inside, attempted=partly)
            found.update(mentions)
            if mentions and not kept:
                inside.append((inner, mentions))
    return found


def _is_left_in_the_middle(statement: core.Statement) -> bool:
    """Whether a statement is a loop with an exit, or a branch one arm of which is one, so that the other
    is the rest of what was left."""
    if isinstance(statement, core.If):
        return leaves(statement.then) or leaves(statement.orelse)
    return isinstance(statement, core.For | core.Loop) and _may_break(statement.body)


def _may_break(block: core.Block) -> bool:
    """Whether a block may leave the loop that it is in."""
    inner = [arm for statement in block if isinstance(statement, core.If) for arm in core.blocks(statement)]
    return any(isinstance(statement, core.Break) for statement in block) or any(map(_may_break, inner))
