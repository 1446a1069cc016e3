"""Calls that empty a cache: that it would not give again what it has given before is noted.

                        t = f
f.cache_clear()   ->    note_cleared(t)
                        f.cache_clear()

What empties it and is kept for later is refused: nobody would see when it is called.

                        t = f
g = f.cache_clear ->    refuse_clearing(t)
                        g = f.cache_clear
"""

from __future__ import annotations

from dataclasses import replace

from zygpy.ir import core
from zygpy.ir.access import mentioned
from zygpy.ir.names import Names

NOTE, CLEARING = core.Path(("note_cleared",), "helper"), "cache_clear"
REFUSE = core.Path(("refuse_clearing",), "helper")


def with_cleared_caches(program: core.Function) -> core.Function:
    """The same program with such notes; the very same if it empties no cache, or has them."""
    ops = [one.op for one in core.walk(program.body) if isinstance(one, core.Assign)]
    noted = any(isinstance(op, core.Call) and op.func in (NOTE, REFUSE) for op in ops)
    if noted or not any(_emptied(op) or _taken(op) for op in ops):
        return program
    names = Names(mentioned(program) | {*program.captured, *program.cells})

    def spelled(statement: core.Statement) -> core.Block:
        if not isinstance(statement, core.Assign):
            return (statement,)
        emptied = _emptied(statement.op)
        found, helper = (emptied, NOTE) if emptied is not None else (_taken(statement.op), REFUSE)
        if found is None:
            return (statement,)
        loc = getattr(statement, "loc", core.Loc(0, 0))
        if isinstance(found, core.Path):
            cache = core.Var(names.temporary())
            read = [core.Assign(cache.name, core.Read(found), loc)]
            return (*read, core.Assign(names.temporary(), core.Call(helper, (cache,)), loc), statement)
        return core.Assign(names.temporary(), core.Call(helper, (found,)), loc), statement

    return replace(program, body=core.rewritten(program.body, spelled))


def _emptied(op: core.Op) -> core.Path | core.Atom | None:
    """The cache that an operation empties, if it is the call of a method by such a name."""
    match op:
        case core.Call(core.Path(names, scope)) if names[-1] == CLEARING and len(names) > 1:
            return core.Path(names[:-1], scope)
        case core.CallMethod(value, name) if name == CLEARING:
            return value
    return None


def _taken(op: core.Op) -> core.Path | core.Atom | None:
    """The cache whose method to empty it an operation reads, without calling it."""
    match op:
        case core.Read(core.Path(names, scope)) if names[-1] == CLEARING and len(names) > 1:
            return core.Path(names[:-1], scope)
        case core.GetAttr(value, name) if name == CLEARING:
            return value
    return None
