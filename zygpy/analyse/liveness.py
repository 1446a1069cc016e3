"""Liveness: which variables are read later, backwards over the core language."""

from __future__ import annotations

from dataclasses import dataclass

from zygpy.ir import core
from zygpy.ir.access import assigned, read


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
