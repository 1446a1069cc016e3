"""Exits as a person writes them: `if c: break` followed by the rest, instead of an `else` arm."""

from __future__ import annotations

from dataclasses import replace

from zygpy.ir import core
from zygpy.ir.access import leaves


def flatten(function: core.Function) -> core.Function:
    """Move the arm that goes on behind an `If` whose other arm always leaves.

    Ensures: an arm that `leaves` has an empty arm beside it; what follows the `If` runs exactly when
    the arm was not taken.
    """
    return replace(function, body=_block(function.body))


def _block(block: core.Block) -> core.Block:
    result: list[core.Statement] = []
    waiting = list(reversed(block))
    while waiting:
        statement = waiting.pop()
        if not isinstance(statement, core.If):
            result.append(_inside(statement))
        elif leaves(statement.then) and statement.orelse:
            result.append(replace(statement, then=_block(statement.then), orelse=()))
            waiting.extend(reversed(statement.orelse))
        elif leaves(statement.orelse) and statement.then:
            result.append(replace(statement, then=(), orelse=_block(statement.orelse)))
            waiting.extend(reversed(statement.then))
        else:
            result.append(replace(statement, then=_block(statement.then), orelse=_block(statement.orelse)))
    return tuple(result)


def _inside(statement: core.Statement) -> core.Statement:
    if isinstance(statement, core.For | core.Loop | core.With):
        return replace(statement, body=_block(statement.body))
    return statement
