"""Which statements read variables that may have no value where they stand."""

from __future__ import annotations

from dataclasses import dataclass, field

from zygpy.ir import core
from zygpy.ir.access import assigned, read

Bound = frozenset[str]
"""The variables that surely have a value."""


def unbound_reads(function: core.Function) -> dict[int, frozenset[str]]:
    """For statements (by `id`) that read variables which may have no value there: these."""
    given = {*function.params.names, *function.captured} - set(function.unbound)
    reading = _Reading()
    reading.block(function.body, frozenset(given))
    return reading.found


@dataclass
class _Reading:
    """A walk through a program, which knows what is bound; None where nothing comes by."""

    found: dict[int, frozenset[str]] = field(default_factory=dict)
    exits: list[list[Bound]] = field(default_factory=list)
    """Of each loop around: what is bound where it is left."""

    def block(self, block: core.Block, bound: Bound | None) -> Bound | None:
        for statement in block:
            if bound is None:
                return None
            if missing := read(statement) - bound:
                self.found[id(statement)] = frozenset(missing)
            bound = self._behind(statement, bound)
        return bound

    def _behind(self, statement: core.Statement, bound: Bound) -> Bound | None:
        match statement:
            case core.Break():
                self.exits[-1].append(bound)
                return None
            case core.Raise():
                return None
            case core.If():
                return _both(self.block(statement.then, bound), self.block(statement.orelse, bound))
            case core.For() | core.Loop():
                return self._loop(statement, bound)
            case core.Handle():
                return self.block(statement.body, bound | assigned(statement))
            case core.With() | core.Attempt():  # left at any place
                named = frozenset(assigned(statement))
                inside = self.block(statement.body, bound | named)
                left = _both(inside, bound - _deleted(statement.body))
                return None if left is None else left | named
            case core.DelName(name):
                return bound - {name}
        return bound | assigned(statement)

    def _loop(self, loop: core.For | core.Loop, bound: Bound) -> Bound | None:
        bound -= _deleted(loop.body)
        self.exits.append([])
        self.block(loop.body, bound | assigned(loop))
        behind = bound if isinstance(loop, core.For) else None
        for left in self.exits.pop():
            behind = _both(behind, left)
        return behind


def _both(one: Bound | None, other: Bound | None) -> Bound | None:
    """What is bound behind two ways, of which one is gone."""
    if one is None or other is None:
        return other if one is None else one
    return one & other


def _deleted(block: core.Block) -> Bound:
    return frozenset(inner.name for inner in core.walk(block) if isinstance(inner, core.DelName))
