"""Functions that are defined where they are used: those that are only called, where their code is known.

The tangent function of such a function takes what is captured as parameters, as its pair does, and every call
hands that on. So there is nothing to be made where the function is defined.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zygpy.analyse.facts import Direct
from zygpy.analyse.local_calls import is_bound
from zygpy.ir import core
from zygpy.ir.access import assigned
from zygpy.tangent.state import Tangents


def is_only_called(t: Tangents, statement: core.Assign) -> bool:
    """Whether a statement makes a function, or reads a method, of which all that is read are calls behind it,
    in the same block, that are known: there it is surely bound, and to this function."""
    name = statement.target
    if not (is_bound(statement, t.ctx.facts) or _is_made(t, statement)):
        return False
    body = t.ctx.facts.function.body
    behind = [other for one in _makers(t, statement) for other in core.walk(_behind(body, one))]
    if any(isinstance(other, core.DelName) and other.name == name for other in behind):
        return False
    calls = {id(other) for other in behind if _is_known_call(t, other, name)}
    return bool(t.reads[name] == len(calls))


def _makers(t: Tangents, statement: core.Assign) -> list[core.Assign]:
    """The statements that read methods into the variable, if there are no others that bind it; else the
    statement alone."""
    body, name = t.ctx.facts.function.body, statement.target
    found = [one for one in core.walk(body) if name in assigned(one)]
    known = [one for one in found if isinstance(one, core.Assign) and is_bound(one, t.ctx.facts)]
    return known if len(known) == len(found) else [statement]


def _is_made(t: Tangents, statement: core.Assign) -> bool:
    """Whether it makes a function that shares no variable with others."""
    op = statement.op
    if not isinstance(op, core.MakeFunction) or op.defaults or statement.target in op.captured:
        return False
    return set(op.captured).isdisjoint(t.ctx.facts.function.cells)


def _behind(block: core.Block, statement: core.Assign) -> core.Block:
    """The statements behind another in its block."""
    for one in _blocks(block):
        for place, other in enumerate(one):
            if other is statement:
                return one[place + 1 :]
    return ()


def _blocks(block: core.Block) -> Iterator[core.Block]:
    """A block, and all blocks in it."""
    yield block
    for statement in core.walk(block):
        if isinstance(statement, core.COMPOUND):
            yield from core.blocks(statement)


def _is_known_call(t: Tangents, statement: core.Statement, name: str) -> bool:
    """Whether a statement calls the function of this name, whose code is known, and does not hand it on."""
    if not (isinstance(statement, core.Assign) and isinstance(statement.op, core.Call)):
        return False
    found: Any = t.ctx.facts.calls.get(id(statement))
    function = core.Var(name)
    if statement.op.func != function or type(found) is not Direct:
        return False
    return not any(bound == function or _holds(bound, function) for _, bound in found.arguments)


def _holds(bound: Any, function: core.Var) -> bool:
    """Whether what a parameter gets has the function among its parts."""
    parts = bound if isinstance(bound, tuple) else [atom for _, atom in getattr(bound, "items", ())]
    return function in parts
