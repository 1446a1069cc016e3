"""Exits as a person writes them: `if c: break` followed by the rest, instead of an `else` arm."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from zygpy.ir import core
from zygpy.ir.access import assigned, leaves, read
from zygpy.ir.names import Names

Ending = Callable[[core.Loc], core.Block]


def flatten(function: core.Function) -> core.Function:
    """Move the arm that goes on behind an `If` whose other arm always leaves.

    Ensures: an arm that `leaves` has an empty arm beside it; what follows the `If` runs exactly when
    the arm was not taken. A `Break` is the last statement of a loop's body, or of an arm of an `If`
    of that body; where it was deeper, a flag is set there and asked behind. No loop's body is empty.
    """
    mentioned = {name for statement in core.walk(function.body) for name in _mentioned(statement)}
    names = Names(mentioned | set(function.params.names))
    return replace(function, body=_Flattener(names).block(function.body))


def _mentioned(statement: core.Statement) -> Iterator[str]:
    yield from assigned(statement)
    yield from read(statement)


@dataclass
class _Flattener:
    names: Names

    def block(self, block: core.Block) -> core.Block:
        result: list[core.Statement] = []
        waiting = list(reversed(block))
        while waiting:
            statement = waiting.pop()
            if not isinstance(statement, core.If):
                result.append(self._inside(statement))
                if isinstance(statement, core.Break):  # what stands behind it is never reached
                    break
            elif leaves(statement.then) and statement.orelse:
                result.append(replace(statement, then=self.block(statement.then), orelse=()))
                waiting.extend(reversed(statement.orelse))
            elif leaves(statement.orelse) and statement.then:
                result.append(replace(statement, then=(), orelse=self.block(statement.orelse)))
                waiting.extend(reversed(statement.then))
            else:
                then, orelse = self.block(statement.then), self.block(statement.orelse)
                result.append(replace(statement, then=then, orelse=orelse))
        return tuple(result)

    def _inside(self, statement: core.Statement) -> core.Statement:
        if isinstance(statement, core.With | core.Attempt | core.Handle):
            return replace(statement, body=self.block(statement.body))
        if isinstance(statement, core.For | core.Loop):
            body = self.block(self._exits(statement.body))
            return replace(statement, body=body or self._nothing(statement.loc))
        return statement

    def _nothing(self, loc: core.Loc) -> core.Block:
        return (core.Assign(self.names.temporary(), core.Copy(core.Const(None)), loc),)

    def _exits(self, body: core.Block) -> core.Block:
        """A loop's body whose breaks are its own or its branches' last statements."""
        result: list[core.Statement] = []
        rest = body
        while _has_break(rest):
            last = rest[-1]
            if not isinstance(last, core.If):
                break
            result.extend(rest[:-1])
            if leaves(last.then):
                result.append(replace(last, then=_one_break(last.then), orelse=()))
                rest = last.orelse
            elif leaves(last.orelse):
                result.append(replace(last, then=(), orelse=_one_break(last.orelse)))
                rest = last.then
            else:
                result.extend(self._flagged(last))
                rest = ()
        return (*result, *rest)

    def _flagged(self, statement: core.If) -> core.Block:
        """An `If` of which no arm always leaves but some path does: that path sets a flag."""
        flag = self.names.fresh("leaves")

        def mark(loc: core.Loc) -> core.Block:
            return (core.Assign(flag, core.Copy(core.Const(True)), loc),)

        loc = statement.loc
        then, orelse = _with_ending(statement.then, mark), _with_ending(statement.orelse, mark)
        return (
            core.Assign(flag, core.Copy(core.Const(False)), loc),
            replace(statement, then=then, orelse=orelse),
            core.If(core.Var(flag), (core.Break(loc),), (), loc),
        )


def _has_break(block: core.Block) -> bool:
    """Whether a path through the block ends in a `Break` of the loop around it."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, core.If):
        return _has_break(last.then) or _has_break(last.orelse)
    return isinstance(last, core.Break)


def _one_break(arm: core.Block) -> core.Block:
    """An arm that always leaves, with one `Break` at its end instead of one on each path."""
    if not _has_break(arm):
        return arm
    return (*_with_ending(arm, lambda loc: ()), core.Break(_last_place(arm)))


def _last_place(block: core.Block) -> core.Loc:
    last = block[-1]
    if isinstance(last, core.If) and (last.then or last.orelse):
        return _last_place(last.then or last.orelse)
    return last.loc


def _with_ending(block: core.Block, ending: Ending) -> core.Block:
    """The block with something else in the place of its breaks."""
    if not block:
        return ()
    *before, last = block
    if isinstance(last, core.Break):
        return (*before, *ending(last.loc))
    if isinstance(last, core.If):
        then, orelse = _with_ending(last.then, ending), _with_ending(last.orelse, ending)
        return (*before, replace(last, then=then, orelse=orelse))
    return block
