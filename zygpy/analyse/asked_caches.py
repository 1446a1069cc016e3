"""Questions to a cache for what it was asked before, in programs that enter its function instead: what stands
in front of them refuses those whose answer would be another one.

                        t = f
f.cache_info()    ->    check_info(t)
                        f.cache_info()

                        t = f
g = f.cache_info  ->    refuse_info(t)
                        g = f.cache_info

Functions that ask so, and in which nothing varies, are called as they are: they are checked in its place.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from zygpy.analyse.paths import Scope, resolve
from zygpy.ir import core
from zygpy.ir.access import mentioned
from zygpy.ir.names import Names
from zygpy.runtime.asking import asks_for

CHECK, REFUSE = core.Path(("check_info",), "helper"), core.Path(("refuse_info",), "helper")
ASKING = "cache_info"

Asked: TypeAlias = "tuple[core.Path, core.Path | core.Atom] | None"
"""What is to be called in front of an operation, and of what."""


def with_asked_caches(program: core.Function, scope: Scope) -> core.Function:
    """The same program with such checks; the very same if it asks nothing, or has them."""
    ops = [one.op for one in core.walk(program.body) if isinstance(one, core.Assign)]
    checked = any(isinstance(op, core.Call) and op.func in (CHECK, REFUSE) for op in ops)
    if checked or not any(_asked(op, scope) for op in ops):
        return program
    names = Names(mentioned(program) | {*program.captured, *program.cells})

    def spelled(statement: core.Statement) -> core.Block:
        found = _asked(statement.op, scope) if isinstance(statement, core.Assign) else None
        if found is None:
            return (statement,)
        helper, asked = found
        loc = getattr(statement, "loc", core.Loc(0, 0))
        if not isinstance(asked, core.Path):
            return core.Assign(names.temporary(), core.Call(helper, (asked,)), loc), statement
        cache = core.Var(names.temporary())
        read = core.Assign(cache.name, core.Read(asked), loc)
        return read, core.Assign(names.temporary(), core.Call(helper, (cache,)), loc), statement

    return replace(program, body=core.rewritten(program.body, spelled))


def _asked(op: core.Op, scope: Scope) -> Asked:
    """What an operation asks a cache for, or a function that may do so."""
    op = op.call if isinstance(op, core.Caught) else op
    match op:
        case core.Call(core.Path(names, of)) if names[-1] == ASKING and len(names) > 1:
            return CHECK, core.Path(names[:-1], of)
        case core.CallMethod(value, name) if name == ASKING:
            return CHECK, value
        case core.Read(core.Path(names, of)) if names[-1] == ASKING and len(names) > 1:
            return REFUSE, core.Path(names[:-1], of)
        case core.GetAttr(value, name) if name == ASKING:
            return REFUSE, value
        case core.Call(core.Path() as path, args):
            return _asked_by_call(path, args, scope)
    return None


def _asked_by_call(path: core.Path, args: tuple[core.Atom | core.Star, ...], scope: Scope) -> Asked:
    if path.names == ("getattr",) and core.Const(ASKING) in args[1:] and not isinstance(args[0], core.Star):
        return REFUSE, args[0]
    found = resolve(path, scope)
    asks = path.scope != "helper" and found.depth == len(path.names) and asks_for(found.value, ASKING)
    return (CHECK, path) if asks else None
